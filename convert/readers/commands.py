"""`convert exam`: cut exams in Mathpix Markdown into problems."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ...base.commands import Printed
from ...base.terminal import table
from .exam import split_exam


def exam(files: Sequence[Path], *, out: Path, **options: Any) -> Printed:
    """Cut exams into OUT/problems.jsonl, and list what a person must look at in OUT/issues.jsonl.

    Headings, instructions, running lines and keys are kept in OUT/outside.jsonl. Exit 1 when
    there are issues. Several exams are written to one folder each.

    Args:
        files: Exams in Mathpix Markdown, or of a recogniser.

    Example:
      benchwright convert exam mathpix/amc8.mmd --key mathpix/key.mmd -o amc8
    """
    several = len(files) > 1
    if several and options.keys() & {"key", "lines"}:
        raise click.UsageError("--key and --lines go with one exam")
    cut = [
        split_exam(path, out / path.stem if several else out, **options)
        for path in files
    ]
    rows = [
        (c.exam, len(c.problems), c.answered, c.missing_pictures, len(c.issues))
        for c in cut
    ]
    issues = [issue for exam in cut for issue in exam.issues]
    header = ["exam", "problems", "answered", "missing_pictures", "issues"]
    data = [dict(zip(header, row, strict=True)) for row in rows]
    lines = [table(rows, header)]
    for issue in issues:
        line = f"  {issue.problem or '-'}: {issue.kind} {issue.detail}"
        lines.append(line.rstrip())
    return Printed(data, "\n".join(lines), bool(issues))
