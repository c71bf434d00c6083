"""A place among the tokens of one answer, and what marks mean there."""

from __future__ import annotations

from typing import NamedTuple

from .tokens import ParseError, Token


class Marks(NamedTuple):
    """What `|`, `:`, `&` and a double backslash mean here; every bracket starts afresh."""

    in_set: bool = False  # a bar or colon separates element and condition
    in_bars: bool = False  # a bar closes
    in_cells: bool = False  # & and \\ separate


PLAIN = Marks()
END = Token("end", "", False)


class Cursor:
    """A place among the tokens of one answer."""

    def __init__(self, answer_tokens: list[Token]) -> None:
        self.tokens = answer_tokens
        self.position = 0

    def peek(self, ahead: int = 0) -> Token:
        place = self.position + ahead
        return self.tokens[place] if place < len(self.tokens) else END

    def next(self) -> Token:
        token = self.peek()
        self.position += 1
        return token

    def accept(self, text: str) -> bool:
        """Pass the next token if it is this one."""
        accepted = self.peek().text == text
        self.position += accepted
        return accepted

    def expect(self, text: str) -> None:
        if self.next().text != text:
            raise ParseError(f"{text!r} is missing")

    def spells(self, *texts: str, ahead: int = 0) -> bool:
        """Do these tokens follow?"""
        return all(self.peek(k).text == text for k, text in enumerate(texts, ahead))
