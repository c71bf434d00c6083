"""Lists whose items are counted: "four points B, E, C and F" are just points B, E, C and F."""

from __future__ import annotations

import re

from ...words import number


def uncounted(prose: str) -> str:
    """Without the number of names that are listed: "points" for "four points B, E, C and F"."""
    return _LIST_COUNTED.sub(_without_count, prose)


def _without_count(match: re.Match[str]) -> str:
    names = len(_LISTED_NAME.findall(match["list"] or match["men"]))
    said = match["before"] or match["lead"] or match["behind"]
    found = number(said)
    if (found.value if found else int(said)) != names:
        return match[0]
    return match[0].removesuffix(said) if match["behind"] else match[0].replace(said, "", 1)


_LISTED_NAME = re.compile(r"[A-Z甲乙丙丁戊]|\d+")
_LETTER = r"[A-Z甲乙丙丁戊](?![A-Za-z])"
_ITEMS, _LETTERS = (
    rf"(?:{item})(?:(?:[ ,，、]{{1,3}}| ?(?:, )?(?:and|和|与) ?)(?:{item}))+"
    for item in (rf"{_LETTER}|\d+", _LETTER)
)
_LIST_COUNTED = re.compile(
    r"(?:\b(?P<before>[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[2-5]) (?:[a-z]+,? ){1,4}"
    r"|(?P<lead>[两二三四五六七八2-8])[个名位条点人种张][^，。；\d]{0,5}?)"
    rf"(?P<list>{_LETTERS}|(?:(?<=numbers )|(?<=digits )|(?<=[数字])|(?<=[数字] )){_ITEMS})"
    rf"|(?P<men>{_ITEMS})"
    r" ?这?(?P<behind>[两二三四五六七八2-8])(?=[点人名位个地数支队站张种])"
)
