"""When are numbers, words and things of two readings the same?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Set
from fractions import Fraction

from .figures import Number
from .phrases import Things
from .reading import Reading

Rule = Callable[[Reading, Reading], str]

# Kinds whose words tell in whose company a number stands.
TELLING = (
    "person", "colour", "weekday", "month", "team", "thing", "shape", "price", "letter", "compass",
    "gain", "part of day", "then and now", "exchange", "add and take away", "win and lose", "flow",
    "change", "region", "side", "height of place", "place in a row", "line", "angle", "point",
    "algebra", "time", "using", "hand",
)  # fmt: skip


def begins(one: str, two: str) -> bool:
    """Is one the other and more? What is ridden on average is an average speed."""
    one, two = one.removeprefix("average "), two.removeprefix("average ")  # which is asked apart
    return one == two or one.startswith(two + " ") or two.startswith(one + " ")


def pairs(old: Iterable[Number], new: Iterable[Number]) -> Iterable[tuple[Number, Number]]:
    """Numbers that are said once on both sides."""
    one, two = once(old), once(new)
    return [(one[value], two[value]) for value in one if value in two]


def once(numbers: Iterable[Number]) -> dict[Fraction, Number]:
    numbers = list(numbers)
    said = Counter(n.value for n in numbers)
    return {n.value: n for n in numbers if said[n.value] == 1}


def apart(one: Things, two: Things, kinds: tuple[str, ...]) -> str:
    """The first kind of which both have something, and nothing in common."""
    return next((k for k in kinds if disjoint(one.get(k, set()), two.get(k, set()))), "")


def disjoint(one: Set[str], two: Set[str]) -> bool:
    """Have both something, and nothing in common? A triangular pyramid is a pyramid."""
    return bool(one and two) and not any(
        x in y or y in x or begins(x, y)  # a pyramid, a triangular pyramid; P, APB
        for x in one
        for y in two
    )


def least(names: Iterable[str]) -> str:
    return repr(min(names, default="it"))
