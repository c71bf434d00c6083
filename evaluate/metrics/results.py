"""The verdict on one sample with its evidence: one line of `samples.jsonl`.

Every figure of a score is a function of these records, so anybody can check any of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from sys import intern
from typing import Any, Literal

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
SHARED = ("version", "source", "kind", "gold", "how", "extracted", "span", "finish")
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


def headline(results: Sequence[Result]) -> list[Result]:
    """The results that the accuracy of a run is over: of six versions all but Text Only.

    MathVerse, Table 2: "All" leaves Text Only out, which shows no picture. A version that was not
    asked at all (`not_run`) is left out, too.
    """
    return [r for r in versions_run(results) if r.version != "text_only"]


def versions_run(results: Sequence[Result]) -> list[Result]:
    """All results but those of versions that were not asked."""
    absent = set(not_run(results))
    return [r for r in results if r.version not in absent] if absent else list(results)


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
REPLIES = "replies.jsonl"


def write_results(folder: Path, results: Iterable[Result]) -> None:
    """samples.jsonl, and replies.jsonl where replies are long: each of these is written once."""
    long: dict[str, LongReply] = {}
    write_jsonl(
        folder / "samples.jsonl", (_by_reference(result, long) for result in results)
    )
    if long:
        write_jsonl(folder / REPLIES, [long[name] for name in sorted(long)])
    else:
        remove_file(folder / REPLIES)


def _by_reference(result: Result, long: dict[str, LongReply]) -> Result:
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
        beside = file.with_name(REPLIES)
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


def read_verdicts(path: Path, shared: dict[bytes, Result] | None = None) -> Verdicts:
    """As `read_results`, without what was said: what a board of many runs holds in memory.

    `shared` is what the results of several runs have in common.
    """
    file = _results_file(path)
    results = []
    for result in read_jsonl(file, Result):
        result.response = result.thoughts = None
        result.response_sha256 = result.thoughts_sha256 = None
        result.how = result.rule = result.shown = result.asked = ""
        result.span = result.extracted = None
        if result.official is not None:
            result.official.extracted = None
            result.official.how = ""
        results.append(result)
    return Verdicts(results, {} if shared is None else shared)


OF_SAMPLE = (
    "id",
    "problem_id",
    "origin",
    "version",
    "source",
    "kind",
    "labels",
    "gold",
)


class Verdicts(Sequence[Result]):
    """Results of which few bytes lie in memory each; every one is made when it is asked for.

    What a sample says stands once for all runs of `shared`, and of each other field its values
    stand once; a result is a place among these.
    """

    def __init__(self, results: Sequence[Result], shared: dict[bytes, Result]) -> None:
        samples: dict[bytes, int] = {}
        self.samples: list[Result] = []
        self.sample_of = array("I")
        for result in results:
            key = msgspec.json.encode([getattr(result, name) for name in OF_SAMPLE])
            if key not in samples:
                samples[key] = len(self.samples)
                self.samples.append(shared.setdefault(key, _of_sample(result)))
            self.sample_of.append(samples[key])
        names = [n for n in Result.__struct_fields__ if n not in OF_SAMPLE]
        columns = [
            (name, *_column([getattr(r, name) for r in results])) for name in names
        ]
        first = {name: values[0] for name, values, _ in columns if values}
        self.same = {
            name: first[name] for name, values, _ in columns if len(values) == 1
        }
        self.columns = [column for column in columns if len(column[1]) > 1]

    def __len__(self) -> int:
        return len(self.sample_of)

    def __iter__(self) -> Iterator[Result]:
        return map(self._at, range(len(self)))

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return list(map(self._at, range(len(self))[place]))
        return self._at(range(len(self))[place])

    def _at(self, place: int) -> Result:
        result = copy(self.samples[self.sample_of[place]])
        for name, value in self.same.items():
            setattr(result, name, value)
        for name, values, codes in self.columns:
            setattr(result, name, values[codes[place]])
        return result


def _of_sample(result: Result) -> Result:
    own = {name: getattr(result, name) for name in OF_SAMPLE}
    return Result(**own, response=None, status="ok", correct=False)


def _column(cells: Sequence[Any]) -> tuple[list[Any], array[int]]:
    """The different values of a field, and for each result the number of its own."""
    numbers: dict[Any, int] = {}
    values: list[Any] = []
    codes = array("H" if len(cells) < 2**16 else "I")
    for cell in cells:
        key = msgspec.json.encode(cell) if isinstance(cell, msgspec.Struct) else cell
        if key not in numbers:
            numbers[key] = len(values)
            values.append(cell)
        codes.append(numbers[key])
    return values, codes


def sharing(result: Result, values: dict[Any, Any]) -> Result:
    """The result, with one object for what many results say: all of them lie in memory."""
    result.labels = values.setdefault(msgspec.json.encode(result.labels), result.labels)
    for field in SHARED:
        value = getattr(result, field)
        setattr(result, field, values.setdefault(value, value))
    if (official := result.official) is not None:
        official.extracted = values.setdefault(official.extracted, official.extracted)
        official.how = values.setdefault(official.how, official.how)
    if result.origin == result.problem_id == result.id:
        result.origin = result.problem_id = result.id
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
                self.places.setdefault(intern(name.id), array("I")).append(place)
        long = folder / REPLIES
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
        results = [self.results[place] for place in self.places[name]]
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
