"""An OpenAI-compatible endpoint: one pace for all threads, faults asked again, replies bounded.

The openai library knows where the endpoint is and how to sign; requests go straight through httpx,
since its own layer costs as much again as the request.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import msgspec

from ..errors import UserError
from .model import Answer, Model, ReplyStatus, Request, request_body
from .vectors import packed

MAX_REPLY = 64_000_000  # bytes
MOST_EMPTY = 3  # attempts at a reply that comes back empty
LONGEST_PAUSE = 60.0  # seconds between two attempts
RETRIED = (408, 409, 425, 429)  # and all of 500 and above
# Parameters that an endpoint may refuse: it is asked again without them.
OPTIONAL = ("max_tokens", "temperature", "seed", "response_format")


class Failed(Exception):
    """A request that got no reply; `again` says whether another attempt may help."""

    def __init__(
        self,
        what: str,
        *,
        again: bool,
        pause: float | None = None,
        all_wait: bool = False,
    ):
        super().__init__(what)
        self.again = again
        self.pause = pause
        self.all_wait = all_wait


class Refused(Exception):
    """Status 400 with the endpoint's words, which may name a parameter it does not take."""


class Endpoint:
    """Sends requests from many threads; `close` it at the end.

    Raises UserError when the key variable is not set.
    """

    def __init__(self, model: Model) -> None:
        import httpx
        import openai

        key = os.environ.get(model.key_variable)
        if not key:
            raise UserError(
                f"the environment variable {model.key_variable} is not set",
                "set it to the endpoint's key (any text for a local server without keys)",
            )
        self._model = model
        self._pace = Pace(model.per_minute)
        self._left_out: list[str] = []  # learnt from the endpoint, for later requests
        limits = httpx.Limits(
            max_connections=model.concurrency,
            max_keepalive_connections=model.concurrency,
        )
        with openai.OpenAI(api_key=key, base_url=model.base_url) as client:
            self._base = str(client.base_url).rstrip("/")
            headers = {**client.default_headers, **client.auth_headers}
        texts = {name: text for name, text in headers.items() if isinstance(text, str)}
        self._headers = texts | {"Content-Type": "application/json"}
        self._http = httpx.Client(
            timeout=model.timeout, limits=limits, headers=self._headers
        )

    def close(self) -> None:
        self._http.close()

    def send(self, request: Request) -> Answer:
        """The reply, after as many attempts as the model allows; never raises."""
        answer = Answer(id=request.id, status="error")
        empty = 0
        for attempt in range(self._model.retries + 1):
            try:
                answer = self._once(request)
            except Failed as failed:
                answer = Answer(id=request.id, status="error", error=str(failed)[:500])
                if not failed.again:
                    return answer
                pause = min(LONGEST_PAUSE, failed.pause or 0.1 * 2.0**attempt)
                if failed.all_wait:
                    self._pace.back_off(pause)
                elif attempt < self._model.retries:
                    time.sleep(pause)
            else:
                empty += answer.status == "empty"
                if answer.status != "empty" or empty == MOST_EMPTY:
                    return answer
        return answer

    def _once(self, request: Request) -> Answer:
        """One attempt, repeated at once without the parameters that the endpoint refuses."""
        body = request_body(request, self._model)
        left_out = [name for name in self._left_out if name in body]
        for name in left_out:
            _leave_out(body, name)
        while True:
            self._pace.wait()
            before = time.monotonic()
            try:
                reply = self._post(body)
                read = self._answer if request.input is None else self._vector
                answer = read(request.id, reply)
            except Refused as refusal:
                parameter = _refused_parameter(str(refusal), body)
                if parameter is None:
                    raise Failed(f"status 400: {refusal}", again=False) from refusal
                if parameter in str(refusal):
                    self._left_out = [*self._left_out, parameter]
                _leave_out(body, parameter)
                left_out.append(parameter)
            else:
                answer.left_out = left_out
                answer.at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
                answer.seconds = round(time.monotonic() - before, 2)
                return answer

    def _post(self, body: dict[str, Any]) -> Any:
        """The decoded reply. Raises Refused for status 400, Failed for everything else."""
        import httpx

        data = msgspec.json.encode(body)
        url = f"{self._base}/{'embeddings' if 'input' in body else 'chat/completions'}"
        try:
            with self._http.stream("POST", url, content=data) as reply:
                text = self._read(reply)
        except httpx.TimeoutException as error:
            raise Failed(
                f"no reply within {self._model.timeout:g} s", again=True
            ) from error
        except (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL) as error:
            raise Failed(f"{type(error).__name__}: {error}", again=True) from error
        if reply.status_code == 200:
            try:
                return msgspec.json.decode(text)
            except msgspec.DecodeError as error:
                kind = reply.headers.get("content-type", "no type")
                raise Failed(
                    f"the reply is no JSON but {kind}: {error}", again=True
                ) from error
        status = reply.status_code
        message = text[:300].decode("utf-8", "replace")
        if status == 400:
            raise Refused(message)
        raise Failed(
            f"status {status}: {message}",
            again=status in RETRIED or status >= 500,
            pause=_retry_after(reply.headers),
            all_wait=status in (429, 503),
        )

    def _read(self, reply: Any) -> bytes:
        """The body, bounded in size and in time: an endpoint may send a byte a minute."""
        chunks: list[bytes] = []
        size = 0
        until = time.monotonic() + self._model.timeout
        for chunk in reply.iter_bytes():
            chunks.append(chunk)
            size += len(chunk)
            if size > MAX_REPLY:
                raise Failed(
                    f"the reply is longer than {MAX_REPLY:,} bytes", again=False
                )
            if time.monotonic() > until:
                raise Failed(
                    f"no whole reply within {self._model.timeout:g} s", again=True
                )
        return b"".join(chunks)

    def _answer(self, name: str, reply: Any) -> Answer:
        if (fault := _fault(reply)) and "choices" not in reply:
            raise Failed(f"the reply is an error: {fault}", again=True)
        try:
            return classified(name, reply)
        except (LookupError, TypeError, AttributeError) as error:
            raise Failed(
                f"the reply holds no choice ({error!r})", again=True
            ) from error

    def _vector(self, name: str, reply: Any) -> Answer:
        try:
            usage = reply.get("usage") or {}
            tokens = _tokens(usage.get("prompt_tokens"))
            return Answer(id=name, text=packed(reply), prompt_tokens=tokens)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise Failed(
                f"the reply holds no vector ({error!r})", again=True
            ) from error


