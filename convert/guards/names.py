"""Names of points, lines and people, which a text keeps."""

from __future__ import annotations

import re
from collections import Counter

from .words import words

_NAME = re.compile(
    r"∠\d|(?<![A-Za-z\\])(?!(?<=\d )[LWVN]\b)"  # no litres, watts, volts, newtons
    r"(?:(?!US dollar|[NSEW] ?\d|(?<=[°\d] )[NSEW]\b|(?<=[°\d])[NSEW]\b)"
    r"(?!(?:I|A|II|III|IV|VI|VII|VIII)(?![A-Za-z\d]))[A-Z]{1,4}'*(?![A-Za-z])"
    r"|A(?![A-Za-z])(?! [a-z])|(?<=[a-z,] )A(?![A-Za-z])|A(?= (?:and|is|to|lies|on|or)\b))"
)
_GIVEN_NAME = re.compile(r"\b[A-Z][a-z]+\b")
_INNER_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+\b")
_LEADING_A = re.compile(r"(?:^|[.?!:]\s+)A [a-z\d\ue000-\uf8ff]")  # a name or an article


def changed_names(old: str, new: str, points: set[str], defined: set[str]) -> str:
    """A name that is lost or new; both sides name `points`, formulas of both name `defined`."""
    names = [Counter(_NAME.findall(text)) for text in (old, new)]
    names = [Counter({n: k for n, k in c.items() if n not in defined}) for c in names]
    names = _unpointed(names[0], names[1], points)
    if any(_LEADING_A.search(text) for text in (old, new)):
        names = [Counter({n: k for n, k in c.items() if n != "A"}) for c in names]
    one, two = names
    if lost := one.keys() - two.keys():
        return f"name: {min(lost)!r} is lost"
    if extra := two.keys() - one.keys():
        return f"name: {min(extra)!r} is new"
    return _other_person(old, new)


_POINT = re.compile(r"[A-Z]'*|∠\d")


def points(text: str) -> set[str]:
    """Every point that a text names, in its prose or its formulas."""
    return set(_POINT.findall(text))


_DEFINED = re.compile(r"\$\s*([A-Z])\s*=")


def defined(text: str) -> set[str]:
    """What formulas give a name: `$A=\\{1,2\\}$` names A whether the prose does or not."""
    return set(_DEFINED.findall(text))


def _unpointed(old: Counter[str], new: Counter[str], points: set[str]) -> list[Counter[str]]:
    """Without what one side alone names where both sides name all its points.

    "The bisector of $\\angle BEF$ meets $CD$ at $G$" speaks of $EG$.
    """
    lost, extra = old.keys() - new.keys(), new.keys() - old.keys()
    replaced = {len(name) for name in lost} & {len(name) for name in extra} - {1}
    idle = {
        name
        for name in lost | extra
        if set(_POINT.findall(name)) <= points and len(name) not in replaced
    }
    return [Counter({n: k for n, k in c.items() if n not in idle}) for c in (old, new)]


def _other_person(old: str, new: str) -> str:
    """`Tom` said less often where `Jerry` is said more often."""
    counted = [Counter(_GIVEN_NAME.findall(text)) for text in (old, new)]
    known = {name for text in (old, new) for name in _INNER_NAME.findall(text)}
    known = {name for name in known if not words(name)}
    less, more = (
        sorted(n for n in (one - two) if n in known and two[n] + one[n])
        for one, two in (counted, counted[::-1])
    )
    return f"name: {less[0]!r} was replaced" if less and more else ""
