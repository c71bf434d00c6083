"""Splits: sizes, strata, clusters, and stability."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from benchwright.errors import UserError
from benchwright.exports import assign, clusters
from benchwright.exports.clusters import pictures_of
from benchwright.pipeline import Split
from benchwright.problem import Image, Problem
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from small import problem, write_rows


def cluster(problems: list[Problem]) -> list[Problem]:
    """The problems, each with the name of its cluster as `origin`."""
    names = clusters((problem.origin, pictures_of(problem)) for problem in problems)
    return [replace(problem, origin=names[problem.origin]) for problem in problems]


def draw(
    problems: list[Problem], seed: int = 1, **plan: Split | str
) -> dict[str, list[Problem]]:
    return assign(problems, plan, seed, Path())


def of_subject(subject: str, count: int, start: int = 0) -> list[Problem]:
    return [problem(start + k, labels={"subject": subject}) for k in range(count)]


def test_equal_shares_as_in_math_v_testmini() -> None:
    """19 for each of 16 subjects, whatever their sizes."""
    sizes = [500, 449, 345, 308, 244, 173, 168, 168, 140, 119, 104, 90, 84, 67, 58, 23]
    problems = [
        p for s, n in enumerate(sizes) for p in of_subject(f"s{s}", n, 1000 * s)
    ]
    splits = draw(
        problems,
        testmini=Split(size=304, by=["subject"], per_stratum="equal"),
        test="rest",
    )
    counts = Counter(p.labels["subject"] for p in splits["testmini"])
    assert set(counts.values()) == {19}
    assert len(splits["test"]) == 3040 - 304


def test_a_small_stratum_gives_all_it_has_and_the_others_the_rest() -> None:
    problems = (
        of_subject("rare", 2)
        + of_subject("common", 50, 100)
        + of_subject("usual", 50, 200)
    )
    splits = draw(problems, mini=Split(size=20, by=["subject"], per_stratum="equal"))
    counts = Counter(p.labels["subject"] for p in splits["mini"])
    assert counts == {"rare": 2, "common": 9, "usual": 9}


def test_a_cluster_that_fits_no_stratum_does_not_make_the_split_smaller() -> None:
    pair = [
        problem(k, origin="a-1", labels={"subject": s}) for k, s in ((1, "a"), (2, "b"))
    ]
    problems = pair + of_subject("a", 5, 10) + of_subject("b", 1, 20)
    for seed in range(20):
        split = Split(size=3, by=["subject"], per_stratum="equal")
        assert len(draw(problems, seed, mini=split)["mini"]) == 3


def test_proportional_shares_by_largest_remainder() -> None:
    problems = of_subject("a", 60) + of_subject("b", 30, 100) + of_subject("c", 10, 200)
    counts = Counter(
        p.labels["subject"]
        for p in draw(problems, mini=Split(size=15, by=["subject"]))["mini"]
    )
    assert counts == {
        "a": 9,
        "b": 5,
        "c": 1,
    }  # 9, 4.5 and 1.5: the first name of equals goes up


def picture(name: str) -> Image:
    return Image(path=f"images/{name}", sha256=name, width=1, height=1)


@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=40),
    st.integers(0, 5),
    st.floats(0, 1),
)
def test_relatives_never_straddle_and_nothing_is_doubled(
    links: list, seed: int, share: float
) -> None:
    problems = [
        problem(k, origin=f"o{o}", images=[picture(f"p{i}")])
        for k, (o, i) in enumerate(links)
    ]
    slow = _slow_clusters(problems)
    problems = cluster(problems)
    splits = draw(problems, seed, mini=Split(size=share), test="rest")
    home = {p.id: name for name, members in splits.items() for p in members}
    assert sorted(home) == sorted(p.id for p in problems)
    for group in slow:
        assert len({home[name] for name in group}) == 1
    assert len({p.origin for p in problems}) == len(slow)


def _slow_clusters(problems: list[Problem]) -> list[set[str]]:
    """Merge groups that share anything until nothing changes."""
    groups = [({p.id}, {p.origin, p.images[0].sha256}) for p in problems]
    merged = True
    while merged:
        merged = False
        for a in groups:
            for b in groups:
                if a is not b and a[1] & b[1]:
                    a[0].update(b[0])
                    a[1].update(b[1])
                    groups.remove(b)
                    merged = True
                    break
            if merged:
                break
    return [ids for ids, _ in groups]


def test_new_problems_do_not_reshuffle_old_ones() -> None:
    old = [problem(k, labels={}) for k in range(200)]
    new = old + [problem(k, labels={}) for k in range(200, 210)]
    before = {p.id for p in draw(old, mini=Split(size=50))["mini"]}
    after = {p.id for p in draw(new, mini=Split(size=50))["mini"]}
    assert len(before & after) >= 40


def test_seeds_differ_and_repeat() -> None:
    problems = [problem(k) for k in range(100)]
    one, two, again = (
        [p.id for p in draw(problems, s, mini=Split(size=30))["mini"]]
        for s in (1, 2, 1)
    )
    assert one == again != two


def test_listed_ids(tmp_path: Path) -> None:
    problems = cluster([problem(1), problem(2), problem(3, origin="a-2"), problem(4)])
    (tmp_path / "ids.txt").write_text("a-1\n4\n")
    plan = {"mini": Split(size=0, ids="ids.txt"), "rest": "rest"}
    splits = assign(problems, plan, 0, tmp_path)
    assert [p.id for p in splits["mini"]] == ["a-1", "a-4"]
    write_rows(tmp_path / "ids.txt", [{"id": "a-2"}])
    with pytest.raises(UserError, match="a-3 is not listed but shares"):
        assign(problems, plan, 0, tmp_path)
    (tmp_path / "ids.txt").write_text("a-9\n")
    with pytest.raises(UserError, match="unknown ids"):
        assign(problems, plan, 0, tmp_path)
