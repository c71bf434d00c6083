"""A small Mathpix API for tests: takes a PDF, is ready after some questions, serves its results."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server(ThreadingHTTPServer):
    """`uploads` counts documents sent; `waits` is how often `processing` is still answered."""

    daemon_threads = True
    uploads = 0
    waits = 1
    state = "completed"
    mmd = ""
    pictures: dict[str, bytes]
    keys: set[tuple[str, str]]
    lost: set[str]  # paths that fail

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.server.keys.add((self.headers["app_id"], self.headers["app_key"]))
        self.server.uploads += 1
        if self.path == "/v3/text":
            line = {
                "text": "1. Scanned?",
                "cnt": [[10, 20], [110, 20], [110, 40], [10, 40]],
            }
            self._json(
                {"request_id": "r", "text": self.server.mmd, "line_data": [line]}
            )
        else:
            self._json({"pdf_id": f"doc{self.server.uploads}"})

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        if path in self.server.lost:
            return self._send(500, b"{}")
        if path.endswith(".mmd"):
            return self._send(200, self.server.mmd.encode())
        if path.endswith(".lines.json"):
            return self._json({"pages": [{"page": 1, "page_width": 1000, "lines": []}]})
        if path.startswith("/v3/pdf/"):
            self.server.waits -= 1
            waiting = self.server.waits >= 0
            return self._json(
                {"status": "processing" if waiting else self.server.state}
            )
        if path in self.server.pictures:
            return self._send(200, self.server.pictures[path])
        return self._send(404, b"")

    def _json(self, data: object) -> None:
        self._send(200, json.dumps(data).encode())

    def _send(self, status: int, data: bytes) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def mathpix_server() -> Iterator[Server]:
    server = Server(("127.0.0.1", 0), Handler)
    server.pictures, server.keys, server.lost = {}, set(), set()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
