"""Predictions of a split, with strict coverage: nothing is dropped or counted twice in silence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from ...errors import UserError
from ...problem import Record, Sample
from .file_formats import Row, read_rows
from .match import (
    Index,
    Judgement,
    first_place,
    judgement,
    locate,
    own_gold,
    repeat_of,
    replies,
)


class Coverage(Record, kw_only=True):
    """What was wrong with a file of predictions; `missing` samples count as wrong answers.

    `failed` are rows without a reply (null, or a log's failed samples); their samples are missing.
    """

    missing: list[str] = msgspec.field(default_factory=list)
    failed: list[str] = msgspec.field(default_factory=list)
    duplicates: list[str] = msgspec.field(default_factory=list)  # the first one counts
    unknown: list[str] = msgspec.field(default_factory=list)
    unreadable: list[str] = msgspec.field(default_factory=list)
    other_splits: int = 0  # rows that answer samples of the release's other splits


class Predictions(Record, kw_only=True):
    """Replies by sample id, and the coverage.

    `repeats` holds the second, third, ... reply of samples that were asked several times.
    `judged` has what published results say of their own replies (MathVerse).
    """

    replies: dict[str, str]
    coverage: Coverage
    repeats: list[dict[str, str]] = msgspec.field(default_factory=list)
    judged: dict[str, Judgement] = msgspec.field(default_factory=dict)


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
    coverage.missing = [sample.id for sample in samples if not found.heard.get(sample.id)]
    if not lenient:
        _refuse(coverage)
        _refuse_shifted(paths[0], found.agree)
    if samples and len(coverage.missing) == len(samples):
        raise UserError(_nothing(paths, coverage), "give the predictions of this split")
    rounds = max((len(heard) for heard in found.heard.values()), default=0)
    replies = [
        {name: heard[k] for name, heard in found.heard.items() if k < len(heard)}
        for k in range(rounds)
    ]
    return Predictions(
        replies=replies[0] if replies else {},
        repeats=replies[1:],
        coverage=coverage,
        judged=found.judged,
    )


class _Matching:
    """Rows sorted to the samples that they answer."""

    def __init__(self, samples: Sequence[Sample], elsewhere: Sequence[Sample]) -> None:
        self.index, self.others = Index(samples), Index(elsewhere)
        self.others.places.clear()  # a row that is named by its place means this split
        self.golds = {sample.id: sample.answer for sample in samples}
        self.heard: dict[str, list[str]] = {}
        self.numbers: dict[str, set[str | None]] = {}
        self.judged: dict[str, Judgement] = {}
        self.agree: list[bool] = []
        self.coverage = Coverage()

    def take(self, path: Path, id_field: str | None, response_field: str | None) -> None:
        rows = list(read_rows(path))
        first = None if id_field else first_place([row for _, row in rows], self.index)
        for number, row in rows:
            if isinstance(row, str):
                self.coverage.unreadable.append(row)
                continue
            name, sample_id = locate(row, self.index, id_field, first)
            texts, place = replies(row, response_field), f"{path}:{number}"
            if not name or texts is None:
                lacking = "response" if name else "id"
                fields = ", ".join(row)[:200]
                self.coverage.unreadable.append(f"{place}: no {lacking} field; it has {fields}")
            elif sample_id is None and locate(row, self.others, id_field, first)[1]:
                self.coverage.other_splits += 1
            elif sample_id is None:
                self.coverage.unknown.append(f"{place}: {name}")
            else:
                self._hear(sample_id, row, texts, place)

    def _hear(self, name: str, row: Row, texts: list[str | None], place: str) -> None:
        numbers, number = self.numbers.setdefault(name, set()), repeat_of(row)
        if number in numbers or (numbers and number is None):
            self.coverage.duplicates.append(f"{place}: {name}")
            return
        if row.get("status") == "error":
            texts = [text or None for text in texts]  # `predict` asked in vain
        heard = [text for text in texts if text is not None]
        if not heard:
            self.coverage.failed.append(f"{place}: {name}")
        else:
            numbers.add(number)
        self.heard.setdefault(name, []).extend(heard)
        if (judged := judgement(row)) is not None:
            self.judged[name] = judged
        gold, stated = self.golds[name], own_gold(row)
        if gold is not None and stated is not None:
            self.agree.append(stated.strip().lower() == gold.strip().lower())


def _nothing(paths: Sequence[Path], coverage: Coverage) -> str:
    """Why no sample of the split has a reply."""
    names = " and ".join(map(str, paths))
    if coverage.other_splits:
        return f"{names}: all {coverage.other_splits} rows answer samples of other splits"
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
