"""Predictions of a split, with strict coverage: nothing is dropped or counted twice in silence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain, islice
from pathlib import Path

import msgspec

from ...base.terminal import say
from ...errors import UserError
from ...problem import Record, Sample
from .file_formats import Row, read_rows
from .harness_records import harness_record
from .induced import by_path, induced
from .match import Index, Numbered, first_place, locate, own_gold, repeat_of, replies
from .reply_metadata import Column, Reply, own_extraction, told, truths
from .run_record import RunRecord, held_against, read_record

PEEKED = 200  # rows by which a file's layout is known


class Coverage(Record, kw_only=True):
    """What was wrong with a file of predictions; samples without a reply count as wrong answers.

    `missing` samples have no row; `failed` are rows without a reply (null, or a log's failed
    samples).
    """

    missing: list[str] = msgspec.field(default_factory=list)
    failed: list[str] = msgspec.field(default_factory=list)
    duplicates: list[str] = msgspec.field(default_factory=list)  # the first one counts
    unknown: list[str] = msgspec.field(default_factory=list)
    unreadable: list[str] = msgspec.field(default_factory=list)
    other_splits: int = 0  # rows that answer samples of the release's other splits


class Predictions(Record, kw_only=True):
    """Replies by sample id, one mapping for each round of repeats, and the coverage.

    `columns` are the fields that may be the file's own verdicts, `extracted` what it read in each
    reply; `records` say how each file was asked, and `remarks` why there is none. `sources` is one
    sample of each source.
    """

    rounds: list[dict[str, Reply]]
    coverage: Coverage
    columns: list[Column] = msgspec.field(default_factory=list)
    extracted: dict[str, str] = msgspec.field(default_factory=dict)
    sources: list[Sample] = msgspec.field(default_factory=list)
    records: list[RunRecord] = msgspec.field(default_factory=list)
    remarks: list[str] = msgspec.field(default_factory=list)

    @property
    def replies(self) -> dict[str, str]:
        """The text of each sample's first reply."""
        return {
            k: reply.text
            for k, reply in self.rounds[0].items()
            if reply.text is not None
        }


def read_predictions(
    paths: Path | Sequence[Path],
    samples: Sequence[Sample],
    *,
    id_field: str | None = None,
    response_field: str | None = None,
    lenient: bool = False,
    elsewhere: Sequence[Sample] = (),
) -> Predictions:
    """Match the rows of one or more prediction files to samples.

    `elsewhere` holds the samples of other splits: rows for these are counted, not used. Rows of one
    sample are repeats where they are numbered (`repeat`, `epoch`) or stand in one row. Raises
    UserError for duplicates, unknown ids and unreadable rows unless `lenient`, which keeps the
    first of several rows and reports the rest in the coverage; and where no sample has a reply.

    Example: `read_predictions(Path("gpt.jsonl"), samples).replies["math-v-1"]`
    """
    paths = [paths] if isinstance(paths, Path) else list(paths)
    found = _Matching(samples, elsewhere)
    for path in paths:
        found.take(path, id_field, response_field)
    coverage = found.coverage
    first = found.rounds[0]
    coverage.missing = [name for name in found.index.golds if name not in first]
    if not lenient:
        _refuse(coverage)
        _refuse_shifted(paths[0], found.agree)
    if found.index.golds and all(reply.text is None for reply in first.values()):
        raise UserError(_nothing(paths, coverage), "give the predictions of this split")
    return Predictions(
        rounds=found.rounds,
        sources=[*found.index.sources.values()],
        coverage=coverage,
        columns=[c for c in found.columns.values() if c.verdicts and not c.broken],
        extracted=found.extracted,
        records=found.records,
        remarks=found.remarks,
    )


