"""The stage `split`: clusters, and splits drawn over them; they stand while nothing changes."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import Records, encode, read_jsonl, read_lines, sha256_file
from ..base.terminal import say
from ..pipeline import (
    Context,
    Line,
    Recipe,
    Report,
    Shard,
    by_shard,
    code_hash,
    cut,
    finished,
    line_of,
    shards_of,
    write_stage,
)
from ..problem import Drop, Problem

SIZES = "sizes"  # table of the split's folder: how many problems each split has, in order


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
    lists = [split.ids for split in plan.splits.values() if split != "rest" and split.ids]
    listed = [[line for _, line in read_lines(plan.folder / name)] for name in lists]
    since = fingerprint(plan.folder / plan.previous) if plan.previous else ""
    how = [options, [*plan.splits], sorted(plan.withhold_answers)]  # their order decides, too
    parts = [code_hash(assign, members_of, split), *how]
    key = sha256(encode([*parts, listed, since, sha256_file(source)])).hexdigest()
    old = finished(folder, key)
    report = old or _draw(plan, source, context, folder, options, key)
    sizes = dict(read_jsonl(folder / f"{SIZES}.jsonl", tuple[str, int]))
    written = Records(folder / "problems.jsonl", msgspec.json.Decoder(Problem).decode)
    ends = accumulate(sizes.values())
    splits = {
        name: written[end - n : end] for (name, n), end in zip(sizes.items(), ends, strict=True)
    }
    return splits, report, old is None


def _draw(
    plan: Recipe, source: Path, context: Context, folder: Path, options: dict[str, Any], key: str
) -> Report:
    """Write the stage folder of the split: its problems, split by split, and how many each has."""
    from ..exports import Member, assign, clusters, line_in_cluster, members_of, read_former

    former = read_former(plan)
    found = by_shard(
        members_of, cut(source), list[Member], work=context.work, engine=context.engine
    )
    members = {member.id: (place, member) for place, member in enumerate(chain(*found))}
    stale = [Drop(id=name, reason=m.stale) for name, (_, m) in members.items() if m.stale]
    for drop in stale[:5]:
        say(f"{drop.id}: {drop.reason}")
    if len(stale) > 5:
        say(f"{len(stale) - 5} more problems are stale")
    sound = [member for _, member in members.values() if not member.stale]
    names = clusters((member.origin, member.pictures) for member in sound)
    shown = {member.id: member.shown for member in sound} if former.release else {}
    drawn = assign(
        [msgspec.structs.replace(member, origin=names[member.origin]) for member in sound],
        plan.splits, plan.seed, plan.folder,
        withheld=plan.withhold_answers, stood=former.standings(shown), since=former.release,
    )  # fmt: skip
    kept = [member.id for split in drawn.values() for member in split]
    out = {member.id for member in sound} - set(kept)
    drops = stale + [Drop(id=m.id, reason="not in any split") for m in sound if m.id in out]
    lines = Records(source, bytes).select(members[name][0] for name in kept)

    def made() -> Iterator[Line]:
        for name, line in zip(kept, lines, strict=True):
            origin = members[name][1].origin
            yield Line(name, line_in_cluster(line, origin, names[origin]))
        yield from map(line_of, drops)

    sizes = Shard(rows={SIZES: [encode([name, len(split)]) for name, split in drawn.items()]})
    shards = chain(shards_of("split", [*members], made()), [sizes])
    return write_stage(folder, "split", shards, options=options, key=key, records=[SIZES])
