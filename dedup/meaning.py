"""Meaning, as embeddings have it: what two wordings share although they share no rare word.

Vectors come from any OpenAI-compatible endpoint and are kept in the answer cache, so that a build
reads them without asking. All neighbours are found, in blocks of bounded memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..base.terminal import say
from ..llm import Embeddings, Model, embed
from .items import LONGEST, Item
from .keys import IMAGE_TAG
from .signatures import Ints

NEAREST = 6  # neighbours of each question
NEAR = 0.6  # cosine from which two questions are compared
CELLS = 4_000_000  # cosines held at a time


def meanings(
    items: Sequence[Item], model: Model, answers: Path, *, offline: bool = False
) -> Embeddings:
    """The vector of every question without its picture tags; those lacking are told on stderr.

    Raises UserError as `llm.ask` does. Example: `meanings(items, Model(name="m"), Path("a.db"))`
    """
    texts = [_text(item) for item in items]
    embeddings = embed(texts, model, answers, offline=offline)
    lacking = [row for row in embeddings.lacking if texts[row]]
    if lacking:
        first = lacking[0]
        say(
            f"{len(lacking)} questions without embedding, the first {items[first].id}: "
            f"{embeddings.lacking[first]}"
        )
    return embeddings


def _text(item: Item) -> str:
    """What is embedded of a question; "" for a very long one."""
    if len(item.question) > LONGEST:
        return ""
    return " ".join(IMAGE_TAG.sub(" ", item.question).split())


def near_meanings(vectors: Any) -> tuple[Ints, Ints]:
    """Pairs (a < b) of rows of length 1 of which one is among the other's nearest, from NEAR on.

    >>> a, b = near_meanings(np.array([[1, 0], [0.8, 0.6], [0, 1], [0, 0]], np.float32))
    >>> a.tolist(), b.tolist()
    ([0, 1], [1, 2])
    """
    total = len(vectors)
    nearest = min(NEAREST, total)
    step = max(1, CELLS // max(total, 1))
    codes = [np.empty(0, np.int64)]
    for start in range(0, total, step):
        cosines = vectors[start : start + step] @ vectors.T
        cosines = np.round(cosines, 4)  # alike on any machine
        rows = np.arange(len(cosines))
        cosines[rows, start + rows] = 0  # with itself
        bars = np.partition(cosines, -nearest, axis=1)[:, -nearest]
        row, other = np.nonzero(cosines >= np.maximum(bars, NEAR)[:, None])
        row += start
        codes.append(np.minimum(row, other) * total + np.maximum(row, other))
    a, b = np.divmod(np.unique(np.concatenate(codes)), max(total, 1))
    return a, b


def meaning_cosines(vectors: Any, a: Ints, b: Ints, most: int = 50_000) -> Any:
    """The cosine of each pair of rows, at least 0."""
    cosines = np.zeros(len(a))
    for start in range(0, len(a), most):
        part = slice(start, start + most)
        x, y = vectors[a[part]], vectors[b[part]]
        cosines[part] = np.einsum("ij,ij->i", x, y, dtype=np.float64)
    return np.maximum(np.round(cosines, 4), 0)
