"""Contamination: which of our questions occur in another benchmark or a training set?

Three measures, each reported, none deciding: equal comparison keys; the share of a question's
word 8-grams and 13-grams found in one other text, with numbers as they are and masked (a changed
number breaks every gram around it); and the exact two-sided join.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from ..display import Rows
from ..pipeline import Engine
from .items import LONGEST, Item, items_of
from .join import groups_of, join_against, whole_percent
from .keys import masked, text_key
from .overlap import word_grams, words_of

SIZES = (8, 13)  # GPT-3 (appendix C) and lm-evaluation-harness use 8 to 13
REPORTED = 0.5  # containment from which a question is reported


class Hit(msgspec.Struct, kw_only=True):
    """One of our questions and the other text most like it, by each measure."""

    id: str
    other: str  # by the first measure that found it, in the order of the fields
    same_key: bool = False
    similarity: float | None = None  # from the join: 1 - edits / longer
    contained: dict[str, float] = {}  # "8", "13", "8 masked", "13 masked": share of our grams
    others: dict[str, str] = {}  # the other text of each measure


class Contamination(Rows[Hit]):
    """What `find_contamination` found: `questions` of ours among so many `others`."""

    __slots__ = ("others", "questions", "unreadable")
    questions: int
    others: int
    unreadable: list[str]

    def headline(self) -> str:
        return f"{len(self)} of {self.questions} questions found among {self.others}"


def find_contamination(
    problems: str | Path | Iterable[Item],
    others: str | Path | Iterable[Item],
    threshold: float = 0.85,
    *,
    engine: Engine | None = None,
) -> Contamination:
    """Which questions of a JSONL of problems (or of items) occur in another one.

    `threshold` is that of the join. Raises UserError for files without a readable question, and
    for a threshold outside 0.5 to 1.

    Example: `find_contamination("problems.jsonl", "gsm8k-train.jsonl").to_frame()`
    """
    percent = whole_percent(threshold)
    items, bad = items_of(problems)
    other_items, bad_others = items_of(others)
    hits = Contamination(find_against(items, other_items, percent, engine))
    hits.questions, hits.others, hits.unreadable = len(items), len(other_items), bad + bad_others
    return hits


def find_against(
    items: Sequence[Item], others: Sequence[Item], percent: int, engine: Engine | None = None
) -> Iterator[Hit]:
    """Our questions found among `others`, in our order; texts too short for a gram have none.

    >>> items = [Item(id="1", question="How many apples does Ann have?")]
    >>> others = [Item(id="x", question="how many  apples does Ann have ?")]
    >>> [hit.same_key for hit in find_against(items, others, 90)]
    [True]
    """
    keys, other_keys = ([text_key(item.question) for item in side] for side in (items, others))
    hits: dict[int, Hit] = {}

    def hit(row: int, other: int, measure: str) -> Hit:
        name = others[other].id
        entry = hits.setdefault(row, Hit(id=items[row].id, other=name, contained={}, others={}))
        entry.others[measure] = name
        return entry

    other_groups = groups_of(other_keys)
    for row, key in enumerate(keys):
        if key and key in other_groups:
            hit(row, other_groups[key][0], "key").same_key = True
    for row, other, similarity in _similar(items, others, percent, engine or Engine()):
        hit(row, other, "join").similarity = similarity
    for size in SIZES:
        for name, a_keys, b_keys in (
            (f"{size}", keys, other_keys),
            (f"{size} masked", [masked(k) for k in keys], [masked(k) for k in other_keys]),
        ):
            for row, other, share in _contained(a_keys, b_keys, size):
                hit(row, other, name).contained[name] = share
    for row in sorted(hits):
        yield hits[row]


def _similar(
    items: Sequence[Item], others: Sequence[Item], percent: int, engine: Engine
) -> Iterator[tuple[int, int, float]]:
    """For every question the most similar other text; identical questions share the result."""
    texts, other_texts = (
        [item.question if len(item.question) <= LONGEST else "" for item in side]
        for side in (items, others)
    )
    groups = groups_of(texts)
    best: dict[int, tuple[float, int]] = {}
    for a, b, distance in join_against(texts, other_texts, percent, engine):
        longer = max(len(texts[a]), len(other_texts[b]))
        score = round(1 - distance / longer, 4) if longer else 0.0
        if score:
            best[a] = max(best.get(a, (0.0, 0)), (score, -b))
    for a, (score, b) in sorted(best.items()):
        for row in groups[texts[a]]:
            yield row, -b, score


def _contained(
    keys: Sequence[str], other_keys: Sequence[str], size: int
) -> Iterator[tuple[int, int, float]]:
    """Questions of which one other text holds at least REPORTED of all word n-grams."""
    grams = [word_grams(key, size) if len(words_of(key)) >= size else frozenset() for key in keys]
    rows_of: dict[str, list[int]] = {}
    for row, own in enumerate(grams):
        for gram in own:
            rows_of.setdefault(gram, []).append(row)
    best: dict[int, tuple[int, int]] = {}
    for other, key in enumerate(other_keys):
        shared = Counter(row for gram in word_grams(key, size) for row in rows_of.get(gram, ()))
        for row, count in shared.items():
            if count > best.get(row, (0, 0))[0]:
                best[row] = count, other
    for row, (count, other) in sorted(best.items()):
        if count >= REPORTED * len(grams[row]):
            yield row, other, round(count / len(grams[row]), 4)
