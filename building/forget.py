"""What builds keep to be quick, emptied: the parts that they made."""

from __future__ import annotations

from pathlib import Path

from ..errors import UserError
from ..pipeline import trim
from .run import locked_work


def forget(out: str | Path = "out") -> int:
    """Empty what builds in OUT keep of parts; the bytes that were freed.

    The next build makes again what it needs: the same bytes, later. Finished stages stay.

    Args:
        out: Folder that was given to build-release.

    Raises UserError for a folder where nothing was built, and while a build runs there.

    Example: `forget("out")`
    """
    work = Path(out) / "work"
    if not work.is_dir():
        raise UserError(
            f"{work} is not there", "give the folder that build-release wrote below"
        )
    with locked_work(work):
        return trim(work, 0)
