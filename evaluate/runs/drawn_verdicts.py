"""Verdicts drawn for people to check: how often the rules err (MM-MATH, 3.2: 13 of 500)."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from ...base.files import write_text
from ...errors import UserError
from ...problem import Record
from ..metrics import Rate, Result, rate, read_results
from ..predictions import read_rows

HEADER = ["id", "gold", "read", "verdict", "wrong", "response"]
# Whether the verdict is wrong, as people fill it in.
IS_WRONG = {"": None, "yes": True, "no": False}


class DrawnVerdicts(Record, kw_only=True):
    """What was drawn, and of those that people checked the share that they call wrong."""

    drawn: list[str]
    checked: int = 0
    errors: Rate | None = None
    wrong: list[str] = msgspec.field(default_factory=list)


def drawn_verdicts(
    scores: str | Path,
    *,
    number: int = 500,
    out: str | Path | None = None,
    checked: str | Path | None = None,
    official: bool = False,
    seed: int = 0,
) -> DrawnVerdicts:
    """Draw verdicts of a score for people to check, and read what they found.

    Args:
        scores: Folder that `score` wrote.
        number: How many verdicts.
        out: Write a sheet (CSV) of these; in its column `wrong` people write yes or no.
        checked: Such a sheet, filled in.
        official: The verdicts of the benchmark's own rules.
        seed: Another one draws others.

    Raises UserError for another word than yes or no, and where nothing was checked.

    Example: `drawn_verdicts("scores/gpt", checked="sheet.csv").errors.value`
    """
    results = {r.id: r for r in read_results(Path(scores)) if r.repeat == 1}
    order = sorted(
        results, key=lambda name: sha256(f"{seed}\0{name}".encode()).digest()
    )
    drawn = DrawnVerdicts(drawn=order[:number])
    if out is not None:
        write_text(Path(out), _sheet([results[name] for name in drawn.drawn], official))
    if checked is not None:
        is_wrong = _read(Path(checked), results)
        if not is_wrong:
            raise UserError(
                f"{checked}: nothing is filled in", "write yes or no under `wrong`"
            )
        names = sorted(is_wrong)
        origins = [results[name].origin for name in names]
        drawn.errors = rate([is_wrong[name] for name in names], origins)
        drawn.checked = len(names)
        drawn.wrong = [name for name in names if is_wrong[name]]
    return drawn


def _sheet(results: Sequence[Result], official: bool) -> str:
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(HEADER)
    for r in results:
        own: Any = r.official if official and r.official else r
        verdict = "right" if own.correct else "wrong"
        rows.writerow(
            [r.id, r.gold, own.extracted or "", verdict, "", r.response or ""]
        )
    return text.getvalue()


def _read(path: Path, results: dict[str, Result]) -> dict[str, bool]:
    """Of each verdict that was checked, whether it is wrong."""
    is_wrong: dict[str, bool] = {}
    for number, row in read_rows(path):
        if isinstance(row, str) or row.get("id") not in results:
            raise UserError(
                f"{path}:{number}: no verdict of this score", "keep the column id"
            )
        word = str(row.get("wrong") or "").strip().casefold()
        if word not in IS_WRONG:
            raise UserError(
                f"{path}:{number}: {word!r} under `wrong`", "write yes or no"
            )
        verdict = IS_WRONG[word]
        if verdict is not None:
            is_wrong[str(row["id"])] = verdict
    return is_wrong
