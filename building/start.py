"""A folder to start from: the example of one of the four papers, copied."""

from __future__ import annotations

import shutil
from pathlib import Path

from ..errors import UserError, nearest

EXAMPLES = Path(__file__).parents[1] / "examples"
PAPERS = ("math-v", "mathverse", "we-math", "mm-math", "living")
MADE_HERE = shutil.ignore_patterns(".*", "out", "labels")  # by builds and labelling


def init(folder: str | Path, like: str = "math-v") -> list[Path]:
    """Copy the example of one paper into a new folder that builds and scores; its files.

    Args:
        folder: A new or an empty folder.
        like: Whose example: math-v, mathverse, we-math, mm-math, or living problems.

    Raises UserError for another name and for a folder that holds something already.

    Example: `init("my-bench", like="we-math")`
    """
    folder = Path(folder)
    if like not in PAPERS:
        raise UserError(f"there is no example {like!r}", nearest(like, list(PAPERS)))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder} is there already", "name a new or an empty folder")
    shutil.copytree(EXAMPLES / like, folder, ignore=MADE_HERE, dirs_exist_ok=True)
    return sorted(path for path in folder.rglob("*") if path.is_file())
