"""One headless Chromium for all pages of a run, spoken to through pipes (DevTools protocol)."""

from __future__ import annotations

import atexit
import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...errors import UserError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "--force-device-scale-factor=1",
    "--disable-background-networking",
    "--remote-debugging-pipe",
)
_LAUNCH = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
os.dup2(ends[0], 3)
os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""  # Chromium reads commands from file 3 and answers on 4
BACKSTOP = 120  # seconds without a word of the browser


class Browser:
    """A running browser with one tab. Raises UserError when Chromium is missing or fails."""

    def __init__(self) -> None:
        program = next(
            (path for name in BROWSERS if (path := shutil.which(name))), None
        )
        if program is None:
            raise UserError(
                "Chromium was not found", "install it, or use --typesetter hybrid"
            )
        self.folder = tempfile.TemporaryDirectory()
        theirs, self.out = os.pipe()
        self.inbox, answers = os.pipe()
        command = [
            program,
            *_FLAGS,
            f"--user-data-dir={self.folder.name}",
            "about:blank",
        ]
        self.process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCH, str(theirs), str(answers), *command],
            pass_fds=(theirs, answers),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs)
        os.close(answers)
        self.buffer, self.number, self.session = b"", 0, ""
        self.shown, self.width = "", 0
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        answer = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self.session = answer["sessionId"]
        self.ask("Page.enable")

    def ask(self, method: str, **params: Any) -> Any:
        """The browser's answer to a command."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        message |= {"sessionId": self.session} if self.session else {}
        try:
            os.write(self.out, json.dumps(message).encode() + b"\0")
        except BrokenPipeError as error:
            raise _failed("it ended") from error
        answer = self._read(lambda message: message.get("id") == self.number)
        if "error" in answer:
            raise _failed(answer["error"]["message"])
        return answer["result"]

    def open(self, html: str, width: int) -> None:
        """Show a page in a window so wide; one that is shown already is not loaded again."""
        if width != self.width:
            size = {
                "width": width,
                "height": 800,
                "deviceScaleFactor": 1,
                "mobile": False,
            }
            self.ask("Emulation.setDeviceMetricsOverride", **size)
            self.width = width
        if html != self.shown:
            source = Path(self.folder.name) / "page.html"
            source.write_text(html, encoding="utf-8")
            self.ask("Page.navigate", url=source.as_uri())
            self._read(lambda message: message.get("method") == "Page.loadEventFired")
            self.shown = html

    def run(self, script: str) -> Any:
        """The value of a script, once its promise is kept."""
        params = {"expression": script, "awaitPromise": True, "returnByValue": True}
        answer = self.ask("Runtime.evaluate", **params)
        if "exceptionDetails" in answer:
            raise _failed(answer["exceptionDetails"]["text"])
        return answer["result"].get("value")

    def picture(self, width: int, height: int) -> bytes:
        """The upper left part of the page as PNG."""
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        params = {"format": "png", "clip": clip, "captureBeyondViewport": True}
        params["optimizeForSpeed"] = True  # it is encoded again
        return base64.b64decode(self.ask("Page.captureScreenshot", **params)["data"])

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()

    def _read(self, is_awaited: Callable[[Any], bool]) -> Any:
        """The next message that is awaited; all before it are passed over."""
        while True:
            text, end, rest = self.buffer.partition(b"\0")
            if end:
                self.buffer = rest
                message = json.loads(text)
                if is_awaited(message):
                    return message
                continue
            if not select.select([self.inbox], [], [], BACKSTOP)[0]:
                raise _failed(f"no answer in {BACKSTOP} seconds")
            more = os.read(self.inbox, 1 << 20)
            if not more:
                raise _failed("it ended")
            self.buffer += more


def _failed(why: str) -> UserError:
    _started.cache_clear()
    return UserError(f"Chromium failed: {why}", "use --typesetter hybrid")


def browser() -> Browser:
    """The browser of this process; it ends with it."""
    return _started(os.getpid())


@lru_cache(1)
def _started(process: int) -> Browser:
    started = Browser()
    atexit.register(started.close)
    return started
