"""Rules about relations: who is more than whom, who does what, alone or together."""

from __future__ import annotations

import re
from collections import Counter

from .alike import Rule, least
from .reading import Reading
from .relations import Relation


def _turned(old: Reading, new: Reading) -> str:
    """A relation whose two ends have changed places, or that is by another amount."""
    for one in old.relations:
        others = [r for r in new.relations if r.axis == one.axis]
        if not others:
            continue
        x, y = (least(name for _, name in end) for end in (one.first, one.second))
        if one.axis == "about":
            if not any(r.second & one.second for r in others):
                return f"roles: it is not turned about {y}"
            continue
        shared = [r for r in others if r.amounts & one.amounts]
        others = shared or others
        if max(_evidence(one, other) for other in others) < 0:
            return f"roles: {x} and {y} have changed places"
        if len(shared) == 1 and (moved := _moved(one, shared[0])):
            return moved
        amounts = others[0].amounts if len(others) == 1 and one.amounts and not shared else None
        if amounts and amounts <= {n.value for n in old.numbers}:
            return f"roles: it is by '{min(amounts)}' instead of '{min(one.amounts)}'"
    return ""


def _subjects(old: Reading, new: Reading) -> str:
    """Somebody else leaves, wins or misses."""
    one, two = _doers(old), _doers(new)
    for act in sorted(one.keys() & two.keys()):
        if one[act] != two[act]:
            return f"roles: {two[act]!r} does what {one[act]!r} did: {act!r}"
    return ""


def _doers(reading: Reading) -> dict[str, str]:
    """Who stands nearest before an act that is told once, in its clause."""
    acts = [w for w in reading.words if w.name in ("leave", "miss", "win", "lose", "hit")]
    told = Counter(word.name for word in acts)
    doers = {}
    for word in (word for word in acts if told[word.name] == 1):
        before = [
            a for a in reading.anchors
            if a.kind in ("letter", "person") and a.start < word.start
            and reading.clause(a.start) == reading.clause(word.start)
        ]  # fmt: skip
        if before:
            doers[word.name] = before[-1].name
    return doers


_ALONE = re.compile(r"(?i)\b(?:alone|(?:him|her|it)self|themselves|on its own)\b|单独|独自|独立")
_JOINTLY = re.compile(
    r"(?i)\b(?:together|jointly|cooperat\w+|both|combined|work(?:s|ed|ing)? with)\b"
    r"|合[作做修力]|共同|两[队人管]|[一同]起|同时开|齐"
)


def _together(old: Reading, new: Reading) -> str:
    """Of those who work alone nobody works with another any more, or somebody does now."""
    alone = all(_ALONE.search(r.text) for r in (old, new))
    if alone and bool(_JOINTLY.search(old.text)) != bool(_JOINTLY.search(new.text)):
        return "roles: 'together' stands on one side only"
    return ""


def _divided(old: Reading, new: Reading) -> str:
    """Another number that is divided by, or taken away."""
    for axis in ("division", "minus"):
        by = [
            {n for r in x.relations if r.axis == axis for k, n in r.second if k == "number"}
            for x in (old, new)
        ]
        if by[0] and by[1] and by[0].isdisjoint(by[1]):
            return f"roles: {axis} by {min(by[1])} instead of {min(by[0])}"
    return ""


def _moved(one: Relation, two: Relation) -> str:
    """By as much as before, somebody else is more, or less."""
    for end, other in ((one.first, two.first), (one.second, two.second)):
        for kind in ("person", "letter", "formula", "weekday", "then and now"):
            x, y = ({name for k, name in e if k == kind} for e in (end, other))
            if len(x) == len(y) == 1 and x != y:
                return f"roles: {least(y)} stands for {least(x)}"
    return ""


def _evidence(one: Relation, two: Relation) -> int:
    """How many ends are where they were, less those that changed places."""
    x, y = one.first - one.second, one.second - one.first
    a, b = two.first - two.second, two.second - two.first
    straight, crossed = len(x & a) + len(y & b), len(x & b) + len(y & a)
    figures = any(kind == "number" for kind, _ in (x & b) | (y & a))
    sure = (
        crossed > 1 or figures or (x and y and a and b) or one.axis in ("division", "minus", "way")
    )
    return straight - (crossed if sure else 0)


RULES: tuple[Rule, ...] = (_turned, _subjects, _together, _divided)
