"""What happened to problems before they came into a release, kept beside it for its pages.

`<release>-history` lies beside the release and not in it: it names voters and holds withheld
answers. Pages read it in pieces, when somebody opens a problem's history.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from ..release import beside
from .rich import Rich

Past = list[
    tuple[str, list[tuple[str, Rich]]]
]  # stage, and what it did: names with texts


def history_folder(release: Path) -> Path:
    """Where the history of a release lies, if it was built here."""
    return beside(release, "history")


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
