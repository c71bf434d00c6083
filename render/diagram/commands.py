"""`render diagram`: specs, logic forms or marked pictures in, PNG pictures out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...base.commands import Printed
from ...base.terminal import say


def diagram(
    specs: Sequence[Path],
    *,
    out: Path | None = None,
    tags: str = "",
    annotate: bool = False,
    **options: Any,
) -> Printed:
    """Draw diagrams from YAML specs.

    Each SPEC becomes a PNG beside it, or below --out. Whatever could not be drawn as a textbook
    would is listed, and the exit code is 1.

    Args:
        specs: YAML specs, or files of the form that --form names.
        out: PNG, SVG or PDF file, or a folder.
        annotate: Print the diagram's text for judges.

    Example:
      benchwright render diagram examples/diagrams/plane-length-1.yaml -o triangle.png
      benchwright render diagram examples/diagrams/plane-length-1.yaml -o triangle.pdf
      benchwright render diagram examples/diagrams/*.yaml -o pictures --tags DI,IP
      benchwright render diagram --form forms examples/diagrams/forms.json -o triangle.png
    """
    from .draw_file import draw_file

    chosen = {tag.strip() for tag in tags.split(",")} if tags else None
    rows, lines = [], []
    for path in specs:
        target = _target(path, out, many=len(specs) > 1)
        drawing = draw_file(path, target, tags=chosen, **options)
        for issue in drawing.issues:
            say(f"{path}: {issue.where}: {issue.message} ({issue.code})")
        width, height = drawing.picture.size
        lines.append(f"{target}  {width} x {height}")
        lines += [drawing.annotation] if annotate else []
        rows.append(
            {
                "spec": str(path),
                "picture": str(target),
                "width": width,
                "height": height,
                "issues": drawing.issues,
                "annotation": drawing.annotation,
            }
        )
    return Printed(rows, "\n".join(lines), any(row["issues"] for row in rows))


def _target(path: Path, out: Path | None, many: bool) -> Path:
    if out is None:
        return path.with_suffix(".png")
    if many or out.is_dir() or not out.suffix:
        return out / f"{path.stem}.png"
    return out
