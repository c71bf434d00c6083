"""A reply as the scanner sees it: formulas are single signs, marks of lists are blank.

Everything keeps its place, so that a place on the page is a place in the reply. All patterns go
over a text once.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import Any

from ...latex import WIDE_ASCII, maths_spans
from ...words import plain, words
from ..answers import clean

SCANNED = 20_000  # characters at the end of a reply that are searched
FORMULA = "\ue000\ue001"  # stand for a formula's characters, in turn
SHORT = 80  # characters of a formula that may be a letter, or words
TAIL = 160  # characters at least of a reply's last lines, in which most answers stand
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
_SENTENCE_END = re.compile(r"[.!?](?=[\s*_)\"”’]|$)(?![ \t]+[a-z])|[。！？；．।؟\n]")
_IDLE = " \t\r\n-*_.,;:?!|=#>"  # a sentence of these alone is none
_TAG = re.compile(r"</?[A-Za-z][\w-]{1,30}>")
WORD = re.compile(r"[^\W\d_]{2}|[一-鿿]")
_COLONS = (":", "：")
_NEXT_QUESTION = re.compile(
    rf"\n[*_#>\s]{{0,6}}(?:Q|{words('question')})\s*\d{{0,3}}\s*[:：]", re.IGNORECASE
)
# An answer that is declared; a line that asks, in which nobody speaks of himself or of an answer.
_DECLARATION = re.compile(
    rf"\#{{4}}[ \t]*\S|\\boxed\s?\{{|</answer>"
    rf"|{words('answer')}[ \t*_]{{0,4}}(?:{words('is')}|[:：])",
    re.IGNORECASE,
)
_ASKING = re.compile(r"[?？]")
_ASKS = re.compile(r"\n[^\n?？]{30,2000}[?？][\s*_]*(?=\n|\Z)")
_SPEAKER = re.compile(words("speaker", "corrects", "correct", "answer"), re.IGNORECASE)
# A computation that a calculator has checked: <<3+4=7>>7.
_CALCULATED = re.compile(r"<<[^<>\n=]{1,80}=[^<>\n]{1,40}>>")
# Wide letters and round brackets as those of ASCII.
_WIDE = {code: WIDE_ASCII[code] for code in (*range(0xFF21, 0xFF5B), 0xFF08, 0xFF09)}
_STYLE = r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|bf|rm|mbox|f?boxed|fbox)"
_WRAPPED = re.compile(_STYLE + r"\s?\{([^{}]*)\}")
# What opens something that may hold blank lines: code, an element.
_SPANS_PARAGRAPHS = re.compile(r"```|~~~|<math|verbatim|lstlisting")
# A label inside a formula: \[\text{Answer: C}\], $\text{The answer is } 5$
_LABEL_INSIDE = re.compile(
    rf"[\s$\\\[(]{{0,6}}{_STYLE}\s?\{{(?P<label>[^{{}}]{{0,30}}?{words('answer')}[^{{}}:：]{{0,20}}?"
    rf"(?:[:：]|{words('is')}))(?P<inside>[^{{}}]{{0,60}})\}}",
    re.IGNORECASE,
)
_CLOSES_FORMULA = re.compile(r"[\s.]{0,4}(?:\$+|\\[)\]])\s*\Z")
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
_DECLARES = plain("answer", "declares", "hash", "option", "choose")
_DECLARES_IN_ASCII = [word for word in _DECLARES if word.isascii()]
_CORRECTS = re.compile(rf"(?:^|[.!?。！？\n])[^\w.!?。！？\n]*{words('corrects')}")
_FIGURES = re.compile(r"\d[\d,]*(?:\.\d+)?")


class Page:
    """The text of a reply, `masked`: formulas and layout as signs; `sentences`: their places.

    A page may begin in its text: what stands before that place is not cut into sentences, and
    `is_enough` says whether a scan ended without them.
    """

    def __init__(
        self, text: str, says: re.Pattern[str] | None = None, begin: int = 0
    ) -> None:
        """Of formulas that begin as `says` the letters stay, and marks of lists."""
        self.text = text
        self.says = says
        self.begin = begin
        self.is_enough = True
        self.cut: dict[int, Any] = {}  # sentences, by their numbers

    @cached_property
    def _layers(self) -> tuple[str, list[tuple[int, int]]]:
        """The text with signs, and where its sentences are; made when a sentence is asked for."""
        before, text = self.text[: self.begin], self.text[self.begin :]
        if "[/" in text:
            text = _CODE.sub(_blank, text)
        if "<<" in text:
            text = _CALCULATED.sub(_blank, text)
        if "</" in text:
            text = _TAG.sub(_blank, text)
        marked = _masked(text, self.says)
        unlisted = _LIST_MARK.sub(_blank, marked)
        masked = unmarked(marked, braces=False) if self.says else unlisted
        return before + masked, _sentences(unlisted, self.begin)

    @property
    def masked(self) -> str:
        return self._layers[0]

    @property
    def sentences(self) -> list[tuple[int, int]]:
        return self._layers[1]

    @cached_property
    def starts(self) -> list[int]:
        return [start for start, _ in self.sentences]

    @cached_property
    def declarations(self) -> list[int]:
        """Where something may be declared: no sentence without one of these words does."""
        lower = self.masked.lower()
        words = _DECLARES_IN_ASCII if lower.isascii() else _DECLARES
        places = [correction.start() for correction in _CORRECTS.finditer(lower)]
        for word in words:
            place = lower.find(word)
            while place >= 0:
                places.append(place)
                place = lower.find(word, place + 1)
        return sorted(places)

    def declaration_before(self, place: int) -> int:
        """The last such place in front of another; -1: there is none."""
        behind = bisect_left(self.declarations, place)
        return self.declarations[behind - 1] if behind else -1

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
        if label := _LABEL_INSIDE.match(text, span.start, span.end):
            sign = _labelled(text[span.start : span.end], label, sign)
        if says and length <= SHORT:
            letters = unmarked(text[span.start : span.end])
            sign = letters if says.match(letters) else sign
        parts += [text[position : span.start], sign]
        position = span.end
    return "".join([*parts, text[position:]])


def _labelled(formula: str, label: re.Match[str], sign: str) -> str:
    """The sign of a formula with its label as words, and blanks for what stands around."""
    start, end = (place - label.start() for place in label.span("label"))
    first, last = (place - label.start() for place in label.span("inside"))
    if not label["inside"].strip():  # the value stands behind the upright words
        first = label.end() - label.start()
        closing = _CLOSES_FORMULA.search(formula)
        last = closing.start() if closing else len(formula)
    if not formula[first:last].strip():
        return sign
    parts = " " * start, formula[start:end], " " * (first - end), sign[first:last]
    return "".join(parts).ljust(len(formula))


def _sentences(text: str, before: int) -> list[tuple[int, int]]:
    """Where the sentences of a text begin and end, so far behind a place; empty ones are none."""
    sentences = []
    start = 0
    for end in _SENTENCE_END.finditer(text):
        sentences.append((start, end.start()))
        start = end.end()
    sentences.append((start, len(text)))
    filled = [(before + a, before + b) for a, b in sentences if text[a:b].strip(_IDLE)]
    return filled or [(before, before + len(text))]


def tail(text: str) -> int:
    """Where the last lines of a reply begin, in front of which no formula or code is open; or 0."""
    place = text.rfind("\n", 0, max(0, len(text) - TAIL)) + 1
    if not place or "[/" in text or _SPANS_PARAGRAPHS.search(text, 0, place):
        return 0
    paragraph = max(0, text.rfind("\n\n", 0, place))
    is_open = (
        text.count("$", paragraph, place) % 2
        or text.rfind("\\[", paragraph, place) > text.rfind("\\]", paragraph, place)
        or text.rfind("\\(", paragraph, place) > text.rfind("\\)", paragraph, place)
        or text.find("\\begin", paragraph, place) >= 0
    )
    return 0 if is_open else place


def unasked(text: str) -> str:
    """Of a text what stands in front of a further question, where something does."""
    asks_again = any(colon in text for colon in _COLONS)
    question = _NEXT_QUESTION.search(text) if asks_again else None
    end = question.start() if question else len(text)
    asks = list(_ASKS.finditer(text, 0, end)) if _ASKING.search(text) else []
    asks = [line for line in asks if not _SPEAKER.search(line[0])]
    if asks and (declared := _DECLARATION.search(text, 0, asks[-1].start())):
        end = next(line.start() for line in asks if line.start() >= declared.end())
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
