"""Scoring in stretches: the same bytes whoever grades, verdicts kept, replies not in memory."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from benchwright.base.files import sha256_tree
from benchwright.evaluate.metrics import LONG, read_results, read_verdicts
from benchwright.evaluate.runs import leaderboard
from benchwright.evaluate.scoring import grade_replies, kept_verdicts, score
from benchwright.grading.verdicts import grade_response
from small_releases import make_sample, write_release

SAMPLES = [
    make_sample(
        f"a-{k}",
        str(k),
        labels={"subject": ["algebra", "logic"][k % 2], "level": k % 3},
    )
    for k in range(1, 301)
]
REPEATS = 2
PADDING = "We look at it. " * (LONG // 15 + 1)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return kept_verdicts.folder()


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_release(tmp_path / "tiny-1.0.0", {"test": SAMPLES})


def replies(path: Path, padding: str = "", repeats: int = REPEATS) -> Path:
    """Right where the sample's number is no multiple of 3; one reply is long, one never came."""
    with path.open("w", encoding="utf-8") as file:
        for repeat in range(1, repeats + 1):
            for k, sample in enumerate(SAMPLES, 1):
                number = k if k % 3 else k + 1
                text: str | None = f"{padding}So the answer is ${number}$."
                if k == 7:
                    text = f"{PADDING}So the answer is ${number}$."
                if k == 8 and repeat == 2:
                    text = None
                row = {"id": sample.id, "repeat": repeat, "response": text}
                file.write(json.dumps(row | {"thoughts": f"Hm {k}"}) + "\n")
    return path


def right(results: list) -> int:
    return sum(result.correct for result in results)


def test_any_number_of_workers_writes_the_same_bytes(
    release: Path, tmp_path: Path
) -> None:
    path = replies(tmp_path / "p.jsonl")
    folders = [tmp_path / str(jobs) / "p" for jobs in (1, 2)]
    for folder, jobs in zip(folders, (1, 2), strict=True):
        scores = score(release, path, "test", folder, jobs=jobs).scores
        assert scores.accuracy.correct == 2 * 200 - 1
        kept_verdicts_gone(tmp_path)
    assert sha256_tree(folders[0]) == sha256_tree(folders[1])
    results = read_results(folders[1])
    assert [(r.id, r.repeat) for r in results[:3]] == [
        ("a-1", 1),
        ("a-1", 2),
        ("a-2", 1),
    ]
    assert results[12].response == f"{PADDING}So the answer is $7$."
    assert results[12].thoughts == "Hm 7"
    assert (folders[1] / "replies.jsonl").exists()
    assert [path.name for path in folders[1].parent.iterdir()] == ["p"]  # no scratch


def kept_verdicts_gone(tmp_path: Path) -> None:
    for file in kept_verdicts.folder().glob("*.sqlite"):
        file.unlink()


def test_without_a_folder_the_results_are_those_that_are_written(
    release: Path, tmp_path: Path
) -> None:
    path = replies(tmp_path / "p.jsonl")
    here = score(release, path, "test")
    there = score(release, path, "test", tmp_path / "out")
    said = [
        (r.reply_name(), r.response, r.thoughts, r.how, r.span) for r in here.results
    ]
    assert said == [
        (r.reply_name(), r.response, r.thoughts, r.how, r.span) for r in there.results
    ]
    assert here.scores.accuracy == there.scores.accuracy


def test_a_reply_is_graded_once_whatever_the_run(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    asked: list[str] = []

    def counting(reply: str, *args: object, **options: object) -> object:
        asked.append(reply)
        return grade_response(reply, *args, **options)

    monkeypatch.setattr(grade_replies, "grade_response", counting)
    first = score(
        release, replies(tmp_path / "p.jsonl"), "test", tmp_path / "one" / "p"
    )
    assert len(asked) == 2 * len(SAMPLES) - 1
    score(release, tmp_path / "p.jsonl", "test", tmp_path / "two" / "p")
    assert len(asked) == 2 * len(SAMPLES) - 1
    assert sha256_tree(tmp_path / "one") == sha256_tree(tmp_path / "two")
    # one gold is corrected: what is said of it is graded again, and nothing else
    corrected = [make_sample("a-9", "10.0", labels=SAMPLES[8].labels)]
    samples = [*SAMPLES[:8], *corrected, *SAMPLES[9:]]
    again = write_release(tmp_path / "tiny-1.0.1", {"test": samples})
    second = score(again, tmp_path / "p.jsonl", "test", tmp_path / "three" / "p")
    assert len(asked) == 2 * len(SAMPLES) + 1
    assert second.scores.accuracy.correct == first.scores.accuracy.correct + 2


def test_verdicts_that_cannot_be_read_are_come_to_again(
    release: Path, tmp_path: Path, cache: Path
) -> None:
    path = replies(tmp_path / "p.jsonl")
    expected = score(release, path, "test").results
    (file,) = cache.glob("*.sqlite")
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE verdicts SET verdict = x'c1'")
    connection.close()
    assert score(release, path, "test").results == expected
    file.write_bytes(b"no data base")
    assert score(release, path, "test").results == expected
    file.unlink()
    file.mkdir()
    assert score(release, path, "test").results == expected


def test_memory_hardly_grows_with_the_replies(release: Path, tmp_path: Path) -> None:
    """1,800 more replies of 8,000 characters, 14 MB, are nowhere in memory at once."""
    peaks = []
    for repeats in (2, 8):
        path = replies(tmp_path / f"{repeats}.jsonl", "word " * 1600, repeats)
        tracemalloc.start()
        score(release, path, "test", tmp_path / f"out-{repeats}")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] < 5_000_000


def test_a_board_reads_columns(release: Path, tmp_path: Path) -> None:
    folders = []
    for k in range(6):
        folders.append(tmp_path / f"run-{k}")
        score(
            release,
            replies(tmp_path / f"run-{k}.jsonl"),
            "test",
            folders[-1],
            report=False,
        )
    whole = read_results(folders[0])
    columns = read_verdicts(folders[0])
    assert len(columns) == len(whole)
    for field in ("id", "labels", "correct", "status", "repeat", "tokens", "official"):
        assert [getattr(r, field) for r in columns] == [
            getattr(r, field) for r in whole
        ]
    assert [r.id for r in columns[3:5]] == [r.id for r in whole[3:5]]
    assert columns[-1].id == whole[-1].id
    tracemalloc.start()
    board = leaderboard(folders)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [entry.accuracy.correct for entry in board.entries] == [399] * 6
    assert peak < 4_000_000  # 3,600 results


def test_the_benchmark_of_score_runs_in_its_small_form() -> None:
    """As `make bench` runs it whole: no row is missing, and a board of five runs is no burden."""
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "bench/score.py", "--small"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    rows = {line.split()[0]: line.split() for line in done.stdout.splitlines()}
    for kind in ("short", "thoughts"):
        first, megabytes, again = map(float, rows[kind][1:4])
        assert first > again
        assert megabytes < 250
        assert rows[kind][4].endswith("x")
    assert int(rows["a"][6]) < 200
