"""`benchwright convert docx | mmd | ocr | pdf`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...base.commands import Printed
from ...base.json_lines import put_line
from ...base.jsonl_tool import records, run, text_of
from ...base.terminal import say
from ...errors import UserError
from ...latex import Delimiters, maths_spans
from .docx import docx_to_text
from .markdown import read_mmd
from .mathpix_api import send_to_mathpix
from .recognised import read_recognised


def docx(files: Sequence[Path], *, equations: bool = False) -> None:
    """Read Word documents: one JSON line per paragraph, its equations as LaTeX in $...$.

    A paragraph with an equation that is refused has "errors" and exit status 1 follows.
    With --equations: {"id", "latex"} or {"id", "error"} per equation.

    Args:
        files: Word documents.

    Example:
      benchwright convert docx exam.docx > paragraphs.jsonl
    """
    refused = False
    for file in files:
        for row in docx_to_text(file, equations):
            put_line(row)
            refused = refused or "error" in row or "errors" in row
    if refused:
        raise SystemExit(1)


def ocr(file: Path, *, out: Path) -> Printed:
    """Read Markdown or JSON of MinerU, Marker, Mistral, PaddleOCR, Docling, olmOCR or Nougat.

    Writes OUT, and embedded pictures into the folder OUT-images. Exit 1 when something was lost.

    Args:
        file: What the recogniser wrote.

    Example:
      benchwright convert ocr exam_content_list.json -o exam.mmd
      benchwright convert exam exam.mmd -o exam
    """
    made = read_recognised(file, out)
    data = {"out": str(out), "pictures": sorted(made.pictures), "issues": made.issues}
    text = "\n".join([made.headline(), *(f"  {issue}" for issue in made.issues)])
    return Printed(data, text, bool(made.issues))


def pdf(
    files: Sequence[Path], *, out: Path = Path("mathpix"), **options: Any
) -> Printed:
    """Send PDFs and scans to Mathpix; keep text, lines and pictures in OUT.

    The keys come from MATHPIX_APP_ID and MATHPIX_APP_KEY. A second run sends nothing twice.

    Args:
        files: PDFs and scans.

    Example:
      benchwright convert pdf exam.pdf -o mathpix
      benchwright convert exam mathpix/exam.mmd -o exam
    """
    sent = send_to_mathpix(files, out, **options)
    lines = [
        f"{s.file}: {out / Path(s.file).stem}.mmd"
        + (
            f", {len(s.missing_pictures)} picture(s) missing"
            if s.missing_pictures
            else ""
        )
        for s in sent
    ]
    failed = any(s.missing_pictures for s in sent)
    return Printed(sent, "\n".join(lines), failed)


def mmd(
    *,
    spans: bool = False,
    inline: Sequence[tuple[str, str]] = (),
    display: Sequence[tuple[str, str]] = (),
    environments: bool = True,
    compare: bool = False,
) -> None:
    r"""Read {"id", "mmd"} lines; write {"id", "latex", "figures", "tables"} or {"id", "spans"}.

    --compare writes {"id", "same", "ours", "mathpix"}: how many formulas are the same, and those
    that only one side finds. It needs npm mathpix-markdown-it in the working folder or above.

    Markdown with LaTeX of Marker, MinerU or docling is read alike; give other delimiters with
    --inline and --display. `$ x $` is a formula, though not to Mathpix, which --spans and
    --compare follow.

    Args:
        spans: Write the formulas instead of the text.
        inline: What opens and closes an inline formula.
        display: What opens and closes a displayed formula.
        environments: A bare LaTeX environment is a formula.
        compare: Differences to Mathpix's renderer (Node.js); exit 1 if any.

    Example:
      echo '{"id": "1", "mmd": "Let \\\\(x^2=2\\\\)."}' | benchwright convert mmd
    """
    defaults = Delimiters()
    delimiters = Delimiters(
        inline=tuple(inline) or defaults.inline,
        display=tuple(display) or defaults.display,
        environments=environments,
        # recognisers write `$ x $`, which is text to Mathpix; --spans and --compare are as Mathpix
        dollars="mathpix" if compare or spans else "weighed",
    )

    if compare:
        _compare(delimiters)
        return

    def formulas(record: dict[str, Any]) -> dict[str, Any]:
        found = maths_spans(text_of(record, "mmd"), delimiters)
        return {"spans": [{"tex": s.tex, "display": s.display} for s in found]}

    def document(record: dict[str, Any]) -> dict[str, Any]:
        read = read_mmd(text_of(record, "mmd"), delimiters)
        return {"latex": read.text, "figures": read.figures, "tables": read.tables}

    run(formulas if spans else document)


def _compare(delimiters: Delimiters) -> None:
    """All texts go to the renderer at once: it takes seconds to start."""
    from .mathpix_renderer import compare_with_mathpix

    read = [_id_and_text(record) for record in records(sys.stdin.buffer)]
    outcomes = iter(
        compare_with_mathpix((t for _, t, error in read if not error), delimiters)
    )
    bad = different = 0
    for name, _, error in read:
        if error:
            bad += 1
            put_line({"id": name, "error": error})
            continue
        outcome = next(outcomes)
        different += bool(outcome.ours or outcome.mathpix)
        put_line({"id": name, **msgspec.to_builtins(outcome)})
    say(f"{different} of {len(read) - bad} texts differ, {bad} lines unreadable")
    if different or bad:
        raise SystemExit(1)


def _id_and_text(record: dict[str, Any] | str) -> tuple[Any, str, str]:
    """The record's id, its text, and what is wrong with it."""
    if isinstance(record, str):
        return None, "", record
    try:
        return record.get("id"), text_of(record, "mmd"), ""
    except UserError as error:
        return record.get("id"), "", str(error)
