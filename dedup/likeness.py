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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from pathlib import Path
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

# Log-odds at full agreement.
WORDING = 6.0
NUMBERS = 2.0
OPTIONS = 1.0
PICTURE = 2.0
ORDER = 2.0
MEANING = 2.0  # a model of sentences knows topics better than problems
RARITY = 0.6  # log-odds per unit of information that an equal value is
LETTER = 2.0  # log-odds of the same bare letter
OTHER = -0.7  # log-odds of another value
RAREST = 7.0  # information of an answer counted at most: one in a thousand
PRIOR = -9.0  # two questions that have nothing in common
# Of two languages: what is lost without words, the share of all formulas and numbers, what they
# tell (per nat, at most so many), the answer's value, another value. Fitted (logistic) on two
# thirds of MGSM beside GSM8K and GSM-Hard, and of a textbook in two editions.
MUTE = -6.0
SHARED = 12.5
TOLD = 0.5
MOST = 14.0
SAID = 1.5
CONTRADICTED = -2.4
NAT = 1.2  # per character of a number or formula, in a set too small to tell how rare it is
CONTAINED = 3.0  # log-odds of a question that stands in another
ALIGNED = 0.7  # share of words in order from which two are aligned ...
WHOLE = 0.94  # ... and from which the shorter stands in the longer
SHORTER = 0.9  # of the longer, up to which a question is the shorter one
FORMULAS = -8.0  # log-odds per share by which formulas are less than ...
ALIKE = 0.85  # ... so far alike
FORMULA = 6  # signs from which formulas are compared
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


class _Features(NamedTuple):
    """What is compared of all questions, as numbers.

    `values` are of answers as they are compared, `spelled` as they are spelled, -1 where none is
    said; `drawn` the rows of pictures; `same` pairs with the same options; `first` says whether no
    earlier question has the key, or it is ours. Where there are several languages, `marks` are
    numbers and formulas, `answered` the same with the answer.
    """

    words: Vectors
    numbers: Vectors
    options: Vectors
    values: Ints
    spelled: Ints
    letters: Ints
    drawn: list[list[int]]
    same: list[tuple[int, int]]
    first: Any
    language: Ints
    marks: Vectors
    answered: Vectors


