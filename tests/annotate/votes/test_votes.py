"""Policies and the ledger: the papers' rules, ties, abstentions, advisers, second answers."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest
from benchwright.annotate.votes import (
    as_final,
    canonical,
    decide,
    ledger,
    merge_placements,
    merge_sets,
    merge_spans,
    open_items,
)
from benchwright.annotate.votes.policies import BUILT_IN as POLICIES
from benchwright.problem import Vote
from benchwright.taxonomy import load_tree
from hypothesis import given
from hypothesis import strategies as st


def vote(value: Any, who: str = "ann", **changes: Any) -> Vote:
    kind = "model" if who.startswith("gpt") else "human"
    fields = {
        "problem_id": "p",
        "field": "subject",
        "value": value,
        "annotator": who,
        "kind": kind,
    }
    return Vote(**fields | changes)


def votes(people: str, models: str = "") -> list[Vote]:
    """One letter a vote; "-" abstains."""
    given = [vote("pending" if v == "-" else v, f"p{k}") for k, v in enumerate(people)]
    return given + [
        vote("pending" if v == "-" else v, f"gpt{k}") for k, v in enumerate(models)
    ]


CASES = [
    # people, models: majority, mathv, wemath, adjudicate
    # (None: undecided; "!" flagged; "x": excluded)
    ("aab", "", "a", "a", "a", "a"),
    ("aaa", "bb", "a", "a", "a", "a!"),
    ("aab", "bb", "a", "a", "a", "a!"),
    ("aab", "bc", "a", "a", "a", "a!"),
    ("aab", "ab", "a", "a", "a", "a"),
    ("abc", "aa", None, None, "x", "a"),
    ("abc", "ab", None, None, "x", None),
    ("abc", "dd", None, None, "x", None),
    ("abc", "a", None, None, "x", "a"),
    ("aa-", "", "a", "a", "a", "a"),
    ("ab-", "a", None, None, "x", "a"),
    ("ab", "a", None, None, None, "a"),
    ("a--", "aa", "a", None, "x", None),
    ("a", "aa", "a", None, None, None),
    ("---", "aa", None, None, "x", None),
    ("---", "", None, None, "x", None),
    ("", "aa", None, None, None, None),
    ("aabb", "aa", None, None, "x", None),
    ("aabc", "", "a", None, "a", "a"),
    ("aabbb", "", "b", "b", "b", "b"),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{c[0]}+{c[1]}" for c in CASES])
def test_each_policy_on_each_constellation(case: tuple) -> None:
    people, models, *expected = case
    for policy, want in zip(
        ("majority", "mathv", "wemath", "adjudicate"), expected, strict=True
    ):
        outcome = decide(votes(people, models), policy)
        got = outcome.value if not outcome.flagged else f"{outcome.value}!"
        assert ("x" if outcome.excluded else got) == want, (policy, outcome)


@pytest.mark.parametrize(
    ("policy", "people", "models", "value", "rule"),
    [
        ("mathv", "abc", "ab", None, "no majority of people"),
        ("mathv", "abc", "bd", "b", "advisers broke a full tie"),
        ("mathv", "abc", "dd", None, "no majority of people"),
        ("mathv", "aabb", "b", "b", "advisers broke a tie"),
        (
            "mathv",
            "aabc",
            "bb",
            None,
            "no majority of people",
        ),  # no tie: nothing to break
        ("mathv", "a--", "aa", None, "1 of the 2 people that a decision needs"),
        ("mathv", "---", "aa", None, "no label of a person"),
        ("majority", "ab", "b", "b", "advisers broke a full tie"),
        ("wemath", "ab-", "b", "b", "advisers broke a full tie"),
        ("unanimous", "aab", "a", None, "people disagree"),
    ],
)
def test_advisers_break_ties_of_people_only_where_told(
    policy: str, people: str, models: str, value: str | None, rule: str
) -> None:
    outcome = decide(votes(people, models), policy, ties="advisers")
    assert (outcome.value, outcome.rule) == (value, rule)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("quorum", [1, 2, 3, 4])
def test_nothing_is_decided_below_the_quorum(policy: str, quorum: int) -> None:
    """Neither by models, however many, nor where people were unsure."""
    for people in ("", "a", "a-", "aa", "aa--", "aaa", "-----"):
        outcome = decide(votes(people, "aaaaa"), policy, quorum=quorum, ties="advisers")
        assert (outcome.value is None) or people.count("a") >= quorum, (people, outcome)


def test_excluded_items_are_no_question_for_an_adjudicator() -> None:
    entries = ledger(votes("abc"), "subject", "wemath")
    assert (entries[0].excluded, open_items(entries)) == (True, [])
    entries = ledger(votes("ab"), "subject", "wemath")
    assert (entries[0].excluded, len(open_items(entries))) == (False, 1)


def authored(
    value: str, question: str = "q", injection: str = "text", /, **more: Any
) -> dict[str, Any]:
    step = {"knowledge": "Area", "question": question, "condition": "c", "answer": "A",
            "options": [{"label": "A", "text": value}]}  # fmt: skip
    return {"injection": injection, "steps": [step | more]}


def test_decompositions_agree_by_count_concepts_and_answers() -> None:
    """Wording, letters and the way of giving conditions are each author's own."""
    same = authored("$3$ cm", "worded anew", "picture", answer="B",
                    options=[{"label": "B", "text": "3cm"}])  # fmt: skip
    assert canonical(authored("3 cm")) == canonical(same)
    for other in (authored("4 cm"), authored("3 cm", knowledge="Length"),
                  {"injection": "text", "steps": authored("3 cm")["steps"] * 2}):  # fmt: skip
        assert canonical(authored("3 cm")) != canonical(other)


