"""What votes left open goes to an adjudicator, who sees the votes without names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from ...base.files import inside, records, write_bytes, write_jsonl
from ...base.pictures import picture_root
from ...errors import UserError
from ...problem import Problem, Span, all_images
from ...release import read_problem_file
from .ledger import LedgerEntry, open_items
from .remarks import Remark


def adjudicate(
    ledger: str | Path | Iterable[LedgerEntry],
    problems: str | Path,
    out: str | Path,
    remarks: str | Path | Iterable[Remark] | None = None,
) -> list[str]:
    """Write the open items' problems to `out`, each with a note of its votes; returns their ids.

    Notes name values and counts, and what people wrote beside their votes, never voters or which
    votes were models'; spans that most people
    marked alike are marked (`push --prefill`). Push the file like any
    other, with one annotator; the votes pulled from it are final (`ledger.as_final`).

    Args:
        ledger: The ledger of `annotate vote`.
        problems: The problems that were voted on.
        out: Problems for the adjudicator.
        remarks: The remarks.jsonl of the project, or the votes' .remarks.jsonl.

    Raises UserError for an open item that `problems` does not hold.

    Example: `adjudicate("ledger.jsonl", "problems.jsonl", "adjudicate.jsonl")`
    """
    open_entries = {
        entry.id: entry for entry in open_items(records(ledger, LedgerEntry))
    }
    chosen = [p for p in read_problem_file(problems) if p.id in open_entries]
    missing = sorted(open_entries.keys() - {problem.id for problem in chosen})
    if missing:
        raise UserError(
            f"{problems} lacks {len(missing)} open items, first {missing[0]!r}",
            "give the problems that were voted on",
        )
    written: dict[str, dict[str, None]] = {}
    for remark in () if remarks is None else records(remarks, Remark):
        written.setdefault(remark.id, {})[f"written beside a vote: {remark.text}"] = (
            None
        )
    noted = [_noted(p, open_entries[p.id], list(written.get(p.id, ()))) for p in chosen]
    _bring_pictures(chosen, Path(problems), Path(out).parent)
    write_jsonl(Path(out), noted)
    return [problem.id for problem in chosen]


def _bring_pictures(chosen: list[Problem], problems: Path, folder: Path) -> None:
    """Put the pictures beside the file, so that whoever pushes it finds them."""
    images = [image for problem in chosen for image in all_images(problem)]
    root = picture_root(problems, images)
    if root is None:
        return
    for image in images:
        there, here = inside(root, image.path), inside(folder, image.path)
        if there.is_file() and not here.exists():
            write_bytes(here, there.read_bytes())


def _noted(problem: Problem, entry: LedgerEntry, written: list[str]) -> Problem:
    """The problem with what was voted on top; spans that most marked alike are marked already."""
    agreed = (
        msgspec.convert(entry.agreed or [], list[Span])
        if entry.field == "spans"
        else []
    )
    return msgspec.structs.replace(
        problem,
        notes=[*problem.notes, _note(entry), *written],
        spans=agreed or problem.spans,
    )


def _note(entry: LedgerEntry) -> str:
    counts = Counter(_text(vote.value) for vote in entry.votes)
    tally = ", ".join(
        f"{value} ({n})"
        for value, n in sorted(counts.items(), key=lambda c: (-c[1], c[0]))
    )
    agreed = f"; most agree on {_text(entry.agreed)}" if entry.agreed else ""
    return f"votes on {entry.field}: {tally or 'none'}{agreed}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
