"""What a release was built from, and what has changed since: for the error that says so."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import pretty, read_jsonl, sha256_file, write_bytes
from ..errors import UserError
from ..pipeline import Recipe
from .run import stages_of

# facts of the manifest that a recipe says, beside stages
SAID = ("title", "description", "url", "date", "seed", "sources", "split_order", "withhold_answers",
        "answers", "changelog")  # fmt: skip
MOST = 5  # changes that are named; the rest are counted


class _Read(msgspec.Struct):
    """A file that was read."""

    path: str
    sha256: str


def note_inputs(plan: Recipe, work: Path, release: Path) -> None:
    """Keep the hash of every file that the release was built from, below the work folder."""
    write_bytes(_note(work, release.name), pretty(_inputs(plan, work)))


def what_changed(
    plan: Recipe, work: Path, manifest: dict[str, Any], said: dict[str, Any]
) -> list[str]:
    """Sentences on the files, stages and words that are not as they were when it was built.

    `manifest` is the release's, and `said` are the facts that it would hold now.
    """
    now = _inputs(plan, work)
    try:
        note = _note(work, f"{plan.name}-{plan.version}")
        old = msgspec.json.decode(note.read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        old = now  # built elsewhere: the manifest still knows the facts
    changes = [f"{name} is new" for name in sorted(now.keys() - old.keys())]
    changes += [f"{name} is no longer used" for name in sorted(old.keys() - now.keys())]
    changes += [f"{n} changed" for n in sorted(now.keys() & old.keys()) if now[n] != old[n]]
    if len(changes) > MOST:
        changes = [*changes[:MOST], f"{len(changes) - MOST} more files changed"]
    changes += _stage_changes(manifest.get("stages") or [], said["stages"])
    changes += [f"{name} changed" for name in SAID if manifest.get(name) != said[name]]
    return changes or ["benchwright, or the release's manifest changed"]


def _stage_changes(old: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[str]:
    before, after = ([stage["stage"] for stage in stages] for stages in (old, now))
    if before != after:
        return [f"the stages are {', '.join(after)}, not {', '.join(before) or 'known'}"]
    return [
        f"stage {number:02d}-{new['stage']} has other {name}"
        + (f" ({old_one[name]}, now {new[name]})" if isinstance(new[name], int) else "")
        for number, (old_one, new) in enumerate(zip(old, now, strict=True))
        for name in ("options", "taken", "kept", "out")
        if old_one.get(name) != new[name]
    ]


def _inputs(plan: Recipe, work: Path) -> dict[str, str]:
    """Files that were read, pictures among them, and those that stages were given; by name."""
    found: dict[str, str] = {}
    folder = f"{plan.folder.absolute().as_posix()}/"
    with suppress(UserError):
        for one in read_jsonl(work / "00-read" / "inputs.jsonl", _Read):
            found[one.path.removeprefix(folder)] = one.sha256
    for spec in stages_of(plan):
        for value in spec.options.values():
            if isinstance(value, str) and value and (path := plan.folder / value).is_file():
                found[path.absolute().as_posix().removeprefix(folder)] = sha256_file(path)
    return found


def _note(work: Path, release: str) -> Path:
    return work / f"inputs-of-{release}.json"
