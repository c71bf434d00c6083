"""A claim of a text, and the scene that it is held to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..diagram import Claim, Composition, spelled
from ..figure import RELATIONS, Figure, call, hold, items, number
from .english import names_of, run


class Contradicted(ValueError):
    """What a text says is not so in the figure; `narrower`: it is more than that."""

    def __init__(self, what: str, narrower: bool = False) -> None:
        super().__init__(what)
        self.narrower = narrower


class Undecided(Exception):
    """A reader cannot tell: what is said is of something that the figure does not have."""


class Scene(NamedTuple):
    """A figure, the text that speaks of it, and how far that is read."""

    composition: Composition
    text: str
    at: int

    @property
    def figure(self) -> Figure:
        """The points and the axes of the figure."""
        return self.composition.figure

    def points(self, name: str) -> list[Any]:
        """The places of a name's points. Raises Undecided for one that is not there."""
        try:
            return [self.figure.points[each] for each in names_of(name)]
        except KeyError as error:
            raise Undecided(name) from error

    def shapes(self, corners: int | None = None) -> list[list[str]]:
        """Shapes that the text has named, the last first: what "its" may mean."""
        count = "3," if corners is None else str(corners)
        ahead = [m for m in re.finditer(run(count), self.text) if m.start() < self.at]
        return [names_of(match[0]) for match in reversed(ahead)]


Reader = Callable[[Scene, re.Match[str]], Iterator[Claim]]


def require(scene: Scene, op: str, value: Any) -> None:
    """Raises Undecided where a point is missing, ValueError where a relation does not hold."""
    scene.points(" ".join(map(str, value)))
    (item,) = items({"check": [{op: value}]}, "check", RELATIONS, "DI")
    hold(iter(call(RELATIONS[op], item, scene.figure.convert)))


def is_so(scene: Scene, op: str, value: Any) -> bool:
    try:
        require(scene, op, value)
    except ValueError:
        return False
    return True


def unless(holds: bool, what: str, narrower: bool = False) -> None:
    if not holds:
        raise Contradicted(what, narrower)


def value_of(match: re.Match[str]) -> float:
    """The value that a pattern ends in: a number, or a root or fraction in LaTeX."""
    return float(number(spelled(match[match.lastindex or 0])))
