"""How likely two questions are one problem: a sum of few parts, each of which can be explained.

Every part is evidence in log-odds, so parts add up:

wording   rare words in common, as the cosine of their vectors beside that of the nearest relative
numbers   rare numbers in common, in numerals or words
options   rare options in common
answer    the same value: the rarer it is in the set, the more it says; graded, not spelled
picture   correlation of the two drawings at 16 x 16
meaning   cosine of their embeddings, where there are any
order     pairs just before and just after them are alike as well: two sources in one order
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..pipeline import Engine
from .gallery import Look
from .items import LONGEST, Item
from .keys import NUMBER
from .meaning import NEAR, meaning_cosines, near_meanings
from .signatures import Ints
from .tokens import Tokens, mapped, tokens_of
from .values import answer_value, chosen, equal_values, option_values, value_key
from .wording import Vectors, cosines, neighbours, only, stems, vectors_of

WORDING, NUMBERS, OPTIONS, PICTURE, ORDER = 6.0, 2.0, 1.0, 2.0, 2.0  # log-odds at full agreement
MEANING = 2.0  # a model of sentences knows topics better than problems
RARITY, LETTER, OTHER = 0.6, 2.0, -0.7  # per unit of information; a bare letter; another value
RAREST = 7.0  # information of an answer counted at most: one in a thousand
PRIOR = -9.0  # two questions that have nothing in common
FEW = 8  # questions with the same options up to which these make pairs
BEFORE = 8  # positions in which the order of two sources may differ
LISTED = -3.0  # log-odds from which a pair is proposed
LIKELY = -0.2  # and taken for one problem: a missed link costs more than one too many

_ratio = re.compile(r"(?:\\frac )?(\d+(?:\.\d+)?) (?:[/:] )?(\d+(?:\.\d+)?)")


class Likeness(NamedTuple):
    """Pairs of positions, the evidence of each part, and the sum in log-odds."""

    a: Ints
    b: Ints
    parts: dict[str, Any]
    sum: Any


def likeness(
    items: Sequence[Item],
    seen: dict[Path, Look],
    others: Sequence[tuple[int, int]] = (),
    family: Mapping[int, int] | None = None,
    tokens: Tokens | None = None,
    engine: Engine | None = None,
    vectors: Any = None,
) -> Likeness:
    """Evidence on all pairs of questions near in wording and on the `others` given (a < b).

    Of a `family` (position -> first position) and of equal keys only the first looks for relatives.
    `tokens` are those of `key_tokens`, where they are at hand, `vectors` embeddings of questions.
    """
    tokens = mapped(tokens or key_tokens(items), stems)
    words = vectors_of(tokens)
    numbers = vectors_of(mapped(tokens, NUMBER.findall))
    firsts = {item.key: k for k, item in reversed(list(enumerate(items)))}
    looks = np.array(
        [firsts[i.key] == (family or {}).get(k, k) == k for k, i in enumerate(items)],
        dtype=bool,
    )
    near_a, near_b = neighbours(only(words, looks), engine)
    total = max(len(items), 1)
    given = np.array([a * total + b for a, b in [*others, *_same_options(items)]], np.int64)
    codes = [near_a * total + near_b, given]
    if vectors is not None:
        near_a, near_b = near_meanings(vectors)
        codes.append(near_a * total + near_b)
    a, b = np.divmod(np.unique(np.concatenate(codes)), total)
    cosine = cosines(words, a, b)
    best = np.full(len(items), 0.05)
    for side in (a, b):
        np.maximum.at(best, side, cosine)
    parts = {
        "wording": WORDING * cosine / np.sqrt(np.maximum(best[a], best[b])),
        "numbers": NUMBERS * cosines(numbers, a, b),
        "options": OPTIONS * cosines(_options(items), a, b),
        "picture": PICTURE * _pictures(items, seen, a, b),
    }
    if vectors is not None:
        shared = (meaning_cosines(vectors, a, b) - NEAR) / (1 - NEAR)
        parts["meaning"] = MEANING * np.maximum(shared, 0)
    so_far = PRIOR + np.sum(list(parts.values()), axis=0)
    answers = _Answers(items)
    spelled = answers.spelled(a, b)
    parts["order"] = ORDER * _order(a, b, so_far + spelled, len(items))
    parts["answer"] = answers.graded(a, b, spelled, so_far + parts["order"])
    return Likeness(a, b, parts, so_far + parts["order"] + parts["answer"])


def key_tokens(items: Sequence[Item]) -> Tokens:
    """The parts of every key as spaces part them; a very long one has none."""
    return tokens_of(i.key.split() if len(i.key) <= LONGEST else () for i in items)


def probability(log_odds: float) -> float:
    """
    >>> probability(0.0), probability(-3.0)
    (0.5, 0.0474)
    """
    return round(float(1 / (1 + np.exp(-log_odds))), 4)


def marks(key: str) -> frozenset[str]:
    r"""Numbers, words and the quotient of a value: two without one in common are not graded.

    >>> sorted(marks("\\frac 1 2")), sorted(marks("0.5")), sorted(marks("two cm"))
    (['0.5', '1', '2'], ['0.5'], ['2', 'cm'])
    """
    found = {_plain(word) for word in stems(key)}
    if (ratio := _ratio.search(key)) and float(ratio[2]):
        found.add(f"{float(ratio[1]) / float(ratio[2]):g}")
    return frozenset(found or key.split())


def _plain(word: str) -> str:
    return f"{float(word):g}" if NUMBER.fullmatch(word) else word


def _options(items: Sequence[Item]) -> Vectors:
    return vectors_of([value_key(text) for text in option_values(item)] for item in items)


def _same_options(items: Sequence[Item]) -> Iterator[tuple[int, int]]:
    """Pairs with the same three or more options, unless many have them."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for position, item in enumerate(items):
        options = tuple(sorted(map(value_key, option_values(item))))
        if len(options) >= 3:
            groups.setdefault(options, []).append(position)
    for rows in groups.values():
        if len(rows) <= FEW:
            yield from combinations(rows, 2)


