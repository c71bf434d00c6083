"""Find, classify and explain all pairs worth a person's look.

Signals propose pairs: the exact join on the questions as they are and on their comparison
keys, overlap of word n-grams (reordered texts), formulas and numbers (translations), pictures with
the same pixels or ink, and rare words in common (reworded texts); with embeddings also their
meaning. Each pair is compared once and
becomes one row, the likeliest first. Of a family of questions that differ only in numbers and
names, the first stands for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..base.display import Rows
from ..base.terminal import say
from ..llm import Model
from ..pipeline import Engine
from .classes import Pair, compare
from .families import Family, families_of
from .gallery import Look, between, look_at_all, relation, shared_pictures, within
from .items import LONGEST, Item, items_of, keeper, order_of
from .join import groups_of, join, whole_percent
from .likeness import LISTED, PRIOR, Likeness, key_tokens, likeness
from .meaning import meanings
from .overlap import jaccard_join, words_of
from .tokens import Tokens, mapped, taken
from .translation import translation_pairs

OVERLAP = 60  # percent of word 3-grams in common

Signal = tuple[str, Iterable[tuple[int, int]]]
Candidates = dict[tuple[int, int], list[str]]


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
    each: Callable[[Pair], None] | None = None,
    embeddings: Model | None = None,
    cache: str | Path = "answers.db",
) -> Pairs:
    """All pairs of a JSONL of problems (or of items) that may be duplicates, with evidence.

    Args:
        problems: A problems.jsonl, a release's jsonl file, or any JSONL with id and question.
        threshold: Least similarity of two questions: 1 - edits / length of the longer, a whole
            percentage from 0.5 to 1.
        images: Folder that picture paths are relative to [default: the file's folder].
        pictures: Open the pictures and compare them, too.
        engine: Where the work runs.
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
    families = list(families_of(items))
    vectors = meanings(items, embeddings, Path(cache)).vectors if embeddings else None
    found = pairs_among(items, percent, engine, pictures, families, vectors)
    pairs = Pairs()
    if each is None:
        pairs.extend(found)
    else:
        for pair in found:
            each(pair)
    pairs.questions, pairs.unreadable = len(items), unreadable
    pairs.families = [family for family, _ in families]
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
    items: Sequence[Item],
    percent: int,
    engine: Engine | None = None,
    pictures: bool = True,
    families: Sequence[tuple[Family, list[int]]] | None = None,
    vectors: Any = None,
) -> Iterator[Pair]:
    """Proposed pairs, the likeliest to be one problem first; `percent` as in `join.whole_percent`.

    `families` are those of `families_of`, where they are known already; `vectors` embeddings.

    >>> two = [Item(id="1", question="How many?"), Item(id="2", question="How many ?")]
    >>> [pair.kind for pair in pairs_among(two, 85)]
    ['respelled']
    """
    engine = engine or Engine()
    seen = look_at_all(items, engine) if pictures else {}
    order = order_of(items)
    families = list(families_of(items)) if families is None else families
    family = {row: rows[0] for _, rows in families for row in rows}
    tokens = key_tokens(items)
    found = _candidates(items, percent, engine, seen, family, tokens)
    evidence = likeness(items, seen, list(found), family, tokens, engine, vectors)
    for k in _ranking(evidence, found, len(items)):
        a, b = int(evidence.a[k]), int(evidence.b[k])
        left, right = items[a], items[b]
        skipped = not pictures and bool(left.pictures or right.pictures)
        picture = ("not compared", None) if skipped else relation(left, right, seen)
        parts = {name: float(values[k]) for name, values in evidence.parts.items()}
        signals = found.get((a, b), ["wording"])
        if parts.get("meaning"):
            signals = [*signals, "meaning"]
        pair = compare(left, right, signals, picture, parts | {"prior": PRIOR})
        kept, pair.why_keep = keeper(left, right, order)
        pair.keep = kept.id
        yield pair


def _ranking(evidence: Likeness, found: Candidates, total: int) -> Iterator[int]:
    """The rows of the evidence that are listed, by falling sum, then by position."""
    codes = evidence.a * max(total, 1) + evidence.b
    proposed = np.array(sorted(a * max(total, 1) + b for a, b in found), np.int64)
    listed = (evidence.sum >= LISTED) | np.isin(codes, proposed)
    for k in np.argsort(-np.round(evidence.sum, 6), kind="stable"):
        if listed[k]:
            yield int(k)


def _candidates(
    items: Sequence[Item],
    percent: int,
    engine: Engine,
    seen: dict[Path, Look],
    family: dict[int, int],
    tokens: Tokens,
) -> Candidates:
    out: Candidates = {}
    for signal, pairs in _signals(items, percent, engine, seen, family, tokens):
        for a, b in pairs:
            signals = out.setdefault((min(a, b), max(a, b)), [])
            if signal not in signals:
                signals.append(signal)
    return out


def _signals(
    items: Sequence[Item],
    percent: int,
    engine: Engine,
    seen: dict[Path, Look],
    family: dict[int, int],
    tokens: Tokens,
) -> Iterator[Signal]:
    """Each signal's name and the pairs of positions it proposes."""
    contents = groups_of(_content(item, seen) for item in items)
    groups = groups_of(item.question for item in items)
    for rows in [*contents.values(), *groups.values()]:
        yield "text", within(rows)
    keys = groups_of(item.key for item in items)
    keys.pop("", None)  # only pictures and layout
    for rows in keys.values():
        yield "key", within(rows)
    members = {rows[0]: rows for rows in groups.values()}
    usable = [row for row in members if 0 < len(items[row].question) <= LONGEST]
    if len(usable) < len(members):
        say(
            f"{len(members) - len(usable)} empty or very long questions are compared as wholes only"
        )
    usable = [row for row in usable if family.get(row, row) == row]
    distinct = taken(tokens, np.array(usable, np.int64))
    for signal, pairs in _text_signals([items[k] for k in usable], percent, engine, distinct):
        for a, b in pairs:
            yield signal, between(members[usable[a]], members[usable[b]])
    shared = shared_pictures(items, seen)
    yield "picture", ((a, b) for a, b in shared if family.get(a, a) != family.get(b, b))


def _text_signals(
    items: Sequence[Item], percent: int, engine: Engine, tokens: Tokens
) -> Iterator[Signal]:
    """The same for questions that are all different, and none empty."""
    texts = [item.question for item in items]
    yield "text", ((match.a, match.b) for match in join(texts, percent, engine))
    groups = groups_of(item.key for item in items)
    groups.pop("", None)
    firsts = [rows[0] for rows in groups.values()]
    distinct = list(groups)
    alike = ((match.a, match.b) for match in join(distinct, percent, engine))
    yield "key", ((firsts[a], firsts[b]) for a, b in alike)
    words = mapped(taken(tokens, np.array(firsts, np.int64)), words_of)
    overlapping = jaccard_join(words, OVERLAP, 3)
    yield "overlap", ((firsts[a], firsts[b]) for a, b in overlapping)
    yield "formulas", translation_pairs(items)


def _content(item: Item, seen: dict[Path, Look]) -> Hashable:
    """All that makes two items exact duplicates, as far as it can be grouped by."""
    pictures = [seen[path].digest if path in seen else str(path) for path in item.pictures]
    return item.question, tuple(item.options), item.answer, tuple(pictures)


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
