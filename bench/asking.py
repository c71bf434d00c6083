"""Requests a second: `ask` beside bare httpx and the ideal, slow replies, and a killed long run.

    python bench/asking.py                 quick: 600 requests six times, 5,000 with faults
    python bench/asking.py --many 100000   so many requests with faults, killed and taken up again

The endpoint is a process of its own here: replies take 20 ms, one of a hundred 4 s where that is
measured; faults are 429, 500, broken JSON and hung replies. Runs that are compared alternate, and
CPU a request is told with them: with threads, one Python spends it in turns, and that is the limit.
"""

from __future__ import annotations

import asyncio
import hashlib
import heapq
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

LATENCY, SLOW = 0.02, 4.0
USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


def drawn(prompt: str) -> float:
    """A number from 0 to 1 that is the prompt's own."""
    return int.from_bytes(hashlib.sha256(prompt.encode()).digest()[:4], "big") / 2**32


# The endpoint.


class Endpoint:
    """Answers chat requests after LATENCY; counts the good replies to each prompt."""

    def __init__(self) -> None:
        self.paid: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()

    async def serve(self) -> None:
        server = await asyncio.start_server(
            self.connection, "127.0.0.1", 0, backlog=512
        )
        print(server.sockets[0].getsockname()[1], flush=True)
        async with server:
            await server.serve_forever()

    async def connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                fields = dict(
                    line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:-2]
                )
                body = await reader.readexactly(int(fields.get(b"content-length", 0)))
                status, text = await self.reply(head, body)
                kind = b"content-type: application/json\r\nretry-after-ms: 20\r\n"
                size = b"content-length: %d\r\n\r\n" % len(text)
                writer.write(b"HTTP/1.1 %d X\r\n" % status + kind + size + text)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def reply(self, head: bytes, body: bytes) -> tuple[int, bytes]:
        if head.startswith(b"GET"):
            twice = sum(count > 1 for count in self.paid.values())
            return 200, json.dumps(
                [len(self.paid), sum(self.paid.values()), twice]
            ).encode()
        prompt = json.loads(body)["messages"][-1]["content"]
        chance = drawn(prompt)
        self.asked[prompt] += 1
        first = self.asked[prompt] == 1
        await asyncio.sleep(
            SLOW if prompt.startswith("slow") and chance < 0.01 else LATENCY
        )
        if prompt.startswith("fault") and first:
            if chance < 0.05:
                return (
                    429 if chance < 0.02 else 500
                ), b'{"error": {"message": "later"}}'
            if chance < 0.06:
                return 200, b'{"choices": [{"mess'
            if chance < 0.065:
                await asyncio.sleep(60)  # it hangs, and is cut by the asker
                return 500, b"{}"
        self.paid[prompt] += 1
        choice = {"index": 0, "finish_reason": "stop",
                  "message": {"role": "assistant", "content": "4"}}  # fmt: skip
        made = {"id": "x", "object": "chat.completion", "created": 0, "model": "m"}
        return 200, json.dumps(made | {"choices": [choice], "usage": USAGE}).encode()


# Those who ask.


