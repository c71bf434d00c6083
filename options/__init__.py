"""One reading of options and of golds: for readers of rows, for checks, for whoever grades."""

from __future__ import annotations

from ..words import CIRCLED, LETTERS, in_order
from .choices import Choices, lettered
from .columns import AROUND, KNOWN_AS, guess_kind
from .golds import Gold, check_counting, counting_of, is_number, read_gold, undressed
from .literals import literal
from .options import PICTURE_NAME, read_options
from .runs import best_run, covered, holds_label
from .shapes import alone, text_of
from .stems import (
    ALPHABETS,
    ASKS,
    Stem,
    option_runs,
    several_letters,
    split_options,
    stems,
)
from .texts import options_in_cell, options_in_question
