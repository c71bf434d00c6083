"""A sketch: the strokes and labels of a diagram that stands alone, as a chart or a net does."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from ..figure import Array, Dot, Stroke
from ..labels import Label, LabelKind

DI = frozenset({"DI"})
EC = frozenset({"EC"})


class Sketch(msgspec.Struct):
    """What a chart, a net or a set of views draws, before any pixel."""

    things: list[Stroke | Dot] = []
    labels: list[Label] = []

    def line(self, *path: tuple[float, float], **style: Any) -> None:
        self.things.append(Stroke(np.array(path, float), **style))

    def text(
        self,
        text: Any,
        x: float,
        y: float,
        side: tuple[float, float] | None = None,
        tags: frozenset[str] = DI,
    ) -> None:
        """A text at a place, or on one side of it."""
        sides = () if side is None else (side,)
        kind: LabelKind = "fixed" if side is None else "tick"
        label = Label(str(text), kind, np.array([[x, y]]), "", tags, sides=sides)
        self.labels.append(label)

    def inside(self, text: Any, face: Array) -> None:
        """A text inside a polygon."""
        self.labels.append(Label(str(text), "area", face, "", DI))

    def beside(self, text: Any, line: Array) -> None:
        """The text of a length."""
        self.labels.append(Label(str(text), "segment", np.asarray(line, float), "", EC))


def plain(value: float) -> str:
    """A number as a person writes it.

    >>> plain(2.50001)
    '2.5'
    """
    return f"{round(value, 4):g}"
