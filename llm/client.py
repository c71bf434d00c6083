"""Ask a model behind any OpenAI-compatible endpoint; every answer is paid for once.

Answers are cached in SQLite as JSON, keyed by what was asked (model, messages, schema,
temperature, seed, token limit), so an interrupted run resumes and a build can run offline.
The key of the endpoint comes from the environment (`OPENAI_API_KEY`) and is never stored.
"""

from __future__ import annotations

import base64
import hashlib
import os
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..errors import UserError
from ..files import encode
from .cache import Cache

ReplyStatus = Literal["ok", "refused", "truncated", "empty", "error", "missing"]


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """A model and how to reach it. Prices are per million tokens, in any one currency."""

    name: str
    base_url: str | None = None  # default: OPENAI_BASE_URL, else OpenAI's own
    key_variable: str = "OPENAI_API_KEY"
    concurrency: int = 8
    retries: int = 6
    timeout: float = 600.0  # seconds for one request
    per_minute: float | None = None  # requests
    price_in: float = 0.0
    price_out: float = 0.0


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One question; `schema` is a JSON schema that the reply shall follow."""

    id: str
    messages: list[dict[str, Any]]
    schema: dict[str, Any] | None = None
    temperature: float = 0.0
    seed: int | None = None
    max_tokens: int | None = None


class Answer(msgspec.Struct, kw_only=True):
    """The reply. Only `error` and `missing` have no text and are asked again next time."""

    id: str
    text: str = ""
    status: ReplyStatus = "ok"
    cached: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0
    plain: bool = False  # the endpoint refused the schema and was asked without it
    error: str = ""


def text_part(text: str) -> dict[str, Any]:
    """A text part of a message's content."""
    return {"type": "text", "text": text}


def image_part(path: Path) -> dict[str, Any]:
    """A picture part of a message's content, embedded as a data URL."""
    kind = "jpeg" if path.suffix in (".jpg", ".jpeg") else "png"
    data = base64.b64encode(path.read_bytes()).decode()
    return {"type": "image_url", "image_url": {"url": f"data:image/{kind};base64,{data}"}}


def request_key(request: Request, model: Model) -> str:
    """Cache key and batch id of a request: what was asked, not who asked or under which id."""
    return hashlib.sha256(encode(request_body(request, model))).hexdigest()


def request_body(request: Request, model: Model) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": model.name,
        "messages": request.messages,
        "temperature": request.temperature,
    }
    if request.seed is not None:
        body["seed"] = request.seed
    if request.max_tokens is not None:
        body["max_tokens"] = request.max_tokens
    if request.schema is not None:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": request.schema},
        }
    return body


def ask(
    requests: Iterable[Request], model: Model, cache: Path, *, offline: bool = False
) -> Iterator[Answer]:
    """Answers in the order of the requests, asking concurrently for what the cache lacks.

    With `offline` nothing is asked: what the cache lacks has status `missing`. A request that
    fails for good (after `model.retries`) gives status `error`; the others go on. Requests that are
    the same but for their id are asked once.

    Example: `[a.text for a in ask([Request(id="1", messages=[...])], Model(name="m"), path)]`
    Raises UserError when the key variable is not set or the cache is unusable.
    """
    store = Cache(cache, Answer)
    transport = None if offline else _Transport(model)

    def one(request: Request, key: str) -> Answer:
        cached = store.get(key)
        if cached is not None:
            return msgspec.structs.replace(cached, id=request.id, cached=True)
        if transport is None:
            return Answer(id=request.id, status="missing", error="not in the cache")
        answer = transport.send(request)
        if answer.status != "error":
            store.put(key, answer)
        return answer

    waiting: deque[tuple[str, str, Future[Answer]]] = deque()
    running: dict[str, Future[Answer]] = {}  # by key: what is asked just now is not asked again

    def first() -> Answer:
        name, key, future = waiting.popleft()
        answer = future.result()
        if running.get(key) is future:
            del running[key]  # from now on the cache knows it
            return answer
        return msgspec.structs.replace(answer, id=name, cached=answer.status != "error")

    pool = ThreadPoolExecutor(max(1, model.concurrency))
    try:
        for request in requests:
            key = request_key(request, model)
            future = running.get(key)
            if future is None:
                future = running[key] = pool.submit(one, request, key)
            waiting.append((request.id, key, future))
            while waiting and (len(waiting) > 4 * model.concurrency or waiting[0][2].done()):
                yield first()
        while waiting:
            yield first()
    finally:
        pool.shutdown(cancel_futures=True)
        store.close()


