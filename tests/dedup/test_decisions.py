"""Decisions: what goes, in favour of what, and what is stale."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright.dedup import (
    Decision,
    append_decision,
    drops,
    is_stale,
    key_of,
    leakage_groups,
    read_decisions,
)
from benchwright.errors import UserError
from hypothesis import given
from hypothesis import strategies as st

edges = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")).filter(
        lambda e: e[0] != e[1]
    )
)
ORDER = {name: k for k, name in enumerate("abcdef")}


@given(edges)
def test_every_drop_has_a_direct_partner_that_stays(
    pairs: list[tuple[str, str]],
) -> None:
    dropped = {d.id: d.other for d in drops([(a, b, "x") for a, b in pairs], ORDER)}
    for loser, keeper in dropped.items():
        assert (loser, keeper) in pairs
        assert keeper not in dropped
    for (
        a,
        b,
    ) in pairs:  # of two that were called duplicates, never both stay without a circle
        if a not in dropped and b not in dropped:
            assert _reaches(pairs, b, a)


def _reaches(pairs: list[tuple[str, str]], start: str, goal: str) -> bool:
    seen, waiting = {start}, [start]
    while waiting:
        current = waiting.pop()
        new = {b for a, b in pairs if a == current} - seen
        seen |= new
        waiting += new
    return goal in seen


def test_a_chain_does_not_pass_likeness_on() -> None:
    found = drops([("c", "b", "x"), ("b", "a", "x")], ORDER)
    assert [(d.id, d.other) for d in found] == [("b", "a")]
    found = drops([("c", "b", "x"), ("b", "a", "x"), ("c", "a", "x")], ORDER)
    assert [(d.id, d.other) for d in found] == [("b", "a"), ("c", "a")]


def test_a_long_chain_is_settled() -> None:
    order = {str(k): k for k in range(5000)}
    chain = [(str(k + 1), str(k), "x") for k in range(4999)]
    assert len(drops(chain, order)) == 2500


def test_the_last_decision_on_a_pair_counts(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "d.jsonl"
    append_decision(path, Decision(a="1", b="2", verdict="variant"))
    append_decision(path, Decision(a="2", b="1", verdict="duplicate", keep="2"))
    assert read_decisions(path)[key_of("2", "1")].verdict == "duplicate"
    path.write_text('{"a": "1", "b": "2", "verdict": "maybe"}\n')
    with pytest.raises(UserError, match=r"d\.jsonl:1"):
        read_decisions(path)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({}, ""),
        ({"a_hash": "other"}, "the content of '1' has changed since"),
        ({"b": "9"}, "there is no '9'"),
        ({"keep": "7"}, "it keeps '7', which is not of the pair"),
        ({"a_hash": ""}, ""),
    ],
)
def test_stale_decisions_say_why(change: dict[str, str], why: str) -> None:
    fields = {"a": "1", "b": "2", "a_hash": "x", "b_hash": "y"} | change
    assert (
        is_stale(Decision(verdict="duplicate", **fields), {"1": "x", "2": "y"}) == why
    )


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef"))))
def test_groups_are_connected_components(links: list[tuple[str, str]]) -> None:
    group = leakage_groups("abcdef", links)
    both_ways = links + [(b, a) for a, b in links]
    for a in "abcdef":
        component = [b for b in "abcdef" if _reaches(both_ways, a, b)]
        assert group[a] == component[0]
