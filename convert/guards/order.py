"""A rule about order: numbers, or words of one kind, that stand where the other stood."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from .alike import once
from .reading import Reading
from .senses import LOOSE

_BEFORE = 0.5  # what it weighs to stand in the same part, or before it
_NEAR = (1.0, 0.5)  # what the nearest things on each side weigh
# numbers in the other order, words in the other order, or in the same order
_UNMOVED, _TURNED, _IN_ORDER = 0.25, 1.0, 1.75  # by how much the crossed reading must fit better
_SILENT = frozenset({"generic", "quantifier", "possibility"})
_MOST = 48  # things looked at


def exchanged(old: Reading, new: Reading) -> str:
    """Two numbers, or words of one kind, that stand where the other stood."""
    one, two = _around(old), _around(new)
    order = {item: k for k, item in enumerate(two)}
    related = _related(old) & _related(new)
    alike = {("number", str(v)): n.marks for v, n in once(old.numbers).items() if not n.dual}
    for first, second in combinations([item for item in one if item in two], 2):
        if first[0] != second[0] or frozenset((first[1], second[1])) in related:
            continue
        if first[0] in ("thing", "contest"):
            continue
        if first[0] == "letter" and len(first[1]) != len(second[1]):
            continue
        straight = _alike(one[first], two[first]) + _alike(one[second], two[second])
        crossed = _alike(one[first], two[second]) + _alike(one[second], two[first])
        margin = _TURNED if order[first] > order[second] else _IN_ORDER
        if (
            margin == _TURNED
            and first in alike
            and second in alike
            and alike[first] == alike[second]
        ):
            margin = _UNMOVED
        if crossed >= straight + margin:
            return f"roles: {first[1]!r} and {second[1]!r} have changed places"
    return ""


def _related(reading: Reading) -> set[frozenset[str]]:
    """Pairs that are the two ends of a comparison, which `_turned` looks at."""
    return {
        frozenset((x, y))
        for r in reading.relations if r.axis == "more" for _, x in r.first for _, y in r.second
    }  # fmt: skip


def _around(reading: Reading) -> dict[tuple[str, str], Counter[str]]:
    """What stands next to each number and each word that is said once, and how near."""
    items = sorted(
        [(w.start, w.kind, w.name) for w in reading.words if w.kind not in _SILENT]
        + [(a.start, a.kind, a.name) for a in reading.anchors if a.kind in ("letter", "formula")]
        + [(n.start, "number", str(n.value)) for n in reading.numbers if n.value != 1]
    )
    said = Counter(item[1:] for item in items)
    around: dict[tuple[str, str], Counter[str]] = {}
    for k, (start, kind, name) in enumerate(items):
        if said[kind, name] > 1 or len(around) >= _MOST or kind in LOOSE:
            continue
        here = reading.clause(start)
        weights: Counter[str] = Counter()
        for side in (items[max(0, k - len(_NEAR)) : k][::-1], items[k + 1 : k + 1 + len(_NEAR)]):
            for weight, item in zip(_NEAR, side, strict=False):
                if reading.clause(item[0]) == here:
                    weights[item[2]] = max(weights[item[2]], weight)  # type: ignore[assignment]
        around[kind, name] = weights
    for value, number in once(reading.numbers).items():
        near = around.get(("number", str(value)), Counter())
        for name in {name for names in number.around.values() for name in names} if near else ():
            near[name] = max(near[name], _BEFORE)  # type: ignore[assignment]
    return around


def _alike(one: Counter[str], two: Counter[str]) -> float:
    return sum((one & two).values())
