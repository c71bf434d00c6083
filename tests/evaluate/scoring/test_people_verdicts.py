"""People decide what rules left open; they never overrule what rules decided."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright.base.files import write_jsonl
from benchwright.cli import cli
from benchwright.errors import UserError
from benchwright.evaluate.metrics import read_results
from benchwright.evaluate.scoring import score
from benchwright.problem import Vote
from benchwright.serving import Desk, PageDecision, folders_of
from click.testing import CliRunner
from small_releases import make_sample, write_predictions, write_release

REPLIES = {
    "a-0": "It is 1.",  # right by rules
    "a-1": "I would rather talk of the weather.",  # open
    "a-2": "Of that nobody is sure.",  # open
    "a-3": "One cannot know what was meant here.",  # open
    "a-4": "It is 2.",  # wrong by rules
}


@pytest.fixture
def scored(tmp_path: Path) -> tuple[Path, Path, Path]:
    release = write_release(
        tmp_path / "tiny", {"test": [make_sample(k, "1") for k in REPLIES]}
    )
    said = write_predictions(tmp_path / "p.jsonl", REPLIES)
    score(release, said, "test", tmp_path / "run")
    return release, said, tmp_path / "run"


def votes(run: Path, *said: tuple[str, str, str, str]) -> Path:
    about = {r.id: r.about() for r in read_results(run)}
    rows = [
        Vote(problem_id=name, field="correct", value=value, annotator=who, at=at,
             about=about.get(name, "gone") if at != "old" else "another reply")
        for name, value, who, at in said
    ]  # fmt: skip
    write_jsonl(run.parent / "verdicts.jsonl", rows)
    return run.parent / "verdicts.jsonl"


def test_open_replies_are_decided_by_the_majority_and_rules_stand(
    scored, tmp_path: Path
) -> None:
    release, said, run = scored
    path = votes(
        run,
        ("a-0", "false", "ada", "1"),  # against the rules
        ("a-1", "false", "ada", "1"), ("a-1", "true", "ada", "2"), ("a-1", "true", "bo", "1"),
        ("a-1", "false", "cy", "1"),
        ("a-2", "true", "ada", "1"), ("a-2", "false", "bo", "1"),  # tied
        ("a-3", "true", "ada", "old"),  # given for another reply
        ("b-9", "true", "ada", "1"),
    )  # fmt: skip
    before = {r.id: r for r in score(release, said, "test").results}
    scores, results = score(release, said, "test", tmp_path / "out", verdicts=path)
    now = {r.id: r for r in results}
    assert {k for k in now if now[k] != before[k]} == {"a-1"}
    assert (now["a-1"].status, now["a-1"].decided_by, now["a-1"].correct) == (
        "ok",
        "person",
        True,
    )
    assert now["a-1"].how == "ada, bo, cy"
    people = scores.people
    assert (people["decided"], people["right"]) == (1, 1)
    assert (people["against_rules"], people["tied"]) == (["a-0"], ["a-2"])
    assert (people["stale"], people["unknown"]) == (["a-3"], ["b-9"])
    assert scores.counts["by_person"] == 1
    assert scores.counts["ok"] == scores.counts["by_rule"] + scores.counts["by_person"]
    assert "ada, bo, cy decided 1 replies" in (tmp_path / "out/report.md").read_text()


def test_what_view_saves_is_what_score_reads(scored, tmp_path: Path) -> None:
    release, said, run = scored
    (folder,) = folders_of([run])
    desk = Desk(tmp_path / "decisions", "ada")
    seen = {r.id: r.about() for r in read_results(run)}
    with pytest.raises(UserError, match="has changed"):
        desk.save(
            folder, PageDecision(id="a-2", choice="right", seen="of another reply")
        )
    file = desk.save(folder, PageDecision(id="a-2", choice="right", seen=seen["a-2"]))
    assert desk.saved(folder)[f"a-2 {seen['a-2']}"].startswith("right · ada")
    args = ["score", *map(str, (release, said)), "--split", "test", "--out", str(tmp_path / "o"),
            "--verdicts", file, "--no-report"]  # fmt: skip
    done = CliRunner().invoke(cli, args)
    assert done.exit_code == 0, done.output
    assert "people decided 1 open replies (1 right)" in done.output


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"field": "subject", "value": "algebra"}, "no verdicts"),
        ({"field": "correct", "value": "perhaps"}, "says 'perhaps'"),
    ],
)
def test_files_without_verdicts_are_refused(scored, tmp_path: Path, row, says) -> None:
    release, said, _ = scored
    write_jsonl(tmp_path / "v.jsonl", [row | {"problem_id": "a-1", "annotator": "ada"}])
    with pytest.raises(UserError, match=says):
        score(release, said, "test", verdicts=tmp_path / "v.jsonl")
