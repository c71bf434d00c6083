"""The one reader of releases: manifest, samples, problems, each checked before anybody uses it.

A release may come from anywhere: its names never become other files than its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from .errors import UserError, nearest
from .files import inside, read_lines, sha256_file
from .pipeline import NAME
from .problem import Part, Problem, Sample, all_images

T = TypeVar("T", Problem, Sample)


def read_manifest(release: str | Path) -> dict[str, Any]:
    """manifest.json as a dict. Raises UserError when `release` is not a release folder.

    Keys: name, version, canary, splits (name -> {problems, samples, withheld, ids}), sources
    ([{name, reader, license, ...}]), stages, files, tool.
    """
    release = Path(release)
    path = release / "manifest.json"
    try:
        manifest = msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise UserError(
            f"{release} is not a release: cannot read {path.name} ({error.strerror})",
            "give the folder that build-release wrote",
        ) from error
    except msgspec.DecodeError as error:
        raise UserError(f"{path}: {error}", "run `benchwright verify` on the release") from error
    if not isinstance(manifest, dict) or not isinstance(manifest.get("splits"), dict):
        raise UserError(
            f"{path}: not a release's manifest", "give a folder that build-release wrote"
        )
    for name in [str(manifest.get("name", "")), *manifest["splits"]]:
        if name and not NAME.fullmatch(name):  # names become file names
            raise UserError(f"{path}: name {name!r}", "use letters, digits, '.', '_', '-'")
    return manifest


def fingerprint(release: Path) -> str:
    """The hash of the manifest, which holds the hash of every file: it pins the whole release."""
    return sha256_file(release / "manifest.json")


def split_names(release: str | Path) -> list[str]:
    return list(read_manifest(release)["splits"])


def read_samples(
    release: str | Path, split: str, answers: str | Path | None = None
) -> list[Sample]:
    """The samples of one split, in file order.

    `answers` is the private answers.jsonl of a release that withholds them.
    Example: `read_samples(Path("out/math-v-mini-1.0.0"), "testmini")[0].id`
    Raises UserError for an unknown split and for damaged lines.
    """
    samples = _records(Path(release), split, "jsonl", Sample)
    if answers is not None:
        private = _answers(Path(answers))
        for sample in samples:
            row = private.get(sample.id, {})
            sample.answer = row.get("answer", sample.answer)
            sample.solution = row.get("solution", sample.solution)
            if "parts" in row:
                sample.parts = msgspec.convert(row["parts"], list[Part])
    return samples


def read_problems(release: str | Path, split: str) -> list[Problem]:
    """The whole problem records behind a split's samples (spans, steps, notes)."""
    return _records(Path(release), split, "problems", Problem)


def all_samples(folder: Path) -> Iterator[Sample]:
    """Every sample of a release, split by split, or of what `render versions` wrote."""
    if (folder / "manifest.json").exists():
        for split in sorted(split_names(folder)):
            yield from read_samples(folder, split)
    else:
        for problem in all_problems(folder):
            yield from problem.samples


def all_problems(folder: Path) -> Iterator[Problem]:
    """Every problem of a release, split by split, or of what `render versions` wrote."""
    made = folder / "versions" / "problems.jsonl"
    if made.is_file() and not (folder / "manifest.json").exists():
        yield from _read(made, Problem, folder)
        return
    for split in sorted(split_names(folder)):
        yield from read_problems(folder, split)


def decode(line: bytes, kind: type[T]) -> tuple[T, str | None]:
    """One line of a release: the record, and the canary that stands in it.

    Raises ValueError saying what is wrong with the line.
    """
    row = msgspec.json.decode(line)
    if not isinstance(row, dict):
        raise ValueError("not a JSON object")
    canary = row.pop("canary", None)
    return msgspec.convert(row, kind), canary


def _records(release: Path, split: str, folder: str, kind: type[T]) -> list[T]:
    splits = split_names(release)
    if split not in splits:
        raise UserError(f"{release} has no split {split!r}", nearest(split, splits))
    return list(_read(release / folder / f"{split}.jsonl", kind, release))


def _read(path: Path, kind: type[T], root: Path) -> Iterator[T]:
    """The records of a file, whose pictures lie below `root`."""
    known: set[str] = set()
    for number, line in read_lines(path):
        try:
            record, _ = decode(line, kind)
        except ValueError as error:
            raise UserError(f"{path}:{number}: {error}", "run `benchwright verify`") from error
        for image in all_images(record):
            if image.path not in known:
                inside(root, image.path)  # a release from elsewhere names no other files
                known.add(image.path)
        yield record


def _answers(path: Path) -> dict[str, dict[str, Any]]:
    by_id: dict[str, dict[str, Any]] = {}
    for number, line in read_lines(path):
        try:
            row = msgspec.json.decode(line)
            by_id[row["id"]] = row
        except (msgspec.DecodeError, LookupError, TypeError) as error:
            raise UserError(
                f"{path}:{number}: not an answer ({error})", 'each line is {"id", "answer"}'
            ) from error
    return by_id