def prompts(kind: str, count: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for k in range(count):
        yield str(k), [{"role": "user", "content": f"{kind} {k}: what is {k} + 1?"}]


def ask_all(
    port: int, kind: str, count: int, concurrency: int, cache: Path
) -> Counter[str]:
    from benchwright.llm import Model, Request, ask

    base = f"http://127.0.0.1:{port}/v1"
    model = Model(name="m", base_url=base, concurrency=concurrency, timeout=10)
    requests = (Request(id=name, messages=said) for name, said in prompts(kind, count))
    return Counter(answer.status for answer in ask(requests, model, cache))


def bare(port: int, kind: str, count: int, concurrency: int, _: Path) -> None:
    """What httpx alone does with as many threads: bodies posted, replies decoded, nothing kept."""
    import httpx

    limits = httpx.Limits(
        max_connections=concurrency, max_keepalive_connections=concurrency
    )
    url = f"http://127.0.0.1:{port}/v1/chat/completions"
    with (
        httpx.Client(timeout=60, limits=limits) as client,
        ThreadPoolExecutor(concurrency) as pool,
    ):

        def post(said: list[dict[str, Any]]) -> Any:
            return client.post(url, json={"model": "m", "messages": said}).json()[
                "choices"
            ][0]

        list(pool.map(post, (said for _, said in prompts(kind, count))))


def cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def timed(work: Any, *words: Any) -> tuple[float, float]:
    """Wall and CPU seconds."""
    start, before = time.perf_counter(), cpu()
    work(*words)
    return time.perf_counter() - start, cpu() - before


def beyond_start(
    work: Any, port: int, kind: str, count: int, concurrency: int, folder: Path
) -> tuple[float, float]:
    """Wall and CPU seconds of so many requests, without what one request takes by itself."""
    first = timed(
        work, port, f"{kind} once", 1, concurrency, folder / f"{kind} once.sqlite"
    )
    whole = timed(work, port, kind, count + 1, concurrency, folder / f"{kind}.sqlite")
    return whole[0] - first[0], whole[1] - first[1]


def rates(port: int, folder: Path, count: int = 600, rounds: int = 6) -> None:
    """Requests a second without the start-up, which is what a run of one request takes.

    On a busy machine CPU is what counts: 80 % of what httpx does with it is wanted.
    """
    print(f"{'':24}{'ask':>8}{'httpx':>8}{'ideal':>8}{'of httpx':>10}{'of ideal':>10}"
          f"{'CPU ms':>8}{'httpx':>7}{'of httpx':>10}")  # fmt: skip
    for concurrency in (8, 32):
        ours, theirs = [0.0, 0.0], [0.0, 0.0]
        for k in range(rounds):  # in turns: another user of the machine slows both
            kind = f"plain {concurrency} {k}"
            for total, work in ((ours, ask_all), (theirs, bare)):
                wall, spent = beyond_start(work, port, f"{kind} {work.__name__}", count,
                                           concurrency, folder)  # fmt: skip
                total[0] += wall
                total[1] += spent
        n, ideal = count * rounds, concurrency / LATENCY
        print(
            f"at concurrency {concurrency:<9}{n / ours[0]:8.0f}{n / theirs[0]:8.0f}{ideal:8.0f}"
            f"{theirs[0] / ours[0]:10.0%}{n / ours[0] / ideal:10.0%}"
            f"{1000 * ours[1] / n:8.2f}{1000 * theirs[1] / n:7.2f}"
            f"{theirs[1] / ours[1]:10.0%}"
        )


def slow(port: int, folder: Path, count: int = 2_000, concurrency: int = 8) -> None:
    wall, _ = timed(ask_all, port, "slow", count, concurrency, folder / "slow.sqlite")
    asked = enumerate(said[0]["content"] for _, said in prompts("slow", count))
    late = {k for k, prompt in asked if drawn(prompt) < 0.01}
    print(f"{len(late)} of {count} replies take {SLOW:g} s: {wall:.1f} s; {concurrency} that never "
          f"wait would need {never_waiting(late, count, concurrency):.1f} s")  # fmt: skip


def never_waiting(late: set[int], count: int, concurrency: int) -> float:
    """Seconds when whoever is free takes the next request: slow ones at the end are waited for."""
    free = [0.0] * concurrency
    for k in range(count):
        heapq.heappush(free, heapq.heappop(free) + (SLOW if k in late else LATENCY))
    return max(free)


def faults(port: int, folder: Path, count: int) -> None:
    """A run that is killed in the middle and taken up again: who was paid twice?"""
    import httpx

    command = [
        sys.executable,
        __file__,
        "--ask",
        str(port),
        str(count),
        str(folder / "faults"),
    ]
    state = f"http://127.0.0.1:{port}/"
    before = httpx.get(state).json()
    start = time.perf_counter()
    run = subprocess.Popen(command)
    while httpx.get(state).json()[0] - before[0] < count / 2:
        time.sleep(0.2)
    run.send_signal(signal.SIGKILL)
    run.wait()
    done = subprocess.run(
        command, check=True, capture_output=True, text=True
    ).stdout.strip()
    after = httpx.get(state).json()
    print(f"{count:,} requests with faults, killed in the middle, taken up again: {done} in "
          f"{time.perf_counter() - start:.0f} s; good replies given: {after[1] - before[1]:,} to "
          f"{after[0] - before[0]:,} prompts; {after[2] - before[2]} were given twice "
          "(those under way at the kill)")  # fmt: skip


def main() -> None:
    os.environ.setdefault("OPENAI_API_KEY", "none")
    if "--serve" in sys.argv:
        asyncio.run(Endpoint().serve())
        return
    if "--ask" in sys.argv:
        port, count, cache = sys.argv[2:]
        print(dict(ask_all(int(port), "fault", int(count), 32, Path(cache))))
        return
    many = int(sys.argv[2]) if sys.argv[1:2] == ["--many"] else 5_000
    command = [sys.executable, __file__, "--serve"]
    with (
        tempfile.TemporaryDirectory() as name,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
    ):
        assert server.stdout
        port = int(server.stdout.readline())
        try:
            if many == 5_000:
                rates(port, Path(name))
                slow(port, Path(name))
            faults(port, Path(name), many)
        finally:
            server.kill()


if __name__ == "__main__":
    main()
