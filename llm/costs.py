"""What asking costs: planned, and paid."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..base.files import encode
from .cache import Cache
from .model import KEPT, Answer, Model, Request, request_key


def cost(answer: Answer, model: Model) -> float:
    """The price of an answer, whoever paid it."""
    tokens = answer.prompt_tokens * model.price_in + answer.completion_tokens * model.price_out
    return tokens / 1e6


def usage(answers: Iterable[Answer], model: Model) -> dict[str, Any]:
    """Counts by status and tokens; `cost` is what this run paid, `cost_all` with earlier runs."""
    total: dict[str, Any] = {"answers": 0, "cached": 0, "prompt_tokens": 0, "completion_tokens": 0}
    paid = everything = 0.0
    left_out: set[str] = set()
    for answer in answers:
        total["answers"] += 1
        total[answer.status] = total.get(answer.status, 0) + 1
        everything += cost(answer, model)
        left_out.update(answer.left_out)
        if answer.cached:
            total["cached"] += 1
            continue
        total["prompt_tokens"] += answer.prompt_tokens
        total["completion_tokens"] += answer.completion_tokens
        paid += cost(answer, model)
    total |= {"cost": round(paid, 6), "cost_all": round(everything, 6)}
    return total | ({"left_out": sorted(left_out)} if left_out else {})


def plan(requests: Iterable[Request], model: Model, cache: Path) -> dict[str, Any]:
    """What `ask` would do (`--dry-run`): requests, how many the cache holds, characters to send.

    `cost_in` is about what the prompts cost, at four characters of text a token; pictures, which
    every provider counts in its own way, are counted as `pictures`.
    """
    store: Cache[Answer] = Cache(cache, Answer)
    counts: dict[str, Any] = dict.fromkeys(
        ("requests", "cached", "to_ask", "characters", "pictures"), 0
    )
    seen: set[str] = set()
    for request in requests:
        key = request_key(request, model)
        kept = store.get(key)
        known = key in seen or (kept is not None and kept.status in KEPT)
        seen.add(key)
        counts["requests"] += 1
        counts["cached" if known else "to_ask"] += 1
        if not known:
            texts, pictures = _content(request)
            counts["characters"] += sum(map(len, texts))
            counts["pictures"] += pictures
    store.close()
    return counts | {"cost_in": round(counts["characters"] / 4 * model.price_in / 1e6, 6)}


def _content(request: Request) -> tuple[list[str], int]:
    """The texts of a request and how many pictures it carries."""
    texts = [request.input or ""]
    pictures = 0
    for message in request.messages:
        content = message["content"]
        for part in [content] if isinstance(content, str) else content:
            if isinstance(part, str):
                texts.append(part)
            elif part.get("type") == "text":
                texts.append(part["text"])
            else:
                pictures += 1
    if request.schema:
        texts.append(encode(request.schema).decode())
    return texts, pictures
