"""Answer keys: found, read as entries, joined to the problems by number or refused."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

import msgspec

from ...latex import HAN
from ...words import HAN_ORDER, SCHOOL, words
from ..documents import tables
from .headings import headings
from .inline_answers import bare, inline_answer
from .numbering import LINE_NUMBER, best_path, numbers_of, with_decimals, with_word
from .plain_text import blanked, blind
from .templates import Candidate, Template, candidates


class KeyEntry(msgspec.Struct, frozen=True):
    """What a key says about one problem; `twice` when its number, or the next, stands
    there again, unmarked: then it has no answer.
    """

    number: int
    answer: str
    solution: str = ""
    twice: bool = False


# Where keys stand -------------------------------------------------------------------------------

_SAID = (
    rf"(?:{words('answer', 'result')}\w{{0,3}}"
    rf"|{words('answer', 'solution', languages=SCHOOL)}|\bkey\b)"
)
_TITLE = re.compile(  # a short line with a word for answers, or one that goes on with the first
    r"(?mi)^[ \t]*(?:\\(?:sub)*section\*?\{|(?P<marks>#{1,6})[ \t]*|\*\*|\\textbf\{)?[ \t]*"
    rf"(?P<title>[^\n$&=.:：。，?？【]{{0,40}}?{_SAID}[^\n$&=.:：。，?？】]{{0,60}}?)"
    r"(?:[ \t:：]*(?:\}|\*\*)?[ \t:：]*$|[:：][*} \t]*(?=[(（]?1(?P<mark>[ \t]*[.．、)）:：]|[ \t])"
    r"[^\n]{1,60}?[\s;；,，(（]2(?P=mark)|1[ \t]*[-~～–—至][ \t]*\d+[ \t.:：、．]*[A-H]{2}))"
)
_ANSWERS = re.compile(rf"(?i){words('answer', 'result')}|key")


class KeyText(msgspec.Struct, frozen=True):
    """An answer key in a text: from its heading on, and what it says from `begin` on."""

    start: int
    begin: int
    end: int
    solutions_only: bool = False


def find_keys(text: str, template: Template | None = None) -> list[KeyText]:
    """The answer keys in a text, each behind a heading that announces one.

    Behind such a heading the numbers start again; where they go on, as below every single problem,
    it announces no key. Where keys stand behind every chapter, they end at the heading of the same
    rank that follows.
    """
    heads = [h for h in _TITLE.finditer(text) if _numbers_follow(text, h.end())]
    ends = [*(head.start() for head in heads[1:]), len(text)]
    segments = [
        read_key(text[h.end() : end], template=template)
        for h, end in zip(heads, ends, strict=False)
    ]
    sizes: dict[str, list[int]] = {}
    for head, entries in zip(heads, segments, strict=True):
        sizes.setdefault(_words(head), []).append(len(entries))
    found: list[KeyText] = []
    before: dict[str, int] = {}  # the highest number in front of the first heading of its words
    highest, position = 0, 0
    for k, (head, entries) in enumerate(zip(heads, segments, strict=True)):
        again = found and head.start() <= found[-1].end
        for line in LINE_NUMBER.finditer(text, position, head.start()):
            highest = max(highest, int(re.sub(r"\D", "", line[0])))
        position = head.start()
        times = sizes[_words(head)]
        below_each = len(times) >= 3 and (
            before.setdefault(_words(head), highest) < 2 or median(times) < 2
        )
        starts_again = entries and (again or not highest or entries[0].number <= highest)
        if not again and (below_each or len(entries) < 2 or not starts_again):
            continue
        end = _key_end(text, head, ends[k]) if len(times) > 1 else ends[k]
        if again:
            found[-1] = msgspec.structs.replace(found[-1], end=end)
        else:
            solutions_only = not _ANSWERS.search(head[0])
            found.append(KeyText(head.start(), head.end(), end, solutions_only))
        highest = 0 if end < ends[k] else highest
        position = max(position, end)
    return found


_DIGIT = re.compile(
    rf"\s*(?:[-(（#*|【\[]*\s*\d|[{HAN_ORDER}]|\\begin\{{tab|\||Part|Section|<table)"
)


def _numbers_follow(text: str, start: int) -> bool:
    """Whether numbers, a table or a section follow at once, or the first of another template."""
    line = text[start : start + 400].strip().partition("\n")[0]
    firsts = (c.number == 1 for found in candidates(blind(line)).values() for c in found)
    return bool(_DIGIT.match(text, start)) or any(firsts)


def _words(head: re.Match[str]) -> str:
    return re.sub(r"[\W\d]+", "", head[0]).lower()


def _key_end(text: str, head: re.Match[str], end: int) -> int:
    """The next heading of the same rank, before `end`."""
    if head["marks"]:
        rank = rf"(?m)^#{{1,{len(head['marks'])}}}(?!#)"
    elif "section" in head[0]:
        rank = r"(?m)^[ \t]*\\(?:chapter|section)\b"
    else:
        return end
    following = re.compile(rank).search(text, head.end(), end)
    return following.start() if following else end


# Reading a key ----------------------------------------------------------------------------------

_RANGE = re.compile(
    r"(?<![\d$\\])(\d{1,4})\s*[-~～–—至]\s*(\d{1,4})\s*[.:：、．]?\s*"
    r"((?:[A-H](?![a-z])[ \t,，]*\n?){2,})"
)
_IN_TITLE = re.compile(  # a section's answers follow in the line of its title: `一、1. A 2. C`
    rf"(?m)^[ \t]*(?:[{HAN_ORDER}]{{1,3}}[ \t]*[、.．]|[(（][{HAN_ORDER}]{{1,3}}[)）])"
    r"[^\n\d]{0,20}?(?=[(（]?\d{1,4}[ \t]*(?:[.．、](?!\d)|[-~～–—至][ \t]*\d))"
)
_SHORT = 60  # characters of an answer that stands in one line with others
_Block = tuple[int, int, list[KeyEntry]]  # what is read already: start, end, entries


def read_key(
    text: str, solutions_only: bool = False, template: Template | None = None
) -> list[KeyEntry]:
    """The entries of an answer key in the order they stand, whatever its shape.

    What looks like a heading is a number where it is one in the exam: `template`. Below a heading
    that announces solutions and no answers, or where `solutions_only`, only short values are
    answers.

    >>> [(e.number, e.answer) for e in read_key("1-3 CAB  4. (D)")]
    [(1, 'C'), (2, 'A'), (3, 'B'), (4, 'D')]
    """
    covered = blind(text)
    numbered = {c.start for c in candidates(covered).get(template, [])} if template else set()
    lines = {head.start: head.end for head in headings(text) if not head.weak}
    lines = {start: end for start, end in lines.items() if start not in numbered}
    lines |= {title.start(): title.end() for title in _IN_TITLE.finditer(text)}
    worked = {0: solutions_only}  # from where on solutions stand
    for head in _TITLE.finditer(text):
        if _numbers_follow(text, head.end()):
            lines[head.start()] = head.end()
            worked[head.start()] = not _ANSWERS.search(head[0])
    heads = sorted(lines)
    blocks: list[_Block] = [(start, lines[start], []) for start in heads]
    blocks += [
        (m.start(), m.end(), found) for m in _RANGE.finditer(covered) if (found := _range(m))
    ]
    numbers, _ = _line_numbers(_uncovered(covered, blocks), heads)
    blocks += _key_tables(text, numbers, heads)
    numbers, twice = _line_numbers(_uncovered(covered, blocks), heads)
    entries = [(start, found) for start, _, found in blocks]
    stops = sorted([*(start for start, _, _ in blocks), *(n.start for n in numbers), len(text)])
    for this in numbers:
        body = text[this.end : stops[bisect_left(stops, this.end)]]
        above = max(start for start in [0, *heads] if start <= this.start)
        entry = _entry(this.number, body, worked.get(above, False))
        unread = rf"[;；,，]\s*{this.number + 1}(?!\d)[\s.．、)）:：]"
        if this.start in twice or re.search(unread, entry.answer):  # where does it end?
            entry = KeyEntry(this.number, "", body.strip(), twice=True)
        entries.append((this.start, [entry]))
    entries.sort(key=lambda entry: entry[0])
    return [entry for _, found in entries for entry in found if entry.answer or entry.solution]


def _uncovered(covered: str, blocks: list[tuple[int, int, list[KeyEntry]]]) -> str:
    """The text without what is read already."""
    return blanked(covered, sorted(block[:2] for block in blocks))


def _range(match: re.Match[str]) -> list[KeyEntry]:
    letters = re.findall("[A-H]", match[3])
    first, last = int(match[1]), int(match[2])
    if len(letters) != last - first + 1:
        return []
    return [KeyEntry(n, x) for n, x in zip(range(first, last + 1), letters, strict=True)]


_LONE = re.compile(r"(?<=[ \t])\S")  # what stands behind a number without marks


def _line_numbers(covered: str, heads: list[int]) -> tuple[list[Candidate], set[int]]:
    """The numbers of a key in the template that has most, and the starts of those that stand twice.

    They are at line starts, and between them in lines that hold several short answers.
    """
    best: list[Candidate] = []
    twice: set[int] = set()
    tokens = candidates(re.sub(r"[ \t　;；,，|&]", "\n", covered))
    cells = candidates(re.sub(r"[;；,，|&]", "\n", covered))

    def marked(start: int, end: int) -> float:
        return 0.02 if _MARK.match(covered, start) else 0.0

    for template, at_start in candidates(covered).items():
        if template.of_parts and best:
            continue
        decimals = [c for c in at_start if c.weak]
        at_start = numbers_of(template, at_start, covered, heads, _LONE)
        run, _ = best_path(at_start, heads, marked, len(covered), lambda step: 0.3)
        run, _ = with_decimals(run, decimals, lambda start, end: True, len(covered))
        bare = not template.word and not template.marks
        everywhere = (cells if bare else tokens).get(template, [])
        numbers = _with_inline(covered, run, everywhere)
        if len(numbers) > len(best) and not (bare and 2 * len(best) > len(numbers) > 2):
            best, twice = numbers, _twice(covered, run, at_start)
    return with_word(best, covered), twice


_MARK = re.compile(rf"【|(?i:{words('answer', languages=SCHOOL)})|解析")


def _twice(covered: str, run: list[Candidate], at_start: list[Candidate]) -> set[int]:
    """Where numbers start that stand twice, with no mark behind the one that is taken."""
    numbers = [candidate.start for candidate in run]
    found: set[int] = set()
    used = set(numbers)
    for rival in at_start:
        if rival.start in used:
            continue
        k = bisect_left(numbers, rival.start)
        for this in run[max(0, k - 1) : k + 1]:
            if this.number == rival.number and not _MARK.match(covered, this.end):
                found.add(this.start)
    return found


def _with_inline(
    covered: str, run: list[Candidate], everywhere: list[Candidate]
) -> list[Candidate]:
    """Between two numbers of line starts, those in the line when short answers part them."""
    starts = [candidate.start for candidate in everywhere]
    numbers: list[Candidate] = []
    for k, this in enumerate(run):
        following = run[k + 1] if k + 1 < len(run) else None
        end = following.start if following else len(covered)
        limit = following.number if following and following.number > this.number else 10**6
        inline: list[Candidate] = []
        before = this
        for rival in everywhere[bisect_left(starts, this.end) : bisect_left(starts, end)]:
            between = covered[before.end : rival.start]
            if "\n" in between.strip() or len(between) > _SHORT:
                break
            step = rival.number - before.number
            if (
                between.strip()
                and rival.number < limit
                and step == (1 if not inline else inline[0].number - this.number)
            ) or (between.strip() and rival.number < limit and step == 2 and not inline):
                inline.append(rival)
                before = rival
        numbers += [this, *inline]
    return numbers


def _key_tables(
    text: str, lines: list[Candidate], heads: list[int]
) -> list[tuple[int, int, list[KeyEntry]]]:
    """Tables of numbers and answers; one behind a numbered line is part of that answer."""
    found = []
    starts = [line.start for line in lines]
    for rows, start, end in tables(text):
        entries = _table_entries(rows)
        k = bisect_left(starts, start) - 1
        h = bisect_left(heads, start) - 1
        inside = k >= 0 and (h < 0 or starts[k] > heads[h]) and starts[k] < start
        if len(entries) >= 2 and not inside:
            found.append((start, end, entries))
    return found


def _table_entries(rows: list[list[str]]) -> list[KeyEntry]:
    """Pairs of columns, or pairs of rows: numbers beside or above the answers."""
    clean = [[cell.strip().strip("*").strip() for cell in row] for row in rows]
    beside: list[KeyEntry] = []
    for column in range(0, max(map(len, clean), default=0) - 1, 2):
        for row in clean:
            if column + 1 < len(row) and _digits(row[column]) and row[column + 1]:
                beside.append(_entry(int(_digits(row[column])), row[column + 1]))
    below: list[KeyEntry] = []
    rows_left = iter(clean)
    for upper in rows_left:
        numbers = [(k, int(_digits(c))) for k, c in enumerate(upper) if _digits(c)]
        steady = all(b - a == 1 for (_, a), (_, b) in pairwise(numbers))
        if len(numbers) >= 2 and steady and len(numbers) + 1 >= sum(map(bool, upper)):
            lower = next(rows_left, [])
            below += [_entry(n, lower[k]) for k, n in numbers if k < len(lower) and lower[k]]
    return max(below, beside, key=_length_of_run)


def _length_of_run(entries: list[KeyEntry]) -> int:
    """How many entries follow their number's predecessor."""
    return sum(b.number - a.number == 1 for a, b in pairwise(entries))


