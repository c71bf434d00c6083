"""Hostile answers: each has a verdict at once, no code runs, memory stays small, none is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchwright import grade
from benchwright.grading.official import official
from benchwright.grading.verdicts import grade_response

MARK = "benchwright-was-here"
CALL = f"__import__('os').system('touch {MARK}')"

HOSTILE = {
    "power tower": "9^{9^{9^9}}",
    "plain power tower": "9**9**9**9",
    "large factorial": "10000000!",
    "factorial chain": "9!!!",
    "nested factorials": "((9!)!)!",
    "large binomial": r"\binom{10^{9}}{5\cdot10^{8}}",
    "parentheses": "(" * 3000 + "1" + ")" * 3000,
    "nested fractions": r"\frac{1}{" * 400 + "2" + "}" * 400,
    "nested roots": r"\sqrt{" * 60 + "2" + "}" * 60,
    "digits": "7" * 200_000,
    "power of a sum": "(x+y+z)^{60}",
    "product of sums": "*".join(f"(x_{{{k}}}+{k})" for k in range(300)),
    "large set": r"\{" + ",".join(map(str, range(400))) + r"\}",
    "list of surds": ",".join(rf"\sqrt{{{k}}}+\sqrt{{{k + 1}}}" for k in range(60)),
    "modular power": r"2^{10^{10^{10}}} \bmod 7",
    "divisions": "1/" * 2000 + "1",
    "signs": "-" * 4000 + "1",
    "plus-minus": r"(" + ",".join([r"\pm 1"] * 40) + ")",
    "braces": "{" * 4000,
    "texts": r"\text{" * 600 + "a" + "}" * 600,
    "matrix": r"\begin{pmatrix}" + "&".join(["1"] * 5000) + r"\end{pmatrix}",
    "huge angle": r"\sin(10^{10^{5}})",
    "exponentials": "e^{e^{e^{e^{e^9}}}}",
    "matrix of powers": r"\begin{pmatrix}"
    + r"\\".join("&".join(f"(x+{k})^{{50}}" for k in range(15)) for _ in range(15))
    + r"\end{pmatrix}",
    "sum of powers": r"\sum_{k=1}^{200} (x+k)^{60}",
    "long product": r"\prod_{k=1}^{200} (x+k)(y+k)",
    "sums": r"\sum_{k=1}^{900} \frac{1}{k^k}+" * 100 + "1",
    "reciprocals of powers": "+".join(
        rf"\frac{{1}}{{{k}^{{2000}}}}" for k in range(3, 190)
    ),
    "spaces": " " * 200_000,
    "call": "1/2+" + CALL,
    "call in a list": f"[{CALL}][0]",
    "call behind a sign": "=" + CALL,
    "call behind or": "'' or " + CALL,
    "call in an integral": rf"\int_0^1 {CALL} dx",
}
# Long runs that a pattern could try in many ways; short enough not to be refused at once.
RUNS = {
    "bold": "**" + " " * 3000,
    "quoted list": "['a'" + " " * 3000 + "x",
    "quoted items": "[" + "'a' " * 900,
    "escapes": "\\" * 3000 + "begin",
    "brackets": "5 (" + "aa " * 1200 + ");",
    "spoken": "根号" * 1500,
    "spoken digits": "一" * 3000 + "分之",
    "bars": "{" * 60 + "|" * 2500,
    "groups": "1,2;" * 700,
    "moduli": "1 mod " * 500,
    "arguments": "f(" + "1," * 1200 + ")=2",
}
QUESTIONS = {
    "blanks": "(A) 1" + " " * 15_000 + "(B) 2 (C) 3",
    "labels": "(A) " * 5000,
    "words": "in " * 6000,
    "gap": "_" * 19_000,
}
SLOW = {
    "sum": r"\sum_{k=1}^{10000000} k!",
    "integral": r"\int \frac{x^{10}\sin(x)}{\sqrt{1+x^7}}dx",
}


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.cpu(60)
@pytest.mark.parametrize("name", [*HOSTILE, *SLOW])
def test_a_hostile_answer_is_never_right_and_never_runs(name: str) -> None:
    text = (HOSTILE | SLOW)[name]
    for verdict in (
        grade(text, "5"),
        grade("5", text),
        grade_response(text, "5", kind="number"),
    ):
        assert verdict.equal is not True
        assert (verdict.equal is None) == (verdict.status != "ok")
    assert not Path(MARK).exists()


@pytest.mark.cpu(20)
@pytest.mark.parametrize("name", RUNS)
def test_long_runs_are_read_in_linear_time(name: str) -> None:
    assert grade(RUNS[name], "5").equal is not True
    assert grade("5", RUNS[name]).equal is not True


@pytest.mark.cpu(20)
@pytest.mark.parametrize("name", QUESTIONS)
def test_long_questions_are_read_in_linear_time(name: str) -> None:
    assert grade("5", "5", question=QUESTIONS[name]).equal is True


@pytest.mark.cpu(10)
@pytest.mark.parametrize("profile", ["math-v", "we-math", "mathverse", "mm-math"])
@pytest.mark.parametrize("name", HOSTILE)
def test_official_rules_are_bounded_too(profile: str, name: str) -> None:
    reply = f"\\boxed{{{HOSTILE[name]}}}"
    assert official(profile, reply, "5").equal is not True
    assert not Path(MARK).exists()


@pytest.mark.cpu(120)
def test_a_hundred_among_ten_thousand_lose_no_verdict() -> None:
    bombs = list(HOSTILE.values())
    lines = []
    for k in range(10_000):
        prediction = bombs[k // 100 % len(bombs)] if k % 100 == 50 else str(k % 9)
        lines.append(
            json.dumps(
                {"id": k, "prediction": prediction, "gold": "5", "kind": "number"}
            )
        )
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30)); "
        "from benchwright.cli import main; main(['grade'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="\n".join(lines).encode(),
        capture_output=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [a["id"] for a in answers] == list(range(10_000))
    plain = [a for a in answers if a["id"] % 100 != 50]
    assert all(a["equal"] == (a["id"] % 9 == 5) for a in plain)
    assert not any(a["equal"] for a in answers if a["id"] % 100 == 50)
