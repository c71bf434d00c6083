"""Which sample does a row of a prediction file answer, and with what text?

Our own rows are `{"id", "response"}`. Rows of the four benchmarks' official outputs, of VLMEvalKit
and of lmms-eval are known by their fields:

| layout      | names its sample by                              | replies in                   |
| MATH-V      | id                                               | response                     |
| We-Math     | ID (2steps_7), key (2steps_1 ... 2steps_multi)   | response                     |
| MathVerse   | problem_index, problem_version                   | model_answer                 |
| MM-MATH     | key of the row in its JSON object                | prediction                   |
| VLMEvalKit  | index: an id, or a place in the split; or the    | prediction                   |
|             | benchmark's own fields beside it                 |                              |
| lmms-eval   | id in doc, or the benchmark's own fields in any  | filtered_resps, resps        |
|             | part of the row, or doc_id: a place in the split |                              |

An id may be a sample's id, or the id that its source gave it (`source.raw_id`). A row that names no
sample, and repeats the question of one alone, answers that one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from ...options import options_in_question
from ...problem import VERSIONS, Sample
from .file_formats import Row

Numbered = tuple[int, Row | str]  # a row, or why it cannot be read, with its number
ID_FIELDS = ("id", "index", "question_id")
REPEAT_FIELDS = ("repeat", "epoch")
# A reply as it came stands before what a filter left of it.
RESPONSE_FIELDS = ("response", "prediction", "model_answer", "resps", "filtered_resps")
FEWEST = 10  # rows by whose golds places are told from ids
AGREEING = 0.9  # share of them whose gold is that of the sample at the place
# MathVerse numbers the rows of testmini: five versions a problem, in this order.
MATHVERSE_ORDER = (
    "text_dominant",
    "text_lite",
    "vision_intensive",
    "vision_dominant",
    "vision_only",
)


class Index:
    """Samples by every name that a prediction may use; `golds` has their ids, in order.

    `sources` has one sample of each.
    """

    def __init__(self, samples: Sequence[Sample]) -> None:
        self.samples = samples
        self.golds: dict[str, str | None] = {}
        self.sources: dict[tuple[str, str | None], Sample] = {}
        for sample in samples:
            self.golds[sample.id] = sample.answer
            self.sources.setdefault(
                (sample.source.name, sample.source.benchmark), sample
            )

    @cached_property
    def names(self) -> Mapping[tuple[str, str], list[str]]:
        """Ids by the name and version that an official layout has."""
        names: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for sample in self.samples:
            whole, source = sample.problem_id, sample.source
            # official layouts of a release name a problem without its source where they can
            for name in {source.raw_id, whole, whole.removeprefix(f"{source.name}-")}:
                names[name, sample.version].append(sample.id)
        return names

    @cached_property
    def asked(self) -> Mapping[str, str | None]:
        """Ids by the words of their questions; None where several ask the same."""
        asked: dict[str, str | None] = {}
        for sample in self.samples:
            words = " ".join(sample.question.split())
            asked[words] = None if words in asked else sample.id
        return asked

    @cached_property
    def places(self) -> list[str]:
        """Ids by their place in the split."""
        return list(self.golds)

    def find(self, name: str, version: str = "") -> str | None:
        """The id of the sample with this name; None when there is none, or more than one."""
        if not version and name in self.golds:
            return name
        samples = self.names.get((name, version)) or self.names.get(
            _unnumbered(name, version), []
        )
        return samples[0] if len(samples) == 1 else None

    def at(self, place: int, gold: str) -> str | None:
        """The id of the sample at this place of the split, provided that its answer is `gold`."""
        if not 0 <= place < len(self.places):
            return None
        name = self.places[place]
        answer = self.golds[name]
        return name if answer is not None and answer.strip() == gold.strip() else None


def _unnumbered(name: str, version: str) -> tuple[str, str]:
    """Name and version without We-Math's number of steps, of which the one step is the whole.

    >>> _unnumbered("2steps_7", "step1"), _unnumbered("1steps_7", "multi")
    (('7', 'step1'), ('7', ''))
    """
    steps, _, rest = name.partition("steps_")
    if not steps.isdecimal() or not rest:
        return name, version
    return rest, "" if (steps, version) == ("1", "multi") else version


def locate(
    row: Row, index: Index, id_field: str | None = None, first: int | None = None
) -> tuple[str, str | None]:
    """How the row names its sample, and the sample's id, or None when it is unknown.

    `first` is what `first_place` found for the whole file.
    """
    if id_field is not None:
        name = _text(row.get(id_field))
        return name, index.find(name)
    if first is not None:
        number = _text(row["index"])
        gold = own_gold(row) or ""
        name = f"index {number} with answer {gold!r}"
        return name, index.at(int(number) - first, gold)
    objects = [part for part in row.values() if isinstance(part, dict)]
    doc = _doc(row)
    names = [name for fields in (row, *doc) for name in _ids(fields)]
    # lmms-eval writes what a metric returned: {"accuracy": {"score", "id", "origin"}}
    metrics = [_text(fields["id"]) for fields in objects if "id" in fields]
    for name in (*names, *metrics):
        if name in index.golds:
            return name, name
    for fields in (row, *objects):
        named = benchmark_name(fields)
        if named is not None:
            return "/".join(named), index.find(*named)
    if names:
        name = names[-1] if doc else names[0]
        return name, index.find(name)
    if isinstance(row.get("doc_id"), int) and "target" in row:
        place = row["doc_id"]  # lmms-eval writes its logs without doc
        target = row["target"]
        name = f"doc_id {place} with target {target!r}"
        return name, index.at(place, _text(target))
    return _by_question(row, index) or ("", index.find(""))


def _by_question(row: Row, index: Index) -> tuple[str, str] | None:
    """How a row names its sample that has no id and repeats the question, and the sample's id."""
    for fields in (row, *_doc(row)):
        question = fields.get("question", fields.get("problem"))
        texts = [question] if isinstance(question, str) and question.strip() else []
        texts += [options_in_question(text)[0] for text in texts]
        for words in (" ".join(text.split()) for text in texts):
            if (found := index.asked.get(words)) is not None:
                return f"question {words[:40]!r}", found
    return None


