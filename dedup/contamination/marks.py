"""Words and numbers of a text as arrays: what they are by their beginnings, and where they stand.

A paragraph that says a problem in other words keeps its rarer words and its numbers, and most of
them stay near each other: pairs of them are what a paraphrase is found by. A translation keeps the
numbers and their order: it is found by three numbers in a row.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ...words import CARDINALS, SPOKEN_NUMBERS
from ..signatures import Ints
from .folding import lower

STEM = 4  # bytes of a word that its inflected forms have in common
LONG = 7  # ... of a word in another script, whose letters are of two bytes or more
DIGITS = 8  # of a number that are read
NEAR = 5  # marks behind one that pairs are made with
IN_A_ROW = 4  # numbers of which three in their order are a triple
_OTHER, _LETTER, _DIGIT, _HAN = range(4)
_number = np.uint64(1 << 63)
_beyond = np.uint64(0x80)
_one = _number | np.uint64(1)
_first = np.uint64(0x9E3779B97F4A7C15)
_second = np.uint64(0xC2B2AE3D27D4EB4F)
_shift = np.uint64(29)


def _kinds() -> bytes:
    kinds = bytearray(256)
    for code in range(256):
        if 0xE3 <= code <= 0xED:  # the first byte of a sign of a script without spaces
            kinds[code] = _HAN
        elif chr(code).isascii() and chr(code).isdigit():
            kinds[code] = _DIGIT
        elif (code >= 0x80 and code != 0xE2) or chr(code).isalpha() or code == ord("_"):
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
        return (self.codes < _number) & (self.codes > 0xFF)

    @property
    def numbers(self) -> Marks:
        """The numbers but one, which most languages have as an article, and none behind a letter.

        >>> len(marks_of(b"3 of 5 eggs, not 8b5b or x_4").numbers.codes)
        3
        """
        are_letters = (self.codes < _number) & ((self.codes & _beyond) == 0)
        glued = np.zeros(len(self.codes), bool)
        touches = self.ends[:-1] == self.starts[1:]
        glued[1:] = are_letters[:-1] & touches
        is_number = self.codes >= _number
        is_one = self.codes == _one
        return self.some(is_number & ~is_one & ~glued)

    def some(self, chosen: Any) -> Marks:
        """Those of a mask or a slice."""
        return Marks(self.codes[chosen], self.starts[chosen], self.ends[chosen])


def marks_of(data: bytes) -> Marks:
    """The words and numbers of a text in UTF-8; numbers in words of any language are numbers.

    >>> a, b = (marks_of(text).codes for text in (b"Three ducks, 1,200!", b"3 duck 1200"))
    >>> a.tolist() == b.tolist()
    True
    """
    small = lower(data)
    kinds = np.frombuffer(small.translate(_kind_of), np.uint8)
    if not len(kinds):
        return Marks(
            np.empty(0, np.uint64), np.empty(0, np.int64), np.empty(0, np.int64)
        )
    bound = np.ones(len(kinds), bool)
    bound[1:] = kinds[1:] != kinds[:-1]
    if not data.isascii():
        bound |= kinds == _HAN
        bound[1:] &= (kinds[:-1] != _HAN) | (kinds[1:] != _LETTER)
    starts = np.flatnonzero(bound)
    ends = np.append(starts[1:], len(kinds))
    kind = kinds[starts]
    kept = kind != _OTHER
    starts, ends, kind = starts[kept], ends[kept], kind[kept]
    sizes = ends - starts
    padded = np.frombuffer(small + bytes(8), np.uint8)
    at_each: Any = np.ndarray((len(kinds),), "<u8", padded, strides=(1,))
    eights = at_each[starts]
    codes = _stems(eights, sizes)
    digits = np.flatnonzero(kind == _DIGIT)
    codes[digits] = _number | _values(eights[digits], sizes[digits])
    return _thousands(Marks(codes, starts, ends), small, kind == _DIGIT)


def _stems(eights: Any, sizes: Ints) -> Any:
    is_plain = (eights & np.uint64(0x80)) == 0
    kept = np.minimum(sizes, np.where(is_plain, STEM, LONG))
    codes = eights & _masks[kept]
    whole = eights & _masks[np.minimum(sizes, 8)]
    some = np.flatnonzero(_may_be_spoken.has(whole))
    at = np.searchsorted(_spoken_codes, whole[some])
    at = np.minimum(at, len(_spoken_codes) - 1)
    spoken = _spoken_codes[at] == whole[some]
    codes[some[spoken]] = _spoken_values[at[spoken]]
    return codes


def _values(eights: Any, sizes: Ints) -> Any:
    value: Any = np.zeros(len(eights), np.uint64)
    ten, zero = np.uint64(10), np.uint64(ord("0"))
    for place in range(DIGITS):
        shift = np.uint64(8 * place)
        byte = (eights >> shift) & np.uint64(0xFF)
        digit = byte - zero
        longer = value * ten + digit
        value = np.where(place < sizes, longer, value)
    return value


def _thousands(marks: Marks, small: bytes, is_number: Any) -> Marks:
    """Two numbers as one where a comma or point between them parts thousands."""
    if len(marks.codes) < 2:
        return marks
    sizes = marks.ends - marks.starts
    near = is_number[:-1] & is_number[1:] & (marks.starts[1:] == marks.ends[:-1] + 1)
    near &= (sizes[:-1] <= 3) & (sizes[1:] == 3)
    first = np.flatnonzero(near)
    if not len(first):
        return marks
    sign = np.frombuffer(small, np.uint8)[marks.ends[first]]
    first = first[(sign == ord(",")) | (sign == ord("."))]
    codes, ends = marks.codes.copy(), marks.ends.copy()
    before = codes[first] & ~_number
    behind = codes[first + 1] & ~_number
    thousands = before * np.uint64(1000)
    codes[first] = _number | (thousands + behind)
    ends[first] = ends[first + 1]
    kept = np.ones(len(codes), bool)
    kept[first + 1] = False
    return Marks(codes[kept], marks.starts[kept], ends[kept])


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


def pairs(marks: Marks) -> tuple[Any, Ints, Ints]:
    """Two marks near each other, in any order, and the bytes where they begin and end."""
    hashes, starts, ends = list[Any](), list[Ints](), list[Ints]()
    codes = marks.codes
    for apart in range(1, NEAR + 1):
        one, other = codes[:-apart], codes[apart:]
        lesser = np.minimum(one, other) * _first
        greater = np.maximum(one, other) * _second
        hashes.append(lesser ^ greater)
        starts.append(marks.starts[:-apart])
        ends.append(marks.ends[apart:])
    mixed = np.concatenate(hashes)
    mixed ^= mixed >> _shift
    return mixed * _first, np.concatenate(starts), np.concatenate(ends)


def triples(marks: Marks) -> tuple[Any, Ints, Ints]:
    """Three numbers in their order, of IN_A_ROW that follow each other."""
    hashes, starts, ends = list[Any](), list[Ints](), list[Ints]()
    codes = marks.codes
    count = len(codes)
    for second, third in combinations(range(1, IN_A_ROW), 2):
        size = max(count - third, 0)
        middle = codes[second : second + size]
        end = codes[third : third + size]
        mixed = codes[:size] * _first
        mixed ^= mixed >> _shift
        mixed ^= middle
        mixed *= _second
        mixed ^= mixed >> _shift
        mixed ^= end
        hashes.append(mixed * _first)
        starts.append(marks.starts[:size])
        ends.append(marks.ends[third : third + size])
    return np.concatenate(hashes), np.concatenate(starts), np.concatenate(ends)
