"""Answer keys: found, read as (number, answer) pairs, joined by number or refused."""

from __future__ import annotations

import re
from itertools import pairwise

from ...latex import maths_spans
from ...problem import Option
from ..documents import tables
from .labels import CIRCLED, LETTERS
from .numbering import sections

_KEY_HEAD = re.compile(
    r"(?mi)^[ \t]*(?:\\(?:sub)*section\*?\{|#{1,6}[ \t]*|\*\*|\\textbf\{)?[ \t]*"
    r"(?:(?:(?:the[ \t]+)?(?:answer[ \t]*(?:key|sheet)?s?|solutions?(?:[ \t]+key)?"
    r"|correct[ \t]+answers|key)|(?:参考)?答案(?:与解析|及解析)?)[ \t]*[:：]?[ \t]*"
    r"(?:\}|\*\*)?[ \t]*$"
    r"|(?:answers|answer[ \t]+key|参考答案)[ \t]*[:：][*} \t]*(?=\(?1\D))"  # and then the key
)
_BULLET = re.compile(r"(?m)^[ \t]*[-*+•][ \t]+(?=[(（]?\d)")
_RANGE = re.compile(r"(\d{1,3})\s*[-~～–—至]\s*(\d{1,3})\s*[.:：、．]?\s*((?:[A-H]\s*){2,})")
_ENTRY = re.compile(
    r"(?:^|(?<=[\s;；,，|&]))[(（\[]?(\d{1,3})"
    r"([)）\]]|[ \t]*(?:[．）、]|[.:：)](?!\d)|-(?=[ \t])))?"
    r"\s*(?=\S)",
    re.M,
)
_LETTER = re.compile(rf"^[(（\[*]*\s*([A-Ha-h{CIRCLED}])\s*[)）\]*.]*$")


def split_key(text: str) -> tuple[str, str]:
    """The exam and the answer key behind the last heading that announces one."""
    for match in reversed(list(_KEY_HEAD.finditer(text))):
        if len(read_key(text[match.end() :])) >= 2:
            return text[: match.start()], text[match.end() :]
    return text, ""


def read_key(text: str) -> list[tuple[int, str]]:
    """The entries of an answer key in the order they stand, whatever its shape.

    >>> read_key("1-3 CAB  4. (D)"), read_key("1. $12$\\n2. B")
    ([(1, 'C'), (2, 'A'), (3, 'B'), (4, 'D')], [(1, '$12$'), (2, 'B')])
    """
    for head in reversed(sections(text)):
        text = text[: head.start] + text[head.end :]
    text = _BULLET.sub("", text)
    entries: list[tuple[int, str]] = []
    position = 0
    for rows, start, end in tables(text):
        entries += _run_entries(text[position:start]) + _table_entries(rows)
        position = max(position, end)
    return entries + _run_entries(text[position:])


def _table_entries(rows: list[list[str]]) -> list[tuple[int, str]]:
    """Pairs of columns, or pairs of rows: numbers beside or above the answers."""
    clean = [[cell.strip().strip("*").strip() for cell in row] for row in rows]
    beside: list[tuple[int, str]] = []
    for column in range(0, max(map(len, clean), default=0) - 1, 2):
        for row in clean:
            if column + 1 < len(row) and _digits(row[column]) and row[column + 1]:
                beside.append((int(_digits(row[column])), _bare(row[column + 1])))
    below: list[tuple[int, str]] = []
    for upper, lower in pairwise(clean):
        numbers = [(k, int(_digits(c))) for k, c in enumerate(upper) if _digits(c)]
        steady = all(b - a == 1 for (_, a), (_, b) in pairwise(numbers))
        if len(numbers) >= 2 and steady:
            below += [(n, _bare(lower[k])) for k, n in numbers if k < len(lower) and lower[k]]
    return max(below, beside, key=_length_of_run)


def _length_of_run(entries: list[tuple[int, str]]) -> int:
    """How many entries follow their number's predecessor."""
    return sum(b - a == 1 for (a, _), (b, _) in pairwise(entries))


def _digits(cell: str) -> str:
    match = re.fullmatch(r"\$?[(（]?\s*(\d{1,3})\s*[)）.．、]?\$?", cell)
    return match[1] if match else ""


