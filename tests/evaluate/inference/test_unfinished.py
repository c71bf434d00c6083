"""Runs that did not end say so, go on by the same command, and leave other runs alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright import Asking, predict
from benchwright.cli import main
from benchwright.errors import UserError
from benchwright.evaluate.inference.baselines import predict_baseline
from benchwright.evaluate.scoring import score
from benchwright.llm import Model
from llm_server import llm_server
from small import release


def run(*words: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(word) for word in words])
    return int(stop.value.code or 0)


@pytest.mark.parametrize("cause", ["budget", "quota", "too large"])
def test_a_run_that_did_not_end_is_no_success(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    cause: str,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    folder, out = release(tmp_path), tmp_path / "m.jsonl"
    broken, asked = [cause != "budget"], list[Any]()

    def reply(body: dict[str, Any]) -> Any:
        asked.append(body)
        if not broken[0] or len(asked) <= 3:
            return "It is 2."
        return (402, "no credit") if cause == "quota" else (413, "too large")

    with llm_server(reply) as server:
        words = ["predict", folder, "--split", "test", "--out", out, "--model", "m",
                 "--base-url", server.base_url, "--set", "concurrency=1",
                 "--set", "retries=0", "--set", "price-in=1", "--set", "price-out=1"]  # fmt: skip
        bounded = [*words, "--budget", "0.0002"] if cause == "budget" else words
        assert run(*bounded) == 1
        said = capsys.readouterr()
        last = said.err.strip().splitlines()[-1]
        expected = {"budget": "the budget is spent", "quota": "402", "too large": "413"}
        assert "of 8 requests have no reply" in last
        assert expected[cause] in last
        answers = int(
            next(x for x in said.out.splitlines() if "answers" in x).split()[1]
        )
        rows = [json.loads(line) for line in out.open()]
        assert answers == sum(row["response"] is not None for row in rows) < 8
        scores = score(folder, out, "test").scores
        if cause == "budget":  # what was never sent was not asked
            assert scores.asked is not None
            assert scores.asked.n == answers
            assert scores.accuracy.n == 8
        broken[0] = False
        assert run(*words) == 0  # the same command goes on
        assert len(server.requests) <= 8 + 7
    assert all(json.loads(line)["response"] for line in out.open())


def test_another_runs_file_is_not_overwritten(tmp_path: Path) -> None:
    folder, out = release(tmp_path), tmp_path / "m.jsonl"
    with llm_server(lambda body: "2") as server:
        first = Model(name="m", base_url=server.base_url)
        predict(folder, "test", first, out)
        before = out.read_bytes()
        other = Model(name="n", base_url=server.base_url)
        with pytest.raises(UserError, match="model m, now n"):
            predict(folder, "test", other, out, limit=3)
        with pytest.raises(UserError, match="has all samples, this run the first 3"):
            predict(folder, "test", first, out, limit=3)
        with pytest.raises(UserError, match="sampling"):
            predict(folder, "test", first, out, how=Asking(temperature=1.0))
        with pytest.raises(UserError, match="another run"):
            predict_baseline(folder, "test", "random", out)
        predict(folder, "test", first, out)
        assert out.read_bytes() == before
        few = tmp_path / "few.jsonl"
        predict(folder, "test", first, few, limit=3)
        predict(folder, "test", first, few)  # more of the same is welcome
        assert few.read_bytes().count(b"\n") == 8


def test_a_score_owns_its_folder(tmp_path: Path) -> None:
    folder, out = release(tmp_path), tmp_path / "m.jsonl"
    predict_baseline(folder, "test", "random", out)
    score(folder, out, "test", tmp_path / "s", papers=True)
    (tmp_path / "s/notes.txt").write_text("mine")
    score(folder, out, "test", tmp_path / "s", report=False)
    left = {path.name for path in (tmp_path / "s").iterdir()}
    assert left == {"samples.jsonl", "scores.json", "statement.json", "notes.txt"}
