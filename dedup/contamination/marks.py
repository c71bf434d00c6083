"""Words and numbers of a text as arrays: what they are by their beginnings, and where they stand.

A paragraph that says a problem in other words keeps its rarer words and its numbers, and most of
them stay near each other: pairs of them are what a paraphrase is found by. A translation keeps the
numbers and their order: it is found by three numbers in a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from ...words import CARDINALS, HAN_NUMERALS, SPOKEN_NUMBERS, number
from ..signatures import Ints
from .folding import BETWEEN, lower

STEM = 4  # bytes of a word that its inflected forms have in common
LONG = 7  # ... of a word in another script, whose letters are of two bytes or more
DIGITS = 8  # of a number that are read
GROUP = 4  # digits of a thousand, and the sign that parts it from the next
NEAR = 5  # marks behind one that pairs are made with
IN_A_ROW = 4  # numbers of which three in their order are a triple
_OTHER, _LETTER, _DIGIT, _HAN = range(4)
_number = np.uint64(1 << 63)
_beyond = np.uint64(0x80)
_one = _number | np.uint64(1)
_first = np.uint64(0x9E3779B97F4A7C15)
_second = np.uint64(0xC2B2AE3D27D4EB4F)
_shift = np.uint64(29)
_letters, _byte = np.uint64(0xFF), np.uint64(8)
_figures = np.uint64(0x0F0F0F0F0F0F0F0F)
_halves = [
    (np.uint64(8), np.uint64(10), np.uint64(0x00FF00FF00FF00FF)),
    (np.uint64(16), np.uint64(100), np.uint64(0x0000FFFF0000FFFF)),
    (np.uint64(32), np.uint64(10_000), np.uint64(0x00000000FFFFFFFF)),
]


def _kinds() -> bytes:
    kinds = bytearray(256)
    for code in range(256):
        is_of_a_word = chr(code).isalpha() or code == ord("_")
        if 0xE3 <= code <= 0xED:  # the first byte of a sign of a script without spaces
            kinds[code] = _HAN
        elif ord("0") <= code <= ord("9"):
            kinds[code] = _DIGIT
        elif is_of_a_word or (code >= 0x80 and code != 0xE2):
            kinds[code] = _LETTER
    return bytes(kinds)


_kind_of = _kinds()
_masks = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)


class Marks(NamedTuple):
    """Words and numbers in their order: a code each, and the bytes where they begin and end."""

    codes: Any
    starts: Ints
    ends: Ints

    @property
    def are_numbers(self) -> Any:
        return self.codes >= _number

    @property
    def are_words(self) -> Any:
        """Not numbers, nor single letters."""
        return (self.codes < _number) & (self.codes > _letters)

    @property
    def numbers(self) -> Marks:
        """The numbers but one, which most languages have as an article, and none behind a letter.

        >>> len(marks_of(b"3 of 5 eggs, not 8b5b or x_4").numbers.codes)
        3
        """
        is_one = self.codes == _one
        some = np.flatnonzero(self.are_numbers & ~is_one)
        before = np.maximum(some - 1, 0)
        code = self.codes[before]
        is_latin = (code & _beyond) == 0
        is_letter = is_latin & (code < _number)
        is_glued = is_letter & (self.ends[before] == self.starts[some])
        return self.some(some[~is_glued])

    def some(self, chosen: Any) -> Marks:
        """Those of a mask, of numbers or of a slice."""
        if not isinstance(chosen, slice) and chosen.dtype == bool:
            chosen = np.flatnonzero(chosen)
        return Marks(self.codes[chosen], self.starts[chosen], self.ends[chosen])


def marks_of(data: bytes) -> Marks:
    """The words and numbers of a text in UTF-8; numbers in words of any language are numbers.

    >>> a, b = (marks_of(text).codes for text in (b"Three ducks, 1,200!", b"3 duck 1200"))
    >>> a.tolist() == b.tolist()
    True
    """
    # With eight bytes behind it, all words can be read as eight bytes.
    small = lower(data) + bytes(8)
    kinds = np.frombuffer(bytearray(small.translate(_kind_of)), np.uint8)
    points = _thousands(np.frombuffer(small, np.uint8), kinds)
    kinds[points] = _DIGIT
    begins = np.ones(len(kinds), bool)
    before, after = kinds[:-1], kinds[1:]
    np.not_equal(after, before, out=begins[1:])
    if not data.isascii():
        is_han = kinds == _HAN
        begins |= is_han
        begins[1:] &= ~is_han[:-1] | (after != _LETTER)
    are_marks = kinds != _OTHER
    starts = np.flatnonzero(begins & are_marks)
    is_last = begins[1:] & are_marks[:-1]
    ends = np.flatnonzero(is_last) + 1
    if b"\\" in data:  # a command says how a formula looks
        is_command = np.frombuffer(small, np.uint8)[starts - 1] == ord("\\")
        kept = np.flatnonzero(~is_command | (kinds[starts] == _DIGIT))
        starts, ends = starts[kept], ends[kept]
    at_each: Any = np.ndarray((len(data),), "<u8", small, strides=(1,))
    eights = at_each[starts]
    sizes = ends - starts
    whole = eights & _masks.take(sizes, mode="clip")
    codes = _stems(whole)
    digits = np.flatnonzero(kinds[starts] == _DIGIT)
    eights, sizes = eights[digits], sizes[digits]
    rows = np.searchsorted(starts[digits], points, side="right") - 1
    _without_point(eights, sizes, rows, points - starts[digits][rows])
    codes[digits] = _number | _values(eights, sizes)
    if not data.isascii():
        _read_han(small, whole, Marks(codes, starts, ends))
    return Marks(codes, starts, ends)


def marks_of_each(texts: Sequence[bytes]) -> list[Marks]:
    """The marks of many short texts, with places in each."""
    marks = marks_of(BETWEEN.join(texts))
    begins = starts_of(texts)
    bounds: list[int] = np.searchsorted(marks.starts, np.asarray(begins)).tolist()
    stretches = (slice(low, high) for low, high in pairwise(bounds))
    each = [marks.some(stretch) for stretch in stretches]
    return [
        Marks(some.codes, some.starts - begin, some.ends - begin)
        for some, begin in zip(each, begins.tolist(), strict=False)
    ]


def starts_of(parts: Sequence[bytes]) -> Ints:
    """Where each of some texts begins when all are joined, and where another one would."""
    lengths = [len(part) + len(BETWEEN) for part in parts]
    return np.cumsum([0, *lengths])


def _stems(whole: Any) -> Any:
    """Codes of words by their first eight bytes: their stems, or numbers that they say."""
    is_latin = (whole & _beyond) == 0
    mask = np.where(is_latin, _masks[STEM], _masks[LONG])
    codes = whole & mask
    has_index = codes >> _byte == ord("_")
    codes[has_index] &= _letters  # a letter with an index is one
    some = np.flatnonzero(_may_be_spoken.has(whole))
    at = np.searchsorted(_spoken_codes, whole[some])
    at = np.minimum(at, len(_spoken_codes) - 1)
    spoken = _spoken_codes[at] == whole[some]
    codes[some[spoken]] = _spoken_values[at[spoken]]
    return codes


def _read_han(small: bytes, whole: Any, marks: Marks) -> None:
    """Gives Han numerals in a row the number that they say together, at the first of them."""
    numerals = np.flatnonzero(_may_be_han.has(whole))
    numerals = numerals[np.isin(whole[numerals], _han_codes)]
    follows = np.zeros(len(numerals) + 1, bool)
    ends = marks.ends[numerals[:-1]]
    follows[1:-1] = ends == marks.starts[numerals[1:]]
    heads = np.flatnonzero(~follows[:-1] & follows[1:])
    tails = np.flatnonzero(follows[:-1] & ~follows[1:])
    for head, tail in zip(
        numerals[heads].tolist(), numerals[tails].tolist(), strict=True
    ):
        value = _han_value(small[marks.starts[head] : marks.ends[tail]])
        marks.codes[head : tail + 1] = 0
        marks.codes[head] = _number | np.uint64(value)
        marks.ends[head] = marks.ends[tail]


@cache
def _han_value(numeral: bytes) -> int:
    read = number(numeral.decode())
    return int(read.value) % 10**DIGITS if read else 0


def _thousands(small: Any, kinds: Any) -> Ints:
    """The commas and points that part the first thousands of numbers."""
    is_digit = kinds == _DIGIT
    is_sign = (small == ord(",")) | (small == ord("."))
    is_between = is_digit[:-2] & is_digit[2:]
    at: Any = np.flatnonzero(is_sign[1:-1] & is_between) + 1
    two_more = is_digit[at + 2] & is_digit[at + 3]
    three = two_more & ~is_digit[at + 4]
    # Before the text, too, no digits are: places below zero are those of the zero bytes behind it.
    few = ~(is_digit[at - 2] & is_digit[at - 3] & is_digit[at - 4])
    at = at[three & few]
    is_second = np.zeros(len(at), bool)
    is_second[1:] = np.diff(at) == GROUP
    return at[~is_second]


def _without_point(eights: Any, sizes: Ints, rows: Ints, places: Ints) -> None:
    """Takes the sign at a place out of each of some numbers."""
    shift = (8 * places).astype(np.uint64)
    number = eights[rows]
    before = number & _masks[places]
    behind = number >> (shift + np.uint64(8))
    eights[rows] = before | (behind << shift)
    sizes[rows] -= 1


def _values(eights: Any, sizes: Ints) -> Any:
    """What so many figures each say, two, four and eight of them at once."""
    sizes = np.minimum(sizes, DIGITS)
    left_out = (8 * (DIGITS - sizes)).astype(np.uint64)
    value = (eights & _figures) << left_out
    for bits, power, mask in _halves:
        value = (value * power + (value >> bits)) & mask
    return value


class Vocabulary:
    """A set of marks by their codes; few that are not in it are taken for some that are."""

    def __init__(self, codes: Any) -> None:
        self._has = np.zeros(1 << 18, bool)
        self._has[self._cells(codes)] = True

    @staticmethod
    def _cells(codes: Any) -> Any:
        return ((codes * _first) >> np.uint64(64 - 18)).astype(np.int64)

    def of(self, marks: Marks) -> Marks:
        """The marks that are in the set."""
        return marks.some(self.has(marks.codes))

    def has(self, codes: Any) -> Any:
        """Of each code whether it is in the set."""
        return self._has[self._cells(codes)]


def _spoken() -> tuple[Any, Any]:
    """Numbers in words of all languages: the beginnings of the words, and the codes of the values.

    Words that two languages have for two numbers say none.
    """
    by_code: dict[int, set[int]] = {}
    for word, value in [*SPOKEN_NUMBERS, *CARDINALS.items()]:
        data = word.encode()
        if value != 1 and (len(data) > 2 or data.isascii()):
            code = int.from_bytes(data[:8], "little")
            by_code.setdefault(code, set()).add(value)
    single = {code: min(some) for code, some in by_code.items() if len(some) == 1}
    codes = np.array(sorted(single), np.uint64)
    values = np.array([single[code] for code in sorted(single)], np.uint64)
    return codes, _number | values


_spoken_codes, _spoken_values = _spoken()
_may_be_spoken = Vocabulary(_spoken_codes)
_han_codes = np.array(
    [int.from_bytes(sign.encode(), "little") for sign in HAN_NUMERALS], np.uint64
)
_may_be_han = Vocabulary(_han_codes)


class Near(NamedTuple):
    """Marks near each other: in each line a hash for every mark and one so many behind it."""

    grams: Any
    apart: list[int]
    marks: Marks

    def bounds(self, rows: Ints) -> tuple[Ints, Ints]:
        """The bytes where some of them begin and end."""
        line, first = np.divmod(rows, max(len(self.marks.codes), 1))
        last = first + np.array(self.apart)[line]
        return self.marks.starts[first], self.marks.ends[last]


def pairs(marks: Marks) -> Near:
    """Two marks near each other, in any order."""
    mixed = marks.codes * _first
    mixed ^= mixed >> _shift
    mixed *= _second
    apart = list(range(1, NEAR + 1))
    grams = np.zeros((NEAR, len(mixed)), np.uint64)
    for line, k in zip(grams, apart, strict=True):
        np.add(mixed[:-k], mixed[k:], out=line[:-k])
    return Near(grams.ravel(), apart, marks)


def triples(marks: Marks) -> Near:
    """Three numbers in their order, of IN_A_ROW that follow each other."""
    codes = marks.codes
    ways = list(combinations(range(1, IN_A_ROW), 2))
    grams = np.zeros((len(ways), len(codes)), np.uint64)
    for line, (second, third) in zip(grams, ways, strict=True):
        size = max(len(codes) - third, 0)
        mixed = codes[:size] * _first
        mixed ^= mixed >> _shift
        mixed ^= codes[second : second + size]
        mixed *= _second
        mixed ^= mixed >> _shift
        mixed ^= codes[third : third + size]
        np.multiply(mixed, _first, out=line[:size])
    return Near(grams.ravel(), [third for _, third in ways], marks)
