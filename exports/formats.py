"""Releases in other tools' formats: evaluation harnesses, and the four official layouts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..lazy import load
from ..problem import Problem, Sample
from ..release import read_manifest, read_problems, read_samples

# format -> module:function(release, manifest, splits, out) -> written paths
FORMATS = {
    "vlmevalkit": "exports.harnesses:vlmevalkit",
    "lmms-eval": "exports.harnesses:lmms_eval",
    "inspect": "exports.harnesses:inspect",
    "math-v": "exports.official:math_v",
    "we-math": "exports.official:we_math",
    "mathverse": "exports.official:mathverse",
    "mm-math": "exports.official:mm_math",
}
Splits = dict[str, tuple[list[Problem], list[Sample]]]


def export(name: str, release: str | Path, out: str | Path | None = None) -> list[Path]:
    """Write a release in the format `name` below `out` (default: the format's name).

    Returns the files written. Raises UserError for an unknown format and for problems that the
    format cannot hold.

    Example: `export("vlmevalkit", "out/math-v-mini-1.0.0", "LMUData")`
    """
    write = writer(name)
    release, out = Path(release), Path(out or name)
    manifest = read_manifest(release)
    splits: Splits = {
        split: (read_problems(release, split), read_samples(release, split))
        for split in manifest["splits"]
    }
    out.mkdir(parents=True, exist_ok=True)
    return write(release, manifest, splits, out)


def writer(name: str) -> Callable[[Path, dict[str, Any], Splits, Path], list[Path]]:
    """The function that writes the format. Raises UserError naming the nearest known format."""
    found: Callable[..., list[Path]] = load(name, FORMATS, "format")
    return found
