r"""What the nodes of a document are by their names and what they hold, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain
from typing import Literal

import msgspec

from . import vocabulary as known
from .roles import Role, of_definition, of_name
from .tree import Node, flat, words_of

Meaning = Role | Literal["outside", "table", "options", "list", "stated", "own"]
RIGHT = re.compile(r"(?i)correct|right|true|bonne|dung\b")
_CHOICE = re.compile(r"(?i)choi[cx]|correct|wrong|option|oneparcheck|\Acheckboxes\Z")
_SWITCHES = frozenset("bf bfseries it itshape em sc scshape sl large Large".split())


class Roles(msgspec.Struct):
    """The roles of environments, by their names, else by their definitions in the document."""

    titles: dict[str, str]

    def of(self, name: str) -> Role | None:
        if name in known.TABLES or name == "tasks" or name.rstrip("*") in known.STATED:
            return None
        return of_name(name) or of_definition(self.titles.get(name, ""))

    def means(self, node: Node) -> Meaning:
        """What an environment is."""
        role = self.of(node.text)
        if node.text in known.OUTSIDE:
            return "outside"
        if node.text in known.TABLES:
            return "table"
        if role not in (None, "problem"):
            return role
        capital = re.search(r"\\Alph|(?<![A-Za-z\\])A(?![A-Za-z])", self.style(node))
        if _CHOICE.search(node.text) or (capital and items_of(node)):
            return "options"
        if items_of(node):
            return "list"
        return role or ("stated" if node.plain in known.STATED else "own")

    def style(self, node: Node) -> str:
        """How a list is told to count its items."""
        return flat([*chain(*node.given)]) + self.titles.get(node.text, "")


def is_heading(node: Node) -> bool:
    return node.kind == "command" and node.plain in known.HEADINGS and node.plain != "part"


def level(heading: Node) -> int:
    """How deep a heading's command is."""
    return known.HEADINGS.index(heading.plain)


def opens_by_name(name: str) -> bool:
    """Does a command open a problem, by what it is called?"""
    plain = name.rstrip("*").removesuffix("@problem")
    if known.is_listed(plain) and "titled" not in plain:
        return False
    return (
        plain in ("titledquestion", "bonusquestion", "bonustitledquestion", "newproblem")
        or of_name(plain) == "problem"
    ) and not plain.startswith(("the", "end"))


def is_choice(node: Node) -> bool:
    """Does a command open one of several options?"""
    return is_item(node) or (node.kind == "command" and bool(_CHOICE.search(node.text)))


def is_options(node: Node) -> bool:
    r"""`\choice{a}{\True b}{c}`: a command of several groups, called so, or of four."""
    groups = len(node.given) * (node.kind == "command")
    listed = known.is_listed(node.text) or opens_by_name(node.text)
    return groups > 1 and bool(_CHOICE.search(node.text) or (groups > 3 and not listed))


def entries(
    nodes: list[Node], marks: Callable[[Node], bool]
) -> tuple[list[Node], list[tuple[Node, list[Node]]]]:
    """What stands before the first mark of a list, and each mark with what is behind it."""
    before, found = list[Node](), list[tuple[Node, list[Node]]]()
    for node in nodes:
        if marks(node):
            found.append((node, []))
        else:
            (found[-1][1] if found else before).append(node)
    return before, found


def is_item(node: Node) -> bool:
    return node.kind == "command" and node.text in known.ITEMS


def items_of(node: Node) -> list[Node]:
    r"""The `\item`s of an environment that is a list."""
    return [*filter(is_item, node.inside)]


def label_of(node: Node) -> str:
    """The words that are set apart by a node: in bold, say; "" where none are."""
    bold = node.kind == "command" and node.text in known.FONTS
    if node.kind == "group" and node.inside and node.inside[0].kind == "command":
        bold = node.inside[0].text in _SWITCHES
    return words_of(node.held).strip()[:80] if bold else ""