def _doc(row: Row) -> list[Row]:
    """The sample as lmms-eval's logs repeat it, where they do."""
    doc = row.get("doc")
    return [doc] if isinstance(doc, dict) else []


def _ids(fields: Row) -> list[str]:
    """What may be a sample's id; tables for pandas end a text that looks like a number with a
    no-break space."""
    values = [fields.get(field) for field in ID_FIELDS]
    return [_text(value).strip() for value in values if value not in (None, "")]


def first_place(
    rows: Iterable[Numbered], index: Index
) -> tuple[Iterable[Numbered], int | None]:
    """The rows, and the number of the split's first sample where `index` numbers places.

    That is None where `index` names ids. Harnesses number the rows of their own tables. The rows'
    golds decide: nine in ten must be those of the samples at these places, and fewer those of the
    samples with these ids.
    """
    source = iter(rows)
    passed = list[Numbered]()
    numbers = list[tuple[int, str]]()
    for number, row in source:
        passed.append((number, row))
        if isinstance(row, str):
            continue
        text = _text(row.get("index"))
        gold = own_gold(row)
        if "id" in row or not text.isdecimal() or gold is None or benchmark_name(row):
            return chain(passed, source), None  # named, or better than by a number
        numbers.append((int(text), gold))
    if len(numbers) < FEWEST:
        return passed, None
    by_id = [index.golds.get(index.find(str(k)) or "") == gold for k, gold in numbers]
    fits = {first: _agreeing(numbers, first, index) for first in (0, 1)}
    first = max(fits, key=lambda place: fits[place])
    if fits[first] > max(sum(by_id), AGREEING * len(numbers)):
        return passed, first
    return passed, None


def _agreeing(numbers: list[tuple[int, str]], first: int, index: Index) -> int:
    """How many golds are those of the samples at their places, counted from `first`."""
    return sum(index.at(k - first, gold) is not None for k, gold in numbers)


def own_gold(row: Row) -> str | None:
    """The gold that the row itself carries, by which a shifted numbering shows; withheld, None."""
    for fields in (row, *_doc(row)):
        if "answer" in fields:
            return _text(fields["answer"]) or None
    return None


def benchmark_name(fields: Row) -> tuple[str, str] | None:
    """Name and version by the fields of We-Math and MathVerse."""
    if "ID" in fields and "key" in fields:
        role = _text(fields["key"]).rsplit("_", 1)[-1]
        return _text(fields["ID"]), role if role == "multi" else f"step{role}"
    if "problem_version" in fields:
        version = _text(fields["problem_version"]).strip().lower().replace(" ", "_")
        number = _text(fields.get("problem_index")) or _problem_number(fields, version)
        if number and version in VERSIONS:
            return number, version
    return None


def _problem_number(fields: Row, version: str) -> str:
    """MathVerse's problem number from the row's place in testmini, where problem_index is left
    out (VLMEvalKit); places from 0 or from 1, whichever agrees with the row's version."""
    place = _text(fields.get("sample_index", fields.get("index")))
    if not place.isdigit():
        return ""
    for first in (1, 0):
        problem, version_place = divmod(int(place) - first, len(MATHVERSE_ORDER))
        if MATHVERSE_ORDER[version_place] == version:
            return str(problem + 1)
    return ""


def replies(row: Row, response_field: str | None = None) -> list[str | None] | None:
    """The texts of all replies in a row, None for one that never came; None without such a field.

    lmms-eval keeps a list for each request (`resps: [["B", "C"]]`): one reply, or one a repeat.

    >>> replies({"resps": [["B", "C"]]}), replies({"response": None}), replies({"id": 1})
    (['B', 'C'], [None], None)
    """
    names = (response_field,) if response_field else RESPONSE_FIELDS
    fields = [row[name] for name in names if name in row]
    texts = [_several(field) for field in fields if not _is_nested(field)]
    # the longest, since filters of lmms-eval keep the first repeat; of equals the first
    return max(texts, key=len, default=None)


def _is_nested(value: Any) -> bool:
    """Whether a field holds fields, and no text."""
    if isinstance(value, list):
        return any(isinstance(part, dict) for part in value)
    return isinstance(value, dict)


def _several(value: Any) -> list[str | None]:
    while isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    if not isinstance(value, list):
        return [_reply(value)]
    return list(map(_reply, value)) or [None]


def _reply(value: Any) -> str | None:
    return None if value is None else _text(value)


def repeat_of(row: Row) -> str | None:
    """The number that a row gives its repeat of a sample; None where it gives none.

    >>> repeat_of({"id": 1, "epoch": 2}), repeat_of({"id": 1})
    ('2', None)
    """
    return next((_text(row[f]) for f in REPEAT_FIELDS if row.get(f) is not None), None)


def _text(value: Any) -> str:
    """A cell as text: the first of a list, numbers without a useless ".0"."""
    while isinstance(value, list):
        value = value[0] if value else ""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value)
