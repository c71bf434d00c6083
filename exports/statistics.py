"""statistics.json: every figure of the papers' statistics tables that applies to a release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from ..problem import Sample, all_images


def statistics(splits: Mapping[str, Iterable[Sample]]) -> dict[str, Any]:
    """Counts and shares for the whole release and for each split.

    Lengths are in characters and in words (runs of non-spaces); shares are fractions of one.
    An answer is what the papers count, the letter where there are options; `answer_values` are the
    values behind the letters. Each paper's own tables: `paper_tables.py`.
    """
    everything, parts = Tally(), {}
    for name, samples in splits.items():
        parts[name] = Tally()
        for sample in samples:
            everything.add(sample)
            parts[name].add(sample)
    return {
        "all": everything.figures(),
        "splits": {name: part.figures() for name, part in parts.items()},
    }


def summary(samples: Iterable[Sample]) -> dict[str, Any]:
    """The figures of one set of samples."""
    tally = Tally()
    for sample in samples:
        tally.add(sample)
    return tally.figures()


SHARES = (
    "question_types", "answer_kinds", "versions", "sources", "languages", "option_letters",
    "options_per_question", "pictures_per_sample",
)  # fmt: skip


class Tally:
    """The figures of one set of samples, counted as they pass; none is kept."""

    def __init__(self) -> None:
        self.samples = self.solutions = self.diagrams = 0
        self.problems: set[str] = set()
        self.clusters: set[str] = set()
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in SHARES}
        self.labels: dict[str, Counter[str]] = {}
        self.question, self.answer, self.value = Lengths(), Lengths(), Lengths()
        self.question_by_version: dict[str, Lengths] = {}
        self.questions: set[str] = set()
        self.answers: set[str] = set()
        self.values: set[str] = set()
        self.pictures: dict[str, tuple[int, int]] = {}  # hash -> width and height

    def add(self, sample: Sample) -> None:
        self.samples += 1
        self.solutions += sample.solution is not None
        self.diagrams += sample.diagram is not None
        self.problems.add(sample.problem_id)
        self.clusters.add(sample.origin)
        for name, value in _said(sample):
            self.counts[name][value] += 1
        for name in sample.labels:
            value = _with_parent(sample, name)
            counted = self.labels.setdefault(name, Counter())
            counted.update(map(str, value if isinstance(value, list) else [value]))
        self.question.add(sample.question)
        version = sample.version or "single"
        self.question_by_version.setdefault(version, Lengths()).add(sample.question)
        self.questions.add(sample.question)
        if sample.answer is not None:
            self.answer.add(sample.answer)
            self.value.add(value := _answer_text(sample))
            self.answers.add(sample.answer)
            self.values.add(value)
        for image in all_images(sample):
            self.pictures[image.sha256] = (image.width, image.height)

    def figures(self) -> dict[str, Any]:
        return {
            "samples": self.samples,
            "problems": len(self.problems),
            "clusters": len(self.clusters),
            **{name: _shares(counts) for name, counts in self.counts.items()},
            "labels": {name: _shares(self.labels[name]) for name in sorted(self.labels)},
            "question_length": self.question.figures(),
            "question_length_by_version": {
                version: self.question_by_version[version].figures()
                for version in sorted(self.question_by_version)
            },
            "answer_length": self.answer.figures(),
            "answer_value_length": self.value.figures(),
            "with_solution": self.solutions,
            "with_diagram": self.diagrams,
            "unique": {
                "questions": len(self.questions),
                "answers": len(self.answers),
                "answer_values": len(self.values),
                "pictures": len(self.pictures),
            },
            "picture_size": {
                name: Range.of(size[k] for size in self.pictures.values())
                for k, name in enumerate(("width", "height"))
            },
        }


def _said(sample: Sample) -> Iterable[tuple[str, str]]:
    """What a sample adds to each of SHARES."""
    yield "question_types", "multiple choice" if sample.options else "free form"
    yield "answer_kinds", sample.answer_kind
    yield "versions", sample.version or "single"
    yield "sources", sample.source.name
    yield "languages", sample.language
    yield "pictures_per_sample", str(len(sample.images))
    if sample.options:
        yield "options_per_question", str(len(sample.options))
        if sample.answer is not None:
            yield "option_letters", sample.answer


def _answer_text(sample: Sample) -> str:
    """The value behind the letter, or the answer itself."""
    values = {o.label: o.text for o in sample.options}
    return values.get(sample.answer or "", sample.answer or "")


def _shares(counts: Counter[str]) -> dict[str, dict[str, float]]:
    total = counts.total()
    return {
        name: {"n": count, "share": round(count / total, 6)}
        for name, count in sorted(counts.items())
    }


def _with_parent(sample: Sample, name: str) -> Any:
    """The label; subfields with their subject, since several subjects have a Length."""
    value, subject = sample.labels[name], sample.labels.get("subject")
    if name != "subfield" or subject is None or str(value).startswith(f"{subject} / "):
        return value
    return f"{subject} / {value}"


class Range:
    """Least, mean and greatest of some numbers."""

    def __init__(self) -> None:
        self.count = self.total = self.least = self.most = 0

    def add(self, value: int) -> None:
        self.least = min(self.least, value) if self.count else value
        self.most = max(self.most, value) if self.count else value
        self.count += 1
        self.total += value

    def figures(self) -> dict[str, float]:
        if not self.count:
            return {}
        mean = round(self.total / self.count, 3)
        return {"min": self.least, "mean": mean, "max": self.most}

    @classmethod
    def of(cls, values: Iterable[int]) -> dict[str, float]:
        """
        >>> Range.of([1, 2])
        {'min': 1, 'mean': 1.5, 'max': 2}
        """
        own = cls()
        for value in values:
            own.add(value)
        return own.figures()


class Lengths:
    """Lengths of texts in characters and in words."""

    def __init__(self) -> None:
        self.characters, self.words = Range(), Range()

    def add(self, text: str) -> None:
        self.characters.add(len(text))
        self.words.add(len(text.split()))

    def figures(self) -> dict[str, dict[str, float]]:
        return {"characters": self.characters.figures(), "words": self.words.figures()}
