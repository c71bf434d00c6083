"""School grades as dumps write them: 8, "Grade 9", "9th grade", 九年级上学期, 初三, 高一."""

from __future__ import annotations

import re
from typing import Any

from ..words import number as in_words

HIGHEST = 13  # of MATH-V's scale
_NUMBER = re.compile(r"\d{1,2}(?:\.0)?")
_CHINESE = re.compile(r"(?:小学)?(\w{1,2})年级")
_SCHOOL = re.compile(
    r"(初|高)(?:中)?([一二三123])"
)  # junior school from 7, senior from 10
_HALF = re.compile(r"[\s(（]*(?:第(.)学期|([上下])(?:学期|册)?|全一册)[)）]?$")
_ENGLISH = re.compile(
    r"(?:grade|class)\s*[-:]?\s*(\w+)|(\d{1,2})(?:st|nd|rd|th)[\s-]*(?:grade|class)?"
    r"|([a-z]+)[\s-]+(?:grade|class)|([a-z]+)",
    re.IGNORECASE,
)


def read_grade(value: Any) -> int | None:
    """The grade, from 1 to HIGHEST, that a number or a text names as a whole, or None.

    A half-year behind it (上学期, 下册) is left out. A range such as `9-10` is no single grade.

    >>> [read_grade(v) for v in (8, "Grade 9", "9th grade", "九年级上学期", "初三", "高一", "nine")]
    [8, 9, 9, 9, 9, 10, 9]
    >>> read_grade("Grade 9-10") is read_grade("college") is None
    True
    """
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float | str)
        or len(str(value)) > 40
    ):
        return None
    text = _HALF.sub("", str(value).strip())
    number: int | None = None
    if _NUMBER.fullmatch(text):
        number = int(float(text))
    elif match := _CHINESE.fullmatch(text):
        number = _whole(match[1])
    elif match := _SCHOOL.fullmatch(text):
        number = (_whole(match[2]) or 0) + (6 if match[1] == "初" else 9)
    elif match := _ENGLISH.fullmatch(text):
        word = next(group for group in match.groups() if group).lower()
        word = re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", word)
        number = _whole(word)
    return number if number is not None and 1 <= number <= HIGHEST else None


def _whole(word: str) -> int | None:
    """A number in figures or words: 9, nine, ninth, 九."""
    found = None if word.isdecimal() else in_words(word)
    return int(found.value) if found else int(word) if word.isdecimal() else None


def half_year(value: str) -> str:
    """The half of the school year that a grade names, 上 or 下; empty where it names none.

    >>> [half_year(value) for value in ("九年级上学期", "八年级（下）", "九年级第二学期", "nine")]
    ['上', '下', '下', '']
    """
    match = _HALF.search(value.strip())
    named = (match[1] or match[2] or "") if match else ""
    return {"一": "上", "1": "上", "二": "下", "2": "下"}.get(named, named)
