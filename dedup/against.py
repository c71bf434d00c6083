"""Contamination: which of our questions occur in another benchmark or a training set?

Every measure is reported and none decides: equal keys; the exact two-sided join; the share of a
question's word 8-grams and 13-grams found in one other text, with numbers as they are and masked (a
changed number breaks every gram around it); local alignment of the words with the passage most like
the question, which scattered edits do not break; and pictures that are the same.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np

from ..base.display import Rows
from ..pipeline import Engine
from .gallery import look_at_all, shared_pictures
from .items import LONGEST, Item, items_of
from .join import groups_of, join_against, whole_percent
from .keys import masked, text_key
from .overlap import Grams, word_grams, words_of
from .wording import vectors_of

SIZES = (8, 13)  # GPT-3 (appendix C) and lm-evaluation-harness use 8 to 13
REPORTED = 0.5  # containment from which a question is reported
ALIGNED = 0.7  # share of words in common, in order, from which an aligned passage is reported
FEWEST = 8  # words of a question that is aligned
ALIGNMENTS = 3  # other texts aligned with each question: those with most of its rare words
SHARE = 0.4  # of the weight of a question's rare words, from which a text is aligned
POSTINGS = 20_000  # entries of the index read per question, those of its rarest words first

_code = re.compile(r"\[asy\].*?(?:\[/asy\]|\Z)|<(?:img|svg)\b[^>]*>|!\[[^\]]*\]\([^)]*\)", re.S)
_drawn = re.compile(r"\\begin\{(tikzpicture|asy|figure|center)\}.*?(?:\\end\{\1\}|\Z)", re.S)
_marks = re.compile(r"\\(?:overline|overrightarrow|overleftrightarrow|vec|bar|widehat|hat)\b")
SYNONYMS = {r"\delta": r"\triangle", r"\varphi": r"\phi", r"\varepsilon": r"\epsilon"}
_synonym = re.compile("|".join(rf"{re.escape(name)}\b" for name in SYNONYMS))


class Hit(msgspec.Struct, kw_only=True):
    """One of our questions and the other text most like it, by each measure."""

    id: str
    other: str  # by the first measure that found it, in the order of the fields
    same_key: bool = False
    similarity: float | None = None  # from the join: 1 - edits / longer
    contained: dict[str, float] = {}  # "8", "13", "8 masked", "13 masked": share of our grams
    aligned: float | None = None  # share of words in common, in order, with `passage`
    passage: str = ""  # of the other text
    picture: bool = False  # the other has a picture of ours
    others: dict[str, str] = {}  # the other text of each measure
    question: str = ""  # ours


class Contamination(Rows[Hit]):
    """What `find_contamination` found: `questions` of ours among so many `others`."""

    __slots__ = ("others", "questions", "unreadable")
    questions: int
    others: int
    unreadable: list[str]

    def headline(self) -> str:
        return f"{len(self)} of {self.questions} questions found among {self.others}"

    def report(self, title: str) -> str:
        """All hits as a Markdown text to send on: what was compared, how, and what was found."""
        lines = [
            f"# {_escaped(title)}",
            "",
            f"{self.headline()}. Measures: equal texts after normalisation; similarity, 1 - edits "
            "/ length; share of word 8- and 13-grams in one other text; words in common with the "
            "aligned passage; the same picture. Found is not proven: read both.",
            "",
        ]
        for hit in self:
            grams = ", ".join(f"{n}-grams {share:.0%}" for n, share in hit.contained.items())
            found = [
                "same text" if hit.same_key else "",
                f"similarity {hit.similarity:.2f}" if hit.similarity else "",
                grams,
                f"aligned {hit.aligned:.0%}" if hit.aligned else "",
                "same picture" if hit.picture else "",
            ]
            lines += [
                f"## {_escaped(hit.id)} and {_escaped(hit.other)}",
                "",
                "; ".join(filter(None, found)),
                "",
                f"> {_escaped(hit.question)}",
                "",
                *([f"Passage: {_escaped(hit.passage)}", ""] if hit.passage else []),
            ]
        return "\n".join(lines)


def _escaped(text: str) -> str:
    return html.escape(" ".join(text.split())[:2000], quote=False).replace("`", "\\`")


def find_contamination(
    problems: str | Path | Iterable[Item],
    others: str | Path | Iterable[Item],
    threshold: float = 0.85,
    *,
    text_field: str | None = None,
    images: str | Path | None = None,
    other_images: str | Path | None = None,
    pictures: bool = True,
    engine: Engine | None = None,
) -> Contamination:
    """Which questions of a JSONL of problems (or of items) occur in another one.

    Files are JSON lines, plain or gzipped, or Parquet.

    Args:
        problems: JSONL of problems.
        others: A benchmark or a training set.
        threshold: Least similarity of two questions: 1 - edits / length of the longer, a whole
            percentage from 0.5 to 1.
        text_field: Field of OTHERS with the text [default: question, problem, text, ...].
        images: Folder that picture paths are relative to [default: the file's folder].
        other_images: The same for OTHERS.
        pictures: Open the pictures and compare them, too.
        engine: Where the work runs.

    Raises UserError for files without a readable question, and for another threshold.

    Example: `find_contamination("problems.jsonl", "gsm8k-train.jsonl").to_frame()`
    """
    percent = whole_percent(threshold)
    items, bad = items_of(problems, images)
    other_items, bad_others = items_of(others, other_images, text_field)
    hits = Contamination(find_against(items, other_items, percent, engine, pictures))
    hits.questions, hits.others, hits.unreadable = len(items), len(other_items), bad + bad_others
    return hits


def passage_key(text: str) -> str:
    r"""A key that also forgets case, picture code, and marks over letters.

    >>> passage_key("IF $\\Delta ABC$ has [asy]draw(A--B);[/asy] side $\\overline{AB}$")
    'if \\triangle abc has side ab'
    """
    text = _marks.sub(" ", _drawn.sub(" ", _code.sub(" ", text)))
    key = text_key(text).lower().replace("{ ", "").replace(" }", "")
    return " ".join(_synonym.sub(lambda m: SYNONYMS[m[0]], key).split())


class _Side:
    """The questions of one side, as each measure reads them."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        usable = [i.question if len(i.question) <= LONGEST else "" for i in items]
        self.texts = usable
        self.keys = [passage_key(text) for text in usable]

    @cached_property
    def masked(self) -> list[str]:
        return [masked(key) for key in self.keys]

    @cached_property
    def words(self) -> list[list[str]]:
        return [words_of(key) for key in self.keys]


def find_against(
    items: Sequence[Item],
    others: Sequence[Item],
    percent: int,
    engine: Engine | None = None,
    pictures: bool = True,
) -> Iterator[Hit]:
    """Our questions found among `others`, in our order; texts too short for a gram have none.

    >>> items = [Item(id="1", question="How many apples does Ann have?")]
    >>> others = [Item(id="x", question="how many  apples does Ann have ?")]
    >>> [hit.same_key for hit in find_against(items, others, 90)]
    [True]
    """
    engine = engine or Engine()
    ours, theirs = _Side(items), _Side(others)
    hits: dict[int, Hit] = {}

    def hit(row: int, other: int, measure: str) -> Hit:
        name, item = others[other].id, items[row]
        new = Hit(id=item.id, other=name, contained={}, others={}, question=item.question)
        entry = hits.setdefault(row, new)
        entry.others[measure] = name
        return entry

    other_groups = groups_of(theirs.keys)
    for row, key in enumerate(ours.keys):
        if key and key in other_groups:
            hit(row, other_groups[key][0], "key").same_key = True
    for row, other, similarity in _similar(ours.texts, theirs.texts, percent, engine):
        hit(row, other, "join").similarity = similarity
    for size in SIZES:
        for name, keys, other_keys in (
            (f"{size}", ours.keys, theirs.keys),
            (f"{size} masked", ours.masked, theirs.masked),
        ):
            for row, other, share in _contained(keys, other_keys, size):
                hit(row, other, name).contained[name] = share
    for row, other, share, passage in _aligned(ours.words, theirs.words):
        found = hit(row, other, "alignment")
        found.aligned, found.passage = share, passage
    for row, other in _pictured(items, others, engine) if pictures else ():
        hit(row, other, "picture").picture = True
    for row in sorted(hits):
        yield hits[row]


def _similar(
    texts: Sequence[str], other_texts: Sequence[str], percent: int, engine: Engine
) -> Iterator[tuple[int, int, float]]:
    """For every question the most similar other text; identical questions share the result."""
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
    none: Grams = frozenset()
    grams = [word_grams(key, size) if len(words_of(key)) >= size else none for key in keys]
    rows_of: dict[tuple[str, ...], list[int]] = {}
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


def _aligned(
    words: Sequence[Sequence[str]], other_words: Sequence[Sequence[str]]
) -> Iterator[tuple[int, int, float, str]]:
    """The passage of another text with most of a question's words in its order, from ALIGNED on."""
    from rapidfuzz import fuzz

    for row, candidates in _sharing(words, other_words):
        best = (0.0, 0, "")
        for other in candidates:
            there = other_words[other]
            if len(there) < FEWEST:
                continue
            found = fuzz.partial_ratio_alignment(words[row], there, score_cutoff=100 * ALIGNED)
            if found is not None and found.score / 100 > best[0]:
                passage = " ".join(there[found.dest_start : found.dest_end])
                best = round(found.score / 100, 4), other, passage
        if best[0]:
            yield row, best[1], best[0], best[2]


def _sharing(
    words: Sequence[Sequence[str]], other_words: Sequence[Sequence[str]]
) -> Iterator[tuple[int, list[int]]]:
    """For each question the other texts that hold most of the weight of its rare words."""
    vectors = vectors_of([*words, *other_words])
    ours, total = len(words), len(words) + len(other_words)
    rows = np.repeat(np.arange(total), np.diff(vectors.starts))
    theirs = rows >= ours
    order = np.argsort(vectors.words[theirs], kind="stable")
    posted = rows[theirs][order] - ours
    frequency = np.bincount(vectors.words[theirs], minlength=int(vectors.words.max(initial=0)) + 1)
    first = np.cumsum(frequency) - frequency
    for row in range(ours):
        if len(words[row]) < FEWEST or total == ours:
            continue
        own = slice(vectors.starts[row], vectors.starts[row + 1])
        weight = (vectors.rarity[vectors.words[own]] / vectors.length[row]) ** 2
        found = np.zeros(total - ours)
        read = 0
        for word, value in zip(vectors.words[own], weight, strict=True):
            read += int(frequency[word])
            if read > POSTINGS:
                break
            found[posted[first[word] : first[word] + frequency[word]]] += value
        near = np.flatnonzero(found >= SHARE)
        if len(near):
            yield row, near[np.argsort(-found[near], kind="stable")][:ALIGNMENTS].tolist()


def _pictured(
    items: Sequence[Item], others: Sequence[Item], engine: Engine
) -> Iterator[tuple[int, int]]:
    """Our questions and others that share a picture, whatever is asked."""
    if not any(i.pictures for i in items) or not any(i.pictures for i in others):
        return
    both = [*items, *others]
    for a, b in shared_pictures(both, look_at_all(both, engine)):
        ours, theirs = min(a, b), max(a, b)
        if ours < len(items) <= theirs:
            yield ours, theirs - len(items)
