"""Votes that are not one value, decided part by part: sets of labels, spans of text, placements."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import Any

from ...problem import Vote
from .policies import Outcome

Parts = list[Any]


def merged(votes: list[Vote], quorum: int | None = None) -> Outcome | None:
    """What more than half of the people gave, part by part.

    None where fewer than `quorum` (two) people gave parts, or no part has a majority.
    """
    people = [vote.value for vote in votes if vote.kind == "human" and isinstance(vote.value, list)]
    parts = [part for value in people for part in value]
    if len(people) < max(2, quorum or 2) or not parts:
        return None
    value: Parts
    if all(isinstance(part, str) for part in parts):
        value, rule = merge_sets(people), "labels that more than half gave"
    elif all(isinstance(part, dict) and "role" in part for part in parts):
        value, rule = merge_spans(people), "characters that more than half marked alike"
    elif all(isinstance(part, dict) and "text" in part for part in parts):
        value, rule = merge_placements(people), "conditions that more than half placed alike"
    else:
        return None
    return Outcome(value=value, rule=rule) if value else None


def merge_sets(people: list[list[str]]) -> list[str]:
    """Every label that more than half of the people gave.

    >>> merge_sets([["x", "y"], ["x"], ["x", "y", "z"]])
    ['x', 'y']
    """
    counts = Counter(label for value in people for label in set(value))
    return sorted(label for label, count in counts.items() if 2 * count > len(people))


def merge_spans(people: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Spans by character overlap: each character takes the role that more than half gave it.

    Neighbouring characters of one role are one span; its `alt` is that of the vote whose span
    covers most of it.
    """
    merged: list[dict[str, Any]] = []
    for at in range(max((span["end"] for spans in people for span in spans), default=0)):
        role, most = Counter(role_at(spans, at) for spans in people).most_common(1)[0]
        if role is None or 2 * most <= len(people):
            continue
        if merged and merged[-1]["end"] == at and merged[-1]["role"] == role:
            merged[-1]["end"] = at + 1
        else:
            merged.append({"start": at, "end": at + 1, "role": role, "alt": None})
    for span in merged:
        span["alt"] = _alt(span, people)
    return merged


def role_at(spans: list[dict[str, Any]], at: int) -> str | None:
    """The role that one vote gives a character: that of the innermost span around it."""
    around = [span for span in spans if span["start"] <= at < span["end"]]
    inner = min(around, key=lambda span: span["end"] - span["start"], default=None)
    return None if inner is None else str(inner["role"])


def _alt(span: dict[str, Any], people: list[list[dict[str, Any]]]) -> str | None:
    def overlap(other: dict[str, Any]) -> int:
        common = min(span["end"], other["end"]) - max(span["start"], other["start"])
        return int(2 * common - (other["end"] - other["start"]))

    same = [s for spans in people for s in spans if s["role"] == span["role"] and s.get("alt")]
    best = max(same, key=overlap, default=None)
    touches = best is not None and best["start"] < span["end"] and span["start"] < best["end"]
    return best["alt"] if best is not None and touches else None


def merge_placements(people: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Every condition that more than half placed by the same kind of anchor, at the median place.

    >>> merge_placements([[{"near": [10, 20], "text": "5"}], [{"near": [14, 21], "text": "5"}]])
    [{'near': [12.0, 20.5], 'text': '5'}]
    """
    placed: dict[tuple[str, str, int], list[Any]] = {}
    for labels in people:
        seen: Counter[tuple[str, str]] = Counter()
        for label in labels:
            (anchor,) = label.keys() - {"text"}
            kind = (anchor, label["text"])
            placed.setdefault((*kind, seen[kind]), []).append(label[anchor])
            seen[kind] += 1  # one text may stand at several places
    return [
        {anchor: _middle(places), "text": text}
        for (anchor, text, _), places in sorted(placed.items())
        if 2 * len(places) > len(people)
    ]


def _middle(places: list[Any]) -> Any:
    """The median of points, or of each point of paths."""
    if isinstance(places[0], list):
        return [_middle(list(column)) for column in zip(*places, strict=True)]
    return round(median(places), 2)
