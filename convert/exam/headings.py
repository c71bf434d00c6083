r"""The lines of an exam that belong to no problem: headings, instructions, notes, running lines.

# Part A            a heading
For the following exercises, find x.     an instruction for the problems behind it
注意事项：1. ... 2. ...                  notes to the candidates, though they have numbers
Page 3 of 8         a running line
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter

import msgspec

from ...words import HAN_ORDER, SCHOOL, words
from .labels import BREAK
from .templates import Template, candidates


class Heading(msgspec.Struct, frozen=True):
    """A heading line text[start:end] and its words; a `weak` one might be part of a problem."""

    title: str
    start: int
    end: int
    weak: bool = False


_NAMED = (
    rf"[{HAN_ORDER}]{{1,3}}[ \t]*[、.．]|第[ \t]*[{HAN_ORDER}ⅠⅡⅢⅣIV\d]+[ \t]*(?:部分|卷|节|章|大题)"
    rf"|[(（][ \t]*[{HAN_ORDER}][ \t]*[)）][ \t]*"
    r"(?:必考|选考|选做|必做|[^\n]{0,8}题[ \t]*[:：(（])"
    r"|(?:Part|Section|Group|Chapter)[ \t]+(?:[A-Z]|[IVX]+|\d{1,2})\b|\d[ \t-]*points?\b"
    r"|(?:[IVX]{2,4}|[IVX])\.[ \t]+|(?:[IVX]{2,4}|[IVX])\.(?=[A-Z][a-z])"
    r"|(?:选择题|填空题|解答题|计算题|判断题|应用题|选考题|必考题)[ \t]*(?:[:：(（]|$)"
)
_HEAD = re.compile(
    r"(?m)^[ \t]*(?:"
    r"\\(?:sub)*(?:section|title|chapter|paragraph)\*?\{"
    r"(?P<latex>[^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)*)\}"
    r"|#{1,6}[ \t]+(?P<mark>[^\n]+?)"
    r"|(?:\*\*(?P<bold>[^*\n]{1,200})\*\*|\\textbf\{(?P<tex>[^\n{}]{1,200})\})"
    rf"|(?P<plain>{BREAK}|(?:{_NAMED})[^\n]*?)"
    r")[ \t]*$"
)
_NUMBER_TITLE = re.compile(
    r"\s*(?:(?:Problem|Question|Exercise)\s*)?[(（]?\d{1,4}\s*(?:[.)．）、:](?!\d)|$)"
)
_OF_A_PROBLEM = re.compile(  # headings inside a problem
    rf"(?i)(?:{words('answer', 'solution', languages=SCHOOL)}|proof|hints?|video solution"
    r"|see also|解)(?:\s*\d+)?\s*(?:[(（].{0,80})?[.:：]?\s*$"
)
_SENTENCE = re.compile(r"[a-z]{2}[^\n]*[.?!,;]$|[?？;；]$")


def headings(text: str) -> list[Heading]:
    """Headings that are not numbers of problems."""
    heads = []
    for match in _HEAD.finditer(text):
        latex, mark, bold, plain = match.group("latex", "mark", "bold", "plain")
        bold = bold or match["tex"]
        title = next(t for t in (latex, mark, bold, plain) if t is not None).strip().strip("*")
        named = bool(re.match(_NAMED, title))
        if (
            _NUMBER_TITLE.match(title)
            or _OF_A_PROBLEM.match(title)
            or (plain is not None and _is_sentence(title))
        ):
            continue
        weak = bold is not None and (not named or _is_sentence(title))
        heads.append(Heading(title, match.start(), match.end(), weak))
    return heads


def _is_sentence(title: str) -> bool:
    return bool(_SENTENCE.search(title)) and not re.match(rf"[(（]?[{HAN_ORDER}]", title)


# Notes to the candidates ------------------------------------------------------------------------

_NOTES = re.compile(
    r"(?mi)^[ \t]*(?:\\(?:sub)*section\*?\{|#{1,6}[ \t]*|\*\*|\\textbf\{)?[ \t]*(?:【|\[)?"
    r"(?:注意事项|考生须知|答题须知|考试须知|答卷须知|考生注意|注意"
    r"|(?:general[ \t]+|special[ \t]+)?(?:instructions?|directions|notes?|rules)"
    r"(?:[ \t]+(?:to|for)[ \t]+(?:the[ \t]+)?(?:candidates?|students?|examinees|participants))?)"
    r"[ \t]*(?:】|\])?[ \t]*[:：.]?[ \t]*(?:\*\*|\})?[ \t]*[:：]?[ \t]*$"
)
_OF_NOTES = re.compile(
    rf"(?i){words('instruction')}"
    r"|compulsory|\bmarks?\b|minutes|\bpaper\b|rough work|question[ \t]+paper|internal[ \t]+choice"
)


def notes(text: str, covered: str, heads: list[Heading]) -> list[tuple[int, int]]:
    """Stretches of notes to the candidates.

    They end at the next heading, where the numbers start again, or at a number in another style
    than their own ("Problem 13." below a remark that is headed "Note"). Where numbers go on behind
    the heading, and the words are none of notes, the numbered lines are problems.
    """
    found: list[tuple[int, int]] = []
    ends = [head.start for head in heads if not head.weak]
    numbers = candidates(covered) if _NOTES.search(text) else {}
    numbers = {t: lines for t, lines in numbers.items() if t.word or t.marks}
    starts = {template: [c.start for c in lines] for template, lines in numbers.items()}
    counting = [t for t in numbers if not t.word and t.script == "arabic"]
    for match in _NOTES.finditer(text):
        if found and match.start() < found[-1][1]:
            continue
        following = bisect_left(ends, match.end())
        end = ends[following] if following < len(ends) else len(text)
        own = False
        for style in counting:
            first = bisect_left(starts[style], match.end())
            behind = bisect_left(starts[style], end)
            after = numbers[style][behind : behind + 1]
            if first == behind or numbers[style][first].number != 1:
                continue
            rest = range(first + 1, behind)
            stop = next((k for k in rest if numbers[style][k].number <= 1), behind)
            again = numbers[style][stop] if stop < behind else None
            inside = numbers[style][first:stop]
            words = [text[c.end : c.end + 200].split("\n", 1)[0] for c in inside]
            of_notes = sum(bool(_OF_NOTES.search(line)) for line in words) * 2 >= len(words)
            if again:
                end = again.start
            elif not of_notes and not (after and after[0].number <= inside[-1].number):
                end = inside[0].start
            own = True
            break
        end = min(end, _stop(text, match.end(), own, starts))
        if end > match.end():
            found.append((match.start(), end))
    return found


def _stop(text: str, start: int, own: bool, starts: dict[Template, list[int]]) -> int:
    """Where notes end at the latest: where numbers of another style than their own begin.

    Without numbers of their own and behind a problem they end with their paragraph, where a problem
    follows at once; where more text follows, they are a remark of that problem: at `start`.
    """
    first = len(text)
    for places in (found for style, found in starts.items() if style.word or not own):
        following = bisect_left(places, start)
        first = min([first, *places[following : following + 1]])
    if not own and any(places and places[0] < start for places in starts.values()):
        paragraph = re.compile(r"\n[ \t]*\n\s*").search(text, start)
        if paragraph is None or paragraph.end() != first:
            return start
    return first


# Running lines ----------------------------------------------------------------------------------

_END = (  # the last line of a paper
    r"(?:this[ \t]+is[ \t]+)?(?:the[ \t]+)?end[ \t]+of[ \t]+(?:the[ \t]+)?(?:question[ \t]+)?"
    r"(?:tests?|papers?|exam(?:ination)?s?|booklet|questions|section(?:[ \t]+\w{1,3})?"
    r"|part[ \t]+\w{1,3})"
    r"|(?:全|本|试)?(?:卷|试题|试卷|考试)[ \t]*(?:到此)?[ \t]*(?:结束|完|完毕)|以下空白"
)
PAGE_LINE = re.compile(
    r"(?mi)^[ \t]*(?:[-–—][ \t]*\d{1,3}[ \t]*[-–—]|(?:page|seite)[ \t]*\d{1,3}\b.{0,80}|\d{1,3}"
    r"|.{0,80}\b(?:next page|turn over|page[ \t]+\d{1,3}(?:[ \t]+of[ \t]+\d{1,3})?"
    r"|P\.?T\.?O)\W{0,9}"
    r"|.{0,40}第[ \t]*\d+[ \t]*页.{0,40}"
    rf"|[^\w\n]{{0,9}}(?:{_END})(?:[^\w\n]{{0,9}}|[.!。！][^\n]{{0,40}})"
    r"|(?:©|copyright\b|\(c\)[ \t]*(?:19|20)\d\d).{0,120})$"
)
_OF_PAGES = re.compile(
    r"(?i)第[ \t]*\d+[ \t]*页[ \t，,/]*[(（]?[ \t]*共[ \t]*\d+[ \t]*页"
    rf"|page[ \t]+\d+[ \t]+of[ \t]+\d+|^\W{{0,9}}(?:{_END})(?:\W{{0,9}}$|[.!。！])"
)


def masked(line: str) -> str:
    """The line with every number the same."""
    return re.sub(r"\d+", "0", line.strip())


def without_page_lines(text: str) -> tuple[str, list[str]]:
    """The text without running heads and feet, and these.

    Such a line names a page, and comes at least twice, whatever its number, behind an empty line;
    or it tells how many pages there are, or that the paper ends.
    """
    lines = [
        m for m in PAGE_LINE.finditer(text)
        if re.search(r"\n\s*\n$|^\s*$", text[max(0, m.start() - 9) : m.start()])
    ]  # fmt: skip
    times = Counter(masked(m[0]) for m in lines)
    out: list[str] = []
    removed: list[str] = []
    position = 0
    for match in lines:
        line = match[0].strip()
        if not line.isdigit() and (times[masked(line)] > 1 or _OF_PAGES.search(line)):
            out += [text[position : match.start()].rstrip("\n"), "\n"]
            position = match.end()
            removed.append(line)
    return "".join([*out, text[position:]]), removed
