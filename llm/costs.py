"""What asking costs: estimated before, projected on the way, and paid."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from ..base.files import encode
from .cache import Cache
from .model import KEPT, Answer, Model, Request, request_key

ASSUMED = 500  # tokens of a reply before any is known
FIRST = 20  # replies from which the rest is projected


def cost(answer: Answer, model: Model) -> float:
    """The price of an answer, whoever paid it."""
    return _price(answer.prompt_tokens, answer.completion_tokens, model)


def _price(prompts: float, replies: float, model: Model) -> float:
    return (
        prompts * (model.price_in or 0.0) + replies * (model.price_out or 0.0)
    ) / 1e6


def usage(answers: Iterable[Answer], model: Model) -> dict[str, Any]:
    """Counts by status and tokens; `cost` is what this run paid, `cost_all` with earlier runs.

    Both are None where no prices are given.
    """
    total: dict[str, Any] = {
        "answers": 0,
        "cached": 0,
        "prompt_tokens": 0,
        "completion_tokens": 0,
    }
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
    for name, value in (("cost", paid), ("cost_all", everything)):
        total[name] = round(value, 6) if model.priced else None
    return total | ({"left_out": sorted(left_out)} if left_out else {})


def priced(value: float | None) -> str:
    """A cost in words: without prices there is none to tell.

    >>> priced(0.25), priced(None)
    ('0.25', 'no prices given')
    """
    return "no prices given" if value is None else f"{value:g}"


def plan(requests: Iterable[Request], model: Model, cache: Path) -> dict[str, Any]:
    """What `ask` would do (`--dry-run`): requests, how many the cache holds, what is to be sent.

    Tokens are estimates: four characters of text each, pictures by their tiles (`picture_tokens`),
    replies as long as those that are kept, or ASSUMED. `cost_in` and `cost_out` are None where no
    prices are given.
    """
    store: Cache[Answer] = Cache(cache, Answer)
    counts: dict[str, Any] = dict.fromkeys(
        ("requests", "cached", "to_ask", "characters", "pictures", "picture_tokens"), 0
    )
    seen: set[str] = set()
    kept_tokens: list[int] = []
    longest = ASSUMED
    for request in requests:
        key = request_key(request, model)
        kept = store.get(key)
        if kept is not None and kept.status in KEPT:
            kept_tokens.append(kept.completion_tokens)
        known = key in seen or (kept is not None and kept.status in KEPT)
        seen.add(key)
        counts["requests"] += 1
        counts["cached" if known else "to_ask"] += 1
        longest = min(longest, request.max_tokens or longest)
        if not known:
            texts, pictures = _content(request)
            counts["characters"] += sum(map(len, texts))
            counts["pictures"] += len(pictures)
            counts["picture_tokens"] += sum(map(picture_tokens, pictures))
    store.close()
    each = sum(kept_tokens) / len(kept_tokens) if any(kept_tokens) else longest
    prompts = counts["characters"] // 4 + counts["picture_tokens"]
    counts["reply_tokens"] = round(counts["to_ask"] * each)
    counts["cost_in"] = round(_price(prompts, 0, model), 6) if model.priced else None
    counts["cost_out"] = (
        round(_price(0, counts["reply_tokens"], model), 6) if model.priced else None
    )
    return counts


def planned(counts: dict[str, Any]) -> str:
    """What is going to be asked, and about what it costs."""
    said = (
        f"{counts['to_ask']} to ask, {counts['cached']} kept already; about "
        f"{counts['characters'] // 4 + counts['picture_tokens']:,} prompt tokens "
        f"({counts['pictures']} pictures) and {counts['reply_tokens']:,} of replies: "
    )
    if counts["cost_in"] is None:
        return said + priced(None)
    return said + f"{counts['cost_in']:g} + {counts['cost_out']:g}"


def projected(first: Sequence[Answer], requests: int, model: Model) -> str:
    """What all `requests` come to, by what the first replies used."""
    share = requests / len(first)
    prompts = share * sum(answer.prompt_tokens for answer in first)
    replies = share * sum(answer.completion_tokens for answer in first)
    total = priced(
        float(f"{_price(prompts, replies, model):.3g}") if model.priced else None
    )
    return (
        f"by the first {len(first)} replies, all {requests:,} come to about {prompts:,.0f} prompt "
        f"and {replies:,.0f} reply tokens: {total}"
    )


def picture_tokens(url: str) -> int:
    """About how many tokens a picture is: 85, and 170 for each tile of 512 pixels.

    That is OpenAI's published rule, for a picture that fits 2048 x 2048 with its short side at most
    768; others come near it. A picture that cannot be read counts as one tile.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(BytesIO(base64.b64decode(url.partition(",")[2]))) as image:
            width, height = image.size
    except (UnidentifiedImageError, OSError, ValueError):
        width = height = 1
    scale = min(1.0, 2048 / max(width, height), 768 / min(width, height))
    tiles = math.ceil(width * scale / 512) * math.ceil(height * scale / 512)
    return 85 + 170 * tiles


def _content(request: Request) -> tuple[list[str], list[str]]:
    """The texts of a request and the data URLs of its pictures."""
    texts = [request.input or ""]
    pictures: list[str] = []
    for message in request.messages:
        content = message["content"]
        for part in [content] if isinstance(content, str) else content:
            if isinstance(part, str):
                texts.append(part)
            elif part.get("type") == "text":
                texts.append(part["text"])
            else:
                pictures.append(part.get("image_url", {}).get("url", ""))
    if request.schema:
        texts.append(encode(request.schema).decode())
    return texts, pictures
