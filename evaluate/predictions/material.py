"""The samples of a split, from a release or from what people have of one.

| given                                | read                                                    |
|---|---|
| a release                            | all of it                                               |
| an export (math-v, inspect, ...)     | its files of the split                                  |
| a file of our samples, or of Parquet | every field                                             |
| a file in a benchmark's own layout   | id, version, options and gold                           |
| a table with ids and golds           | these, and options, subject and level where it has them |
| a data set of a hub, `hub:owner/name@commit`, or a source of a recipe in a YAML file | as a
  recipe's source is read |

What a file cannot say is said on the terminal: no origin means that every problem is a cluster of
its own, no label that there is no table by it, no benchmark that its official rules do not apply.
Pictures lie below `root`; embedded ones, and those of other layouts, are stored where `store` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from ...base.files import Streamed, sha256_file
from ...base.pictures import picture_root
from ...base.terminal import say
from ...errors import UserError
from ...grading.official import official_profile_of
from ...problem import Sample, shown_images
from ...release import answered_by, fingerprint, read_manifest, stream_samples
from .file_formats import read_rows
from .layouts import BY_LINE, Kept, sample_of_row
from .sources import HUB, is_source, read_source

EXPORTED = ".export.json"  # what `export` says of the files that it writes
SUFFIXES = (".jsonl", ".json", ".csv", ".tsv", ".xlsx", ".parquet")
_SHARD = re.compile(r"-\d{5}-of-\d{5}")
# Behind a split's name in the files of one format: MathVerse's and VLMEvalKit's parts.
_PART = re.compile(r"_(?:text_only|choice|open|choice_text|open_text)")


class Material(NamedTuple):
    """A split of a release, or of what somebody has of one; `others` are its other splits.

    `fingerprint` pins all that was read, `manifest` has name, version and sources, pictures lie
    below `root`, and `lost` is what it does not say of that which a release says.
    """

    manifest: dict[str, Any]
    fingerprint: str
    samples: Sequence[Sample]
    others: Sequence[Sample]
    root: Path
    lost: Sequence[str] = ()

    @property
    def name(self) -> str:
        return f"{self.manifest['name']}-{self.manifest['version']}"

    def say_lost(self) -> None:
        """What figures cannot be had from the material, which a release would give."""
        if self.lost:
            what = ", ".join(self.lost)
            say(
                f"{self.name}: {len(self.samples)} samples; what it does not say: {what}"
            )


def read_material(
    path: str | Path,
    split: str,
    answers: str | Path | None = None,
    store: Path | None = None,
) -> Material:
    """The samples of a split of a release, of an export of one, or of one file.

    `answers` is the private folder of a release that withholds them, or its answers.jsonl. One file
    is one split, whatever it is called. Without a `store` for pictures those are left out that a
    layout names in its own way. Raises UserError for what is none of these, and for rows without
    id, without gold's column, or of one id.

    Example: `read_material("math-v-1.0.0-exports/inspect", "testmini").samples[0].id`
    """
    path = Path(path)
    if is_source(path):
        source = read_source(path, split, store)
        samples = source.samples or list(_samples(source.files, source.name, store))
        return _of_rows(source.name, source.files, split, samples, store, answers)
    if is_release(path):
        return _of_release(path, split, answers)
    name, files = (path.stem, [path]) if path.is_file() else _exported(path, split)
    samples = list(_samples(files, name, store))
    return _of_rows(name, files, split, samples, store, answers)


def _of_release(path: Path, split: str, answers: str | Path | None) -> Material:
    manifest = read_manifest(path)
    chosen = split.split("+")
    others = [
        stream_samples(path, name) for name in manifest["splits"] if name not in chosen
    ]
    return Material(
        manifest,
        fingerprint(path),
        stream_samples(path, split, answers),
        Streamed(lambda: chain(*others)),
        path,
    )


def _of_rows(
    name: str,
    files: Sequence[Path],
    split: str,
    samples: list[Sample],
    store: Path | None,
    answers: str | Path | None,
) -> Material:
    digest = sha256("".join(map(sha256_file, files)).encode()).hexdigest()
    manifest = {"name": name, "version": digest[:12], "splits": {split: {}}}
    if answers is not None:
        samples = list(answered_by(samples, answers))
    pictures = [image for sample in samples for image in shown_images(sample)]
    root = picture_root(files[0], pictures) or store or files[0].parent
    lost = _lost(samples, has_pictures=bool(pictures))
    return Material(manifest | {"sources": []}, digest, samples, [], root, lost)


def is_release(path: Path) -> bool:
    """Whether to read it as a release: what is neither file nor folder of tables is refused so."""
    if path.is_file() or str(path).startswith(HUB):
        return False
    return (path / "manifest.json").exists() or not any(_tables(path))


def _tables(folder: Path) -> Iterator[Path]:
    return (
        file
        for file in sorted(folder.rglob("*"))
        if file.suffix in SUFFIXES and not file.name.endswith(EXPORTED)
    )


def _exported(folder: Path, split: str) -> tuple[str, list[Path]]:
    """The name of the release that was exported into a folder, and its files of a split."""
    exports = sorted(folder.rglob(f"*{EXPORTED}"))
    if len(exports) > 1:
        formats = ", ".join(str(export.parent) for export in exports)
        raise UserError(f"{folder} holds several exports", f"give one of {formats}")
    name = folder.absolute().name
    if exports:
        name = exports[0].name.removesuffix(EXPORTED)
    by_split: dict[str, list[Path]] = {}
    for file in _tables(folder):
        core = _SHARD.sub("", file.stem).removeprefix(f"{name}_")
        by_split.setdefault(core, []).append(file)
        if part := _PART.search(core):
            by_split.setdefault(core[: part.start()], []).append(file)
    wanted = [file for part in split.split("+") for file in by_split.get(part, [])]
    if not wanted:
        known = ", ".join(sorted(by_split))
        raise UserError(
            f"{folder} has no files of the split {split!r}", f"known: {known}"
        )
    return name, wanted


def _samples(files: Sequence[Path], name: str, store: Path | None) -> Iterator[Sample]:
    places: dict[str, str] = {}
    for file in files:
        pictures = None if store is None else Kept(file, store)
        for number, row in read_rows(file):
            place = f"{file}:{number}"
            if isinstance(row, str):
                raise UserError(row, "mend the row: every gold counts")
            sample = sample_of_row(row, name, place, pictures)
            if sample.id in places:
                raise UserError(
                    f"{place}: {sample.id} stands in {places[sample.id]}, too",
                    "give every sample one id",
                )
            places[sample.id] = place
            yield sample


def _lost(samples: Sequence[Sample], *, has_pictures: bool) -> list[str]:
    """What figures cannot be had from the samples, which a release would give."""
    lost = [] if has_pictures else ["pictures"]
    if all(re.fullmatch(rf"{BY_LINE}\d+", sample.source.raw_id) for sample in samples):
        lost.append("ids (rows are called by their lines)")
    if all(sample.origin == sample.problem_id for sample in samples):
        lost.append("clusters (every problem is one of its own)")
    if not any(sample.labels for sample in samples):
        lost.append("labels")
    benchmarks = {sample.source.benchmark for sample in samples}
    known = [official_profile_of({"benchmark": name}) for name in benchmarks if name]
    if not any(known):
        lost.append("a benchmark, so no official rules apply")
    withheld = sum(sample.answer is None for sample in samples)
    if withheld:
        lost.append(f"golds of {withheld} samples")
    return lost
