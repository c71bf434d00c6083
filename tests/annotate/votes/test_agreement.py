"""Agreement measures equal published examples, other libraries and slow twins."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest
from benchwright.annotate.votes import (
    agreement,
    fleiss_kappa,
    krippendorff_alpha,
    masi,
    one_coin,
    raw_agreement,
)
from benchwright.annotate.votes.report import html, markdown
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.cli import main
from benchwright.errors import UserError
from benchwright.problem import Problem, Vote
from hypothesis import given
from hypothesis import strategies as st
from small import problem


def ratings(table: list[list[Any]]) -> list[dict[str, Any]]:
    """One row an item, None for a missing vote."""
    return [{f"p{k}": v for k, v in enumerate(row) if v is not None} for row in table]


def five_raters() -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 16, 6500)
    right = rng.random((6500, 5)) < [0.9, 0.85, 0.8, 0.7, 0.6]
    votes = np.where(right, truth[:, None], rng.integers(0, 17, (6500, 5)))
    assert votes[0].tolist() == [13, 13, 11, 13, 7]
    return ratings(votes.tolist())


def test_five_raters_as_the_reference_libraries_have_it() -> None:
    table = five_raters()
    assert krippendorff_alpha(table) == pytest.approx(0.5939111895, abs=1e-9)
    assert krippendorff_alpha(table, "ordinal") == pytest.approx(0.5867473018, abs=1e-9)
    assert krippendorff_alpha(table, "interval") == pytest.approx(
        0.5843079086, abs=1e-9
    )
    assert fleiss_kappa(table) == pytest.approx(0.5938986941, abs=1e-9)
    found = one_coin(table)
    expected = [0.9, 0.85, 0.8, 0.7, 0.6]
    assert [found[f"p{k}"] for k in range(5)] == pytest.approx(
        [share + (1 - share) / 17 for share in expected], abs=0.015
    )


def observed(*rows: str) -> list[dict[str, Any]]:
    """One row a person, "." for a missing vote."""
    columns = zip(*(row.split() for row in rows), strict=True)
    return ratings(
        [
            [None if v == "." else int(v) if v.isdigit() else v for v in column]
            for column in columns
        ]
    )


def test_krippendorffs_own_examples() -> None:
    """Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, sections A to D."""
    binary = observed("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0")
    assert krippendorff_alpha(binary) == pytest.approx(0.095, abs=0.0005)
    nominal = observed("a a b b d c c c e d d a", "b a b b b c c c e d d d")
    assert krippendorff_alpha(nominal) == pytest.approx(0.692, abs=0.0005)
    missing = observed("1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3",
                       ". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 .")  # fmt: skip
    assert krippendorff_alpha(missing) == pytest.approx(0.743, abs=0.0005)
    assert krippendorff_alpha(missing, "ordinal") == pytest.approx(0.815, abs=0.0005)
    assert krippendorff_alpha(missing, "interval") == pytest.approx(0.849, abs=0.0005)


def test_another_example_with_missing_votes() -> None:
    """Three observers, fifteen units; values of the reference library."""
    rows = [
        "* * * * * 3 4 1 2 1 1 3 3 * 3",
        "1 * 2 1 3 3 4 3 * * * * * * *",
        "* * 2 1 3 4 4 * 2 1 1 3 3 * 4",
    ]
    table = observed(*(row.replace("*", ".") for row in rows))
    assert krippendorff_alpha(table) == pytest.approx(0.6913580247)
    assert krippendorff_alpha(table, "ordinal") == pytest.approx(0.8067214199)
    assert krippendorff_alpha(table, "interval") == pytest.approx(0.8108448928)


def test_fleiss_own_example() -> None:
    """Ten subjects, fourteen raters, five categories: kappa 0.210 (Fleiss 1971)."""
    counts = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    table = ratings(
        [[k for k, n in enumerate(row) for _ in range(n)] for row in counts]
    )
    assert fleiss_kappa(table) == pytest.approx(0.210, abs=0.0005)


def test_masi_and_alpha_over_sets() -> None:
    assert masi("12", "123") == pytest.approx(0.5556, abs=1e-4)
    assert masi("12", "23") == pytest.approx(0.8889, abs=1e-4)
    assert masi("1", "2") == 1
    table = ratings(
        [
            [("1",), ("1",)],
            [("1", "2"), ("1",)],
            [("3",), ("2",)],
            [("2", "3"), ("2", "3")],
        ]
    )
    assert krippendorff_alpha(table, "masi") == pytest.approx(0.4473684211)


VOTES = st.lists(
    st.lists(st.one_of(st.none(), st.integers(1, 4)), min_size=3, max_size=3),
    min_size=2,
    max_size=12,
)


@given(VOTES, st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_equals_the_library_on_any_table(table: list, metric: str) -> None:
    ours = krippendorff_alpha(ratings(table), metric)
    data = np.array(
        [[np.nan if v is None else v for v in row] for row in table], dtype=float
    ).T
    if ours is None:
        return  # nothing varies, or nobody voted twice: the library raises or divides by zero
    theirs = krippendorff.alpha(reliability_data=data, level_of_measurement=metric)
    assert ours == pytest.approx(theirs, abs=1e-9)


@given(
    st.lists(
        st.tuples(
            st.sampled_from("pqrstu"),  # problem
            st.sampled_from(["ann", "bob", "cyd", "dee", "eve", "fay"]),
            st.sampled_from(["x", "y", "z", "pending"]),
            st.sampled_from("123"),  # when: also at one moment
        ),
        min_size=4,
        max_size=40,
    )
)
def test_agreement_of_groups_with_gaps_and_ties_equals_the_library(
    given_votes: list,
) -> None:
    """Two people a group: the later answer, then the later line, is the group's."""
    group_of = dict(
        zip(["ann", "bob", "cyd", "dee", "eve", "fay"], "aabbcc", strict=True)
    )
    votes = [
        Vote(
            problem_id=p, field="f", value=v, annotator=who, group=group_of[who], at=at
        )
        for p, who, v, at in given_votes
    ]
    last: dict[tuple[str, str], Vote] = {}
    for vote in votes:
        key = (vote.group, vote.problem_id)
        if key not in last or vote.at >= last[key].at:
            last[key] = vote
    data = [
        [
            "xyz".find(last[group, p].value) if (group, p) in last else np.nan
            for p in "pqrstu"
        ]
        for group in "abc"
    ]
    table = np.array(data, dtype=float)
    table[table < 0] = np.nan  # pending
    counts = (~np.isnan(table)).sum(axis=0)
    pairable = table[:, counts > 1]
    if len(np.unique(pairable[~np.isnan(pairable)])) < 2:
        return  # nothing varies: the library raises
    theirs = krippendorff.alpha(reliability_data=table, level_of_measurement="nominal")
    ours = agreement(votes, "f").levels[0].alpha
    assert ours == pytest.approx(theirs, abs=1e-9)


