"""Releases in other tools' formats: evaluation harnesses, and the four official layouts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ..errors import UserError
from ..pipeline import bug
from ..problem import Problem, Sample
from ..registry import Registry, mark, plugged
from ..release import read_manifest, streamed

F = TypeVar("F", bound=Callable[..., Any])
Exporter = Callable[[Path, Path], list[Path]]  # (release, out) -> the files written

BUILT_IN = {
    "vlmevalkit": "exports.harnesses:vlmevalkit",
    "lmms-eval": "exports.harnesses:lmms_eval",
    "inspect": "exports.harnesses:inspect",
    "math-v": "exports.official:math_v",
    "we-math": "exports.official:we_math",
    "mathverse": "exports.official:mathverse",
    "mm-math": "exports.official:mm_math",
}
FORMATS = Registry("exporter", BUILT_IN, called="format")
Splits = dict[str, tuple[Sequence[Problem], Sequence[Sample]]]


def exporter(name: str) -> Callable[[F], F]:
    """Mark a function `(release, out) -> files written` as the exporter of the format `name`."""
    return mark("exporter", name)


def export(
    name: str,
    release: str | Path,
    out: str | Path | None = None,
    *,
    plugins: Sequence[str | Path] = (),
) -> list[Path]:
    """Write a release in the format `name` below `out` (default: the format's name).

    `plugins` are Python files with exporters of your own. Returns the files written. Raises
    UserError for an unknown format and for problems that the format cannot hold.

    Example: `export("vlmevalkit", "out/math-v-mini-1.0.0", "LMUData")`
    """
    release, out = Path(release), Path(out or name)
    with plugged(plugins):
        write = writer(name)
        read_manifest(release)  # is a release
        out.mkdir(parents=True, exist_ok=True)
        try:
            return [Path(path) for path in write(release, out)]
        except UserError:
            raise
        except Exception as error:
            raise bug(f"exporter {name!r}", write, error, str(release)) from error


def contents(release: Path) -> tuple[dict[str, Any], Splits]:
    """The manifest, and the problems and samples of each split."""
    manifest = read_manifest(release)
    splits: Splits = {
        split: (streamed(release, split, Problem), streamed(release, split, Sample))
        for split in manifest["splits"]
    }
    for records in (records for pair in splits.values() for records in pair):
        len(records)  # every line is read once before anything is written
    return manifest, splits


def writer(name: str) -> Exporter:
    """The function that writes the format. Raises UserError naming the nearest known format."""
    write: Exporter = FORMATS.load(name)
    return write