def _pictures(items: Sequence[Item], seen: dict[Path, Look], a: Ints, b: Ints) -> Any:
    """The best correlation of a drawing of one with a drawing of the other, at least 0."""
    out = np.zeros(len(a))
    drawings = [
        [seen[p].thumbnail for p in i.pictures if p in seen and seen[p].corners] for i in items
    ]
    for k, (x, y) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        if drawings[x] and drawings[y]:
            out[k] = max(float(p @ q) for p in drawings[x] for q in drawings[y])
    return np.maximum(out, 0)


class _Answers:
    """The evidence of the answers: first as they are spelled, then graded where it matters."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.values = [answer_value(item) for item in items]
        keys = [value_key(value) for value in self.values]
        count = Counter(key for key in keys if key)
        told = {key: min(RAREST, float(np.log(count.total() / n))) for key, n in count.items()}
        self.told = RARITY * np.array([told.get(key, 0.0) for key in keys])
        numbers = {key: k for k, key in enumerate(dict.fromkeys(keys))}
        self.keys = np.array([numbers[key] if key else -1 for key in keys], np.int64)
        letters = ["".join(chosen(item)) for item in items]
        numbers = {key: k for k, key in enumerate(dict.fromkeys(letters))}
        self.letters = np.array([numbers[key] if key else -1 for key in letters], np.int64)
        self.marks = [marks(key) for key in keys]

    def spelled(self, a: Ints, b: Ints) -> Any:
        valued = (self.keys[a] >= 0) & (self.keys[b] >= 0)
        equal = np.where(self.keys[a] == self.keys[b], self.told[a], OTHER)
        letter = (self.letters[a] >= 0) & (self.letters[a] == self.letters[b])
        return np.where(valued, equal, np.where(letter, LETTER, 0.0))

    def graded(self, a: Ints, b: Ints, spelled: Any, rest: Any) -> Any:
        told = np.minimum(self.told[a], self.told[b])
        open_ = (spelled == OTHER) & (rest + told >= LISTED)
        out = spelled.copy()
        for k in np.flatnonzero(open_).tolist():
            x, y = a[k], b[k]
            if self.marks[x] & self.marks[y] and equal_values(self.values[x], self.values[y]):
                out[k] = told[k]
        return out


def _order(a: Ints, b: Ints, so_far: Any, total: int) -> Any:
    """How sure the surest pair shortly before is, plus the surest shortly after, each up to 1.

    Only for pairs further apart than both reach: neighbours support nobody.
    """
    sure = np.clip((so_far + 4) / 5, 0, 1)
    apart = b - a > 2 * BEFORE
    supporters = np.flatnonzero(apart & (sure > 0))
    width = total + BEFORE
    codes, sure = a[supporters] * width + b[supporters], sure[supporters]  # ascending, as pairs are
    wanted = np.flatnonzero(apart & (so_far > LISTED - 2 * ORDER))
    out = np.zeros(len(a))
    for sign in (-1, 1):
        best = np.zeros(len(wanted))
        for down in range(1, BEFORE + 1):
            near = (a[wanted] + sign * down) * width + b[wanted] + (1 if sign > 0 else -BEFORE)
            first = np.searchsorted(codes, near)
            last = np.searchsorted(codes, near + BEFORE)
            for k in range(int((last - first).max(initial=0))):
                some = np.flatnonzero(first + k < last)
                best[some] = np.maximum(best[some], sure[first[some] + k])
        out[wanted] += best
    return out