@given(VOTES)
def test_raw_agreement_equals_its_slow_twin(table: list) -> None:
    pairs = [
        a == b
        for row in table
        for a, b in combinations([v for v in row if v is not None], 2)
    ]
    assert raw_agreement(ratings(table)) == (
        pytest.approx(sum(pairs) / len(pairs)) if pairs else None
    )


def vote(k: int, value: Any, who: str, **changes: Any) -> Vote:
    return Vote(
        problem_id=f"a-{k}", field="subject", value=value, annotator=who, **changes
    )


def sample_votes() -> list[Vote]:
    return [
        vote(1, "algebra", "ann"), vote(1, "algebra", "bob"),
        vote(2, "algebra", "ann"), vote(2, "logic", "bob"),
        vote(3, "logic", "ann"), vote(3, "logic", "bob"), vote(3, "topology", "gpt", kind="model"),
        vote(4, "pending", "ann"), vote(4, "logic", "bob"),
        vote(1, "logic", "ann", at="0"),
    ]  # fmt: skip


def test_the_report_counts_people_labels_and_disagreements() -> None:
    votes = sample_votes()
    votes[-1], votes[0] = (
        votes[0],
        votes[-1],
    )  # the later `at` counts, wherever it stands
    votes[-1].at = "1"
    found = agreement(votes, "subject")
    assert (found.items, found.votes, found.abstained, found.superseded) == (4, 7, 1, 1)
    assert found.levels[0].raw == pytest.approx(2 / 3, abs=1e-6)
    assert found.confusion == {
        "algebra": {"algebra": 2, "logic": 1},
        "logic": {"algebra": 1, "logic": 2},
    }
    assert [row["id"] for row in found.disagreements] == ["a-2"]
    assert found.by_annotator["ann"]["with_the_others"] == pytest.approx(
        2 / 3, abs=1e-6
    )
    assert "gpt" not in found.by_annotator
    assert "gpt" in agreement(votes, "subject", models=True).by_annotator
    assert "| a-2 | ann: algebra; bob: logic |" in markdown(found)


