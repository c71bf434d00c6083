"""The stage runner: accounting, errors, caching, side tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.errors import UserError
from benchwright.pipeline import Context, Engine, run_stage
from benchwright.pipeline.stage import Stage
from benchwright.problem import Drop, Problem
from small import problem


def halves(
    p: Problem, *, context: Context, fail_at: int = 0
) -> Problem | list[Problem] | Drop:
    """Even numbers are dropped, multiples of five split in two."""
    number = int(p.source.raw_id)
    if number == fail_at:
        raise ValueError("broken on purpose")
    context.record("seen", {"id": p.id})
    if number % 2 == 0:
        return Drop(id=p.id, reason="even: as told")
    if number % 5 == 0:
        return [problem(number), problem(number, id=f"{p.id}b")]
    return p


def run(
    tmp_path: Path,
    function,
    count: int = 200,
    whole_set: bool = False,
    jobs: int = 1,
    **options,
):
    source = tmp_path / "in.jsonl"
    write_jsonl(source, (problem(k) for k in range(1, count + 1)))
    stage = Stage("test", function, whole_set)
    context = Context(tmp_path, tmp_path / "work", engine=Engine(jobs=jobs))
    return run_stage(
        stage, options.pop("options", {}), source, tmp_path / "01", context, **options
    )


def test_what_goes_in_is_kept_or_dropped_with_a_reason(tmp_path: Path) -> None:
    report, ran = run(tmp_path, halves)
    assert ran
    assert (report.taken, report.kept, report.dropped, report.out) == (
        200,
        100,
        100,
        120,
    )
    assert report.reasons == {"even": 100}
    assert report.tables == {"seen": 200}
    kept = [p.id for p in read_jsonl(tmp_path / "01" / "problems.jsonl", Problem)]
    assert kept[:4] == ["a-1", "a-3", "a-5", "a-5b"]


def test_finished_work_is_skipped_until_something_changes(tmp_path: Path) -> None:
    run(tmp_path, halves)
    assert not run(tmp_path, halves)[1]
    assert run(tmp_path, halves, options={"fail_at": 1000})[1]
    assert run(tmp_path, halves, count=201)[1]


def test_a_raising_stage_names_stage_problem_and_line(tmp_path: Path) -> None:
    (tmp_path / "work" / "00-read").mkdir(parents=True)
    write_jsonl(
        tmp_path / "work/00-read/lines.jsonl", [{"id": "a-7", "at": "raw.jsonl:7"}]
    )
    with pytest.raises(UserError) as error:
        run(tmp_path, halves, options={"fail_at": 7})
    for part in (
        "'test'",
        "'a-7'",
        "raw.jsonl:7",
        "broken on purpose",
        "What is $7+1$?",
    ):
        assert part in str(error.value)
    report, _ = run(tmp_path, halves, options={"fail_at": 7}, keep_going=True)
    assert report.reasons == {"error": 1, "even": 100}


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (lambda ps: ps[:-1], "neither kept nor dropped"),
        (lambda ps: [*ps, ps[0]], "put out twice"),
        (lambda ps: [*ps, problem(999)], "put out but not taken"),
        (lambda ps: [*ps, Drop(id=ps[0].id, reason="x")], "dropped twice"),
    ],
)
def test_a_stage_that_loses_account_is_refused(
    tmp_path: Path, function, complaint: str
) -> None:
    with pytest.raises(UserError, match=complaint):
        run(tmp_path, function, whole_set=True)
    assert not (tmp_path / "01").exists()


def test_a_stage_without_a_result_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="neither kept nor dropped"):
        run(tmp_path, lambda p: [])


def test_a_bug_in_a_stage_is_told_as_one(tmp_path: Path) -> None:
    lines = Path(__file__).read_text("utf-8").splitlines()
    line = lines.index('        raise ValueError("broken on purpose")') + 1
    with pytest.raises(UserError) as error:
        run(tmp_path, halves, options={"fail_at": 7})
    message = str(error.value)
    assert (
        f"{Path(__file__)}, line {line}, failed with ValueError: broken on purpose"
        in message
    )
    assert "this is a bug in the stage" in message
    assert "--keep-going" in message
    assert isinstance(error.value.__cause__, ValueError)


def test_a_bug_in_a_stage_of_a_whole_set_is_told_as_one(tmp_path: Path) -> None:
    def stumbles(problems: list[Problem]) -> list[Problem]:
        return sorted(problems)

    with pytest.raises(
        UserError, match=r"line \d+, failed with TypeError: .*bug in the stage"
    ):
        run(tmp_path, stumbles, whole_set=True)


def test_what_a_stage_says_of_the_data_stays_as_it_is(tmp_path: Path) -> None:
    def refuses(p: Problem) -> Problem:
        raise UserError("row 3 has no label", "add one")

    with pytest.raises(UserError) as error:
        run(tmp_path, refuses)
    assert str(error.value) == "row 3 has no label: add one"


@pytest.mark.parametrize("jobs", [1, 2])
def test_side_tables_are_in_the_order_of_the_problems(
    tmp_path: Path, jobs: int
) -> None:
    run(tmp_path, halves, jobs=jobs)
    seen = [row["id"] for row in read_jsonl(tmp_path / "01" / "seen.jsonl", dict)]
    assert seen == [f"a-{k}" for k in range(1, 201)]


def test_stage_json_is_readable(tmp_path: Path) -> None:
    run(tmp_path, halves)
    data = json.loads((tmp_path / "01" / "stage.json").read_text())
    assert data["taken"] == data["kept"] + data["dropped"] == 200
