"""Batch files: what the cache lacks as one file to upload, and its replies back into the cache."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from ..errors import UserError
from ..files import encode, read_lines, replacing
from .cache import Cache
from .client import Answer, Model, Request, classified, request_body, request_key


def write_batch(requests: Iterable[Request], model: Model, cache: Path, path: Path) -> int:
    """Write what the cache lacks as a batch input file; returns the number of requests in it."""
    store = Cache(cache, Answer)
    seen: set[str] = set()
    with replacing(path) as file:
        for request in requests:
            key = request_key(request, model)
            if key in seen or store.get(key) is not None:
                continue
            seen.add(key)
            line = {"custom_id": key, "method": "POST", "url": "/v1/chat/completions"}
            file.write(encode(line | {"body": request_body(request, model)}))
    store.close()
    return len(seen)


def read_batch(path: Path, cache: Path) -> dict[str, int]:
    """Put a batch output file's replies into the cache, by `custom_id`; counts of ok and failed."""
    store = Cache(cache, Answer)
    counts = {"ok": 0, "failed": 0}
    for number, line in read_lines(path):
        try:
            row = msgspec.json.decode(line)
            key, response = str(row["custom_id"]), row.get("response") or {}
            if response.get("status_code") != 200:
                counts["failed"] += 1
                continue
            choice = response["body"]["choices"][0]
            message = choice["message"]
            answer = classified(
                key,
                text=message.get("content") or "",
                refusal=message.get("refusal"),
                finish=choice.get("finish_reason"),
                usage=response["body"].get("usage") or {},
            )
        except (msgspec.DecodeError, LookupError, TypeError, AttributeError) as error:
            raise UserError(
                f"{path}:{number}: not a batch reply ({error!r})", "give the batch's output file"
            ) from error
        store.put(key, answer)
        counts["ok"] += 1
    store.close()
    return counts
