"""Diagrams from files: YAML specs, Geometry3K's logic forms, Label Studio tasks with regions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from ...base.files import inside, write_bytes
from ...base.pictures import open_picture
from ...errors import UserError
from ..figure import read_spec
from ..issues import Issue
from ..logic_forms import spec_of_forms
from .draw import WIDTH, Drawing, draw
from .overlay import spec_of_task

InputFormat = Literal["spec", "forms", "regions"]


def draw_file(
    path: str | Path,
    out: str | Path | None = None,
    *,
    tags: Collection[str] | None = None,
    width: int = WIDTH,
    form: InputFormat = "spec",
) -> Drawing:
    """Draw one file; the pictures that a spec names lie beside it.

    Args:
        path: The file.
        out: PNG, SVG or PDF file to write, by its suffix.
        tags: Show only items with these tags, e.g. DI,IP (the base picture).
        width: Width of the picture in pixels.
        form: What the file is: a YAML spec; Geometry3K logic forms (JSON); a Label Studio task
            with regions (JSON).

    Raises UserError for files that cannot be read and specs that cannot be drawn.

    Example: `draw_file("examples/diagrams/plane-length-1.yaml", "triangle.png").issues`
    """
    path = Path(path)
    try:
        drawing = _drawn(path, None if tags is None else set(tags), width, form)
    except UserError as error:
        raise UserError(f"{path}: {error.message}", error.remedy) from error
    if out is not None:
        made = {".svg": drawing.svg, ".pdf": drawing.pdf}
        write_bytes(Path(out), made.get(Path(out).suffix.lower(), drawing.png)())
    return drawing


def _drawn(
    path: Path, tags: set[str] | None, width_px: int, form: InputFormat
) -> Drawing:
    spec, issues = _read(path, form)
    background = None
    if spec.get("background"):
        background = _picture(path, str(spec["background"]))
    pictures = {name: _picture(path, name) for name in set(_named(spec))}
    options: dict[str, Any] = {"background": background, "pictures": pictures}
    drawing = draw(spec, tags=tags, width_px=width_px, **options)
    drawing.issues = [*issues, *drawing.issues]
    return drawing


def _picture(spec: Path, name: str) -> Any:
    try:
        return open_picture(inside(spec.parent, name).read_bytes(), name)[0]
    except OSError as error:
        raise UserError(
            f"picture {name!r}: {error.strerror}", "check the path"
        ) from error


def _named(part: Any) -> Iterator[str]:
    """The pictures that a spec places, in its panels too."""
    if isinstance(part, Mapping):
        name = part.get("picture")
        if isinstance(name, str):
            yield name
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from _named(inner)


def _read(path: Path, form: InputFormat) -> tuple[dict[str, Any], list[Issue]]:
    try:
        text = path.read_text(encoding="utf-8")
        if form == "spec":
            return read_spec(text), []
        data = msgspec.json.decode(text)
        if form == "forms":
            return spec_of_forms(data)
        return spec_of_task(data), []
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"cannot read it: {error}", "give a text file in UTF-8"
        ) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise UserError(str(error), "give JSON") from error
