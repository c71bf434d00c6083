"""Predictions without a model: what guessing gives."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ...base.files import write_jsonl
from ...errors import UserError
from ...problem import Sample
from ..predictions import RunRecord, begin_record, read_material, write_record
from .run_notes import BASELINE, HARNESS, require_own

LARGEST_NUMBER = 512  # of the random baseline (MATH-V, models/random.py)


def predict_baseline(
    release: str | Path,
    split: str,
    kind: str,
    out: str | Path,
    *,
    seed: int = 0,
    limit: int | None = None,
) -> int:
    """Write the predictions of a `baseline` without a model to `out`; returns how many.

    Raises UserError when `most-frequent` meets withheld answers.

    Example: `predict_baseline("out/math-v-1.0.0", "testmini", "random", "random.jsonl")`
    """
    material = read_material(release, split)
    samples = list(material.samples)[:limit]
    record = RunRecord(
        harness=HARNESS,
        model=f"{BASELINE} {kind}",
        seed=seed,
        limit=limit,
        release=material.name,
        split=split,
    )
    require_own(Path(out), record)
    begin_record(Path(out), record)
    written = write_jsonl(Path(out), baseline(samples, kind, seed))
    record.answers = written
    write_record(Path(out), record)
    return written


def baseline(samples: list[Sample], kind: str, seed: int = 0) -> list[dict[str, str]]:
    """Predictions without a model.

    `random`: a letter drawn for each multiple-choice sample, nothing for the others.
    `random-text`: as MATH-V's models/random.py, an option's text or a whole number up to 512, by
    Python's own generator in the samples' order.
    `most-frequent`: the commonest gold among multiple-choice samples and among the others.
    Raises UserError when `most-frequent` meets withheld answers.
    """
    if kind == "random":
        return [{"id": s.id, "response": _drawn(s, seed)} for s in samples]
    if kind == "random-text":
        draw = random.Random(seed)
        return [{"id": s.id, "response": _drawn_text(s, draw)} for s in samples]
    if any(sample.answer is None for sample in samples):
        raise UserError(
            "most-frequent needs the answers, which are withheld", "use random"
        )
    letter = _most_frequent([sample for sample in samples if sample.options])
    value = _most_frequent([sample for sample in samples if not sample.options])
    return [{"id": s.id, "response": letter if s.options else value} for s in samples]


def _drawn_text(sample: Sample, draw: random.Random) -> str:
    if not sample.options:
        return str(draw.randint(0, LARGEST_NUMBER))
    return sample.options[draw.randint(0, len(sample.options) - 1)].text


def _most_frequent(samples: Sequence[Sample]) -> str:
    """The commonest gold, of equally common ones the first in the alphabet."""
    counts = Counter(sample.answer or "" for sample in samples)
    return min(counts, key=lambda answer: (-counts[answer], answer), default="")


def _drawn(sample: Sample, seed: int) -> str:
    """A letter that depends on seed and id alone, not on the other samples."""
    if not sample.options:
        return ""
    digest = hashlib.sha256(f"{seed}\0{sample.id}".encode()).digest()
    return sample.options[int.from_bytes(digest[:8], "big") % len(sample.options)].label
