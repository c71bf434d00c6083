"""In one language: things that changed places, by the words around them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

from ...latex import CJK, maths_spans
from .words import is_idle

# What may stand between two things that can change places: "x and y", "AB平行于CD".
_SYMMETRIC = frozenset(
    "and or plus times congruent similar parallel perpendicular intersect intersects"
    " meet meets 、 和 与 及 或 加 乘 平 行 垂 直 相 交 似 全 by".split()
)
_FILLING = frozenset("is are be to the of with both 于 于点 是 且".split())
_ORDERED = re.compile(
    r"(?i)\brespectively\b|\bratio\b|\bdifference\b|\bquotient\b|\border(?:ed)?\b|分别|依次|比|差|商"
)
_TOKEN = re.compile(rf"[{CJK}]|[A-Za-z]+(?:'[a-z]+)?|\d+(?:[.,]\d+)*|[-+*/=<>≤≥≠:%°]")
LONGEST, REACH, STARTS = 3, 240, 48  # tokens of a thing; tokens looked at; places tried
_END = ("", "")


def tokens(text: str) -> list[str]:
    """Words without their plural s, Chinese characters, numbers, signs; a formula is one token."""
    out: list[str] = []
    position = 0
    for span in [*maths_spans(text), None]:
        prose = text[position : span.start if span else len(text)]
        out += filter(None, (_word(word) for word in _TOKEN.findall(prose)))
        if span:
            out.append("$" + "".join(span.tex.split()))
            position = span.end
    return out


def _word(word: str) -> str:
    if word.isascii() and word.isalpha() and not (word.isupper() and word not in ("A", "I")):
        word = word.lower()
        if word in ("the", "a", "an"):
            return ""
        return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word
    return word


def changed_places(before: str, after: str) -> str:
    """Two things of one text that have changed places: putting them back restores the wording.

    >>> changed_places("Tom is older than Ann.", "Ann is older than Tom.")
    "roles: 'ann' and 'tom' have changed places"
    >>> changed_places("If $x=3$, find $y$.", "Find $y$ if $x=3$.")
    ''
    """
    old, new = ([*_END, *tokens(text)[:REACH], *_END] for text in (before, after))
    if crossed := _crossed_in_place(old, new) or _crossed_words(old, new):
        return crossed
    known = set(_grams(old))
    disturbed = [
        k for k in range(2, len(new) - 2)
        if any(gram not in known for gram in _grams(new[k - 2 : k + 3]))
    ][:STARTS]  # fmt: skip
    counts = Counter(old), Counter(new)
    ordered = bool(_ORDERED.search(before))
    for first, second in _pairs(disturbed, len(new) - 2):
        one, two = new[slice(*first)], new[slice(*second)]
        if (
            one == two
            or _figures(one) != _figures(two)
            or any(counts[0][t] != counts[1][t] for t in (*one, *two))
        ):
            continue
        between = new[first[1] : second[0]]
        if _symmetric(between) and not ordered:
            continue
        start, end = first[0] - 2, second[1] + 2
        back = [*new[start : first[0]], *two, *between, *one, *new[second[1] : end]]
        gain = _known(back, known) - _known(new[start:end], known)
        if gain >= 4 and _held(back, known) and _differ(one, two):
            return f"roles: {' '.join(one)!r} and {' '.join(two)!r} have changed places"
    return ""


def _differ(one: list[str], two: list[str]) -> bool:
    """Does each say something, and not the same as the other? 跑了 is 跑."""
    said = [[word for word in words if not is_idle(word)] for words in (one, two)]
    return bool(said[0] and said[1]) and said[0] != said[1]


def _crossed_in_place(old: list[str], new: list[str]) -> str:
    """Two numbers that have changed places in wording that is the same around both."""
    one_masked, two_masked = (
        ["#" if t[:1].isdigit() else t for t in words] for words in (old, new)
    )
    pairs = set()
    for one, two, size in SequenceMatcher(
        None, one_masked, two_masked, autojunk=False
    ).get_matching_blocks():
        for k in range(2, size):
            if one_masked[one + k] == "#" and "#" not in one_masked[one + k - 2 : one + k]:
                pairs.add((old[one + k], new[two + k]))
    for first, second in sorted(pairs):
        if first < second and (second, first) in pairs:
            return f"roles: {first!r} and {second!r} have changed places"
    return ""


def _crossed_words(old: list[str], new: list[str]) -> str:
    """One pair, and only one, that is exchanged in wording that is otherwise the same."""
    changes = {
        (tuple(old[a:b]), tuple(new[c:d])): (b, c)
        for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if kind == "replace" and b - a == d - c <= LONGEST
    }
    crossed = [pair for pair in changes if pair[::-1] in changes and pair[0] < pair[1]]
    if len(crossed) != 1:
        return ""
    [(one, two)] = crossed
    if not _differ(list(one), list(two)):
        return ""
    (end, _), (start, _) = sorted((changes[one, two], changes[two, one]))
    between = old[end : start - len(two)]
    if _symmetric(between) and not _ORDERED.search(" ".join(old)):
        return ""
    return f"roles: {' '.join(one)!r} and {' '.join(two)!r} have changed places"


def _figures(words: list[str]) -> bool:
    return all(word[0].isdigit() for word in words)


def _held(back: list[str], known: set[tuple[str, ...]]) -> bool:
    """Most of what stands there after putting things back stood there before."""
    grams = list(_grams(back))
    return sum(gram in known for gram in grams) >= 0.7 * len(grams)


def _pairs(starts: list[int], end: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Pairs of stretches with something between them, short ones first."""
    for long in range(1, LONGEST + 1):
        for k, one in enumerate(starts):
            for two in starts[k + 1 :]:
                for other in range(1, LONGEST + 1):
                    if one + long < two and two + other <= end:
                        yield (one, one + long), (two, two + other)


def _grams(words: list[str]) -> Iterator[tuple[str, ...]]:
    for size in (2, 3):
        yield from (tuple(words[k : k + size]) for k in range(len(words) - size + 1))


def _known(words: list[str], known: set[tuple[str, ...]]) -> int:
    return sum(gram in known for gram in _grams(words))


def _symmetric(between: list[str]) -> bool:
    words = set(between)
    return bool(words & _SYMMETRIC) and words <= _SYMMETRIC | _FILLING
