"""Votes on pairs as decisions/duplicates.jsonl, the form that the dedup stage reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ...problem import Vote
from ..votes import PENDING, latest

Answers = dict[str, dict[str, Any]]  # person -> field -> value


def decisions_of(
    pairs: dict[str, dict[str, Any]], votes: Iterable[Vote]
) -> list[dict[str, Any]]:
    """One decision per pair on which more than half of its people gave the same verdict.

    `pairs` holds each task's data (a, b and the hashes of what was judged). A pair without such a
    verdict has no decision, and stays a question for people. For a duplicate, `keep` is what most
    of them named; without one the dedup stage's own rule decides.
    """
    answers: dict[str, Answers] = {}
    last: dict[str, str] = {}
    for vote in latest(votes)[0]:
        by_person = answers.setdefault(vote.problem_id, {})
        by_person.setdefault(vote.annotator, {})[vote.field] = vote.value
        last[vote.problem_id] = max(vote.at, last.get(vote.problem_id, ""))
    decisions = (
        _decision(pairs[key], by_person, last[key])
        for key, by_person in sorted(answers.items())
        if key in pairs
    )
    return [decision for decision in decisions if decision is not None]


def _decision(pair: dict[str, Any], answers: Answers, at: str) -> dict[str, Any] | None:
    verdict = _majority(answer.get("duplicate") for answer in answers.values())
    if verdict in ("", PENDING):
        return None
    agreeing = {
        person: answer
        for person, answer in answers.items()
        if answer.get("duplicate") == verdict
    }
    keep = ""
    if verdict == "duplicate":
        keep = _majority(answer.get("keep") for answer in agreeing.values())
    return {
        **{name: pair.get(name, "") for name in ("a", "b", "a_hash", "b_hash")},
        "verdict": verdict,
        "keep": keep,
        "annotator": ", ".join(sorted(agreeing)),
        "at": at,
        "note": "",
    }


def _majority(values: Iterable[Any]) -> str:
    """What more than half of them are, or nothing."""
    counts = Counter(values)
    for value, count in counts.items():
        if 2 * count > counts.total():
            return str(value or "")
    return ""
