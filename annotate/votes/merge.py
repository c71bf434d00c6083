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
    found = _merge_of([part for value in people for part in value])
    if len(people) < max(2, quorum or 2) or found is None:
        return whole
    merge, what = found
    value, complete = merge(people)
    given = by_parts == "any" or merge is not merge_sets or _is_given(value, people)
    if value and complete and given and by_parts != "no":
        return Outcome(value=value, rule=f"{what} that more than half gave alike")
    whole.agreed = value or None
    return whole


def _merge_of(parts: list[Any]) -> tuple[Callable[[Values], Merge], str] | None:
    """How such parts are merged, and what they are called."""
    if parts and all(isinstance(part, str) for part in parts):
        return merge_sets, "labels"
    for key, merge, what in (
        ("role", merge_spans, "spans"),
        ("text", merge_placements, "places"),
    ):
        if parts and all(isinstance(part, dict) and key in part for part in parts):
            return merge, what
    return None


def _is_given(value: list[str], people: Values) -> bool:
    return canonical(value) in map(canonical, people)


def merge_sets(people: Values) -> Merge:
    """Every label that more than half of the people gave.

    >>> merge_sets([["x", "y"], ["x"], ["x", "y", "z"]])
    (['x', 'y'], True)
    """
    counts = Counter(label for value in people for label in set(value))
    chosen = sorted(label for label, count in counts.items() if 2 * count > len(people))
    return chosen, all(2 * count != len(people) for count in counts.values())


def merge_spans(people: Values) -> Merge:
    """Spans by character overlap: each character takes the role that more than half gave it.

    Neighbouring characters of one role are one span; its `alt` is that of the vote whose span
    covers most of it.
    """
    spans: list[dict[str, Any]] = []
    complete = True
    for at in range(
        max((span["end"] for given in people for span in given), default=0)
    ):
        role, most = Counter(role_at(given, at) for given in people).most_common(1)[0]
        if 2 * most <= len(people):
            complete = False
        elif (
            role is not None
            and spans
            and spans[-1]["end"] == at
            and spans[-1]["role"] == role
        ):
            spans[-1]["end"] = at + 1
        elif role is not None:
            spans.append({"start": at, "end": at + 1, "role": role, "alt": None})
    for span in spans:
        span["alt"] = _alt(span, people)
    return spans, complete


def role_at(spans: list[dict[str, Any]], at: int) -> str | None:
    """The role that one vote gives a character: that of the innermost span around it."""
    around = [span for span in spans if span["start"] <= at < span["end"]]
    inner = min(around, key=lambda span: span["end"] - span["start"], default=None)
    return None if inner is None else str(inner["role"])


def _alt(span: dict[str, Any], people: Values) -> str | None:
    def overlap(other: dict[str, Any]) -> int:
        common = min(span["end"], other["end"]) - max(span["start"], other["start"])
        return int(2 * common - (other["end"] - other["start"]))

    same = [
        s
        for spans in people
        for s in spans
        if s["role"] == span["role"] and s.get("alt")
    ]
    best = max(same, key=overlap, default=None)
    touches = (
        best is not None and best["start"] < span["end"] and span["start"] < best["end"]
    )
    return best["alt"] if best is not None and touches else None


def merge_placements(people: Values) -> Merge:
    """Every condition that more than half placed by the same kind of anchor, at the median place.

    >>> merge_placements([[{"near": [10, 20], "text": "5"}], [{"near": [14, 21], "text": "5"}]])
    ([{'near': [12.0, 20.5], 'text': '5'}], True)
    """
    placed: dict[tuple[str, str, int], list[Any]] = {}
    for labels in people:
        seen: Counter[tuple[str, str]] = Counter()
        for label in labels:
            (anchor,) = label.keys() - {"text"}
            kind = (anchor, label["text"])
            placed.setdefault((*kind, seen[kind]), []).append(label[anchor])
            seen[kind] += 1  # one text may stand at several places
    chosen = [
        {anchor: _middle(places), "text": text}
        for (anchor, text, _), places in sorted(placed.items())
        if 2 * len(places) > len(people)
    ]
    return chosen, all(2 * len(places) != len(people) for places in placed.values())


def _middle(places: list[Any]) -> Any:
    """The median of points, or of each point of paths."""
    if isinstance(places[0], list):
        return [_middle(list(column)) for column in zip(*places, strict=True)]
    return round(median(places), 2)
