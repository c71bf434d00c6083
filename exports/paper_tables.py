"""The statistics tables of the four papers, counted as each paper counts.

What a paper calls a word, an answer or a question differs from paper to paper; where its text does
not say, the way was found that gives its numbers on its published data (docs/papers.md).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from ..base.display import Rows, texts_of
from ..errors import UserError, nearest
from ..problem import Sample
from ..release import read_samples, split_names
from ..taxonomy import above

# MathVerse, section 2.1: the data sets it draws from.
EXISTING = ("geoqa", "geos", "geometry3k")
NEW_TEXTS = ("text_lite", "vision_intensive", "vision_dominant", "vision_only")
NEW_DIAGRAMS = ("vision_dominant", "vision_only")
# The versions that hold the whole question.
FULL_TEXT = ("text_dominant", "text_only", "")
# In a question: the mark of a picture, and a number.
_PICTURE = re.compile(r"<image\d+>")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
SAME_WORDS = 0.6  # of two stems of one template
MOST_TEMPLATES = 500  # of one length and first word that a stem is held against
Splits = dict[str, list[Sample]]


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
        """A line; `of` is the whole of which the value is a share."""
        share = None
        if of is not None:
            share = round(value / of, 6) if of else 0.0
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
    beside: Sequence[str | Path] = (),
) -> PaperTables:
    """The statistics tables of the paper that a release is like, over all its splits.

    Answers are counted only where they are known.

    Args:
        release: Folder of the release.
        like: math-v, mathverse, we-math or mm-math [default: the benchmarks of its problems].
        answers: Private folder, or its answers.jsonl, of a release that withholds answers.
        beside: Another release: its size and what it holds stand beside this one's (We-Math, table
            1), and its levels (MATH-V, figure 19).

    Raises UserError for a release that is like none.

    Example: `paper_tables("out/math-v-1.0.0")[0].value`
    """
    splits = {
        name: read_samples(release, name, answers) for name in split_names(release)
    }
    samples = _all(splits)
    benchmarks = {str(sample.source.benchmark) for sample in samples}
    papers = sorted(benchmarks & TABLES.keys())
    if like is not None:
        if like not in TABLES:
            raise UserError(f"there is no paper {like!r}", nearest(like, list(TABLES)))
        papers = [like]
    if not papers:
        raise UserError(f"{release} is like none of the papers", "name one with --like")
    rows = [row for paper in papers for row in TABLES[paper](splits)]
    if beside:
        sets = {Path(release).name: splits}
        for other in beside:
            sets[Path(other).name] = {
                name: read_samples(other, name) for name in split_names(other)
            }
        rows += _sizes(sets)
        rows += _levels({name: _all(of) for name, of in sets.items()})
    return PaperTables(rows)


def _sizes(sets: dict[str, Splits]) -> list[PaperRow]:
    """We-Math, table 1: the size of each set, of its testmini, and what its problems come with."""
    table = _Table("We-Math, table 1: sets beside one another")
    for name, splits in sets.items():
        samples = _all(splits)
        problems = _one_each(samples)
        counts = {
            "samples": len(samples),
            "problems": len(problems),
            "testmini": len(splits.get("testmini", [])),
            "with pictures": sum(bool(s.images) for s in samples),
            "multiple-choice": sum(bool(s.options) for s in samples),
            "with solutions": sum(bool(s.solution) for s in problems),
            "languages": _unique(s.language for s in samples if s.language),
            "subjects": _unique_labels(samples, "subject"),
            "levels": _unique_labels(samples, "level"),
            "knowledge concepts": _unique(
                concept
                for sample in samples
                for concept in texts_of(sample.labels.get("knowledge"))
            ),
            "versions": _unique(s.version for s in samples if s.version),
        }
        for statistic, count in counts.items():
            table.add(f"{statistic}: {name}", count)
    return table


def _levels(releases: dict[str, list[Sample]]) -> list[PaperRow]:
    """MATH-V, figure 19: the levels of releases beside one another."""
    table = _Table("MATH-V, figure 19: levels")
    for name, samples in releases.items():
        counts = Counter(str(s.labels.get("level", "none")) for s in samples)
        table.each(f"level {{}}: {name}", counts, len(samples))
    return table


def math_v(splits: Splits) -> list[PaperRow]:
    """MATH-V, table 1: answers as they are written, a letter or a value; words of the question."""
    samples = _all(splits)
    total = len(samples)
    choice = sum(bool(s.options) for s in samples)
    letters = Counter(s.answer for s in samples)
    competitions = Counter(
        str(s.labels["competition"]) for s in samples if s.labels.get("competition")
    )
    words = [_words(s.question) for s in samples]
    table = _Table("MATH-V, table 1")
    table.add("total questions", total)
    table.add("multiple-choice questions", choice, total)
    table.add("free-form questions", total - choice, total)
    table.add("questions in the testmini set", len(splits.get("testmini", [])), total)
    table.each("answers {}", letters, choice, "ABCDE")
    table.add("unique images", _unique_images(samples))
    table.add("unique answers", _unique(s.answer for s in samples))
    table.add("levels", _unique_labels(samples, "level"))
    table.add("subjects", _unique_labels(samples, "subject"))
    table.add("source competitions", _unique_labels(samples, "competition"))
    table.each("competition {}", competitions, total, _ranked(competitions))
    table.add("maximum question length (words)", max(words, default=0))
    table.add("minimum question length (words)", min(words, default=0))
    table.add("average question length (words)", _mean(words))
    table.add("median question length (words)", median(words) if words else 0)
    table.add("questions of at most 100 words", sum(n <= 100 for n in words), total)
    return [
        *table,
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
    templates = _in_templates(stems)
    table = _Table("MATH-V, table 7: templates")
    table.add("different stems", len(stems), len(samples))
    table.add("different templates", len(templates), len(samples))
    for text in _ranked(templates)[:most]:
        if templates[text] > 1:
            table.add(f"template: {text}", templates[text], len(samples))
    return table


def _in_templates(stems: Counter[str]) -> Counter[str]:
    """Stems that say the same but for some words are one template, with … in their place.

    As logs are parsed (He et al. 2017, Drain): stems of one length and first word are held against
    templates of these, of which most words must be the same.

    >>> _in_templates(Counter({"subtract all large balls. how many are left?": 1,
    ...     "subtract all purple cubes. how many are left?": 2, "why?": 1}))
    Counter({'subtract all … … how many are left?': 3, 'why?': 1})
    """
    templates: dict[tuple[int, str], list[tuple[list[str], int]]] = {}
    for text, count in stems.items():
        words = text.split()
        known = templates.setdefault((len(words), words[0] if words else ""), [])
        for place, (template, so_far) in enumerate(known[:MOST_TEMPLATES]):
            same = [a if a == b else "…" for a, b in zip(template, words, strict=True)]
            if len(words) - same.count("…") >= SAME_WORDS * len(words):
                known[place] = same, so_far + count
                break
        else:
            known.append((words, count))
    every = chain.from_iterable(templates.values())
    counts: Counter[str] = Counter()
    for template, count in every:
        counts[" ".join(template)] += count
    return counts


def stem(question: str) -> str:
    """What questions of one template share.

    >>> stem("<image1> About 3.5 cm?") == stem("about 12 cm?")
    True
    """
    template = _NUMBER.sub("#", _PICTURE.sub(" ", question))
    return " ".join(template.split()).casefold()


def _histogram(
    name: str, sizes: Sequence[int], last: int, width: int = 10
) -> list[PaperRow]:
    """How many are of 0 to 9, 10 to 19, ...; what is longer than the last bin is in one."""
    bins = Counter(min(size, last) // width * width for size in sizes)
    table = _Table(name)
    for low in sorted(bins):
        span = f"{low} or more" if low >= last else f"{low} to {low + width - 1}"
        table.add(span, bins[low], len(sizes))
    return table


def mathverse(splits: Splits) -> list[PaperRow]:
    """MathVerse, tables 1, 8 and 9: counted over problems, lengths by version.

    A question is its text with its choices, a word what stands between single blanks.
    """
    samples = _all(splits)
    versions = Counter(s.version for s in samples)
    rows = _mathverse_counts(samples, versions)
    for version in ("text_dominant", "text_lite", "vision_dominant"):
        if versions[version]:
            words = [
                _between_blanks(_with_choices(s))
                for s in samples
                if s.version == version
            ]
            rows += _histogram(f"MathVerse, figure 17: words of {version}", words, 100)
    for version in _with_text(versions):
        rows += _lengths(version, samples)
    return rows


def _mathverse_counts(
    samples: Sequence[Sample], versions: Counter[str]
) -> list[PaperRow]:
    """MathVerse, tables 1 and 8."""
    problems = _one_each(samples)
    total = len(problems)
    choice = sum(bool(s.options) for s in problems)
    collections = [str(s.labels.get("collection", "")).lower() for s in problems]
    existing = sum(collection in EXISTING for collection in collections)
    letters = Counter(s.answer for s in problems)
    subfields = [
        f"{s.labels.get('subject')} / {s.labels['subfield']}"
        for s in problems
        if s.labels.get("subfield")
    ]
    explained = sum(bool(s.solution) for s in problems)
    new_texts = sum(versions[version] for version in NEW_TEXTS)
    new_diagrams = sum(versions[version] for version in NEW_DIAGRAMS)
    table = _Table("MathVerse, tables 1 and 8")
    table.add("total questions", total)
    table.add("subjects", _unique_labels(problems, "subject"))
    table.add("subfields", _unique(subfields))
    table.add("multiple-choice questions", choice, total)
    table.add("free-form questions", total - choice, total)
    table.add("newly collected questions", total - existing, total)
    table.add("existing-dataset questions", existing, total)
    table.add("questions with explanations", explained, total)
    table.add("newly annotated questions", sum(map(_annotated, problems)), total)
    table.each("answers {}", letters, total, "ABCD")
    table.add("answers E and F", letters["E"] + letters["F"], total)
    table.add("total test samples", len(samples))
    table.add("newly annotated samples", new_texts, len(samples))
    table.add("newly annotated diagrams", new_diagrams, len(samples))
    for version in sorted(versions):
        table.add(f"samples {version or 'single'}", versions[version], len(samples))
    table.add("unique images", _unique_images(problems), total)
    table.add("unique questions", _unique(s.question for s in problems), total)
    table.add("unique answers", _unique(s.answer for s in problems), total)
    return table


def _annotated(sample: Sample) -> bool:
    """Section C.3: the annotated questions are functions, whatever else has a description."""
    return bool(sample.diagram) and sample.labels.get("subject") == "Functions"


def _with_text(versions: Counter[str]) -> list[str]:
    """The versions of table 9: Text Only is as Text Dominant, Vision Only has no text."""
    present = [version for version in FULL_TEXT if versions[version]][:1]
    for version in NEW_TEXTS:
        if versions[version] and version != "vision_only":
            present.append(version)
    return present


def _lengths(version: str, samples: Sequence[Sample]) -> list[PaperRow]:
    chosen = [s for s in samples if s.version == version]
    questions = [_with_choices(s) for s in chosen]
    answers = [s.answer for s in chosen if s.answer is not None]
    table = _Table("MathVerse, table 9")
    for what, unit, texts, length in (
        ("question", "words", questions, _between_blanks),
        ("answer", "words", answers, _words),
        ("question", "characters", questions, len),
        ("answer", "characters", answers, len),
    ):
        sizes = [length(text) for text in texts]
        version_name = version or "single"
        table.add(
            f"{version_name}: maximum {what} length ({unit})", max(sizes, default=0)
        )
        table.add(f"{version_name}: average {what} length ({unit})", _mean(sizes))
    return table


def we_math(splits: Splits) -> list[PaperRow]:
    """We-Math, table 5: every step and every whole problem is a sample; letters are of options.

    The "proportion of answer A" is how often A is among the options, not how often it is right.
    """
    samples = _all(splits)
    letters = Counter(option.label for s in samples for option in s.options)
    words = [_words(s.question) for s in samples]
    characters = [len(s.question) for s in samples]
    table = _Table("We-Math, table 5")
    table.add("total samples", len(samples))
    for name, part in splits.items():
        table.add(f"total {name} set samples", len(part))
    _add_steps(table, "", samples)
    for name, part in splits.items():
        _add_steps(table, f"{name}: ", part)
    for layer, level in (("first", "domain"), ("second", "topic")):
        nodes = _nodes_above(samples, "we-math", level)
        table.add(f"{layer}-layer nodes", _unique(nodes))
    table.add("terminal nodes", _unique(k for s in samples for k in _concepts(s)))
    table.add("total options", letters.total())
    table.add("average options", letters.total() / len(samples) if samples else 0.0)
    table.each("options {}", letters, letters.total())
    table.add("maximum length (words)", max(words, default=0))
    table.add("maximum length (characters)", max(characters, default=0))
    table.add("average length (words)", _mean(words))
    table.add("average length (characters)", _mean(characters))
    return [*table, *_histogram("We-Math, figure 13: words of a question", words, 80)]


def _add_steps(table: _Table, prefix: str, samples: Sequence[Sample]) -> None:
    """How many problems have how many steps; a step alone is a problem of one step."""
    steps = Counter(
        s.labels.get("steps") for s in samples if s.version in ("multi", "")
    )
    single = sum(s.version.startswith("step") for s in samples)
    table.add(f"{prefix}three-step problems", steps[3])
    table.add(f"{prefix}two-step problems", steps[2])
    one_step = single + steps.total() - steps[2] - steps[3]
    table.add(f"{prefix}one-step problems", one_step)


def mm_math(splits: Splits) -> list[PaperRow]:
    """MM-MATH, table 2: lengths in characters; the answer is the whole solution."""
    samples = _all(splits)
    difficulty = Counter(str(s.labels.get("difficulty", "")) for s in samples)
    grades = Counter(str(s.labels.get("grade", "")) for s in samples)
    questions = [len(s.question) for s in samples]
    solutions = [len(s.solution) for s in samples if s.solution]
    table = _Table("MM-MATH, table 2")
    table.add("total problems", len(samples))
    table.each("difficulty {}", difficulty, names=("easy", "medium", "hard"))
    table.each("grade {}", grades, names="789")
    table.add("average question length (characters)", _mean(questions))
    table.add("average answer length (characters)", _mean(solutions))
    table.add("maximum question length (characters)", max(questions, default=0))
    table.add("maximum answer length (characters)", max(solutions, default=0))
    return [*table, *_knowledge(samples), *_people(samples)]


def _knowledge(samples: Sequence[Sample]) -> list[PaperRow]:
    """MM-MATH, figure 2: the shares of areas and of what lies below them."""
    table = _Table("MM-MATH, figure 2: knowledge points")
    for level in ("area", "topic"):
        counts = Counter(_nodes_above(samples, "mm-math", level))
        table.each(f"{level} {{}}", counts, counts.total())
    return table


def _nodes_above(samples: Iterable[Sample], tree: str, level: str) -> Iterator[str]:
    """The nodes of a level that stand above what samples are labelled with."""
    for sample in samples:
        yield from above(sample.labels, tree).get(level, ())


def _people(samples: Sequence[Sample]) -> list[PaperRow]:
    """MM-MATH, table 3, the row of people: the mean share of students who solved a problem."""
    solved = [s for s in samples if isinstance(s.labels.get("pass_rate"), (int, float))]
    table = _Table("MM-MATH, table 3: people")
    if solved:
        table.add("average", _mean([s.labels["pass_rate"] for s in solved]))
    for label in ("difficulty", "grade", "area"):
        rates: dict[str, list[float]] = {}
        for sample in solved:
            values = [str(sample.labels.get(label))]
            if label == "area":
                values = above(sample.labels, "mm-math").get("area", [])
            for value in values:
                rates.setdefault(value, []).append(sample.labels["pass_rate"])
        for value in sorted(rates):
            table.add(f"{label} {value}", _mean(rates[value]))
    return table


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

    def rank(sample: Sample) -> int:
        """Of a version; others come last."""
        return [*fullest, sample.version].index(sample.version)

    first: dict[str, Sample] = {}
    for sample in sorted(samples, key=rank):
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


def _unique_labels(samples: Iterable[Sample], name: str) -> int:
    return _unique(sample.labels.get(name) for sample in samples)


def _unique_images(samples: Sequence[Sample]) -> int:
    return len({image.sha256 for sample in samples for image in sample.images})


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
