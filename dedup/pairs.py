"""Find, classify and explain all pairs worth a person's look.

Five signals propose pairs: the exact join on the questions as they are and on their comparison
keys, overlap of word n-grams (reordered texts), formulas and numbers (translations), and pictures
with the same pixels or ink. Each pair is compared once and becomes one row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..display import Rows
from ..pipeline import Engine
from ..terminal import say
from .classes import Pair, compare
from .gallery import Look, between, look_at_all, relation, shared_pictures, within
from .items import LONGEST, Item, items_of, keeper, order_of
from .join import groups_of, join, whole_percent
from .keys import text_key
from .overlap import jaccard_join, word_grams
from .translation import translation_pairs

OVERLAP = 60  # percent of word 3-grams in common

Signal = tuple[str, Iterable[tuple[int, int]]]
Candidates = dict[tuple[int, int], list[str]]


class Pairs(Rows[Pair]):
    """What `find_pairs` found among so many `questions`; `unreadable` lines are named."""

    __slots__ = ("questions", "unreadable")
    questions: int
    unreadable: list[str]

    def counts(self) -> dict[str, int]:
        """Pairs by class, the most frequent first."""
        return dict(Counter(pair.kind for pair in self).most_common())

    def headline(self) -> str:
        kinds = ", ".join(f"{kind} {n}" for kind, n in self.counts().items())
        return f"{len(self)} pairs among {self.questions} questions ({kinds or 'none'})"


def find_pairs(
    problems: str | Path | Iterable[Item],
    threshold: float = 0.85,
    *,
    images: str | Path | None = None,
    pictures: bool = True,
    engine: Engine | None = None,
) -> Pairs:
    """All pairs of a JSONL of problems (or of items) that may be duplicates, with evidence.

    `threshold` is the least similarity of two questions, 1 - edits / length of the longer; picture
    paths are relative to `images` (default: the file's folder). Raises UserError for a file without
    a readable question, for an id that occurs twice and for a threshold outside 0.5 to 1.

    >>> two = [Item(id="1", question="How many?"), Item(id="2", question="How many ?")]
    >>> find_pairs(two)
    <Pairs: 1 pairs among 2 questions (respelled 1)>
    """
    percent = whole_percent(threshold)
    items, unreadable = items_of(problems, images)
    pairs = Pairs(pairs_among(items, percent, engine, pictures))
    pairs.questions, pairs.unreadable = len(items), unreadable
    return pairs


def find_joined(
    problems: str | Path | Iterable[Item], threshold: float = 0.85, *, engine: Engine | None = None
) -> tuple[Iterator[dict[str, Any]], list[str]]:
    """The exact join alone, as `joined_rows` gives it while it works, and unreadable lines.

    Raises UserError as `find_pairs` does.
    """
    percent = whole_percent(threshold)
    items, unreadable = items_of(problems)
    return joined_rows(items, percent, engine or Engine()), unreadable


def pairs_among(
    items: Sequence[Item], percent: int, engine: Engine | None = None, pictures: bool = True
) -> Iterator[Pair]:
    """Proposed pairs in order of their members' positions; `percent` as in `join.whole_percent`.

    >>> two = [Item(id="1", question="How many?"), Item(id="2", question="How many ?")]
    >>> [pair.kind for pair in pairs_among(two, 85)]
    ['respelled']
    """
    engine = engine or Engine()
    seen = look_at_all(items, engine) if pictures else {}
    order = order_of(items)
    for (a, b), signals in sorted(_candidates(items, percent, engine, seen).items()):
        left, right = items[a], items[b]
        skipped = not pictures and bool(left.pictures or right.pictures)
        picture = ("not compared", None) if skipped else relation(left, right, seen)
        pair = compare(left, right, signals, picture)
        kept, pair.why_keep = keeper(left, right, order)
        pair.keep = kept.id
        yield pair


def _candidates(
    items: Sequence[Item], percent: int, engine: Engine, seen: dict[Path, Look]
) -> Candidates:
    out: Candidates = {}
    for signal, pairs in _signals(items, percent, engine, seen):
        for a, b in pairs:
            signals = out.setdefault((min(a, b), max(a, b)), [])
            if signal not in signals:
                signals.append(signal)
    return out


def _signals(
    items: Sequence[Item], percent: int, engine: Engine, seen: dict[Path, Look]
) -> Iterator[Signal]:
    """Each signal's name and the pairs of positions it proposes."""
    contents = groups_of(_content(item, seen) for item in items)
    groups = groups_of(item.question for item in items)
    for rows in [*contents.values(), *groups.values()]:
        yield "text", within(rows)
    members = {rows[0]: rows for rows in groups.values()}
    usable = [row for row in members if 0 < len(items[row].question) <= LONGEST]
    if len(usable) < len(members):
        say(
            f"{len(members) - len(usable)} empty or very long questions are compared as wholes only"
        )
    for signal, pairs in _text_signals([items[row] for row in usable], percent, engine):
        for a, b in pairs:
            yield signal, between(members[usable[a]], members[usable[b]])
    yield "picture", shared_pictures(items, seen)


def _text_signals(items: Sequence[Item], percent: int, engine: Engine) -> Iterator[Signal]:
    """The same for questions that are all different, and none empty."""
    texts = [item.question for item in items]
    yield "text", ((match.a, match.b) for match in join(texts, percent, engine))
    keys = [text_key(text) for text in texts]
    groups = groups_of(keys)
    groups.pop("", None)  # only pictures and layout
    for rows in groups.values():
        yield "key", within(rows)
    firsts = [rows[0] for rows in groups.values()]
    distinct = [keys[row] for row in firsts]
    alike = ((match.a, match.b) for match in join(distinct, percent, engine))
    yield "key", ((firsts[a], firsts[b]) for a, b in alike)
    overlapping = jaccard_join([word_grams(key) for key in distinct], OVERLAP)
    yield "overlap", ((firsts[a], firsts[b]) for a, b in overlapping)
    yield "formulas", translation_pairs(items)


def _content(item: Item, seen: dict[Path, Look]) -> str:
    """All that makes two items exact duplicates."""
    pictures = [seen[path].digest if path in seen else str(path) for path in item.pictures]
    return repr((item.question, item.options, item.answer, pictures))


def joined_rows(items: Sequence[Item], percent: int, engine: Engine) -> Iterator[dict[str, Any]]:
    """Rows of the exact join alone: groups of identical questions, then pairs of distinct ones."""
    groups = groups_of(item.question for item in items)
    for rows in groups.values():
        if len(rows) > 1:
            yield {"group": [items[row].id for row in rows]}
    for a, b, distance in join([item.question for item in items], percent, engine):
        longer = max(len(items[a].question), len(items[b].question))
        similarity = round(1 - distance / longer, 4)
        yield {"a": items[a].id, "b": items[b].id, "distance": distance, "similarity": similarity}
