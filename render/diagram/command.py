"""`render diagram`: specs, logic forms or marked pictures in, PNG pictures out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...errors import UserError
from ...terminal import emit, json_option, say
from ..issues import Issue


@click.command()
@click.argument("specs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), help="PNG file, or a folder.")
@click.option("--tags", help="Show only items with these tags, e.g. DI,IP (the base picture).")
@click.option("--width", default=510, show_default=True, help="Width of the picture in pixels.")
@click.option(
    "--from",
    "source",
    type=click.Choice(["spec", "forms", "regions"]),
    default="spec",
    show_default=True,
    help="YAML specs; Geometry3K logic forms (JSON); Label Studio tasks with regions (JSON).",
)
@click.option("--annotate", is_flag=True, help="Print the diagram's text for judges.")
@json_option
def diagram(
    specs: tuple[Path, ...],
    out: Path | None,
    tags: str | None,
    width: int,
    source: str,
    annotate: bool,
    as_json: bool,
) -> None:
    """Draw diagrams from YAML specs.

    Each SPEC becomes a PNG beside it, or below --out. Whatever could not be drawn as a textbook
    would is listed, and the exit code is 1.

    \b
    Example:
      benchwright render diagram examples/diagrams/plane-length-1.yaml -o triangle.png
      benchwright render diagram examples/diagrams/*.yaml -o pictures --tags DI,IP
      benchwright render diagram --from forms examples/diagrams/forms.json -o triangle.png
    """
    rows = []
    for path in specs:
        target = _target(path, out, many=len(specs) > 1)
        chosen = {tag.strip() for tag in tags.split(",")} if tags else None
        try:
            rows.append(draw_file(path, target, tags=chosen, width_px=width, source=source))
        except UserError as error:
            raise UserError(f"{path}: {error.message}", error.remedy) from error
        for issue in rows[-1]["issues"]:
            say(f"{path}: {issue['where']}: {issue['message']} ({issue['code']})")
    text = "\n".join(
        f"{row['picture']}  {row['width']} x {row['height']}"
        + (f"\n{row['annotation']}" if annotate else "")
        for row in rows
    )
    emit(rows, as_json, text)
    if any(row["issues"] for row in rows):
        raise SystemExit(1)


def draw_file(
    path: Path,
    target: Path,
    *,
    tags: set[str] | None = None,
    width_px: int = 510,
    source: str = "spec",
) -> dict[str, Any]:
    """Draw one file into a PNG and describe it: picture, size, issues, annotation.

    A spec's `background` is a picture beside it.
    Raises UserError for files that cannot be read and specs that cannot be drawn.
    """
    import msgspec

    from ...files import inside, write_bytes
    from ...pictures import encode_png, open_picture
    from .draw import draw

    spec, issues = _read(path, source)
    background = None
    if spec.get("background"):
        name = str(spec["background"])
        try:
            background = open_picture(inside(path.parent, name).read_bytes(), name)[0]
        except OSError as error:
            raise UserError(f"background {name!r}: {error.strerror}", "check the path") from error
    drawing = draw(spec, tags=tags, width_px=width_px, background=background)
    write_bytes(target, encode_png(drawing.picture))
    width, height = drawing.picture.size
    return {
        "spec": str(path),
        "picture": str(target),
        "width": width,
        "height": height,
        "issues": [msgspec.to_builtins(issue) for issue in (*issues, *drawing.issues)],
        "annotation": drawing.annotation,
    }


def _read(path: Path, source: str) -> tuple[dict[str, Any], list[Issue]]:
    import msgspec

    from ..figure import read_spec
    from ..logic_forms import spec_of_forms
    from .overlay import spec_of_task

    try:
        text = path.read_text(encoding="utf-8")
        if source == "spec":
            return read_spec(text), []
        data = msgspec.json.decode(text)
        return spec_of_forms(data) if source == "forms" else (spec_of_task(data), [])
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read it: {error}", "give a text file in UTF-8") from error
    except msgspec.DecodeError as error:
        raise UserError(str(error), "give JSON") from error


def _target(path: Path, out: Path | None, many: bool) -> Path:
    if out is None:
        return path.with_suffix(".png")
    if many or out.is_dir() or not out.suffix:
        return out / f"{path.stem}.png"
    return out
