"""Words that carry the meaning of a problem, found in English and in Chinese alike."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache
from importlib.resources import files

import msgspec
import yaml


class Sense(msgspec.Struct, frozen=True):
    """A word of `senses.yaml` at text[start:end]; `group` is "strict" or a contrast group."""

    name: str
    group: str
    start: int
    end: int


class _Lexicon(msgspec.Struct, frozen=True):
    pattern: re.Pattern[str]
    rows: dict[str, tuple[str, str]]  # name of the regex group -> (sense, group)


@cache
def _lexicon() -> _Lexicon:
    table = yaml.safe_load(files(__package__).joinpath("senses.yaml").read_text("utf-8"))
    rows = [("", "neutral", *pair) for pair in table["neutral"]]
    rows += [(name, "strict", *pair) for name, pair in table["strict"].items()]
    rows += [
        (name, group, *pair)
        for group, senses in table["contrast"].items()
        for name, pair in senses.items()
    ]
    rows.append(("not", "negation", *table["negation"]))
    pattern = "|".join(
        rf"(?P<s{k}>(?<![A-Za-z])(?:{english})(?![A-Za-z])|{chinese})"
        for k, (_, _, english, chinese) in enumerate(rows)
    )
    names = {f"s{k}": (name, group) for k, (name, group, _, _) in enumerate(rows)}
    return _Lexicon(re.compile(pattern, re.IGNORECASE), names)


@cache
def named(group: str) -> frozenset[str]:
    """The senses of a group."""
    return frozenset(name for name, its_group in _lexicon().rows.values() if its_group == group)


@lru_cache(maxsize=64)
def senses(text: str) -> tuple[Sense, ...]:
    """Every known word of a text, in order.

    >>> [sense.name for sense in senses("不小于正整数的面积 is not less than the area")]
    ['at least', 'positive', 'integer', 'area', 'at least', 'area']
    """
    lexicon = _lexicon()
    found = []
    for match in lexicon.pattern.finditer(text):
        name, group = lexicon.rows[match.lastgroup or ""]
        if group != "neutral":
            found.append(Sense(name, group, match.start(), match.end()))
    return tuple(found)


def changed_sense(before: str, after: str) -> str:
    """The first word that was lost, that is new, or that became another of its kind.

    >>> changed_sense("求面积的最大值", "Find the greatest area")
    ''
    >>> changed_sense("求面积", "Find the volume")
    "sense: 'area' became 'volume'"
    """
    old, new = _counted(before), _counted(after)
    for group in sorted(old.keys() | new.keys()):
        one, two = old.get(group, Counter()), new.get(group, Counter())
        lost, extra = min(one - two, default=""), min(two - one, default="")
        if group == "strict":
            only = one.keys() ^ two.keys()
            if only:
                return f"sense: {min(only)!r} stands on one side only"
        elif group == "negation":
            if one != two:
                return "sense: a negation stands on one side only"
        elif lost and extra and not (group in _OFTEN_SAID and lost in two and extra in one):
            return f"sense: {lost!r} became {extra!r}"
    return ""


# what may be said once more or less: "the larger one", "every"; who is who, `roles` looks at
_OFTEN_SAID = frozenset({"size", "quantifier", "clock"})


def _counted(text: str) -> dict[str, Counter[str]]:
    counted: dict[str, Counter[str]] = {}
    for sense in senses(text):
        counted.setdefault(sense.group, Counter())[sense.name] += 1
    return counted
