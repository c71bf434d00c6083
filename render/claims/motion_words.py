"""What sentences say of points that are reflected, turned or moved, held to where they arrive."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

from ..diagram import NEAR, Claim
from ..figure import Array
from .claim import Scene, Undecided, unless
from .english import LETTER, LINE, NUMBER, run

_WHO = rf"(?P<who>{run('1,6')})(?:\({NUMBER}, ?{NUMBER}\))?"
_TO = rf"(?:,? (?:and )?(?:to|onto|giving|gives|gets to|which gives) (?P<to>{run('1,6')}))?"
_IN = (
    rf"(?:the )?(?:(?P<axis>[xy])-axis|(?P<origin>origin)|line (?P<line>{LINE})|(?P<bare>{LINE})"
    rf"|point (?P<point>{LETTER}))"
)
REFLECTED = (
    rf"{_WHO} is (?:reflected|mirrored) (?:in|across|over|about|at|through) {_IN}{_TO}"
)
TURNED = (
    rf"{_WHO} is (?:turned|rotated)(?: by)? (?P<angle>{NUMBER})(?:°| degrees)"
    rf"(?P<way> clockwise| counterclockwise| anticlockwise)? (?:about|around) (?P<about>{LETTER})"
    rf"{_TO}"
)
MOVED = rf"{_WHO} is (?:moved|translated|shifted) (?:by|along) (?P<by>{LINE}){_TO}"


def _places(scene: Scene, match: re.Match[str]) -> tuple[Array, Array]:
    """Where points are, and where they come to. Raises Undecided where that is not said."""
    before = scene.points(match["who"])
    behind = scene.points(match["to"] or "")
    if len(before) != len(behind):
        raise Undecided
    return np.stack(before), np.stack(behind)


def _arrive(behind: Array, arrivals: Array, what: str) -> None:
    size = max(np.abs(behind).max(), 1e-9)
    off = np.abs(behind - arrivals).max()
    unless(bool(off < NEAR * size), f"it is not {what} so")


def reflected(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`P is reflected in the y-axis to Q`, `ABC is reflected in the line g`."""
    before, behind = _places(scene, match)
    if match["axis"]:
        flip = [1.0, -1.0] if match["axis"] == "x" else [-1.0, 1.0]
        arrivals = before * flip
    elif match["origin"]:
        arrivals = -before
    elif match["point"]:
        (centre,) = scene.points(match["point"])
        arrivals = 2 * centre - before
    else:
        start, end = scene.points(match["line"] or match["bare"])
        way = (end - start) / math.dist(end, start)
        along = (before - start) @ way
        feet = start + along[:, None] * way
        arrivals = 2 * feet - before
    _arrive(behind, arrivals, "reflected")
    yield from ()


def turned(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`A is turned by 90° about O to B`; where no way is said, it may be either."""
    before, behind = _places(scene, match)
    (centre,) = scene.points(match["about"])
    way = (match["way"] or "").strip()
    angle = math.radians(float(match["angle"]))
    c = math.cos(angle)
    s = math.sin(angle)
    turn = np.array([[c, s], [-s, c]])  # counterclockwise, of rows
    away = before - centre
    arrivals = centre + away @ turn
    clockwise = centre + away @ turn.T
    is_nearer = np.abs(behind - clockwise).max() < np.abs(behind - arrivals).max()
    if way == "clockwise" or (not way and is_nearer):
        arrivals = clockwise
    _arrive(behind, arrivals, "turned")
    yield from ()


def moved(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`ABC is moved by PQ to DEF`."""
    before, behind = _places(scene, match)
    start, end = scene.points(match["by"])
    _arrive(behind, before + end - start, "moved")
    yield from ()