def _run_entries(text: str) -> list[tuple[int, str]]:
    """`1. C 2. D`, `1-5 CDABC`, one a line or many, in increasing order."""
    entries: list[tuple[int, str]] = []
    covered = list(text)
    for match in _RANGE.finditer(text):
        letters = re.findall("[A-H]", match[3])
        first, last = int(match[1]), int(match[2])
        if len(letters) == last - first + 1:
            entries += list(zip(range(first, last + 1), letters, strict=True))
            covered[match.start() : match.end()] = "\n" * (match.end() - match.start())
    rest = "".join(covered)
    for span in maths_spans(rest):
        covered[span.start : span.end] = "\ufdd3" * (span.end - span.start)
    matches = _increasing(list(_ENTRY.finditer("".join(covered))))
    ends = [*(match.start() for match in matches[1:]), len(rest)]
    for match, end in zip(matches, ends, strict=False):
        answer = rest[match.end() : end].strip().strip(";；,，").strip()
        if answer:
            entries.append((int(match[1]), _bare(answer)))
    return entries


def _increasing(matches: list[re.Match[str]]) -> list[re.Match[str]]:
    """Drop numbers that are answers: keep steps of one, and restarts at 1 at a line's start.

    When the first number has a mark behind it, all have.
    """
    matches = [match for match in matches if match[2] or not matches[0][2]]
    kept: list[re.Match[str]] = []
    for match in matches:
        number = int(match[1])
        follows = not kept or number == int(kept[-1][1]) + 1
        restarts = number == 1 and match.string[: match.start()].endswith("\n")
        if follows or restarts:
            kept.append(match)
    return kept


def _bare(answer: str) -> str:
    letter = _LETTER.match(answer.strip().strip("$"))
    return letter[1] if letter else answer.strip()


def as_label(answer: str, options: list[Option]) -> str:
    """`b` or `②` where the options are called A, B, C; any other answer stays as it is.

    >>> as_label("b", [Option(label="A", text="1"), Option(label="B", text="2")]), as_label("b", [])
    ('B', 'b')
    """
    plain = answer.strip(" ()（）[]*.")
    letter = LETTERS[CIRCLED.index(plain)] if plain and plain in CIRCLED else plain.upper()
    return letter if any(letter == option.label for option in options) else answer


def join_key(
    numbers: list[tuple[int, int]], entries: list[tuple[int, str]]
) -> tuple[list[str] | None, str]:
    """Answers for problems given as (section, number), or None and why the key is refused.

    A key without restarts serves an exam without restarts; where numbers restart, the key must
    restart as often.
    """
    runs: list[dict[int, str]] = [{}]
    for number, answer in entries:
        if number in runs[-1]:
            if number != 1:
                return None, f"the key answers problem {number} twice"
            runs.append({})
        runs[-1][number] = answer
    groups = sorted({section for section, _ in numbers})
    if len(groups) != len(runs):
        return None, f"the key has {len(runs)} run(s) of numbers, the exam {len(groups)}"
    if len(entries) != len(numbers):
        return None, f"the key has {len(entries)} answers, the exam {len(numbers)} problems"
    key = {(g, n): a for g, run in zip(groups, runs, strict=True) for n, a in run.items()}
    missing = [n for n in numbers if n not in key]
    if missing:
        return None, f"the key has no answer to problem {missing[0][1]}"
    return [key[n] for n in numbers], ""


_BRACKET_PARTS = re.compile(r"【(答案|解析|分析|解答|详解|点评|考点|答|解)】")
_LINE_PARTS = re.compile(
    r"(?mi)^[ \t]*(?:\*\*|\\textbf\{)?(answer|ans\.?|solution)[ \t]*[:.][ \t]*(?:\*\*|\})?[ \t]*"
)


def inline_answer(text: str) -> tuple[str, str, str]:
    """Problem text, answer and solution where they stand below the problem.

    >>> inline_answer("求值 【答案】C【解析】因为…")
    ('求值', 'C', '因为…')
    """
    pattern = _BRACKET_PARTS if _BRACKET_PARTS.search(text) else _LINE_PARTS
    parts = pattern.split(text)
    answer, solution = "", []
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        if not answer and (name in ("答案", "答") or name.lower().startswith("ans")):
            answer = _bare(body.strip().rstrip("．。."))
        elif body.strip():
            solution.append(body.strip())
    return parts[0].strip(), answer, "\n".join(solution)
