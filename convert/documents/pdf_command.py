"""`convert pdf`: PDFs and scans through the Mathpix API."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from ...base.terminal import emit, json_option
from .mathpix_api import send_to_mathpix


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), default=Path("mathpix"), show_default=True
)
@click.option("--url", help="Address of the API.  [default: MATHPIX_URL, else Mathpix's own]")
@click.option("--patience", default=1800.0, show_default=True, help="Seconds to wait for one file.")
@click.option("--interval", default=2.0, show_default=True, help="Seconds between two questions.")
@json_option
def pdf(
    files: tuple[Path, ...],
    out: Path,
    url: str | None,
    patience: float,
    interval: float,
    as_json: bool,
) -> None:
    """Send PDFs and scans to Mathpix; keep text, lines and pictures in OUT.

    The keys come from MATHPIX_APP_ID and MATHPIX_APP_KEY. A second run sends nothing twice.

    \b
    Example:
      benchwright convert pdf exam.pdf -o mathpix
      benchwright convert exam mathpix/exam.mmd -o exam
    """
    sent = send_to_mathpix(files, out, url, patience, interval)
    lines = [
        f"{s.file}: {out / Path(s.file).stem}.mmd"
        + (f", {len(s.missing_pictures)} picture(s) missing" if s.missing_pictures else "")
        for s in sent
    ]
    emit(msgspec.to_builtins(sent), as_json, "\n".join(lines))
    if any(s.missing_pictures for s in sent):
        raise SystemExit(1)
