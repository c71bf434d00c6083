"""What is read alone is read the same in a reply, whatever carries it, and never a part of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchwright import grade
from benchwright.grading.verdicts import grade_response
from real_data import RealData

HERE = Path(__file__).parent
CARRIERS: dict[str, str] = json.loads((HERE / "carriers.json").read_text("utf-8"))
UNITS = ["cm", "kg", "m^2", "km/h", "hours", "degrees", "%"]

NUMBERS = [f"{n}" for n in (0, 4, 17, 365, 1024)] + ["1,250", "0.75", "3.125"]
SIGNED = [f"{sign}{n}" for sign in ("-", "- ", "minus ", "negative ") for n in (3, 8.5)]
MIXED = [f"{a} {b}/{c}" for a, b, c in [(2, 1, 2), (11, 3, 4), (7, 5, 9)]]
LATEX = [
    r"4 \pi",
    r"\frac{3}{7}",
    r"2\sqrt{5} + 1",
    r"3 \frac{1}{2}",
    r"$\frac{32\pi}{3}$",
    r"\(5\sqrt{2}\)",
    r"- \frac{1}{2}",
]
COMPOUND = [
    "x = 2, y = 3",
    "2 kg 300 g",
    "3 hours 20 minutes",
    "3 hours and 20 minutes",
    "half past four",
    "16:30",
    "4.47 (exactly 2√5)",
    "3 to 4",
    "5:8",
    "AB = CD",
    "N 30° E",
    "4π ≈ 12.6",
    "(3, -1)",
    "[2, 5)",
    r"\{1, 4\}",
    "x < 3",
    "y = 2x + 1",
    "3, 5",
    "x^2 - 4x + 7",
]
WITH_UNITS = [f"{n} {unit}" for n in ("12", "2.5", "3 1/2") for unit in UNITS]
WITH_UNITS.remove("3 1/2 %")  # that `grade` reads alone only as the same text
WORDS = ["True", "a rhombus", "odd", "Tom", "increasing", "the centroid"]
GOLDS = NUMBERS + SIGNED + MIXED + LATEX + COMPOUND + WITH_UNITS + WORDS
# Parts of such answers, which say something else.
PARTS = ["3", "2", "5", "12.6", "1/2", "20 minutes", "300 g", "8.5"]
LONGEST = 80  # characters of a real gold; longer ones are solutions
SAID_BACK = 0.995  # of what `grade` reads bare
CURRENCY_OF_LATEX = ("$", "\\(")  # a box stands within a formula


def carried(carrier: str, gold: str) -> str | None:
    if carrier == "box" and gold.startswith(CURRENCY_OF_LATEX):
        return None
    said = json.dumps(gold, ensure_ascii=False)[1:-1] if carrier == "field" else gold
    return CARRIERS[carrier].format(said, said)


@pytest.mark.parametrize("carrier", CARRIERS)
def test_every_gold_is_read_in_every_carrier(carrier: str) -> None:
    lost = [
        gold
        for gold in GOLDS
        if (reply := carried(carrier, gold)) and not grade_response(reply, gold).equal
    ]
    assert lost == []


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_part_of_an_answer_is_not_the_answer(carrier: str) -> None:
    taken = [
        (gold, part)
        for gold in GOLDS
        for part in PARTS
        if part in gold
        and not grade(gold, part).equal
        and (reply := carried(carrier, gold))
        and grade_response(reply, part).equal
    ]
    assert taken == []


def real_golds(data: RealData) -> list[str]:
    """The golds of all collections at hand that a reply can say on a line."""
    paths = [data.math_v("test.jsonl")]
    if data.is_whole:
        paths += sorted(data.whole(".").glob("replies*/*.jsonl"))
        paths += sorted(data.whole("equivalence").glob("*.jsonl"))
    golds = set()
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            gold = row.get("gold") or row.get("answer")
            if isinstance(gold, str) and "\n" not in gold and "boxed" not in gold:
                golds.add(gold.strip())
    return sorted(g for g in golds if 0 < len(g) <= LONGEST and grade(g, g).equal)


@pytest.mark.parametrize("carrier", CARRIERS)
def test_real_golds_are_read_in_every_carrier(data: RealData, carrier: str) -> None:
    golds = real_golds(data)
    lost = [
        gold
        for gold in golds
        if (reply := carried(carrier, gold)) and not grade_response(reply, gold).equal
    ]
    assert len(lost) <= (1 - SAID_BACK) * len(golds), lost
