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

# facts of the manifest that a recipe says, beside stages
SAID = (
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
    named = {plan.path.absolute()}
    named |= {
        path.absolute()
        for spec in plan.sources
        for path in source_paths(spec, plan.folder)
    }
    parts = [spec.ids for spec in plan.splits.values() if isinstance(spec, Split)]
    options = [value for spec in stages_of(plan) for value in spec.options.values()]
    for value in [*parts, *options, plan.previous and f"{plan.previous}/manifest.json"]:
        if isinstance(value, str) and value and (plan.folder / value).is_file():
            named.add((plan.folder / value).absolute())
    folder, known = plan.folder.absolute(), dict(inputs)
    found = dict[str, str]()
    for path in sorted(named):
        inner = (
            path.relative_to(folder).as_posix()
            if path.is_relative_to(folder)
            else path.name
        )
        found[inner] = known.pop(inner, "") or sha256_file(path)
    others = sorted(filter(None, known.values()))
    if others:
        found["read with them"] = hashlib.sha256("\n".join(others).encode()).hexdigest()
    return (
        found
        if key is None
        else {name: _keyed(key, name, sha) for name, sha in found.items()}
    )


def _keyed(key: str, name: str, sha256: str) -> str:
    message = f"material {name} {sha256}".encode()
    return hmac.new(bytes.fromhex(key), message, hashlib.sha256).hexdigest()


def what_changed(
    plan: Recipe, work: Path, manifest: dict[str, Any], said: dict[str, Any]
) -> list[str]:
    """Sentences on the files, stages and words that are not as they were when it was built.

    `manifest` is the release's, and `said` are the facts that it would hold now.
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
        f"{n} changed" for n in sorted(now.keys() & old.keys()) if now[n] != old[n]
    ]
    if len(changes) > MOST:
        changes = [*changes[:MOST], f"{len(changes) - MOST} more files changed"]
    changes += _stage_changes(manifest.get("stages") or [], said["stages"])
    changes += [f"{name} changed" for name in SAID if manifest.get(name) != said[name]]
    return changes or ["benchwright, or the release's manifest changed"]


def _stage_changes(old: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[str]:
    before, after = ([stage["stage"] for stage in stages] for stages in (old, now))
    if before != after:
        return [
            f"the stages are {', '.join(after)}, not {', '.join(before) or 'known'}"
        ]
    return [
        f"stage {number:02d}-{new['stage']} has other {name}"
        + (f" ({old_one[name]}, now {new[name]})" if isinstance(new[name], int) else "")
        for number, (old_one, new) in enumerate(zip(old, now, strict=True))
        for name in ("options", "taken", "kept", "out")
        if old_one.get(name) != new[name]
    ]


def inputs_of(plan: Recipe, work: Path) -> dict[str, str]:
    """Files that were read, pictures among them, and those that stages were given; by name."""
    found: dict[str, str] = {}
    folder = f"{plan.folder.absolute().as_posix()}/"
    with suppress(UserError):
        for one in read_jsonl(work / "00-read" / "inputs.jsonl", _Read):
            found[one.path.removeprefix(folder)] = one.sha256
    for spec in stages_of(plan):
        for value in spec.options.values():
            if (
                isinstance(value, str)
                and value
                and (path := plan.folder / value).is_file()
            ):
                found[path.absolute().as_posix().removeprefix(folder)] = sha256_file(
                    path
                )
    return found


def _note(work: Path, release: str) -> Path:
    return work / f"inputs-of-{release}.json"
