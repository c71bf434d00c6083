"""What a worker does: lines of problems.jsonl go through row stages that follow one another.

A task names the lines. The worker reads them, makes of each what is not yet known (`results.py`),
writes a file of problems for each stage, and returns counts, ids, drops and side tables.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ..base.bugs import bug
from ..base.files import BAD_JSON, read_jsonl, unwritable
from ..errors import BenchwrightError, UserError, is_of_machine
from ..problem import Drop, Problem, all_images
from .accounting import Accounts
from .outcome import Outcome, SideTables, outcome_of
from .results import FOLDER, Pack, Results, key_of, packed
from .stage import Stage
from .stage_folder import Shard

SHARDS = "shards"  # below the work folder: what workers hand over
FEWEST, MOST = 64, 1024  # problems of a shard
PARTS = 64  # shards of a set, where these bounds allow it


class Step(msgspec.Struct, frozen=True):
    """A row stage as a visit runs it; `key` is the hash of its code and options."""

    stage: Stage
    options: dict[str, Any]
    key: str
    keep_going: bool


class Lines(msgspec.Struct, frozen=True):
    """Some lines of a file."""

    path: Path
    number: int  # of the first
    count: int
    start: int  # in bytes
    size: int

    def read(self) -> list[bytes]:
        with self.path.open("rb") as file:
            file.seek(self.start)
            return file.read(self.size).splitlines(keepends=True)


class Kept(msgspec.Struct, array_like=True, frozen=True):
    """An outcome as it is kept: a line that is the one that came in stands as b""."""

    outcome: Outcome
    seed: int | None  # that was drawn with
    pictures: list[str]  # that were made


def cut(path: Path, ends: Sequence[int] = (), most: int = MOST) -> Iterator[Lines]:
    """The lines of a file in shards, by their number alone; a shard ends at each of `ends`."""
    with path.open("rb") as file:
        sizes = [len(line) for line in file]
    each = min(max(len(sizes) // PARTS, FEWEST), most)
    first = start = 0
    for end in [*ends, len(sizes)]:
        while first < end:
            own = sizes[first : min(first + each, end)]
            yield Lines(path, first + 1, len(own), start, sum(own))
            first, start = first + len(own), start + sum(own)


def visit(steps: Sequence[Step], work: Path, build: str, apart: bool, lines: Lines) -> list[Shard]:
    """Each stage's shard; with `apart` another process takes it from a file."""
    made: list[Shard] = []
    coming = lines.read()
    for step in steps:
        shard, coming = _through(step, work, build, coming, lines.number if not made else 0)
        if apart:
            _set_apart(shard, work / SHARDS / f"{secrets.token_hex(8)}.jsonl")
        made.append(shard)
    return made


def _set_apart(shard: Shard, path: Path) -> None:
    shard.path, shard.size = path, len(shard.problems)
    shard.sha256 = hashlib.sha256(shard.problems).hexdigest()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(shard.problems)  # no need to outlive a crash
    except OSError as error:
        raise unwritable(path, error) from error
    shard.problems = b""


def _through(
    step: Step, work: Path, build: str, lines: list[bytes], number: int
) -> tuple[Shard, list[bytes]]:
    """What a stage makes of the lines, and the lines of what is put out."""
    started = time.perf_counter()
    accounts, shard = Accounts(step.stage.name, whole_set=False), Shard(reasons={}, rows={})
    out: list[bytes] = []
    drops: list[bytes] = []
    with Results(work, step.key, build).adding() as pack:
        for k, line in enumerate(lines):
            if not line.strip():
                continue
            outcome, drew = _outcome(step, work, build, line, number and number + k, pack)
            shard.drew |= drew
            accounts.take(outcome.taken)
            for made in outcome.lines:
                if made.reason is not None:
                    accounts.drop(made.id, made.reason)
                    drops.append(made.data)
                else:
                    accounts.put_out(made.id)
                    shard.ids.append(made.id)
                    out.append(made.data or line)
            accounts.settle()
            for name, rows in outcome.rows.items():
                shard.rows.setdefault(name, []).extend(rows)
    shard.taken, shard.dropped, shard.reasons = accounts.taken, accounts.dropped, accounts.reasons
    shard.problems, shard.drops = b"".join(out), b"".join(drops)
    shard.seconds = time.perf_counter() - started
    return shard, out


