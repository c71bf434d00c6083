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

VOTED = "votes on "  # start the notes that an adjudicator is shown
WRITTEN = "written beside a vote: "


def adjudicate(
    ledger: str | Path | Iterable[LedgerEntry],
    problems: str | Path,
    out: str | Path,
    remarks: str | Path | Iterable[Remark] | None = None,
) -> list[str]:
    """Write the open items' problems to `out`, each with a note of its votes; returns their ids.

    Notes name values and counts, and what people wrote beside their votes, never voters or which
    votes were models'; spans that most people
    marked alike are marked (`push --advice marked`). Push the file like any
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
    open_problems = [p for p in read_problem_file(problems) if p.id in open_entries]
    missing = sorted(open_entries.keys() - {problem.id for problem in open_problems})
    if missing:
        raise UserError(
            f"{problems} lacks {len(missing)} open items, first {missing[0]!r}",
            "give the problems that were voted on",
        )
    notes: dict[str, list[str]] = {}
    for remark in () if remarks is None else records(remarks, Remark):
        notes.setdefault(remark.id, []).append(f"{WRITTEN}{remark.text}")
    _bring_pictures(open_problems, Path(problems), Path(out).parent)
    write_jsonl(
        Path(out),
        [_noted(p, open_entries[p.id], notes.get(p.id, [])) for p in open_problems],
    )
    return [problem.id for problem in open_problems]


def _bring_pictures(problems: list[Problem], file: Path, folder: Path) -> None:
    """Put the pictures of `file` into the folder, so that whoever pushes from it finds them."""
    images = [image for problem in problems for image in all_images(problem)]
    root = picture_root(file, images)
    if root is None:
        return
    for image in images:
        source = inside(root, image.path)
        copy = inside(folder, image.path)
        if source.is_file() and not copy.exists():
            write_bytes(copy, source.read_bytes())


def _noted(problem: Problem, entry: LedgerEntry, remarks: list[str]) -> Problem:
    """The problem with what was voted on top; spans that most marked alike are marked already."""
    spans = problem.spans
    if entry.field == "spans" and entry.agreed:
        spans = msgspec.convert(entry.agreed, list[Span])
    notes = [*problem.notes, _note(entry), *dict.fromkeys(remarks)]
    return msgspec.structs.replace(problem, notes=notes, spans=spans)


def _note(entry: LedgerEntry) -> str:
    counts = Counter(_text(vote.value) for vote in entry.votes)
    most_frequent_first = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    tally = ", ".join(f"{value} ({count})" for value, count in most_frequent_first)
    agreed = f"; most agree on {_text(entry.agreed)}" if entry.agreed else ""
    if len(entry.votes) > 1 and len(counts) == 1:
        agreed = "; all agree"
    return f"{VOTED}{entry.field}: {tally or 'none'}{agreed}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
