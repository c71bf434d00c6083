"""Predictions of a split, with strict coverage: nothing is dropped or counted twice in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec

from ...base.terminal import say
from ...errors import UserError
from ...options import Choices, read_gold
from ...problem import Record, Sample
from .by_content import Content, is_borne_out
from .file_formats import Row, is_table, read_rows
from .harness_records import harness_record
from .induced import Fields, by_path, induced
from .match import Index, Numbered, first_place, locate, own_gold, repeat_of, replies
from .reply_metadata import (
    Column,
    Reply,
    own_extraction,
    reply_name,
    reply_of,
    truths,
)
from .run_record import RunRecord, held_against, read_record
from .shelf import Place, Shelf

NOT_ASKED = "missing"  # the status of a row that was never sent
PEEKED = 200  # rows by which a file's layout is known
SHORT = 200  # characters of a cell that may be a gold
MOVED = 0.8  # share of rows whose gold is the next sample's, or the one's before
COMPARED = 10  # golds of rows, fewer of which tell nothing of a shifted numbering


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
    reply, both by `reply_name`; `records` say how each file was asked, and `remarks`
    why there is none. `sources` is one sample of each source.
    """

    rounds: list[dict[str, Any]]  # Reply, or its Place on a shelf
    coverage: Coverage
    columns: list[Column] = msgspec.field(default_factory=list)
    extracted: dict[str, str] = msgspec.field(default_factory=dict)
    sources: list[Sample] = msgspec.field(default_factory=list)
    records: list[RunRecord] = msgspec.field(default_factory=list)
    remarks: list[str] = msgspec.field(default_factory=list)

    @property
    def replies(self) -> dict[str, str]:
        """The text of each sample's first reply."""
        first = self.rounds[0]
        return {k: reply.text for k, reply in first.items() if reply.came}


def read_predictions(
    paths: Path | Sequence[Path],
    samples: Sequence[Sample],
    *,
    id_field: str | None = None,
    response_field: str | None = None,
    lenient: bool = False,
    elsewhere: Sequence[Sample] = (),
    shelf: Shelf | None = None,
) -> Predictions:
    """Match the rows of one or more prediction files to samples.

    `elsewhere` holds the samples of other splits: rows for these are counted, not used. Rows of one
    sample are repeats where they are numbered (`repeat`, `epoch`) or stand in one row. With a
    `shelf` replies lie there, not in memory. Raises UserError for duplicates, unknown ids and
    unreadable rows unless `lenient`, which keeps the first of several rows and reports the rest in
    the coverage; and where no sample has a reply.

    Example: `read_predictions(Path("gpt.jsonl"), samples).replies["math-v-1"]`
    """
    paths = [paths] if isinstance(paths, Path) else list(paths)
    matching = _Matching(samples, elsewhere, shelf)
    for path in paths:
        matching.take(path, id_field, response_field)
    coverage = matching.coverage
    golds = matching.index.golds
    first = matching.rounds[0]
    coverage.missing = [name for name in golds if name not in first]
    if not lenient:
        _refuse(coverage)
        _refuse_shifted(paths[0], matching.gold_agrees)
        _refuse_moved(paths[0], matching.cells, list(golds.values()))
    if golds and not any(reply.came for reply in first.values()):
        raise UserError(_nothing(paths, coverage), "give the predictions of this split")
    columns = matching.columns.values()
    return Predictions(
        rounds=matching.rounds,
        sources=[*matching.index.sources.values()],
        coverage=coverage,
        columns=[c for c in columns if c.verdicts and not c.broken],
        extracted=matching.extracted,
        records=matching.records,
        remarks=matching.remarks,
    )


