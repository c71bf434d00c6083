"""How likely two questions are one problem: a sum of few parts, each of which can be explained.

Every part is evidence in log-odds, so parts add up:

wording   rare words in common, as the cosine of their vectors beside that of the nearest relative
numbers   rare numbers in common, in numerals or words
formulas  how much of the formulas is alike, where questions are made of them: at most 0
marks     of two languages, the formulas and numbers in common in place of words
contained the one stands in the other
options   rare options in common
answer    the same value: the rarer it is in the set, the more it says
picture   correlation of the two drawings at 16 x 16
meaning   cosine of their embeddings, where there are any
order     pairs just before and just after them are alike as well: two sources in one order
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ..base.terminal import steadily
from ..pipeline import Engine, chunked
from .formula_tokens import languages_of, marks_of, unmarked
from .item_store import ItemStore
from .items import LONGEST, Item
from .keys import NUMBER, words_of
from .meaning import NEAR, meaning_cosines, near_meanings
from .picture_index import PictureIndex
from .signatures import Ints
from .tokens import Rows, Tokens, mapped, tokens_of
from .values import Print, Values, fingerprints, value_key
from .wording import (
    FEWEST,
    HELD,
    Vectors,
    cosines,
    neighbours,
    shared_weight,
    stems,
    vectors_of,
)

WORDING, NUMBERS, OPTIONS, PICTURE, ORDER = (
    6.0,
    2.0,
    1.0,
    2.0,
    2.0,
)  # log-odds at full agreement
MEANING = 2.0  # a model of sentences knows topics better than problems
RARITY, LETTER, OTHER = (
    0.6,
    2.0,
    -0.7,
)  # per unit of information; a bare letter; another value
RAREST = 7.0  # information of an answer counted at most: one in a thousand
PRIOR = -9.0  # two questions that have nothing in common
# Of two languages: what is lost without words, the share of all formulas and numbers, what they
# tell (per nat, at most so many), the answer's value, another value. Fitted (logistic) on two
# thirds of MGSM beside GSM8K and GSM-Hard, and of a textbook in two editions.
MUTE, SHARED, TOLD, MOST, SAID, CONTRADICTED = -6.0, 12.5, 0.5, 14.0, 1.5, -2.4
NAT = 1.2  # per character of a number or formula, in a set too small to tell how rare it is
CONTAINED, ALIGNED, WHOLE, SHORTER = 3.0, 0.7, 0.94, 0.9  # see `_contained`
FORMULAS, ALIKE, FORMULA = -8.0, 0.85, 6  # see `_formulas`
OTHER_FORMULAS = -0.4  # from which the formulas of two questions are others
BLOCK = 10_000  # pairs of drawings correlated at a time
FEW = 8  # questions with the same options up to which these make pairs
BEFORE = 8  # positions in which the order of two sources may differ ...
AGREEING = 2  # ... and pairs among them that make the order sure
LISTED = -3.0  # log-odds from which a pair is proposed
TRANSLATED = 1.0  # log-odds from which a pair of two languages is
LIKELY = -0.2  # and taken for one problem: a missed link costs more than one too many


class Likeness(NamedTuple):
    """Pairs of positions, the evidence of each part, and the sum in log-odds."""

    a: Ints
    b: Ints
    parts: dict[str, Any]
    sum: Any


class _Said(NamedTuple):
    """What is compared of all questions, as numbers."""

    words: Vectors
    numbers: Vectors
    options: Vectors
    values: Ints  # of answers, -1 where none is said; as they are compared, and as they are spelled
    spelled: Ints
    letters: Ints
    drawn: list[list[int]]  # rows of their pictures
    same: list[tuple[int, int]]  # pairs with the same options
    first: Any  # whether no earlier question has its key, or it is ours
    language: Ints
    marks: Vectors  # where there are several languages: numbers and formulas ...
    answered: Vectors  # ... and the same with the answer


def likeness(
    items: ItemStore,
    index: PictureIndex,
    others: Any = (),
    family: Mapping[int, int] | None = None,
    engine: Engine | None = None,
    vectors: Any = None,
    values: Values | None = None,
    ours: int = 0,
) -> Likeness:
    """Evidence on all pairs of questions that are near, and on the `others` given.

    `others` are codes a * len(items) + b of pairs a < b. Of a `family` (position -> first position)
    and of equal keys only the first looks for relatives. With `ours` the first so many questions
    are compared with the rest, and with no other. `vectors` are embeddings of questions.
    """
    total = max(len(items), 1)
    said = _said(items, index, values or Values(), ours)
    looks, found = _lookers(said.first, family or {}, ours)
    near = [neighbours(said.words, engine, looks, found)]
    common = np.bincount(said.language[found], minlength=1).argmax()
    foreign = looks & (said.language != common)
    if foreign.any():
        near.append(neighbours(said.answered, engine, foreign, found))
    if vectors is not None:
        near.append(near_meanings(vectors))
    same = np.array([a * total + b for a, b in said.same], np.int64)
    codes = [np.asarray(others, np.int64), same, *(a * total + b for a, b in near)]
    a, b = np.divmod(np.unique(np.concatenate(codes)), total)
    if ours:
        across = (a < ours) & (b >= ours)
        a, b = a[across], b[across]
    abroad = said.language[a] != said.language[b]
    parts = _parts(items, index, a, b, said, abroad)
    if vectors is not None:
        shared = (meaning_cosines(vectors, a, b) - NEAR) / (1 - NEAR)
        parts["meaning"] = MEANING * np.maximum(shared, 0)
    so_far = PRIOR + np.sum(list(parts.values()), axis=0)
    parts["order"] = ORDER * _order(a, b, so_far, len(items))
    so_far = so_far + parts["order"]
    parts["formulas"] = np.zeros(len(a))
    some = np.flatnonzero(~abroad & (so_far >= LISTED))  # elsewhere they decide nothing
    parts["formulas"][some] = FORMULAS * _formulas(items, a[some], b[some])
    return Likeness(a, b, parts, so_far + parts["formulas"])


def _lookers(first: Any, family: Mapping[int, int], ours: int) -> tuple[Any, Any]:
    """Which rows look for relatives, and which are found: masks."""
    side = np.arange(len(first)) < ours
    alone = first.copy()
    alone[[row for row, head in family.items() if row != head]] = False
    return (side, alone & ~side) if ours else (alone, alone)


def _said(items: ItemStore, index: PictureIndex, values: Values, ours: int) -> _Said:
    """One pass over the questions; where they are of several languages, two more."""
    tokens, options, keys = Rows(), Rows(), dict[str, int]()
    columns: list[list[Any]] = [[] for _ in range(6)]
    groups: dict[tuple[str, ...], list[int]] = {}
    for row, item in enumerate(steadily(items, "dedup", len(items), "questions taken")):
        tokens.add(item.key.split() if len(item.key) <= LONGEST else ())
        options.add([*item.choices, item.value])
        if len(item.choices) >= 3:
            groups.setdefault(tuple(sorted(item.choices)), []).append(row)
        head = row < ours or keys.setdefault(item.key, row) == row
        told = (
            value_key(item.value),
            "".join(item.letters),
            head,
            item.spoken,
            item.language,
        )
        for column, value in zip(columns, (*told, index.drawn(item)), strict=True):
            column.append(value)
    same = [
        pair
        for rows in groups.values()
        if len(rows) <= FEW
        for pair in combinations(rows, 2)
    ]
    del keys, groups
    words = tokens.tokens()
    spelled, letters, first, spoken, declared, drawn = columns
    languages, answered = _marks(items, spoken, declared)
    said = options.tokens()
    prints = items.each(fingerprints, Print, said.names)
    prints = steadily(prints, "dedup", len(said.names), "answers")
    number = [
        values.number(text, known)
        for text, known in zip(said.names, prints, strict=True)
    ]
    said = said._replace(words=np.array(number, np.int64)[said.words])
    return _Said(
        words=vectors_of(mapped(words, stems)),
        numbers=vectors_of(mapped(words, _numerals)),
        options=vectors_of(_without_last(said)),
        values=said.words[said.starts[1:] - 1],
        spelled=_numbered(spelled),
        letters=_numbered(letters),
        drawn=drawn,
        same=same,
        first=np.array(first, bool),
        language=_numbered(languages),
        marks=vectors_of(_without_last(answered), _length),
        answered=vectors_of(answered, _length),
    )


def _without_last(tokens: Tokens) -> Tokens:
    """The rows without their last words."""
    starts, last = tokens.starts, tokens.starts[1:] - 1
    return Tokens(
        starts - np.arange(len(starts)), np.delete(tokens.words, last), tokens.names
    )


def _marks(
    items: ItemStore, spoken: list[str], declared: list[str]
) -> tuple[list[str], Tokens]:
    """Languages; where there are several, the numbers and formulas of all, and the answers."""
    languages = languages_of(
        lambda: (i.parted[0][:LONGEST] for i in items), spoken, declared
    )
    if len(set(languages)) < 2:
        return languages, tokens_of([[""]] * len(items))
    both = zip(items, languages, strict=False)
    lines = ((i.parted[0][:LONGEST], language, i.answer) for i, language in both)
    told = items.each(_marks_of, list[str], lines)
    return languages, tokens_of(
        steadily(told, "dedup", len(items), "numbers and formulas")
    )


def _marks_of(lines: list[bytes]) -> list[list[str]]:
    """Numbers, formulas and the answer of each (question, language, answer)."""
    told = map(msgspec.json.decode, lines)
    return [
        [*marks_of(q, language), f"= {unmarked(a.strip(' $.'))}"]
        for q, language, a in told
    ]


def _length(mark: str) -> float:
    """What a number or formula tells by its length, in nats."""
    return min(NAT * len(mark.replace(" ", "")), MOST / 2)


def _parts(
    items: ItemStore, index: PictureIndex, a: Ints, b: Ints, said: _Said, abroad: Any
) -> dict[str, Any]:
    """All evidence but that of formulas, meaning and order."""
    cosine = cosines(said.words, a, b)
    best = np.full(len(items), 0.05)
    for side in (a, b):
        np.maximum.at(best, side, cosine)
    within = _contained(items, said.words, a, b)
    wording = np.maximum(cosine / np.sqrt(np.maximum(best[a], best[b])), within)
    answer = _answers(said, a, b, abroad)
    marks = np.zeros(len(a))
    marks[abroad] = _translated(said.marks, a[abroad], b[abroad])
    return {
        "wording": WORDING * wording,
        "numbers": NUMBERS * np.where(abroad, 0, cosines(said.numbers, a, b)),
        "marks": marks,
        "contained": CONTAINED * (within > 0),
        "options": OPTIONS * cosines(said.options, a, b),
        "answer": np.where(within > 0, np.maximum(answer, 0), answer),
        "picture": PICTURE * _pictures(said.drawn, index, a, b),
    }


@lru_cache(maxsize=1 << 16)
def _numerals(word: str) -> list[str]:
    return NUMBER.findall(" ".join(stems(word)))


def _translated(marks: Vectors, a: Ints, b: Ints) -> Any:
    """What formulas and numbers in common tell: their share of all, and how rare they are."""
    shared = shared_weight(marks, a, b, 1)
    rows = np.repeat(np.arange(len(marks.starts) - 1), np.diff(marks.starts))
    weight = np.bincount(
        rows, marks.rarity[marks.words], minlength=len(marks.starts) - 1
    )
    union = np.maximum(weight[a] + weight[b] - shared, 1e-9)
    return MUTE + SHARED * shared / union + TOLD * np.minimum(shared, MOST)


def _contained(items: ItemStore, words: Vectors, a: Ints, b: Ints) -> Any:
    """How well the shorter of two questions is aligned with a passage of the longer, else 0."""
    size = np.diff(words.starts)
    lesser = np.where(words.length[a] < words.length[b], a, b)
    weight = words.length[lesser] ** 2
    share = shared_weight(words, a, b, 2) / weight
    telling = weight >= FEWEST * np.log(len(items) + 1) ** 2
    some = np.minimum(size[a], size[b]) <= SHORTER * np.maximum(size[a], size[b])
    out = np.zeros(len(a))
    for k in np.flatnonzero(some & telling & (share >= HELD)).tolist():
        share, _ = aligned(items[a[k]], items[b[k]])
        out[k] = share if share >= WHOLE else 0  # what is asked stands there, too
    return out


def aligned(a: Item, b: Item) -> tuple[float, str]:
    """The share of words in common, in order, of the shorter with the best passage of the longer.

    >>> aligned(Item(id="1", question="he has 3 cats"), Item(id="2", question="So he has 3 cats!"))
    (1.0, 'he has 3 cats')
    """
    from rapidfuzz import fuzz

    left, right = sorted((words_of(a.key), words_of(b.key)), key=len)
    found = fuzz.partial_ratio_alignment(left, right, score_cutoff=100 * ALIGNED)
    if found is None:
        return 0.0, ""
    return round(found.score / 100, 4), " ".join(
        right[found.dest_start : found.dest_end]
    )


def _formulas(items: ItemStore, a: Ints, b: Ints) -> Any:
    """How far pairs of questions that are made of formulas are from ALIKE.

    Alike is the share of the weight of 2-grams of one side's formulas that the other has, options
    included, for they stand in the question or beside it.
    """
    rows, places = np.unique(np.concatenate([a, b]), return_inverse=True)
    said, size = Rows(), []
    for row in steadily(rows.tolist(), "dedup", len(rows), "formulas"):
        signs, parts = items[row].formulas
        size.append(signs)
        said.add(parts)
    x, y = places[: len(a)], places[len(a) :]
    sizes = np.array(size, np.int64)
    made = np.minimum(sizes[x], sizes[y]) >= FORMULA
    out, x, y = np.zeros(len(a)), x[made], y[made]
    grams = vectors_of(said.tokens())
    weight = np.minimum(grams.length[x], grams.length[y]) ** 2
    out[made] = np.maximum(ALIKE - shared_weight(grams, x, y, 2) / weight, 0)
    return out


def probability(log_odds: float) -> float:
    """
    >>> probability(0.0), probability(-3.0)
    (0.5, 0.0474)
    """
    return round(float(1 / (1 + np.exp(-log_odds))), 4)


def _pictures(drawn: Sequence[list[int]], index: PictureIndex, a: Ints, b: Ints) -> Any:
    """The best correlation of a drawing of one with a drawing of the other, at least 0."""
    out = np.zeros(len(a))
    sides = enumerate(zip(a.tolist(), b.tolist(), strict=True))
    drawings = ((k, x, y) for k, (i, j) in sides for x in drawn[i] for y in drawn[j])
    for block in chunked(drawings, BLOCK):
        k, x, y = np.array(block).T
        np.maximum.at(
            out, k, np.einsum("ij,ij->i", index.thumbnails[x], index.thumbnails[y])
        )
    return out


def _answers(said: _Said, a: Ints, b: Ints, abroad: Any) -> Any:
    """The evidence of the answers: the same value, the same bare letter, or another value."""
    keys, spelled, letter = said.values, said.spelled, said.letters
    told = _information(keys)[a]
    alike = spelled[a] == spelled[b]
    told = np.where(alike, np.maximum(told, _information(spelled)[a]), told)
    other = np.where(abroad, CONTRADICTED, OTHER)
    equal = np.where(keys[a] == keys[b], np.where(abroad, SAID, 1) * told, other)
    valued = (keys[a] >= 0) & (keys[b] >= 0)
    named = (letter[a] >= 0) & (letter[a] == letter[b])
    return np.where(valued, equal, np.where(named, LETTER, 0.0))


def _numbered(names: Iterable[str]) -> Ints:
    """A number for every name, -1 for none."""
    known = {"": -1}
    return np.array([known.setdefault(name, len(known)) for name in names], np.int64)


def _information(numbers: Ints) -> Any:
    """What it tells, in log-odds, that another row has this number, too."""
    count = np.bincount(numbers + 1, minlength=1)
    count[0] = 0
    return (
        RARITY
        * np.minimum(RAREST, np.log(max(count.sum(), 1) / np.maximum(count, 1)))[
            numbers + 1
        ]
    )


def _order(a: Ints, b: Ints, so_far: Any, total: int) -> Any:
    """How sure the surest pair shortly before is, plus the surest shortly after, each up to 1.

    Only for pairs further apart than both reach: neighbours support nobody.
    """
    sure = np.clip((so_far + 4) / 5, 0, 1)
    apart = b - a > 2 * BEFORE
    supporters = np.flatnonzero(apart & (sure > 0))
    width = total + BEFORE
    codes, sure = (
        a[supporters] * width + b[supporters],
        sure[supporters],
    )  # ascending, as pairs are
    wanted = np.flatnonzero(apart & (so_far > LISTED - 2 * ORDER))
    out = np.zeros(len(a))
    for sign in (-1, 1):
        total_best = np.zeros(len(wanted))
        for down in range(1, BEFORE + 1):
            best = np.zeros(len(wanted))
            near = (
                (a[wanted] + sign * down) * width
                + b[wanted]
                + (1 if sign > 0 else -BEFORE)
            )
            first = np.searchsorted(codes, near)
            last = np.searchsorted(codes, near + BEFORE)
            for k in range(int((last - first).max(initial=0))):
                some = np.flatnonzero(first + k < last)
                best[some] = np.maximum(best[some], sure[first[some] + k])
            total_best += best
        out[wanted] += np.minimum(total_best / AGREEING, 1)
    return out
