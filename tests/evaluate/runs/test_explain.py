"""Twenty planted causes on real outputs, each told apart; shares that sum exactly."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from benchwright.cli import cli
from benchwright.errors import UserError
from benchwright.evaluate.predictions import Prompt, RunRecord, write_record
from benchwright.evaluate.runs import explain
from benchwright.evaluate.scoring.score import score
from benchwright.release import read_samples
from click.testing import CliRunner
from real_data import RealData
from small_releases import make_sample, write_predictions, write_release

RUNS = ("Gemini-Pro-CoT", "Qwen-VL-Max-CoT", "InternLM-XComposer2-VL-CoT", "Gemini-Pro")
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty questions; the replies of a run that is right on three of four, with its working."""
    samples = [make_sample(f"a-{k}", str(k + 3), question=f"What is {k} + 3?") for k in range(40)]
    return write_release(tmp_path_factory.mktemp("r") / "tiny", {"test": samples})


def replies() -> Rows:
    said = "First I look at {k}, then I add three to it, as one does.\nThe answer is {a}."
    return [{"id": f"a-{k}", "response": said.format(k=k, a=k + 3 if k % 4 else 0)}
            for k in range(40)]  # fmt: skip


def shortened(rows: Rows) -> Rows:
    return rows[: 3 * len(rows) // 4]


def failed(rows: Rows) -> Rows:
    return [row | {"response": None, "status": "error"} if k % 3 == 1 else row
            for k, row in enumerate(rows)]  # fmt: skip


def cut(rows: Rows) -> Rows:
    return [row | {"response": row["response"][:45]} for row in rows]


def known_to_be_cut(rows: Rows) -> Rows:
    return [row | {"response": f"Thinking of {k}, and of", "finish_reason": "length"}
            for k, row in enumerate(rows)]  # fmt: skip


def declined(rows: Rows) -> Rows:
    sorry = "I'm sorry, but I cannot answer this question without the picture."
    return [row | {"response": sorry} if k % 2 else row for k, row in enumerate(rows)]


PLANTED: dict[str, tuple[Callable[[Rows], Rows], str]] = {
    "shortened": (shortened, "missing in B"),
    "failed": (failed, "failed in B"),
    "cut": (cut, "truncated in B"),
    "known to be cut": (known_to_be_cut, "truncated in B"),
    "declined": (declined, "declined in B"),
}


@pytest.mark.parametrize("cause", PLANTED)
def test_what_came_back_otherwise_is_told_apart(release: Path, tmp_path: Path, cause: str) -> None:
    change, says = PLANTED[cause]
    for name, rows in (("a", replies()), ("b", change(replies()))):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    found = explain(tmp_path / "a.jsonl", tmp_path / "b.jsonl", release=release, split="test",
                    out=tmp_path / "why")  # fmt: skip
    assert [share.cause for share in found.shares] == [says]
    share = found.shares[0]
    net = Fraction(len(share.only_a) - len(share.only_b), 40)
    assert float(net) == share.points == found.difference > 0
    assert (tmp_path / "why/explained.html").exists()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"prompts": [Prompt(style="x", sha256="1" * 8, texts={})]}, "prompt"),
        ({"parameters": {"temperature": 1.0}}, "sampling"),
        ({"blind": True}, "pictures"),
        ({"model": "n"}, "model"),
        ({"system": "Be brief."}, "system prompt"),
        ({}, ""),
    ],
)
def test_records_say_what_was_asked_otherwise(release, tmp_path: Path, changes, says) -> None:
    record = RunRecord(model="m", prompts=[Prompt(style="x", sha256="0" * 8, texts={})])
    others = [row | {"response": "I say: the answer is 1."} for row in replies()]
    for name, rows, how in (("a", replies(), {}), ("b", others, changes)):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        write_record(path, msgspec.structs.replace(record, **how))
        score(release, path, "test", tmp_path / name)
    found = explain(tmp_path / "a", tmp_path / "b")
    wanted = f"asked otherwise: {says}" if says else "asked alike, answered otherwise: chance"
    assert [share.cause for share in found.shares] == [wanted]
    assert set(found.differ_in) == ({says} if says else set())
    assert found.untold == []


@pytest.mark.parametrize("doubt", ["replies changed", "count", "model", "broken", "none"])
def test_a_record_that_lies_is_doubted_and_never_mended(release, tmp_path: Path, doubt) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row | {"model": "m"}) + "\n" for row in replies()))
    write_record(path, RunRecord(model="m" if doubt != "model" else "another", answers=40))
    kept = tmp_path / "RUN.json"
    if doubt == "replies changed":
        path.write_text(path.read_text() + "\n")
    if doubt == "count":
        kept.write_text(kept.read_text().replace('"answers": 40', '"answers": 41'))
    if doubt == "broken":
        kept.write_text(kept.read_text()[:30])
    if doubt == "none":
        kept.unlink()
    known = score(release, path, "test").scores.provenance
    said = [*known.remarks, *(d for record in known.runs for d in record.doubts)]
    assert len(said) == 1
    assert {"replies changed": "not the file", "count": "counts 41", "model": "names another",
            "broken": "cannot be read", "none": "no RUN.json"}[doubt] in said[0]  # fmt: skip