def test_a_tree_is_compared_level_by_level() -> None:
    from benchwright.taxonomy import load_tree

    votes = [
        vote(k, f"{subject} / {field}", who)
        for k, pairs in enumerate(
            [("Plane Geometry", "Angle", "Length"), ("Solid Geometry", "Area", "Area")]
        )
        for subject, who, field in (
            (pairs[0], "ann", pairs[1]),
            (pairs[0], "bob", pairs[2]),
        )
    ]
    found = agreement(votes, "subject", load_tree("mathverse"))
    by_name = {level.name: level.raw for level in found.levels}
    assert by_name == {"value": 0.5, "subject": 1.0}


def test_spans_are_compared_by_characters() -> None:
    one = [{"start": 0, "end": 10, "role": "DI", "alt": None}]
    two = [{"start": 0, "end": 5, "role": "DI", "alt": None}]
    found = agreement([vote(1, one, "ann"), vote(1, two, "bob")], "subject")
    assert found.levels[0].raw == 0.5


def test_intervals_of_spans_resample_problems_not_characters() -> None:
    """The slow twin repeats whole problems, character by character."""
    rng = np.random.default_rng(3)
    votes, units = [], []
    for k in range(10, 22):  # ids in this order sort as they stand
        cuts = {who: int(rng.integers(20, 180)) for who in ("ann", "bob")}
        for who, cut in cuts.items():
            votes.append(
                vote(k, [{"start": 0, "end": cut, "role": "DI", "alt": None}], who)
            )
        ends = range(max(cuts.values()))
        units.append(
            [{w: "DI" if at < cut else "-" for w, cut in cuts.items()} for at in ends]
        )
    generator, alphas = np.random.default_rng(0), []
    for _ in range(400):
        drawn = generator.integers(0, 12, 12)
        alphas.append(krippendorff_alpha([unit for k in drawn for unit in units[k]]))
    low, high = np.percentile(
        [alpha for alpha in alphas if alpha is not None], [2.5, 97.5]
    )
    (level,) = agreement(votes, "subject").levels
    assert (level.alpha_low, level.alpha_high) == pytest.approx((low, high), abs=1e-5)
    assert high - low > 0.15


def test_votes_for_an_earlier_text_are_counted_as_stale() -> None:
    old = [vote(1, "logic", who, at="1", about="old") for who in ("ann", "bob")]
    found = agreement([*old, vote(1, "algebra", "cyd", at="2", about="new")], "subject")
    assert (found.votes, found.stale, found.disagreements) == (1, 2, [])


