"""The statistics tables of the four papers, counted as each paper counts.

What a paper calls a word, an answer or a question differs from paper to paper; where its text does
not say, the way was found that gives its numbers on its published data (docs/papers.md).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from ..base.display import Rows
from ..errors import UserError, nearest
from ..problem import Sample
from ..release import read_samples, split_names
from ..taxonomy import above

EXISTING = (
    "geoqa",
    "geos",
    "geometry3k",
)  # MathVerse, section 2.1: the data sets it draws from
NEW_TEXTS = ("text_lite", "vision_intensive", "vision_dominant", "vision_only")
NEW_DIAGRAMS = ("vision_dominant", "vision_only")
FULL_TEXT = (
    "text_dominant",
    "text_only",
    "",
)  # the versions that hold the whole question


class PaperRow(msgspec.Struct, kw_only=True):
    """One line of a table: a count or a mean, and its share where the paper prints one."""

    table: str
    statistic: str
    value: float
    share: float | None = None


class PaperTables(Rows[PaperRow]):
    """The lines of one or several tables, in the papers' order."""

    __slots__ = ()

    def headline(self) -> str:
        return ", ".join(dict.fromkeys(row.table for row in self)) or "no table"


class _Table(list[PaperRow]):
    """The lines of one table on their way."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def add(self, statistic: str, value: float, of: int | None = None) -> None:
        share = None if of is None else round(value / of, 6) if of else 0.0
        row = PaperRow(
            table=self.name, statistic=statistic, value=round(value, 3), share=share
        )
        self.append(row)

    def each(
        self,
        what: str,
        counts: Counter[Any],
        of: int | None = None,
        names: Iterable[Any] = (),
    ) -> None:
        """A line for each of the `names` [default: all, sorted], which stand for {} in `what`."""
        for name in names or sorted(counts):
            self.add(what.format(name), counts[name], of)


def paper_tables(
    release: str | Path,
    like: str | None = None,
    *,
    answers: str | Path | None = None,
    beside: str | Path | None = None,
) -> PaperTables:
    """The statistics tables of the paper that a release is like, over all its splits.

    Answers are counted only where they are known.

    Args:
        release: Folder of the release.
        like: math-v, mathverse, we-math or mm-math [default: the benchmarks of its problems].
        answers: Private folder, or its answers.jsonl, of a release that withholds answers.
        beside: Another release, whose levels stand beside this one's (MATH-V, figure 19).

    Raises UserError for a release that is like none.

    Example: `paper_tables("out/math-v-1.0.0")[0].value`
    """
    splits = {
        name: read_samples(release, name, answers) for name in split_names(release)
    }
    everything = [sample for samples in splits.values() for sample in samples]
    own = sorted({str(s.source.benchmark) for s in everything} & TABLES.keys())
    if like is not None and like not in TABLES:
        raise UserError(f"there is no paper {like!r}", nearest(like, list(TABLES)))
    if like is None and not own:
        raise UserError(f"{release} is like none of the papers", "name one with --like")
    names = own if like is None else [like]
    rows = [row for name in names for row in TABLES[name](splits)]
    if beside is not None:
        other = [s for name in split_names(beside) for s in read_samples(beside, name)]
        levels = _Table("MATH-V, figure 19: levels")
        for name, samples in {
            Path(release).name: everything,
            Path(beside).name: other,
        }.items():
            counts = Counter(str(s.labels.get("level", "none")) for s in samples)
            levels.each(f"level {{}}: {name}", counts, len(samples))
        rows += levels
    return PaperTables(rows)


Splits = dict[str, list[Sample]]


def math_v(splits: Splits) -> list[PaperRow]:
    """MATH-V, table 1: answers as they are written, a letter or a value; words of the question."""
    samples = _all(splits)
    choice = sum(bool(s.options) for s in samples)
    letters = Counter(s.answer for s in samples)
    words = [_words(s.question) for s in samples]
    t = _Table("MATH-V, table 1")
    t.add("total questions", len(samples))
    t.add("multiple-choice questions", choice, len(samples))
    t.add("free-form questions", len(samples) - choice, len(samples))
    t.add(
        "questions in the testmini set", len(splits.get("testmini", [])), len(samples)
    )
    t.each("answers {}", letters, choice, "ABCDE")
    t.add("unique images", _unique_images(samples))
    t.add("unique answers", _unique(s.answer for s in samples))
    t.add("levels", _unique(s.labels.get("level") for s in samples))
    t.add("subjects", _unique(s.labels.get("subject") for s in samples))
    t.add("source competitions", _unique(s.labels.get("competition") for s in samples))
    named = Counter(
        str(s.labels["competition"]) for s in samples if s.labels.get("competition")
    )
    t.each("competition {}", named, len(samples), _ranked(named))
    t.add("maximum question length (words)", max(words, default=0))
    t.add("minimum question length (words)", min(words, default=0))
    t.add("average question length (words)", _mean(words))
    t.add("median question length (words)", median(words) if words else 0)
    t.add("questions of at most 100 words", sum(n <= 100 for n in words), len(words))
    return [
        *t,
        *_histogram("MATH-V, figure 18: words of a question", words, 100),
        *_templates(samples),
    ]


def _ranked(counts: Counter[str]) -> list[str]:
    """The most frequent first."""
    return sorted(counts, key=lambda name: (-counts[name], name))


def _templates(samples: Sequence[Sample], most: int = 10) -> list[PaperRow]:
    """MATH-V, C.1 and table 7: how many different stems there are, and the share of the largest.

    A stem is the question without pictures, options and numbers, whatever the case.
    """
    stems = Counter(stem(s.question) for s in samples)
    t = _Table("MATH-V, table 7: templates")
    t.add("different stems", len(stems), len(samples))
    for text in _ranked(stems)[:most]:
        if stems[text] > 1:
            t.add(f"template: {text}", stems[text], len(samples))
    return t


def stem(question: str) -> str:
    """What questions of one template share.

    >>> stem("<image1> About 3.5 cm?") == stem("about 12 cm?")
    True
    """
    plain = re.sub(r"\d+(?:[.,]\d+)*", "#", re.sub(r"<image\d+>", " ", question))
    return " ".join(plain.split()).casefold()


def _histogram(
    table: str, sizes: Sequence[int], last: int, width: int = 10
) -> list[PaperRow]:
    """How many are of 0 to 9, 10 to 19, ...; what is longer than the last bin is in one."""
    bins = Counter(min(size, last) // width * width for size in sizes)
    t = _Table(table)
    for low in sorted(bins):
        name = f"{low} or more" if low >= last else f"{low} to {low + width - 1}"
        t.add(name, bins[low], len(sizes))
    return t


def mathverse(splits: Splits) -> list[PaperRow]:
    """MathVerse, tables 1, 8 and 9: counted over problems, lengths by version.

    A question is its text with its choices, a word what stands between single blanks.
    """
    samples = _all(splits)
    whole = _one_each(samples)
    total = len(whole)
    choice = sum(bool(s.options) for s in whole)
    existing = sum(
        str(s.labels.get("collection", "")).lower() in EXISTING for s in whole
    )
    letters = Counter(s.answer for s in whole)
    versions = Counter(s.version for s in samples)
    subfields = [
        f"{s.labels.get('subject')} / {s.labels['subfield']}"
        for s in whole
        if s.labels.get("subfield")
    ]
    t = _Table("MathVerse, tables 1 and 8")
    t.add("total questions", total)
    t.add("subjects", _unique(s.labels.get("subject") for s in whole))
    t.add("subfields", _unique(subfields))
    t.add("multiple-choice questions", choice, total)
    t.add("free-form questions", total - choice, total)
    t.add("newly collected questions", total - existing, total)
    t.add("existing-dataset questions", existing, total)
    t.add("questions with explanations", sum(bool(s.solution) for s in whole), total)
    t.add("newly annotated questions", sum(map(_annotated, whole)), total)
    t.each("answers {}", letters, total, "ABCD")
    t.add("answers E and F", letters["E"] + letters["F"], total)
    t.add("total test samples", len(samples))
    t.add("newly annotated samples", sum(versions[v] for v in NEW_TEXTS), len(samples))
    t.add(
        "newly annotated diagrams", sum(versions[v] for v in NEW_DIAGRAMS), len(samples)
    )
    for version in sorted(versions):
        t.add(f"samples {version or 'single'}", versions[version], len(samples))
    t.add("unique images", _unique_images(whole), total)
    t.add("unique questions", _unique(s.question for s in whole), total)
    t.add("unique answers", _unique(s.answer for s in whole), total)
    rows: list[PaperRow] = t
    for version in (
        v for v in ("text_dominant", "text_lite", "vision_dominant") if versions[v]
    ):
        words = [
            _between_blanks(_with_choices(s)) for s in samples if s.version == version
        ]
        rows += _histogram(f"MathVerse, figure 17: words of {version}", words, 100)
    return rows + [
        row for version in _with_text(versions) for row in _lengths(version, samples)
    ]


def _annotated(sample: Sample) -> bool:
    """Section C.3: the annotated questions are functions, whatever else has a description."""
    return bool(sample.diagram) and sample.labels.get("subject") == "Functions"


def _with_text(versions: Counter[str]) -> list[str]:
    """The versions of table 9: Text Only is as Text Dominant, Vision Only has no text."""
    full = [version for version in FULL_TEXT if versions[version]][:1]
    return full + [v for v in NEW_TEXTS if versions[v] and v != "vision_only"]


def _lengths(version: str, samples: Sequence[Sample]) -> list[PaperRow]:
    chosen = [s for s in samples if s.version == version]
    questions = [_with_choices(s) for s in chosen]
    answers = [s.answer for s in chosen if s.answer is not None]
    t = _Table("MathVerse, table 9")
    for what, unit, sizes in (
        ("question", "words", [_between_blanks(text) for text in questions]),
        ("answer", "words", [_words(text) for text in answers]),
        ("question", "characters", [len(text) for text in questions]),
        ("answer", "characters", [len(text) for text in answers]),
    ):
        name = f"{version or 'single'}: {{}} {what} length ({unit})"
        t.add(name.format("maximum"), max(sizes, default=0))
        t.add(name.format("average"), _mean(sizes))
    return t


def we_math(splits: Splits) -> list[PaperRow]:
    """We-Math, table 5: every step and every whole problem is a sample; letters are of options.

    The "proportion of answer A" is how often A is among the options, not how often it is right.
    """
    samples = _all(splits)
    letters = Counter(option.label for s in samples for option in s.options)
    words, characters = ([f(s.question) for s in samples] for f in (_words, len))
    t = _Table("We-Math, table 5")
    t.add("total samples", len(samples))
    for name, part in splits.items():
        t.add(f"total {name} set samples", len(part))
    for name, part in {
        "": samples,
        **{f"{name}: ": part for name, part in splits.items()},
    }.items():
        steps = Counter(
            s.labels.get("steps") for s in part if s.version in ("multi", "")
        )
        single = sum(s.version.startswith("step") for s in part)
        t.add(f"{name}three-step problems", steps[3])
        t.add(f"{name}two-step problems", steps[2])
        t.add(f"{name}one-step problems", single + steps.total() - steps[2] - steps[3])
    for name, level in (
        ("first-layer nodes", "domain"),
        ("second-layer nodes", "topic"),
    ):
        above_all = (above(s.labels, "we-math").get(level, ()) for s in samples)
        t.add(name, _unique(chain.from_iterable(above_all)))
    t.add("terminal nodes", _unique(k for s in samples for k in _concepts(s)))
    t.add("total options", letters.total())
    t.add("average options", letters.total() / len(samples) if samples else 0.0)
    t.each("options {}", letters, letters.total())
    t.add("maximum length (words)", max(words, default=0))
    t.add("maximum length (characters)", max(characters, default=0))
    t.add("average length (words)", _mean(words))
    t.add("average length (characters)", _mean(characters))
    return [*t, *_histogram("We-Math, figure 13: words of a question", words, 80)]


def mm_math(splits: Splits) -> list[PaperRow]:
    """MM-MATH, table 2: lengths in characters; the answer is the whole solution."""
    samples = _all(splits)
    difficulty = Counter(str(s.labels.get("difficulty", "")) for s in samples)
    grades = Counter(str(s.labels.get("grade", "")) for s in samples)
    questions = [len(s.question) for s in samples]
    solutions = [len(s.solution) for s in samples if s.solution]
    t = _Table("MM-MATH, table 2")
    t.add("total problems", len(samples))
    t.each("difficulty {}", difficulty, names=("easy", "medium", "hard"))
    t.each("grade {}", grades, names="789")
    t.add("average question length (characters)", _mean(questions))
    t.add("average answer length (characters)", _mean(solutions))
    t.add("maximum question length (characters)", max(questions, default=0))
    t.add("maximum answer length (characters)", max(solutions, default=0))
    return [*t, *_knowledge(samples), *_people(samples)]


def _knowledge(samples: Sequence[Sample]) -> list[PaperRow]:
    """MM-MATH, figure 2: the shares of areas and of what lies below them."""
    t = _Table("MM-MATH, figure 2: knowledge points")
    for level in ("area", "topic"):
        above_all = (above(s.labels, "mm-math").get(level, ()) for s in samples)
        counts = Counter(chain.from_iterable(above_all))
        t.each(f"{level} {{}}", counts, counts.total())
    return t


def _people(samples: Sequence[Sample]) -> list[PaperRow]:
    """MM-MATH, table 3, the row of people: the mean share of students who solved a problem."""
    asked = [s for s in samples if isinstance(s.labels.get("pass_rate"), (int, float))]
    t = _Table("MM-MATH, table 3: people")
    if asked:
        t.add("average", _mean([s.labels["pass_rate"] for s in asked]))
    for label in ("difficulty", "grade", "area"):
        rates: dict[str, list[float]] = {}
        for sample in asked:
            values = (
                above(sample.labels, "mm-math").get(label, [])
                if label == "area"
                else [str(sample.labels.get(label))]
            )
            for value in values:
                rates.setdefault(value, []).append(sample.labels["pass_rate"])
        for name in sorted(rates):
            t.add(f"{label} {name}", _mean(rates[name]))
    return t


TABLES: dict[str, Callable[[Splits], list[PaperRow]]] = {
    "math-v": math_v,
    "mathverse": mathverse,
    "we-math": we_math,
    "mm-math": mm_math,
}


def _all(splits: Splits) -> list[Sample]:
    return [sample for samples in splits.values() for sample in samples]


def _one_each(samples: Sequence[Sample]) -> list[Sample]:
    """One sample a problem, the one with the fullest text."""
    fullest = [*FULL_TEXT, *NEW_TEXTS]
    first: dict[str, Sample] = {}
    for sample in sorted(samples, key=lambda s: [*fullest, s.version].index(s.version)):
        first.setdefault(sample.problem_id, sample)
    return list(first.values())


def _with_choices(sample: Sample) -> str:
    """The question as MathVerse writes it, choices behind it."""
    choices = "\n".join(f"{option.label}:{option.text}" for option in sample.options)
    return f"{sample.question}\nChoices:\n{choices}" if choices else sample.question


def _words(text: str) -> int:
    return len(text.split())


def _between_blanks(text: str) -> int:
    return len(text.split(" "))


def _concepts(sample: Sample) -> list[str]:
    value = sample.labels.get("knowledge") or []
    return value if isinstance(value, list) else [str(value)]


def _unique(values: Iterable[object]) -> int:
    return len({str(value) for value in values if value not in (None, "")})


def _unique_images(samples: Sequence[Sample]) -> int:
    return len({image.sha256 for sample in samples for image in sample.images})


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