def test_one_authored_text_is_taken_and_the_reviewed_one_first() -> None:
    first, second = authored("3", "first"), authored("3", "second")
    independent = [vote(second, "ben", at="2"), vote(first, "ann", at="1")]
    assert decide(independent, "wemath").value == first
    reviewed = [
        vote(second, "ann", at="5"),
        vote(first, "ben", at="3"),
        vote(first, "eve", at="4"),
    ]
    assert decide(reviewed, "wemath").value == first


def test_reviewers_who_reject_leave_nothing_to_take() -> None:
    no, other_no = {"rejected": ["concepts", "unique"]}, {"rejected": ["answers"]}
    author = vote(authored("3"), "ann", at="1")
    decided = decide(
        [author, vote(no, "ben", at="2"), vote(other_no, "eve", at="3")], "wemath"
    )
    assert (decided.value, decided.rule) == (
        None,
        "reviewers reject it: concepts, unique",
    )
    one = [author, vote(authored("3"), "ben", at="2"), vote(no, "eve", at="3")]
    assert decide(one, "wemath").value == authored("3")
    assert decide(one, "unanimous").value is None


@pytest.mark.parametrize(
    ("people", "models", "value"),
    [("aa", "", "a"), ("aaa", "bb", "a"), ("aab", "aa", None), ("a", "aa", None), ("aa-", "", "a"),
     ("---", "a", None)],
)  # fmt: skip
def test_unanimous_is_what_all_who_voted_say(
    people: str, models: str, value: str | None
) -> None:
    assert decide(votes(people, models), "unanimous").value == value


def stated(policy: str, people: str, models: str) -> tuple[str | None, bool]:
    """The rules as the papers and docs/votes.md state them, for up to three people."""
    people, models = people.replace("-", ""), models.replace("-", "")

    def most(votes: str, among: str) -> str | None:
        winners = [
            v
            for v in among
            if all(votes.count(v) > votes.count(w) for w in among if w != v)
        ]
        return winners[0] if winners and votes.count(winners[0]) else None

    twice = next((v for v in "abc" if people.count(v) >= 2), None)
    if policy == "majority":
        return most(people, "abc"), False
    if policy == "mathv":
        half = [v for v in "abc" if 2 * people.count(v) > len(people) >= 2]
        return (half[0] if half else None), False
    if policy == "wemath":
        return twice, False
    if twice:
        return twice, len(models) >= 2 and twice not in models
    return (most(models, people) if len(people) >= 2 else None), False


@pytest.mark.parametrize("policy", ["majority", "mathv", "wemath", "adjudicate"])
def test_every_vote_of_three_people_and_two_advisers(policy: str) -> None:
    def all_of(most: int) -> list[str]:
        return ["".join(v) for n in range(most + 1) for v in product("abc-", repeat=n)]

    for people, models in product(all_of(3), all_of(2)):
        found = decide(votes(people, models), policy)
        assert (found.value, found.flagged) == stated(policy, people, models), (
            people,
            models,
        )