def test_golds_and_pictures_that_changed_are_told_from_replies(tmp_path: Path) -> None:
    old = [make_sample(f"a-{k}", "1", question=f"q {k}") for k in range(6)]
    new = [make_sample(f"a-{k}", "2" if k < 2 else "1", question=f"q {k}{'!' * (k == 3)}")
           for k in range(6)]  # fmt: skip
    for name, samples, said in (("one", old, "111111"), ("two", new, "111211")):
        folder = write_release(tmp_path / f"r-{name}", {"test": samples}, name=name)
        texts = dict(zip((s.id for s in samples), said, strict=True))
        score(folder, write_predictions(tmp_path / f"{name}.jsonl", texts), "test", tmp_path / name)
    found = explain(tmp_path / "one", tmp_path / "two")
    assert {s.cause: s.only_a for s in found.shares} == {
        "gold changed": ["a-0", "a-1"], "question or picture changed": ["a-3"],
    }  # fmt: skip


def test_another_set_of_samples_has_its_own_share_and_the_sum_is_exact(tmp_path: Path) -> None:
    samples = [make_sample(f"a-{k}", "1") for k in range(7)]
    for name, part in (("one", samples), ("two", samples[:3])):
        folder = write_release(tmp_path / f"r-{name}", {"test": part}, name=name)
        texts = {s.id: "1" if k != 1 else "2" for k, s in enumerate(part)}
        score(folder, write_predictions(tmp_path / f"{name}.jsonl", texts), "test", tmp_path / name)
    found = explain(tmp_path / "one", tmp_path / "two")
    assert found.difference == pytest.approx(6 / 7 - 2 / 3)
    assert sum(s.points for s in found.shares) == pytest.approx(found.difference)
    shown = [row[1] for row in found.table()[1]]
    assert sum(round(100 * float(p)) for p in shown[:-1]) == round(100 * float(shown[-1]))


@pytest.mark.parametrize("run", RUNS)
def test_rules_and_the_files_own_verdicts_are_explained(data: RealData, tmp_path, run: str) -> None:
    """Robust against official and against the file: every sample that differs has a cause."""
    from benchwright.building.build import build_release
    from small import write_recipe

    source = {"reader": "math-v", "path": str(data.math_v("test.jsonl")), "license": "MIT"}
    plan = {"name": "x", "version": "1.0.0", "sources": [{"name": "math-v"} | source]}
    folder = build_release(write_recipe(tmp_path / "recipe.yaml", plan), tmp_path / "out").release
    file = data.math_v(f"outputs/{run}.jsonl")
    known = {s.source.raw_id for s in read_samples(folder, "test")}
    rows = [row for line in file.open() if (row := json.loads(line))["id"] in known]
    said = tmp_path / "said.jsonl"
    said.write_text("".join(json.dumps(row) + "\n" for row in rows))
    scored = score(folder, said, "test", tmp_path / "run")
    assert scored.scores.own is not None
    assert scored.scores.own.field == "correct"
    assert len(scored.scores.own.official_differs or []) <= 1  # one row of the outputs is stale
    for other in ("official", "own"):
        found = explain(tmp_path / "run", other)
        side = "official" if other == "official" else "own"
        differ = {r.id for r in scored.results
                  if r.correct != getattr(r, side).correct}  # fmt: skip
        told = [name for s in found.shares for name in (*s.only_a, *s.only_b)]
        assert sorted(told) == sorted(differ)
        assert not any("nothing says" in share.cause for share in found.shares)


def test_published_figures(release: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in replies()))
    score(release, path, "test", tmp_path / "a")
    table = tmp_path / "table.csv"
    table.write_text("model,all\nOurs,70.0\nTheirs,50/40\n")
    found = explain(tmp_path / "a", f"{table}#ours")
    assert found.difference == pytest.approx(0.05)
    assert [s.cause for s in found.shares] == ["not told: the figure has no samples"]
    assert explain(tmp_path / "a", "75").shares == []
    with pytest.raises(UserError, match="0 rows of nobody"):
        explain(tmp_path / "a", f"{table}#nobody")
    result = CliRunner().invoke(cli, ["explain", str(tmp_path / "a"), "70.0"])
    assert result.exit_code == 0
    assert "+5.00" in result.output
