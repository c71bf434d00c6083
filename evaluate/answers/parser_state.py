"""The reader's place in the tokens, and the rules that its parts call in each other."""

from __future__ import annotations

from .tokens import Refused, Token, Unreadable
from .tree import Node

NODES = 3000
CLOSERS = frozenset(["end", "rfloor", "rceil", "\\over", "\\choose"])
_END = Token("end", "", False)


class State:
    """A cursor over tokens."""

    def __init__(self, cut: list[Token], thousands: bool) -> None:
        if len(cut) > NODES:
            raise Refused("too many parts")
        self.tokens = cut
        self.thousands = thousands
        self.position = 0
        self.depth = 0
        self.in_set = False  # a bar or colon separates element and condition
        self.in_bars = False  # a bar closes
        self.cells = False  # & and \\ separate
        self.series_read = 0

    def peek(self, ahead: int = 0) -> Token:
        k = self.position + ahead
        return self.tokens[k] if k < len(self.tokens) else _END

    def next(self) -> Token:
        token = self.peek()
        self.position += 1
        return token

    def expect(self, text: str) -> None:
        if self.next().text != text:
            raise Unreadable(f"{text!r} is missing")

    def at_end(self, ahead: int = 0) -> bool:
        """At the end of the text, or at a mark that closes the present group."""
        token = self.peek(ahead)
        if token.kind == "end":
            return True
        if token.text in (")", "]", "}", "\\}") or token.text in CLOSERS:
            return True
        return self.cells and token.text in ("&", "\\\\")

    def raw(self) -> str:
        """The characters of an index."""
        if self.at_end():
            raise Unreadable("an index is missing")
        if self.peek().text != "{":
            return self.next().text
        depth, parts = 0, list[str]()
        while True:
            token = self.next()
            depth += {"{": 1, "}": -1}.get(token.text, 0)
            if token.kind == "end":
                raise Unreadable("an index without end")
            if depth == 0:
                return "".join(parts[1:])
            parts.append(token.text)

    def answer(self) -> Node:
        raise NotImplementedError

    def sum(self) -> Node:
        raise NotImplementedError

    def term(self) -> Node:
        raise NotImplementedError

    def factor(self) -> Node:
        raise NotImplementedError

    def script(self) -> Node:
        raise NotImplementedError

    def argument(self) -> Node:
        raise NotImplementedError