def _digits(cell: str) -> str:
    match = re.fullmatch(r"\$?[(（]?\s*(\d{1,4})\s*[)）.．、]?\$?", cell)
    return match[1] if match else ""


_WORKED = re.compile(
    r"(?i)\s*(?:(?:解|证明|证|proof|solution)[ \t]*[:：.]|解析|【)"
    r"|[\s\S]*(?:[∵∴]|\\(?:because|therefore)\b|因为|所以|由题|故选|故答案)"
)
_REFERS = re.compile(
    r"(?i)\s*(?:略|见解析|详?见[^\n]{0,8}|答案略|omitted|see (?:the )?solutions?"
    r"|answers? (?:may|will) vary)[.。 \t]*"
)


def _entry(number: int, body: str, worked: bool = False) -> KeyEntry:
    """An answer, with its solution where marks or paragraphs part the two."""
    before, answer, solution = inline_answer(body.strip().strip(";；,，").strip())
    short = "\n\n" not in before and len(before) <= (80 if worked else 600)
    few = not worked or len(re.findall(rf"[A-Za-z]{{2,}}|[{HAN}]", _FORMULA.sub("", before))) <= 1
    if not answer and short and few and not _WORKED.match(before):
        answer, before = before, ""
    if _REFERS.fullmatch(answer):
        answer, before = "", answer
    return KeyEntry(number, bare(answer), "\n".join(filter(None, [before, solution])))


