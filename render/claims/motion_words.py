"""What sentences say of points that are reflected, turned or moved, held to where they arrive."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..diagram import NEAR, Claim
from .claim import Scene, Undecided, unless
from .english import LETTER, LINE, NUMBER, names_of, run

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


def _pairs(scene: Scene, match: re.Match[str]) -> list[tuple[Any, Any]]:
    """Each point with the one that it comes to. Raises Undecided where that is not said."""
    before = names_of(match["who"])
    behind = names_of(match["to"] or "")
    if len(before) != len(behind):
        raise Undecided
    places = scene.points(match["who"]), scene.points(match["to"])
    return list(zip(*places, strict=True))


def _arrive(pairs: list[tuple[Any, Any]], arrivals: list[Any], what: str) -> None:
    size = max(float(np.abs(place).max()) for pair in pairs for place in pair)
    for (_, there), arrival in zip(pairs, arrivals, strict=True):
        unless(
            math.dist(there, arrival) < NEAR * max(size, 1e-9), f"it is not {what} so"
        )


def reflected(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`P is reflected in the y-axis to Q`, `ABC is reflected in the line g`."""
    pairs = _pairs(scene, match)
    line = match["line"] or match["bare"]
    if match["origin"] or match["point"]:
        centre = scene.points(match["point"])[0] if match["point"] else np.zeros(2)
        arrivals = [2 * centre - place for place, _ in pairs]
    elif match["axis"]:
        flip = np.array([1.0, -1.0] if match["axis"] == "x" else [-1.0, 1.0])
        arrivals = [place * flip for place, _ in pairs]
    else:
        a, b = scene.points(line)
        way = (b - a) / math.dist(a, b)
        feet = [a + float((place - a) @ way) * way for place, _ in pairs]
        arrivals = [
            2 * foot - place for foot, (place, _) in zip(feet, pairs, strict=True)
        ]
    _arrive(pairs, arrivals, "reflected")
    yield from ()


def turned(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`A is turned by 90° about O to B`; where no way is said, it may be either."""
    pairs = _pairs(scene, match)
    (centre,) = scene.points(match["about"])
    way = (match["way"] or "").strip()
    turns = {"": (1, -1), "clockwise": (-1,)}.get(way, (1,))
    angle = math.radians(float(match["angle"]))
    misses = []
    for sign in turns:
        c, s = math.cos(sign * angle), math.sin(sign * angle)
        turn = np.array([[c, -s], [s, c]])
        arrivals = [centre + turn @ (place - centre) for place, _ in pairs]
        misses.append(
            max(math.dist(a, b) for a, (_, b) in zip(arrivals, pairs, strict=True))
        )
    size = max(math.dist(place, centre) for place, _ in pairs)
    unless(min(misses) < NEAR * max(size, 1e-9), "it is not turned so")
    yield from ()


def moved(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`ABC is moved by PQ to DEF`."""
    pairs = _pairs(scene, match)
    start, end = scene.points(match["by"])
    _arrive(pairs, [place + end - start for place, _ in pairs], "moved")
    yield from ()
