"""The stage `vary`, the reader `living` and `render vary`, from a recipe to scores."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from benchwright import build_release, diff, score, vary, verify
from benchwright.pipeline import Engine
from benchwright.serving import folders_of, make_page, pages

SEEDS = Path(__file__).parents[2] / "examples/living/seeds"
CHOSEN = ("math-v-half-circle", "dyna-median-hypotenuse")
RECIPE = """\
name: alive
version: {version}
date: 2026-01-31
sources:
  - {{name: own, reader: living, path: seeds/*.yaml, license: MIT}}
stages:
  - vary: {{seeds: seeds, n: {n}, seed: {seed}}}
{previous}"""


def _recipe(
    folder: Path, version: str, seed: int, n: int = 2, previous: str = ""
) -> Path:
    (folder / "seeds").mkdir(exist_ok=True)
    for name in CHOSEN:
        shutil.copy(SEEDS / f"{name}.yaml", folder / "seeds")
    path = folder / f"recipe-{version}.yaml"
    path.write_text(
        RECIPE.format(version=version, seed=seed, n=n, previous=previous), "utf-8"
    )
    return path


def test_editions(tmp_path: Path) -> None:
    first = build_release(_recipe(tmp_path, "1.0.0", 1), tmp_path / "out").release
    previous = f"previous: {first}\n"
    second = build_release(
        _recipe(tmp_path, "2.0.0", 2, previous=previous), tmp_path / "out"
    ).release
    changed = {change.id: change.kinds for change in diff(first, second)}
    assert all("~" in name for name in changed)  # published problems stay
    assert {kind for kinds in changed.values() for kind in kinds} == {
        "added",
        "removed",
    }
    assert "seed number 2" in (second / "CHANGELOG.md").read_text("utf-8")
    assert "seed number 1" in (first / "README.md").read_text("utf-8")
    assert not verify(first)
    assert not verify(second)


def test_variants_share_their_origin_and_are_scored(tmp_path: Path) -> None:
    release = build_release(
        _recipe(tmp_path, "1.0.0", 1, n=3), tmp_path / "out"
    ).release
    rows = [
        json.loads(line)
        for line in (release / "jsonl/test.jsonl").open(encoding="utf-8")
    ]
    samples = [row for row in rows if "~" in row["problem_id"]]
    assert {row["origin"] for row in samples} == {f"own-{name}" for name in CHOSEN}
    replies = tmp_path / "replies.jsonl"
    said = [
        {"id": r["id"], "response": "no" if r in samples else r["answer"]} for r in rows
    ]
    replies.write_text("".join(json.dumps(row) + "\n" for row in said), "utf-8")
    score(release, replies, split="test", out=tmp_path / "scores")
    scores = json.loads((tmp_path / "scores/scores.json").read_text("utf-8"))
    assert scores["living"]["by_heart"]["first"] == 1.0
    assert scores["living"]["average"]["value"] == 0.0
    assert "Living problems" in (tmp_path / "scores/report.md").read_text("utf-8")


def test_no_variants_keep_the_seed_problem(tmp_path: Path) -> None:
    built = build_release(
        _recipe(tmp_path, "1.0.0", 1, n=0), tmp_path / "out", until="vary"
    )
    assert built.reports[-1].out == 2


def _dropped(folder: Path) -> str:
    return next(folder.rglob("*vary/dropped.jsonl")).read_text("utf-8")


ALONE = """\
vary: {a: 2..30, b: 2..30}
where: [a < b]
published: {a: 3, b: 5}
question: Ann has {a} coins and Ben has {b}. How many do both have together?
answer: {exact: a+b}
"""


def test_a_person_is_asked_and_the_answers_are_replayed(tmp_path: Path) -> None:
    """A seed with one answer waits; three answers of a person, bound to the seed, are the second;
    a wrong one refuses it, and a seed that is changed is asked again."""
    recipe = _recipe(tmp_path, "1.0.0", 1)
    seed = tmp_path / "seeds/coins.yaml"
    seed.write_text(ALONE, "utf-8")
    build_release(recipe, tmp_path / "out", until="vary")
    asked = [
        json.loads(row) for row in next(tmp_path.rglob("unproved.jsonl")).open("rb")
    ]
    assert len(asked) == 3
    assert not any(row["answer"] for row in asked)
    assert "a person is asked" in _dropped(tmp_path)

    def answered(*answers: str) -> str:
        rows = [
            row | {"answer": a, "by": "ada"}
            for row, a in zip(asked, answers, strict=True)
        ]
        (tmp_path / "proofs.jsonl").write_text(
            "".join(json.dumps(r) + "\n" for r in rows), "utf-8"
        )
        build_release(recipe, tmp_path / "out", until="vary")
        return _dropped(tmp_path)

    said = [[int(n) for n in re.findall(r"\d+", row["question"])] for row in asked]
    text = recipe.read_text("utf-8").replace(
        "seeds: seeds,", "seeds: seeds, proofs: proofs.jsonl,"
    )
    recipe.write_text(text, "utf-8")
    right = [str(a + b) for a, b in said]
    assert answered(*right) == ""
    assert "ada answers 0" in answered("0", *right[1:])
    seed.write_text(ALONE.replace("exact: a+b", "exact: a+b+1"), "utf-8")
    assert "asked again" in answered(*right)


def test_a_changed_seed_makes_other_variants_in_the_same_folder(tmp_path: Path) -> None:
    recipe = _recipe(tmp_path, "1.0.0", 1)

    def questions() -> str:
        build_release(recipe, tmp_path / "out", until="vary")
        return next(tmp_path.rglob("*vary/problems.jsonl")).read_text("utf-8")

    before = questions()
    path = tmp_path / "seeds/math-v-half-circle.yaml"
    path.write_text(
        path.read_text("utf-8").replace("How long is BC?", "Find BC."), "utf-8"
    )
    after = questions()
    assert after.count("Find BC.") == 3
    path.write_text(
        path.read_text("utf-8").replace("Find BC.", "How long is BC?"), "utf-8"
    )
    assert questions() == before


def test_preview(tmp_path: Path) -> None:
    varied = vary(SEEDS / "math-v-half-circle.yaml", tmp_path, n=4)
    assert varied.proved
    assert len(varied.variants) == 5
    assert varied.page is not None
    assert varied.page.is_file()


def test_a_served_folder_of_seeds_shows_its_variants(tmp_path: Path) -> None:
    _recipe(tmp_path, "1.0.0", 1)
    (folder,) = folders_of([tmp_path / "seeds"])
    assert folder.kind() == "seeds"
    assert pages(folder) == ["variants.html"]
    (tmp_path / "seeds/wrong.yaml").write_text(
        "vary: {a: 3..1}\nquestion: q\nanswer: {exact: a}"
    )
    make_page(folder, tmp_path / "made/variants.html")
    assert "wrong.yaml:1" in (tmp_path / "made/variants.html").read_text("utf-8")
    assert len(list((tmp_path / "made/variants.data").rglob("*.png"))) == 8


def test_the_same_bytes_in_another_folder_with_two_workers(tmp_path: Path) -> None:
    sums = []
    for name, jobs in (("here", 1), ("there", 2)):
        (tmp_path / name).mkdir()
        recipe = _recipe(tmp_path / name, "1.0.0", 1, n=4)
        release = build_release(
            recipe, tmp_path / name / "out", engine=Engine(jobs=jobs)
        ).release
        sums.append((release / "SHA256SUMS").read_bytes())
    assert sums[0] == sums[1]