def base_url(model: Model) -> str:
    """Where a model is asked, without what an address may hold of secrets.

    >>> base_url(Model(name="m", base_url="https://me:secret@host/v1?key=1"))
    'https://host/v1'
    """
    address = (
        model.base_url
        or os.environ.get("OPENAI_BASE_URL")
        or "https://api.openai.com/v1"
    )
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


class Pace:
    """When the next request may go: evenly spaced, and later for all when the endpoint says so."""

    def __init__(
        self,
        per_minute: float | None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._space = 60.0 / per_minute if per_minute else 0.0
        self._lock = threading.Lock()
        self._next = 0.0

    def wait(self) -> None:
        """Sleep until this thread's turn; attempts count like first requests."""
        with self._lock:
            now = self._clock()
            start = max(now, self._next)
            if self._space:
                self._next = start + self._space
        if start > now:
            self._sleep(start - now)

    def back_off(self, seconds: float) -> None:
        """Nobody asks for so long."""
        with self._lock:
            self._next = max(self._next, self._clock() + seconds)


def _retry_after(headers: Any) -> float | None:
    """The pause that the endpoint asks for, in seconds; None where it asks for none."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) / unit
        except (KeyError, ValueError):  # absent, or a date
            continue
        return seconds if 0 <= seconds < 1e6 else None
    return None


def _refused_parameter(refusal: str, body: dict[str, Any]) -> str | None:
    """The parameter that the endpoint refuses; some local servers refuse schemas without a word."""
    for name in OPTIONAL:
        if name in body and name in refusal:
            return name
    return "response_format" if "response_format" in body else None


def _leave_out(body: dict[str, Any], name: str) -> None:
    """Take a parameter out; newer models take the longest reply under another name."""
    value = body.pop(name)
    if name == "max_tokens":
        body["max_completion_tokens"] = value


def classified(request_id: str, body: Any) -> Answer:
    """An endpoint's JSON as an answer; what it lies about its usage counts as nothing.

    Raises LookupError, TypeError or AttributeError where it holds no choice.

    >>> body = {"choices": [{"message": {"content": ""}}], "usage": {"prompt_tokens": -5}}
    >>> classified("1", body).status
    'empty'
    """
    choice = body["choices"][0]
    message = choice["message"]
    usage = body.get("usage") or {}
    text = _text(message.get("content"))
    refusal = message.get("refusal")
    finish = choice.get("finish_reason")
    thoughts = _thoughts(message)
    status: ReplyStatus = "ok"
    if refusal or finish == "content_filter":
        status = "refused"
        text = str(refusal or text)
    elif finish == "length":
        status = "truncated"
    elif not text.strip():
        status = "empty"
    return Answer(
        id=request_id,
        text=text,
        status=status,
        prompt_tokens=_tokens(usage.get("prompt_tokens")),
        completion_tokens=_tokens(usage.get("completion_tokens")),
        thought_tokens=_thought_tokens(usage),
        thoughts=thoughts,
        finish=str(finish or ""),
        model=str(body.get("model") or ""),
        error="thoughts and no answer" if status == "empty" and thoughts else "",
    )


def _fault(reply: Any) -> str:
    """The message of an error that came with status 200; "" where it is none."""
    error = reply.get("error") if isinstance(reply, dict) else None
    words = error.get("message") if isinstance(error, dict) else error
    return str(words)[:300] if words else ""


def _text(content: Any) -> str:
    """The text of a message, which may come in parts.

    >>> _text([{"type": "text", "text": "It is "}, {"type": "text", "text": "2."}])
    'It is 2.'
    """
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") == "text")
    if content is not None and not isinstance(content, str):
        raise TypeError("the content is no text")
    return content or ""


def _thought_tokens(usage: Any) -> int:
    details = usage.get("completion_tokens_details")
    return _tokens(details.get("reasoning_tokens")) if isinstance(details, dict) else 0


def _thoughts(message: Any) -> str:
    """What the model said to itself: servers call it by either name."""
    thoughts = message.get("reasoning_content") or message.get("reasoning")
    return thoughts if isinstance(thoughts, str) else ""


def _tokens(value: Any) -> int:
    return value if isinstance(value, int) and 0 <= value < 10**9 else 0
