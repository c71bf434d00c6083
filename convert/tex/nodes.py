r"""What the nodes of a LaTeX document are by their names and what they hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import chain, takewhile
from typing import Literal

import msgspec

from ... import words
from ...words import own_name
from . import vocabulary as known
from .roles import Role, of_definition, of_name

Kind = Literal[
    "text", "sign", "formula", "display", "command", "group", "environment", "broken"
]
Meaning = Role | Literal["outside", "table", "options", "list", "stated", "own"]
LETTERS = words.LETTERS.lower()
ROMAN = [numeral.lower() for numeral in words.ROMAN[:12]]
_CHOICE = re.compile(r"(?i)choi[cx]|correct|wrong|option|oneparcheck|\Acheckboxes\Z")
# Commands that open a problem though their names are listed, or hold more than a word for one.
_OPENING = ("titledquestion", "bonusquestion", "bonustitledquestion", "newproblem")
# How a right option is marked: by a command's name, its star or its brackets (closed: packages).
RIGHT = re.compile(
    r"(?i)(?<!in)correct|right|true|bonne|juste|richtig|riktig|r[aä]tt|vrai|dung\b|\*|\s!"
    r"|\bAns1\b"
)
_SWITCHES = frozenset("bf bfseries it itshape em sc scshape sl large Large".split())


class Node(msgspec.Struct):
    """`text` is the text, the formula, the name of a command or environment, or what broke.

    `option` and `given` are the brackets and groups of a command; `given` of an environment is what
    stands in both before its text.
    """

    kind: Kind
    text: str
    inside: list[Node] = []
    option: list[Node] | None = None
    given: list[list[Node]] = []

    @property
    def plain(self) -> str:
        """The name without its star."""
        return self.text.rstrip("*")

    @property
    def held(self) -> list[Node]:
        """What is inside, or what the groups of a command hold."""
        return [*chain(*self.given)] if self.kind == "command" else self.inside

    @property
    def items(self) -> list[Node]:
        r"""The `\item`s of an environment that is a list."""
        return [node for node in self.inside if node.is_item]

    def led_by(self, count: int) -> tuple[list[Node], list[Node]]:
        """So many groups that it begins with, blanks between them, and what is behind them."""
        rest = list(self.inside)
        given: list[Node] = []
        while rest and len(given) < count:
            if rest[0].kind == "group":
                given.append(rest.pop(0))
            elif rest[0].kind in ("text", "sign") and not rest[0].text.strip():
                rest.pop(0)
            else:
                break
        return given, rest

    @property
    def led(self) -> tuple[list[Node], list[Node]]:
        """The groups that it begins with, where text follows, and what is behind them."""
        given = [*takewhile(lambda n: n.kind == "group" and not n.text, self.inside)]
        behind = self.inside[len(given) :]
        return (given, behind) if behind else ([], given)

    @property
    def is_item(self) -> bool:
        return self.kind == "command" and self.text in known.ITEMS

    @property
    def is_choice(self) -> bool:
        """Does a command open one of several options?"""
        return self.is_item or (
            self.kind == "command" and bool(_CHOICE.search(self.text))
        )

    @property
    def marks(self) -> frozenset[str]:
        r"""The commands that options stand behind, where an environment holds nothing else.

        `\bonne{5} \mauvaise{6}`, `\answer[correct] 5 \answer 6`, `\Ans1 5\eAns \Ans0 6\eAns`: one
        or two names, each option with one. What only opens or closes stands once, or behind.
        """
        shown = [n for n in self.inside if n.kind != "text" or n.text.strip()]
        times = Counter(n.text for n in shown if n.kind == "command")
        closing = {f"e{name}" for name in times}
        frames = {
            name for name in times if name[1:] in {x[1:] for x in times if x != name}
        }
        names = frozenset({*times} - closing - frames)
        first = next((n for n in shown if n.text not in frames), None)
        begins = first is not None and first.kind == "command" and first.text in names
        counts = sum(times[name] for name in names) > 1 >= len(names) - 1
        listed = any(known.is_listed(name) and name != "answer" for name in names)
        return names if begins and counts and not listed else frozenset()

    @property
    def is_options(self) -> bool:
        r"""`\choice{a}{\True b}{c}`: a command of several groups, called so, or of four."""
        groups = len(self.given) * (self.kind == "command")
        listed = known.is_listed(self.text) or self.opens
        return groups > 1 and bool(
            _CHOICE.search(self.text) or (groups > 3 and not listed)
        )

    @property
    def level(self) -> int:
        """How deep the heading is that a command sets, or -1."""
        heading = self.kind == "command" and self.plain in known.HEADINGS
        return known.HEADINGS.index(self.plain) if heading else -1

    @property
    def opens(self) -> bool:
        """Does a command open a problem, by what it is called?"""
        plain = self.plain
        if self.kind != "command" or plain.startswith(("the", "end")):
            return False
        if known.is_listed(plain) and "titled" not in plain:
            return False
        return plain in _OPENING or of_name(plain) == "problem"

    @property
    def label(self) -> str:
        """The words that are set apart: in bold, say; "" where none are."""
        bold = self.kind == "command" and self.text in known.FONTS
        if self.kind == "group" and self.inside and self.inside[0].kind == "command":
            bold = self.inside[0].text in _SWITCHES
        return words_of(self.held).strip()[:80] if bold else ""


class Roles(msgspec.Struct):
    """The roles of environments, by their names, else by their definitions in the document."""

    titles: dict[str, str]
    counts: dict[str, int] = {}  # of the arguments of the document's own

    def of(self, name: str) -> Role | None:
        if own_name(name) is not None:
            return of_name(name)
        if name in known.TABLES or name == "tasks" or name.rstrip("*") in known.STATED:
            return None
        return of_name(name) or of_definition(self.titles.get(name, ""))

    def means(self, node: Node) -> Meaning:
        """What an environment is."""
        role = self.of(node.text)
        own = own_name(node.text)
        if role == "answer" and self.of_options(node):
            return "options"
        if node.text in known.OUTSIDE or (own and own.role == "outside"):
            return "outside"
        if node.text in known.TABLES:
            return "table"
        if role not in (None, "problem"):
            return role
        if self.of_options(node) or node.items:
            return "options" if self.of_options(node) else "list"
        return role or ("stated" if node.plain in known.STATED else "own")

    def of_options(self, node: Node) -> bool:
        """Is this a list of a problem's options?"""
        own = own_name(node.text)
        if own is not None:
            return own.role == "option" and len(node.items) > 1
        if any(mark.text.endswith("*") for mark in node.items) and len(node.items) > 1:
            return True
        if any(map(says_right, node.inside)) and node.marks:
            return True
        capital = re.search(r"\\Alph|(?<![A-Za-z\\])A(?![A-Za-z])", self.style(node))
        return node.kind == "environment" and bool(
            _CHOICE.search(node.text) or (capital and node.items)
        )

    def style(self, node: Node) -> str:
        """How a list is told to count its items."""
        return flat([*chain(*node.given)]) + self.titles.get(node.text, "")

    def count(self, node: Node, count: int, lists: bool) -> str:
        """How a list counts an item; `lists`: those that say nothing hold parts of problems."""
        style = self.style(node)
        if re.search(r"\\roman|(?<!\w)i(?!\w)", style) and count <= len(ROMAN):
            return f"({ROMAN[count - 1]})"
        plain = not style and (lists or node.text == "tasks")
        letters = re.search(r"\\alph|(?<!\w)a(?!\w)", style) or plain
        return f"({LETTERS[count - 1]})" if letters and count <= 26 else f"({count})"


