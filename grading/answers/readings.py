r"""Further readings of answers: notations that would mean something else where nobody expects them.

`P(5,2)` is a point or a number of arrangements, `1.234` a decimal or a thousand and more, `3i-j` a
difference of symbols or a vector. A comparison takes such a reading only when the plain one has
found no equality, and only where it changes one of the two sides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from ...words import figures, number

LONGEST = 200  # characters of an answer that is read another way

_CHOOSES = r"(?:\\(?:mathrm|text|rm|mathbf)\s*)?\{?\s*(?P<kind>[CAP])\s*\}?"
_SCRIPT = r"\{\s*(?:\d{1,4}|[nmk](?:[-+]\d)?)\s*\}|[\dnmk]"
_COUNTS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_CHOOSES}\s*_\s*(?P<n>{_SCRIPT})\s*\^\s*(?P<k>{_SCRIPT})",
        rf"{_CHOOSES}\s*\^\s*(?P<k>{_SCRIPT})\s*_\s*(?P<n>{_SCRIPT})",
        rf"(?:\{{\}})?\s*[\^_]\s*(?P<n>{_SCRIPT})\s*{_CHOOSES}\s*_\s*(?P<k>{_SCRIPT})",
        r"(?P<kind>[CAP])\s*\(\s*(?P<n>\d{1,4})\s*,\s*(?P<k>\d{1,4})\s*\)",
        r"(?<![\w.])(?P<n>\d{1,4})\s*(?P<kind>[CP])\s*(?P<k>\d{1,4})(?!\w)",
    )
)

_HAN_COMPARED = (
    ("大于或等于", "\\ge "), ("大于等于", "\\ge "), ("不小于", "\\ge "), ("小于或等于", "\\le "),
    ("小于等于", "\\le "), ("不大于", "\\le "), ("大于", ">"), ("小于", "<"), ("不等于", "\\ne "),
    ("等于", "="),
)  # fmt: skip
_MONTHS = {
    short: k
    for k, name in enumerate(
        "january february march april may june july august september october november "
        "december".split(),
        1,
    )
    for short in (name, name[:3])
} | {"sept": 9}
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"
_UNIT_VECTOR = re.compile(
    r"(?:\\(?:hat|vec|mathbf|boldsymbol|bm|overrightarrow|widehat|bf)\s*\{?\s*){0,3}"
    r"\\?(?P<axis>[ijk])(?:math)?\}{0,3}"
)
_END = r"(-?\d{1,9}(?:,\d{3})*(?:\.\d{1,9})?(?:/\d{1,9})?)"
_RANGE = re.compile(
    rf"(?:from\s|between\s|从)?\s*{_END}\s*(?:-|–|—|~|～|to|and|至|到)\s*{_END}(?:\s*[^\W\d_]{{2,20}}|%)?"
)


def readings(gold: str, prediction: str) -> Iterator[tuple[str, str, str]]:
    """The name of each further reading that changes a side, and both sides in it.

    >>> list(readings("20", "P(5,2)"))
    [('counting', '20', '((5)!/(5-(2))!)')]
    """
    if len(gold) > LONGEST or len(prediction) > LONGEST:
        return
    for name, rewrite in _READINGS.items():
        a, b = rewrite(gold), rewrite(prediction)
        if a != gold or b != prediction:
            yield name, a, b


_WORDED = re.compile(r"(?<![A-Za-z\\])[A-Za-z]{3}|[\u4e00-\u9fff]")


def _counting(text: str) -> str:
    if not re.search(r"[CAP]", text):
        return text
    for pattern in _COUNTS:
        text = pattern.sub(_count, text)
    return text


def _count(match: re.Match[str]) -> str:
    n, k = (match[name].strip("{} ") for name in "nk")
    if match["kind"] == "C":
        falling = "".join(f"({n}-{j})" for j in range(int(k))) if k in "123" else ""
        return (
            f"({falling}/{k}!)"
            if falling and not n.isdecimal()
            else f"\\binom{{{n}}}{{{k}}}"
        )
    return f"(({n})!/({n}-({k}))!)"


def _words(text: str) -> str:
    """A number in English or Chinese words, a sign in words, Chinese comparisons."""
    if not _WORDED.search(text):
        return text
    bare = re.sub(r"\\(?:text|mathrm)\s*|[{}$.。]", " ", text).strip().lower()
    negative = re.match(r"(?:minus|negative|负)\s*(?=[\w\\])", bare)
    said = bare[negative.end() :] if negative else bare
    if (found := number(said)) and found.counts:
        return f"-{figures(found)}" if negative else figures(found)
    if negative and re.match(r"[\d\\]", said):
        return re.sub(
            r"(?:minus|negative|负)\s*", "-", text, count=1, flags=re.IGNORECASE
        )
    for words, sign in _HAN_COMPARED:
        said_so = rf"(?<=[A-Za-z0-9}}])\s*{words}\s*(?=[-\d\\A-Za-z])"
        text = re.sub(said_so, sign.replace("\\", r"\\"), text)
    return text


def _numerals(text: str) -> str:
    """1.234.567 and 1.234,5 of Europe, 12,34,567 of India; never one group of three alone."""
    bare = text.strip().strip("$")
    if re.fullmatch(r"-?\d{1,3}(?:\.\d{3}){2,5}(?:,\d{1,9})?", bare) or re.fullmatch(
        r"-?\d{1,3}(?:\.\d{3})+,\d{1,9}", bare
    ):
        return bare.replace(".", "").replace(",", ".")
    if re.fullmatch(r"-?\d{1,2}(?:,\d{2}){1,6},\d{3}(?:\.\d{1,9})?", bare):
        return bare.replace(",", "")
    return text


_AXES = re.compile(r"[ijk](?![A-Za-z])|\^\s*\{?\s*(?:\\|T)")


def _vectors(text: str) -> str:
    r"""(1,2)^T as (1,2), and 3\hat{i}-\hat{j} as (3,-1)."""
    if not _AXES.search(text):
        return text
    text = re.sub(
        r"(?<=[)\]}])\s*\^\s*(?:\{\s*)?(?:\\(?:top|intercal|mathsf\{T\}|mathrm\{T\}|text\{T\})|T)"
        r"(?:\s*\})?\s*$",
        "",
        text,
    )
    bare = re.sub(r"\s|\\(?:left|right|[,;!])|\$", "", text)
    bare = _UNIT_VECTOR.sub(lambda m: f"@{m['axis']}", bare)
    terms = re.findall(
        r"([-+]?)([^-+@A-Za-z]{0,40}|\\frac[^-+@A-Z]{1,40})@([ijk])", bare
    )
    axes = [axis for _, _, axis in terms]
    if "".join(f"{s}{c}@{a}" for s, c, a in terms) != bare or len(set(axes)) != len(
        axes
    ):
        return text
    if not set(axes) - {"i"}:  # a complex number
        return text
    parts = {axis: f"{sign}{factor.rstrip('*') or 1}" for sign, factor, axis in terms}
    names = "ijk" if "k" in parts else "ij"
    return f"({','.join(parts.get(axis, '0').lstrip('+') for axis in names)})"


def _circled(text: str) -> str:
    if not any(char in _CIRCLED for char in text):
        return text
    spread = re.sub(rf"(?<=[{_CIRCLED}])\s*(?=[{_CIRCLED}])", ",", text)
    return re.sub(rf"[{_CIRCLED}]", lambda m: str(_CIRCLED.index(m[0]) + 1), spread)


def _dates(text: str) -> str:
    """Days of the calendar in one spelling; 7/4/2020 is left alone: nobody knows its order."""
    if not re.search(r"\d", text):
        return text
    bare = re.sub(r"\\(?:text|mathrm)\s*|[{}$]", "", text).strip(" .").lower()
    match = re.fullmatch(
        r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})日?", bare
    )
    if match:
        return _date(int(match[1]), int(match[2]), int(match[3]))
    match = re.fullmatch(
        r"(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?([a-z]{3,9})\.?"
        r"(?:,?\s*(\d{4}))?",
        bare,
    )
    day_first = match
    match = match or re.fullmatch(
        r"([a-z]{3,9})\.?\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?(?:,?\s*(\d{4}))?", bare
    )
    if match is None:
        return text
    month, day = (match[2], match[1]) if day_first else (match[1], match[2])
    known = _MONTHS.get(month)
    return _date(int(match[3] or 0), known, int(day)) if known else text


def _date(year: int, month: int, day: int) -> str:
    return f"\\text{{day}}_{{{year * 10000 + month * 100 + day}}}"


def _ranges(text: str) -> str:
    """From 4 to 31, 4-31, 4~31 as the interval between them."""
    match = _RANGE.fullmatch(text.strip(" $"))
    ends = [Fraction(end.replace(",", "")) for end in match.groups()] if match else []
    return f"[{ends[0]},{ends[1]}]" if ends and ends[0] < ends[1] else text


def _orders(text: str) -> str:
    """a < b < c, all one way, as the list a, b, c."""
    parts = text.split("<")
    alone = len(parts) > 2 and all(
        re.fullmatch(r"\s*\\?[A-Za-z]+(?:_\w)?\s*", p) for p in parts
    )
    return f"({','.join(parts)})" if alone else text


_READINGS: dict[str, Callable[[str], str]] = {
    "counting": _counting,
    "words": _words,
    "numerals": _numerals,
    "vectors": _vectors,
    "circled": _circled,
    "dates": _dates,
    "range": _ranges,
    "order": _orders,
}
