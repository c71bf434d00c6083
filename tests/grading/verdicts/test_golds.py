"""What must hold of every gold of the corpora: it equals itself however it is wrapped, and nothing
else that differs from it in one digit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchwright import grade
from real_data import RealData

LONGEST = 120  # characters; longer golds are solutions
WRAPPINGS = (
    "{}",
    " {} ",
    "{}.",
    "${}$",
    "\\({}\\)",
    "\\[{}\\]",
    "\\boxed{{{}}}",
    "**{}**",
    "{{{}}}",
)
UPRIGHT = ("\\text{{{}}}", "\\mathrm{{{}}}", "\\textbf{{{}}}", "\\text{{ {} }}")
# Damaged golds, which no grammar reads: a lost brace, a box inside a sentence, a number stuck to
# a word. They must not grow.
DAMAGED = 30
# Where a digit says nothing: behind an approximation sign, in a condition, a period of a tangent.
INDIFFERENT = re.compile(r"approx|\bfor\b|\bwhere\b|boxed|\\tan|\d\\frac")


def _golds(data: RealData) -> set[str]:
    paths = [data.math_v("test.jsonl")]
    if data.is_whole:
        paths += sorted(data.whole("equivalence").glob("*.jsonl"))
        paths += sorted(data.whole(".").glob("replies*/*.jsonl"))
    return {
        gold.strip()
        for path in paths
        for gold in _of(path)
        if 0 < len(gold.strip()) < LONGEST
    }


def _of(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            gold = row.get("gold") or row.get("answer")
            if isinstance(gold, str):
                yield gold


def test_every_gold_equals_itself_in_every_wrapping(data: RealData) -> None:
    unequal = []
    for gold in _golds(data):
        plain = re.fullmatch(r"[\w .,'-]+", gold) is not None
        bare = "$" not in gold and "\\[" not in gold
        for wrapping in (*WRAPPINGS, *(UPRIGHT if plain else ())):
            if bare or wrapping[0] not in "$\\{":
                wrapped = wrapping.format(gold)
                verdicts = grade(wrapped, gold).equal, grade(gold, wrapped).equal
                if verdicts != (True, True):
                    unequal.append((gold, wrapped, verdicts))
    assert len(unequal) <= DAMAGED * data.is_whole, unequal


def test_a_changed_digit_is_never_equal(data: RealData) -> None:
    equal = []
    for gold in _golds(data):
        if INDIFFERENT.search(gold):
            continue
        for digit in list(re.finditer(r"\d", gold))[:6]:
            for step in (1, 5):
                other = str((int(digit[0]) + step) % 10)
                changed = gold[: digit.start()] + other + gold[digit.end() :]
                verdicts = grade(changed, gold).equal, grade(gold, changed).equal
                if True in verdicts:
                    equal.append((gold, changed, verdicts))
    assert not equal


@pytest.mark.parametrize(
    "word", ["Tom", "red", "odd", "Sam", "add", "sum", "mod", "min", "Amy"]
)
def test_words_equal_themselves_and_no_other_word(word: str) -> None:
    for kind in ("text", None):
        assert grade(f"\\text{{{word}}}", word, kind=kind).equal
        assert grade(word, f"\\text{{{word}}}", kind=kind).equal
        assert grade(word.lower(), f"\\text{{{word}}}", kind=kind).equal
        assert not grade(word[::-1] + "s", f"\\text{{{word}}}", kind=kind).equal
