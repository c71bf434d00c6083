"""The command `render legibility`."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from ...base.terminal import emit, json_option


@click.command("legibility")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--ocr", is_flag=True, help="Measure recall with tesseract (slow).")
@json_option
def legibility_command(paths: tuple[Path, ...], ocr: bool, as_json: bool) -> None:
    """Measure whether pages can be read: PATHS are releases (or `versions` folders) or pictures.

    In a release every vision-only page is compared with the words it should show.
    Exit 1 when a picture has findings.

    \b
    Example:
      benchwright render legibility six --json
    """
    from .pages import check_legibility, report

    rows = check_legibility(paths, ocr)
    data = {name: msgspec.to_builtins(row) for name, row in rows.items()}
    emit(data, as_json, report(rows))
    if any(row.issues for row in rows.values()):
        raise SystemExit(1)
