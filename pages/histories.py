"""What happened to problems before they came into a release, kept beside it for its pages.

`<release>-history` lies beside the release and not in it: it names voters and holds withheld
answers. Pages read it in pieces, when somebody opens a problem's history.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import quote

import msgspec

from ..base.files import replacing_folder, write_bytes
from .rich import Rich
from .viewer import BYTES, PIECE, script

Past = list[tuple[str, list[tuple[str, Rich]]]]  # stage, and what it did: names with texts


def history_folder(release: Path) -> Path:
    """Where the history of a release lies, if it was built here."""
    return release.with_name(f"{release.name}-history")


def history_address(release: Path, page: Path) -> str:
    """How a page leads to the history of a release; "" where there is none to lead to."""
    folder = history_folder(release)
    if not folder.is_dir():
        return ""
    try:
        relative = os.path.relpath(folder.resolve(), page.resolve().parent)
    except ValueError:  # another drive
        return ""
    return quote(f"{Path(relative).as_posix()}/")


def write_histories(
    folder: Path, names: Iterable[str], told: Callable[[list[str]], Iterable[tuple[str, Past]]]
) -> None:
    """Write problems' histories into `folder`, which is replaced whole.

    `told` gives them one by one, in the order in which it is asked for them: one piece at a time is
    in memory.
    """
    encoder, firsts, piece, size = msgspec.json.Encoder(), list[str](), dict[str, Past](), 0
    with replacing_folder(folder) as new:
        for name, past in told(sorted({*names}, key=_order)):
            if not piece:
                firsts.append(name)
            piece[name] = past
            size += len(encoder.encode(past))
            if len(piece) == PIECE or size >= BYTES:
                _write(new, len(firsts) - 1, encoder.encode(piece))
                piece, size = {}, 0
        if piece:
            _write(new, len(firsts) - 1, encoder.encode(piece))
        write_bytes(new / "index.js", script("pasts", encoder.encode(firsts)))


def _order(name: str) -> bytes:
    """As the page's script compares strings."""
    return name.encode("utf-16-be", "surrogatepass")


def _write(folder: Path, number: int, piece: bytes) -> None:
    data = b"[%d,%s]" % (number, piece)
    write_bytes(folder / f"past-{number:05}.js", script("past", data))
