"""Reading a release: manifest, samples, problems. The evaluator sees releases only through this."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from .errors import UserError, nearest
from .files import inside, read_lines
from .pipeline import NAME
from .problem import Problem, Sample


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
    if not isinstance(manifest, dict) or "splits" not in manifest:
        raise UserError(
            f"{path}: not a release's manifest", "give a folder that build-release wrote"
        )
    for name in [str(manifest.get("name", "")), *manifest["splits"]]:
        if name and not NAME.fullmatch(name):  # names become file names
            raise UserError(f"{path}: name {name!r}", "use letters, digits, '.', '_', '-'")
    return manifest


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
        held = _answers(Path(answers))
        for sample in samples:
            found = held.get(sample.id, {})
            sample.answer = found.get("answer", sample.answer)
            sample.solution = found.get("solution", sample.solution)
    return samples


def read_problems(release: str | Path, split: str) -> list[Problem]:
    """The whole problem records behind a split's samples (spans, steps, notes)."""
    return _records(Path(release), split, "problems", Problem)


def _records(release: Path, split: str, folder: str, kind: Any) -> list[Any]:
    splits = split_names(release)
    if split not in splits:
        raise UserError(f"{release} has no split {split!r}", nearest(split, splits))
    path = release / folder / f"{split}.jsonl"
    records, known = [], set()
    for number, line in read_lines(path):
        try:
            row = msgspec.json.decode(line)
            row.pop("canary", None)
            record = msgspec.convert(row, kind)
        except (msgspec.DecodeError, AttributeError, UnicodeDecodeError) as error:
            raise UserError(f"{path}:{number}: {error}", "run `benchwright verify`") from error
        steps = getattr(record, "steps", None) or []
        for image in [*record.images, *(image for step in steps for image in step.images)]:
            if image.path not in known:
                inside(release, image.path)  # a release from elsewhere names no other files
                known.add(image.path)
        records.append(record)
    return records


def _answers(path: Path) -> dict[str, dict[str, Any]]:
    held: dict[str, dict[str, Any]] = {}
    for number, line in read_lines(path):
        try:
            row = msgspec.json.decode(line)
            held[row["id"]] = row
        except (msgspec.DecodeError, LookupError, TypeError) as error:
            raise UserError(
                f"{path}:{number}: not an answer ({error})", 'each line is {"id", "answer"}'
            ) from error
    return held
