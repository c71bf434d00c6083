"""What is asked of which model, and what comes back."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any, ClassVar, Literal

import msgspec

from ..base.files import encode
from ..base.pictures import as_seen

ReplyStatus = Literal["ok", "refused", "truncated", "empty", "error", "missing"]
KEPT = ("ok", "refused", "truncated")  # replies that are not asked for again


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """A model and how to reach it. Prices are per million tokens, in any one currency.

    Args:
        name: The model's name.
        base_url: An OpenAI-compatible endpoint [default: OPENAI_BASE_URL, else OpenAI's own].
        key_variable: Environment variable with the endpoint's key.
        concurrency: Requests under way at a time.
        retries: How often a request that failed is sent again.
        timeout: Seconds for one request.
        per_minute: Most requests a minute, those sent again included.
        price_in: Price of a million prompt tokens.
        price_out: Price of a million reply tokens.
        budget: Ask nothing more once this is spent, in the currency of the prices.
        system: A system prompt before every question.
        reasoning_effort: How long a reasoning model shall think.
        body: More parameters, such as {"top_p": 0.9}; null takes one out.
    """

    # fields that few runs set: on the command line they are `--set KEY=VALUE`
    RARE: ClassVar[tuple[str, ...]] = (
        "key_variable",
        "concurrency",
        "retries",
        "timeout",
        "per_minute",
        "price_in",
        "price_out",
        "system",
        "reasoning_effort",
        "body",
    )

    name: str
    base_url: str | None = None
    key_variable: str = "OPENAI_API_KEY"
    concurrency: int = 8
    retries: int = 6
    timeout: float = 600.0
    per_minute: float | None = None
    price_in: float | None = None
    price_out: float | None = None
    budget: float | None = None
    system: str | None = None
    reasoning_effort: str | None = None
    body: dict[str, Any] = {}

    @property
    def priced(self) -> bool:
        """Whether prices are known: nothing is said of costs without them, not even 0."""
        return self.price_in is not None or self.price_out is not None


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One question, or the text of `input` to be embedded.

    `schema` is a JSON schema that the reply shall follow; `sample` numbers several replies to one
    question: each is asked for and kept by itself. `shown`, `pictures` and `reduced` are
    for records and are not sent.
    """

    id: str
    messages: list[dict[str, Any]] = []
    input: str | None = None
    schema: dict[str, Any] | None = None
    temperature: float | None = 0.0
    seed: int | None = None
    max_tokens: int | None = None
    sample: int = 1
    shown: str = ""  # the message for people: its text, pictures by their names
    pictures: tuple[str, ...] = ()  # their names, as they are sent
    reduced: int = 0  # of these past the bound of what is sent


class Answer(msgspec.Struct, kw_only=True):
    """The reply. Only `ok`, `refused` and `truncated` ones are kept; the rest is asked again.

    `thoughts` are what a reasoning model said to itself, `finish` why it stopped, `model` what the
    endpoint calls itself, `at` when and `seconds` how long it was asked.
    """

    id: str
    text: str = ""
    status: ReplyStatus = "ok"
    cached: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0
    thought_tokens: int = 0  # of the completion
    thoughts: str = ""
    finish: str = ""
    model: str = ""
    at: str = ""
    seconds: float = 0.0
    left_out: list[str] = []  # parameters that the endpoint refused
    error: str = ""


def text_part(text: str) -> dict[str, Any]:
    """A text part of a message's content."""
    return {"type": "text", "text": text}


def image_part(picture: Path | bytes) -> dict[str, Any]:
    """A picture part of a message's content: a file or its bytes, as people see it, as a data URL.

    Pictures past a bound of pixels or bytes are made smaller (`as_seen`). Raises UserError for
    what is no picture.
    """
    name = "picture"
    if isinstance(picture, Path):
        name = picture.name
        picture = picture.read_bytes()
    data, kind = as_seen(picture, name)
    url = f"data:{kind};base64,{base64.b64encode(data).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}


def request_key(request: Request, model: Model) -> str:
    """Cache key and batch id of a request: what was asked, not who asked or under which id."""
    content = request_body(request, model)
    if request.sample > 1:
        content["sample"] = request.sample
    return hashlib.sha256(encode(content)).hexdigest()


def request_body(request: Request, model: Model) -> dict[str, Any]:
    """The JSON that is sent.

    >>> ask = Request(id="1", messages=[{"role": "user", "content": "1+1?"}], max_tokens=5)
    >>> sorted(request_body(ask, Model(name="m", body={"temperature": None, "top_p": 1})))
    ['max_tokens', 'messages', 'model', 'top_p']
    """
    if request.input is not None:
        return {"model": model.name, "input": request.input} | model.body
    system = [{"role": "system", "content": model.system}] if model.system else []
    body: dict[str, Any] = {
        "model": model.name,
        "messages": [*system, *request.messages],
    }
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if request.seed is not None:
        body["seed"] = request.seed
    if request.max_tokens is not None:
        body["max_tokens"] = request.max_tokens
    if request.schema is not None:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": request.schema},
        }
    if model.reasoning_effort is not None:
        body["reasoning_effort"] = model.reasoning_effort
    return {
        name: value for name, value in (body | model.body).items() if value is not None
    }
