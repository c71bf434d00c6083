"""Headings of lessons and wikis as the exam reader knows them.

A lesson asks below headings such as Exercises, and explains below the others; a wiki page has one
problem below Problem, and solutions below headings that name them in many words. Titles that hold a
number are left alone: the exam reader counts by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from ...words import words

# formats of lessons and pages; what Word and OpenDocument hold is an exam as a whole
LESSONS = frozenset("ipynb mediawiki rst org typst epub jats docbook".split())
_LONGEST = 60  # characters of a title that says what stands below
_ASKS = re.compile(words("problem"), re.I)
_SOLVES = re.compile(words("solution", "answer", "hint", "working"), re.I)
_NUMBER = re.compile(r"\d|\b[IVX]+\b")
_ARABIC = ("Decimal", "DefaultStyle", "Example")
_SPACE = ("Space", "SoftBreak", "LineBreak")


# what is told where lists may be anything
DOUBT = "exercise-doubtful: no heading says that problems follow"


class Section(msgspec.Struct):
    """A heading of the top with what stands below it; `title` is empty before the first."""

    level: int
    title: str
    blocks: list[Any]

    @property
    def asks(self) -> bool:
        return self._is(_ASKS) and not _SOLVES.search(self.title)

    @property
    def solves(self) -> bool:
        return self._is(_SOLVES) and not _ASKS.search(self.title)

    def _is(self, role: re.Pattern[str]) -> bool:
        return len(self.title) <= _LONGEST and bool(role.search(self.title))


def asked(blocks: list[Any], kind: str, issues: list[str]) -> list[Any]:
    """The blocks that ask and answer, their headings in plain words; what is left out is told."""
    sections = [*_sections(_flat(blocks))]
    if not any(section.asks for section in sections):
        if kind in LESSONS and len(sections) > 1 and not any(map(_says_number, blocks)):
            issues.append(DOUBT)
        return blocks
    if kind in LESSONS:
        sections = [*_kept(sections, issues)]
    headed = [s for s in sections if s.asks and not _opens_list(s)]
    if len({_without_number(s.title) for s in headed}) > 1 or not all(
        map(_counted, headed)
    ):
        _count(headed, issues)
    for section in sections:
        _name_plainly(section)
        if section in headed or section.solves:
            _as_parts(section.blocks)
    return [block for section in sections for block in section.blocks]


def _flat(blocks: list[Any]) -> Iterator[Any]:
    """Blocks without the stretches that only hold sections."""
    for block in blocks:
        classes = block["c"][0][1] if block["t"] == "Div" else ()
        if "section" in classes or "markdown" in classes:
            yield from _flat(block["c"][1])
        else:
            yield block


def _sections(blocks: Iterator[Any]) -> Iterator[Section]:
    section = Section(0, "", [])
    for block in blocks:
        if block["t"] == "Header":
            yield section
            level, _, inlines = block["c"]
            section = Section(level, plain(inlines).strip(), [])
        section.blocks.append(block)
    yield section


def plain(inlines: list[Any]) -> str:
    """The words of inlines."""
    out = ""
    for one in inlines:
        content = one.get("c")
        if one["t"] == "Str":
            out += content
        elif one["t"] in _SPACE:
            out += " "
        elif isinstance(content, list) and content and isinstance(content[-1], list):
            out += plain([each for each in content[-1] if isinstance(each, dict)])
        elif isinstance(content, list) and all(
            isinstance(each, dict) for each in content
        ):
            out += plain(content)
    return out


def _says_number(block: Any) -> bool:
    """Whether a block starts with `Exercise 3`, or a cell of a notebook holds one that does."""
    if block["t"] == "Div":
        return any(map(_says_number, block["c"][1]))
    if block["t"] not in ("Para", "Plain"):
        return False
    start = plain(block["c"][:8])
    match = _ASKS.match(start.strip())
    return bool(match and _NUMBER.match(start.strip()[match.end() :].strip()))


def _counted(section: Section) -> bool:
    return bool(_NUMBER.search(section.title))


def _without_number(title: str) -> str:
    return _NUMBER.split(title)[0].strip()


def _opens_list(section: Section) -> bool:
    """Whether numbered items are what a heading announces: at once, or behind one instruction."""
    kinds = [block["t"] for block in section.blocks[1:3]]
    return kinds[:1] == ["OrderedList"] or (
        kinds == ["Para", "OrderedList"] and not _counted(section)
    )


def _kept(sections: list[Section], issues: list[str]) -> Iterator[Section]:
    """Sections that ask, those inside of them, and solutions that follow."""
    within = 0  # the level of the section that asks
    for section in sections:
        inside = within and (section.level > within or section.solves)
        if section.asks and not inside:
            within = section.level
        elif not inside:
            within = 0
        if within:
            yield section
        elif section.blocks:
            shown = section.title or "before the first heading"
            issues.append(f"outside-of-exercises: {shown[:80]}")


def _count(headed: list[Section], issues: list[str]) -> None:
    """One count for problems whose headings have none, or several."""
    filled = [section for section in headed if len(section.blocks) > 1]
    for number, section in enumerate(filled, 1):
        level, attributes, _ = section.blocks[0]["c"]
        word = next(iter(_ASKS.findall(section.title)))
        inlines = [{"t": "Str", "c": f"{word.capitalize()} {number}"}]
        section.blocks[0] = {"t": "Header", "c": [level, attributes, inlines]}
        if section.title.casefold() != word.casefold():
            issues.append(f"heading: {section.title[:80]}: counted as {word} {number}")


def _as_parts(blocks: list[Any]) -> None:
    """Lists of a problem or a solution count as (1), (2): only headings count problems there."""
    for block in blocks:
        if block["t"] == "OrderedList" and block["c"][0][1]["t"] in _ARABIC:
            block["c"][0][2] = {"t": "TwoParens"}


def _name_plainly(section: Section) -> None:
    """`Official Solution`, `Solution 2 (by hand)` become `Solution`, above their own words."""
    match = _SOLVES.search(section.title)
    if not section.solves or match is None or _SOLVES.fullmatch(section.title):
        return
    level, attributes, inlines = section.blocks[0]["c"]
    word = [{"t": "Str", "c": match[0].capitalize()}]
    section.blocks[0] = {"t": "Header", "c": [level, attributes, word]}
    section.blocks.insert(1, {"t": "Para", "c": [{"t": "Emph", "c": inlines}]})
