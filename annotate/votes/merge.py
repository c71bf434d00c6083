"""Votes that are not one value, merged part by part: sets of labels, spans of text, placements.

A part is decided where more than half of the people say the same of it. A merge stands only where
every part is decided: what is left out of one would get a label, or the lack of one, that nobody
gave.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from statistics import median
from typing import Any

from ...problem import Vote
from .policies import Outcome, Parts, canonical

Values = list[list[Any]]  # what each person gave
Merge = tuple[list[Any], bool]  # the parts that are decided, and whether all are
Merger = Callable[[Values], Merge]


def merged(
    votes: list[Vote], by_parts: Parts, quorum: int | None, whole: Outcome
) -> Outcome:
    """`whole`, the outcome of the votes as they stand, or the one of their parts where it is open.

    At least `quorum` (two) people have to give parts. Where the parts decide nothing, those that
    most people gave alike stay with the open item, for the adjudicator.
    """
    people = [
        vote.value
        for vote in votes
        if vote.kind == "human" and isinstance(vote.value, list)
    ]
    merger = _merger_of([part for value in people for part in value])
    if merger is None or len(people) < max(2, quorum or 2):
        return whole
    merge, what = merger
    value, complete = merge(people)
    if value and complete and _allowed(value, by_parts, merge, people):
        return Outcome(value=value, rule=f"{what} that more than half gave alike")
    whole.agreed = value or None
    return whole


def _merger_of(parts: list[Any]) -> tuple[Merger, str] | None:
    """How such parts are merged, and what they are called."""
    if not parts:
        return None
    if all(isinstance(part, str) for part in parts):
        return merge_sets, "labels"
    if not all(isinstance(part, dict) for part in parts):
        return None
    if all("role" in part for part in parts):
        return merge_spans, "spans"
    if all("text" in part for part in parts):
        return merge_placements, "places"
    return None


def _allowed(value: list[Any], by_parts: Parts, merge: Merger, people: Values) -> bool:
    """Whether a policy takes what was merged; with "given", a set only that somebody gave."""
    if by_parts == "given" and merge is merge_sets:
        return canonical(value) in map(canonical, people)
    return by_parts != "no"


def merge_sets(people: Values) -> Merge:
    """Every label that more than half of the people gave.

    >>> merge_sets([["x", "y"], ["x"], ["x", "y", "z"]])
    (['x', 'y'], True)
    """
    counts = Counter(label for value in people for label in set(value))
    chosen = sorted(label for label, count in counts.items() if 2 * count > len(people))
    tie = any(2 * count == len(people) for count in counts.values())
    return chosen, not tie


def merge_spans(people: Values) -> Merge:
    """Spans by character overlap: each character takes the role that more than half gave it.

    Neighbouring characters of one role are one span; its `alt` is that of the vote whose span
    covers most of it.
    """
    merged_spans: list[dict[str, Any]] = []
    complete = True
    length = max((span["end"] for spans in people for span in spans), default=0)
    for at in range(length):
        roles = Counter(role_at(spans, at) for spans in people)
        role, most = roles.most_common(1)[0]
        if 2 * most <= len(people):
            complete = False
        elif role is not None:
            _extend(merged_spans, at, role)
    for span in merged_spans:
        span["alt"] = _alt(span, people)
    return merged_spans, complete


def _extend(spans: list[dict[str, Any]], at: int, role: str) -> None:
    """Take one more character into the last span, or into a new one."""
    last = spans[-1] if spans else None
    if last and last["end"] == at and last["role"] == role:
        last["end"] = at + 1
    else:
        spans.append({"start": at, "end": at + 1, "role": role, "alt": None})


def role_at(spans: list[dict[str, Any]], at: int) -> str | None:
    """The role that one vote gives a character: that of the innermost span around it."""
    around = [span for span in spans if span["start"] <= at < span["end"]]
    inner = min(around, key=lambda span: span["end"] - span["start"], default=None)
    return None if inner is None else str(inner["role"])


def _alt(span: dict[str, Any], people: Values) -> str | None:
    def common(other: dict[str, Any]) -> int:
        return int(min(span["end"], other["end"]) - max(span["start"], other["start"]))

    def fit(other: dict[str, Any]) -> int:
        """What both cover, less what the other covers alone."""
        return 2 * common(other) - int(other["end"] - other["start"])

    same_role = [
        other
        for spans in people
        for other in spans
        if other["role"] == span["role"] and other.get("alt")
    ]
    best = max(same_role, key=fit, default=None)
    return best["alt"] if best is not None and common(best) > 0 else None


def merge_placements(people: Values) -> Merge:
    """Every condition that more than half placed by the same kind of anchor, at the median place.

    >>> merge_placements([[{"near": [10, 20], "text": "5"}], [{"near": [14, 21], "text": "5"}]])
    ([{'near': [12.0, 20.5], 'text': '5'}], True)
    """
    places_of: dict[tuple[str, str, int], list[Any]] = {}
    for labels in people:
        repetitions: Counter[tuple[str, str]] = Counter()
        for label in labels:
            (anchor,) = label.keys() - {"text"}
            condition = (anchor, label["text"])
            number = repetitions[condition]  # one text may stand at several places
            places_of.setdefault((*condition, number), []).append(label[anchor])
            repetitions[condition] += 1
    chosen = [
        {anchor: _median(places), "text": text}
        for (anchor, text, _), places in sorted(places_of.items())
        if 2 * len(places) > len(people)
    ]
    tie = any(2 * len(places) == len(people) for places in places_of.values())
    return chosen, not tie


def _median(places: list[Any]) -> Any:
    """The median of points, or of each point of paths."""
    if isinstance(places[0], list):
        return [_median(list(column)) for column in zip(*places, strict=True)]
    return round(median(places), 2)
