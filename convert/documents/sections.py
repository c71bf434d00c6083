"""Headings of lessons and wikis as the exam reader knows them.

A lesson asks below headings such as Exercises, and explains below the others; a wiki page has one
problem below Problem, and solutions below headings that name them in many words. Titles that hold a
number are left alone: the exam reader counts by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec

from ...words import words

# formats of lessons and pages; what Word and OpenDocument hold is an exam as a whole
LESSONS = frozenset("ipynb mediawiki rst org typst epub jats docbook".split())
_LONGEST = 60  # characters of a title that says what stands below
_ASKS = re.compile(words("problem"), re.I)
_SOLVES = re.compile(words("solution", "answer", "hint", "working"), re.I)
_ANSWERS = re.compile(words("answer"), re.I)
_WORKS = re.compile(words("solution", "hint", "working"), re.I)
_PAPER = re.compile(words("paper"), re.I)
_NUMBER = re.compile(r"\d|\b[IVX]+\b")
SAID = "Said"  # a block beside pandoc's own: a role and what it says
PARTS = "Parts"  # beside pandoc's own delimiters of numbers
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
    blocks = [*_between_rules([*_flat(blocks)])]
    sections = [*_sections(iter(blocks))]
    for section in sections:
        _rejoin(section.blocks)
    if not any(section.asks for section in sections):
        if kind in LESSONS and len(sections) > 1 and not _is_paper(sections, blocks):
            issues.append(DOUBT)
        return blocks
    if kind in LESSONS:
        sections = [*_kept(sections, issues)]
    sections = _without_heads_of_statements(sections, issues)
    asking = [section for section in sections if section.asks]
    titles = [one for one, inner in pairwise(asking) if inner.level > one.level]
    headed = [s for s in asking if s not in titles and not _opens_list(s)]
    if len({_without_number(s.title) for s in headed}) > 1 or not all(
        map(_counted, headed)
    ):
        _count(headed, issues)
    for section in sections:
        if section in headed or section.solves:
            _as_parts(section.blocks)
    ordered = [*_solutions_first(sections, headed)] if headed else sections
    for section in ordered:
        _name_plainly(section)
    return [block for section in ordered for block in section.blocks]


def _between_rules(blocks: list[Any]) -> Iterator[Any]:
    """Items that stand alone between lines across the page are numbered: they are problems."""
    rules = [k for k, block in enumerate(blocks) if block["t"] == "HorizontalRule"]
    items = {
        start + 1: _only_item(blocks[start + 1 : end]) for start, end in pairwise(rules)
    }
    alone = {place: item for place, item in items.items() if item is not None}
    if not alone or any(block["t"] == "OrderedList" for block in blocks):
        yield from blocks
        return
    numbers = {place: number for number, place in enumerate(alone, 1)}
    skipped: set[int] = set()
    for start, end in pairwise(rules):
        skipped |= {*range(start + 1, end)} if start + 1 in alone else set()
    for place, block in enumerate(blocks):
        if place in alone:
            form = [numbers[place], {"t": "Decimal"}, {"t": "Period"}]
            yield {"t": "OrderedList", "c": [form, [alone[place]]]}
        elif place not in skipped and block["t"] != "HorizontalRule":
            yield block


def _only_item(blocks: list[Any]) -> Any:
    """The item of a list with one, where nothing else stands there."""
    flat = [*_unwrapped(blocks)]
    is_list = len(flat) == 1 and flat[0]["t"] == "BulletList"
    return flat[0]["c"][0] if is_list and len(flat[0]["c"]) == 1 else None


def _unwrapped(blocks: list[Any]) -> Iterator[Any]:
    for block in blocks:
        if block["t"] == "Div":
            yield from _unwrapped(block["c"][1])
        else:
            yield block


def _rejoin(blocks: list[Any]) -> None:
    """A list of one item, a display, and a list from 1 again: the second are parts of the item."""
    single = False
    for block in blocks:
        if block["t"] == "OrderedList":
            (start, style, _), items = block["c"]
            if single and start == 1 and style["t"] in _ARABIC:
                block["c"][0][2] = {"t": PARTS}
            single = start == 1 and len(items) == 1
        elif not _is_display(block):
            single = False


def _is_display(block: Any) -> bool:
    """Whether a block is formulas or pictures alone."""
    if block["t"] not in ("Para", "Plain"):
        return False
    return all(one["t"] in (*_SPACE, "Math", "Image") for one in block["c"])


def _solutions_first(
    sections: list[Section], headed: list[Section]
) -> Iterator[Section]:
    """What solves a problem directly behind it; what stands below other headings follows."""
    behind: list[Section] = []
    for section in sections:
        if section in headed:
            yield from behind
            behind = []
            yield section
        elif section.solves:
            yield section
        else:
            behind.append(section)
    yield from behind


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


def _is_paper(sections: list[Section], blocks: list[Any]) -> bool:
    """Whether a title, an answer key or numbers in the text say that problems are asked."""
    has_key = any(_SOLVES.fullmatch(section.title) for section in sections)
    is_named = any(_PAPER.search(section.title) for section in sections)
    return has_key or is_named or any(map(_says_number, blocks))


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


def _without_heads_of_statements(
    sections: list[Section], issues: list[str]
) -> list[Section]:
    """Where each numbered heading has one below it that asks, the question stands there alone."""
    asking = [section for section in sections if section.asks]
    heads = [section for section in asking if _counted(section)]
    alternate = all(_counted(one) == (k % 2 == 0) for k, one in enumerate(asking))
    if len(heads) < 2 or not alternate or len(asking) != 2 * len(heads):
        return sections
    kept: list[Section] = []
    above = False
    for section in sections:
        above = section in heads or (above and section not in asking)
        if above:
            issues.append(f"outside-of-exercises: {section.title[:80]}")
        else:
            kept.append(section)
    return kept


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
    has_asked = False
    for section in sections:
        inside = within and section.level > within
        if section.asks and not inside:
            within = section.level
        elif not (inside or section.solves):
            within = 0
        has_asked = has_asked or section.asks
        if within or (section.solves and has_asked):
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
    """Lists of a problem or a solution count as ⑴, ⑵: only headings count problems there."""
    for block in blocks:
        if block["t"] == "OrderedList" and block["c"][0][1]["t"] in _ARABIC:
            block["c"][0][2] = {"t": PARTS}


def _name_plainly(section: Section) -> None:
    """`Official Solution`, `Решение (2)` become `Solution`, above their own words."""
    if not section.solves:
        return
    inlines = section.blocks[0]["c"][2]
    is_answer = _ANSWERS.search(section.title) and not _WORKS.search(section.title)
    word = "Answer" if is_answer else "Solution"
    if section.title.casefold().startswith(f"{word.casefold()}s"):
        return  # a key to several
    said = [{"t": "Para", "c": [{"t": "Emph", "c": inlines}]}]
    is_plain = _SOLVES.fullmatch(section.title)
    inner = [*([] if is_plain else said), *section.blocks[1:]]
    section.blocks = [{"t": SAID, "c": [word, inner]}]
