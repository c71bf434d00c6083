"""Answer keys: found, read as entries, joined to the problems by number or refused."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Literal, Protocol

import msgspec

from ...latex import HAN
from ...words import HAN_ORDER, OPTION, SCHOOL, layered, points_elsewhere, words
from ..documents import blanked, blind, tables
from .headings import headings
from .inline_answers import bare, inline_answer, two_answers
from .numbering import LINE_NUMBER, best_path, is_bare, numbers_of, with_word
from .templates import Candidate, Template, candidates


class KeyEntry(msgspec.Struct, frozen=True):
    """What a key says about one problem."""

    number: int
    answer: str
    solution: str = ""
    contrary: str = ""  # two answers that it gives
    chapter: str = ""  # what counts above the number

    @property
    def label(self) -> str:
        return f"{self.chapter}{self.number}"


# Where keys stand -------------------------------------------------------------------------------

_NO_OPTION = (
    rf"(?![^\w\n]{{0,12}}[{OPTION}][^\w\n]{{0,3}}[)）.．、])"  # however dressed
)
_DRESS = (
    r"(?:(?:\\(?:sub)*section\*?\{|(?P<marks>#{1,6})|\*\*|\\textbf\{)[ \t]*)?(?![ \t])"
)
# What begins behind the title in its line: `1. B 2. C`, or `1-5 ABCDE`.
_ENTRIES = (
    r"[(（]?1(?P<mark>[ \t]*[.．、)）:：]|[ \t])[^\n]{1,60}?[\s;；,，(（]2(?P=mark)"
    rf"|1[ \t]*[-~～–—至][ \t]*\d+[ \t.:：、．]*[{OPTION}]{{2}}"
)


@layered
def _title() -> re.Pattern[str]:
    """A short line with a word for answers, or one that goes on with the first."""
    said = (
        rf"(?:{words('answer', 'result')}\w{{0,3}}"
        rf"|{words('answer', 'solution', languages=SCHOOL)}|\bkey\b)"
    )
    return re.compile(
        rf"(?mi)^{_NO_OPTION}[ \t]*{_DRESS}"
        rf"(?P<title>[^\n$&=.:：。，?？【]{{0,40}}?{said}[^\n$&=.:：。，?？】]{{0,60}}?)"
        r"(?:[ \t:：]*(?:(?:\}|\*\*)[ \t:：]*)?$"
        rf"|[:：][*}} \t]*(?={_ENTRIES}))"
    )


@layered
def _answers() -> re.Pattern[str]:
    return re.compile(rf"(?i){words('answer', 'result')}|key")


Reading = Literal["key", "worked", "section", "both"]


class KeyText(msgspec.Struct, frozen=True):
    """A text from its title on, and from `begin` on: answers, `worked` ones, or perhaps problems
    (`both`).
    """

    start: int
    begin: int
    end: int
    reading: Reading
    title: str


def named_keys(
    text: str, template: Template | None = None, sections: frozenset[int] = frozenset()
) -> list[KeyText]:
    """The answer keys in a text, each behind a heading that announces one.

    Numbers that stood before stand again behind it; a heading that comes below a single problem
    announces no key, wherever it comes again. Where keys stand behind every chapter, they end at
    the heading of the same rank that follows. Where the numbers go on behind it, it heads a
    section (三、解答题), and so do those that start at `sections`.
    """
    heads = [head for head in _titles(text) if head.start() not in sections]
    ends = [*(head.start() for head in heads[1:]), len(text)]
    names = [re.sub(r"[\W\d]+", "", head[0]).lower() for head in heads]
    keys = [
        read_key(text[head.end() : end], template=template)
        for head, end in zip(heads, ends, strict=False)
    ]
    times = Counter(names)
    pairs = zip(names, keys, strict=True)
    answering = Counter(name for name, entries in pairs if len(entries) > 1)
    below_each = {name for name in names if times[name] > max(2, 2 * answering[name])}
    printed = [*candidates(blind(text)).values()]
    numbers = sorted((c.start, c.number) for lines in printed for c in lines)
    named: list[KeyText] = []
    before = list[int]()  # the numbers that stand before a heading
    k = 0
    for head, name, end, entries in zip(heads, names, ends, keys, strict=False):
        while k < len(numbers) and numbers[k][0] < head.start():
            before.append(numbers[k][1])
            k += 1
        stop = _key_end(text, head, end) if times[name] > 1 else end
        if named and head.start() <= named[-1].end:
            named[-1] = msgspec.structs.replace(named[-1], end=stop)
        else:
            if max(before, default=0) < 2 and times[name] > 2:
                below_each.add(name)
            goes_on = bool(entries and before) and entries[0].number == before[-1] + 1
            answers_some = len(entries) > 1 and entries[0].number in before
            answers_some &= not goes_on
            if name in below_each or not answers_some:
                continue
            if _goes_on(printed, head.start(), entries[0].number):
                continue  # 三、解答题: a section of questions, which are numbered on
            reading: Reading = "key" if _answers().search(head[0]) else "worked"
            key = KeyText(head.start(), head.end(), stop, reading, head["title"])
            named.append(key)
        if stop < end:
            before = []
            k = bisect_left(numbers, (stop, 0))
    return named


def _goes_on(printed: list[list[Candidate]], start: int, first: int) -> bool:
    """Whether the numbers of a template go on behind a heading at `start`; a key begins anew."""
    for lines in printed:
        k = bisect_left(lines, start, key=lambda one: one.start)
        follows = k and lines[k - 1].number + 1 == first > 2
        if follows and lines[k : k + 1] and lines[k].number == first:
            return True
    return False


def _titles(text: str) -> list[re.Match[str]]:
    """The headings that announce answers and are followed by some."""
    return [
        head for head in _title().finditer(text) if _numbers_follow(text, head.end())
    ]


_DIGIT = re.compile(
    rf"\s*(?:(?:[-(（#*|【\[]+\s*)?\d|[{HAN_ORDER}]|\\begin\{{tab|\||Part|Section|<table)"
)


_LABELS = re.compile(
    r"\s*[^\W\d_][^\n\d.。?？]{0,40}[:：][ \t]*(?=\n|[(（]?1\b)"
)  # `Linear:`


def _numbers_follow(text: str, start: int) -> bool:
    """Whether numbers, a table or a section follow at once, or the first of another template."""
    label = _LABELS.match(text, start)
    start = label.end() if label else start
    line = text[start : start + 400].strip().partition("\n")[0]
    firsts = (
        c.number == 1 for found in candidates(blind(line)).values() for c in found
    )
    return bool(_DIGIT.match(text, start)) or any(firsts)


def _key_end(text: str, head: re.Match[str], end: int) -> int:
    """The next heading of the same rank, before `end`."""
    if not head["marks"] and "section" not in head[0]:
        return end
    level = (
        rf"#{{1,{len(head['marks'])}}}(?!#)"
        if head["marks"]
        else r"[ \t]*\\(?:chapter|section)\b"
    )
    following = re.compile(f"(?m)^{level}").search(text, head.end(), end)
    return following.start() if following else end


# Reading a key ----------------------------------------------------------------------------------

_RANGE = re.compile(
    r"(?<![\d$\\])(\d{1,4})\s*[-~～–—至]\s*(\d{1,4})\s*[.:：、．]?\s*"
    rf"((?:[{OPTION}](?![a-z])[ \t,，]*\n?){{2,}})"
)
_IN_TITLE = re.compile(  # a section's answers follow in the line of its title: `一、1. A 2. C`
    rf"(?m)^[ \t]*(?:(?:[{HAN_ORDER}]{{1,3}}[ \t]*[、.．]|[(（][{HAN_ORDER}]{{1,3}}[)）])"
    r"[^\n\d]{0,20}?(?=[(（]?\d{1,4}[ \t]*(?:[.．、](?!\d)|[-~～–—至][ \t]*\d))"
    r"|[^\W\d_][^\n\d:：]{0,30}[:：][ \t]*(?=\d{1,4}[.)][ \t][^\n]{1,40}?[ \t]\d{1,4}[.)][ \t]))"
)
_SHORT = 60  # characters of an answer that stands in one line with others
_Block = tuple[int, int, list[KeyEntry]]  # what is read: text[start:end] holds entries


def read_key(
    text: str, worked: bool = False, template: Template | None = None
) -> list[KeyEntry]:
    """The entries of an answer key in the order they stand, whatever its shape.

    What looks like a heading is a number where it is one in the exam: `template`. Below a heading
    that announces solutions and no answers, or where `worked`, only short values are answers.

    >>> [(e.number, e.answer) for e in read_key("1-3 CAB  4. (D)")]
    [(1, 'C'), (2, 'A'), (3, 'B'), (4, 'D')]
    """
    covered = blind(text)
    lines = candidates(covered).get(template, []) if template else []
    numbered = {line.start for line in lines}
    parts = {
        head.start: head.end
        for head in headings(text)
        if not head.weak and head.start not in numbered
    }
    parts |= {title.start(): title.end() for title in _IN_TITLE.finditer(text)}
    below = {-1: worked}  # where a heading starts: whether solutions stand below it
    for head in _titles(text):
        below[head.start()] = not _answers().search(head[0])
        parts[head.start()] = head.end()
    heads = sorted(parts)
    blocks: list[_Block] = [(start, parts[start], []) for start in heads]
    for match in _RANGE.finditer(covered):
        if entries := _range(match):
            blocks.append((match.start(), match.end(), entries))
    rest = blanked(covered, sorted(block[:2] for block in blocks))
    blocks += _key_tables(text, _line_numbers(rest, heads, template), heads)
    rest = blanked(covered, sorted(block[:2] for block in blocks))
    numbers = _line_numbers(rest, heads, template)
    starts = [*(block[0] for block in blocks), *(number.start for number in numbers)]
    stops = sorted([*starts, len(text)])
    for this in numbers:
        end = stops[bisect_left(stops, this.end)]
        above = [-1, *heads][bisect_left(heads, this.start)]
        body = text[this.end : end]
        is_worked = below.get(above, False)
        entry = read_entry(body, this.number, this.chapter, is_worked)
        blocks.append((this.start, end, [entry]))
    blocks.sort(key=lambda block: block[0])
    every = (entry for *_, entries in blocks for entry in entries)
    return [entry for entry in every if entry.answer or entry.solution]


def _range(match: re.Match[str]) -> list[KeyEntry]:
    letters = re.findall(f"[{OPTION}]", match[3])
    numbers = range(int(match[1]), int(match[2]) + 1)
    return [*map(KeyEntry, numbers, letters)] if len(letters) == len(numbers) else []


@layered
def _mark() -> re.Pattern[str]:
    return re.compile(rf"【|(?i:{words('answer', languages=SCHOOL)})|解析")


_LONE = re.compile(r"(?<=[ \t])\S")  # what stands behind a number without marks


def _line_numbers(
    covered: str, heads: list[int], exams: Template | None
) -> list[Candidate]:
    """The numbers of a key in the template that has most, or in the exam's where no list has it.

    They are at line starts, and between them in lines that hold several short answers.
    """
    best: list[Candidate] = []
    tokens = candidates(re.sub(r"[ \t　;；,，|&]", "\n", covered))
    for template, lines in candidates(covered).items():
        if template.of_parts and best:
            continue
        at_start = numbers_of(template, lines, covered, heads, _LONE)
        marked = {c.start: c.number for c in at_start if _mark().match(covered, c.end)}
        twice = {*marked.values()}
        at_start = [c for c in at_start if c.start in marked or c.number not in twice]
        run, _ = best_path(at_start, heads, lambda step: 0.3)
        numbers = _with_inline(covered, run, tokens.get(template, []))
        is_telling = bool(template.word) or template.script == "dotted"
        if template == exams and is_telling and len(run) > 2:
            return with_word(numbers, covered)
        may_be_values = is_bare(template) and 2 * len(best) > len(numbers) > 2
        if len(numbers) > len(best) and not may_be_values:
            best = numbers
    return with_word(best, covered)


def _with_inline(
    covered: str, run: list[Candidate], everywhere: list[Candidate]
) -> list[Candidate]:
    """Between two numbers of line starts, those in the line when short answers part them."""
    starts = [candidate.start for candidate in everywhere]
    ends = [*(candidate.start for candidate in run[1:]), len(covered)]
    numbers: list[Candidate] = []
    for this, following, end in zip(run, [*run[1:], None], ends, strict=False):
        goes_on = following is not None and following.number > this.number
        limit = following.number if following and goes_on else 10**6
        inline = [this]
        first = bisect_left(starts, this.end)
        last = bisect_left(starts, end)
        for rival in everywhere[first:last]:
            between = covered[inline[-1].end : rival.start]
            if "\n" in between.strip() or len(between) > _SHORT:
                break
            step = rival.number - inline[-1].number
            usual = inline[1].number - this.number if inline[1:] else step
            is_next = step == usual and step in (1, 2) and rival.number < limit
            if is_next and between.strip():
                inline.append(rival)
        numbers += inline
    return numbers


def _key_tables(
    text: str, lines: list[Candidate], heads: list[int]
) -> Iterator[_Block]:
    """Tables of numbers and answers; one behind a numbered line is part of that answer."""
    parted = sorted(
        [*((start, False) for start in heads), *((c.start, True) for c in lines)]
    )
    for rows, start, end in tables(text):
        clean = [[cell.strip().strip("*").strip() for cell in row] for row in rows]
        turned = [*zip_longest(*clean, fillvalue="")]
        pairs = [_pairs(table, first) for table in (turned, clean) for first in (0, 1)]
        entries = max(pairs, key=_steps_of_one)
        above = bisect_left(parted, (start, False))
        if len(entries) >= 2 and not (above and parted[above - 1][1]):
            yield start, end, entries


def _steps_of_one(entries: list[KeyEntry]) -> int:
    return sum(b.number - a.number == 1 for a, b in pairwise(entries))


_CELL_NUMBER = re.compile(r"\$?[(（]?\s*(\d{1,4})\s*[)）.．、]?\$?")


def _pairs(table: Sequence[Sequence[str]], first: int) -> list[KeyEntry]:
    """The entries of the columns `first`, `first + 2`, .. and of those beside them."""
    columns = range(first, max(map(len, table), default=0) - 1, 2)
    cells = [row[k : k + 2] for k in columns for row in table if k + 1 < len(row)]
    numbers = [_CELL_NUMBER.fullmatch(number) for number, _ in cells]
    both = zip(numbers, cells, strict=True)
    return [
        read_entry(answer, int(number[1]))
        for number, (_, answer) in both
        if number and answer
    ]


_WORDS = re.compile(rf"\$[^$]*\$|([A-Za-z]{{2,}}|[{HAN}])")


def read_entry(
    body: str, number: int, chapter: str = "", worked: bool = False
) -> KeyEntry:
    """An answer, with its solution where marks or paragraphs part the two."""
    said = inline_answer(body.strip().strip(";；,，").strip())
    answer = said.answer or said.of_parts
    before = said.text if not said.parts else ""
    solution = "\n".join(filter(None, [said.solution, said.hint]))
    is_short = "\n\n" not in before and len(before) <= (80 if worked else 600)
    is_text = worked and sum(map(bool, _WORDS.findall(before))) > 1
    if not answer and is_short and not is_text:
        answer, before = before, ""
    if points_elsewhere(answer):
        answer, before = "", answer
    solution = "\n".join(filter(None, [before, solution]))
    return KeyEntry(number, bare(answer), solution, two_answers(body), chapter)


# Joining ----------------------------------------------------------------------------------------

_ANOTHER = re.compile(rf"\n{LINE_NUMBER.pattern.removeprefix('(?m)^')}")


class Numbered(Protocol):
    """A problem, or an entry of a key."""

    @property
    def number(self) -> int: ...
    @property
    def label(self) -> str: ...


def placed(labels: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Each label, and the run it is in: a new one starts where a label stands again."""
    run = 1
    before = set[str]()
    for label in labels:
        if label in before:
            run += 1
            before.clear()
        before.add(label)
        yield run, label