class _Matching:
    """Rows sorted to the samples that they answer."""

    def __init__(
        self,
        samples: Sequence[Sample],
        elsewhere: Sequence[Sample],
        shelf: Shelf | None,
    ) -> None:
        self.index = Index(samples)
        self.elsewhere = elsewhere
        self.shelf = shelf
        self.rounds: list[dict[str, Reply | Place]] = [{}]
        # of samples with several replies: how many behind one
        self.repeats: dict[str, int] = {}
        # of those whose rows are numbered
        self.numbers: dict[str, tuple[str, ...]] = {}
        self.columns: dict[str, Column] = {}
        self.extracted: dict[str, str] = {}
        self.records: list[RunRecord] = []
        self.remarks: list[str] = []
        self.gold_agrees: list[bool] = []  # of rows that carry one
        # short texts of the first rows by field, with their samples' places in the split
        self.cells: dict[str, list[tuple[int, str]]] = {}
        self.filters: dict[str, str] = {}  # of samples in lm-eval's logs
        self.coverage = Coverage()

    def take(
        self, path: Path, id_field: str | None, response_field: str | None
    ) -> None:
        """Read a file to its end."""
        rows: Iterable[Numbered] = read_rows(path)
        if is_table(path):
            rows = _each(rows, _without_blanks)
        if "." in f"{id_field}{response_field}":  # a path into the row
            rows = _each(rows, lambda row: row | by_path(row))
        first = None
        if id_field is None:
            rows, first = first_place(rows, self.index)
            if first is None and response_field is None:
                rows = self._in_our_layout(rows, path)
        count = 0
        models = dict[str, None]()
        for number, row in rows:
            if isinstance(row, str):
                self.coverage.unreadable.append(row)
                continue
            count += 1
            if row.get("model"):
                models[str(row["model"])] = None
            name, sample_id = locate(row, self.index, id_field, first)
            texts = replies(row, response_field)
            place = f"{path}:{number}"
            if not name or texts is None:
                lacking = "response" if name else "id"
                fields = ", ".join(row)[:200]
                self.coverage.unreadable.append(
                    f"{place}: no {lacking} field; it has {fields}"
                )
            elif sample_id is not None:
                self._add(sample_id, row, texts, place)
            elif locate(row, self.others, id_field, first)[1]:
                self.coverage.other_splits += 1
            else:
                self.coverage.unknown.append(f"{place}: {name}")
        self._add_record(path, count, list(models))

    def _in_our_layout(
        self, rows: Iterable[Numbered], path: Path
    ) -> Iterable[Numbered]:
        """The rows; those of a layout that no name tells are made ours, and it is said how."""
        source = iter(rows)
        peeked = list(islice(source, PEEKED))
        readable = [row for _, row in peeked if not isinstance(row, str)]
        all_rows = chain(peeked, source)
        if not readable:
            return all_rows
        numbers = (locate(row, self.index)[0] for row in readable)
        is_counted = all(name == str(k) for k, name in enumerate(numbers))
        if not is_counted and any(map(self._is_of_sample, readable)):
            return all_rows
        content = Content([*self.index.samples, *self.elsewhere])
        ids = [locate(row, self.index)[1] for row in readable]
        if is_counted and is_borne_out(list(map(by_path, readable)), ids, content):
            return all_rows
        fields = induced(readable, content)
        if fields is None or (is_counted and fields.naming is None):
            return all_rows
        say(f"{path}: {fields.words()}")
        return _as_ours(all_rows, fields, content)

    def _is_of_sample(self, row: Row) -> bool:
        """Does the row answer a sample of any split, in a layout that is known?"""
        if not replies(row):
            return False
        return any(locate(row, index)[1] for index in (self.index, self.others))

    @cached_property
    def others(self) -> Index:
        """Of samples elsewhere; a row that is named by its place means this split."""
        others = Index(self.elsewhere)
        others.places.clear()
        return others

    def _add_record(self, path: Path, rows: int, models: list[str]) -> None:
        """How this file was asked, by the RUN.json beside it or by what the harness wrote."""
        record, remark = read_record(path)
        if record is None and (record := harness_record(path)) is None:
            self.remarks.append(f"{path.name}: {remark}")
            return
        held_against(record, rows, models)
        self.records.append(record)

    def _add(self, name: str, row: Row, texts: list[str | None], place: str) -> None:
        """A row's replies to a sample, unless they are there, and what else it says."""
        if "filter" in row and "resps" in row:  # lm-eval has a row for each filter
            first = self.filters.setdefault(name, str(row["filter"]))
            if first != str(row["filter"]):
                return
        numbers = self.numbers.get(name, ())
        number = repeat_of(row)
        is_duplicate = number in numbers if number else self._has_reply(name)
        if is_duplicate:
            self.coverage.duplicates.append(f"{place}: {name}")
            return
        row_replies = [reply_of(text, row) for text in texts]
        if row.get("status") == NOT_ASKED and all(r.text is None for r in row_replies):
            return  # `predict` stopped before it
        if all(reply.text is None for reply in row_replies):
            self.coverage.failed.append(f"{place}: {name}")
        elif number:
            self.numbers[name] = (*numbers, number)
        places = [self._add_reply(name, reply) for reply in row_replies]
        of = reply_name(name, places[0])
        self._add_verdicts(of, row)
        extraction = own_extraction(row, texts[0])
        if extraction is not None:
            self.extracted.setdefault(of, extraction)
        self._note_cells(name, row)
        gold = self.index.golds[name]
        row_gold = own_gold(row)
        if gold is not None and row_gold is not None:
            read = read_gold(row_gold, Choices()).answer  # as a release's was
            same = gold.strip().lower()
            agrees = same in (row_gold.strip().lower(), read.strip().lower())
            self.gold_agrees.append(agrees)

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each sample in the split."""
        return {name: place for place, name in enumerate(self.index.golds)}

    def _note_cells(self, name: str, row: Row) -> None:
        """What of a row may be the gold that it carries, under whatever name."""
        for field, value in row.items():
            cells = self.cells.setdefault(field, [])
            if len(cells) < PEEKED and isinstance(value, str | int | float):
                text = str(value).strip()
                if 0 < len(text) <= SHORT:
                    cells.append((self.places[name], text))

    def _add_verdicts(self, of: str, row: Row) -> None:
        """What each field of a row says of a reply, unless some row says no verdict there."""
        for field, truth in truths(row):
            column = self.columns.setdefault(field, Column(field, {}))
            if truth is None:
                column.broken = True
                column.verdicts = {}
            elif not column.broken:
                column.verdicts.setdefault(of, truth)

    def _has_reply(self, name: str) -> bool:
        first = self.rounds[0].get(name)
        return first is not None and first.came

    def _add_reply(self, name: str, reply: Reply) -> int:
        """One more reply, and its number; one that came makes up for a row that failed."""
        place = self.repeats.get(name, 0)
        kept = reply if self.shelf is None else self.shelf.put(reply)
        if not self._has_reply(name):
            if reply.came or name not in self.rounds[0]:
                self.rounds[0][name] = kept
        elif reply.came:
            place += 1
            self.repeats[name] = place
            if place == len(self.rounds):
                self.rounds.append({})
            self.rounds[place][name] = kept
        return place + 1


def _as_ours(
    rows: Iterable[Numbered], fields: Fields, content: Content
) -> Iterator[Numbered]:
    """The rows by what they hold; events beside replies, which a log may hold, are left out."""
    order = left_out = 0
    for number, row in rows:
        if isinstance(row, str):
            yield number, row
        elif fields.naming is not None and fields.reply not in by_path(row):
            left_out += 1
        else:
            yield number, fields.of(row, order, content)
            order += 1
    if left_out:
        say(f"{left_out} rows without {fields.reply} are left out")


def _each(rows: Iterable[Numbered], change: Callable[[Row], Row]) -> Iterator[Numbered]:
    """The rows, changed; what cannot be read stays as it is."""
    for number, row in rows:
        yield number, row if isinstance(row, str) else change(row)


def _without_blanks(row: Row) -> Row:
    """A blank cell is no reply."""
    return {name: None if cell == "" else cell for name, cell in row.items()}


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
    for problem, lines in (
        ("unreadable row", coverage.unreadable),
        ("unknown id", coverage.unknown),
        ("duplicate id", coverage.duplicates),
    ):
        if lines:
            more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
            raise UserError(
                f"{problem} in predictions: {lines[0]}{more}",
                "repair the file, name its fields with --field id=NAME and --field response=NAME, "
                "or give --lenient to go on and have them listed",
            )


def _refuse_shifted(path: Path, gold_agrees: Sequence[bool]) -> None:
    """Rows of other tools carry their golds: when most differ, the numbering is another one."""
    rows = len(gold_agrees)
    agreeing = sum(gold_agrees)
    if rows >= COMPARED and agreeing < rows / 2:
        raise UserError(
            f"{path}: the rows' own answers differ from the release's in "
            f"{rows - agreeing} of {rows} rows, so the ids mean other samples",
            "name the right field with --field id=NAME, or give --lenient if only golds changed",
        )


def _refuse_moved(
    path: Path,
    cells: Mapping[str, Sequence[tuple[int, str]]],
    golds: Sequence[str | None],
) -> None:
    """A field that holds the golds of the samples next to those that its rows name: a numbering
    shifted by one, whatever the field is called."""
    for field, values in cells.items():
        if len(values) < COMPARED:
            continue

        def agreeing(step: int, values: Sequence[tuple[int, str]] = values) -> float:
            pairs = [
                (text, golds[place + step])
                for place, text in values
                if 0 <= place + step < len(golds)
            ]
            same = sum(
                gold is not None and gold.strip().casefold() == text.casefold()
                for text, gold in pairs
            )
            return same / len(values)

        moved = max((1, -1), key=agreeing)
        if agreeing(moved) >= MOVED and agreeing(0) <= agreeing(moved) / 2:
            raise UserError(
                f"{path}: {field!r} holds the golds of the samples {moved:+d} from those that the "
                "rows name, so the ids are shifted",
                "name the right one with --field id=NAME, or give --lenient if it is no gold",
            )
