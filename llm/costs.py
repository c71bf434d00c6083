"""What asking costs: estimated before, projected on the way, and paid."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from ..base.files import encode
from ..base.pictures import LONGEST_SIDE, MOST_SENT
from .cache import Cache
from .model import KEPT, Answer, Model, Request, request_key

PLANNED = (
    "requests",
    "cached",
    "to_ask",
    "characters",
    "pictures",
    "picture_tokens",
    "picture_bytes",
    "reduced",
    "reply_tokens",
    "cost_in",
    "cost_out",
)
ASSUMED = 500  # tokens of a reply before any is known
FIRST = 20  # replies from which the rest is projected


def cost(answer: Answer, model: Model) -> float:
    """The price of an answer, whoever paid it."""
    return _price(answer.prompt_tokens, answer.completion_tokens, model)


def _price(prompts: float, replies: float, model: Model) -> float:
    """What so many tokens cost; prices are per million."""
    price_in = model.price_in or 0.0
    price_out = model.price_out or 0.0
    return (prompts * price_in + replies * price_out) / 1e6


def usage(answers: Iterable[Answer], model: Model) -> dict[str, Any]:
    """Counts by status and tokens; `cost` is what this run paid, `cost_all` with earlier runs.

    `answers` are replies that came; `requests` are all. Costs are None where no prices are given.
    """
    total: dict[str, Any] = {
        "requests": 0,
        "answers": 0,
        "cached": 0,
        "prompt_tokens": 0,
        "completion_tokens": 0,
    }
    paid = everything = 0.0
    left_out: set[str] = set()
    for answer in answers:
        total["requests"] += 1
        total["answers"] += answer.status in KEPT
        total[answer.status] = total.get(answer.status, 0) + 1
        everything += cost(answer, model)
        left_out.update(answer.left_out)
        if answer.cached:
            total["cached"] += 1
            continue
        total["prompt_tokens"] += answer.prompt_tokens
        total["completion_tokens"] += answer.completion_tokens
        paid += cost(answer, model)
    total["cost"] = round(paid, 6) if model.priced else None
    total["cost_all"] = round(everything, 6) if model.priced else None
    if left_out:
        total["left_out"] = sorted(left_out)
    return total


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
    counts: dict[str, Any] = dict.fromkeys(PLANNED, 0)
    keys: set[str] = set()
    reply_tokens: list[int] = []
    longest = ASSUMED
    for request in requests:
        key = request_key(request, model)
        cached = store.get(key)
        answered = key in keys
        if cached is not None and cached.status in KEPT:
            reply_tokens.append(cached.completion_tokens)
            answered = True
        keys.add(key)
        counts["requests"] += 1
        counts["cached" if answered else "to_ask"] += 1
        longest = min(longest, request.max_tokens or longest)
        if not answered:
            texts, pictures = _content(request)
            counts["characters"] += sum(map(len, texts))
            counts["pictures"] += len(pictures)
            counts["picture_tokens"] += sum(map(picture_tokens, pictures))
            counts["picture_bytes"] += sum(len(url) * 3 // 4 for url in pictures)
            counts["reduced"] += request.reduced
    store.close()
    each: float = longest
    if any(reply_tokens):
        each = sum(reply_tokens) / len(reply_tokens)
    counts["reply_tokens"] = round(counts["to_ask"] * each)
    counts["cost_in"] = counts["cost_out"] = None
    if model.priced:
        counts["cost_in"] = round(_price(_prompt_tokens(counts), 0, model), 6)
        counts["cost_out"] = round(_price(0, counts["reply_tokens"], model), 6)
    return counts


def all_planned(plans: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Several plans as one; a figure that one of them does not know is None."""
    total: dict[str, Any] = {}
    for name in PLANNED:
        values = [plan[name] for plan in plans]
        total[name] = None if None in values else sum(values)
    return total


def _prompt_tokens(counts: dict[str, Any]) -> int:
    """About how many: four characters of text make one."""
    return int(counts["characters"] // 4 + counts["picture_tokens"])


def planned(counts: dict[str, Any]) -> str:
    """What is going to be asked, and about what it costs."""
    costs = priced(None)
    if counts["cost_in"] is not None:
        costs = f"{counts['cost_in']:g} + {counts['cost_out']:g}"
    return (
        f"{counts['to_ask']} to ask, {counts['cached']} kept already; about "
        f"{_prompt_tokens(counts):,} prompt tokens "
        f"({_pictures(counts)}) and {counts['reply_tokens']:,} of replies: {costs}"
    )


def _pictures(counts: dict[str, Any]) -> str:
    """How many pictures are sent, how large they are, and how many were larger than is sent."""
    text = f"{counts['pictures']} pictures"
    if counts["pictures"]:
        size = counts["picture_bytes"] / 1e6
        text += (
            f" of {size:.1f} MB, none above {LONGEST_SIDE:,} pixels a side or "
            f"{MOST_SENT / 1e6:g} MB; {counts['reduced']} made smaller for that"
        )
    return text


def projected(first: Sequence[Answer], requests: int, model: Model) -> str:
    """What all `requests` come to, by what the first replies used."""
    share = requests / len(first)
    prompts = share * sum(answer.prompt_tokens for answer in first)
    replies = share * sum(answer.completion_tokens for answer in first)
    total = None
    if model.priced:
        total = float(f"{_price(prompts, replies, model):.3g}")  # three digits
    return (
        f"by the first {len(first)} replies, all {requests:,} come to about {prompts:,.0f} prompt "
        f"and {replies:,.0f} reply tokens: {priced(total)}"
    )


def picture_tokens(url: str) -> int:
    """About how many tokens a picture is: 85, and 170 for each tile of 512 pixels.

    That is OpenAI's published rule, for a picture that fits 2048 x 2048 with its short side at most
    768; others come near it. A picture that cannot be read counts as one tile.
    """
    from PIL import Image, UnidentifiedImageError

    data = url.partition(",")[2]
    try:
        with Image.open(BytesIO(base64.b64decode(data))) as image:
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
        if isinstance(content, str):
            texts.append(content)
            continue
        for part in content:
            if isinstance(part, str):
                texts.append(part)
            elif part.get("type") == "text":
                texts.append(part["text"])
            else:
                pictures.append(part.get("image_url", {}).get("url", ""))
    if request.schema:
        texts.append(encode(request.schema).decode())
    return texts, pictures
