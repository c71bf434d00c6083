"""Ask a model behind any OpenAI-compatible endpoint; every answer is paid for once.

Answers are cached in SQLite as JSON, keyed by what was asked (model, messages, parameters), so an
interrupted run resumes and a build can run offline. The key of the endpoint comes from the
environment (`OPENAI_API_KEY`) and is never stored.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue

import msgspec

from ..errors import UserError
from .cache import Cache
from .costs import cost
from .endpoint import Endpoint
from .model import KEPT, Answer, Model, Request, request_key

AHEAD = 10_000  # answers that may wait for a slow one before them


def ask(
    requests: Iterable[Request], model: Model, cache: Path, *, offline: bool = False
) -> Iterator[Answer]:
    """Answers in the order of the requests, asking concurrently for what the cache lacks.

    `model.concurrency` requests are under way whatever single replies take. With `offline` nothing
    is asked: what the cache lacks has status `missing`, and so has what the budget leaves. A
    request that fails for good (after `model.retries`) gives status `error`; the others go on.
    Requests that are the same but for their id are asked once.

    Example: `[a.text for a in ask([Request(id="1", messages=[...])], Model(name="m"), path)]`
    Raises UserError when the key variable is not set, the cache is unusable, or a budget has no
    prices.
    """
    if model.budget is not None and not model.priced:
        raise UserError(
            "a budget needs prices", "give --set price-in=... and --set price-out=..."
        )
    store: Cache[Answer] = Cache(cache, Answer)
    run = _Run(model, store, None if offline else Endpoint(model))
    try:
        yield from run.answers(requests)
    finally:
        run.close()


def forget(requests: Iterable[Request], model: Model, cache: Path) -> None:
    """Drop the replies to `requests` from the cache, so that the next run asks for them again."""
    store: Cache[Answer] = Cache(cache, Answer)
    store.drop(request_key(request, model) for request in requests)
    store.close()


class _Run:
    """Requests in order, answers as they come, handed out in order again."""

    def __init__(
        self, model: Model, store: Cache[Answer], endpoint: Endpoint | None
    ) -> None:
        self.model, self.store, self.endpoint = model, store, endpoint
        self.pool = ThreadPoolExecutor(max(1, model.concurrency))
        self.inbox: SimpleQueue[tuple[str, Answer]] = SimpleQueue()
        self.flying: set[str] = set()  # keys under way
        self.queue: deque[tuple[str, str]] = deque()  # ids and keys to be handed out
        self.ready: dict[str, Answer] = {}  # by key: here, not yet handed out to all
        self.waiting: Counter[str] = Counter()  # by key: how many ids wait for it
        self.spent = 0.0

    def answers(self, requests: Iterable[Request]) -> Iterator[Answer]:
        source = iter(requests)
        more = True
        while more or self.queue:
            while more and not self._full():
                request = next(source, None)
                more = request is not None
                if request is not None:
                    self._take(request)
                if self._next_is_ready():
                    break
            yield from self._hand_out()
            if self.flying and (not more or self._full()):
                self._receive()

    def _full(self) -> bool:
        """Whether nothing more may be taken before an answer comes."""
        under_way = len(self.flying)
        return under_way >= self.model.concurrency or len(self.queue) >= AHEAD

    def _next_is_ready(self) -> bool:
        return bool(self.queue) and self.queue[0][1] in self.ready

    def _take(self, request: Request) -> None:
        """Queue a request; ask, unless it is under way, here already, or may not be asked."""
        key = request_key(request, self.model)
        self.queue.append((request.id, key))
        self.waiting[key] += 1
        if key in self.flying or key in self.ready:
            return
        budget = self.model.budget
        cached = self.store.get(key)
        if cached is not None and cached.status in KEPT:
            self.ready[key] = msgspec.structs.replace(cached, cached=True)
        elif self.endpoint is None:
            self.ready[key] = _missing("not in the cache")
        elif budget is not None and self.spent >= budget:
            self.ready[key] = _missing("the budget is spent")
        else:
            self.flying.add(key)
            self.pool.submit(self._send, self.endpoint, key, request)

    def _send(self, endpoint: Endpoint, key: str, request: Request) -> None:
        """In a thread: the answer, or what went wrong, always arrives."""
        try:
            answer = endpoint.send(request)
        except Exception as error:  # whatever the endpoint did, this request has failed
            what = f"{type(error).__name__}: {error}"[:500]
            answer = Answer(id=request.id, status="error", error=what)
        self.inbox.put((key, answer))

    def _receive(self) -> None:
        """Wait for an answer, take all that have come, and keep them by one commit."""
        arrived = [self.inbox.get()]
        while True:
            try:
                arrived.append(self.inbox.get_nowait())
            except Empty:
                break
        self._keep(arrived)

    def _keep(self, arrived: list[tuple[str, Answer]]) -> None:
        self.store.put_all(
            [(key, answer) for key, answer in arrived if answer.status in KEPT]
        )
        for key, answer in arrived:
            self.flying.discard(key)
            self.ready[key] = answer
            self.spent += cost(answer, self.model)

    def _hand_out(self) -> Iterator[Answer]:
        while self._next_is_ready():
            name, key = self.queue.popleft()
            answer = self.ready[key]
            self.waiting[key] -= 1
            if self.waiting[key]:  # the next one that asked the same has it for nothing
                cached = answer.cached or answer.status in KEPT
                self.ready[key] = msgspec.structs.replace(answer, cached=cached)
            else:
                del self.ready[key], self.waiting[key]
            yield msgspec.structs.replace(answer, id=name)

    def close(self) -> None:
        """Let what is under way end and keep it: it is paid for."""
        self.pool.shutdown(cancel_futures=True)
        arrived = []
        while not self.inbox.empty():
            arrived.append(self.inbox.get())
        self._keep(arrived)
        self.store.close()
        if self.endpoint is not None:
            self.endpoint.close()


def _missing(why: str) -> Answer:
    return Answer(id="", status="missing", error=why)
