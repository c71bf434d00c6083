"""Find, classify and explain all pairs worth a person's look, in a set or between two.

Signals propose pairs: the exact join on comparison keys and questions, equal contents, pictures
with the same pixels or ink, and what `likeness` finds near: rare words in common (reworded texts),
formulas and numbers of two languages (translations), with embeddings also their meaning. Each pair
is compared once and becomes one row, the likeliest first. Of a family of questions that differ only
in numbers and names, the first stands for all.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, islice, product
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..base.display import Rows
from ..base.files import encode
from ..base.terminal import say, steadily
from ..llm import Model
from ..pipeline import Engine, key_of
from .classes import GRAMS, Comparison, Pair, as_template, comparison, row_of
from .families import Family, families_of
from .item_store import ItemStore, RecordStore, opened, stored
from .items import LONGEST, Item, items_of, keeper
from .join import groups_of, join, join_again, whole_percent
from .likeness import LISTED, PRIOR, likeness
from .meaning import meanings
from .picture_index import PictureIndex, between, relation, shared_pictures, within
from .signatures import Ints
from .table import Masks
from .values import Values

MANY = 5000  # questions from which every step is told
INDEX = "contents.json"
TEMPLATE = 3  # pictures of one question text from which it tells nothing of a problem
COPIES = 4  # rows of theirs with one text that each of ours is compared with
Positions = Iterator[tuple[int, int]]
# By what they have in common, the ascending positions of all that have it.
Groups = dict[Any, list[int]]


class Pairs(Rows[Pair]):
    """What `find_pairs` found among so many `questions`; `unreadable` lines are named."""

    __slots__ = ("families", "questions", "unreadable")
    questions: int
    unreadable: list[str]
    families: list[Family]

    def counts(self) -> dict[str, int]:
        """Pairs by class, the most frequent first."""
        return dict(Counter(pair.kind for pair in self).most_common())

    def headline(self) -> str:
        kinds = ", ".join(f"{kind} {n}" for kind, n in self.counts().items())
        families = f", {len(self.families)} families" if self.families else ""
        return f"{len(self)} pairs among {self.questions} questions ({kinds or 'none'}){families}"


def find_pairs(
    problems: str | Path | Iterable[Item],
    threshold: float = 0.85,
    *,
    images: str | Path | None = None,
    pictures: bool = True,
    engine: Engine | None = None,
    most: int = 0,
    each: Callable[[Pair], None] | None = None,
    embeddings: Model | None = None,
    cache: str | Path = "answers.db",
) -> Pairs:
    """All pairs of a JSONL of problems (or of items) that may be duplicates, with evidence.

    Args:
        problems: A problems.jsonl, a release's jsonl file, or any JSONL with id and question.
        threshold: Least similarity of two questions: 1 - edits / length of the longer, a whole
            percentage from 0.5 to 1.
        images: Folder that picture paths are relative to [default: found beside or above the file].
        pictures: Open the pictures and compare them, too.
        engine: Where the work runs.
        most: Only so many pairs, the likeliest [default: all].
        each: Is given every pair as soon as it is compared; none is held then.
        embeddings: A model whose vectors of the questions are one more signal.
        cache: Vectors already paid for; a recipe names this file.

    Raises UserError for a file without a readable question, for an id that occurs twice, for
    another threshold, and where the model cannot be asked.

    >>> two = [Item(id="1", question="How many?"), Item(id="2", question="How many ?")]
    >>> find_pairs(two)
    <Pairs: 1 pairs among 2 questions (respelled 1)>
    """
    percent = whole_percent(threshold)
    items, unreadable = items_of(problems, images)
    pairs = Pairs()
    take = each or pairs.append
    with stored(items, engine, pictures) as store:
        families = list(families_of(store))
        vectors = (
            meanings(store, embeddings, Path(cache)).vectors if embeddings else None
        )
        found = pairs_among(store, percent, engine, pictures, families, vectors)
        for pair in islice(found, most or None):
            take(pair)
    pairs.questions, pairs.unreadable = len(items), unreadable
    pairs.families = [family for family, _ in families]
    return pairs


def pairs_among(
    items: Sequence[Item],
    percent: int,
    engine: Engine | None = None,
    pictures: bool = True,
    families: Sequence[tuple[Family, list[int]]] | None = None,
    vectors: Any = None,
    ours: int = 0,
    ranked: bool = True,
) -> Iterator[Pair]:
    """Proposed pairs, the likeliest to be one problem first; `percent` as in `join.whole_percent`.

    `families` are those of `families_of`, where they are known already; `vectors` embeddings. With
    `ours` the first so many questions are compared with the rest, and with no other. Pairs that
    are not `ranked` come as their questions do.

    >>> two = [Item(id="1", question="How many?"), Item(id="2", question="How many ?")]
    >>> [pair.kind for pair in pairs_among(two, 85)]
    ['respelled']
    """
    engine = engine or Engine()
    with stored(items, engine, pictures) as store:
        yield from _among(
            store, percent, engine, pictures, families, vectors, ours, ranked
        )


def _among(
    items: ItemStore,
    percent: int,
    engine: Engine,
    pictures: bool,
    families: Sequence[tuple[Family, list[int]]] | None,
    vectors: Any,
    ours: int,
    ranked: bool,
) -> Iterator[Pair]:
    total = max(len(items), 1)
    values = Values()
    _say_step(items, f"{len(items):,} questions: the join, then what else is near")
    if families is None:
        families = [] if ours else list(families_of(items))
    family = {row: rows[0] for _, rows in families for row in rows}
    by_picture = shared_pictures(items, items.pictures)
    shared = _codes(_across(by_picture, ours, family), total)
    texts = _codes(_alike(items, percent, engine, family, ours), total)
    proposed = np.union1d(texts, shared)
    _say_step(
        items, f"{len(proposed):,} pairs of the join, of equal texts and pictures"
    )
    evidence = likeness(
        items, items.pictures, proposed, family, engine, vectors, values, ours
    )
    codes = evidence.a * total + evidence.b
    listed = np.flatnonzero((evidence.sum >= LISTED) | np.isin(codes, proposed))
    a, b, codes = evidence.a[listed], evidence.b[listed], codes[listed]
    what = "pairs that are near in any way: what they have in common"
    _say_step(items, f"{len(listed):,} {what}")
    rows, places = np.unique(np.concatenate([a, b]), return_inverse=True)
    a, b = places[: len(a)], places[len(a) :]
    sides = [
        items.outline(row)
        for row in steadily(rows.tolist(), "dedup", len(rows), "questions of pairs")
    ]
    hashes = [
        side.content_hash() + (str(side.common) if any(side.common) else "")
        for side in sides
    ]
    comparisons = _compared(items, rows, hashes, a, b, GRAMS if ours else ())
    share_picture = np.isin(codes, shared).tolist()
    names = [*evidence.parts, "prior"]
    prior = np.full(len(a), PRIOR)
    columns = [*(part[listed] for part in evidence.parts.values()), prior]
    log_odds = np.column_stack(columns)
    templates = set[int]() if ours else _templates(items)
    order: Ints = np.arange(len(a))
    if ranked:  # rounded, so that pairs stand in one order on any machine
        order = np.argsort(-np.round(evidence.sum[listed], 6), kind="stable")
    for k in steadily(order.tolist(), "dedup", len(order), "pairs"):
        left, right = sides[a[k]], sides[b[k]]
        pair = row_of(
            comparisons[k],
            left,
            right,
            values,
            ["picture"] if share_picture[k] else [],
            _picture_relation(left, right, items.pictures, opened=pictures),
            dict(zip(names, log_odds[k].tolist(), strict=True)),
            percent,
        )
        if pair.text != "edited" and int(rows[a[k]]) in templates:
            as_template(pair)
        if not ours:
            kept, pair.why_keep = keeper(left, right)
            pair.keep = kept.id
        yield pair


def _templates(items: ItemStore) -> set[int]:
    """Rows whose question so many ask, each of its own picture, that the text says nothing."""
    pictures: dict[str, set[str]] = {}
    asking: dict[str, list[int]] = {}
    for row, item in enumerate(items):
        if item.key and item.pictures:
            digest = items.pictures.digest(item.pictures[0]) or item.pictures[0]
            pictures.setdefault(item.key, set()).add(digest)
            asking.setdefault(item.key, []).append(row)
    common = (key for key, different in pictures.items() if len(different) >= TEMPLATE)
    return {row for key in common for row in asking[key]}


def _say_step(items: ItemStore, what: str) -> None:
    """Of many questions every step is told."""
    if len(items) >= MANY:
        say(f"dedup: {what}")


def _picture_relation(
    a: Item, b: Item, index: PictureIndex, *, opened: bool
) -> tuple[str, float | None]:
    """How the pictures relate, where they are opened."""
    if not opened and (a.pictures or b.pictures):
        return "not compared", None
    return relation(a, b, index)


def _compared(
    items: ItemStore,
    rows: Ints,
    hashes: list[str],
    a: Ints,
    b: Ints,
    grams: Sequence[int],
) -> RecordStore[Comparison]:
    """What is found of pairs of these rows, kept by their contents, which have these hashes."""
    row_of_content = dict(zip(hashes, rows.tolist(), strict=True))
    (items.folder / INDEX).write_bytes(encode(row_of_content))
    pairs = zip(a.tolist(), b.tolist(), strict=True)
    lines = ((hashes[x], hashes[y]) for x, y in pairs)
    each = items.each(partial(_compare, items.folder), bytes, lines, grams)
    path = items.folder / "compared"
    with path.open("wb") as file:
        file.writelines(steadily(each, "dedup", len(a), "pairs compared"))
    return RecordStore(path, msgspec.json.Decoder(Comparison).decode)


def _compare(folder: Path, lines: list[bytes], grams: Sequence[int]) -> list[bytes]:
    """What is found of the contents of each line."""
    item, row = opened(folder), _rows(folder)
    pairs = map(msgspec.json.decode, lines)
    return [encode(comparison(item(row[a]), item(row[b]), grams)) for a, b in pairs]


@lru_cache(maxsize=1)
def _rows(folder: Path) -> dict[str, int]:
    """A row with each content."""
    return msgspec.json.decode((folder / INDEX).read_bytes(), type=dict[str, int])


def _codes(pairs: Iterable[tuple[int, int]], total: int) -> Ints:
    """Pairs of positions as numbers, smaller position first, each once."""
    codes = (min(pair) * total + max(pair) for pair in pairs)
    return np.unique(np.fromiter(codes, np.int64))


def _across(
    pairs: Iterable[tuple[int, int]], ours: int, family: dict[int, int]
) -> Positions:
    """The pairs between two sides, or those that are not of one family."""
    for a, b in pairs:
        other_side = (a < ours) != (b < ours)
        other_family = family.get(a, a) != family.get(b, b)
        if other_side if ours else other_family:
            yield a, b


def _alike(
    items: ItemStore, percent: int, engine: Engine, family: dict[int, int], ours: int
) -> Positions:
    """Pairs of equal contents, and of equal or near keys or questions; between two sides, keys."""
    contents: Groups = {}
    keys: Groups = {}
    questions: Groups = {}
    for row, item in enumerate(items):
        if ours:
            keys.setdefault(item.bare, []).append(row)
        else:
            keys.setdefault(item.key, []).append(row)
            questions.setdefault(item.own, []).append(row)
            contents.setdefault(_content(item, items.pictures), []).append(row)
    texts = [
        text
        for text in dict.fromkeys(chain(keys, questions))
        if 0 < len(text) <= LONGEST
    ]
    joined = sum(len(keys.get(text, ())) for text in texts)
    if joined < len(items):
        left = len(items) - joined
        say(f"{left} empty or very long questions are compared as wholes only")
    equal_keys = (rows for text, rows in keys.items() if text)
    for rows in chain(contents.values(), equal_keys, questions.values()):
        yield from _meet(rows, rows, ours)
    contents.clear()
    sides = _sides(texts, keys, questions, family, ours)
    kept = None if ours else items.join_file("joined", percent)
    for match in join_again(texts, percent, sides, engine, kept, items.folder):
        a, b = texts[match.a], texts[match.b]
        for groups in (keys, questions):
            yield from _meet(groups.get(a, []), groups.get(b, []), ours)


def _sides(
    texts: list[str], keys: Groups, questions: Groups, family: dict[int, int], ours: int
) -> list[Masks]:
    """Which texts meet in the join: ours and theirs, or keys and keys, questions and questions.

    A text that only members of a family have, and not its first, meets none.
    """
    represented = {row for row, head in family.items() if row != head}

    def mask(groups: Iterable[Sequence[int]]) -> NDArray[np.bool_]:
        return np.array([not represented.issuperset(rows) for rows in groups], bool)

    if ours:
        halves = [_side(keys[text], ours) for text in texts]
        our_mask = mask(half[0] for half in halves)
        their_mask = mask(half[1] for half in halves)
        return [(our_mask, their_mask), (their_mask, our_mask)]
    key_mask = mask(keys.get(text, ()) for text in texts)
    question_mask = mask(questions.get(text, ()) for text in texts)
    return [(key_mask, key_mask), (question_mask, question_mask)]


def _meet(a: list[int], b: list[int], ours: int) -> Positions:
    """Rows of two near texts, or of one: of two sides each of ours with some of theirs."""
    if ours:
        our_a, their_a = _side(a, ours)
        our_b, their_b = _side(b, ours)
        yield from product(our_a, their_b[:COPIES])
        yield from product(our_b, their_a[:COPIES])
    elif a is b:
        yield from within(a)
    else:
        yield from between(a, b)


def _side(rows: list[int], ours: int) -> tuple[list[int], list[int]]:
    """Those of us, and the others."""
    at = bisect_left(rows, ours)
    return rows[:at], rows[at:]


def _content(item: Item, index: PictureIndex) -> bytes:
    """All that makes two items exact duplicates, as far as it can be grouped by."""
    pictures = [index.digest(path) or path for path in item.pictures]
    content = (item.question, item.options, item.answer, pictures)
    return key_of(repr(content).encode())


def joined_rows(
    items: Sequence[Item], percent: int, engine: Engine
) -> Iterator[dict[str, Any]]:
    """Rows of the exact join alone: groups of identical questions, then pairs of distinct ones."""
    questions = [item.question for item in items]
    for rows in groups_of(questions).values():
        if len(rows) > 1:
            yield {"group": [items[row].id for row in rows]}
    for a, b, distance in join(questions, percent, engine):
        longer = max(len(questions[a]), len(questions[b]))
        yield {
            "a": items[a].id,
            "b": items[b].id,
            "distance": distance,
            "similarity": round(1 - distance / longer, 4),
        }
