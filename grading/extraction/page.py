"""A reply as the scanner sees it: formulas are single signs, marks of lists are blank, and values.

Everything keeps its place, so that a place on the page is a place in the reply. All patterns go
over a text once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from ...latex import WIDE_ASCII, maths_spans
from ...words import plain, words
from ..answers import clean

SCANNED = 20_000  # characters at the end of a reply that are searched
FORMULA = "\ue000\ue001"  # stand for a formula's characters, in turn
SHORT = 80  # characters of a formula that may be a letter, or words
LONGEST = 2_000  # characters of a sentence, and of a value

# Text between tags in square brackets: [asy] ... [/asy].
_CODE = re.compile(
    r"\[(\w{2,10})\][^\[\]]{0,4000}(?:\[(?!/\1\])[^\[\]]*\]?[^\[\]]*){0,400}?\[/\1\]"
)
# Layout that opens a line, up to four marks in a row.
_LIST_MARK = re.compile(
    r"""
    ^ (?: [ \t]*
      (?:
          (?!\#{4}[ \t][^\n]{1,80}+\s*+\Z)[>\#]+                     # > #, but a last line #### 5
        | [-*•–] (?=[ \t])                                          # - *
        | [(（]? \d{1,3} [.)）、．] (?=[ \t]*[^\s\d]|[ \t]+\S)      # 1. 1) (1)
        | [①-⑳] (?![①-⑳、,，.。 \t]*$)                              # ①, but no answer ①③
        | (?:[A-Za-z]{3,}|第) [ \t]? \d{1,3} [ \t]*                 # Step 3: 第3步
          (?: [:：)] | \.(?=[ \t]+\S) | 步[:：]? )
        | [A-Za-z] [.)、．] (?=[ \t]*\S)                            # A. a)
      )
      [ \t]*
    ){1,4}
    """,
    re.MULTILINE | re.VERBOSE,
)
# A line's end, a stop of Chinese, and one of ours unless a small letter goes on: "approx. 5".
_SENTENCE_END = re.compile(r"[.!?](?=[\s*_)\"”’]|$)(?![ \t]+[a-z])|[。！？；．\n]")
_TAG = re.compile(r"</?[A-Za-z][\w-]{1,30}>")
WORD = re.compile(r"[A-Za-z]{2}|[一-鿿]")
_NEXT_QUESTION = re.compile(
    rf"\n[*_#>\s]{{0,6}}(?:Q|{words('question')})\s*\d{{0,3}}\s*[:：]", re.IGNORECASE
)
# An answer that is declared; a line that asks, in which nobody speaks of himself or of an answer.
_DECLARATION = re.compile(
    rf"\#{{4}}[ \t]*\S|\\boxed\s?\{{|</answer>"
    rf"|{words('answer')}[ \t*_]{{0,4}}(?:{words('is')}|[:：])",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\n[^\n?？]{30,2000}[?？][\s*_]*(?=\n|\Z)")
_SPEAKER = re.compile(
    r"(?i:\b(?:I|me|my|we|us|our|let|let's|you|your)\b)|我|你"
    rf"|{words('corrects', 'correct', 'answer')}"
)
# A computation that a calculator has checked: <<3+4=7>>7.
_CALCULATED = re.compile(r"<<[^<>\n=]{1,80}=[^<>\n]{1,40}>>")
# Wide letters and round brackets as those of ASCII.
_WIDE = {code: WIDE_ASCII[code] for code in (*range(0xFF21, 0xFF5B), 0xFF08, 0xFF09)}
_STYLE = r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|bf|rm|mbox|f?boxed|fbox)"
_WRAPPED = re.compile(_STYLE + r"\s?\{([^{}]*)\}")
# Emphasis; between two values the same signs are a power or a product.
_STARS = re.compile(r"(?<!\*)(?:(?<![\w)}\]])\*++|\*++(?![\w({\[\\]))")
_BOLD = re.compile(r"(?<!\*)(?:(?<![\w)}\]])\*\*|\*\*(?![\w({\[\\*]))")
_MARKS_OF_STYLE = (
    _STYLE
    + r"(?![A-Za-z])|\\(?:left|right)(?![A-Za-z])|</?(?:s|b|i|strong|em|p|br)\s*/?>"
    r"|[$`]|\\[()\[\],;! ]|<0x0A>"
)
_MARKUP_BUT_BRACES = re.compile(_MARKS_OF_STYLE)
_MARKUP = re.compile(rf"{_MARKS_OF_STYLE}|[{{}}]")
_SIGNS = r"\-−+*/×÷·⋅=≈≃≅<>≤≥≠±∓^_∪∩∈∉⊂⊆∶→⇒⁄"
_MARKS = r"!°′″%‰√∛π∞∠△∅½⅓⅔¼¾⅛²³¹⁰⁴-⁹⁺⁻ⁿ₀-₉…"
_PRICE = r"(?<![\d,.])\d+,\d\d(?![\d,])"  # 6,50 €
_NUMBER = rf"{_PRICE}|(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+)(?:\.\d+)?|(?<![\w.])\.\d+"
_COMMAND = (
    r"\\(?:text|textbf|mathrm|mathbf|mbox|operatorname|rm)\s{0,2}\{[^{}\n]{0,60}\}"
    r"|\\[A-Za-z]+|\\[,;!%$:{}| ]"
)
# Functions, and letters that are no words: not the article a, nor the I of a writer.
_NAME = (
    r"(?<![A-Za-z'’])(?:sin|cos|tan|log|ln|sqrt|[b-zB-HJ-Z]|[aAI](?!\s[A-Za-z]))(?![A-Za-z'’])"
    r"|(?<=\d)[A-Za-z]{1,2}(?![A-Za-z])|[α-ωΑ-Ω]"
)
_TOKEN = (
    rf"\ue000+|\ue001+|[$¥€£]\s?(?=[\d.])|{_COMMAND}|{_NUMBER}|{_NAME}|[{_SIGNS}{_MARKS}]"
    r"|[()\[\]{}（）|]|(?<=\d):(?=\d)"
)
# White space within a value: before a sign, behind one, around x and :, and around a unit before
# a sign (4 m + 1 m).
_SPACE = (
    rf"[ \t]{{1,4}}(?=[{_SIGNS}{_MARKS})\]}}])|(?<=[{_SIGNS}(\[{{√])[ \t]{{1,4}}(?=\S)"
    r"|(?<=\d)[ \t][x:][ \t](?=[\d(])"
    r"|(?<=[\d\ue000\ue001%])[ \t][A-Za-z]{1,12}[ \t](?=[-−+×*/÷=≈][ \t])"
)
# Figures, signs and formulas; not the figures of a name (AB12).
_RUN = re.compile(
    rf"(?!(?<=[A-Za-z]{{2}})(?<!\b[A-Z]{{3}})\d|(?<=\d,)\d{{3}})(?:{_TOKEN})(?:{_TOKEN}|{_SPACE})*+"
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
_DECLARES = plain("answer", "declares", "hash", "option", "choose")
_CORRECTS = re.compile(rf"(?:^|[.!?。！？\n])[^\w.!?。！？\n]*{words('corrects')}")
_FIGURES = re.compile(r"\d[\d,]*(?:\.\d+)?")
_OPEN = "([{（"
_CLOSE = ")]}）"
_BRACKETS = re.compile(r"[()\[\]{}（）]")


class Page:
    """The text of a reply, `masked`: formulas and layout as signs; `sentences`: their places."""

    def __init__(self, text: str, says: re.Pattern[str] | None = None) -> None:
        """Of formulas that begin as `says` the letters stay, and marks of lists."""
        self.text = text
        if "[/" in text:
            text = _CODE.sub(_blank, text)
        if "<<" in text:
            text = _CALCULATED.sub(_blank, text)
        if "</" in text:
            text = _TAG.sub(_blank, text)
        marked = _masked(text, says)
        unlisted = _LIST_MARK.sub(_blank, marked)
        self.masked = unmarked(marked, braces=False) if says else unlisted
        self.sentences = _sentences(unlisted)
        self.cut: dict[int, Any] = {}  # sentences, by their numbers
        self.starts = [start for start, _ in self.sentences]

    @cached_property
    def first_declared(self) -> int:
        """In front of this place nothing is declared."""
        lower = self.masked.lower()
        places = [place for word in _DECLARES if (place := lower.find(word)) >= 0]
        if correction := _CORRECTS.search(lower):
            places.append(correction.start())
        return min(places, default=len(lower))

    def used(self, value: str, place: int) -> bool:
        """Does the number that a value comes to stand further up, and come out nowhere?"""
        figures = _FIGURES.search(value.rpartition("=")[2])
        if not figures:
            return False
        number = re.escape(figures[0].rstrip(","))
        places = [
            *re.finditer(
                rf"(?P<result>=\s*[$\\({{{{*]*\s*)?(?<![\w.,]){number}(?:\.0+)?(?!\w|[.,]\d)",
                self.text,
            )
        ]
        if not places or places[0].start() >= place:
            return False
        return not any(match["result"] for match in places)

    def sentence_at(self, place: int) -> int:
        """The number of the sentence around this place."""
        return max(bisect_right(self.starts, place) - 1, 0)

    def runs(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The stretches of figures, signs and formulas between two places: where values stand."""
        masked = self.masked
        opened: tuple[int, int] | None = None  # a stretch whose bracket is still open
        for match in _RUN.finditer(masked, start, end):
            a, b = match.span()
            if opened and _BETWEEN.fullmatch(masked, opened[1], a):
                a = opened[0]
            elif opened:
                yield from self._trimmed(*opened)
            opened = (a, b)
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


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _masked(text: str, says: re.Pattern[str] | None) -> str:
    """The text with signs for its formulas, but for short ones that say a letter."""
    parts: list[str] = []
    position = 0
    for k, span in enumerate(maths_spans(text)):
        length = span.end - span.start
        is_end_sign = span.tex[1:].isalpha() and not clean(span.tex)  # \blacksquare
        sign = (" " if is_end_sign else FORMULA[k % 2]) * length
        if span.tex.endswith((".", ",")):  # it closes the sentence, or its clause
            sign = sign[:-1] + span.tex[-1]
        if says and length <= SHORT:
            letters = unmarked(text[span.start : span.end])
            sign = letters if says.match(letters) else sign
        parts += [text[position : span.start], sign]
        position = span.end
    return "".join([*parts, text[position:]])