@given(
    st.text(alphabet="abc-", max_size=7),
    st.text(alphabet="abc-", max_size=3),
    st.randoms(),
)
def test_the_order_of_votes_never_matters_and_winners_were_voted_for(
    people: str, models: str, r
) -> None:
    given_votes = votes(people, models)
    shuffled = list(given_votes)
    r.shuffle(shuffled)
    for policy in ("majority", "mathv", "wemath", "adjudicate"):
        one, two = decide(given_votes, policy), decide(shuffled, policy)
        assert one == two
        assert one.value is None or one.value in people
        if policy in ("majority", "wemath") and one.value is not None:
            counts = Counter(people.replace("-", ""))
            assert counts[one.value] == max(counts.values())


def test_sets_are_compared_whole_and_without_order() -> None:
    given_votes = [vote(["x", "y"], "a"), vote(["y", "x"], "b"), vote(["x"], "c")]
    assert canonical(decide(given_votes, "wemath").value) == canonical(["x", "y"])
    split = [vote(["x", "y"], "a"), vote(["x"], "b"), vote(["x", "z"], "c")]
    assert decide(split, "wemath").value is None
    assert merge_sets([v.value for v in split]) == (["x"], True)
    (entry,) = ledger(split, "subject", "majority")
    assert (entry.value, entry.rule) == (["x"], "labels that more than half gave alike")


def test_a_set_that_nobody_gave_is_taken_by_a_policy_of_its_own_only() -> None:
    circle = [vote(["x", "y"], "a"), vote(["y", "z"], "b"), vote(["x", "z"], "c")]
    for policy in ("majority", "adjudicate", "mathv"):
        (entry,) = ledger(circle, "subject", policy)
        assert (entry.value, entry.agreed) == (None, ["x", "y", "z"])
    (entry,) = ledger(circle, "subject", "parts")
    assert (entry.value, entry.rule) == (
        ["x", "y", "z"],
        "labels that more than half gave alike",
    )


def test_the_ledger_supersedes_ignores_and_adjudicates() -> None:
    tree = load_tree("math-v")
    given_votes = [
        vote("algebra", "ann", at="1"),
        vote("logic", "ann", at="2"),
        vote("logic", "bob", at="1"),
        vote("astrology", "cyd", at="1"),
        vote("algebra", "ann", problem_id="q", at="1"),
        vote("logic", "bob", problem_id="q", at="1"),
        vote("level", "bob", problem_id="q", field="other", at="1"),
    ]
    first, second = ledger(given_votes, "subject", "adjudicate", tree)
    assert (first.id, first.value, first.rule) == ("p", "logic", "two people agree")
    assert [(row["annotator"], row["why"]) for row in first.ignored] == [
        ("cyd", "'astrology' is not in the tree"),
        ("ann", "superseded by a later answer"),
    ]
    assert (second.value, second.rule) == (None, "full tie")
    assert [entry.id for entry in open_items([first, second])] == ["q"]
    final = as_final([vote("counting", "dee", problem_id="q", at="9")])
    assert (
        ledger(given_votes + final, "subject", "adjudicate", tree)[1].value
        == "counting"
    )
    outside = as_final([vote("astrology", "dee", problem_id="q", at="9")])
    still = ledger(given_votes + outside, "subject", "adjudicate", tree)[1]
    assert (still.value, still.ignored[0]["value"]) == (None, "astrology")


def test_two_adjudicators_are_two_votes_and_one_against_all_is_told() -> None:
    given_votes = [vote("algebra", "ann"), vote("algebra", "bob")]

    def decided(*finals: Vote) -> tuple[Any, str]:
        [entry] = ledger(
            given_votes + as_final(finals), "subject", "adjudicate", load_tree("math-v")
        )
        return entry.value, entry.rule

    dee, eve = vote("logic", "dee", at="1"), vote("logic", "eve", at="2")
    other = vote("counting", "eve", at="2")
    unsure = vote("pending", "eve", at="2")
    assert decided(dee) == ("logic", "adjudicated by dee against all 2")
    assert decided(vote("algebra", "dee")) == ("algebra", "adjudicated by dee")
    assert decided(dee, eve) == ("logic", "adjudicated by dee and eve against all 2")
    assert decided(dee, other) == (None, "adjudicators differ: dee and eve")
    assert decided(other, dee) == (None, "adjudicators differ: dee and eve")
    assert decided(dee, unsure) == ("logic", "adjudicated by dee against all 2")
    assert decided(unsure) == ("algebra", "two people agree")
    third = vote("logic", "fay", at="3")
    for finals in ((dee, other, third), (other, third, dee)):
        rule = "adjudicated by dee and fay, not eve against all 2"
        assert decided(*finals) == ("logic", rule)


