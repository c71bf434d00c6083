"""Predictions of a split, with strict coverage: nothing is dropped or counted twice in silence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from ...errors import UserError
from ...problem import Record, Sample
from .file_formats import read_rows
from .match import Index, first_place, locate, own_gold, reply


class Coverage(Record, kw_only=True):
    """What was wrong with a file of predictions; `missing` samples count as wrong answers."""

    missing: list[str] = msgspec.field(default_factory=list)
    duplicates: list[str] = msgspec.field(default_factory=list)  # the first one counts
    unknown: list[str] = msgspec.field(default_factory=list)
    unreadable: list[str] = msgspec.field(default_factory=list)
    other_splits: int = 0  # rows that answer samples of the release's other splits


class Predictions(Record, kw_only=True):
    """Replies by sample id, and the coverage."""

    replies: dict[str, str]
    coverage: Coverage


def read_predictions(
    path: Path,
    samples: Sequence[Sample],
    *,
    id_field: str | None = None,
    response_field: str | None = None,
    lenient: bool = False,
    elsewhere: Sequence[Sample] = (),
) -> Predictions:
    """Match the rows of a prediction file to samples.

    `elsewhere` holds the samples of other splits: rows for these are counted, not used. Raises
    UserError for duplicates, unknown ids and unreadable rows unless `lenient`, which keeps the
    first of several rows and reports the rest in the coverage.

    Example: `read_predictions(Path("gpt.jsonl"), samples).replies["math-v-1"]`
    """
    index, others = Index(samples), Index(elsewhere)
    others.places.clear()  # a row that is named by its place means this split
    golds = {sample.id: sample.answer for sample in samples}
    replies: dict[str, str] = {}
    agree: list[bool] = []
    coverage = Coverage()
    rows = list(read_rows(path))
    first = None if id_field else first_place([row for _, row in rows], index)
    for number, row in rows:
        if isinstance(row, str):
            coverage.unreadable.append(row)
            continue
        name, sample_id = locate(row, index, id_field, first)
        text = reply(row, response_field)
        if not name or text is None:
            lacking = "response" if name else "id"
            coverage.unreadable.append(
                f"{path}:{number}: no {lacking} field; it has {', '.join(row)[:200]}"
            )
        elif sample_id is None and locate(row, others, id_field, first)[1]:
            coverage.other_splits += 1
        elif sample_id is None:
            coverage.unknown.append(f"{path}:{number}: {name}")
        elif not text and row.get("status") == "error":
            continue  # `predict` asked in vain: listed as missing below
        elif sample_id in replies:
            coverage.duplicates.append(f"{path}:{number}: {sample_id}")
        else:
            replies[sample_id] = text
            gold, stated = golds[sample_id], own_gold(row)
            if gold is not None and stated is not None:
                agree.append(stated.strip().lower() == gold.strip().lower())
    coverage.missing = [sample.id for sample in samples if sample.id not in replies]
    if not lenient:
        _refuse(coverage)
        _refuse_shifted(path, agree)
    return Predictions(replies=replies, coverage=coverage)


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
