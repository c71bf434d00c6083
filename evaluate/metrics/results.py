"""The verdict on one sample with its evidence: one line of `samples.jsonl`.

Every figure of a score is a function of these records, so anybody can check any of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from math import isnan, nan
from pathlib import Path
from typing import Any, Literal, overload

import msgspec

from ...base.about import digest
from ...base.display import texts_of
from ...base.files import Records, read_jsonl, remove_file, write_jsonl
from ...errors import UserError
from ...problem import VERSIONS, Labels, Record
from ...taxonomy import above
from ..predictions import Ending, reply_name

SampleStatus = Literal[
    "missing",
    "failed",
    "unextracted",
    "declined",
    "truncated",
    "timeout",
    "refused",
    "unparsed",
    "ok",
]
# Fields that say the same of many results.
SHARED = (
    "id",
    "problem_id",
    "origin",
    "version",
    "source",
    "kind",
    "gold",
    "rule",
    "how",
    "extracted",
    "span",
    "finish",
    "shown",
)
SILENT: tuple[SampleStatus, ...] = ("missing", "failed")  # no reply at all
OPEN: tuple[SampleStatus, ...] = (
    "unextracted",
    "declined",
    "timeout",
    "refused",
    "unparsed",
)


class Official(Record, kw_only=True, gc=False):
    """What the benchmark's own published rules say of the same reply."""

    profile: str
    correct: bool
    extracted: str | None = None
    how: str = ""


class Own(Record, kw_only=True):
    """What the file of replies says of this reply itself: in which field, and what it read."""

    field: str
    correct: bool
    extracted: str | None = None


class Result(Record, kw_only=True, gc=False):
    """One graded sample. `origin` is its statistical cluster.

    status: ok; missing (no prediction); failed (asked in vain); unextracted (no answer found in the
    reply); declined (the reply, or the endpoint, says that it will not answer); truncated (it was
    cut, or ends while it thinks); timeout, refused, unparsed (the answer was found, but comparing
    it gave up). All but ok count as wrong. `ended` is what whoever asked knows of the reply's end.
    `span` is where in the reply the answer stands, `credit` partial credit for several letters or
    parts. `tokens` are those of the reply, `thought_tokens` of its thoughts, `finish` says why it
    stopped, `asked` is the message as it was sent with so many `pictures`. `shown` is the hash
    of what was asked: question, options and pictures.
    """

    id: str
    problem_id: str
    origin: str
    version: str
    source: str
    kind: str
    labels: Labels
    gold: str
    response: str | None
    response_sha256: str | None = None  # of a long reply, which stands in replies.jsonl
    extracted: str | None = None
    rule: str = ""
    how: str = ""
    span: tuple[int, int] | None = None
    credit: float | None = None
    status: SampleStatus
    correct: bool
    decided_by: Literal["rule", "judge", "person", "none"] = "rule"
    official: Official | None = None
    own: Own | None = None
    ended: Ending = ""
    thoughts: str | None = None
    thoughts_sha256: str | None = None
    tokens: int | None = None
    prompt_tokens: int | None = None
    thought_tokens: int | None = None
    seconds: float | None = None
    cost: float | None = None
    finish: str = ""
    asked: str = ""
    pictures: int | None = None
    shown: str = ""
    person: str | None = None  # who answered, in a human baseline
    repeat: int = 1  # which of several replies to the sample

    def reply_name(self) -> str:
        """The sample's id, from its second reply on with the reply's number."""
        return reply_name(self.id, self.repeat)

    def about(self) -> str:
        """The hash of what a person judges here: the reply, held against the gold."""
        return digest([self.id, self.gold, self.response])

    def group_values(self) -> dict[str, list[str]]:
        """The groups this sample belongs to: every label, and source, answer kind and version.

        A subfield is named together with its subject, since two subjects may use one word
        (Length is plane and solid geometry in MathVerse). What lies above a label of a tree is a
        group, too, level by level.
        """
        return dict(values_of(*self.groups()))

    def groups(self) -> tuple[bytes, str | None, str, str, str]:
        """What its groups follow from (`values_of`): many samples have the same."""
        benchmark = self.official.profile if self.official else None
        labels = msgspec.json.encode(self.labels)
        return labels, benchmark, self.source, self.kind, self.version


@lru_cache(maxsize=4096)
def values_of(
    labels: bytes, benchmark: str | None, source: str, kind: str, version: str
) -> dict[str, list[str]]:
    """The groups of samples with these labels, of this source, kind and version."""
    own: Labels = msgspec.json.decode(labels)
    groups = {name: texts_of(value) for name, value in own.items()}
    subjects = groups.get("subject", [])
    if len(subjects) == 1 and "subfield" in groups:
        groups["subfield"] = [
            f"{subjects[0]} / {field}" for field in groups["subfield"]
        ]
    groups = above(own, benchmark) | groups
    groups |= {
        "source": [source],
        "answer_kind": [kind],
        "version": [version] if version else [],
    }
    return {name: values for name, values in groups.items() if values}


