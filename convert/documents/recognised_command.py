"""`benchwright convert ocr`: outputs of open recognisers to Markdown that `convert exam` cuts."""

from __future__ import annotations

from pathlib import Path

import click

from ...base.terminal import emit, json_option
from .recognised import read_recognised


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help="Markdown file.")
@json_option
def ocr(file: Path, out: Path, as_json: bool) -> None:
    """Read Markdown or JSON of MinerU, Marker, Mistral, PaddleOCR, Docling, olmOCR or Nougat.

    Writes OUT, and embedded pictures into the folder OUT-images. Exit 1 when something was lost.

    \b
    Example:
      benchwright convert ocr exam_content_list.json -o exam.mmd
      benchwright convert exam exam.mmd -o exam
    """
    made = read_recognised(file, out)
    data = {"out": str(out), "pictures": sorted(made.pictures), "issues": made.issues}
    emit(data, as_json, "\n".join([made.headline(), *(f"  {issue}" for issue in made.issues)]))
    if made.issues:
        raise SystemExit(1)
