"""`render diagram`: specs, logic forms or marked pictures in, PNG pictures out."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from ...base.terminal import emit, json_option, say


@click.command()
@click.argument("specs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), help="PNG file, or a folder.")
@click.option("--tags", help="Show only items with these tags, e.g. DI,IP (the base picture).")
@click.option("--width", default=510, show_default=True, help="Width of the picture in pixels.")
@click.option(
    "--from",
    "form",
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
    form: Literal["spec", "forms", "regions"],
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
    import msgspec

    from .draw_file import draw_file

    chosen = {tag.strip() for tag in tags.split(",")} if tags else None
    rows = []
    for path in specs:
        target = _target(path, out, many=len(specs) > 1)
        drawing = draw_file(path, target, tags=chosen, width_px=width, form=form)
        for issue in drawing.issues:
            say(f"{path}: {issue.where}: {issue.message} ({issue.code})")
        rows.append(
            {
                "spec": str(path),
                "picture": str(target),
                "width": drawing.picture.width,
                "height": drawing.picture.height,
                "issues": msgspec.to_builtins(drawing.issues),
                "annotation": drawing.annotation,
            }
        )
    text = "\n".join(
        f"{row['picture']}  {row['width']} x {row['height']}"
        + (f"\n{row['annotation']}" if annotate else "")
        for row in rows
    )
    emit(rows, as_json, text)
    if any(row["issues"] for row in rows):
        raise SystemExit(1)


def _target(path: Path, out: Path | None, many: bool) -> Path:
    if out is None:
        return path.with_suffix(".png")
    if many or out.is_dir() or not out.suffix:
        return out / f"{path.stem}.png"
    return out