def test_placements_are_compared_by_what_was_placed() -> None:
    """Two pixels aside is no disagreement; another text, or another anchor, is one."""
    one = [{"segment": [[0, 0], [9, 9]], "text": "4"}]
    near = [{"segment": [[0, 2], [9, 9]], "text": "4"}]
    other = [{"near": [5, 5], "text": "4"}]
    rows = [
        vote(1, one, "ann"),
        vote(1, near, "bob"),
        vote(2, one, "ann"),
        vote(2, other, "bob"),
    ]
    found = agreement(rows, "subject")
    assert (found.levels[0].metric, found.levels[0].raw) == ("masi", 0.5)
    assert found.confusion["near: 4"] == {"segment: 4": 1}


@pytest.mark.parametrize(
    ("rows", "raw"),
    [
        (
            [(1, "logic", "ann"), (1, "logic", "bob"), (2, "logic", "ann")],
            1.0,
        ),  # one label only
        ([(1, "logic", "ann"), (2, "algebra", "ann")], None),  # one person
        ([(1, "logic", "ann"), (2, "algebra", "bob")], None),  # nothing in common
        ([(1, "logic", "ann")], None),
        ([(1, [], "ann"), (1, [], "bob")], 1.0),  # empty sets
    ],
)
def test_what_cannot_be_measured_is_left_empty(rows: list, raw: float | None) -> None:
    found = agreement([vote(*row) for row in rows], "subject")
    (level,) = found.levels
    assert level.raw == raw
    assert (level.alpha, level.alpha_low, level.alpha_high) == (None, None, None)
    assert "None" not in markdown(found)
    assert "None" not in html(found)
    assert not re.search(r"\bnan\b", html(found).lower())


def test_the_page_escapes_what_voters_wrote() -> None:
    evil = "<script>x</script>"
    page = html(agreement([vote(1, evil, "<b>"), vote(1, "y", "bob")], "subject"))
    assert evil not in page
    assert "&lt;script&gt;" in page


def run(*words: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(word) for word in words])
    return int(stop.value.code or 0)


def test_from_votes_to_adjudication_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_jsonl(tmp_path / "votes.jsonl", sample_votes()[:-1])
    write_jsonl(tmp_path / "problems.jsonl", [problem(k) for k in range(1, 5)])
    votes, entries = tmp_path / "votes.jsonl", tmp_path / "ledger.jsonl"
    assert (
        run(
            "annotate",
            "vote",
            votes,
            "--field",
            "subject",
            "--tree",
            "math-v",
            "-o",
            entries,
            "--json",
        )
        == 0
    )
    assert json.loads(capsys.readouterr().out)["decided"] == 2
    assert (
        run("annotate", "agreement", votes, "--field", "subject", "-o", tmp_path / "r")
        == 0
    )
    assert {p.name for p in (tmp_path / "r").iterdir()} == {
        "agreement.json", "agreement.md", "agreement.html", "disagreements.jsonl",
    }  # fmt: skip
    out = tmp_path / "adjudicate.jsonl"
    assert (
        run("annotate", "adjudicate", entries, tmp_path / "problems.jsonl", "-o", out)
        == 0
    )
    asked = list(read_jsonl(out, Problem))
    assert [p.id for p in asked] == ["a-2", "a-4"]
    assert asked[0].notes == ["votes on subject: algebra (1), logic (1)"]
    assert not any(name in str(asked[0].notes) for name in ("ann", "bob"))
    write_jsonl(
        tmp_path / "final.jsonl", [vote(2, "logic", "dee"), vote(4, "logic", "dee")]
    )
    final = tmp_path / "final.jsonl"
    capsys.readouterr()
    assert (
        run(
            "annotate",
            "vote",
            votes,
            "--field",
            "subject",
            "--adjudicated",
            final,
            "--json",
        )
        == 0
    )
    assert json.loads(capsys.readouterr().out)["decided"] == 4
    assert run("annotate", "agreement", votes, "--field", "colour") == 1


def test_no_votes_on_a_field_names_the_fields() -> None:
    with pytest.raises(UserError, match="the file holds subject"):
        agreement([vote(1, "a", "ann")], "level")
