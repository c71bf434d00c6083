"""Math-Verify as an oracle, in its own process; every disagreement is listed with its reason."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchwright import grade

CASES = json.loads(
    (Path(__file__).parent / "grade_cases.json").read_text(encoding="utf-8")
)
PLAIN = [
    case for group in ("school and competition answers", "looseness that published rules allow")
    for case in CASES[group]
]  # fmt: skip

# (gold, prediction) -> what Math-Verify 0.9 does that the case table does not
DISAGREE = {
    ("1234", "1 234"): "reads no spaced thousands",
    ("\\frac13", "0.\\overline{3}"): "reads no repeating part of a decimal",
    ("\\frac13", "0.\\dot{3}"): "reads no repeating part of a decimal",
    ("3 cm", "30 mm"): "drops units instead of converting them",
    ("3 cm", "3 mm"): "drops units instead of comparing them",
    ("(1,3)", "\\{x|1<x<3\\}"): "takes no set-builder for an interval gold",
    ("\\frac{1}{2006!}", "\\frac{1}{2004!}"): "rounds to six places",
    ("2^{-98}", "2^{-99}"): "rounds to six places",
    ("4343_6", "4343_7"): "ignores the base",
    ("1-\\frac{1}{\\mathrm{e}}", "1+\\frac{1}{\\mathrm{e}}"): "drops e as a unit",
    ("1, 2, \\ldots, n", "1, 3, 5, \\ldots, 2n-1"): "cuts lists at dots",
    ("A", "a"): "lower-cases symbols",
}

ORACLE = """
import json, sys
from math_verify import parse, verify
for line in sys.stdin:
    gold, prediction = (parse("$" + text + "$", parsing_timeout=5) for text in json.loads(line))
    print(json.dumps(bool(verify(gold, prediction, timeout_seconds=5))), flush=True)
"""


@pytest.fixture(scope="module")
def oracle() -> list[bool]:
    pytest.importorskip("math_verify", reason="the oracle math-verify is not installed")
    pairs = "\n".join(json.dumps(case[:2]) for case in PLAIN)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ORACLE],
        input=pairs, capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_disagreement_with_math_verify_is_known(oracle: list[bool]) -> None:
    differ = {
        (gold, prediction)
        for (gold, prediction, kind, _), peer_equal in zip(PLAIN, oracle, strict=True)
        if grade(prediction, gold, kind=kind).equal is not peer_equal
    }
    assert differ == set(DISAGREE)
