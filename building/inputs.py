"""What a release was built from, and what has changed since: for the error that says so."""

from __future__ import annotations

import hashlib
import hmac
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import pretty, read_jsonl, sha256_file, write_bytes
from ..convert.readers import source_paths
from ..errors import UserError
from ..pipeline import Recipe, Split
from .run import stages_of

# facts of the manifest that a recipe states, beside stages
STATED = (
    "title",
    "description",
    "url",
    "date",
    "seed",
    "sources",
    "split_order",
    "withhold_answers",
    "answers",
    "changelog",
    "contamination",
)
MOST = 5  # changes that are named; the rest are counted


class _Read(msgspec.Struct):
    """A file that was read."""

    path: str
    sha256: str


def note_inputs(work: Path, release: Path, inputs: dict[str, str]) -> None:
    """Keep the hash of every file that the release was built from, below the work folder."""
    write_bytes(_note(work, release.name), pretty(inputs))


def is_noted(work: Path, release: Path) -> bool:
    """Whether the hashes are kept; a build that was killed may not have come to that."""
    return _note(work, release.name).exists()


def materials(plan: Recipe, inputs: dict[str, str], key: str | None) -> dict[str, str]:
    """What a release is made from, for its statement: names, each with a hash.

    The recipe and each file that it names stand there alone. All that was read with them is one,
    without names: a picture's may tell an answer. Under the `key` of withheld answers every hash
    is HMAC-SHA256, since who knows the rest of a dump could guess answers until its hash is right.
    """
    folder = plan.folder.absolute()
    unnamed = dict(inputs)
    hashes = dict[str, str]()
    for path in sorted(_named_files(plan)):
        is_inside = path.is_relative_to(folder)
        name = path.relative_to(folder).as_posix() if is_inside else path.name
        hashes[name] = unnamed.pop(name, "") or sha256_file(path)
    others = sorted(filter(None, unnamed.values()))
    if others:
        joined = "\n".join(others).encode()
        hashes["read with them"] = hashlib.sha256(joined).hexdigest()
    if key is None:
        return hashes
    return {name: _keyed(key, name, sha) for name, sha in hashes.items()}


def _named_files(plan: Recipe) -> set[Path]:
    """The recipe, and every file that it names: sources, ids of splits, options of stages."""
    files = {plan.path.absolute()}
    for source in plan.sources:
        files |= {path.absolute() for path in source_paths(source, plan.folder)}
    names: list[Any] = [
        split.ids for split in plan.splits.values() if isinstance(split, Split)
    ]
    names += [*_option_values(plan), *plan.contamination]
    if plan.previous:
        names.append(f"{plan.previous}/manifest.json")
    for name in names:
        if isinstance(name, str) and name and (plan.folder / name).is_file():
            files.add((plan.folder / name).absolute())
    return files


def _option_values(plan: Recipe) -> list[Any]:
    return [value for stage in stages_of(plan) for value in stage.options.values()]


def _keyed(key: str, name: str, sha256: str) -> str:
    message = f"material {name} {sha256}".encode()
    return hmac.new(bytes.fromhex(key), message, hashlib.sha256).hexdigest()


def what_changed(
    plan: Recipe, work: Path, manifest: dict[str, Any], facts: dict[str, Any]
) -> list[str]:
    """Sentences on the files, stages and words that are not as they were when it was built.

    `manifest` is the release's, and `facts` are those that it would hold now.
    """
    now = inputs_of(plan, work)
    try:
        note = _note(work, f"{plan.name}-{plan.version}")
        old = msgspec.json.decode(note.read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        old = now  # built elsewhere: the manifest still knows the facts
    changes = [f"{name} is new" for name in sorted(now.keys() - old.keys())]
    changes += [f"{name} is no longer used" for name in sorted(old.keys() - now.keys())]
    changes += [
        f"{name} changed"
        for name in sorted(now.keys() & old.keys())
        if now[name] != old[name]
    ]
    if len(changes) > MOST:
        changes = [*changes[:MOST], f"{len(changes) - MOST} more files changed"]
    changes += _stage_changes(manifest.get("stages") or [], facts["stages"])
    changes += [
        f"{name} changed" for name in STATED if manifest.get(name) != facts.get(name)
    ]
    return changes or ["benchwright, or the release's manifest changed"]


def _stage_changes(old: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[str]:
    before = ", ".join(stage["stage"] for stage in old)
    after = ", ".join(stage["stage"] for stage in now)
    if before != after:
        return [f"the stages are {after}, not {before or 'known'}"]
    changes = []
    for number, (was, new) in enumerate(zip(old, now, strict=True)):
        for name in ("options", "taken", "kept", "out"):
            if was.get(name) == new[name]:
                continue
            change = f"stage {number:02d}-{new['stage']} has other {name}"
            if isinstance(new[name], int):
                change += f" ({was[name]}, now {new[name]})"
            changes.append(change)
    return changes


def inputs_of(plan: Recipe, work: Path) -> dict[str, str]:
    """Files that were read, pictures among them, and those that stages were given; by name."""
    hashes: dict[str, str] = {}
    folder = f"{plan.folder.absolute().as_posix()}/"
    with suppress(UserError):
        for file in read_jsonl(work / "00-read" / "inputs.jsonl", _Read):
            hashes[file.path.removeprefix(folder)] = file.sha256
    for value in _option_values(plan):
        if isinstance(value, str) and value and (plan.folder / value).is_file():
            path = plan.folder / value
            name = path.absolute().as_posix().removeprefix(folder)
            hashes[name] = sha256_file(path)
    return hashes


def _note(work: Path, release: str) -> Path:
    return work / f"inputs-of-{release}.json"
