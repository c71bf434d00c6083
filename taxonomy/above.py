"""What lies above a label: every level of its tree is a group, as MM-MATH's areas are (table 3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from .load import BUILT_IN, load_tree
from .tree import Tree, as_list


def above(labels: dict[str, Any], benchmark: str | None = None) -> dict[str, list[str]]:
    """Level -> names, for the levels above a problem's labels that it does not name itself.

    The tree is that of the `benchmark`; where it has none for the label, that built-in one decides
    which knows most of its values. A value that no tree has lies in nothing.

    >>> above({"knowledge": ["Tangents", "Quadratic Function"]})["area"]
    ['Functions', 'Properties of Shapes']
    """
    levels: dict[str, list[str]] = {}
    for field in _fields():
        names = map(str, as_list(labels.get(field)))
        levels |= _levels(field, tuple(names), benchmark)
    return {level: names for level, names in levels.items() if level not in labels}


def level_names(tree: Tree, names: Sequence[str]) -> dict[str, list[str]]:
    """Level -> names above the last one; what is named on a level itself goes before ancestors.

    >>> level_names(load_tree("mm-math"), ["Functions", "Circle"])["area"]
    ['Functions']
    """
    nodes = [tree.find(name) for name in names if tree.has(name)]
    levels: dict[str, list[str]] = {}
    for depth, level in enumerate(tree.levels[:-1], 1):
        branches = {
            node.name for node in nodes if node.depth == depth and node.children
        }
        ancestors = {node.path[depth - 1] for node in nodes if node.depth > depth}
        if branches or ancestors:
            levels[level] = sorted(branches or ancestors)
    return levels


@lru_cache(maxsize=4096)
def _levels(
    field: str, names: tuple[str, ...], benchmark: str | None
) -> dict[str, list[str]]:
    def fit(tree: Tree) -> tuple[bool, int]:
        return tree.name == benchmark, sum(map(tree.has, names))

    trees = [tree for tree in map(load_tree, BUILT_IN) if tree.field == field]
    return level_names(max(trees, key=fit), names)


@lru_cache(maxsize=1)
def _fields() -> list[str]:
    """The labels that hold nodes of a tree of several levels, where names alone tell them."""
    deep = [tree for tree in map(load_tree, BUILT_IN) if len(tree.levels) > 1]
    return sorted({tree.field for tree in deep if tree.field not in tree.levels})
