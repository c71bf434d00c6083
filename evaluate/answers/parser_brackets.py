"""Groups, tuples, intervals, sets, absolute values, matrices and systems."""

from __future__ import annotations

from .parser_state import State
from .tokens import Refused, Unreadable
from .tree import Node

CELLS = 256
_SYSTEMS = ("cases", "aligned", "align", "align*", "gathered", "rcases")


class Brackets(State):
    """The rules for whatever has two ends."""

    def group(self) -> Node:
        """{...}, transparent; what bars and colons mean starts afresh inside."""
        self.expect("{")
        kept = self.in_set, self.in_bars, self.cells
        self.in_set = self.in_bars = self.cells = False
        node = self.plain_fraction()
        self.in_set, self.in_bars, self.cells = kept
        self.expect("}")
        return node

    def plain_fraction(self) -> Node:
        """What a group holds: an answer, or a \\over b, or a \\choose b."""
        node = self.answer()
        if self.peek().text in ("\\over", "\\choose"):
            over = self.next().text == "\\over"
            parts = (node, self.answer())
            return Node("div", parts) if over else Node("call", parts, "binom")
        return node

    def bars(self) -> Node:
        kept, self.in_bars = self.in_bars, True
        content = self.sum()
        self.in_bars = kept
        self.expect("|")
        return Node("call", (content,), "abs")

    def bracket(self) -> Node:
        """(a), a tuple, an interval, a set, or a set by its condition."""
        opening = self.next().text
        kept = self.in_set, self.in_bars, self.cells
        self.in_set, self.in_bars, self.cells = opening == "\\{", False, False
        content = Node("list") if self.peek().text == "\\}" else self.answer()
        if opening == "\\{" and self.peek().text in ("|", ":"):
            self.position += 1
            self.in_set = False
            content = Node("builder", (content, self.answer()))
        self.in_set, self.in_bars, self.cells = kept
        closing = self.next().text
        if opening == "\\{":
            if closing != "\\}":
                raise Unreadable("a set without end")
            if content.kind == "builder":
                return content
            return Node("set", content.args if content.kind == "list" else (content,))
        if closing not in (")", "]"):
            raise Unreadable("a bracket without end")
        if content.kind == "list":
            return Node("seq", content.args, opening + closing)
        if (opening, closing) in (("(", ")"), ("[", "]")):
            return content
        raise Unreadable("an interval with one end")

    def environment(self) -> Node:
        """A matrix, or a system of relations."""
        name = self.raw()
        if name == "array" and self.peek().text == "{":
            self.raw()
        kept = self.in_set, self.in_bars, self.cells
        self.in_set, self.in_bars, self.cells = False, False, True
        rows: list[list[Node]] = [[]]
        while self.peek().text != "end":
            if self.peek().text == "\\\\":
                self.position += 1
                rows.append([])
            elif self.peek().text == "&":
                self.position += 1
            elif self.peek().kind == "end" or sum(map(len, rows)) > CELLS:
                raise Unreadable("a matrix without end") if self.at_end() else Refused("cells")
            else:
                rows[-1].append(self.answer())
        self.expect("end")
        self.raw()
        self.in_set, self.in_bars, self.cells = kept
        rows = [row for row in rows if row]
        cells = tuple(cell for row in rows for cell in row)
        if name in _SYSTEMS:
            return Node("list", cells)
        if not rows or len({len(row) for row in rows}) != 1:
            raise Unreadable("a matrix with ragged rows")
        matrix = Node("matrix", cells, (len(rows), len(rows[0])))
        return Node("call", (matrix,), "det") if name == "vmatrix" else matrix
