"""A set that grows: with a release before, no problem leaves its split, whatever is drawn."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright import build_release, check_recipe, diff
from benchwright.errors import UserError
from benchwright.exports import assign, verify
from benchwright.exports.previous_release import Standing
from benchwright.pipeline import Split
from benchwright.problem import Problem
from benchwright.release import read_manifest
from hypothesis import given, settings
from hypothesis import strategies as st
from small import dump, problem, write_recipe, write_rows

WITHHELD = ["test"]


def stood_in(splits: dict[str, list[Problem]]) -> dict[str, list[Standing]]:
    return {
        p.id: [Standing(name, p.id, name not in WITHHELD)]
        for name, members in splits.items()
        for p in members
    }


@st.composite
def growing(draw: Any) -> tuple[list[Problem], list[Problem], list[dict[str, Any]]]:
    """Problems in clusters and strata, those of the next version, and splits that fit both.

    Old problems may go, be relabelled or stay; new ones may be relatives of old ones.
    """
    kinds = st.tuples(st.integers(0, 30), st.sampled_from("abc"), st.booleans())
    rows = draw(st.lists(kinds, min_size=1, max_size=60))
    old = [
        problem(k, origin=f"o{o}", labels={"s": s}) for k, (o, s, _) in enumerate(rows)
    ]
    later = [
        p
        for p, (*_, stays) in zip(old, rows, strict=True)
        if stays or p.id == old[0].id
    ]
    fresh = draw(st.lists(kinds, max_size=40))
    new = [
        problem(100 + k, origin=f"o{o}", labels={"s": s})
        for k, (o, s, _) in enumerate(fresh)
    ]
    mixed = draw(st.permutations([*later, *new]))
    shares = [draw(st.floats(0.01, 0.5)), draw(st.floats(0.01, 0.5))]
    by, how = (
        draw(st.sampled_from([[], ["s"]])),
        draw(st.sampled_from(["proportional", "equal"])),
    )
    plan = {
        "testmini": Split(size=shares[0], by=by, per_stratum=how),
        "val": Split(size=shares[1], by=by, per_stratum=how),
        "test": "rest",
    }
    order = draw(st.permutations(list(plan)))
    return (
        old,
        list(mixed),
        [{name: plan[name] for name in plan}, {n: plan[n] for n in order}],
    )


@settings(deadline=None, max_examples=200)
@given(growing(), st.integers(0, 3))
def test_nobody_moves_and_nobody_is_lost(
    grown: tuple[list[Problem], list[Problem], list[dict[str, Any]]], seed: int
) -> None:
    old, new, (plan, other_order) = grown
    before = assign(old, plan, seed, Path(), withheld=WITHHELD)
    stood = stood_in(before)
    after = assign(
        new, other_order, seed, Path(), withheld=WITHHELD, stood=stood, since="x-1.0.0"
    )
    home = {p.id: name for name, members in after.items() for p in members}
    assert sorted(home) == sorted(p.id for p in new)
    for name, (was,) in stood.items():
        assert home.get(name, was.split) == was.split
    for origin in {p.origin for p in new}:
        assert len({home[p.id] for p in new if p.origin == origin}) == 1


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=60),
    st.lists(st.sampled_from("abcd"), max_size=60),
    st.floats(0, 1),
    st.floats(0, 1),
    st.sampled_from(["proportional", "equal"]),
)
def test_sizes_are_filled_and_strata_as_even_as_what_stays_allows(
    old: list[str], new: list[str], share: float, more: float, how: Any
) -> None:
    """Single problems: the size is met exactly, and no stratum is over its share by a new one."""
    problems = [problem(k, labels={"s": s}) for k, s in enumerate(old)]
    first = round(share * len(old))
    split = Split(size=first, by=["s"], per_stratum=how)
    before = assign(problems, {"mini": split, "test": "rest"}, 1, Path())
    size = first + round(more * len(new))
    problems += [problem(100 + k, labels={"s": s}) for k, s in enumerate(new)]
    after = assign(
        problems,
        {"mini": Split(size=size, by=["s"], per_stratum=how), "test": "rest"},
        1,
        Path(),
        stood=stood_in(before),
        since="x-1.0.0",
    )
    mini = after["mini"]
    assert len(mini) == size
    if (
        how == "equal"
    ):  # a stratum that got a new one is no fuller than one that could get more
        counts, kept = (
            Counter(p.labels["s"] for p in part) for part in (mini, before["mini"])
        )
        free = Counter(p.labels["s"] for p in problems[len(old) :])
        drawn = {s for s in counts if counts[s] > kept[s]}
        open_ = [s for s in free if counts[s] < kept[s] + free[s]]
        assert all(counts[a] <= counts[b] + 1 for a in drawn for b in open_)


def test_without_growth_the_same_splits_come_again() -> None:
    problems = [problem(k) for k in range(100)]
    plan = {"testmini": Split(size=30, by=["subject"]), "test": "rest"}
    before = assign(problems, plan, 3, Path())
    assert (
        assign(problems, plan, 3, Path(), stood=stood_in(before), since="x-1.0.0")
        == before
    )


def grown(folder: Path, count: int, **changes: Any) -> Path:
    """The next version of `small-1.0.0` with `count` rows; answers of `test` are withheld."""
    fields = {
        "version": "1.1.0",
        "previous": "out/small-1.0.0",
        "withhold_answers": WITHHELD,
    }
    return dump(folder, count, **fields | changes)


PLAN = {"testmini": {"size": 40}, "test": "rest"}


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """A folder with a release of 100 rows: 40 public, 60 withheld."""
    recipe = dump(tmp_path, 100, splits=PLAN, withhold_answers=WITHHELD)
    build_release(recipe, tmp_path / "out")
    return tmp_path


def ids(release: Path) -> dict[str, list[str]]:
    return {
        name: split["ids"] for name, split in read_manifest(release)["splits"].items()
    }


def test_ten_more_rows_change_nothing_of_what_was_published(published: Path) -> None:
    old = published / "out/small-1.0.0"
    new = build_release(grown(published, 110, splits=PLAN), published / "out").release
    assert {tuple(c.kinds) for c in diff(old, new)} == {("added",)}
    assert ids(new)["testmini"] == ids(old)["testmini"]
    assert verify(new) == []


def test_what_cannot_hold_is_refused_by_name(published: Path) -> None:
    old = ids(published / "out/small-1.0.0")
    public, hidden = old["testmini"][0], old["test"][0]

    def refusal(recipe: Path) -> str:
        with pytest.raises(UserError) as error:
            build_release(recipe, published / "out")
        assert not (published / "out/small-1.1.0").exists()
        return str(error.value)

    small = refusal(grown(published, 110, splits=PLAN | {"testmini": {"size": 30}}))
    assert "asks for 30 problems, and 40 stay in it" in small
    assert public in small
    large = refusal(grown(published, 110, splits=PLAN | {"testmini": {"size": 60}}))
    assert "40 stay in it, and only 10 stood in no other split" in large
    with pytest.raises(UserError, match="are public in small-1"):
        check_recipe(
            grown(published, 110, splits=PLAN, withhold_answers=["test", "testmini"])
        )
    renamed = {"mini": {"size": 20}, "test": "rest"}
    assert "withholds its answers, and those of" in refusal(
        grown(published, 110, splits=renamed)
    )
    (published / "ids.txt").write_text(public)
    moved = {"test": {"ids": "ids.txt"}, "testmini": {"size": 30}}
    assert f"a withheld split would take {public}" in refusal(
        grown(published, 100, splits=moved)
    )

    recipe = grown(published, 101, splits=PLAN)  # row 101 shows pictures of both
    data = [
        json.loads(line) for line in (published / "dump.jsonl").read_text().splitlines()
    ]
    data[-1]["images"] = [
        f"images/{name.removeprefix('a-')}.png" for name in (public, hidden)
    ]
    write_rows(published / "dump.jsonl", data)
    torn = refusal(recipe)
    assert f"{public} in 'testmini'" in torn
    assert f"{hidden} in 'test'" in torn
    with_less = yaml.safe_load(recipe.read_text()) | {
        "withdraw": [{"id": "a-101", "reason": "shows two pictures"}]
    }
    build_release(write_recipe(recipe, with_less), published / "out")


def test_rows_without_ids_that_move_up_are_known_by_what_they_show(
    tmp_path: Path,
) -> None:
    """`line5` is another problem once a row is put in above it; its text gives it away."""
    recipe = dump(tmp_path, 100, splits=PLAN, withhold_answers=WITHHELD)
    data = [
        json.loads(line) for line in (tmp_path / "dump.jsonl").read_text().splitlines()
    ]
    nameless = [{k: v for k, v in row.items() if k != "id"} for row in data]
    write_rows(tmp_path / "dump.jsonl", nameless)
    old = build_release(recipe, tmp_path / "out").release
    recipe = grown(tmp_path, 100, splits=PLAN)
    write_rows(
        tmp_path / "dump.jsonl", [{"question": "0+0?", "answer": "0"}, *nameless]
    )
    with pytest.raises(UserError, match="rows were numbered anew, give them ids"):
        build_release(recipe, tmp_path / "out")
    named = [
        row | {"id": f"n{k}"} for k, row in enumerate(nameless)
    ]  # all of them renamed
    write_rows(
        tmp_path / "dump.jsonl",
        [{"id": "new", "question": "0+0?", "answer": "0"}, *named],
    )
    new = build_release(recipe, tmp_path / "out").release
    assert [
        f"a-line{int(n.removeprefix('a-n')) + 1}" for n in ids(new)["testmini"]
    ] == ids(old)["testmini"]


def test_a_new_row_that_shows_the_same_as_an_old_one_is_a_new_problem(
    tmp_path: Path,
) -> None:
    """Where an id still stands for what it shows, its likes are drawn as any other."""
    plan = {"testmini": {"size": 10}, "test": "rest"}
    recipe = dump(tmp_path, 30, splits=plan, withhold_answers=WITHHELD)
    data = [
        json.loads(line) for line in (tmp_path / "dump.jsonl").read_text().splitlines()
    ]
    plain = [row | {"images": []} for row in data]
    write_rows(tmp_path / "dump.jsonl", plain)
    mini = ids(build_release(recipe, tmp_path / "out").release)["testmini"]
    recipe = grown(tmp_path, 30, splits=plan)
    write_rows(
        tmp_path / "dump.jsonl",
        [*plain, *(row | {"id": f"n{row['id']}"} for row in plain)],
    )
    new = build_release(recipe, tmp_path / "out").release
    assert ids(new)["testmini"] == mini
    assert len(ids(new)["test"]) == 50


def test_a_share_that_has_become_smaller_gives_way_and_says_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plan = {"testmini": {"size": 0.4}, "test": "rest"}
    build_release(dump(tmp_path, 100, splits=plan), tmp_path / "out")
    gone = [f"a-{k}" for k in range(1, 101)]
    mini = set(ids(tmp_path / "out/small-1.0.0")["testmini"])
    withdrawn = [{"id": name, "reason": "r"} for name in gone if name not in mini][:30]
    recipe = grown(tmp_path, 100, splits=plan, withhold_answers=[], withdraw=withdrawn)
    new = build_release(recipe, tmp_path / "out").release
    assert set(ids(new)["testmini"]) == mini
    assert (
        "has 40 problems and not 28: others stay as in small-1.0.0"
        in capfd.readouterr().err
    )
