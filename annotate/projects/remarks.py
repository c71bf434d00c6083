"""What people wrote beside their votes: remarks.jsonl, and corrections as errata to take.

A control called `correct_<field>` asks for what should stand in that field of the problem; the
task's data hold under the same name what stood there when people were asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...base.files import write_bytes
from ..votes import Remark
from .answers import Given
from .snapshot import AnsweredTask

REMARKS, CORRECTIONS = "remarks.jsonl", "corrections.yaml"
CORRECT = (
    "correct_"  # starts the names of controls that ask for what should stand there
)


def remarks_of(answers: Iterable[Given]) -> list[Remark]:
    """Every remark of the answers, in their order."""
    return [
        Remark(
            id=given.problem_id,
            annotator=given.annotator,
            control=control,
            text=text,
            about=given.about,
            at=given.at,
        )
        for given in answers
        for control, text in given.remarks.items()
    ]


def write_corrections(
    path: Path, rows: Iterable[AnsweredTask], remarks: Iterable[Remark]
) -> list[dict[str, Any]]:
    """The corrections among the remarks as errata: one a problem, field and new text.

    They name everybody who wrote them; what else these people wrote on the problem is the reason.
    """
    import yaml

    shown = {(row.name, row.about): row.data for row in rows}
    told: dict[tuple[str, str], list[str]] = {}
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for remark in remarks:
        data = shown.get((remark.id, remark.about), {})
        if not remark.control.startswith(CORRECT):
            told.setdefault((remark.id, remark.annotator), []).append(remark.text)
        elif remark.control in data:
            field = remark.control.removeprefix(CORRECT)
            entry = found.setdefault(
                (remark.id, field, remark.text),
                {
                    "id": remark.id,
                    "field": field,
                    "old": data[remark.control],
                    "new": remark.text,
                    "reason": "",
                    "by": [],
                    "at": "",
                },
            )
            entry["by"].append(remark.annotator)
            entry["at"] = max(entry["at"], remark.at)
    for entry in found.values():
        reasons = [
            text for name in entry["by"] for text in told.get((entry["id"], name), [])
        ]
        entry["reason"] = "; ".join(dict.fromkeys(reasons)) or "corrected by annotators"
        entry["by"] = ", ".join(dict.fromkeys(entry["by"]))
    entries = [found[key] for key in sorted(found)]
    if entries:
        write_bytes(
            path, yaml.safe_dump(entries, allow_unicode=True, sort_keys=False).encode()
        )
    return entries