class _Matching:
    """Rows sorted to the samples that they answer."""

    def __init__(self, samples: Sequence[Sample], elsewhere: Sequence[Sample]) -> None:
        self.index, self.elsewhere = Index(samples), elsewhere
        self.rounds: list[dict[str, Reply]] = [{}]
        self.repeats: dict[
            str, int
        ] = {}  # of samples with several replies: how many behind one
        self.numbers: dict[
            str, tuple[str, ...]
        ] = {}  # of those whose rows are numbered
        self.columns: dict[str, Column] = {}
        self.extracted: dict[str, str] = {}
        self.records: list[RunRecord] = []
        self.remarks: list[str] = []
        self.agree: list[bool] = []
        self.coverage = Coverage()

    def take(
        self, path: Path, id_field: str | None, response_field: str | None
    ) -> None:
        rows: Iterable[Numbered] = read_rows(path)
        if "." in f"{id_field}{response_field}":  # a path into the row
            rows = ((k, r if isinstance(r, str) else r | by_path(r)) for k, r in rows)
        first = None
        if id_field is None:
            rows, first = first_place(rows, self.index)
            rows = (
                self._known(rows, path)
                if first is None and response_field is None
                else rows
            )
        count, models = 0, dict[str, None]()
        for number, row in rows:
            if isinstance(row, str):
                self.coverage.unreadable.append(row)
                continue
            count += 1
            if row.get("model"):
                models[str(row["model"])] = None
            name, sample_id = locate(row, self.index, id_field, first)
            texts, place = replies(row, response_field), f"{path}:{number}"
            if not name or texts is None:
                lacking = "response" if name else "id"
                fields = ", ".join(row)[:200]
                self.coverage.unreadable.append(
                    f"{place}: no {lacking} field; it has {fields}"
                )
            elif sample_id is None and locate(row, self.others, id_field, first)[1]:
                self.coverage.other_splits += 1
            elif sample_id is None:
                self.coverage.unknown.append(f"{place}: {name}")
            else:
                self._hear(sample_id, row, texts, place)
        self._recorded(path, count, list(models))

    def _known(self, rows: Iterable[Numbered], path: Path) -> Iterable[Numbered]:
        """The rows; those of a layout that no name tells are made ours, and it is said how."""
        source = iter(rows)
        seen = list(islice(source, PEEKED))
        some = [row for _, row in seen if not isinstance(row, str)]
        every = chain(seen, source)
        both = (self.index, self.others)
        if any(
            locate(row, index)[1] and replies(row) for row in some for index in both
        ):
            return every
        named = {
            name: sample
            for sample in (*self.elsewhere, *self.index.samples)
            for name in (sample.source.raw_id, sample.id)
        }
        if not some or (fields := induced(some, named)) is None:
            return every
        say(
            f"{path}: samples are named in {fields.name}, replies stand in {fields.reply}"
        )
        return (
            (k, row if isinstance(row, str) else fields.of(row)) for k, row in every
        )

    @cached_property
    def others(self) -> Index:
        """Of samples elsewhere; a row that is named by its place means this split."""
        others = Index(self.elsewhere)
        others.places.clear()
        return others

    def _recorded(self, path: Path, rows: int, models: list[str]) -> None:
        """How this file was asked, by the RUN.json beside it or by what the harness wrote."""
        record, remark = read_record(path)
        if record is None and (record := harness_record(path)) is None:
            self.remarks.append(f"{path.name}: {remark}")
            return
        held_against(record, rows, models)
        self.records.append(record)

    def _hear(self, name: str, row: Row, texts: list[str | None], place: str) -> None:
        numbers, number = self.numbers.get(name, ()), repeat_of(row)
        if number in numbers if number else self._came(name):
            self.coverage.duplicates.append(f"{place}: {name}")
            return
        heard = [told(text, row) for text in texts]
        if all(reply.text is None for reply in heard):
            self.coverage.failed.append(f"{place}: {name}")
        elif number:
            self.numbers[name] = (*numbers, number)
        for reply in heard:
            self._keep(name, reply)
        for field, truth in truths(row):
            column = self.columns.setdefault(field, Column(field, {}))
            if truth is None:
                column.broken, column.verdicts = True, {}
            elif not column.broken:
                column.verdicts.setdefault(name, truth)
        if (read := own_extraction(row, texts[0])) is not None:
            self.extracted.setdefault(name, read)
        gold, stated = self.index.golds[name], own_gold(row)
        if gold is not None and stated is not None:
            self.agree.append(stated.strip().lower() == gold.strip().lower())

    def _came(self, name: str) -> bool:
        first = self.rounds[0].get(name)
        return first is not None and first.text is not None

    def _keep(self, name: str, reply: Reply) -> None:
        """One more reply; one that came makes up for a row that failed before or after it."""
        if not self._came(name):
            if reply.text is not None or name not in self.rounds[0]:
                self.rounds[0][name] = reply
        elif reply.text is not None:
            place = self.repeats[name] = self.repeats.get(name, 0) + 1
            if place == len(self.rounds):
                self.rounds.append({})
            self.rounds[place][name] = reply


def _nothing(paths: Sequence[Path], coverage: Coverage) -> str:
    """Why no sample of the split has a reply."""
    names = " and ".join(map(str, paths))
    if coverage.other_splits:
        return (
            f"{names}: all {coverage.other_splits} rows answer samples of other splits"
        )
    if coverage.failed:
        return f"{names}: all {len(coverage.failed)} replies are null or failed"
    if coverage.unknown or coverage.unreadable:
        first = (coverage.unknown + coverage.unreadable)[0]
        return f"{names}: no row answers a sample of the split, the first is {first}"
    return f"{names}: no predictions"


def _refuse(coverage: Coverage) -> None:
    for what, lines in (
        ("unreadable row", coverage.unreadable),
        ("unknown id", coverage.unknown),
        ("duplicate id", coverage.duplicates),
    ):
        if lines:
            more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
            raise UserError(
                f"{what} in predictions: {lines[0]}{more}",
                "repair the file, name its fields with --id-field and --response-field, "
                "or give --lenient to go on and have them listed",
            )


def _refuse_shifted(path: Path, agree: Sequence[bool]) -> None:
    """Rows of other tools carry their golds: when most differ, the numbering is another one."""
    if len(agree) >= 10 and sum(agree) < len(agree) / 2:
        raise UserError(
            f"{path}: the rows' own answers differ from the release's in "
            f"{len(agree) - sum(agree)} of {len(agree)} rows, so the ids mean other samples",
            "name the right field with --id-field, or give --lenient if only the golds were edited",
        )