def join_key(
    problems: Sequence[Numbered], entries: Sequence[KeyEntry]
) -> tuple[list[KeyEntry | None], str]:
    """The entry for each problem, and why there is none.

    Entries are joined by label only, chapters included where both sides print them. Where the
    exam's start again, the key's must start again as often; a key that starts again for an exam
    that does not (short answers, then worked solutions) must not contradict itself. A key that
    answers a number beyond the exam's is another exam's, and is refused whole.
    """
    chapters = _has_chapters(problems) and _has_chapters(entries)
    places, places_in_key = (
        [*placed(one.label if chapters else str(one.number) for one in side)]
        for side in (problems, entries)
    )
    runs = places[-1][0]
    runs_of_key = places_in_key[-1][0] if places_in_key else 0
    refusals = [] if entries else ["the key has no entries"]
    if runs > 1 and runs_of_key != runs:
        refusals.append(f"the key has {runs_of_key} run(s) of numbers, the exam {runs}")
    numbers: dict[tuple[int, str], list[int]] = {}  # of each run and chapter
    for (run, label), problem in zip(places, problems, strict=True):
        numbers.setdefault((run, label.rpartition(".")[0]), []).append(problem.number)
    key: dict[tuple[int, str], KeyEntry] = {}
    for (run, label), entry in zip(places_in_key, entries, strict=True):
        run = run if runs > 1 else 1
        before = key.get((run, label), KeyEntry(entry.number, ""))
        reach = numbers.get((run, label.rpartition(".")[0]), [0])
        if _ANOTHER.search(entry.answer):
            refusals.append(f"the key has other numbers behind {label}")
        if before.answer and entry.answer and before.answer != entry.answer:
            refusals.append(f"the key answers problem {label} twice")
        if not min(reach) <= entry.number <= max(reach):
            refusals.append(f"the key answers problem {label}, which the exam has not")
        key[run, label] = KeyEntry(
            entry.number,
            before.answer or entry.answer,
            "\n".join(filter(None, [before.solution, entry.solution])),
            before.contrary or entry.contrary,
        )
    if refusals:
        return [None] * len(places), refusals[0]
    return [key.get(place) for place in places], ""


def _has_chapters(side: Sequence[Numbered]) -> bool:
    return any(one.label != str(one.number) for one in side)
