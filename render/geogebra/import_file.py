"""`render import`: a GeoGebra file as a spec, or as a seed whose free points vary."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import yaml

from ...base.files import write_bytes
from ..issues import Issue
from .archive import read_archive
from .to_spec import Writer

SPREAD = 0.4  # of a coordinate: how far it varies
HEAD = """\
# Imported from {name}. Give question:, answer: and where:, then look at it with `render vary`.
"""


class _WrittenOut(yaml.SafeDumper):
    """YAML without aliases: a list that stands twice is written twice, as specs have it."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


class Imported(msgspec.Struct):
    """A spec, the points that were free, and what of the file was not understood."""

    spec: dict[str, Any]
    free: list[str]
    issues: list[Issue]
    text: str  # as it is written


def import_geogebra(
    path: str | Path, out: str | Path | None = None, *, seed: bool = False
) -> Imported:
    """Read a GeoGebra file (.ggb) as a diagram spec.

    Points, constructions, lines, polygons, circles, conics, arcs, angles, functions and texts with
    their labels are read; what is not known is an issue that names it. Scripts are never run.

    Args:
        path: The file.
        out: YAML file to write.
        seed: Write a seed of a living problem, in which the free points vary.

    Raises UserError for a file that is no GeoGebra file.

    Example: `import_geogebra("triangle.ggb", "triangle.yaml").issues`
    """
    path = Path(path)
    writer = Writer(read_archive(path))
    spec = writer.write()
    data: dict[str, Any] = _seed_of(spec, writer.free) if seed else spec
    text = yaml.dump(
        data,
        Dumper=_WrittenOut,
        sort_keys=False,
        allow_unicode=True,
        width=100,
        default_flow_style=None,
    )
    if seed:
        text = HEAD.format(name=path.name) + text
    if out is not None:
        write_bytes(Path(out), text.encode())
    return Imported(spec, writer.free, writer.issues, text)


def _seed_of(spec: dict[str, Any], free: list[str]) -> dict[str, Any]:
    """A seed whose first free point stays, and whose others vary about their places."""
    vary: dict[str, str] = {}
    published: dict[str, float] = {}
    points = dict(spec.get("points") or {})
    for name in free[1:]:
        place: list[Any] = []
        for axis, value in zip("xy", points[name], strict=True):
            if not value:
                place.append(value)
                continue
            variable = f"{name.lower().replace(chr(39), 'p')}{axis}"
            step = 1 if value == int(value) else 0.1
            spread = max(step * 2, abs(value) * SPREAD)
            low, high = (
                _on_grid(value + side * spread, value, step) for side in (-1, 1)
            )
            vary[variable] = f"{low:g}..{high:g} by {step:g}"
            published[variable] = value
            place.append(variable)
        points[name] = place
    return {
        "vary": vary,
        "published": published,
        "question": "...",
        "figure": spec | {"points": points},
        "answer": {"exact": 0, "measured": {"length": "AB"}},
    }


def _on_grid(value: float, start: float, step: float) -> float:
    """The value moved so that whole steps lead from it to where the range is to pass."""
    return round(start + round((value - start) / step) * step, 6)
