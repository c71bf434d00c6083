"""Embeddings of any OpenAI-compatible endpoint: one vector per text, asked once and kept.

A vector is an answer like any other: one request per text, so that the cache, the budget, retries
and an interrupted run work as for replies. It is kept as the Base64 of its float32 numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .ask import ask
from .cache import Cache
from .model import Answer, Model, Request, request_key
from .vectors import unpacked


class Embeddings(NamedTuple):
    """`vectors` are rows of length 1 (float32); those in `lacking`, with the reason, are zero."""

    vectors: Any
    lacking: dict[int, str]


def embed(
    texts: Sequence[str], model: Model, cache: Path, *, offline: bool = False
) -> Embeddings:
    """The vector of every text that is not blank; nothing is asked with `offline`.

    Vectors whose length is not that of most are lacking, and asked for again by the next run.
    Raises UserError as `ask` does.

    Example: `embed(["What is 1 + 1?"], Model(name="m"), Path("answers.db")).vectors`
    """
    import numpy as np

    requests = [
        Request(id=str(k), input=text)
        for k, text in enumerate(texts)
        if text and not text.isspace()
    ]
    raw: dict[int, Any] = {}
    lacking = dict.fromkeys(range(len(texts)), "no text")
    for answer in ask(requests, model, cache, offline=offline):
        if answer.status == "ok":
            raw[int(answer.id)] = unpacked(answer.text)
        else:
            lacking[int(answer.id)] = answer.error
    lengths = Counter(map(len, raw.values()))
    width = lengths.most_common(1)[0][0] if lengths else 0
    vectors = np.zeros((len(texts), width), np.float32)
    useless: list[Request] = []
    for request in requests:
        k = int(request.id)
        if k not in raw:
            continue
        vector = raw[k]
        if len(vector) == width:
            vectors[k] = vector / np.linalg.norm(vector.astype(np.float64))
            del lacking[k]
        else:
            lacking[k] = f"{len(vector)} numbers where most vectors have {width}"
            useless.append(request)
    _forget(useless, model, cache)
    return Embeddings(vectors, lacking)


def _forget(requests: list[Request], model: Model, cache: Path) -> None:
    """Put what may be asked again in the place of answers that are of no use."""
    if requests:
        store: Cache[Answer] = Cache(cache, Answer)
        failed = Answer(id="", status="error")
        store.put_all([(request_key(request, model), failed) for request in requests])
        store.close()
