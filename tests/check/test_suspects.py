"""Golds swapped on purpose come first; without evidence nothing is suspected."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from benchwright.check.suspects import suspects
from benchwright.evaluate.scoring.score import score
from reading import reading
from small_releases import make_sample, write_predictions, write_release

WRONG = {3: "9", 11: "4", 20: "77"}


@pytest.fixture
def release(tmp_path: Path) -> Path:
    samples = [
        make_sample(f"a-{k}", WRONG.get(k, str(100 + k)), question=f"What is {k} + 100?",
                    solution=f"Adding gives {k} + 100. So the answer is {100 + k}.")
        for k in range(60)
    ]  # fmt: skip
    return write_release(tmp_path / "tiny", {"test": samples})


def test_swapped_golds_come_first_and_become_errata(
    release: Path, tmp_path: Path
) -> None:
    runs = []
    for name in "abc":
        said = {f"a-{k}": f"The answer is {100 + k}." for k in range(60)}
        score(
            release,
            write_predictions(tmp_path / f"{name}.jsonl", said),
            "test",
            tmp_path / name,
        )
        runs.append(tmp_path / name)
    found = suspects(release, runs, tmp_path / "out")
    assert {s.id for s in found[:3]} == {f"a-{k}" for k in WRONG}
    assert {s.says for s in found[:3]} == {str(100 + k) for k in WRONG}
    assert all(s.moves == dict.fromkeys("abc", round(1 / 60, 6)) for s in found[:3])
    errata = yaml.safe_load((tmp_path / "out/errata.yaml").read_text())
    assert {(e["id"], e["old"], e["new"]) for e in errata[:3]} == {
        (f"a-{k}", gold, str(100 + k)) for k, gold in WRONG.items()
    }
    with reading(tmp_path / "out/suspects.html") as page:
        assert page.locator("article").count() >= 3
        assert page.surprises == []


def test_runs_that_are_never_right_say_little(tmp_path: Path) -> None:
    """Three copies of one bad model agree everywhere: no gold is suspected for that."""
    samples = [make_sample(f"a-{k}", str(100 + k)) for k in range(60)]
    release = write_release(tmp_path / "tiny", {"test": samples})
    said = {f"a-{k}": "The answer is 5." for k in range(60)}
    runs = []
    for name in "abc":
        score(
            release,
            write_predictions(tmp_path / f"{name}.jsonl", said),
            "test",
            tmp_path / name,
        )
        runs.append(tmp_path / name)
    assert [s for s in suspects(release, runs) if s.chance > 0.05] == []


def test_a_solution_alone_is_evidence(release: Path, tmp_path: Path) -> None:
    """Without any run the solutions speak, and the page shows the questions."""
    found = suspects(release, [], tmp_path / "out", split="test")
    assert {s.id for s in found[:3]} == {f"a-{k}" for k in WRONG}
    with reading(tmp_path / "out/suspects.html") as page:
        assert page.title() == "Suspected golds"
        assert page.surprises == []
