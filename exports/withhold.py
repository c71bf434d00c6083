"""Withheld answers: taken out of the release, kept in a private file, pinned by salted hashes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from ..problem import Part, Problem, Sample


def private_rows(samples: Sequence[Sample]) -> list[dict[str, Any]]:
    """The lines of the private answers.jsonl: id, answer, solution and the salt of the hash.

    A salt must not be guessed, or the hash of "A" gives the answer away; and two builds must give
    the same bytes. So it is derived from all withheld answers and solutions together: whoever can
    compute it has them already.
    """
    secret = hashlib.sha256()
    for sample in samples:
        secret.update(msgspec.json.encode([sample.id, sample.answer, sample.solution]))
    key = secret.hexdigest()
    return [
        {
            "id": sample.id,
            "answer": sample.answer,
            "solution": sample.solution,
            **({"parts": msgspec.to_builtins(sample.parts)} if sample.parts else {}),
            "salt": hashlib.sha256(f"{key}\0{sample.id}".encode()).hexdigest()[:32],
        }
        for sample in samples
    ]


def answer_hash(row: dict[str, Any]) -> str:
    """sha256 over salt, id and answer, as the manifest pins it."""
    return hashlib.sha256(f"{row['salt']}\0{row['id']}\0{row['answer']}".encode()).hexdigest()


def without_answers(sample: Sample) -> Sample:
    return msgspec.structs.replace(
        sample, answer=None, solution=None, parts=[_unanswered(part) for part in sample.parts]
    )


def problem_without_answers(problem: Problem) -> Problem:
    """The problem with answers and solutions removed from itself, its steps and its versions."""
    return msgspec.structs.replace(
        problem,
        answer="",
        solution=None,
        parts=[_unanswered(part) for part in problem.parts],
        steps=[msgspec.structs.replace(step, answer="") for step in problem.steps],
        samples=[without_answers(sample) for sample in problem.samples],
    )


def _unanswered(part: Part) -> Part:
    return msgspec.structs.replace(part, answer="")
