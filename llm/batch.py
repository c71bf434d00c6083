"""Batch files: what the cache lacks as one file to upload, and its replies back into the cache."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from ..base.files import encode, read_lines, replacing
from ..errors import UserError
from .cache import Cache
from .endpoint import classified
from .model import KEPT, Answer, Model, Request, request_body, request_key

MOST_REQUESTS = 50_000  # what OpenAI takes in one file
MOST_BYTES = 190_000_000


def write_batch(
    requests: Iterable[Request], model: Model, cache: Path, path: Path
) -> dict[str, int]:
    """Write what the cache lacks as batch input files; requests in each, by its path.

    The first is `path`; one that grew past 50,000 requests or 190 MB is followed by `path` with a
    number: batch.jsonl, batch-2.jsonl, ...
    """
    store: Cache[Answer] = Cache(cache, Answer)
    pieces = _pieces(_lacking(requests, model, store))
    written: dict[str, int] = {}
    for number, piece in enumerate(pieces, 1):
        name = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        with replacing(name) as file:
            file.writelines(piece)
        written[str(name)] = len(piece)
    store.close()
    return written


def _lacking(
    requests: Iterable[Request], model: Model, store: Cache[Answer]
) -> Iterator[bytes]:
    """The lines of a batch file, each request once."""
    keys: set[str] = set()
    for request in requests:
        key = request_key(request, model)
        cached = store.get(key)
        if key in keys or (cached is not None and cached.status in KEPT):
            continue
        keys.add(key)
        line = {"custom_id": key, "method": "POST", "url": "/v1/chat/completions"}
        yield encode(line | {"body": request_body(request, model)})


def _pieces(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    piece: list[bytes] = []
    size = 0
    for line in lines:
        if piece and (len(piece) == MOST_REQUESTS or size + len(line) > MOST_BYTES):
            yield piece
            piece, size = [], 0
        piece.append(line)
        size += len(line)
    if piece:
        yield piece


def read_batch(path: Path, cache: Path) -> dict[str, int]:
    """Put a batch output file's replies into the cache, by `custom_id`; counts of ok and failed."""
    store: Cache[Answer] = Cache(cache, Answer)
    counts = {"ok": 0, "failed": 0}
    for number, line in read_lines(path):
        try:
            row = msgspec.json.decode(line)
            key = str(row["custom_id"])
            response = row.get("response") or {}
            if response.get("status_code") != 200:
                counts["failed"] += 1
                continue
            answer = classified(key, response["body"])
        except (msgspec.DecodeError, LookupError, TypeError, AttributeError) as error:
            raise UserError(
                f"{path}:{number}: not a batch reply ({error!r})",
                "give the batch's output file",
            ) from error
        store.put(key, answer)
        counts["ok"] += 1
    store.close()
    return counts
