"""Killing a process at any moment at which it touches the disk.

`killed_at` runs Python code in a process of its own and kills it with SIGKILL when it is about to
touch a path below a folder for the n-th time; `moments` counts how often it does. A moment is an
audit event of the interpreter: opening, renaming, removing, making a folder.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

HEAD = """\
import os, signal, sys
_below, _wanted, _seen = {below!r}, {moment!r}, 0
_EVENTS = {{"open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink"}}
def _watch(event, args):
    global _seen
    if event in _EVENTS and args and isinstance(args[0], (str, bytes, os.PathLike)):
        if os.fsdecode(args[0]).startswith(_below):
            _seen += 1
            if _seen == _wanted:
                os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(_watch)
"""


def killed_at(moment: int, code: str, below: Path) -> bool:
    """Run `code` until its n-th touch below a folder; False when it ended before that."""
    return _run(moment, code, below).returncode == -signal.SIGKILL


def moments(code: str, below: Path) -> int:
    """How often `code` touches the disk below a folder when nobody kills it."""
    return int(_run(0, f"{code}\nprint(_seen)", below).stdout.split()[-1])


def _run(moment: int, code: str, below: Path) -> subprocess.CompletedProcess[str]:
    script = HEAD.format(below=str(below), moment=moment) + code
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, -signal.SIGKILL):
        raise AssertionError(done.stderr)
    return done
