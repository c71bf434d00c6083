"""The data model: every record that passes between stages, people and files.

Structs are encoded by msgspec in the field order below; unknown fields are refused on reading.
"""

from __future__ import annotations

from inspect import cleandoc
from typing import Any, Literal

import msgspec

AnswerKind = str  # a name of `base/answer_kinds.py`: choice, number, set, ..., or one of your own
Role = Literal["DI", "IP", "EC"]
Labels = dict[
    str, Any
]  # subject, subfield, level, grade, difficulty, knowledge [...], ...

VERSIONS = (
    "text_dominant",
    "text_lite",
    "text_only",
    "vision_intensive",
    "vision_dominant",
    "vision_only",
)


class Record(
    msgspec.Struct, kw_only=True, omit_defaults=False, forbid_unknown_fields=True
):
    """Base of all records: strict on reading, every field written."""


class Source(Record, kw_only=True):
    """Where a problem came from. `license` is an SPDX identifier."""

    name: str
    raw_id: str
    url: str | None = None
    license: str | None = None
    benchmark: str | None = None  # whose rules, prompts and export names hold


class Image(Record, kw_only=True):
    """A picture in the picture store; `path` is relative to the build or release folder."""

    path: str
    sha256: str
    width: int  # pixels
    height: int  # pixels
    role: str = "figure"  # figure, option, page, ...
    caption: str = ""  # the picture in words, for models that only read


class Option(Record, kw_only=True):
    """One choice: `label` is its letter, `text` its value; `image` where it is a picture."""

    label: str
    text: str
    image: Image | None = None


class Part(Record, kw_only=True):
    """One sub-answer of a problem whose `answer_kind` is `parts`: `label` is `1`, `2`, ..."""

    label: str
    answer: str = ""
    answer_kind: AnswerKind = "text"
    unit: str | None = None
    tolerance: float | None = None
    ordered: bool | None = None


class Span(Record, kw_only=True):
    """A stretch of the question (MathVerse, section 2.2): characters [start, end) in code points.

    DI: descriptive information; IP: implicit property; EC: essential condition.
    `alt` is the text that stands in its place when it is removed.
    """

    start: int
    end: int
    role: Role
    alt: str | None = None


class Published(Record, kw_only=True):
    """What a published row says in a field, and the hash of what it spells (base/published.py)."""

    said: Any
    of: str = ""


class Step(Record, kw_only=True):
    """One one-step sub-problem (We-Math, section 4.1); the last step asks the original question."""

    question: str
    options: list[Option] = []
    answer: str = ""
    knowledge: list[str] = []
    condition: str = ""
    reasoning: str = (
        ""  # how its answer follows (We-Math, B.2): the solution of its sample
    )
    images: list[Image] = []
    published: dict[str, Published] = {}


class Sample(Record, kw_only=True):
    """What a model is asked.

    `id` is the problem's id, `<problem>.<version>`, `<problem>.step<k>` or `<problem>.multi`;
    `version` is the part behind the dot. `origin` is the statistical cluster and the split key.
    """

    id: str
    problem_id: str
    origin: str
    version: str = ""
    source: Source
    question: str
    images: list[Image] = []
    options: list[Option] = []
    answer: str | None = None  # None: withheld
    answer_kind: AnswerKind = "text"
    unit: str | None = None
    tolerance: float | None = None
    ordered: bool | None = None
    parts: list[Part] = []
    solution: str | None = None
    diagram: str | None = None
    condition: str = ""
    language: str = "en"
    labels: Labels = {}
    notes: list[str] = []
    published: dict[
        str, Published
    ] = {}  # field of the official row -> its own spelling

    def asked(self) -> str:
        """The question as anybody is asked it, see `asked`."""
        return asked(self.condition, self.question)


class Problem(Record, kw_only=True):
    """One problem of a benchmark, from reading to release.

    `question` is text with LaTeX in `$...$` and pictures as `<image1>`; `answer` is an option's
    label for `choice`, otherwise the value. `samples` is filled where a problem is asked in
    several versions; where it is empty, `samples_of` derives what is asked.
    """

    id: str
    origin: str
    source: Source
    question: str
    images: list[Image] = []
    options: list[Option] = []
    answer: str = ""
    answer_kind: AnswerKind = "text"
    unit: str | None = None
    tolerance: float | None = None
    ordered: bool | None = None
    parts: list[Part] = []
    solution: str | None = None
    language: str = (
        ""  # en, zh, ...; "": the reader leaves it to its source, see `completed`
    )
    labels: Labels = {}
    spans: list[Span] = []
    diagram: str | None = None  # annotation of the picture, for judges
    placement: str | None = None  # what is drawn into the picture, a spec
    about: dict[str, str] = {}  # field of human work -> hash of what it was given for
    steps: list[Step] = []
    samples: list[Sample] = []
    notes: list[str] = []
    published: dict[str, Published] = {}  # as of `Sample`


class Vote(Record, kw_only=True):
    """One person's or model's opinion on one field of one problem; never overwritten."""

    problem_id: str
    field: str
    value: Any
    annotator: str
    kind: Literal["human", "model"] = "human"
    at: str = ""  # ISO 8601
    about: str = ""  # hash of the text and pictures that were shown; "": not recorded
    withdrawn: bool = False
    seconds: float | None = None  # that the person took, as the server has it
    prefilled: Literal["", "untouched", "changed"] = (
        ""  # the form was filled in beforehand
    )
    group: str = ""  # whose one answer it is; "": the person's own
    instructions: str = (
        ""  # hash of the guidelines, or the prompt, that the voter was given
    )
    meaning: str = ""  # hash of the label's definition; "": not recorded

    @property
    def voter(self) -> str:
        """Who counts once: the group, else the person."""
        return self.group or self.annotator


