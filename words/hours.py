"""Times of day in English words. Others count halves from the hour before: halb fünf is 4:30."""

from __future__ import annotations

import re

from .numbers import number

_HOUR = re.compile(
    r"(?:an?\s+)?(?P<part>half|quarter|\w+(?:-\w+)?(?P<minutes>\s+minutes?)?)"
    r"\s+(?P<side>past|to)\s+(?P<hour>\w+)(?:\s+o['’]clock)?(?P<half>\s*[ap]\.?m)?\.?",
    re.IGNORECASE,
)
_PARTS = {"half": 30, "quarter": 15}


def hour_in_figures(text: str) -> str:
    """A time of day in figures; anything else as it is: "ten to four" is a ratio, too.

    >>> hour_in_figures("half past four"), hour_in_figures("a quarter to one p.m.")
    ('4:30', '12:45 p.m')
    >>> hour_in_figures("ten past six"), hour_in_figures("ten to four")
    ('6:10', 'ten to four')
    """
    said = _HOUR.fullmatch(text.strip())
    if not said:
        return text
    is_past = said["side"].lower() == "past"
    part = said["part"].lower().removesuffix(said["minutes"] or "")
    minutes = _PARTS.get(part) or _count(part)
    hour = _count(said["hour"])
    is_sure = is_past or said["minutes"] or part == "quarter"
    if not (is_sure and 0 < minutes < 60 and 0 < hour < 24):
        return text
    if not is_past:
        hour = hour - 1 or 12
        minutes = 60 - minutes
    return f"{hour}:{minutes:02}{said['half'] or ''}"


def _count(text: str) -> int:
    """A whole number in words or figures; 0 where it is none."""
    numeral = number(text)
    if numeral and numeral.form == "cardinal" and numeral.value.denominator == 1:
        return int(numeral.value)
    return int(text) if text.isascii() and text.isdecimal() else 0
