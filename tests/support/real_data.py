"""Real public data: the rows of MATH-V that are bundled, or whole sets where the run names them.

A test says that it reads them by its fixture `data`. Without `BENCHWRIGHT_TEST_DATA=FOLDER`
(`make test-whole`) every run reads the bundled rows, whatever lies beside the checkout.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = ROOT / "tests" / "data"


@dataclass(frozen=True)
class RealData:
    folder: Path
    is_whole: bool

    def math_v(self, path: str) -> Path:
        """A file of MATH-V, all of it or the bundled rows; expectations must hold for both."""
        return self._there(f"math-v/{path}")

    def whole(self, path: str) -> Path:
        """Data that may not be bundled, or is needed whole; a skip with the reason without it."""
        if not self.is_whole:
            pytest.skip(
                f"needs the whole {path}, which is not bundled: make test-whole"
            )
        return self._there(path)

    def _there(self, path: str) -> Path:
        if not (self.folder / path).exists():
            pytest.skip(f"{path} is not in {self.folder}")
        return self.folder / path


def real_data() -> RealData:
    if not (named := os.environ.get("BENCHWRIGHT_TEST_DATA")):
        return RealData(BUNDLED, is_whole=False)
    if not Path(named).is_dir():
        raise pytest.UsageError(f"BENCHWRIGHT_TEST_DATA={named}: no such folder")
    return RealData(Path(named).resolve(), is_whole=True)
