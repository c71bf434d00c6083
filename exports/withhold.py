"""Withheld answers: taken out of the release, kept in a private folder, pinned by commitments.

The private folder `<name>-<version>-private/` holds `key` (random, made once), `answers.jsonl`
(what `score --answers` reads) and `problems/<split>.jsonl` (the withheld problems whole). The
manifest holds for each sample HMAC(salt, row), where the salt is HMAC(key, id): without the key
nobody can tell an answer from its commitment, however few there are to guess from; and to prove one
answer its owner shows that answer's salt alone.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import encode, write_text
from ..errors import UserError
from ..problem import Labels, Part, Problem, Published, Sample

KEY = "key"  # the file of the private folder
_KEY = re.compile(r"[0-9a-f]{64}")


def kept_key(*places: Path) -> str | None:
    """The key in the first of `places` that exists. Raises UserError for one that holds none."""
    for place in places:
        try:
            text = place.read_text("utf-8", "replace").strip()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise UserError(
                f"cannot read {place}: {error.strerror}", "check the path"
            ) from error
        if not _KEY.fullmatch(text):
            raise UserError(
                f"{place} holds no key", "a key is a line of 64 hexadecimal digits"
            )
        return text
    return None


def new_key(place: Path, key: str = "") -> str:
    """A random key (or the one given), kept at `place` before anybody uses it."""
    key = key or secrets.token_hex(32)
    write_text(place, f"{key}\n")
    place.chmod(0o600)
    return key


def private_rows(samples: Iterable[Sample], key: str) -> list[dict[str, Any]]:
    """The lines of the private answers.jsonl: id, answer, solution, parts and the salt."""
    return [
        {
            "id": sample.id,
            "answer": sample.answer,
            "solution": sample.solution,
            **({"parts": msgspec.to_builtins(sample.parts)} if sample.parts else {}),
            "salt": _hmac(bytes.fromhex(key), sample.id.encode()),
        }
        for sample in samples
    ]


def commitment(row: dict[str, Any]) -> str:
    """What the manifest pins of a private row: nothing in the row can change unseen."""
    content = {name: value for name, value in row.items() if name != "salt"}
    return _hmac(str(row["salt"]).encode(), encode(content))


def _hmac(key: bytes, message: bytes) -> str:
    return hmac.new(key, message, hashlib.sha256).hexdigest()


# labels that stand above a question where it is asked: readers of exams write them
_ASKED = frozenset({"instruction", "section", "title"})
_ENDS = re.compile(r"[.!?。！？…][\"'”’)）]?\s*\Z")
_WORDS = 10  # of a label from which it is no name of a subject or concept


def leaving(labels: Labels) -> Labels:
    """The labels that leave with a withheld problem: what sorts problems, no words about one.

    A hint, an analysis, a comment tells its answer, whatever the column is called.

    >>> leaving({"level": 3, "note": "Halve it, then add one.", "subject": "Area of a circle"})
    {'level': 3, 'subject': 'Area of a circle'}
    """
    return {
        name: value
        for name, value in labels.items()
        if name in _ASKED or not any(map(_says_something, _listed(value)))
    }


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _says_something(value: Any) -> bool:
    """Whether a label is a sentence, or several lines."""
    if isinstance(value, dict):
        return any(map(_says_something, value.values()))
    if not isinstance(value, str):
        return False
    words = len(value.split())
    ends = _ENDS.search(value) and (
        words > 2 or (not value.isascii() and len(value) > 6)
    )
    return bool(ends) or words >= _WORDS or "\n" in value.strip()


def without_answers(sample: Sample) -> Sample:
    """The sample without answer and solution; its notes go too, since stages tell answers there."""
    parts = [_unanswered(part) for part in sample.parts]
    return msgspec.structs.replace(
        sample,
        answer=None,
        solution=None,
        parts=parts,
        labels=leaving(sample.labels),
        notes=[],
        published=_unsolved(sample),
    )


def problem_without_answers(problem: Problem) -> Problem:
    """The problem without answers, solutions and words about them, in steps and versions, too."""
    return msgspec.structs.replace(
        problem,
        answer="",
        solution=None,
        parts=[_unanswered(part) for part in problem.parts],
        steps=[
            msgspec.structs.replace(step, answer="", reasoning="")
            for step in problem.steps
        ],
        labels=leaving(problem.labels),
        samples=[without_answers(sample) for sample in problem.samples],
        notes=[],
        published=_unsolved(problem),
    )


def _unsolved(record: Problem | Sample) -> dict[str, Published]:
    """What is published of the rest."""
    return {
        k: v for k, v in record.published.items() if k not in ("answer", "solution")
    }


def _unanswered(part: Part) -> Part:
    return msgspec.structs.replace(part, answer="")
