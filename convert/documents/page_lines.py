"""Running heads and feet of pages: lines that name a page, or say that a paper ends."""

from __future__ import annotations

import re
from collections import Counter

# Closed: what the last line of a paper says, and what asks to turn the page.
_END = (
    r"(?:this[ \t]+is[ \t]+)?(?:the[ \t]+)?end[ \t]+of[ \t]+(?:\w{1,8}[ \t]+){0,2}"
    r"(?:tests?|papers?|exams?|examinations?|booklet|questions|(?:section|part)(?:[ \t]+\w{1,3})?)"
    r"|\w?(?:卷|试题|试卷|考试)[ \t]*(?:到此)?[ \t]*(?:结束|完|完毕)|以下空白"
)
_OF_PAGES = (
    r"第[ \t]*\d+[ \t]*页[ \t，,/]*[(（]?[ \t]*共[ \t]*\d+[ \t]*页|page[ \t]+\d+[ \t]+of[ \t]+\d+"
    rf"|^[^\w\n]*(?:{_END})(?:[^\w\n]*$|[.!。！])"
)
_OF_ALL = re.compile(rf"(?i){_OF_PAGES}")
# an empty line, or the beginning of the text
_EMPTY_LINE = re.compile(r"\n\s*\n$|^\s*$")
# a number alone, a number of a page in words, a demand to turn over, a copyright
PAGE_LINE = re.compile(
    r"(?mi)^(?=.{1,120}$)[ \t]*(?:[-–—][ \t]*\d{1,3}[ \t]*[-–—]|\d{1,3}"
    r"|(?:page|seite)[ \t]*\d{1,3}\b.*|.*\b(?:next page|turn over|page[ \t]+\d{1,3}|P\.?T\.?O)\W*"
    rf"|.*第[ \t]*\d+[ \t]*页.*|.*(?:{_OF_PAGES}).*|(?:©|copyright\b|\(c\)[ \t]*(?:19|20)\d\d).*)$"
)


def masked(line: str) -> str:
    """The line with every number the same."""
    return re.sub(r"\d+", "0", line.strip())


def without_page_lines(text: str) -> tuple[str, list[str]]:
    """The text without running heads and feet, and these.

    Such a line names a page, and comes at least twice, whatever its number, behind an empty line;
    or it tells how many pages there are, or that the paper ends.
    """
    lines = []
    for match in PAGE_LINE.finditer(text):
        before = text[max(0, match.start() - 9) : match.start()]
        if _EMPTY_LINE.search(before):
            lines.append(match)
    times = Counter(masked(m[0]) for m in lines)
    out: list[str] = []
    removed: list[str] = []
    position = 0
    for match in lines:
        line = match[0].strip()
        comes_again = times[masked(line)] > 1
        if not line.isdigit() and (comes_again or _OF_ALL.search(line)):
            out += [text[position : match.start()].rstrip("\n"), "\n"]
            position = match.end()
            removed.append(line)
    return "".join([*out, text[position:]]), removed
