"""Letters for runs beside each other."""

from __future__ import annotations

from string import ascii_uppercase


def letters(number: int) -> list[str]:
    """A, B, ... Z, AA, AB, ...: so many names.

    >>> letters(28)[-3:]
    ['Z', 'AA', 'AB']
    """
    return [_letter(k) for k in range(number)]


def _letter(place: int) -> str:
    before, last = divmod(place, len(ascii_uppercase))
    return (_letter(before - 1) if before else "") + ascii_uppercase[last]
