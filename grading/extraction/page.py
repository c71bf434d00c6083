"""A reply as the scanner sees it: formulas are single signs, marks of lists are blank, and values.

Everything keeps its place, so that a place on the page is a place in the reply. All patterns go
over a text once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import Any

from ...latex import WIDE_ASCII, maths_spans
from ...words import plain, words
from ..answers import clean

SCANNED = 20_000  # characters at the end of a reply that are searched
FORMULA = "\ue000\ue001"  # stand for a formula's characters, in turn
SHORT = 80  # characters of a formula that may be a letter, or words
LONGEST = 2_000  # characters of a sentence, and of a value

_CODE = re.compile(
    r"\[(\w{2,10})\][^\[\]]{0,4000}(?:\[(?!/\1\])[^\[\]]*\]?[^\[\]]*){0,400}?\[/\1\]"
)
_LIST_MARK = re.compile(  # layout: 1. 1) (1) ① - * # > and a word with a number: Step 3:
    r"^(?:[ \t]*(?:[>#]+|[-*•–](?=[ \t])|[(（]?\d{1,3}[.)）、．](?=[ \t]*[^\s\d]|[ \t]+\S)"
    r"|[①-⑳](?![①-⑳、,，.。 \t]*$)"
    r"|(?:[A-Za-z]{3,}|第)[ \t]?\d{1,3}[ \t]*(?:[:：)]|\.(?=[ \t]+\S)|步[:：]?)"
    r"|[A-Za-z][.)、．](?=[ \t]*\S))[ \t]*){1,4}",
    re.MULTILINE,
)
_SENTENCE_END = re.compile(r"[.!?](?=[\s*_)\"”’]|$)(?![ \t]+[a-z])|[。！？；．\n]")
_TAG = re.compile(r"</?[A-Za-z][\w-]{1,30}>")
WORD = re.compile(r"[A-Za-z]{2}|[一-鿿]")
_NEXT_QUESTION = re.compile(
    rf"\n[*_#>\s]{{0,6}}{words('question')}\s*\d{{0,3}}\s*[:：]", re.IGNORECASE
)
_WIDE = {code: WIDE_ASCII[code] for code in (*range(0xFF21, 0xFF5B), 0xFF08, 0xFF09)}
_STYLE = r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|bf|rm|mbox|f?boxed|fbox)"
_WRAPPED = re.compile(_STYLE + r"\s?\{([^{}]*)\}")
_STARS = re.compile(r"(?<![\w}])\*|\*(?!\w)")
_MARKUP = re.compile(
    _STYLE
    + r"(?![A-Za-z])|\\(?:left|right)(?![A-Za-z])|</?(?:s|b|i|strong|em|p|br)\s*/?>"
    r"|[$`{}]|\\[()\[\],;! ]|<0x0A>"
)

_SIGNS = r"\-−+*/×÷·⋅=≈≃≅<>≤≥≠±∓^_∪∩∈∉⊂⊆∶→⇒⁄"
_MARKS = r"!°′″%‰√∛π∞∠△∅½⅓⅔¼¾⅛²³¹⁰⁴-⁹⁺⁻ⁿ₀-₉…"
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|(?<![\w.])\.\d+"
_NUMBER = rf"(?<![\d,.])\d+,\d\d(?![\d,])|{_NUMBER}"  # 6,50 €
_COMMAND = (
    r"\\(?:text|textbf|mathrm|mathbf|mbox|operatorname|rm)\s{0,2}\{[^{}\n]{0,60}\}"
)
_COMMAND += r"|\\[A-Za-z]+|\\[,;!%$:{}| ]"
_NAME = (
    r"(?<![A-Za-z'’])(?:sin|cos|tan|log|ln|sqrt|[b-zB-HJ-Z]|[aAI](?!\s[A-Za-z]))(?![A-Za-z'’])"
    r"|(?<=\d)[A-Za-z]{1,2}(?![A-Za-z])|[α-ωΑ-Ω]"
)
_TOKEN = (
    rf"\ue000+|\ue001+|[$¥€£]\s?(?=[\d.])|{_COMMAND}|{_NUMBER}|{_NAME}|[{_SIGNS}{_MARKS}]"
    r"|[()\[\]{}（）|]|(?<=\d):(?=\d)"
)
_RUN = re.compile(
    rf"(?!(?<=[A-Za-z]{{2}})\d)(?:{_TOKEN})(?:{_TOKEN}|[ \t]{{1,4}}(?=[{_SIGNS}{_MARKS})\]}}])"
    rf"|(?<=[{_SIGNS}(\[{{√])[ \t]{{1,4}}(?=\S)|(?<=\d)[ \t][x:][ \t](?=[\d(])"
    r"|(?<=[\d\ue000\ue001%])[ \t][A-Za-z]{1,12}[ \t](?=[-−+×*/÷=≈][ \t]))*+"  # 4 m + 1 m
)
_BETWEEN = re.compile(  # in brackets: a list, quoted or not
    r"[ \t]{0,3}[,，;；][ \t]{0,3}|['\"]|(?:[ \t]?[A-Za-z]{1,12})?['\"][,，][ \t]{0,3}['\"]"
    r"|[ \t]?[A-Za-z]{1,12}['\"]"
)
_VALUED = re.compile(
    r"[\d\ue000\ue001√π∞∅½⅓⅔¼¾⅛]|\\[A-Za-z]{3,}|\w\s*[=<>≤≥∈]|\[\]|\{\}|\(\)"
)
_LEADS = re.compile(
    r"=>|[ \t=≈:*/×·|!,)\]}→⇒^_]+|[-−+](?=[ \t])|(?:[+]|[<>≤≥])(?![ \t]?[\d\ue000\ue001])"
)
_TRAILS = frozenset(" \t=≈:*/×÷·|,([{<>^_+→⇒−$-\\")


class Page:
    """The text of a reply, `masked`: formulas and layout as signs; `sentences`: their places."""

    def __init__(self, text: str, says: re.Pattern[str] | None = None) -> None:
        """Of formulas that begin as `says` the letters stay, and marks of lists."""
        self.text = text
        text = _CODE.sub(lambda m: " " * len(m[0]), text) if "[/" in text else text
        text = _TAG.sub(lambda m: " " * len(m[0]), text) if "</" in text else text
        masked, position = [], 0
        spans = maths_spans(text)
        for k, span in enumerate(spans):
            proved = span.tex[1:].isalpha() and not clean(
                span.tex
            )  # an end sign, no value
            sign = (" " if proved else FORMULA[k % 2]) * (span.end - span.start)
            closes = span.tex[-1:] if span.tex[-1:] in (".", ",") else ""
            sign = sign[: len(sign) - len(closes)] + closes
            if says and len(sign) <= SHORT:
                own = unmarked(text[span.start : span.end])
                sign = own if says.match(own) else sign
            masked += [text[position : span.start], sign]
            position = span.end
        marked = "".join([*masked, text[position:]])
        plain = _LIST_MARK.sub(lambda m: " " * len(m[0]), marked)
        self.masked = unmarked(marked, braces=False) if says else plain
        ends = [match.span() for match in _SENTENCE_END.finditer(plain)]
        between = zip(
            [0, *(b for _, b in ends)], [*(a for a, _ in ends), len(text)], strict=True
        )
        self.sentences = [(a, b) for a, b in between if a < b] or [(0, len(text))]
        self.cut: dict[int, Any] = {}  # sentences, by their numbers
        self.starts = [start for start, _ in self.sentences]

    @cached_property
    def first_declared(self) -> int:
        """In front of this place nothing is declared."""
        lower = self.masked.lower()
        found = [lower.find(word) for word in _DECLARES]
        found += [m.start() for m in islice(_CORRECTS.finditer(lower), 1)]
        return min((place for place in found if place >= 0), default=len(lower))

    def used(self, value: str, place: int) -> bool:
        """Does the number that a value comes to stand further up, and come out nowhere?"""
        figures = _FIGURES.search(value.rpartition("=")[2])
        number = re.escape(figures[0].rstrip(",")) if figures else r"(?!)"
        said = rf"(=\s*[$\\({{{{*]*\s*)?(?<![\w.,]){number}(?:\.0+)?(?![\w]|[.,]\d)"
        places = [*re.finditer(said, self.text)]
        return (
            bool(places) and places[0].start() < place and not any(m[1] for m in places)
        )

    def sentence_at(self, place: int) -> int:
        """The number of the sentence around this place."""
        return max(bisect_right(self.starts, place) - 1, 0)

    def runs(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The stretches of figures, signs and formulas between two places: where values stand."""
        masked = self.masked
        opened: tuple[int, int] | None = None
        for match in _RUN.finditer(masked, start, end):
            a, b = match.span()
            if opened and _BETWEEN.fullmatch(masked, opened[1], a):
                a = opened[0]
            elif opened:
                yield from self._trimmed(*opened)
            opened = a, b
            if _depth(masked, a, b) <= 0:
                yield from self._trimmed(a, b)
                opened = None
        if opened:
            yield from self._trimmed(*opened)

    def _trimmed(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Without the signs before it that belong to the sentence; nothing where no value is."""
        while lead := _LEADS.match(self.masked, start, end):
            start = lead.end()
        while start < end and self.masked[end - 1] in _TRAILS:
            end -= 1
        depth = _depth(self.masked, start, end)
        start += depth > 0 and self.masked[start] in _OPEN
        end -= depth < 0 and self.masked[end - 1] in _CLOSE
        if _VALUED.search(self.masked, start, end):
            yield start, end


def unasked(text: str) -> str:
    """Of a text what stands in front of a further question, where something does."""
    asked = _NEXT_QUESTION.search(text)
    return text[: asked.start()] if asked and text[: asked.start()].strip() else text


def unmarked(text: str, braces: bool = True) -> str:
    """A text with blanks for its markup."""
    text = _STARS.sub(" ", text.translate(_WIDE))
    text = _WRAPPED.sub(lambda m: f"{' ' * (m.start(1) - m.start())}{m[1]} ", text)
    return _MARKUP.sub(
        lambda m: " " * len(m[0]) if braces or m[0] not in "{}" else m[0], text
    )


_DECLARES = plain("answer", "declares", "hash", "option", "choose")
_CORRECTS = re.compile(rf"(?:^|[.!?。！？\n])\W*{words('corrects')}")
_FIGURES = re.compile(r"\d[\d,]*(?:\.\d+)?")
_OPEN, _CLOSE = "([{（", ")]}）"
_BRACKETS = re.compile(r"[()\[\]{}（）]")


def _depth(text: str, start: int, end: int) -> int:
    """How many brackets stay open."""
    return sum(
        1 if sign in _OPEN else -1 for sign in _BRACKETS.findall(text, start, end)
    )
