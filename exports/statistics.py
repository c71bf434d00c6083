"""statistics.json: every figure of the papers' statistics tables that applies to a release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ..problem import Sample, all_images


def statistics(splits: dict[str, list[Sample]]) -> dict[str, Any]:
    """Counts and shares for the whole release and for each split.

    Lengths are in characters and in words (runs of non-spaces); shares are fractions of one.
    An answer is what the papers count, the letter where there are options; `answer_values` are the
    values behind the letters. Each paper's own tables: `paper_tables.py`.
    """
    everything = [sample for samples in splits.values() for sample in samples]
    return {
        "all": summary(everything),
        "splits": {name: summary(samples) for name, samples in splits.items()},
    }


def summary(samples: list[Sample]) -> dict[str, Any]:
    """The figures of one set of samples."""
    choice = [s for s in samples if s.options]
    known = [s for s in samples if s.answer is not None]
    labels = sorted({name for s in samples for name in s.labels})
    return {
        "samples": len(samples),
        "problems": len({s.problem_id for s in samples}),
        "clusters": len({s.origin for s in samples}),
        "question_types": _shares("multiple choice" if s.options else "free form" for s in samples),
        "answer_kinds": _shares(s.answer_kind for s in samples),
        "versions": _shares(s.version or "single" for s in samples),
        "sources": _shares(s.source.name for s in samples),
        "languages": _shares(s.language for s in samples),
        "option_letters": _shares(s.answer or "" for s in choice if s.answer is not None),
        "options_per_question": _shares(str(len(s.options)) for s in choice),
        "labels": {name: _label(samples, name) for name in labels},
        "question_length": _lengths(s.question for s in samples),
        "question_length_by_version": {
            version: _lengths(s.question for s in samples if (s.version or "single") == version)
            for version in sorted({s.version or "single" for s in samples})
        },
        "answer_length": _lengths(s.answer or "" for s in known),
        "answer_value_length": _lengths(_answer_text(s) for s in known),
        "with_solution": sum(s.solution is not None for s in samples),
        "with_diagram": sum(s.diagram is not None for s in samples),
        "pictures_per_sample": _shares(str(len(s.images)) for s in samples),
        "unique": {
            "questions": len({s.question for s in samples}),
            "answers": len({s.answer for s in known}),
            "answer_values": len({_answer_text(s) for s in known}),
            "pictures": len({i.sha256 for s in samples for i in all_images(s)}),
        },
        "picture_size": _pixels(samples),
    }


def _answer_text(sample: Sample) -> str:
    """The value behind the letter, or the answer itself."""
    values = {o.label: o.text for o in sample.options}
    return values.get(sample.answer or "", sample.answer or "")


def _shares(values: Iterable[Any]) -> dict[str, dict[str, float]]:
    counts = Counter(map(str, values))
    total = sum(counts.values())
    return {
        name: {"n": count, "share": round(count / total, 6)}
        for name, count in sorted(counts.items())
    }


def _label(samples: list[Sample], name: str) -> dict[str, dict[str, float]]:
    values = [_with_parent(s, name) for s in samples if name in s.labels]
    return _shares(v for value in values for v in (value if isinstance(value, list) else [value]))


def _with_parent(sample: Sample, name: str) -> Any:
    """The label; subfields with their subject, since several subjects have a Length."""
    value, subject = sample.labels[name], sample.labels.get("subject")
    if name != "subfield" or subject is None or str(value).startswith(f"{subject} / "):
        return value
    return f"{subject} / {value}"


def _lengths(texts: Iterable[str]) -> dict[str, dict[str, float]]:
    strings = list(texts)
    measures = {"characters": [len(t) for t in strings], "words": [len(t.split()) for t in strings]}
    return {name: _range(values) for name, values in measures.items()}


def _range(values: list[int]) -> dict[str, float]:
    if not values:
        return {}
    return {"min": min(values), "mean": round(sum(values) / len(values), 3), "max": max(values)}


def _pixels(samples: list[Sample]) -> dict[str, dict[str, float]]:
    images = {i.sha256: i for s in samples for i in all_images(s)}.values()
    return {
        "width": _range([i.width for i in images]),
        "height": _range([i.height for i in images]),
    }