def says_right(node: Node) -> bool:
    """Whether a command says of an option that it is right, by its name or in its brackets."""
    if node.kind != "command":
        return False
    return RIGHT.search(f"{node.text} {flat(node.option or [])}") is not None


def at_line_start(nodes: list[Node], k: int) -> bool:
    """Whether nothing that is seen stands before a node in its line."""
    for node in reversed(nodes[:k]):
        if node.kind == "command" and node.text in known.BREAKS:
            return True
        if node.kind in ("text", "sign") and re.search(r"\n[ \t]*\Z", node.text):
            return True
        silent = node.kind == "command" and node.text in known.SILENT
        if node.kind not in ("text", "sign") and not silent:
            return node.kind in ("environment", "display")
        if not silent and node.text.strip(" \t"):
            return False
    return True


def entries(
    nodes: list[Node], marks: Callable[[Node], bool]
) -> tuple[list[Node], list[tuple[Node, list[Node]]]]:
    """What stands before the first mark of a list, and each mark with what is behind it."""
    before = list[Node]()
    bodies = list[tuple[Node, list[Node]]]()
    for node in nodes:
        if marks(node):
            bodies.append((node, []))
        elif bodies:
            bodies[-1][1].append(node)
        else:
            before.append(node)
    return before, bodies


def flat(nodes: list[Node]) -> str:
    """The source of nodes, near enough to read options and numbers from."""
    out = list[str]()
    for node in nodes:
        if node.kind == "command":
            option = "" if node.option is None else f"[{flat(node.option)}]"
            groups = "".join(f"{{{flat(group)}}}" for group in node.given)
            out.append(f"\\{node.text}{option}{groups}")
            continue
        if (
            out
            and out[-1].startswith("\\")
            and out[-1][-1:].isalpha()
            and node.text[:1].isalpha()
        ):
            out.append(" ")
        inside = flat([*chain(*node.given), *node.inside])
        out.append(f"{{{inside}}}" if node.kind == "group" else node.text + inside)
    return "".join(out)


def words_of(nodes: list[Node]) -> str:
    """The words and formulas of nodes, whatever commands make of them."""
    return "".join(map(_words_of, nodes))


def _words_of(node: Node) -> str:
    if node.kind in ("text", "formula", "display"):
        return node.text
    if node.kind == "sign":
        return node.text.replace("\n", "\n\n")
    groups = (node.option, *node.given, node.inside)
    return "".join(f"{words_of(group)} " for group in groups if group)