def likeness(
    items: ItemStore,
    pictures: PictureIndex,
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
    features = _features(items, pictures, values or Values(), ours)
    near = _near(features, family or {}, engine, vectors, ours, items.folder)
    near.append(_columns(features.same))
    total = max(len(items), 1)
    codes = [np.asarray(others, np.int64), *(a * total + b for a, b in near)]
    a, b = np.divmod(np.unique(np.concatenate(codes)), total)
    if ours:
        across = (a < ours) & (b >= ours)
        a, b = a[across], b[across]
    abroad = features.language[a] != features.language[b]
    parts = _parts(items, pictures, a, b, features, abroad)
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


def _near(
    features: _Features,
    family: Mapping[int, int],
    engine: Engine | None,
    vectors: Any,
    ours: int,
    below: Path,
) -> list[tuple[Ints, Ints]]:
    """Pairs near in rare words, of two languages in marks, and in meaning."""
    looks, found = _lookers(features.first, family, ours)
    near = [neighbours(features.words, engine, looks, found, below)]
    common = np.bincount(features.language[found], minlength=1).argmax()
    foreign = looks & (features.language != common)
    if foreign.any():
        near.append(neighbours(features.answered, engine, foreign, found, below))
    if vectors is not None:
        near.append(near_meanings(vectors))
    return near


def _columns(pairs: list[tuple[int, int]]) -> tuple[Ints, Ints]:
    rows = np.array(pairs, np.int64).reshape(-1, 2)
    return rows[:, 0], rows[:, 1]


def _lookers(first: Any, family: Mapping[int, int], ours: int) -> tuple[Any, Any]:
    """Which rows look for relatives, and which are found: masks."""
    side = np.arange(len(first)) < ours
    alone = first.copy()
    alone[[row for row, head in family.items() if row != head]] = False
    return (side, alone & ~side) if ours else (alone, alone)


def _features(
    items: ItemStore, pictures: PictureIndex, values: Values, ours: int
) -> _Features:
    """One pass over the questions; where they are of several languages, two more."""
    words, options, keys = Rows(), Rows(), dict[str, int]()
    spelled, letters, spoken, declared = (list[str]() for _ in range(4))
    first = list[bool]()
    drawn = list[list[int]]()
    same_options: dict[tuple[str, ...], list[int]] = {}
    for row, item in enumerate(steadily(items, "dedup", len(items), "questions taken")):
        words.add(item.key.split() if len(item.key) <= LONGEST else ())
        options.add([*item.choices, item.value])
        if len(item.choices) >= 3:
            same_options.setdefault(tuple(sorted(item.choices)), []).append(row)
        spelled.append(value_key(item.value))
        letters.append("".join(item.letters))
        first.append(row < ours or keys.setdefault(item.key, row) == row)
        spoken.append(item.spoken)
        declared.append(item.language)
        drawn.append(pictures.drawn(item))
    few = [rows for rows in same_options.values() if len(rows) <= FEW]
    same = [pair for rows in few for pair in combinations(rows, 2)]
    del keys, same_options
    tokens = words.tokens()
    languages, answered = _marks(items, spoken, declared)
    valued = _valued(items, options.tokens(), values)
    return _Features(
        words=vectors_of(mapped(tokens, stems)),
        numbers=vectors_of(mapped(tokens, _numerals)),
        options=vectors_of(_without_last(valued)),
        values=valued.words[valued.starts[1:] - 1],
        spelled=_numbered(spelled),
        letters=_numbered(letters),
        drawn=drawn,
        same=same,
        first=np.array(first, bool),
        language=_numbered(languages),
        marks=vectors_of(_without_last(answered), _length),
        answered=vectors_of(answered, _length),
    )


def _valued(items: ItemStore, tokens: Tokens, values: Values) -> Tokens:
    """Options and answers with the numbers of their values for the texts."""
    prints = items.each(fingerprints, Print, tokens.names)
    prints = steadily(prints, "dedup", len(tokens.names), "answers")
    pairs = zip(tokens.names, prints, strict=True)
    numbers = [values.number(text, fingerprint) for text, fingerprint in pairs]
    return tokens._replace(words=np.array(numbers, np.int64)[tokens.words])


def _without_last(tokens: Tokens) -> Tokens:
    """The rows without their last words."""
    starts = tokens.starts - np.arange(len(tokens.starts))
    words = np.delete(tokens.words, tokens.starts[1:] - 1)
    return Tokens(starts, words, tokens.names)


def _marks(
    items: ItemStore, spoken: list[str], declared: list[str]
) -> tuple[list[str], Tokens]:
    """Languages; where there are several, the numbers and formulas of all, and the answers."""

    def questions() -> Iterator[str]:
        return (item.parted[0][:LONGEST] for item in items)

    languages = languages_of(questions, spoken, declared)
    if len(set(languages)) < 2:
        return languages, tokens_of([[""]] * len(items))
    lines = (
        (item.parted[0][:LONGEST], language, item.answer)
        for item, language in zip(items, languages, strict=True)
    )
    marks = items.each(_marks_of, list[str], lines)
    marks = steadily(marks, "dedup", len(items), "numbers and formulas")
    return languages, tokens_of(marks)


def _marks_of(lines: list[bytes]) -> list[list[str]]:
    """Numbers, formulas and the answer of each (question, language, answer)."""
    marks = []
    for question, language, answer in map(msgspec.json.decode, lines):
        gold = unmarked(answer.strip(" $."))
        marks.append([*marks_of(question, language), f"= {gold}"])
    return marks


def _length(mark: str) -> float:
    """What a number or formula tells by its length, in nats."""
    return min(NAT * len(mark.replace(" ", "")), MOST / 2)


def _parts(
    items: ItemStore,
    pictures: PictureIndex,
    a: Ints,
    b: Ints,
    features: _Features,
    abroad: Any,
) -> dict[str, Any]:
    """All evidence but that of formulas, meaning and order."""
    cosine = cosines(features.words, a, b)
    best = np.full(len(items), 0.05)  # of each question, with its nearest relative
    for side in (a, b):
        np.maximum.at(best, side, cosine)
    within = _contained(items, features.words, a, b)
    wording = np.maximum(cosine / np.sqrt(np.maximum(best[a], best[b])), within)
    numbers = np.where(abroad, 0, cosines(features.numbers, a, b))
    answer = _answers(features, a, b, abroad)
    marks = np.zeros(len(a))
    marks[abroad] = _translated(features.marks, a[abroad], b[abroad])
    return {
        "wording": WORDING * wording,
        "numbers": NUMBERS * numbers,
        "marks": marks,
        "contained": CONTAINED * (within > 0),
        "options": OPTIONS * cosines(features.options, a, b),
        "answer": np.where(within > 0, np.maximum(answer, 0), answer),
        "picture": PICTURE * _pictures(features.drawn, pictures, a, b),
    }


@lru_cache(maxsize=1 << 16)
def _numerals(word: str) -> list[str]:
    return NUMBER.findall(" ".join(stems(word)))


def _translated(marks: Vectors, a: Ints, b: Ints) -> Any:
    """What formulas and numbers in common tell: their share of all, and how rare they are."""
    shared = shared_weight(marks, a, b, 1)
    total = len(marks.starts) - 1
    rows = np.repeat(np.arange(total), np.diff(marks.starts))
    weight = np.bincount(rows, marks.rarity[marks.words], minlength=total)
    union = np.maximum(weight[a] + weight[b] - shared, 1e-9)
    return MUTE + SHARED * shared / union + TOLD * np.minimum(shared, MOST)


def _contained(items: ItemStore, words: Vectors, a: Ints, b: Ints) -> Any:
    """How well the shorter of two questions is aligned with a passage of the longer, else 0."""
    size = np.diff(words.starts)
    lesser = np.where(words.length[a] < words.length[b], a, b)
    weight = words.length[lesser] ** 2
    held = shared_weight(words, a, b, 2) / weight >= HELD
    telling = weight >= FEWEST * np.log(len(items) + 1) ** 2
    shorter = np.minimum(size[a], size[b])
    longer = np.maximum(size[a], size[b])
    candidates = np.flatnonzero((shorter <= SHORTER * longer) & telling & held)
    contained = np.zeros(len(a))
    for k in candidates.tolist():
        share, _ = aligned(items[a[k]], items[b[k]])
        contained[k] = share if share >= WHOLE else 0  # what is asked stands there, too
    return contained


def aligned(a: Item, b: Item) -> tuple[float, str]:
    """The share of words in common, in order, of the shorter with the best passage of the longer.

    >>> aligned(Item(id="1", question="he has 3 cats"), Item(id="2", question="So he has 3 cats!"))
    (1.0, 'he has 3 cats')
    """
    from rapidfuzz import fuzz

    shorter, longer = sorted((words_of(a.key), words_of(b.key)), key=len)
    passage = fuzz.partial_ratio_alignment(shorter, longer, score_cutoff=100 * ALIGNED)
    if passage is None:
        return 0.0, ""
    words = longer[passage.dest_start : passage.dest_end]
    return round(passage.score / 100, 4), " ".join(words)


def _formulas(items: ItemStore, a: Ints, b: Ints) -> Any:
    """How far pairs of questions that are made of formulas are from ALIKE.

    Alike is the share of the weight of 2-grams of one side's formulas that the other has, options
    included, for they stand in the question or beside it.
    """
    rows, places = np.unique(np.concatenate([a, b]), return_inverse=True)
    grams, signs = Rows(), list[int]()
    for row in steadily(rows.tolist(), "dedup", len(rows), "formulas"):
        count, parts = items[row].formulas
        signs.append(count)
        grams.add(parts)
    x, y = places[: len(a)], places[len(a) :]
    sizes = np.array(signs, np.int64)
    made_of_formulas = np.minimum(sizes[x], sizes[y]) >= FORMULA
    x, y = x[made_of_formulas], y[made_of_formulas]
    vectors = vectors_of(grams.tokens())
    weight = np.minimum(vectors.length[x], vectors.length[y]) ** 2
    share = shared_weight(vectors, x, y, 2) / weight
    distance = np.zeros(len(a))
    distance[made_of_formulas] = np.maximum(ALIKE - share, 0)
    return distance


def probability(log_odds: float) -> float:
    """
    >>> probability(0.0), probability(-3.0)
    (0.5, 0.0474)
    """
    return round(float(1 / (1 + np.exp(-log_odds))), 4)


def _pictures(
    drawn: Sequence[list[int]], pictures: PictureIndex, a: Ints, b: Ints
) -> Any:
    """The best correlation of a drawing of one with a drawing of the other, at least 0."""
    best = np.zeros(len(a))
    thumbnails = pictures.thumbnails
    for block in chunked(_drawings(drawn, a, b), BLOCK):
        k, x, y = np.array(block).T
        correlation = np.einsum("ij,ij->i", thumbnails[x], thumbnails[y])
        np.maximum.at(best, k, correlation)
    return best


def _drawings(
    drawn: Sequence[list[int]], a: Ints, b: Ints
) -> Iterator[tuple[int, int, int]]:
    """Number of the pair, and a picture of each side, for all pairs of pictures."""
    for k, (i, j) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        for x, y in product(drawn[i], drawn[j]):
            yield k, x, y


def _answers(features: _Features, a: Ints, b: Ints, abroad: Any) -> Any:
    """The evidence of the answers: the same value, the same bare letter, or another value."""
    values, spelled, letters = features.values, features.spelled, features.letters
    telling = _information(values)[a]
    alike = spelled[a] == spelled[b]
    telling = np.where(alike, np.maximum(telling, _information(spelled)[a]), telling)
    same = np.where(abroad, SAID, 1) * telling
    other = np.where(abroad, CONTRADICTED, OTHER)
    by_value = np.where(values[a] == values[b], same, other)
    same_letter = (letters[a] >= 0) & (letters[a] == letters[b])
    by_letter = np.where(same_letter, LETTER, 0.0)
    have_values = (values[a] >= 0) & (values[b] >= 0)
    return np.where(have_values, by_value, by_letter)


def _numbered(names: Iterable[str]) -> Ints:
    """A number for every name, -1 for none."""
    numbers = {"": -1}
    return np.array([numbers.setdefault(n, len(numbers)) for n in names], np.int64)


def _information(numbers: Ints) -> Any:
    """What it tells, in log-odds, that another row has this number, too."""
    count = np.bincount(numbers + 1, minlength=1)
    count[0] = 0
    surprise = np.log(max(count.sum(), 1) / np.maximum(count, 1))
    return RARITY * np.minimum(RAREST, surprise)[numbers + 1]


def _order(a: Ints, b: Ints, so_far: Any, total: int) -> Any:
    """How sure the surest pair shortly before is, plus the surest shortly after, each up to 1.

    Only for pairs further apart than both reach: neighbours support nobody.
    """
    sure = np.clip((so_far + 4) / 5, 0, 1)
    apart = b - a > 2 * BEFORE
    supporters = np.flatnonzero(apart & (sure > 0))
    width = total + BEFORE
    codes = a[supporters] * width + b[supporters]  # ascending, as pairs are
    sure = sure[supporters]
    undecided = np.flatnonzero(apart & (so_far > LISTED - 2 * ORDER))
    x, y = a[undecided], b[undecided]
    support = np.zeros(len(a))
    for sign in (-1, 1):
        offset = 1 if sign > 0 else -BEFORE
        surest = np.zeros(len(undecided))
        for down in range(1, BEFORE + 1):
            first = (x + sign * down) * width + y + offset
            surest += _surest_between(codes, sure, first)
        support[undecided] += np.minimum(surest / AGREEING, 1)
    return support


def _surest_between(codes: Ints, sure: Any, first: Ints) -> Any:
    """The surest of the codes from each `first` on, as far as BEFORE; 0 where there is none."""
    start: Ints = np.searchsorted(codes, first)
    end: Ints = np.searchsorted(codes, first + BEFORE)
    best = np.zeros(len(first))
    for k in range(int((end - start).max(initial=0))):
        some = np.flatnonzero(start + k < end)
        best[some] = np.maximum(best[some], sure[start[some] + k])
    return best
