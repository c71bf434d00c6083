"""A tree of labels: subjects, subfields or knowledge concepts, with look-up by name.

Names are the words of the data ("metric geometry - angle"); ids are their stable short forms.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import msgspec

from ..errors import UserError, nearest

SEPARATOR = " / "  # between the names of a path
MOST_LABELS = 20  # of a tree that a message names whole


class TreeNode(msgspec.Struct, frozen=True, kw_only=True):
    """One label. `path` holds the names from the top down to this node; `depth` counts from 1."""

    id: str
    name: str
    definition: str = ""
    source: str = ""  # who named it: the tree's source unless the node says otherwise
    parent: str | None = None  # id
    children: tuple[str, ...] = ()  # ids
    path: tuple[str, ...] = ()
    card: str | None = None  # what a learner has to know (We-Math, section 4.3)

    @property
    def depth(self) -> int:
        return len(self.path)

    @property
    def full_name(self) -> str:
        return SEPARATOR.join(self.path)


class Band(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A value of a scale and its lower bound: `at_least` (included) or `above` (excluded)."""

    value: str | int
    at_least: float | None = None
    above: float | None = None

    def holds(self, number: float) -> bool:
        if self.above is not None:
            return number > self.above
        return self.at_least is None or number >= self.at_least


class Scale(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An ordered label read off a number, e.g. a level from a grade: the first band that holds."""

    name: str
    of: str  # what the number is: grade, pass_rate, ...
    low: float
    high: float
    bands: tuple[Band, ...]
    source: str = ""

    def value(self, number: float) -> str | int:
        """The band of `number`. Raises UserError outside `low` to `high`.

        >>> bands = (Band(value="easy", above=0.85), Band(value="hard", at_least=0))
        >>> Scale(name="difficulty", of="pass_rate", low=0, high=1, bands=bands).value(0.85)
        'hard'
        """
        if self.low <= number <= self.high:
            for band in self.bands:
                if band.holds(number):
                    return band.value
        raise UserError(
            f"{self.of} {number:g} is not on the scale {self.name!r}",
            f"give a number from {self.low:g} to {self.high:g}",
        )


class Tree(msgspec.Struct, frozen=True, kw_only=True):
    """A taxonomy. `nodes` is in the order of the file, parents before their children.

    `maps` says, for another tree's name, which of its labels a node of ours corresponds to.
    """

    name: str
    title: str
    source: str
    levels: tuple[str, ...]  # what depth 1, 2, ... are called
    nodes: dict[str, TreeNode]
    scales: dict[str, Scale] = {}
    maps: dict[str, dict[str, str]] = {}  # other tree -> {our id: their label}
    field: str  # the label of problems that holds this tree's leaves: subject, knowledge, ...
    per_leaf: tuple[int, int] | None = None  # fewest and most problems of a leaf
    instruction: str = ""  # what annotators read, in place of the task's own
    per_leaf_note: str = ""  # whose bounds these are; where published data leave them
    renamed: dict[str, str] = {}  # an earlier label, or its path -> what it is now
    split: dict[str, list[str]] = {}  # an earlier label -> those that took its place
    index: dict[str, list[str]] = {}  # name, folded -> ids

    @property
    def roots(self) -> list[TreeNode]:
        return [node for node in self.nodes.values() if node.parent is None]

    @property
    def leaves(self) -> list[TreeNode]:
        return [node for node in self.nodes.values() if not node.children]

    def find(self, text: str) -> TreeNode:
        """The node called `text`: an id, a name, or a path of names joined by " / ".

        A name of a branch and of a leaf means the leaf. Raises UserError with the nearest names
        for an unknown name, and with the paths for an ambiguous one.
        """
        if text in self.nodes:
            return self.nodes[text]
        matches = [self.nodes[key] for key in self.index.get(fold(text), [])]
        leaves = [node for node in matches if not node.children]
        if len(matches) == 1 or len(leaves) == 1:
            return (leaves or matches)[0]
        if not matches:
            names = sorted({node.name for node in self.nodes.values()})
            raise UserError(
                f"{text!r} is not in the tree {self.name!r}", _nearest(text, names)
            )
        paths = ", ".join(repr(node.full_name) for node in matches)
        raise UserError(
            f"{text!r} is ambiguous in the tree {self.name!r}", f"say one of {paths}"
        )

    def has(self, text: str) -> bool:
        """Whether `find` would succeed."""
        try:
            self.find(text)
        except UserError:
            return False
        return True

    def label(self, node: TreeNode) -> str:
        """What data call this node: its name where that finds it again, else its path."""
        try:
            return node.name if self.find(node.name) is node else node.full_name
        except UserError:
            return node.full_name

    def now(self, label: str) -> str:
        """What a label of an earlier version of this tree is called by now."""
        return (
            self.label(self.find(self.renamed[label]))
            if label in self.renamed
            else label
        )

    def meaning(self, labels: Iterable[str]) -> str:
        """A hash of what labels meant to whoever gave them: their definitions."""
        nodes = [self.find(label) for label in labels if self.has(label)]
        shown = sorted(" ".join(node.definition.split()) for node in nodes)
        return hashlib.sha256(msgspec.json.encode(shown)).hexdigest()[:16]

    def ancestors(self, node: TreeNode) -> list[TreeNode]:
        """From the top down to and including `node`; `[k]` is the ancestor at depth k + 1.

        Agreement on a tree is counted level by level along these.
        """
        lineage = [node]
        while (parent := lineage[0].parent) is not None:
            lineage.insert(0, self.nodes[parent])
        return lineage

    def find_in(self, labels: dict[str, Any], text: str) -> TreeNode:
        """`find`, with a problem's labels of the upper levels to tell equal names apart.

        MathVerse's subfield "Length" is a node only together with its subject.
        """
        above = [str(labels[level]) for level in self.levels[:-1] if labels.get(level)]
        path = SEPARATOR.join([*above, text])
        return self.find(path if fold(path) in self.index else text)

    def by_level(self, node: TreeNode) -> dict[str, str]:
        """Level name -> name, e.g. {"subject": "Plane Geometry", "subfield": "Angle"}."""
        names = dict(zip(self.levels, node.path, strict=False))
        if not node.children:  # a leaf of a short branch still is of the last level
            names.pop(self.levels[node.depth - 1])
            names[self.levels[-1]] = node.name
        return names

    def scale(self, name: str) -> Scale:
        if name not in self.scales:
            raise UserError(
                f"the tree {self.name!r} has no scale {name!r}",
                nearest(name, list(self.scales)),
            )
        return self.scales[name]


def fold(text: str) -> str:
    """Case and spacing do not tell labels apart."""
    return " ".join(text.split()).casefold()


def as_list(value: Any) -> list[Any]:
    """A label field holds nothing, one label or a list of them."""
    if value in (None, "", []):
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _nearest(text: str, labels: list[str]) -> str:
    """Like `errors.nearest`, but a large tree names only its most similar labels."""
    from rapidfuzz import process

    if len(labels) <= MOST_LABELS:
        return nearest(text, labels)
    best = process.extract(text, labels, limit=3, score_cutoff=50, processor=fold)
    if not best:
        return "see taxonomy show"
    return f"did you mean {', '.join(repr(label) for label, _, _ in best)}?"


def map_label(tree: Tree, label: str, other: Tree) -> TreeNode | None:
    """The node of `other` that a label of `tree` corresponds to, or None.

    The nearest mapped node wins, going up from the label.

    >>> from .load import load_tree
    >>> node = map_label(load_tree("math-v"), "metric geometry - angle", load_tree("mathverse"))
    >>> node.full_name
    'Plane Geometry / Angle'
    """
    pairs = tree.maps.get(other.name)
    if pairs is None:
        raise UserError(
            f"the tree {tree.name!r} has no mapping to {other.name!r}",
            f"add one under maps:; it has {', '.join(sorted(tree.maps)) or 'none'}",
        )
    for node in reversed(tree.ancestors(tree.find(label))):
        if node.id in pairs:
            return other.find(pairs[node.id])
    return None
