"""Texts with values and spans in them: `[EC:$AC={p}$|alt]`, nested; `{q-d}` stands for its value.

In a formula a group is filled where it holds an expression of the seed's names, and keeps its
braces where LaTeX needs them: `\\frac{p}{q}`, `x^{n}`. Brackets inside `$...$` are no spans.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from ..problem import Role, Span
from ..render.figure import parse_named
from .exact import EXACT, Exact, latex, number

# What a text is cut at: escapes, dollars, spans' marks, brackets, groups.
_TOKEN = re.compile(r"\\.|\$|\[(DI|IP|EC):|\[|\]|\|\||\{([^{}]*)\}", re.DOTALL)
_LIKE_A_ROLE = re.compile(r"\[[A-Za-z]{1,3}:")
# {q:2}: an expression rounded to so many digits.
_ROUNDED = re.compile(r"(.*):([0-6])\s*", re.DOTALL)
# What a group behind it is the argument of: \frac, ^, _, or another group.
_ARGUMENT = re.compile(r"(\\[A-Za-z]+|[\^_}])\s*$")


class Slot(NamedTuple):
    """Where a value stands."""

    text: str
    value: Any  # names' values -> exact value
    word: str = ""  # a name whose values are words
    digits: int | None = None  # that the value is rounded to
    maths: bool = False
    braces: bool = False


# A value of a text: the roles of the spans that it stands in, its size, its expression.
ToldValue = tuple[frozenset[str], float, str]


class Filled(NamedTuple):
    """A text with its values, its spans, and the values by the roles of the spans they stand in."""

    text: str
    spans: list[Span]
    told: list[ToldValue]


class _OpenSpan(msgspec.Struct):
    """A span whose end is to come: its role, its start, where its alt starts."""

    role: Role
    start: int
    alt_at: int | None = None


class Template:
    """A text as the seed has it, cut into pieces once."""

    def __init__(
        self, text: str, names: list[str], words: frozenset[str] = frozenset()
    ) -> None:
        self.text = text
        self.names = names
        self.words = words
        # Texts, slots, and marks: ("[", role), ("|",), ("]",).
        self.pieces: list[Any] = []
        self._cut()

    def slots(self) -> list[Slot]:
        return [piece for piece in self.pieces if isinstance(piece, Slot)]

    def _cut(self) -> None:
        at, maths = 0, False
        open_marks: list[str] = []  # the roles of open spans, "" of a plain bracket
        for match in _TOKEN.finditer(self.text):
            self.pieces.append(self.text[at : match.start()])
            at = match.end()
            token = match[0]
            if token == "$":
                maths = not maths
                self.pieces.append(token)
            elif match[2] is not None:
                before = self.text[: match.start()]
                self.pieces.append(self._slot(match[2], maths, before))
            elif maths or token[0] == "\\" or (token in ("]", "||") and not open_marks):
                self.pieces.append(token)
            elif match[1]:
                open_marks.append(match[1])
                self.pieces.append(("[", match[1]))
            elif token == "[":
                open_marks.append("")
                self.pieces.append(token)
            elif token == "||":
                self.pieces.append(("|",) if open_marks[-1] else token)
            else:
                self.pieces.append(("]",) if open_marks.pop() else token)
        if any(open_marks):
            role = next(filter(None, open_marks))
            raise ValueError(
                f"the span [{role}: is not closed; an interval stands between $ signs"
            )
        self.pieces.append(self.text[at:])
        texts = [piece for piece in self.pieces if isinstance(piece, str)]
        if _LIKE_A_ROLE.search("".join(texts)):
            raise ValueError("a span's role is none of DI, IP and EC")

    def _slot(self, inside: str, maths: bool, before: str) -> Slot | str:
        rounded = _ROUNDED.fullmatch(inside)
        source = rounded[1] if rounded else inside
        digits = int(rounded[2]) if rounded else None
        argument = maths and bool(_ARGUMENT.search(before))
        if source.strip() in self.words:
            return Slot(inside, None, source.strip(), None, maths, argument)
        try:
            value = parse_named(source, self.names, EXACT)
        except ValueError as error:
            if not inside.strip():
                return f"{{{inside}}}"  # what the figure measures
            uses_names = any(
                re.search(rf"(?<![A-Za-z_\\]){name}(?![\w'])", inside)
                for name in self.names
            )
            if maths and not uses_names:
                return f"{{{inside}}}"
            raise ValueError(f"{{{inside}}}: {error}") from error
        if maths and not any(n in source for n in self.names):
            return f"{{{inside}}}"  # x^{2}
        return Slot(inside, value, "", digits, maths, argument)

    def fill(
        self, values: Mapping[str, Exact], decimals: bool = False, plain: bool = False
    ) -> Filled:
        """The text with values, with `plain` as decimals for a reader of texts.

        Raises ValueError where one cannot be worked out.
        """
        out = ""
        spans: list[Span] = []
        told: list[ToldValue] = []
        opened: list[_OpenSpan] = []
        arguments = [values[name] for name in self.names]
        for piece in self.pieces:
            if isinstance(piece, str):
                out += piece
            elif isinstance(piece, Slot):
                if piece.word:
                    out += str(values[piece.word])
                    continue
                value = piece.value(arguments)
                size = number(value)
                roles = frozenset(span.role for span in opened)
                told.append((roles, size, piece.text))
                text = f"{size:.10g}" if plain else _written(value, piece, decimals)
                out = _put(out, text, piece)
            elif piece[0] == "[":
                opened.append(_OpenSpan(piece[1], len(out)))
            elif piece[0] == "|":
                opened[-1].alt_at = len(out)
            else:
                span = opened.pop()
                alt = None
                if span.alt_at is not None:
                    out, alt = out[: span.alt_at], out[span.alt_at :]
                spans.append(
                    Span(start=span.start, end=len(out), role=span.role, alt=alt)
                )
        return Filled(out, sorted(spans, key=lambda s: (s.start, -s.end)), told)


def _written(value: Exact, slot: Slot, decimals: bool) -> str:
    if slot.digits is not None:
        return f"{number(value) + 0.0:.{slot.digits}f}"
    text = latex(value, decimals)
    return text if slot.maths or re.fullmatch(r"-?[\d.]+", text) else f"${text}$"


def _put(out: str, text: str, slot: Slot) -> str:
    """The value behind what stands before it: signs meet as people write them."""
    if slot.braces:
        return f"{out}{{{text}}}"
    before = out.rstrip()
    if slot.maths and text.startswith("-") and before:
        if before[-1] in "+-":
            sign = "-" if before[-1] == "+" else "+"
            return f"{before[:-1]}{sign}{out[len(before) :]}{text[1:]}"
        if before[-1] not in "=(,<>[{$&|":
            return f"{out}({text})"
    return out + text


def told_numbers(text: str) -> list[float]:
    """The numbers that stand in a text.

    >>> told_numbers("a 3 by 4.5 box")
    [3.0, 4.5]
    """
    numbers = re.findall(r"\d+(?:\.\d+)?", text)
    return [float(Fraction(number)) for number in numbers]
