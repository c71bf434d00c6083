"""The headings of an exam, which belong to no problem: `# Part A`, `一、选择题`."""

from __future__ import annotations

import re
from bisect import bisect_right

import msgspec

from ...words import HAN_ORDER, SCHOOL, layered, own_words, words
from ..documents import BREAK


class Heading(msgspec.Struct, frozen=True):
    """A heading line text[start:end] and its words; a `weak` one might be part of a problem."""

    title: str
    start: int
    end: int
    weak: bool = False


# Closed: how papers number and name their parts; whatever else stands alone may be of a problem.
_NAMED = (
    rf"[{HAN_ORDER}]{{1,3}}[ \t]*[、.．]|第[ \t]*[{HAN_ORDER}ⅠⅡⅢⅣIV\d]+[ \t]*(?:部分|卷|节|章|大题)"
    rf"|[(（][ \t]*[{HAN_ORDER}][ \t]*[)）][^\n]{{0,8}}题[^\n]{{0,2}}[:：(（]"
    r"|(?:Part|Section|Group|Chapter)[ \t]+(?:[A-Z]|[IVX]+|\d{1,2})\b|\d[ \t-]*points?\b"
)


@layered
def _head() -> re.Pattern[str]:
    """A line that heads what follows: marked, bold, numbered, or a section's name and no more."""
    named = rf"(?:[【\[(（〔][ \t]*)?(?:{words('section')})(?:[ \t]*[】\])）〕])?[:：]?"
    worth = r"(?:[ \t]*[(（][^()（）\n]{0,40}[)）])?"
    return re.compile(
        rf"{_HEAD.pattern.removesuffix(_END)}|(?P<section>{named}{worth})){_END_LINE}"
    )


_END_LINE = r"[ \t]*$"
_END = rf"){_END_LINE}"
_HEAD = re.compile(
    r"(?m)^[ \t]*(?:"
    r"\\(?:sub)*(?:section|title|chapter|paragraph)\*?\{"
    r"(?P<latex>[^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)*)\}"
    r"|#{1,6}[ \t]+(?P<mark>[^\n]+?)"
    r"|(?:\*\*(?P<bold>[^*\n]{1,200})\*\*|\\textbf\{(?P<tex>[^\n{}]{1,200})\})"
    rf"|(?P<plain>{BREAK}|(?:{_NAMED})[^\n]*?)"
    r")[ \t]*$"
)
NUMBER_TITLE = re.compile(
    r"\s*(?:(?:Problem|Question|Exercise)\s*)?[(（]?\d{1,4}\s*(?:[.)．）、:](?!\d)|$)"
)


@layered
def _of_a_problem() -> re.Pattern[str]:
    """Headings inside a problem."""
    said = words("answer", "solution", languages=SCHOOL)
    own = "|".join(own_words("hint")) or "hints?"
    return re.compile(
        rf"(?i)(?:{said}|{own}|proof|hints?|video solution"
        r"|see also|解)(?:\s*\d+)?\s*(?:[(（].{0,80})?[.:：]?\s*$"
    )


_SENTENCE = re.compile(r"[a-z]{2}[^\n]*[.?!,;]$|[?？;；]$")


def _sections(text: str) -> set[int]:
    """Where marked headings are numbered 1, 2, 3, .., and what is numbered alike below several of
    them starts at 1.
    """
    marked = [
        m for m in _head().finditer(text) if re.match(r"\d+[.)、]", m["mark"] or "")
    ]
    numbers = [re.findall(r"\d+|\D", match["mark"])[:2] for match in marked]
    if len(marked) < 2 or numbers != [
        [str(k), numbers[0][1]] for k in range(1, len(marked) + 1)
    ]:
        return set()
    starts = [match.start() for match in marked]
    firsts = re.finditer(rf"(?m)^[ \t]*1[ \t]*{re.escape(numbers[0][1])}(?!\d)", text)
    below = {bisect_right(starts, first.start()) for first in firsts} - {0}
    return {*starts} if len(below) > 1 else set()


def headings(text: str) -> list[Heading]:
    """Headings that are not numbers of problems."""
    heads = []
    sections = _sections(text)
    for match in _head().finditer(text):
        title = next(t for t in match.groups() if t is not None).strip().strip("*")
        sentence = bool(_SENTENCE.search(title)) and not re.match(
            rf"[(（]?[{HAN_ORDER}]", title
        )
        alone = match["plain"] is not None and sentence
        numbered = match.start() not in sections and NUMBER_TITLE.match(title)
        if alone or numbered or _of_a_problem().match(title):
            continue
        bold = match["bold"] or match["tex"]
        weak = bool(bold) and (sentence or not re.match(_NAMED, title))
        heads.append(Heading(title, match.start(), match.end(), weak))
    return heads


# Closed: how papers tell what a section is worth; it asks for nothing.
ADMINISTRATIVE = re.compile(
    r"(?i)\b\d+[ \t]*(?:points?|marks?)\b|\b(?:points?|marks?)[ \t]+(?:each|per)\b|\bworth\b"
    r"|\banswer[ \t]+type\b|\bcarr(?:y|ies)\b[^\n]*\bmarks?\b|\bcompulsory\b"
    r"|\battempt[ \t]+(?:any|all)\b"
    r"|每[小]?题|分[)）。，]|共\d+分|共[ \t]*\d+[ \t]*小?题|请考生|选考题|必考题|任选"
)
