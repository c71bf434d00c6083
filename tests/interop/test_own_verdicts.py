"""Other harnesses' verdicts on MATH-V's published replies: reproduced, or explained row by row.

lmms-eval carries MATH-V's own script: its verdicts are those of the official profile. VLMEvalKit
compares with rules of its own, behind a model that extracts; here our reading stands in for it.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from benchwright.grading.official import official
from benchwright.grading.verdicts import grade_response
from benchwright.problem import Option
from real_data import RealData

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parent.parent / ".cache" / "interop"
RUNS = ("Gemini-Pro", "Qwen-VL-Max-CoT", "GPT4-CoT (Text Only)")


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory, data: RealData) -> Path:
    """Every reply with its gold, its options, what our rules read, and both our verdicts."""
    golds = {row["id"]: row for row in lines(data.math_v("test.jsonl"))}
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for name in RUNS:
            for row in lines(data.math_v(f"outputs/{name}.jsonl")):
                gold = golds[row["id"]]
                options = [
                    Option(label="ABCDE"[k], text=t)
                    for k, t in enumerate(gold["options"])
                ]
                ours = grade_response(row["response"], gold["answer"], options=options)
                theirs = official("math-v", row["response"], gold["answer"], options)
                file.write(json.dumps({
                    "id": f"{name} {row['id']}", "response": row["response"],
                    "gold": gold["answer"], "options": gold["options"], "read": ours.extracted,
                    "robust": ours.equal is True, "official": theirs.equal is True,
                }) + "\n")  # fmt: skip
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def verdicts(harness: str, rows: Path) -> dict[str, bool]:
    """What the harness's own functions say of each row, in the harness's environment."""
    # lmms-eval's copy of MATH-V's script needs a parser that no other environment can hold
    home = "math-v" if harness == "lmms-eval" else harness
    for needed in {home, harness}:
        if not (ENVIRONMENTS / needed / "ready").exists():
            pytest.skip(f"{needed} is not installed: make interop")
    packages = next((ENVIRONMENTS / harness).glob("lib/*/site-packages"))
    python = ENVIRONMENTS / home / "bin" / "python"
    command = [python, HERE / "verdicts_of.py", harness, rows, packages]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    said: dict[str, bool] = json.loads(done.stdout.splitlines()[-1])
    return said


def test_lmms_eval_is_the_official_profile_but_for_roots_and_pi(rows: Path) -> None:
    """0.7.3 lacks the script's `from math import *`: there roots and π have no value."""
    ours = {row["id"]: row for row in lines(rows)}
    said = verdicts("lmms-eval", rows)
    differ = [
        ours[name] for name, right in said.items() if right != ours[name]["official"]
    ]
    assert all(row["official"] for row in differ)
    value = ["".join([row["gold"], *row["options"]]) for row in differ]
    assert all("\\sqrt" in text or "\\pi" in text for text in value)


def test_vlmevalkit_differs_where_an_answer_is_written_otherwise(rows: Path) -> None:
    """Given our reading in place of its judge's: `Three` for 3, `24 + 4\\pi` for `24+4\\pi`."""
    few = rows.with_name("few.jsonl")  # it starts a process for each comparison
    few.write_text("".join(rows.open(encoding="utf-8").readlines()[::9][:100]), "utf-8")
    ours = {row["id"]: row for row in lines(few)}
    said = verdicts("vlmevalkit", few)
    differ = [
        ours[name] for name, right in said.items() if right != ours[name]["robust"]
    ]
    assert all(row["robust"] and row["read"] != row["gold"] for row in differ)
    assert len(differ) <= len(said) / 50
