"""A reply as the scanner sees it: formulas are single signs, marks of lists are blank, and values.

Everything keeps its place, so that a place on the page is a place in the reply. All patterns go
over a text once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from ...latex import maths_spans
from ...words import words

FORMULA = "\ue000\ue001"  # stand for a formula's characters, in turn
LONGEST = 2_000  # characters of a sentence, and of a value

_CODE = re.compile(
    r"\[(\w{2,10})\][^\[\]]{0,4000}(?:\[(?!/\1\])[^\[\]]*\]?[^\[\]]*){0,400}?\[/\1\]"
)
_BOLD = re.compile(r"\*\*(?!\d)|(?<!\d)\*\*|__(?=\w)|(?<=\w)__|`")
_LIST_MARK = re.compile(  # layout: 1. 1) (1) ① - * # > and a word with a number: Step 3:
    r"^(?:[ \t]*(?:[>#]+|[-*•–](?=[ \t])|\(?\d{1,3}[.)、．](?=[ \t]*[^\s\d])"
    r"|\d{1,3}[.)](?=[ \t]+\S)"
    r"|[(（]\d{1,2}[)）](?=[ \t]*\S)|[①-⑳](?![①-⑳、,，.。 \t]*$)"
    r"|(?:[A-Za-z]{3,}|第)[ \t]?\d{1,3}[ \t]*(?:[:：)]|\.(?=[ \t]+\S)|步[:：]?)"
    r"|[A-Za-z][.)、．](?=[ \t]*\S))[ \t]*){1,4}",
    re.MULTILINE,
)
_SENTENCE_END = re.compile(r"[.!?](?=[\s*_)\"”’]|$)(?![ \t]+[a-z])|[。！？；．\n]")

_NEXT_QUESTION = re.compile(
    rf"\n[*_#>\s]{{0,6}}{words('question')}\s*\d{{0,3}}\s*[:：]", re.IGNORECASE
)

_SIGNS = r"\-−+*/×÷·⋅=≈≃≅<>≤≥≠±∓^_∪∩∈∉⊂⊆∶→⇒"
_MARKS = r"!°′″%‰√∛π∞∠△∅½⅓⅔¼¾⅛²³¹⁰⁴-⁹⁺⁻ⁿ₀-₉…"
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|(?<![\w.])\.\d+"
_COMMAND = r"\\(?:text|textbf|mathrm|mathbf|mbox|operatorname|rm)\s{0,2}\{[^{}\n]{0,60}\}"
_COMMAND += r"|\\[A-Za-z]+|\\[,;!%$:{}| ]"
_NAME = (
    r"(?<![A-Za-z'’])(?:(?:(?:arc)?(?:sin|cos|tan)|cot|sec|csc|log|ln|exp|lim|max|min|sqrt|gcd|lcm)"
    r"|[b-zB-HJ-Z]|[aAI](?!\s[A-Za-z]))(?![A-Za-z'’])|(?<=\d)[A-Za-z]{1,2}(?![A-Za-z])|[α-ωΑ-Ω]"
)
_TOKEN = (
    rf"\ue000+|\ue001+|[$¥€£]\s?(?=[\d.])|{_COMMAND}|{_NUMBER}|{_NAME}|[{_SIGNS}{_MARKS}]"
    r"|[()\[\]{}（）|]|(?<=\d):(?=\d)"
)
_RUN = re.compile(
    rf"(?!(?<=[A-Za-z]{{2}})\d)(?:{_TOKEN})(?:{_TOKEN}|[ \t]{{1,4}}(?=[{_SIGNS}{_MARKS})\]}}])"
    rf"|(?<=[{_SIGNS}(\[{{√])[ \t]{{1,4}}(?=\S)|(?<=\d)[ \t][x:][ \t](?=[\d(])"
    r"|(?<=[\d\ue000\ue001%])[ \t][A-Za-z]{1,12}[ \t](?=[-−+×*/÷=≈][ \t])"  # 4 m + 1 m
    rf"|(?<=[\d)}}])[ \t](?=\\(?:sqrt|pi|d?frac)\b|√))*+"
)
_BETWEEN = re.compile(  # in brackets: a list, quoted or not
    r"[ \t]{0,3}[,，;；][ \t]{0,3}|['\"]|(?:[ \t]?[A-Za-z]{1,12})?['\"][,，][ \t]{0,3}['\"]"
    r"|[ \t]?[A-Za-z]{1,12}['\"]"
)
_EMPTY = re.compile(r"[^\d\ue000\ue001√π∞∅½⅓⅔¼¾⅛]*")
_VARIABLES = re.compile(r"[A-Za-zα-ω]\w?[ \t]*[-−+*/×·=<>≤≥∈^]+[ \t]*[A-Za-zα-ω(]|\\[A-Za-z]{3,}")
_LEADS = re.compile(
    r"[ \t=≈:*/×·|!,)\]}→⇒^_]+|[-−+](?=[ \t])|(?:[+]|[<>≤≥])(?![ \t]?[\d\ue000\ue001])"
)
_TRAILS = re.compile(r"(?:[ \t=≈:*/×÷·|,([{<>^_+→⇒−$-]|\\[,;: !]|\\$)+$")


class Page:
    """The text of a reply, `masked`: formulas and layout as signs; `sentences`: their places."""

    def __init__(self, text: str) -> None:
        self.text = text
        text = _CODE.sub(lambda m: " " * len(m[0]), text) if "[/" in text else text
        self.spans = maths_spans(text)
        masked, position = [], 0
        for k, span in enumerate(self.spans):
            sign = FORMULA[k % 2] * (span.end - span.start)
            closes = span.tex[-1:] if span.tex[-1:] in (".", ",") else ""
            masked += [text[position : span.start], sign[: len(sign) - len(closes)] + closes]
            position = span.end
        self.ends = {span.end for span in self.spans}
        plain = "".join([*masked, text[position:]])
        if "**" in plain or "`" in plain or "__" in plain:
            plain = _BOLD.sub(lambda m: " " * len(m[0]), plain)
        self.masked = _LIST_MARK.sub(lambda m: " " * len(m[0]), plain)
        self.sentences: list[tuple[int, int]] = []
        position = 0
        for end in _SENTENCE_END.finditer(self.masked):
            if end.start() > position:
                self.sentences.append((position, end.start()))
            position = end.end()
        if position < len(text):
            self.sentences.append((position, len(text)))
        self.starts = [start for start, _ in self.sentences]
        asked = _NEXT_QUESTION.search(self.masked)
        self.asked = asked.start() if asked and text[: asked.start()].strip() else len(text)

    @cached_property
    def numbers(self) -> Numbers:
        return Numbers(self.text)

    def sentence_at(self, place: int) -> int:
        """The number of the sentence around this place."""
        return max(bisect_right(self.starts, place) - 1, 0)

    def runs(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The stretches of figures, signs and formulas between two places: where values stand."""
        masked = self.masked
        end = min(end, start + LONGEST)
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
        masked = self.masked
        while lead := _LEADS.match(masked, start, end):
            start = lead.end()
        while start < end:
            if trail := _TRAILS.search(masked, max(start, end - 20), end):
                end = trail.start()
                continue
            depth = _depth(masked, start, end)
            if depth < 0 and masked[end - 1] in ")]}）":
                end -= 1
            elif depth > 0 and masked[start] in "([{（":
                start += 1
            elif depth > 0:
                end = max(masked.rfind(sign, start, end) for sign in "([{（")
            else:
                break
        if (
            end > start
            and (
                _EMPTY.match(masked, start, end).end() < end  # type: ignore[union-attr]
                or _VARIABLES.search(masked, start, end)
                or masked[start:end] in ("[]", "{}", "()")
            )
        ):
            yield start, end + (end + 1 in self.ends)


