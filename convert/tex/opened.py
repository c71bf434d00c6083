"""What of a document is open: the problem, its role, and where text goes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from .items import (
    Open,
    TexExam,
    TexItem,
    tidy,
)
from .nodes import Node, Roles, flat, words_of
from .outline import Outline, outlined
from .roles import Role
from .tree import maths

INSTRUCTION = 400  # characters: more is a chapter's prose
Place = Role | Literal["own"]
# Closed: what prose sets before names and between them, though TeX has it in formulas alone
SIGNS_OF_PROSE = frozenset(
    "angle measuredangle triangle odot parallel perp therefore because".split()
)


def _matrix(nodes: list[Node]) -> str:
    """Cells between `&`, in rows that end in `\\\\`, as a matrix."""
    rows: list[list[Node]] = [[]]
    for node in nodes:
        if node.kind == "sign" and node.text == "\n":
            rows.append([])
        else:
            rows[-1].append(node)
    lines = [line for line in (maths(flat(row)).strip() for row in rows) if line]
    return r"\begin{pmatrix}" + r" \\ ".join(lines) + r"\end{pmatrix}"


class Opened:
    """`now` is the problem that is open, `out` where its text goes."""

    def __init__(self, nodes: list[Node], roles: Roles, whole: bool = False) -> None:
        self.exam, self.key = TexExam(), list[TexItem]()
        self.roles = roles
        self.opens = Outline(whole=True) if whole else outlined(nodes, roles)
        self.now: Open | None = None
        self.last: Open | None = None  # an item that was just closed
        self.role: Place = "problem"
        self.out: list[str] = []
        self.section = self.instruction = ""
        self.number = 0  # of the last problem that counts in plain text
        self.key_level = 0  # of the heading of a key
        self.by_number: dict[int, Open] = {}  # problems by what their heads count
        self.in_key = False  # behind a heading like "Solutions"
        self.depth = self.cells = 0  # of lists in the problem; of tables
        self.told = 0  # inside what is stated or proved, and asks nothing
        self.stated = (
            False  # whether the prose since the last problem holds such things
        )
        self.instructions: list[str] = []
        self.spent: list[
            str
        ] = []  # what is read and not written: labels, settings, headings
        self.counts = [0, 0, 0, 0]
        self.labels, self.refers = set[str](), set[str]()
        if self.opens.whole:
            self.begin()

    @property
    def item(self) -> TexItem | None:
        return self.now.item if self.now else None

    @property
    def asks(self) -> bool:
        """Whether a question goes on here."""
        return self.now is not None and self.role == "problem" and self.now.asked

    def begin(self, opener: str = "") -> TexItem:
        after = opener == "environment" and self.last is not None
        self.close(
            opening=not after
        )  # behind a problem that closed, prose is a remark on it
        item = TexItem(section=self.section, instruction=self.instruction)
        self.now, self.last = Open(item, opener), None
        self.out = self.now.place("problem")
        self.depth, self.counts = 0, [0, 0, 0, 0]
        return item

    def close(self, opening: bool = False) -> None:
        """The open problem ends; prose outside of one may instruct those that open next."""
        if self.now is None:
            self.outside(tidy("".join(self.out)), opening)
        else:
            item = self.now.item
            self.spent += self.now.filled()
            named = {name.strip() for name in self.refers} - self.labels
            item.outside += sorted(named - set(item.outside))
            again = any(item is one for one in self.exam.items)
            if self.in_key and not again:
                self.key.append(item)
            elif not again:
                self.exam.items.append(item)
            self.last, self.now = self.now, None
        self.role, self.out = "problem", []
        self.labels, self.refers = set(), set()

    def outside(self, text: str, opening: bool) -> None:
        before, _, last = text.rpartition("\n\n")
        told = not opening or self.in_key or self.stated or len(last) > INSTRUCTION
        if not told and re.search(r"[^\W\d_]", last):
            self.instruction, text = last, before
            self.instructions.append(last)
        self.stated = False
        self.exam.outside += [text] * bool(text)

    def turn(self, role: Place, name: str = "", label: str = "") -> None:
        """What follows is of this role: of the open problem, or of the one that just closed."""
        if role == "problem":
            self.begin()
            return
        if self.now is None and self.last is not None and not tidy("".join(self.out)):
            self.now = self.last
        if role == "points":
            self.points_of(name)
        elif self.now is None:
            self.out.append("\n\n")
        else:
            self.role, self.out = role, self.now.place(role, name, label)

    def points_of(self, text: str) -> None:
        number = re.search(r"\d+(?:\.\d+)?", text)
        if self.item is not None and number and not self.item.parts:
            self.item.points = self.item.points or number[0]

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is written inside leaves the text around it where it was."""
        role = self.role
        out = self.out
        now = self.now
        yield
        if self.now is now:
            self.role, self.out = role, out

    def aside(self, nodes: list[Node]) -> str:
        """The text of nodes that does not stand in the text around them."""
        out, self.out = self.out, []
        self.write(nodes)
        text, self.out = tidy("".join(self.out)), out
        return text

    def answer(self, nodes: list[Node]) -> str:
        """The text of an answer; one that prose cannot read stands in a formula in its macro."""
        if any(node.kind == "text" and node.text == "&" for node in nodes):
            return f"${_matrix(nodes)}$"
        item = self.item or TexItem()
        before = (*item.unread,), (*item.lost,)
        text = self.aside(nodes)
        has_signs = any(node.text in SIGNS_OF_PROSE for node in nodes)
        read = before == ((*item.unread,), (*item.lost,)) and not has_signs
        if read or any(node.kind in ("formula", "display") for node in nodes):
            return text
        item.unread, item.lost = map(list, before)
        return f"${maths(flat(nodes))}$"

    def unread(self, what: str) -> None:
        item = self.item
        names = (
            self.exam.issues
            if item is None
            else item.own[-1].unread
            if self.role == "own"
            else item.unread
            if self.role == "problem"
            else item.lost
        )
        if item is None or what not in names:
            names.append(what)

    def spend(self, nodes: list[Node] | None) -> None:
        """What is read, and not written."""
        self.spent.append(words_of(nodes or []))

    def write(self, nodes: list[Node]) -> None:
        """The text of nodes, to where text goes now."""
        raise NotImplementedError
