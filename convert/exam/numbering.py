"""Where the problems of an exam start: the best increasing run of numbers at line starts."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from ...latex import HAN


class Candidate(msgspec.Struct, frozen=True):
    """A number at the start of a line: text[start:end] is the number with its marks."""

    number: int
    start: int
    end: int
    shape: str


class ExamSection(msgspec.Struct, frozen=True):
    """A heading line text[start:end] and its words."""

    title: str
    start: int
    end: int


_PREFIX = r"(?m)^[ \t>]*(?:#{1,6}[ \t]+|-[ \t]+)?"
_WORDS = r"(?:Problem|Question|Exercise|Task|Aufgabe|Q)[ \t]*(?:No\.?[ \t]*)?"
_SHAPES = {  # tried in this order; the first with the longest run wins
    "word": rf"{_WORDS}(\d{{1,3}})(?:[ \t]*[.:)．]|(?=\s))",
    "chinese": r"第[ \t]*(\d{1,3})[ \t]*题[.:：．、]?",
    "dot": r"(\d{1,3})[ \t]*(?:\.(?!\d)|．|、)",
    "bracket": r"(\d{1,3})[ \t]*[)）]",
    "brackets": r"[(（\[【][ \t]*(\d{1,3})[ \t]*[)）\]】]",
    "bare": rf"(\d{{1,3}})(?=[ \t]+[A-Z{HAN}]|[ \t]*\n)",
}
_PATTERNS = {name: re.compile(f"{_PREFIX}{shape}[ \t]*") for name, shape in _SHAPES.items()}
_NUMERAL = "一二三四五六七八九十"
_HEAD = re.compile(
    r"(?m)^[ \t]*(?:"
    r"\\(?:sub)*(?:section|title)\*?\{(?P<latex>[^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)*)\}"
    r"|#{1,6}[ \t]+(?P<mark>[^\n]+?)"
    r"|\*\*(?P<bold>[^*\n]+)\*\*"
    rf"|(?P<plain>(?:[{_NUMERAL}]{{1,3}}[、.．]|第[{_NUMERAL}\d]+(?:部分|卷|节)"
    r"|(?:Part|Section|Group)[ \t]+(?:[A-Z]|[IVX]+|\d)\b|\d[ \t-]*points?\b"
    r"|[IVX]{1,4}\.[ \t])[^\n]*)"
    r")[ \t]*$"
)


def sections(text: str) -> list[ExamSection]:
    """Headings that are not numbers of problems."""
    heads = []
    for match in _HEAD.finditer(text):
        title = next(t for t in match.group("latex", "mark", "bold", "plain") if t is not None)
        if not re.match(r"\s*(?:(?:Problem|Question)\s*)?[(（]?\d{1,3}\s*(?:[.)．）、:]|$)", title):
            heads.append(ExamSection(title.strip(), match.start(), match.end()))
    return heads


def candidates(blinded: str) -> dict[str, list[Candidate]]:
    """Per shape, the numbers at line starts."""
    return {
        shape: [Candidate(int(m[1]), m.start(), m.end(), shape) for m in pattern.finditer(blinded)]
        for shape, pattern in _PATTERNS.items()
    }


def best_run(
    blinded: str, heads: list[ExamSection], worth: Callable[[int, int], float]
) -> list[Candidate]:
    """The numbers of the problems, in order.

    Numbers go up by one; a gap costs as much as a number is worth, a restart without a heading
    more. `worth(start, end)` tells small preferences between runs of the same length apart.
    """
    best: list[Candidate] = []
    best_score = 0.0
    for numbers in candidates(blinded).values():
        run, score = _run(numbers, heads, worth, len(blinded))
        if score > best_score + 0.5:
            best, best_score = run, score
    return best


_REACH = 60  # candidates between two neighbouring problems of one exam


def _run(
    numbers: list[Candidate],
    heads: list[ExamSection],
    worth: Callable[[int, int], float],
    length: int,
) -> tuple[list[Candidate], float]:
    """Longest path by dynamic programming over the candidates of one shape."""
    scores: list[float] = []
    back: list[int] = []
    starts = [head.start for head in heads]
    for j, this in enumerate(numbers):
        score, previous = (1.0 if this.number == 1 else 0.4), -1
        for i in range(j - 1, max(-1, j - 1 - _REACH), -1):
            step = _link(numbers[i], this, starts) + worth(numbers[i].end, this.start)
            if scores[i] + 1 + step > score:
                score, previous = scores[i] + 1 + step, i
        scores.append(score)
        back.append(previous)
    if not scores:
        return [], 0.0
    finals = [s + worth(c.end, length) for s, c in zip(scores, numbers, strict=True)]
    at = max(range(len(finals)), key=lambda k: (finals[k], -k))
    total, run = finals[at], []
    while at >= 0:
        run.append(numbers[at])
        at = back[at]
    return run[::-1], total


def _link(before: Candidate, after: Candidate, heads: list[int]) -> float:
    step = after.number - before.number
    if step == 1:
        return 0.0
    if step > 1:
        return -0.95 * (step - 1)
    headed = any(before.start < head <= after.start for head in heads)
    return -2.5 if after.number == 1 and headed else -4.0


def doubtful(run: list[Candidate], blinded: str, one_run: Callable[[int, int], bool]) -> set[int]:
    """Indices of problems next to another line that could as well start one of them.

    Options settle it: those of a problem stand before the next one's number. Nothing settles a
    number that is printed twice.
    """
    rivals = candidates(blinded)[run[0].shape] if run else []
    doubts: set[int] = set()
    for k, this in enumerate(run):
        end = run[k + 1].start if k + 1 < len(run) else len(blinded)
        following = run[k + 1].number if k + 1 < len(run) else 0
        for rival in rivals:
            near = this.start < rival.start < end and 0 <= rival.number - this.number <= 2
            before_options = one_run(this.end, end) and not one_run(this.end, rival.start)
            if near and (rival.number == following or not before_options):
                doubts |= {k, min(k + 1, len(run) - 1)}
    return doubts
