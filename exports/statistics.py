"""statistics.json: every figure of the papers' statistics tables that applies to a release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any, TypeVar

import msgspec

from ..problem import Sample, all_images

K = TypeVar("K", str, int)


def statistics(tallies: Mapping[str, Tally]) -> dict[str, Any]:
    """Counts and shares for the whole release and for each split.

    Lengths are in characters and in words (runs of non-spaces); shares are fractions of one.
    An answer is what the papers count, the letter where there are options; `answer_values` are the
    values behind the letters. Each paper's own tables: `paper_tables.py`.
    """
    everything = Tally()
    for tally in tallies.values():
        # A copy: `together` would go on adding to what the first split holds.
        copy = msgspec.msgpack.decode(msgspec.msgpack.encode(tally), type=Tally)
        together(everything, copy)
    return {
        "all": everything.figures(),
        "splits": {name: tally.figures() for name, tally in tallies.items()},
    }


def summary(samples: Iterable[Sample]) -> dict[str, Any]:
    """The figures of one set of samples."""
    tally = Tally()
    for sample in samples:
        tally.add(sample)
    return tally.figures()


SHARES = (
    "question_types",
    "answer_kinds",
    "versions",
    "sources",
    "languages",
    "option_letters",
    "options_per_question",
    "pictures_per_sample",
)


Counts = dict[str, int]


class Lengths(msgspec.Struct):
    """Lengths of texts in characters and in words: how many texts have each."""

    characters: dict[int, int] = msgspec.field(default_factory=dict)
    words: dict[int, int] = msgspec.field(default_factory=dict)

    def add(self, text: str) -> None:
        _add(self.characters, len(text))
        _add(self.words, len(text.split()))

    def figures(self) -> dict[str, dict[str, float]]:
        return {"characters": span(self.characters), "words": span(self.words)}


def span(counts: Mapping[int, int]) -> dict[str, float]:
    """Least, mean and greatest of numbers that stand so many times each; {} of none.

    >>> span({1: 2, 4: 1})
    {'min': 1, 'mean': 2.0, 'max': 4}
    """
    if not counts:
        return {}
    total = sum(number * count for number, count in counts.items())
    mean = round(total / sum(counts.values()), 3)
    return {"min": min(counts), "mean": mean, "max": max(counts)}


class Tally(msgspec.Struct):
    """The figures of one set of samples, counted as they pass; `together` adds two up.

    Of what is only counted where it is unique there are hashes.
    """

    samples: int = 0
    solutions: int = 0
    diagrams: int = 0
    problems: set[int] = msgspec.field(default_factory=set)
    clusters: set[int] = msgspec.field(default_factory=set)
    counts: dict[str, Counts] = msgspec.field(
        default_factory=lambda: {name: {} for name in SHARES}
    )
    labels: dict[str, Counts] = msgspec.field(default_factory=dict)
    question: Lengths = msgspec.field(default_factory=Lengths)
    answer: Lengths = msgspec.field(default_factory=Lengths)
    value: Lengths = msgspec.field(default_factory=Lengths)
    question_by_version: dict[str, Lengths] = msgspec.field(default_factory=dict)
    questions: set[int] = msgspec.field(default_factory=set)
    answers: set[int] = msgspec.field(default_factory=set)
    values: set[int] = msgspec.field(default_factory=set)
    # Hash -> size.
    pictures: dict[str, tuple[int, int]] = msgspec.field(default_factory=dict)

    def add(self, sample: Sample) -> None:
        self.samples += 1
        self.solutions += sample.solution is not None
        self.diagrams += sample.diagram is not None
        self.problems.add(_number(sample.problem_id))
        self.clusters.add(_number(sample.origin))
        for name, value in _kinds(sample):
            _add(self.counts[name], value)
        for name in sample.labels:
            label = _with_parent(sample, name)
            for value in label if isinstance(label, list) else [label]:
                _add(self.labels.setdefault(name, {}), str(value))
        self.question.add(sample.question)
        version = sample.version or "single"
        self.question_by_version.setdefault(version, Lengths()).add(sample.question)
        self.questions.add(_number(sample.question))
        if sample.answer is not None:
            answer_text = _answer_text(sample)
            self.answer.add(sample.answer)
            self.value.add(answer_text)
            self.answers.add(_number(sample.answer))
            self.values.add(_number(answer_text))
        for image in all_images(sample):
            self.pictures[image.sha256] = (image.width, image.height)

    def figures(self) -> dict[str, Any]:
        by_version = sorted(self.question_by_version.items())
        sizes = self.pictures.values()
        return {
            "samples": self.samples,
            "problems": len(self.problems),
            "clusters": len(self.clusters),
            **{name: _shares(counts) for name, counts in self.counts.items()},
            "labels": {
                name: _shares(counts) for name, counts in sorted(self.labels.items())
            },
            "question_length": self.question.figures(),
            "question_length_by_version": {
                version: lengths.figures() for version, lengths in by_version
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
                "width": span(Counter(width for width, _ in sizes)),
                "height": span(Counter(height for _, height in sizes)),
            },
        }


def _number(text: str) -> int:
    """What stands for a text where only different ones are counted."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest())


def _kinds(sample: Sample) -> Iterator[tuple[str, str]]:
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
    answer = sample.answer or ""
    texts = {option.label: option.text for option in sample.options}
    return texts.get(answer, answer)


def _add(counts: dict[K, int], name: K) -> None:
    counts[name] = counts.get(name, 0) + 1


def _shares(counts: Counts) -> dict[str, dict[str, float]]:
    total = sum(counts.values())
    return {
        name: {"n": count, "share": round(count / total, 6)}
        for name, count in sorted(counts.items())
    }


def _with_parent(sample: Sample, name: str) -> Any:
    """The label; subfields with their subject, since several subjects have a Length."""
    value = sample.labels[name]
    subject = sample.labels.get("subject")
    if name != "subfield" or subject is None or str(value).startswith(f"{subject} / "):
        return value
    return f"{subject} / {value}"


def together(total: Any, part: Any) -> Any:
    """Two sums as one, which is `total`: numbers are added, sets united, tables entry by entry.

    >>> together({"a": 1, "b": {2}}, {"b": {3}, "c": 4})
    {'a': 1, 'b': {2, 3}, 'c': 4}
    """
    if isinstance(total, msgspec.Struct):
        for name in total.__struct_fields__:
            setattr(total, name, together(getattr(total, name), getattr(part, name)))
    elif isinstance(total, dict):
        for name, value in part.items():
            total[name] = together(total[name], value) if name in total else value
    elif isinstance(total, set):
        total |= part
    elif isinstance(total, int | list):
        total += part
    return total