def test_a_decision_is_tied_to_the_votes_it_saw() -> None:
    one = ledger([vote("a"), vote("a", "b")], "subject", "majority")[0].sha256
    two = ledger([vote("a"), vote("b", "b")], "subject", "majority")[0].sha256
    assert one != two


def span(start: int, end: int, role: str, alt: str | None = None) -> dict:
    return {"start": start, "end": end, "role": role, "alt": alt}


def test_spans_are_merged_by_characters() -> None:
    people = [
        [span(0, 10, "DI", "A"), span(20, 30, "EC")],
        [span(0, 12, "DI", "B"), span(22, 30, "EC")],
        [span(2, 10, "IP")],
    ]
    assert merge_spans(people) == ([span(0, 10, "DI", "A"), span(22, 30, "EC")], True)
    nested = [span(0, 10, "DI"), span(4, 6, "EC")]
    whole = [span(0, 4, "DI"), span(4, 6, "EC"), span(6, 10, "DI")]
    assert merge_spans([nested, nested, [span(0, 4, "IP")]]) == (whole, True)


def test_the_ledger_says_how_spans_were_merged() -> None:
    """The row holds what the stage sets; where nothing is common, the item is open."""
    split = [
        vote([span(0, 5, "DI")], "a"),
        vote([span(0, 4, "DI")], "b"),
        vote([], "c"),
    ]
    (entry,) = ledger(split, "subject", "adjudicate")
    assert entry.value == [span(0, 4, "DI")]
    assert entry.rule == "spans that more than half gave alike"
    (entry,) = ledger([vote([span(0, 5, "DI")], "a"), vote([span(6, 9, "DI")], "b")],
                      "subject", "majority")  # fmt: skip
    assert (entry.value, entry.rule) == (None, "tie")
    (entry,) = ledger(split, "subject", "wemath")
    assert entry.value is None


def test_a_part_with_three_roles_leaves_the_item_open_with_what_is_agreed() -> None:
    agreed = span(0, 20, "DI")
    split = [vote([agreed, span(20, 40, role)], name)
             for name, role in (("a", "EC"), ("b", "DI"), ("c", "IP"))]  # fmt: skip
    for policy in ("majority", "adjudicate", "parts"):
        (entry,) = ledger(split, "subject", policy)
        assert (entry.value, entry.agreed) == (None, [agreed])
        assert open_items([entry]) == [entry]


def test_votes_on_two_texts_are_never_compared() -> None:
    """Two old votes for one label do not outvote the one that was given for the new text."""
    old = [vote("logic", name, at="1", about="old") for name in "ab"]
    new = vote("algebra", "c", at="2", about="new")
    (entry,) = ledger([*old, new], "subject", "majority")
    assert (entry.value, entry.stale) == ("algebra", ["a", "b"])
    (entry,) = ledger([*old, new], "subject", "majority", hashes={"p": "old"})
    assert (entry.value, entry.stale) == ("logic", ["c"])


def test_placements_are_merged_by_text_at_the_median() -> None:
    people = [
        [{"segment": [[0, 0], [8, 0]], "text": "4"}, {"near": [1, 1], "text": "x"}],
        [{"segment": [[1, 1], [9, 1]], "text": "4"}, {"near": [5, 5], "text": "4"}],
        [{"segment": [[5, 0], [9, 3]], "text": "4"}, {"near": [2, 3], "text": "x"},
         {"near": [9, 9], "text": "x"}],
    ]  # fmt: skip
    assert merge_placements(people)[0] == [
        {"near": [1.5, 2.0], "text": "x"},
        {"segment": [[1, 0], [9, 1]], "text": "4"},
    ]


@given(
    st.lists(
        st.tuples(st.integers(0, 20), st.integers(1, 9), st.sampled_from(["DI", "EC"])),
        max_size=3,
    )
)
def test_unanimous_spans_stay_as_they_are(found: list) -> None:
    spans: list[dict] = []
    for start, length, role in sorted(found):
        if not spans or start > spans[-1]["end"]:
            spans.append(span(start, start + length, role))
    assert merge_spans([spans, spans]) == (spans, True)