class Drop(Record, kw_only=True):
    """A problem that a stage removed: why, and in favour of which other problem."""

    id: str
    reason: str
    other: str | None = None


SHARED_FIELDS = (
    "question",
    "images",
    "options",
    "answer",
    "answer_kind",
    "unit",
    "tolerance",
    "ordered",
    "parts",
    "solution",
    "diagram",
    "language",
    "labels",
    "published",
)


def sample_of(problem: Problem, version: str = "", **changes: Any) -> Sample:
    """The sample that asks `problem` in `version`, with `changes` to its fields.

    >>> p = Problem(id="a-1", origin="a-1", source=Source(name="a", raw_id="1"), question="1+1?")
    >>> sample_of(p, "text_lite", question="?").id
    'a-1.text_lite'
    """
    fields = {name: getattr(problem, name) for name in SHARED_FIELDS} | changes
    return Sample(
        id=f"{problem.id}.{version}" if version else problem.id,
        problem_id=problem.id,
        origin=problem.origin,
        version=version,
        source=problem.source,
        **fields,
    )


def asked(condition: str, question: str) -> str:
    """A question behind its condition (We-Math's c_m), for every text that goes outside.

    Nothing is added where the question holds the condition already.

    >>> asked("A square has side 2.", "What is its area?")
    'A square has side 2. What is its area?'
    """
    known = " ".join(condition.split())
    if not known or known in " ".join(question.split()):
        return question
    return f"{condition.strip()} {question}".strip()


def samples_of(problem: Problem) -> list[Sample]:
    """Everything that is asked about a problem: its versions, or itself, and its steps.

    >>> p = Problem(id="a-1", origin="a-1", source=Source(name="a", raw_id="1"), question="q",
    ...             steps=[Step(question="first"), Step(question="q")])
    >>> [s.id for s in samples_of(p)]
    ['a-1.step1', 'a-1.step2', 'a-1.multi']
    """
    if problem.samples:
        return problem.samples
    if not problem.steps:
        return [sample_of(problem)]
    steps = [
        sample_of(
            problem,
            f"step{k}",
            question=step.question,
            options=step.options,
            answer=step.answer,
            answer_kind="choice" if step.options else problem.answer_kind,
            condition=step.condition,
            images=step.images or problem.images,
            solution=step.reasoning or None,
            labels=problem.labels | {"knowledge": step.knowledge},
            published=step.published,
        )
        for k, step in enumerate(problem.steps, 1)
    ]
    return [*steps, sample_of(problem, "multi")]


def shown_images(record: Problem | Sample | Step) -> list[Image]:
    """The pictures in the order in which they are shown: the question's, then the options'."""
    return [*record.images, *(o.image for o in record.options if o.image is not None)]


def option_texts(options: list[Option], images: int) -> list[str]:
    """What each option says behind `images` pictures of the question; a picture as `<imageN>`.

    >>> picture = Image(path="a.png", sha256="", width=9, height=9)
    >>> option_texts([Option(label="A", text="", image=picture), Option(label="B", text="no")], 1)
    ['<image2>', 'no']
    """
    texts = []
    for option in options:
        mark = ""
        if option.image is not None:
            images += 1
            mark = f"<image{images}>"
        texts.append(f"{option.text} {mark}".strip() if mark else option.text)
    return texts


def listed_options(options: list[Option], images: int, form: str, between: str) -> str:
    """The options in a benchmark's form, behind `images` pictures of the question.

    >>> listed_options([Option(label="A", text="1"), Option(label="B", text="2")], 0, "{}. {}", ";")
    'A. 1;B. 2'
    """
    texts = option_texts(options, images)
    return between.join(
        form.format(o.label, t) for o, t in zip(options, texts, strict=True)
    )


def with_choices(question: str, options: list[Option], images: int) -> str:
    """A question and its options in one text, as MathVerse's rows have them.

    >>> with_choices("Find x.", [Option(label="A", text="40°")], 0)
    'Find x.\\nChoices:\\nA:40°'
    """
    listed = listed_options(options, images, "{}:{}", "\n")
    return f"{question}\nChoices:\n{listed}" if question and listed else question


def all_images(record: Problem | Sample) -> list[Image]:
    """All pictures of a record, its options, steps and versions, repeated ones too."""
    images = shown_images(record)
    if isinstance(record, Problem):
        for step in record.steps:
            images += shown_images(step)
        for sample in record.samples:
            images += shown_images(sample)
    return images


def parts_text(parts: list[Part]) -> str:
    """The gold of a problem with parts as one text.

    >>> parts_text([Part(label="1", answer="5"), Part(label="2", answer="$x=2$")])
    '(1) 5 (2) $x=2$'
    """
    return " ".join(f"({part.label}) {part.answer}".rstrip() for part in parts)


def json_schema() -> dict[str, Any]:
    """JSON Schema of Problem, Sample, Vote and Drop (the release's schema.json)."""
    _, components = msgspec.json.schema_components(
        [Problem, Sample, Vote, Drop], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {
            name: _written_alike(one) for name, one in sorted(components.items())
        },
    }


def _written_alike(value: Any) -> Any:
    """A schema as every version writes it: Python 3.13 takes the indentation of docstrings away,
    and msgspec 0.19 gives alternatives in another order.
    """
    if isinstance(value, list):
        return [_written_alike(one) for one in value]
    if not isinstance(value, dict):
        return value
    found = {name: _written_alike(one) for name, one in value.items()}
    if isinstance(found.get("description"), str):
        found["description"] = cleandoc(found["description"])
    if "anyOf" in found:
        found["anyOf"] = sorted(found["anyOf"], key=msgspec.json.encode)
    return found
