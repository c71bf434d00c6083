"""The exact join against brute force: the same pairs, distances and groups, on any texts."""

from __future__ import annotations

import json
import os
import random
import signal
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from benchwright.dedup import Match, groups_of, join_again, join_sides, whole_percent
from benchwright.dedup import join as module
from benchwright.dedup.join import join
from benchwright.dedup.signatures import choose_projection, gram_counts, project
from benchwright.errors import UserError
from benchwright.pipeline import Engine
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from real_data import RealData


def slow_distance(a: str, b: str) -> int:
    """Levenshtein's definition, cell by cell."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (x != y))
    return row[-1]


def brute(texts: list[str], percent: int, distance=slow_distance) -> list[Match]:
    first = [positions[0] for positions in groups_of(texts).values()]
    matches = []
    for k, a in enumerate(first):
        for b in first[k + 1 :]:
            allowed = max(len(texts[a]), len(texts[b])) * (100 - percent) // 100
            if abs(len(texts[a]) - len(texts[b])) <= allowed:
                d = distance(texts[a], texts[b])
                if d <= allowed:
                    matches.append(Match(a, b, d))
    return sorted(matches)


# Surrogates and astral characters beside a tiny alphabet, so that near-duplicates abound.
characters = st.sampled_from("ab \u0301é中\U0001d465\ud800")
texts = st.lists(st.text(characters, max_size=25), max_size=25)


@settings(max_examples=80, deadline=None)
@given(texts, st.integers(50, 100))
def test_any_texts_give_the_pairs_of_brute_force(
    texts: list[str], percent: int
) -> None:
    assert sorted(join(texts, percent)) == brute(texts, percent)


@settings(max_examples=40, deadline=None)
@given(texts, texts, st.integers(50, 100))
def test_two_sides_give_the_pairs_of_brute_force(
    left: list[str], right: list[str], percent: int
) -> None:
    expected = [
        Match(a, b, d)
        for a, x in enumerate(left)
        for b, y in enumerate(right, len(left))
        if (d := slow_distance(x, y)) <= max(len(x), len(y)) * (100 - percent) // 100
    ]
    ours = np.arange(len(left) + len(right)) < len(left)
    found = join_sides([*left, *right], percent, [(ours, ~ours), (~ours, ours)])
    assert sorted(found) == expected


@settings(max_examples=15, deadline=None)
@given(st.lists(texts, min_size=2, max_size=4), st.integers(50, 100))
def test_a_join_of_nearly_the_same_texts_is_that_of_brute_force(
    changes: list[list[str]], percent: int
) -> None:
    stay = ["a", "ab a", "ab ab ab a", "ab ab ab b"] + [f"{k:04}" for k in range(40)]
    with TemporaryDirectory() as folder:
        for new in changes:  # the first is joined as a whole, then new ones meet all
            distinct = list(dict.fromkeys(new + stay))[: len(stay) + 3]
            stay = distinct[1:]
            kept = Path(folder) / "joined.pack"
            kinds = [
                np.array([hash(text) % 3 != k for text in distinct]) for k in (0, 1)
            ]
            found = {*join_again(distinct, percent, [(k, k) for k in kinds], kept=kept)}
            expected = brute(distinct, percent, Levenshtein.distance)
            assert found == {
                m for m in expected if any(kind[[m.a, m.b]].all() for kind in kinds)
            }


def test_what_was_kept_of_a_join_may_be_damaged(tmp_path: Path) -> None:
    texts = question_like(300, seed=6)
    distinct, kept = list(dict.fromkeys(texts)), tmp_path / "joined.pack"
    every = [(np.ones(len(distinct), bool),) * 2]
    whole = sorted(join_again(distinct, 85, every, kept=kept))
    assert len(whole) > 100
    for damaged in (kept.read_bytes()[:-40], b"", b"no archive"):
        kept.write_bytes(damaged)
        assert sorted(join_again(distinct, 85, every, kept=kept)) == whole


def edited(text: str, edits: int, rng: random.Random) -> str:
    letters = list(text)
    for _ in range(edits):
        at = rng.randrange(len(letters) + 1)
        letters[at : at + rng.randint(0, 1)] = rng.choice(["", "x", "é"])
    return "".join(letters)


def question_like(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    words = [
        "".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(300)
    ]
    made: list[str] = []
    for _ in range(count):
        if made and rng.random() < 0.4:
            made.append(edited(rng.choice(made), rng.randint(0, 30), rng))
        else:
            made.append(" ".join(rng.choices(words, k=rng.randint(1, 60))))
    return made


@pytest.mark.parametrize("percent", [60, 80, 85, 90, 95, 99, 100])
def test_question_like_texts_give_the_pairs_of_brute_force(percent: int) -> None:
    texts = question_like(500, seed=percent)
    result = sorted(join(texts, percent))
    assert result == brute(texts, percent, Levenshtein.distance)
    assert percent >= 99 or len(result) > 10


@pytest.mark.parametrize("engine", [Engine(jobs=2), Engine(jobs=2, kind="dask")])
def test_every_engine_gives_the_same_matches_in_the_same_order(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine.kind == "dask":
        pytest.importorskip("distributed", reason="the dask engine is an extra")
    texts = question_like(400, seed=3)
    alone = list(join(texts, 85))
    monkeypatch.setattr(module, "TASK", 5000)  # many tasks
    assert list(join(texts, 85, engine)) == alone


def test_a_dask_worker_killed_midway_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    distributed = pytest.importorskip(
        "distributed", reason="the dask engine is an extra"
    )
    texts = question_like(400, seed=3)
    alone = list(join(texts, 85))
    monkeypatch.setattr(
        module, "TASK", 300
    )  # far more tasks than are under way at a time
    with (
        distributed.LocalCluster(
            2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        matches = join(
            texts, 85, Engine(kind="dask", scheduler=cluster.scheduler_address)
        )
        found = [next(matches)]
        workers = client.run(os.getpid)
        victim = next(iter(workers))
        os.kill(workers[victim], signal.SIGKILL)
        found += matches
    assert found == alone
    assert len(alone) > 100


def test_row_ranges_add_up_to_the_whole() -> None:
    texts = list(dict.fromkeys(question_like(300, seed=5)))
    rows = np.arange(len(texts))
    parts = [(rows // 70 == k, rows >= 0) for k in range(5)]
    assert sorted(join_sides(texts, 85, parts)) == sorted(join(texts, 85))


def test_million_fold_texts_are_one_group_and_no_pairs() -> None:
    texts = ["How many apples are left?"] * 100_000 + ["How many apples are lost?"]
    assert list(join(texts, 90)) == [Match(0, 100_000, 2)]
    assert [len(g) for g in groups_of(texts).values()] == [100_000, 1]


def test_one_text_of_ten_megabytes_meets_only_its_like() -> None:
    long = "The sum of two numbers is ten. " * 330_000
    result = sorted(join([long, long[:-1], "short", "shorts"], 80))
    assert result == [Match(0, 1, 1), Match(2, 3, 1)]


def test_empty_and_single_texts() -> None:
    assert list(join([], 90)) == []
    assert list(join([""], 90)) == []
    assert list(join(["", "a", "", "b"], 50)) == []
    assert list(join_sides([], 90, [])) == []


@pytest.mark.parametrize("threshold", [0.49, 1.01, 0.905, -1, float("nan")])
def test_thresholds_are_whole_percentages(threshold: float) -> None:
    with pytest.raises(UserError, match="whole percentage"):
        whole_percent(threshold)


def test_points_are_never_farther_apart_than_the_counts() -> None:
    texts = question_like(300, seed=9)
    counts = gram_counts(texts, 1)
    points = project(counts, choose_projection(counts)).astype(np.float64)
    for k in range(0, 300, 7):
        near = ((points - points[k]) ** 2).sum(axis=1)
        assert (near <= np.abs(counts.astype(int) - counts[k]).sum(axis=1) + 1e-9).all()


@pytest.mark.parametrize("percent", [85, 95])
def test_long_texts_give_the_pairs_of_brute_force(
    percent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """5,000 characters and more, in which one character occurs more than 255 times."""
    monkeypatch.setattr(module, "VERIFY", 50)  # several rounds
    rng = random.Random(percent)
    parts = question_like(300, seed=11)
    texts = []
    for _ in range(25):
        text = " ".join(rng.choices(parts, k=rng.randrange(50, 150)))
        changed = list(text)
        for place in rng.sample(
            range(len(text)), len(text) * (100 - percent) * 9 // 1000
        ):
            changed[place] = "z"
        texts += [
            text,
            "".join(changed),
            text + " e" * (len(text) * (100 - percent) // 210),
        ]
    texts += [f"{'e' * 300} {k}" for k in range(5)]
    found = sorted(join(texts, percent))
    assert found == brute(texts, percent, Levenshtein.distance)
    assert len(found) >= 50


@pytest.mark.parametrize("percent", [80, 85, 90, 95])
def test_real_questions_give_the_pairs_of_brute_force(
    percent: int, data: RealData
) -> None:
    with data.math_v("test.jsonl").open(encoding="utf-8") as file:
        texts = [json.loads(line)["question"] for line in file]
    if data.is_whole:
        for more in ("we-math/testmini.json", "mathverse/testmini_text_only.json"):
            texts += [
                row["question"] for row in json.loads(data.whole(more).read_bytes())
            ]
    from rapidfuzz import process

    first = [positions[0] for positions in groups_of(texts).values()]
    first.sort(key=lambda row: len(texts[row]))
    lengths = np.array([len(texts[row]) for row in first])
    expected = set()
    for start in range(0, len(first), 250):
        longest = lengths[min(start + 249, len(first) - 1)]
        stop = np.searchsorted(lengths, longest * 100 / percent, side="right")
        rows, columns = first[start : start + 250], first[start:stop]
        most = int(lengths[stop - 1]) * (100 - percent) // 100
        distances = process.cdist(
            [texts[r] for r in rows],
            [texts[c] for c in columns],
            scorer=Levenshtein.distance,
            score_cutoff=most,
            dtype=np.int32,
        )
        for i, j in np.argwhere(
            distances <= lengths[start:stop] * (100 - percent) // 100
        ):
            if j > i:
                pair = sorted((rows[i], columns[j]))
                expected.add(Match(*pair, int(distances[i, j])))
    assert set(join(texts, percent)) == expected


@pytest.mark.parametrize(("percent", "pairs"), [(80, 64), (85, 40), (90, 20), (95, 8)])
def test_math_v_holds_the_known_number_of_pairs(
    percent: int, pairs: int, data: RealData
) -> None:
    with data.whole("math-v/test.jsonl").open(encoding="utf-8") as file:
        texts = [json.loads(line)["question"] for line in file]
    assert len(list(join(texts, percent))) == pairs
