"""One reading of options and of golds: for readers of rows, for checks, for whoever grades."""

from __future__ import annotations

from .golds import Gold, check_counting, counting_of, is_number, read_gold, undressed
from .literals import literal
from .options import (
    LETTERS,
    PICTURE_NAME,
    Choices,
    holds_label,
    in_order,
    lettered,
    options_in_cell,
    options_in_question,
    read_options,
)
from .stems import (
    ALPHABETS,
    ASKS,
    CIRCLED,
    Stem,
    option_runs,
    several_letters,
    split_options,
    stems,
)