def headline(results: Sequence[Result]) -> Sequence[Result]:
    """The results that the accuracy of a run is over: of six versions all but Text Only.

    MathVerse, Table 2: "All" leaves Text Only out, which shows no picture. A version that was not
    asked at all (`not_run`) is left out, too.
    """
    return _but(results, uncounted(results))


def versions_run(results: Sequence[Result]) -> Sequence[Result]:
    """All results but those of versions that were not asked."""
    return _but(results, set(not_run(results)))


def uncounted(results: Sequence[Result]) -> set[str]:
    """The versions whose samples are in no accuracy."""
    return {"text_only", *not_run(results)} & {result.version for result in results}


def _but(results: Sequence[Result], versions: set[str]) -> Sequence[Result]:
    """The results of other versions, in memory as all of them are."""
    if not versions:
        return results
    rows = [k for k, result in enumerate(results) if result.version not in versions]
    if isinstance(results, ResultColumns):
        return results.select(rows)
    return [results[k] for k in rows]


def not_run(results: Sequence[Result]) -> list[str]:
    """The versions of six without a single prediction, where others have some.

    MathVerse's published results hold Text Only in a file of its own.
    """
    there = {r.version for r in results}
    if there.isdisjoint(VERSIONS):
        return []
    seen = {r.version for r in results if r.status not in SILENT}
    return [v for v in VERSIONS if v in there - seen] if seen else []


class LongReply(Record, kw_only=True):
    """One line of `replies.jsonl`: a reply that `samples.jsonl` names by its hash."""

    sha256: str
    response: str


LONG = 20_000  # characters of a reply that samples.jsonl holds itself
LONG_REPLIES = "replies.jsonl"


def write_results(folder: Path, results: Iterable[Result]) -> None:
    """samples.jsonl, and replies.jsonl where replies are long: each of these is written once."""
    long: dict[str, LongReply] = {}
    write_jsonl(
        folder / "samples.jsonl", (by_reference(result, long) for result in results)
    )
    if long:
        write_jsonl(folder / LONG_REPLIES, [long[name] for name in sorted(long)])
    else:
        remove_file(folder / LONG_REPLIES)


def by_reference(result: Result, long: dict[str, LongReply]) -> Result:
    """The result as its line has it: a long reply by its hash, which is put to those `long`."""
    changes: dict[str, str | None] = {}
    for field in ("response", "thoughts"):
        text = getattr(result, field)
        if text is not None and len(text) > LONG:
            name = sha256(text.encode(errors="surrogatepass")).hexdigest()
            long[name] = LongReply(sha256=name, response=text)
            changes |= {field: None, f"{field}_sha256": name}
    return msgspec.structs.replace(result, **changes) if changes else result


def read_results(path: Path) -> list[Result]:
    """The results of an earlier `score`: a `samples.jsonl` or the folder that holds it."""
    file = _results_file(path)
    results = list(read_jsonl(file, Result))
    if any(result.response_sha256 or result.thoughts_sha256 for result in results):
        beside = file.with_name(LONG_REPLIES)
        long = read_jsonl(beside, LongReply) if beside.exists() else ()
        replies = {reply.sha256: reply.response for reply in long}
        for result in results:
            result.response = replies.get(result.response_sha256 or "", result.response)
            result.thoughts = replies.get(result.thoughts_sha256 or "", result.thoughts)
    return results


def _results_file(path: Path) -> Path:
    file = path / "samples.jsonl" if path.is_dir() else path
    if not file.exists():
        raise UserError(
            f"no results in {path}", "give a folder written by 'benchwright score'"
        )
    return file


# Fields of a result that differ from one to the next, and are numbers.
NUMBERS = ("repeat", "tokens", "prompt_tokens", "thought_tokens", "seconds", "cost")
WHOLE = frozenset(NUMBERS[:4])


class Alike:
    """Results without their numbers, each once: many runs on a split say the same of a sample."""

    def __init__(self) -> None:
        self.results: list[Result] = []
        self._places: dict[bytes, int] = {}
        self._values: dict[Any, Any] = {}

    def place(self, result: Result) -> int:
        """Where the result stands; its numbers are taken out."""
        for name in NUMBERS:
            setattr(result, name, 1 if name == "repeat" else None)
        place = self._places.setdefault(_key(result), len(self.results))
        if place == len(self.results):
            self.results.append(sharing(result, self._values))
        return place


def _key(result: Result) -> bytes:
    return sha256(msgspec.msgpack.encode(result)).digest()[:12]