class _Transport:
    """The openai client with a pace; created once, used by many threads."""

    def __init__(self, model: Model) -> None:
        import openai

        key = os.environ.get(model.key_variable)
        if not key:
            raise UserError(
                f"the environment variable {model.key_variable} is not set",
                "set it to the endpoint's key (any text for a local server without keys)",
            )
        self._openai = openai
        self._model = model
        self._client = openai.OpenAI(
            api_key=key, base_url=model.base_url, max_retries=model.retries, timeout=model.timeout
        )
        self._lock = threading.Lock()
        self._next = 0.0

    def send(self, request: Request) -> Answer:
        body = request_body(request, self._model)
        try:
            try:
                return self._answer(request.id, self._create(body))
            except self._openai.BadRequestError:
                if "response_format" not in body:
                    raise
                del body["response_format"]  # some local servers refuse schemas
                answer = self._answer(request.id, self._create(body))
                return msgspec.structs.replace(answer, plain=True)
        except Exception as error:  # whatever the endpoint did, this request has failed
            return Answer(
                id=request.id, status="error", error=f"{type(error).__name__}: {error}"[:500]
            )

    def _create(self, body: dict[str, Any]) -> Any:
        for attempt in range(self._model.retries + 1):
            self._pace()
            try:
                reply = self._client.chat.completions.create(**body)
                if getattr(reply, "choices", None):
                    return reply
                cause: Exception = ValueError("the reply has no choices")
            except self._openai.APIStatusError:
                raise  # the client has retried what is worth retrying
            except (self._openai.OpenAIError, ValueError) as error:
                if isinstance(error, self._openai.APIConnectionError):
                    raise
                cause = error  # malformed JSON: the client does not retry it
            time.sleep(min(8.0, 0.1 * 2**attempt))
        raise cause

    def _pace(self) -> None:
        if self._model.per_minute is None:
            return
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next)
            self._next = start + 60.0 / self._model.per_minute
        time.sleep(start - now)

    def _answer(self, request_id: str, reply: Any) -> Answer:
        choice = reply.choices[0]
        return classified(
            request_id,
            text=choice.message.content or "",
            refusal=getattr(choice.message, "refusal", None),
            finish=choice.finish_reason,
            usage=reply.usage.model_dump() if reply.usage else {},
        )


def classified(
    request_id: str, *, text: str, refusal: str | None, finish: str | None, usage: dict[str, Any]
) -> Answer:
    status: ReplyStatus = "ok"
    if refusal or finish == "content_filter":
        status, text = "refused", refusal or text
    elif finish == "length":
        status = "truncated"
    elif not text.strip():
        status = "empty"
    return Answer(
        id=request_id,
        text=text,
        status=status,
        prompt_tokens=usage.get("prompt_tokens") or 0,
        completion_tokens=usage.get("completion_tokens") or 0,
    )


def usage(answers: Iterable[Answer], model: Model) -> dict[str, Any]:
    """Counts by status, tokens, and what was paid for answers that the cache did not hold."""
    total: dict[str, Any] = {"answers": 0, "cached": 0, "prompt_tokens": 0, "completion_tokens": 0}
    cost = 0.0
    for answer in answers:
        total["answers"] += 1
        total[answer.status] = total.get(answer.status, 0) + 1
        if answer.cached:
            total["cached"] += 1
            continue
        total["prompt_tokens"] += answer.prompt_tokens
        total["completion_tokens"] += answer.completion_tokens
        cost += answer.prompt_tokens * model.price_in + answer.completion_tokens * model.price_out
    return total | {"cost": round(cost / 1e6, 6)}


def plan(requests: Iterable[Request], model: Model, cache: Path) -> dict[str, int]:
    """What `ask` would do (`--dry-run`): requests, how many the cache holds, characters to send."""
    store = Cache(cache, Answer)
    counts = {"requests": 0, "cached": 0, "to_ask": 0, "characters": 0}
    seen: set[str] = set()
    for request in requests:
        key = request_key(request, model)
        known = key in seen or store.get(key) is not None
        seen.add(key)
        counts["requests"] += 1
        counts["cached" if known else "to_ask"] += 1
        counts["characters"] += 0 if known else len(encode(request.messages))
    store.close()
    return counts
