"""Does a set of labelled problems use a tree rightly: labels that exist, enough of each leaf?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from ..base.display import Display, Table
from ..errors import UserError
from ..problem import Problem
from ..release import read_problem_file
from .load import check_maps, load_tree
from .tree import Tree, as_list


class TreeCoverage(Display, msgspec.Struct, kw_only=True):
    """Problems per leaf, and what is wrong with them.

    `few` and `many` hold leaves with fewer or more problems than the tree's `per_leaf` allows;
    `outside` holds labels that are no node: problem id, label and what was probably meant.
    """

    problems: int = 0
    unlabelled: list[str] = []
    counts: dict[str, int] = {}  # leaf id -> problems, in the tree's order
    few: list[str] = []
    many: list[str] = []
    above_leaf: dict[str, int] = {}  # labels that stop at a branch
    outside: list[tuple[str, str, str]] = []

    @property
    def findings(self) -> int:
        return len(self.few) + len(self.many) + len(self.outside) + len(self.unlabelled)

    def headline(self) -> str:
        return f"{self.problems} problems, {self.findings} findings"

    def table(self) -> Table:
        return ["leaf", "problems", "bounds"], [
            [key, count, self.mark(key)] for key, count in self.counts.items()
        ]

    def mark(self, leaf: str) -> str:
        """Whether a leaf has too few or too many problems."""
        if leaf in self.few:
            return "too few"
        return "too many" if leaf in self.many else ""


def check_tree(tree: str | Path) -> Tree:
    """Read a tree strictly and follow its mappings to built-in trees.

    Raises UserError for anything not understood, and for a mapping that leads nowhere.

    >>> len(check_tree("math-v").leaves)
    16
    """
    loaded = load_tree(tree)
    check_maps(loaded)
    return loaded


def check_labels(
    problems: str | Path | Iterable[Problem], tree: str | Path | Tree, field: str = ""
) -> TreeCoverage:
    """Check the labels of problems against a tree.

    Args:
        problems: A problems.jsonl.
        tree: Built-in tree, or a YAML file.
        field: The label to check [default: the tree's own].

    Raises UserError for a damaged file and an unknown tree.

    Example: `check_labels("work/05-label/problems.jsonl", "we-math").findings`
    """
    loaded = load_tree(tree) if isinstance(tree, str | Path) else tree
    return coverage(read_problem_file(problems), loaded, field or loaded.field)


def coverage_rows(result: TreeCoverage, tree: Tree) -> list[tuple[str, int, str]]:
    """Every leaf by name, its problems, and whether they are too few or too many."""
    return [
        (tree.nodes[leaf].name, count, result.mark(leaf))
        for leaf, count in result.counts.items()
    ]


def coverage(problems: Iterable[Problem], tree: Tree, field: str) -> TreeCoverage:
    """Count how `problems` cover the tree's leaves by their label `field` (one label or a list).

    The bounds are the tree's own; We-Math wants 10 to 40 one-step problems a concept.
    """
    result = TreeCoverage()
    counts: Counter[str] = Counter()
    for problem in problems:
        result.problems += 1
        labels = as_list(problem.labels.get(field))
        if not labels:
            result.unlabelled.append(problem.id)
        for label in labels:
            try:
                node = tree.find_in(problem.labels, str(label))
            except UserError as error:
                result.outside.append((problem.id, str(label), error.remedy))
                continue
            counts[node.id] += 1
    result.counts = {leaf.id: counts[leaf.id] for leaf in tree.leaves}
    result.above_leaf = {
        node.id: counts[node.id]
        for node in tree.nodes.values()
        if node.children and counts[node.id]
    }
    if tree.per_leaf:
        fewest, most = tree.per_leaf
        result.few = [key for key, count in result.counts.items() if count < fewest]
        result.many = [key for key, count in result.counts.items() if count > most]
    return result