class ResultColumns(Sequence[Result]):
    """Results of a run in columns, made when they are asked for: a board of many runs fits.

    Nobody may change one: many are one object.
    """

    def __init__(
        self, alike: Alike, places: array[int], numbers: dict[str, array[float]]
    ) -> None:
        self.alike, self.places, self.numbers = alike, places, numbers

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[Result]:
        for row in range(len(self.places)):
            yield self._result(row)

    @overload
    def __getitem__(self, at: int) -> Result: ...
    @overload
    def __getitem__(self, at: slice) -> ResultColumns: ...
    def __getitem__(self, at: int | slice) -> Result | ResultColumns:
        rows = range(len(self))[at]
        return self.select(rows) if isinstance(rows, range) else self._result(rows)

    def without_numbers(self) -> Iterator[Result]:
        """The results without their numbers, which verdicts and groups do not need: no copies."""
        return map(self.alike.results.__getitem__, self.places)

    def select(self, rows: Sequence[int]) -> ResultColumns:
        """Some of them, in columns."""
        numbers = {
            name: array("d", (column[row] for row in rows))
            for name, column in self.numbers.items()
        }
        places = array("I", (self.places[row] for row in rows))
        return ResultColumns(self.alike, places, numbers)

    def _result(self, row: int) -> Result:
        result = self.alike.results[self.places[row]]
        if not self.numbers:
            return result
        values = {
            name: int(value) if name in WHOLE else value
            for name, column in self.numbers.items()
            if not isnan(value := column[row])
        }
        return msgspec.structs.replace(result, **values)


def without_numbers(results: Sequence[Result]) -> Iterable[Result]:
    """Results for their verdicts, groups and names alone: quick where they are columns."""
    return results.without_numbers() if isinstance(results, ResultColumns) else results


def numbers_of(results: Sequence[Result], name: str) -> list[float]:
    """The numbers of that name, of the results that have one."""
    if isinstance(results, ResultColumns):
        return [value for value in results.numbers.get(name, ()) if not isnan(value)]
    values = (getattr(result, name) for result in results)
    return [float(value) for value in values if value is not None]


def read_verdicts(path: Path, alike: Alike | None = None) -> ResultColumns:
    """As `read_results`, without what was said; runs that are read into one `alike` share most."""
    alike = alike or Alike()
    places = array("I")
    numbers: dict[str, array[float]] = {}
    for row, result in enumerate(read_jsonl(_results_file(path), Result)):
        result.response = result.thoughts = None
        result.response_sha256 = result.thoughts_sha256 = None
        result.how = result.rule = result.shown = result.asked = ""
        result.span = result.extracted = None
        if result.official is not None:
            result.official.extracted = None
            result.official.how = ""
        for name in NUMBERS:
            value = getattr(result, name)
            if name not in numbers and value != (1 if name == "repeat" else None):
                numbers[name] = array("d", [nan]) * row
            if name in numbers:
                numbers[name].append(nan if value is None else value)
        places.append(alike.place(result))
    return ResultColumns(alike, places, numbers)


def sharing(result: Result, values: dict[Any, Any]) -> Result:
    """The result, with one object for what many results say: all of them lie in memory."""
    result.labels = values.setdefault(msgspec.json.encode(result.labels), result.labels)
    for field in SHARED:
        value = getattr(result, field)
        setattr(result, field, values.setdefault(value, value))
    if (official := result.official) is not None:
        official.extracted = values.setdefault(official.extracted, official.extracted)
        official.how = values.setdefault(official.how, official.how)
    return result


class _Named(msgspec.Struct):
    """The name of a line: a sample's, or the hash of a long reply."""

    id: str = ""
    sha256: str = ""


class ResultsBySample(Mapping[str, Sequence[Result]]):
    """The results of a score by sample, read when they are asked for: places alone are in memory.

    `ids` are the samples that count.
    """

    def __init__(self, folder: Path, ids: Container[str]) -> None:
        self.results = Records(
            folder / "samples.jsonl", msgspec.json.Decoder(Result).decode
        )
        self.places: dict[str, array[int]] = {}
        for place, name in enumerate(_names(self.results)):
            if name.id in ids:
                self.places.setdefault(name.id, array("I")).append(place)
        long = folder / LONG_REPLIES
        self.long: Records[LongReply] | None = None
        self.long_places: dict[str, int] = {}
        if long.exists():
            self.long = Records(long, msgspec.json.Decoder(LongReply).decode)
            self.long_places = {n.sha256: k for k, n in enumerate(_names(self.long))}

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __getitem__(self, name: str) -> list[Result]:
        results = list(self.results.select(self.places[name]))
        for result in results:
            result.response = self._long(result.response_sha256, result.response)
            result.thoughts = self._long(result.thoughts_sha256, result.thoughts)
        return results

    def _long(self, digest: str | None, text: str | None) -> str | None:
        if self.long is None or digest is None or digest not in self.long_places:
            return text
        return self.long[self.long_places[digest]].response


def _names(records: Records[Any]) -> Iterable[_Named]:
    return Records(records.path, msgspec.json.Decoder(_Named).decode, records.places)
