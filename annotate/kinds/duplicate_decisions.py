"""Votes on pairs as decisions/duplicates.jsonl, the form that the dedup stage reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ...problem import Vote
from ..votes import PENDING, latest


def decisions_of(
    pairs: dict[str, dict[str, Any]], votes: Iterable[Vote]
) -> list[dict[str, Any]]:
    """One decision per pair on which more than half of its people gave the same verdict.

    `pairs` holds each task's data (a, b and the hashes of what was judged). A pair without such a
    verdict has no decision, and stays a question for people. For a duplicate, `keep` is what most
    of them named; without one the dedup stage's own rule decides.
    """
    by_pair: dict[
        str, dict[str, dict[str, Any]]
    ] = {}  # task -> person -> field -> value
    last: dict[str, str] = {}
    for vote in latest(votes)[0]:
        answer = by_pair.setdefault(vote.problem_id, {}).setdefault(vote.annotator, {})
        answer[vote.field] = vote.value
        last[vote.problem_id] = max(vote.at, last.get(vote.problem_id, ""))
    decisions = []
    for key, people in sorted(by_pair.items()):
        verdict = _most(answer.get("duplicate") for answer in people.values())
        if key not in pairs or verdict in ("", PENDING):
            continue
        agreeing = {n: a for n, a in people.items() if a.get("duplicate") == verdict}
        keep = _most(answer.get("keep") for answer in agreeing.values())
        pair = pairs[key]
        decisions.append(
            {name: pair.get(name, "") for name in ("a", "b", "a_hash", "b_hash")}
            | {"verdict": verdict, "keep": keep if verdict == "duplicate" else ""}
            | {"annotator": ", ".join(sorted(agreeing)), "at": last[key], "note": ""}
        )
    return decisions


def _most(values: Iterable[Any]) -> str:
    """What more than half of them are, or nothing."""
    counts = Counter(values)
    (best, count), *_ = counts.most_common(1) or [("", 0)]
    return str(best or "") if 2 * count > counts.total() else ""
