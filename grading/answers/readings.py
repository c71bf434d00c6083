r"""Further readings of answers: notations that would mean something else where nobody expects them.

`P(5,2)` is a point or a number of arrangements, `1.234` a decimal or a thousand and more, `3i-j` a
difference of symbols or a vector. A comparison takes such a reading only when the plain one has
found no equality, and only where it changes one of the two sides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from ...words import SHORT, figures, in_figures, number, numbers, quantity, words
from .spelling import clean

LONGEST = 200  # characters of an answer that is read another way

# C^k_n, C_n^k, _nC_k, C(n, k) and nCk, and the same with P or A: combinations and arrangements.
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

_COUNTS_SOMETHING = re.compile(r"[CAP]")
_HAN_COMPARED = (
    ("大于或等于", "\\ge "), ("大于等于", "\\ge "), ("不小于", "\\ge "), ("小于或等于", "\\le "),
    ("小于等于", "\\le "), ("不大于", "\\le "), ("大于", ">"), ("小于", "<"), ("不等于", "\\ne "),
    ("等于", "="),
)  # fmt: skip
_MONTH_NAMES = (
    "january february march april may june july august september october november december"
).split()
_MONTHS = {
    spelling: month
    for month, name in enumerate(_MONTH_NAMES, 1)
    for spelling in (name, name[:3])
} | {"sept": 9}
_DIGIT = re.compile(r"\d")
_UPRIGHT = re.compile(r"\\(?:text|mathrm)\s*|[{}$]")
_YEAR_FIRST = re.compile(
    r"(?P<year>\d{4})\s*[-/.年]\s*(?P<month>\d{1,2})\s*[-/.月]\s*(?P<day>\d{1,2})日?"
)
_DAY_FIRST = re.compile(
    r"(?:the\s+)?(?P<day>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>[a-z]{3,9})\.?"
    r"(?:,?\s*(?P<year>\d{4}))?"
)
_MONTH_FIRST = re.compile(
    r"(?P<month>[a-z]{3,9})\.?\s+(?:the\s+)?(?P<day>\d{1,2})(?:st|nd|rd|th)?"
    r"(?:,?\s*(?P<year>\d{4}))?"
)
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"
_CIRCLED_DIGIT = re.compile(rf"[{_CIRCLED}]")
_BETWEEN_CIRCLED = re.compile(rf"(?<=[{_CIRCLED}])\s*(?=[{_CIRCLED}])")

# Vectors: \hat{i}, \mathbf j, k; factors before them; what would be one
_UNIT_VECTOR = re.compile(
    r"(?:\\(?:hat|vec|mathbf|boldsymbol|bm|overrightarrow|widehat|bf)\s*\{?\s*){0,3}"
    r"\\?(?P<axis>[ijk])(?:math)?\}{0,3}"
)
_COMPONENT = re.compile(r"([-+]?)([^-+@A-Za-z]{0,40}|\\frac[^-+@A-Z]{1,40})@([ijk])")
_AXES = re.compile(r"[ijk](?![A-Za-z])")
_SPACING = re.compile(r"\s|\\(?:left|right|[,;!])|\$")

_END = r"(-?\d{1,9}(?:,\d{3})*(?:\.\d{1,9})?(?:/\d{1,9})?)"
_RANGE = re.compile(
    rf"(?:{words('span')}\s*)?{_END}\s*(?:[-–—~～]|{words('to', 'joins')})\s*{_END}"
    r"(?:\s*[^\W\d_]{2,20}|%)?",
    re.IGNORECASE,
)

# Numbers: three letters or a Chinese character may be one in words; groups by points or by two
_WORDED = re.compile(r"(?<![A-Za-z\\])[A-Za-z]{3}|[\u4e00-\u9fff]")
_WORD_MARKUP = re.compile(r"\\(?:text|mathrm)\s*|[{}$.。]")
_MINUS = re.compile(rf"{words('minus')}\s*", re.IGNORECASE)
_MINUS_BEFORE = re.compile(rf"{words('minus')}\s*(?=[\w\\])")
_FIGURES = re.compile(r"[\d\\]")
_POINTS_GROUP = re.compile(
    r"-?\d{1,3}(?:\.\d{3}){2,5}(?:,\d{1,9})?|-?\d{1,3}(?:\.\d{3})+,\d{1,9}"
)
_INDIAN_GROUPS = re.compile(r"-?\d{1,2}(?:,\d{2}){1,6},\d{3}(?:\.\d{1,9})?")
# Runs of letters outside upright text; two that are a word, where signs stand on both sides.
_UPRIGHT_OR_SHORT = re.compile(
    r"\\(?:text|mathrm|mbox|rm|operatorname)\s*\{[^{}]*\}|(?<![A-Za-z\\])(?P<run>[A-Za-z]{2,3})(?![A-Za-z])"
)
_BETWEEN_SIGNS = re.compile(
    r"(?<=[({\[+*/^=-])(?:a[tns]|b[ey]|i[sft]|o[fn]|to)(?=[)}\]+*/^_=-])"
)
# 7 R 2, 7 remainder 2
_REMAINDER = re.compile(
    r"(?P<quotient>\d{1,15})\s*,?\s*(?:with\s+)?(?:a\s+)?(?:remainder|rem\.?|R|r)\s*(?:of\s+)?"
    r"(?P<rest>\d{1,15})"
)
# N30°E: from the north, or the south, so far to the east, or the west; 030° is the same.
_DEGREES = r"(?:°|\^?\s*\{?\\(?:circ|degree)\s*\}?)"
_COMPASS = re.compile(
    rf"(?P<from>[NS])\s*(?P<angle>\d{{1,2}}(?:\.\d{{1,6}})?)\s*{_DEGREES}\s*(?P<towards>[EW])"
)
_THREE_FIGURES = re.compile(rf"(?P<angle>0\d\d(?:\.\d{{1,6}})?)\s*{_DEGREES}?(?:\s*T)?")
# A constant of integration, in a formula with other letters
_CONSTANT = re.compile(r"(?<![A-Za-z\\{])C(?:_1|_\{1\})?(?![A-Z_^(]|[a-z]{2})")
_VARIABLE = re.compile(r"(?<![A-Za-z\\])[txy](?![A-Za-z])")
_NAME = re.compile(r"\s*\\?[A-Za-z]+(?:_\w)?\s*")


def readings(gold: str, prediction: str) -> Iterator[tuple[str, str, str]]:
    """The name of each further reading that changes a side, and both sides in it.

    >>> list(readings("20", "P(5,2)"))
    [('counting', '20', '((5)!/(5-(2))!)')]
    """
    if len(gold) > LONGEST or len(prediction) > LONGEST:
        return
    for name, rewrite in _READINGS.items():
        gold_read = rewrite(gold)
        prediction_read = rewrite(prediction)
        if gold_read != gold or prediction_read != prediction:
            yield name, gold_read, prediction_read


def _counting(text: str) -> str:
    """Combinations and arrangements as binomials and quotients of factorials."""
    if not _COUNTS_SOMETHING.search(text):
        return text
    for pattern in _COUNTS:
        text = pattern.sub(_count, text)
    return text


def _count(match: re.Match[str]) -> str:
    n, k = (match[name].strip("{} ") for name in "nk")
    if match["kind"] != "C":
        return f"(({n})!/({n}-({k}))!)"
    if n.isdecimal() or k not in ("1", "2", "3"):
        return f"\\binom{{{n}}}{{{k}}}"
    falling = "".join(f"({n}-{j})" for j in range(int(k)))
    return f"({falling}/{k}!)"


def _words(text: str) -> str:
    """A number in English or Chinese words, a sign in words, Chinese comparisons."""
    if not _WORDED.search(text):
        return text
    bare = _WORD_MARKUP.sub(" ", text).strip().lower()
    minus = _MINUS_BEFORE.match(bare)
    amount = bare[minus.end() :] if minus else bare
    numeral = number(amount)
    if numeral and numeral.counts:
        return f"-{figures(numeral)}" if minus else figures(numeral)
    if minus and _FIGURES.match(amount):
        return _MINUS.sub("-", text, count=1)
    count = len(list(numbers(bare)))
    measure = in_figures(bare) if count else ""
    if measure[:1].isdigit() and (count > 1 or quantity(clean(measure))):
        return measure  # three hours twenty minutes, three hours
    for han, sign in _HAN_COMPARED:
        compared = rf"(?<=[A-Za-z0-9}}])\s*{han}\s*(?=[-\d\\A-Za-z])"
        text = re.sub(compared, sign.replace("\\", r"\\"), text)
    return text


def _numerals(text: str) -> str:
    """1.234.567 and 1.234,5 of Europe, 12,34,567 of India; never one group of three alone."""
    bare = text.strip().strip("$")
    if _POINTS_GROUP.fullmatch(bare):
        return bare.replace(".", "").replace(",", ".")
    return bare.replace(",", "") if _INDIAN_GROUPS.fullmatch(bare) else text


def _vectors(text: str) -> str:
    r"""3\hat{i}-\hat{j} as (3,-1)."""
    if not _AXES.search(text):
        return text
    bare = _UNIT_VECTOR.sub(r"@\g<axis>", _SPACING.sub("", text))
    components = _COMPONENT.findall(bare)
    by_axis = {
        axis: f"{sign}{factor.rstrip('*') or 1}" for sign, factor, axis in components
    }
    is_whole = (
        "".join(f"{sign}{factor}@{axis}" for sign, factor, axis in components) == bare
    )
    if not is_whole or len(by_axis) != len(components):
        return text
    if by_axis.keys() <= {"i"}:  # a complex number
        return text
    axes = "ijk" if "k" in by_axis else "ij"
    return f"({','.join(by_axis.get(axis, '0').lstrip('+') for axis in axes)})"


def _circled(text: str) -> str:
    spread = _BETWEEN_CIRCLED.sub(",", text)
    return _CIRCLED_DIGIT.sub(lambda m: str(_CIRCLED.index(m[0]) + 1), spread)


def _dates(text: str) -> str:
    """Days of the calendar in one spelling; 7/4/2020 is left alone: nobody knows its order."""
    if not _DIGIT.search(text):
        return text
    bare = _UPRIGHT.sub("", text).strip(" .").lower()
    if date := _YEAR_FIRST.fullmatch(bare):
        return _date(date, int(date["month"]))
    date = _DAY_FIRST.fullmatch(bare) or _MONTH_FIRST.fullmatch(bare)
    month = _MONTHS.get(date["month"]) if date else None
    return _date(date, month) if date and month else text


def _date(date: re.Match[str], month: int) -> str:
    day = int(date["year"] or 0) * 10000 + month * 100 + int(date["day"])
    return f"\\text{{day}}_{{{day}}}"


def _ranges(text: str) -> str:
    """From 4 to 31, 4-31, 4~31 as the interval between them."""
    match = _RANGE.fullmatch(text.replace("$", "").strip())
    if match is None:
        return text
    low, high = (Fraction(end.replace(",", "")) for end in match.groups())
    return f"[{low},{high}]" if low < high else text


def _letters(text: str) -> str:
    r"""mg\sin\theta as a product, and e^{at}: letters that elsewhere are a unit or a word."""
    text = _UPRIGHT_OR_SHORT.sub(_spaced, text)
    return _BETWEEN_SIGNS.sub(lambda match: " ".join(match[0]), text)


def _spaced(match: re.Match[str]) -> str:
    run = match["run"]
    return " ".join(run) if run in SHORT and len({*run}) == len(run) else match[0]


def _remainders(text: str) -> str:
    """A quotient with what remains: 7 R 2 and 7 remainder 2 in one spelling."""
    division = _REMAINDER.fullmatch(_UPRIGHT.sub("", text).strip(" ."))
    if division is None:
        return text
    return f"({division['quotient']}; {division['rest']})"


def _bearings(text: str) -> str:
    """A direction by the compass or in three figures as degrees from the north, clockwise."""
    bare = text.replace("$", "").strip(" .")
    if direction := _COMPASS.fullmatch(bare):
        angle = Fraction(direction["angle"])
        is_north = direction["from"] == "N"
        is_east = direction["towards"] == "E"
        turn = Fraction(0 if is_north else 180)
        clockwise = angle if is_north == is_east else -angle
        return f"{(turn + clockwise) % 360}^{{\\circ}}"
    if direction := _THREE_FIGURES.fullmatch(bare):
        return f"{Fraction(direction['angle'])}^{{\\circ}}"
    return text


def _constants(text: str) -> str:
    """Constants of integration under one name: C and C_1 as c."""
    return _CONSTANT.sub("c", text) if _VARIABLE.search(text) else text


def _orders(text: str) -> str:
    """a < b < c, all one way, as the list a, b, c."""
    names = text.split("<")
    if len(names) < 3 or not all(map(_NAME.fullmatch, names)):
        return text
    return f"({','.join(names)})"


_READINGS: dict[str, Callable[[str], str]] = {
    "counting": _counting,
    "words": _words,
    "numerals": _numerals,
    "vectors": _vectors,
    "circled": _circled,
    "dates": _dates,
    "range": _ranges,
    "remainder": _remainders,
    "bearing": _bearings,
    "constant": _constants,
    "order": _orders,
    "letters": _letters,
}
