"""The marks that a browser puts in front of the items of a list, as HTML and CSS define them."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from typing import Any

import msgspec

from ...words import HAN_ORDER, ROMAN
from .style import style_of

_TYPES = {
    "1": "decimal",
    "a": "lower-alpha",
    "A": "upper-alpha",
    "i": "lower-roman",
    "I": "upper-roman",
}
_BULLETS = ("disc", "circle", "square", "bulleted")
_WHOLE_NUMBER = re.compile(r"-?\d{1,9}")
_HAN = "〇" + HAN_ORDER[:9]
# an item that numbers itself: (a), a), A., 1., ⓐ, ①
_SELF_NUMBERED = re.compile(
    r"\s*(?:[①-⓿❶-➓]|[(\[（]?(?:[A-Za-z]|\d{1,3}|[ivxIVX]{2,4})[)\].、．）:])"
)


class Marks(msgspec.Struct):
    """The running numbers of one open list."""

    style: Callable[[int], str] | None  # None: no marks, or bullets
    bullet: str = ""
    next: int = 1
    step: int = 1

    def mark(self, value: str | None) -> str:
        """The mark of the next item, which may state its own `value`."""
        if self.style is None:
            return self.bullet
        if value and _WHOLE_NUMBER.fullmatch(value.strip()):
            self.next = int(value)
        number, self.next = self.next, self.next + self.step
        return f"{self.style(number)}. "


def marks_of(element: Any, numbered: bool) -> Marks:
    """The marks of a list: `type`, `start`, `reversed` and its style decide.

    >>> from lxml.html import fromstring
    >>> marks = marks_of(fromstring("<ol type=A start=3><li>x</li></ol>"), True)
    >>> marks.mark(None), marks.mark("9"), marks.mark(None)
    ('C. ', 'I. ', 'J. ')
    """
    items = [child for child in element if child.tag in ("li", "item")]
    name = _style_name(element, items[:1])
    if name == "none" or (items and all(map(_numbers_itself, items))):
        return Marks(None)
    has_numbers = numbered or name in STYLES
    if name in _BULLETS or not has_numbers:
        return Marks(None, "- ")
    if name and len(name) < 4 and name not in STYLES:
        return Marks(None, f"{name} ")  # CSS: a text of one's own
    is_reversed = element.get("reversed") is not None
    start = element.get("start", element.get("start-value", ""))
    first = len(items) if is_reversed else 1
    if _WHOLE_NUMBER.fullmatch(start):
        first = int(start)
    return Marks(STYLES.get(name, str), "", first, -1 if is_reversed else 1)


def _style_name(element: Any, first_item: list[Any]) -> str:
    """The name of the list's style: CSS of the list or of its first item, or its type."""
    for styled in (element, *first_item):
        if list_type := style_of(styled.get("style", "")).list_type:
            return list_type
    stated = element.get("type") or element.get("number-style") or ""
    return _TYPES.get(stated, stated.lower())


def _numbers_itself(item: Any) -> bool:
    """Whether an item's text begins with a mark, as where a page hides the list's own."""
    beginning = "".join(islice(item.itertext(), 4)).lstrip()[:12]
    return _SELF_NUMBERED.match(beginning) is not None


def _letters(number: int) -> str:
    """a ... z, aa, ab, ...; CSS falls back to figures below 1."""
    if number < 1:
        return str(number)
    word = ""
    while number:
        number, rest = divmod(number - 1, 26)
        word = chr(ord("a") + rest) + word
    return word


def _roman(number: int) -> str:
    return ROMAN[number - 1].lower() if 0 < number <= len(ROMAN) else str(number)


def _greek(number: int) -> str:
    letters = "αβγδεζηθικλμνξοπρστυφχψω"
    return letters[number - 1] if 0 < number <= len(letters) else str(number)


def _han(number: int) -> str:
    if not 0 < number < 100:
        return str(number)
    tens, ones = divmod(number, 10)
    how_many_tens = _HAN[tens] if tens > 1 else ""
    ten = "十" if tens else ""
    return how_many_tens + ten + (_HAN[ones] if ones else "")


# the counter styles of CSS that number in figures or letters; one not here numbers in figures,
# as CSS has it for a style that a browser does not know
STYLES: dict[str, Callable[[int], str]] = {
    "decimal": str,
    "arabic": str,
    "decimal-leading-zero": "{:02d}".format,
    "lower-alpha": _letters,
    "lower-latin": _letters,
    "lower-roman": _roman,
    "upper-alpha": lambda n: _letters(n).upper(),
    "upper-latin": lambda n: _letters(n).upper(),
    "upper-roman": lambda n: _roman(n).upper(),
    "lower-greek": _greek,
    "cjk-ideographic": _han,
    "simp-chinese-informal": _han,
    "trad-chinese-informal": _han,
    "cjk-decimal": lambda n: "".join(_HAN[int(d)] for d in str(abs(n))),
}
