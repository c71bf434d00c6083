"""Times of day: 4:30 p.m., 16:30, 4 o'clock."""

from __future__ import annotations

import re

_MARKUP = re.compile(r"\\(?:text|mathrm)\s*|[{}$\\,]")
_HALF = r"[ap]\.?m\.?"
_CLOCK = re.compile(
    rf"(?P<hours>\d{{1,2}})(?::(?P<minutes>[0-5]\d)(?::(?P<seconds>[0-5]\d))?\s*(?P<half>{_HALF})?"
    rf"|\s*(?:(?P<of_hours>{_HALF})|o'?clock))",
    re.IGNORECASE,
)


def same_clock(prediction: str, gold: str) -> bool | None:
    """Are both the same time of day? None where one is none.

    >>> same_clock("16:30", "4:30 p.m."), same_clock("4 am", "4 pm"), same_clock("5", "5")
    (True, False, None)
    """
    a = _clock(prediction)
    b = _clock(gold)
    if a is None or b is None:
        return None
    written, of_day = _times(a)
    gold_written, gold_of_day = _times(b)
    if of_day and gold_of_day:
        return of_day == gold_of_day
    return written in (gold_written, gold_of_day) or gold_written == of_day


def _clock(text: str) -> re.Match[str] | None:
    return _CLOCK.fullmatch(_MARKUP.sub("", text).strip())


def _times(clock: re.Match[str]) -> tuple[list[int], list[int] | None]:
    """Hours, minutes and seconds as written, and since midnight where the half is named."""
    names = ("hours", "minutes", "seconds")
    hours, minutes, seconds = (int(clock[name] or 0) for name in names)
    written = [hours, minutes, seconds]
    half = (clock["half"] or clock["of_hours"] or "")[:1].lower()
    if not half:
        return written, None
    return written, [hours % 12 + 12 * (half == "p"), minutes, seconds]
