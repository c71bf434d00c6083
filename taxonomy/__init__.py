"""Subject and concept trees, levels, difficulty, coverage."""

from __future__ import annotations

from .above import above, level_names
from .decompose import (
    REJECTED,
    is_rejection,
    steps_from,
    structure_of,
    violations,
    with_no_answer,
)
from .first_errors import NO_ERROR, error_scheme, first_errors
from .grades import half_year, read_grade
from .load import BUILT_IN, check_maps, load_tree, parse_tree, source_of
from .mm_math import DIFFICULTY, in_its_words
from .tree import SEPARATOR, Scale, Tree, TreeNode, as_list, map_label
from .we_math import area_of, cards_text, knowledge_cards
from .wording_file import Words, read_words, tree_in_words
