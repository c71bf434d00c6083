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

SIZES = (
    "sizes"  # table of the split's folder: how many problems each split has, in order
)


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
    lists = [
        split.ids for split in plan.splits.values() if split != "rest" and split.ids
    ]
    listed = [[line for _, line in read_lines(plan.folder / name)] for name in lists]
    since = fingerprint(plan.folder / plan.previous) if plan.previous else ""
    how = [
        options,
        [*plan.splits],
        sorted(plan.withhold_answers),
    ]  # their order decides, too
    parts = [code_hash(assign, members_of, split), *how]
    key = sha256(encode([*parts, listed, since, sha256_file(source)])).hexdigest()
    old = finished(folder, key)
    report = old or _draw(plan, source, context, folder, options, key)
    sizes = dict(read_jsonl(folder / f"{SIZES}.jsonl", tuple[str, int]))
    written = Records(folder / "problems.jsonl", msgspec.json.Decoder(Problem).decode)
    ends = accumulate(sizes.values())
    splits = {
        name: written[end - n : end]
        for (name, n), end in zip(sizes.items(), ends, strict=True)
    }
    return splits, report, old is None


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

    former, shards = read_previous_release(plan), cut(source)
    engine = Engine(context.engine.jobs) if context.engine.ship else context.engine
    found = [
        *by_shard(members_of, shards, list[Member], work=context.work, engine=engine)
    ]
    sound = [member for some in found for member in some if not member.stale]
    stale = [Drop(id=m.id, reason=m.stale) for some in found for m in some if m.stale]
    for drop in stale[:5]:
        say(f"{drop.id}: {drop.reason}")
    if len(stale) > 5:
        say(f"{len(stale) - 5} more problems are stale")
    names = clusters((member.origin, member.pictures) for member in sound)
    moved = {member.id for member in sound if names[member.origin] != member.origin}
    for member in sound:
        member.origin = names[member.origin]
    shown = {member.id: member.shown for member in sound} if former.release else {}
    drawn = assign(
        sound,
        plan.splits,
        plan.seed,
        plan.folder,
        withheld=plan.withhold_answers,
        stood=former.standings(shown),
        since=former.release,
    )
    split_of = {member.id: name for name, some in drawn.items() for member in some}
    out = [member.id for member in sound if member.id not in split_of]
    drops = stale + [Drop(id=name, reason="not in any split") for name in out]
    tasks = []
    for name in drawn:
        for lines, some in zip(shards, found, strict=True):
            own = {k: m for k, m in enumerate(some) if split_of.get(m.id) == name}
            named = {k: m.origin if m.id in moved else None for k, m in own.items()}
            tasks.append(
                (lines, named, Shard(taken=len(own), ids=[m.id for m in own.values()]))
            )

    def made() -> Iterator[Shard]:
        apart = context.work / SHARDS if engine != Engine() else None
        yield from parallel_map(partial(_taken, apart), tasks, engine, LIGHT)
        yield from shards_of("split", [drop.id for drop in drops], map(line_of, drops))
        yield Shard(
            rows={SIZES: [encode([name, len(some)]) for name, some in drawn.items()]}
        )

    return write_stage(
        folder, "split", made(), options=options, key=key, records=[SIZES]
    )


def _taken(
    apart: Path | None, task: tuple[Lines, dict[int, str | None], Shard]
) -> Shard:
    """On a worker: the lines of a split, by their places, in their clusters."""
    from ..exports import line_in_cluster

    some, named, shard = task
    lines = some.read() if named else []
    shard.problems = b"".join(
        line_in_cluster(lines[k], name) for k, name in named.items()
    )
    if apart is not None:
        set_apart(shard, apart)
    return shard
