"""Subject and concept trees, levels, difficulty, coverage."""

from __future__ import annotations

from .decompose import steps_from, violations, with_no_answer
from .grades import read_grade
from .load import BUILT_IN, load_tree, source_of
from .tree import SEPARATOR, Tree, TreeNode
from .we_math import area_of, knowledge_cards

__all__ = [
    "BUILT_IN",
    "SEPARATOR",
    "Tree",
    "TreeNode",
    "area_of",
    "knowledge_cards",
    "load_tree",
    "read_grade",
    "source_of",
    "steps_from",
    "violations",
    "with_no_answer",
]