def _outcome(
    step: Step, work: Path, build: str, line: bytes, number: int, pack: Pack
) -> tuple[Outcome, bool]:
    """What becomes of a line, known or made now; and whether a seed decided it."""
    key = key_of(line)
    if (data := Results(work, step.key, build).get(key)) is not None:
        kept = msgspec.msgpack.decode(data, type=Kept)
        context = step.options.get("context")
        if holds(kept, work, context and context.seed):
            return kept.outcome, kept.seed is not None
    kept = _made(step, work, line, number)
    pack.add(key, msgspec.msgpack.encode(kept))
    return kept.outcome, kept.seed is not None


def holds(kept: Kept, work: Path, seed: int | None) -> bool:
    """Whether it is what would be made now: with the same seed, and its pictures in the store."""
    return kept.seed in (None, seed) and all((work / path).exists() for path in kept.pictures)


def _made(step: Step, work: Path, line: bytes, number: int) -> Kept:
    """The stage's own work on one problem, and the rows that it recorded on the way."""
    stage, tables, options = step.stage, SideTables(), step.options
    try:
        problem = msgspec.json.decode(line, type=Problem)
    except BAD_JSON as error:
        raise UserError(
            f"line {number} of what stage {stage.name!r} reads: {error}",
            f"remove the stage's folder and those before it below {work}, and build again",
        ) from error
    before = {image.path for image in all_images(problem)}
    own = None
    if "context" in options:  # tables of its own: in-process and pooled runs agree
        own = msgspec.structs.replace(options["context"], tables=tables, drew=False)
        options = options | {"context": own}
    try:
        result = stage.function(problem, **options)
        outputs = results_of(result if isinstance(result, list) else [result])
    except BenchwrightError:
        raise
    except Exception as error:
        if not step.keep_going or is_of_machine(error):
            where = source_line(work, problem.id) or f"raw id {problem.source.raw_id}"
            on = f"problem {problem.id!r} ({where}), which starts {problem.question[:80]!r}"
            raise bug(f"stage {stage.name!r}", stage.function, error, on) from error
        outputs = [Drop(id=problem.id, reason=f"error: {type(error).__name__}: {error}")]
    outcome = outcome_of([problem.id], outputs, tables)
    for k, made in enumerate(outcome.lines):
        if made.data == line:
            outcome.lines[k] = msgspec.structs.replace(made, data=b"")
    drawn = {i.path for one in outputs if isinstance(one, Problem) for i in all_images(one)}
    return Kept(outcome, own.seed if own and own.drew else None, sorted(drawn - before))


def results_of(returned: Iterable[Any]) -> list[Problem | Drop]:
    """What a stage returned, when it is what stages may return."""
    results = list(returned)
    for result in results:
        if not isinstance(result, Problem | Drop):
            raise TypeError(f"it returned {type(result).__name__}, not Problem or Drop")
    return results


def source_line(work: Path, problem_id: str) -> str | None:
    """`file:line` of the raw dump from which a problem was read."""
    lines = work / "00-read" / "lines.jsonl"
    if not lines.exists():
        return None
    rows = read_jsonl(lines, dict[str, Any])
    return next((row["at"] for row in rows if row["id"] == problem_id), None)


def known(steps: Sequence[Step], work: Path, build: str, lines: Lines) -> dict[str, bytes]:
    """Packs of what is kept of these lines, by path below `work`, for workers without it."""
    packs: dict[str, bytes] = {}
    coming = lines.read()
    for step in steps:
        results = Results(work, step.key, build)
        found = {key_of(line): results.get(key_of(line)) for line in coming}
        chosen = {key: data for key, data in found.items() if data is not None}
        if chosen:
            packs[f"{FOLDER}/{step.key}/{lines.number}.pack"] = packed(chosen)
        coming = [
            made.data or line
            for line in coming
            if (data := chosen.get(key_of(line))) is not None
            for made in msgspec.msgpack.decode(data, type=Kept).outcome.lines
            if made.reason is None
        ]
    return packs
