"""School grades as dumps write them: 8, "Grade 9", "9th grade", 九年级上学期, 初三, 高一."""

from __future__ import annotations

import re
from typing import Any

from ..words import number as in_words

HIGHEST = 13  # of MATH-V's scale
LONGEST = 40  # characters of a text that can name a grade
# A number as spreadsheets write it: 8, 8.0.
_NUMBER = re.compile(r"\d{1,2}(?:\.0)?")
# 九年级, 小学三年级: a number in figures or words before 年级.
_CHINESE = re.compile(r"(?:小学)?(\w{1,2})年级")
# 初三, 高中一: a year of junior school, which starts behind 6, or of senior, behind 9.
_SCHOOL = re.compile(r"(初|高)(?:中)?([一二三123])")
_BELOW_SCHOOL = {"初": 6, "高": 9}
# A half-year behind the grade: 第一学期, 上学期, 下册, （下）; 全一册 is the whole year.
_HALF = re.compile(r"[\s(（]*(?:第(.)学期|([上下])(?:学期|册)?|全一册)[)）]?$")
# The number as a group, in figures or in words.
_ENGLISH = re.compile(
    r"""
    (?:grade|class) \s* [-:]? \s* (\w+)                        # Grade 9, class: nine
    | (\d{1,2}) (?:st|nd|rd|th) [\s-]* (?:grade|class)?        # 9th grade, 9th
    | ([a-z]+) [\s-]+ (?:grade|class)                          # ninth grade
    | ([a-z]+)                                                 # nine
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ORDINAL_END = re.compile(r"(?<=\d)(?:st|nd|rd|th)$")
_HALVES = {"一": "上", "1": "上", "二": "下", "2": "下"}


def read_grade(value: Any) -> int | None:
    """The grade, from 1 to HIGHEST, that a number or a text names as a whole, or None.

    A half-year behind it (上学期, 下册) is left out. A range such as `9-10` is no single grade.

    >>> [read_grade(v) for v in (8, "Grade 9", "9th grade", "九年级上学期", "初三", "高一", "nine")]
    [8, 9, 9, 9, 9, 10, 9]
    >>> read_grade("Grade 9-10") is read_grade("college") is None
    True
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if len(str(value)) > LONGEST:
        return None
    number = _grade(_HALF.sub("", str(value).strip()))
    return number if number is not None and 1 <= number <= HIGHEST else None


def _grade(text: str) -> int | None:
    """The number of a grade without its half-year."""
    if _NUMBER.fullmatch(text):
        return int(float(text))
    if match := _CHINESE.fullmatch(text):
        return _whole(match[1])
    if match := _SCHOOL.fullmatch(text):
        return (_whole(match[2]) or 0) + _BELOW_SCHOOL[match[1]]
    if match := _ENGLISH.fullmatch(text):
        word = next(group for group in match.groups() if group).lower()
        return _whole(_ORDINAL_END.sub("", word))
    return None


def _whole(word: str) -> int | None:
    """A number in figures or words: 9, nine, ninth, 九."""
    if word.isdecimal():
        return int(word)
    number = in_words(word)
    return int(number.value) if number else None


def half_year(value: str) -> str:
    """The half of the school year that a grade names, 上 or 下; empty where it names none.

    >>> [half_year(value) for value in ("九年级上学期", "八年级（下）", "九年级第二学期", "nine")]
    ['上', '下', '下', '']
    """
    match = _HALF.search(value.strip())
    if match is None:
        return ""
    half = match[1] or match[2] or ""
    return _HALVES.get(half, half)
