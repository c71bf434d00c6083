"""The stage `split`: clusters, and splits drawn over them; they stand while nothing changes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import Records, encode, read_jsonl, read_lines, sha256_file
from ..base.terminal import say
from ..pipeline import (
    LIGHT,
    SHARDS,
    Context,
    Engine,
    Lines,
    Recipe,
    Report,
    Shard,
    by_shard,
    code_hash,
    cut,
    finished,
    line_of,
    parallel_map,
    set_apart,
    shards_of,
    write_stage,
)
from ..problem import Drop, Problem

# table of the split's folder: how many problems each split has, in order
SIZES = "sizes"
SAID_ALONE = 5  # stale problems that are named on the terminal; the others are counted
# lines of a shard, by place the cluster that a line gets (None: as it stands), and their shard
LinesOfSplit = tuple[Lines, dict[int, str | None], Shard]


def split(
    plan: Recipe, source: Path, context: Context, number: int
) -> tuple[dict[str, Records[Problem]], Report, bool]:
    """Clusters and splits, the stage's report, and whether they were drawn now.

    Whoever is in no split, or holds stale work, is a drop of this stage. Splits are drawn by what
    matters for them; the problems themselves stay on disk.
    """
    from ..exports import assign, members_of
    from ..release import fingerprint

    folder = context.work / f"{number:02d}-split"
    options = msgspec.to_builtins({"splits": plan.splits, "seed": plan.seed})
    what_decides = [
        code_hash(assign, members_of, split),
        options,
        [*plan.splits],  # their order decides, too
        sorted(plan.withhold_answers),
        _listed_ids(plan),
        fingerprint(plan.folder / plan.previous) if plan.previous else "",
        sha256_file(source),
    ]
    key = sha256(encode(what_decides)).hexdigest()
    old = finished(folder, key)
    report = old or _draw(plan, source, context, folder, options, key)
    return _read_splits(folder), report, old is None


def _listed_ids(plan: Recipe) -> list[list[bytes]]:
    """The lines of every file of ids that a split names."""
    files = [
        split.ids for split in plan.splits.values() if split != "rest" and split.ids
    ]
    return [[line for _, line in read_lines(plan.folder / name)] for name in files]


def _read_splits(folder: Path) -> dict[str, Records[Problem]]:
    """The problems of each split: they stand split by split, and `sizes` says how many each has."""
    sizes = dict(read_jsonl(folder / f"{SIZES}.jsonl", tuple[str, int]))
    problems = Records(folder / "problems.jsonl", msgspec.json.Decoder(Problem).decode)
    ends = accumulate(sizes.values())
    return {
        name: problems[end - size : end]
        for (name, size), end in zip(sizes.items(), ends, strict=True)
    }


def _draw(
    plan: Recipe,
    source: Path,
    context: Context,
    folder: Path,
    options: dict[str, Any],
    key: str,
) -> Report:
    """Write the stage folder of the split: its problems, split by split, and how many each has."""
    from ..exports import Member, assign, clusters, members_of, read_previous_release

    previous = read_previous_release(plan)
    shards = cut(source)
    engine = context.engine
    members = list(
        by_shard(members_of, shards, list[Member], work=context.work, engine=engine)
    )
    sound = [member for shard in members for member in shard if not member.stale]
    stale = [
        Drop(id=member.id, reason=member.stale)
        for shard in members
        for member in shard
        if member.stale
    ]
    _say_stale(stale)
    names = clusters((member.origin, member.pictures) for member in sound)
    renamed = {member.id for member in sound if names[member.origin] != member.origin}
    for member in sound:
        member.origin = names[member.origin]
    shown = {member.id: member.shown for member in sound} if previous.release else {}
    splits = assign(
        sound,
        plan.splits,
        plan.seed,
        plan.folder,
        withheld=plan.withhold_answers,
        stood=previous.standings(shown),
        since=previous.release,
    )
    split_of = {member.id: name for name, chosen in splits.items() for member in chosen}
    left_out = [member.id for member in sound if member.id not in split_of]
    drops = stale + [Drop(id=name, reason="not in any split") for name in left_out]
    tasks: list[LinesOfSplit] = []
    for name in splits:
        for lines, shard_members in zip(shards, members, strict=True):
            chosen = {
                place: member
                for place, member in enumerate(shard_members)
                if split_of.get(member.id) == name
            }
            clusters_of = {
                place: member.origin if member.id in renamed else None
                for place, member in chosen.items()
            }
            ids = [member.id for member in chosen.values()]
            tasks.append((lines, clusters_of, Shard(taken=len(ids), ids=ids)))

    def written_shards() -> Iterator[Shard]:
        apart = context.work / SHARDS if engine != Engine() else None
        yield from parallel_map(partial(_take_lines, apart), tasks, engine, LIGHT)
        yield from shards_of("split", [drop.id for drop in drops], map(line_of, drops))
        sizes = [encode([name, len(chosen)]) for name, chosen in splits.items()]
        yield Shard(rows={SIZES: sizes})

    return write_stage(
        folder, "split", written_shards(), options=options, key=key, records=[SIZES]
    )


def _say_stale(stale: list[Drop]) -> None:
    for drop in stale[:SAID_ALONE]:
        say(f"{drop.id}: {drop.reason}")
    if len(stale) > SAID_ALONE:
        say(f"{len(stale) - SAID_ALONE} more problems are stale")


def _take_lines(apart: Path | None, task: LinesOfSplit) -> Shard:
    """On a worker: the lines of a split, by their places, in their clusters."""
    from ..exports import line_in_cluster

    source, clusters_of, shard = task
    lines = source.read() if clusters_of else []
    shard.problems = b"".join(
        line_in_cluster(lines[place], cluster) for place, cluster in clusters_of.items()
    )
    if apart is not None:
        set_apart(shard, apart)
    return shard
