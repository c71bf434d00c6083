"""A small OpenAI-compatible server for tests; it answers by a function and fails on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Server(ThreadingHTTPServer):
    """`reply(body) -> str | dict` gives the text, or a whole failure (see `Handler.do_POST`).

    At /v1/embeddings it gives the vector of body["input"], or the whole list of rows.
    """

    daemon_threads = True
    reply: Callable[[dict[str, Any]], Any]
    requests: list[dict[str, Any]]
    failures: list[
        str
    ]  # consumed one per request: "429", "500", "timeout", "garbage", "empty"

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.requests.append(body)
        failure = self.server.failures.pop(0) if self.server.failures else None
        if failure == "timeout":
            self.rfile.read(1)  # until the client has hung up
            self.close_connection = True
            return None
        elif failure == "garbage":
            return self._send(200, b'{"choices": [{"mess')
        elif failure == "empty":
            return self._send(
                200, b'{"id": "x", "object": "chat.completion", "choices": []}'
            )
        elif failure:
            return self._send(
                int(failure), json.dumps({"error": {"message": failure}}).encode()
            )
        result = self.server.reply(body)
        if isinstance(result, tuple):  # a status and its text, whatever it is
            return self._send(result[0], result[1].encode())
        if isinstance(result, int):
            return self._send(
                result, json.dumps({"error": {"message": "as told"}}).encode()
            )
        if self.path == "/v1/embeddings":
            return self._send_vector(body, result)
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant"}}
        if isinstance(
            result, dict
        ):  # e.g. {"finish_reason": "length", "content": "..."}
            choice["finish_reason"] = result.pop("finish_reason", "stop")
            choice["message"] |= {"content": None} | result
        else:
            choice["message"]["content"] = result
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        reply = {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
        }
        self._send(
            200, json.dumps(reply | {"choices": [choice], "usage": usage}).encode()
        )

    def _send_vector(self, body: dict[str, Any], result: Any) -> None:
        rows = (
            result
            if result and isinstance(result[0], dict)
            else [{"embedding": result}]
        )
        if result == []:
            rows = []
        rows = [{"object": "embedding", "index": k} | row for k, row in enumerate(rows)]
        reply = {"object": "list", "model": body["model"], "data": rows}
        usage = {
            "prompt_tokens": len(body["input"]),
            "total_tokens": len(body["input"]),
        }
        self._send(200, json.dumps(reply | {"usage": usage}).encode())

    def _send(self, status: int, data: bytes) -> None:
        try:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.send_header("retry-after-ms", "10")
            self.end_headers()
            self.wfile.write(data)
        except BrokenPipeError:
            pass  # the client gave up, as a timeout test wants it to

    def log_message(self, *args: Any) -> None:
        pass


@contextmanager
def llm_server(
    reply: Callable[[dict[str, Any]], Any], failures: list[str] | None = None
) -> Iterator[Server]:
    """A running server; `server.base_url` is its address, `server.requests` what it was asked."""
    server = Server(("127.0.0.1", 0), Handler)
    server.reply, server.requests, server.failures = reply, [], list(failures or [])
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
