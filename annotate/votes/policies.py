"""Vote policies: from the votes on one item to a value, with the rule that decided.

`majority`    the value that more people gave than any other; a tie is undecided.
`mathv`       MATH-V, section 3: annotator groups and model advisers vote alike; the paper gives no
              rule for ties, so a tie is undecided.
`unanimous`   everybody who voted, at least two people, says the same (MATH-V, section 3.2: text
              and picture cross-verified).
`wemath`      We-Math, section 2.2: at least two people identical (whole sets), else excluded.
`adjudicate`  two people decide; advisers only break a full tie among people; what is left, and
              what both advisers oppose, goes to an adjudicator, whose word is final.

"pending" abstains everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Literal

import msgspec

from ...errors import UserError, nearest
from ...problem import Vote

Policy = Literal["majority", "mathv", "unanimous", "wemath", "adjudicate"]
PENDING = "pending"  # unsure: an abstention, for the adjudicators


class Outcome(msgspec.Struct, kw_only=True):
    """The decision on one item. `value` is None when it is undecided; `margin` is the winner's
    votes minus the runner-up's; `flagged` items want an adjudicator although they are decided."""

    value: Any = None
    rule: str
    margin: int = 0
    flagged: bool = False


def canonical(value: Any) -> str:
    """Equal values have equal texts: sets of labels do not know an order.

    >>> canonical(["b", "a"]) == canonical(["a", "b"])
    True

    Decompositions are equal when they give conditions in one way, and step for step name one
    concept and one answer: their wording is each author's own, and the first one's is taken.

    >>> one, other = ({"steps": [{"knowledge": "Area", "question": q}]} for q in "ab")
    >>> canonical(one) == canonical(other)
    True
    """
    if isinstance(value, dict) and isinstance(value.get("steps"), list):
        value = [value.get("injection"), *map(_step, value["steps"])]
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = sorted(set(value))
    return msgspec.json.encode(value, order="sorted").decode()


def _step(step: Any) -> Any:
    """A step's concept and the value of its answer, whatever its letter."""
    if not isinstance(step, dict):
        return step
    options = [option for option in step.get("options") or [] if isinstance(option, dict)]
    values = [o.get("text") for o in options if o.get("label") == step.get("answer")]
    answer = str(values[0] if values else step.get("answer"))
    return {"knowledge": step.get("knowledge"), "answer": "".join(answer.split()).casefold()}


def decide(votes: list[Vote], policy: str, adjudicated: Vote | None = None) -> Outcome:
    """The outcome of the votes that count (each voter once) under a policy.

    >>> def vote(value, who, kind="human"):
    ...     return Vote(problem_id="p", field="f", value=value, annotator=who, kind=kind)
    >>> decide([vote("x", "a"), vote("y", "b"), vote("x", "c")], "majority").value
    'x'
    >>> split = [vote("x", "a"), vote("y", "b"), vote("z", "c"), vote("y", "m", "model")]
    >>> decide(split, "adjudicate").rule
    'advisers broke a full tie'
    """
    if policy not in POLICIES:
        raise UserError(f"unknown policy {policy!r}", nearest(policy, list(POLICIES)))
    cast = [vote for vote in votes if vote.value not in (PENDING, None)]
    people = [vote.value for vote in cast if vote.kind == "human"]
    advisers = [vote.value for vote in cast if vote.kind == "model"]
    if adjudicated is not None and adjudicated.value not in (PENDING, None):
        return Outcome(value=adjudicated.value, rule=f"adjudicated by {adjudicated.annotator}")
    if not people and not advisers:
        return Outcome(rule="no votes" if not votes else "all abstained")
    return POLICIES[policy](people, advisers)


def _ranked(values: list[Any]) -> tuple[Any, int, int]:
    """The commonest value, how often it was given, and how often the next one was."""
    counts = Counter(canonical(value) for value in values)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    best = next(value for value in values if canonical(value) == ordered[0][0])
    return best, ordered[0][1], ordered[1][1] if len(ordered) > 1 else 0


def _plurality(values: list[Any], rule: str) -> Outcome:
    if not values:
        return Outcome(rule="no votes")
    best, most, next_most = _ranked(values)
    if most == next_most:
        return Outcome(rule="tie")
    return Outcome(value=best, rule=rule, margin=most - next_most)


def _majority(people: list[Any], advisers: list[Any]) -> Outcome:
    return _plurality(people, "majority of people")


def _mathv(people: list[Any], advisers: list[Any]) -> Outcome:
    return _plurality(people + advisers, "majority of groups and advisers")


def _unanimous(people: list[Any], advisers: list[Any]) -> Outcome:
    if len(people) < 2:
        return Outcome(rule="one person only" if people else "no votes of people")
    best, most, _ = _ranked(people)
    if most < len(people):
        return Outcome(rule="people disagree")
    return Outcome(value=best, rule="people agree", margin=most)


def _wemath(people: list[Any], advisers: list[Any]) -> Outcome:
    if not people:
        return Outcome(rule="no votes")
    best, most, next_most = _ranked(people)
    if most < 2 or most == next_most:
        return Outcome(rule="fewer than two identical")
    return Outcome(value=best, rule="at least two identical", margin=most - next_most)


def _adjudicate(people: list[Any], advisers: list[Any]) -> Outcome:
    if not people:
        return Outcome(rule="no votes of people")
    best, most, next_most = _ranked(people)
    if most >= 2 and most > next_most:
        against = [value for value in advisers if canonical(value) != canonical(best)]
        return Outcome(
            value=best,
            rule="two people agree",
            margin=most - next_most,
            flagged=len(advisers) >= 2 and len(against) == len(advisers),
        )
    if len(people) < 2:
        return Outcome(rule="one person only")
    if most > 1:  # 2-2: people are divided, not scattered
        return Outcome(rule="people are divided")
    known = {canonical(value) for value in people}
    backed = [value for value in advisers if canonical(value) in known]
    if backed:
        winner, votes, runner_up = _ranked(backed)
        if votes > runner_up:
            margin = votes - runner_up
            return Outcome(value=winner, rule="advisers broke a full tie", margin=margin)
    return Outcome(rule="full tie")


POLICIES: dict[str, Callable[[list[Any], list[Any]], Outcome]] = {
    "majority": _majority,
    "mathv": _mathv,
    "unanimous": _unanimous,
    "wemath": _wemath,
    "adjudicate": _adjudicate,
}
