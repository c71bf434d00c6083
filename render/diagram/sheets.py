"""Diagrams that stand alone: a chart, a net or three views, one a spec."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...errors import UserError
from ..figure import Figure, SpecItem, call, items
from .charts import CHARTS
from .nets import NETS
from .sketch import Sketch
from .views import VIEWS

SHEETS: dict[str, Mapping[str, Callable[..., Sketch | None]]] = {
    "chart": CHARTS,
    "net": NETS,
    "views": VIEWS,
}
OTHERS = ("points", "construct", "solids", "axes", "draw", "marks", "labels", "check")


def sheet_kind(spec: Mapping[str, Any]) -> str:
    """The kind of a spec that stands alone, or nothing.

    >>> sheet_kind({"net": [{"cube": 1}]})
    'net'
    """
    kind = spec.get("kind")
    if kind in SHEETS:
        return str(kind)
    return next((name for name in SHEETS if spec.get(name)), "")


def sheet_of(spec: Mapping[str, Any], kind: str) -> tuple[SpecItem, Sketch]:
    """The item of a spec and its sketch. Raises UserError naming the item that cannot be shown."""
    for section in (*OTHERS, *(SHEETS.keys() - {kind})):
        if spec.get(section):
            raise UserError(
                f"{section}: in a {kind}",
                f"a {kind} has only {kind}:, title: and note:",
            )
    chosen = items(spec, kind, SHEETS[kind], "DI")
    if len(chosen) != 1:
        raise UserError(
            f"kind {kind} with {len(chosen)} {kind.rstrip('s')}s",
            f"write one under {kind}:",
        )
    (item,) = chosen
    if kind == "chart":  # drawn by Matplotlib
        return item, Sketch()
    sketch: Sketch = call(SHEETS[kind][item.op], item, Figure({}).convert)
    for label in sketch.labels:
        label.where = f"{item.where} ({item.op})"
    return item, sketch