def _sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text begin and end; empty ones are none."""
    sentences = []
    start = 0
    for end in _SENTENCE_END.finditer(text):
        sentences.append((start, end.start()))
        start = end.end()
    sentences.append((start, len(text)))
    filled = [(a, b) for a, b in sentences if a < b]
    return filled or [(0, len(text))]


def unasked(text: str) -> str:
    """Of a text what stands in front of a further question, where something does."""
    question = _NEXT_QUESTION.search(text)
    end = question.start() if question else len(text)
    declaration = _DECLARATION.search(text, 0, end)
    if declaration and "?" in text[declaration.end() : end].replace("？", "?"):
        asks = (
            line.start()
            for line in _ASKS.finditer(text, declaration.end(), end)
            if not _SPEAKER.search(line[0])
        )
        end = next(asks, end)
    before = text[:end]
    return before if before.strip() else text


def unmarked(text: str, braces: bool = True) -> str:
    """A text with blanks for its markup; `braces`: for those, too."""
    text = _STARS.sub(_blank, text.translate(_WIDE))
    text = _WRAPPED.sub(_unwrapped, text)
    return (_MARKUP if braces else _MARKUP_BUT_BRACES).sub(_blank, text)


def unstarred(text: str) -> str:
    """Without the marks of bold type; those of a power stay.

    >>> unstarred("**2**10**")
    '2**10'
    """
    return _BOLD.sub("", text)


def _unwrapped(match: re.Match[str]) -> str:
    return f"{' ' * (match.start(1) - match.start())}{match[1]} "


def _depth(text: str, start: int, end: int) -> int:
    """How many brackets stay open."""
    signs = _BRACKETS.findall(text, start, end)
    return sum(1 if sign in _OPEN else -1 for sign in signs)
