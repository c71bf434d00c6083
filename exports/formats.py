"""Releases in other tools' formats: evaluation harnesses, and the four official layouts."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterable, Sequence
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar

from ..base.files import pretty, write_bytes
from ..base.registry import Registry, mark, plugged
from ..errors import BenchwrightError, UserError
from ..pipeline import Engine, bug
from ..problem import Problem, Sample
from ..release import read_manifest, read_problems, read_samples, streamed
from .made import work_folder

F = TypeVar("F", bound=Callable[..., Any])
Exporter = Callable[..., list[Path]]  # (release, out) -> the files written

BUILT_IN = {
    "vlmevalkit": "exports.vlmevalkit:vlmevalkit",
    "lmms-eval": "exports.harnesses:lmms_eval",
    "inspect": "exports.harnesses:inspect",
    "math-v": "exports.official:math_v",
    "we-math": "exports.official:we_math",
    "mathverse": "exports.official:mathverse",
    "mm-math": "exports.official:mm_math",
}
FORMATS = Registry("exporter", BUILT_IN, called="format")
Splits = dict[str, tuple[Sequence[Problem], Sequence[Sample]]]


class Export(list[Path]):
    """The files that an exporter wrote, and what they do not hold or hold otherwise.

    `left_out` says why -> ids that are in no file; `notes` says how ids are written otherwise than
    the release has them.
    """

    def __init__(self, files: Iterable[str | Path] = ()) -> None:
        super().__init__(Path(path) for path in files)
        self.left_out: dict[str, list[str]] = {}
        self.notes: dict[str, list[str]] = {}

    def note(self, how: str, ids: Sequence[str]) -> None:
        if ids:
            self.notes.setdefault(how, []).extend(ids)

    def leave_out(self, why: str, ids: Sequence[str]) -> None:
        if ids:
            self.left_out.setdefault(why, []).extend(ids)

    def lines(self) -> list[str]:
        """One line a loss or change, with counts."""
        kinds = {"not exported": self.left_out, "exported": self.notes}
        lines = []
        for kind, reasons in kinds.items():
            for reason, ids in reasons.items():
                more = ", ..." if len(ids) > 3 else ""
                lines.append(f"{len(ids)} {kind}, {reason}: {', '.join(ids[:3])}{more}")
        return lines


def exporter(name: str) -> Callable[[F], F]:
    """Mark a function `(release, out) -> files written` as the exporter of the format `name`."""
    return mark("exporter", name)


def export(
    format: str,
    release: str | Path,
    out: str | Path | None = None,
    *,
    answers: str | Path | None = None,
    plugins: Sequence[str | Path] = (),
    engine: Engine = Engine(),  # noqa: B008 (frozen)
) -> Export:
    """Write a release in another tool's format; returns the files written.

    With them comes what the format does not hold and why, as `<release's name>.export.json` beside
    them says it.

    Args:
        format: vlmevalkit, lmms-eval, inspect, math-v, we-math, mathverse, mm-math, or one that
            a plugin or an installed package adds.
        release: Folder of the release.
        out: Folder to write [default: the format's name].
        answers: Private folder, or its answers.jsonl, of a release that withholds answers: they
            are exported, too.
        plugins: Python file that adds exporters: it is run.
        engine: Where a big release is read by shards, for formats that take them.

    Raises UserError for an unknown format and for problems that the format cannot hold.

    Example: `export("vlmevalkit", "out/math-v-mini-1.0.0", "LMUData")`
    """
    release = Path(release)
    out = Path(out or format)
    with plugged(plugins):
        write = writer(format)
        manifest = read_manifest(release)  # is a release
        options: dict[str, Any] = {}
        if answers is not None:
            options["answers"] = Path(answers)
            if "answers" not in signature(write).parameters:
                raise UserError(
                    f"the format {format!r} takes no answers",
                    "export without --answers",
                )
        if takes_shards(write):
            options["engine"] = engine
        out.mkdir(parents=True, exist_ok=True)
        try:
            files = write(release, out, **options)
            written = files if isinstance(files, Export) else Export(files)
            _write_manifest(format, manifest, written, out, answers is not None)
        except BenchwrightError:
            raise
        except Exception as error:
            raise bug(f"exporter {format!r}", write, error, str(release)) from error
    return written


def _write_manifest(
    name: str, manifest: dict[str, Any], written: Export, out: Path, answers: bool
) -> None:
    """What was exported, and what was left out or written otherwise, and why."""
    data = {
        "format": name,
        "release": manifest["name"],
        "version": manifest.get("version", ""),
        "answers": answers,
        "splits": {
            split: facts.get("samples") for split, facts in manifest["splits"].items()
        },
        "files": sorted(os.path.relpath(path, out) for path in written),
        "left_out": written.left_out,
        "notes": written.notes,
    }
    write_bytes(out / f"{manifest['name']}.export.json", pretty(data))


def contents(
    release: Path, answers: Path | None = None
) -> tuple[dict[str, Any], Splits]:
    """The manifest, and the problems and samples of each split, golds put back by `answers`."""
    manifest = read_manifest(release)
    checked_pictures = set[str]()
    splits: Splits = {
        split: _of_split(release, split, answers, checked_pictures)
        for split in manifest["splits"]
    }
    # Of a release that no build is writing, every line is read once before anything is written.
    if work_folder() is None:
        for problems, samples in splits.values():
            len(problems)
            len(samples)
    return manifest, splits


def _of_split(
    release: Path, split: str, answers: Path | None, checked_pictures: set[str]
) -> tuple[Sequence[Problem], Sequence[Sample]]:
    if answers is not None:
        problems = read_problems(release, split, answers)
        return problems, read_samples(release, split, answers)
    return (
        streamed(release, split, Problem, checked_pictures),
        streamed(release, split, Sample, checked_pictures),
    )


def takes_shards(write: Exporter) -> bool:
    """Whether an exporter hands its work to an engine's workers shard by shard."""
    return "engine" in signature(write).parameters


def writer(name: str) -> Exporter:
    """The function that writes the format. Raises UserError naming the nearest known format."""
    write: Exporter = FORMATS.load(name)
    return write