_FORMULA = re.compile(r"\$[^$]*\$")


# Joining ----------------------------------------------------------------------------------------


_ANOTHER = re.compile(rf"\n{LINE_NUMBER.pattern.removeprefix('(?m)^')}")


def join_key(
    numbers: Sequence[tuple[int, int]], entries: list[KeyEntry]
) -> tuple[list[KeyEntry | None], str]:
    """The entry for each problem, given as (run of numbers, number), and why there is none.

    Entries are joined by number only. Where the exam's numbers start again, the key's must start
    again as often; a key that starts again for an exam that does not (short answers, then worked
    solutions) must not contradict itself. A key that answers a number beyond the exam's is another
    exam's, and is refused whole.
    """
    runs: list[list[KeyEntry]] = []
    for entry in entries:
        if not runs or entry.number <= runs[-1][-1].number:
            runs.append([])
        runs[-1].append(entry)
    parts = sorted({part for part, _ in numbers})
    if not runs:
        return [None] * len(numbers), "the key has no entries"
    mixed = [entry.number for entry in entries if _ANOTHER.search(entry.answer)]
    if mixed:
        return [None] * len(numbers), f"the key has other numbers behind {mixed[0]}"
    if len(parts) == 1:
        merged: dict[int, KeyEntry] = {}
        for entry in entries:
            known = merged.get(entry.number, KeyEntry(entry.number, ""))
            if known.answer and entry.answer and known.answer != entry.answer:
                return [None] * len(numbers), f"the key answers problem {entry.number} twice"
            solution = "\n".join(filter(None, [known.solution, entry.solution]))
            merged[entry.number] = KeyEntry(entry.number, known.answer or entry.answer, solution)
        runs = [list(merged.values())]
    if len(runs) != len(parts):
        reason = f"the key has {len(runs)} run(s) of numbers, the exam {len(parts)}"
        return [None] * len(numbers), reason
    key = {(p, entry.number): entry for p, run in zip(parts, runs, strict=True) for entry in run}
    own = {part: [n for p, n in numbers if p == part] for part in parts}
    range_of = {part: (min(ns), max(ns)) for part, ns in own.items()}
    for part, number in key:
        if not range_of[part][0] <= number <= range_of[part][1]:
            return [None] * len(
                numbers
            ), f"the key answers problem {number}, which the exam has not"
    return [key.get(problem) for problem in numbers], ""