_SAID = re.compile(r"(?P<out>=\s*[$\\({*]*\s*)?(?<![\w.])(?P<number>\d[\d,]*(?:\.\d+)?)")


class Numbers:
    """Where a reply computes each number, and where it only uses it."""

    def __init__(self, text: str) -> None:
        self.computed: dict[str, int] = {}
        self.used: dict[str, int] = {}
        for match in _SAID.finditer(text):
            known = self.computed if match["out"] else self.used
            known.setdefault(_figures(match["number"]), match.start("number"))

    def said_before(self, value: str, place: int) -> set[str]:
        """Did a number come out before this place, or was it only used?"""
        last = value.rsplit("=", 1)
        number = _LAST.search(last[-1])
        if number is None:
            return set()
        if len(last) > 1 and re.search(r"\d", last[0]):
            return {"computed here"}
        figures = _figures(number[0])
        if self.computed.get(figures, place) < place:
            return {"computed before"}
        return {"used before"} if self.used.get(figures, place) < place else set()


_LAST = re.compile(r"\d[\d,]*(?:\.\d+)?")


def _figures(number: str) -> str:
    number = number.rstrip(",").replace(",", "")
    return number.rstrip("0").rstrip(".") if "." in number else number


def _depth(text: str, start: int, end: int) -> int:
    """How many brackets stay open."""
    piece = text[start:end]
    opened = piece.count("(") + piece.count("[") + piece.count("{") + piece.count("（")
    closed = piece.count(")") + piece.count("]") + piece.count("}") + piece.count("）")
    return opened - closed
