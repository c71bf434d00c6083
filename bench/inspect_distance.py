"""How far inspect's own scorers judge as `score` does, on the same replies.

    python bench/inspect_distance.py ROWS.jsonl... > exports/inspect_distance.yaml

Run it in an environment that has inspect_ai, too (`make interop HARNESSES=inspect`). A row is
{"id", "response", "gold", "kind"} and, where there are, options, unit, tolerance and ordered. The
scorers are those that `eval.yaml` names, with its arguments. Rows whose id has a hash that three
divides are counted apart, on stderr.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import inspect_ai.scorer
import yaml
from benchwright import Option, Sample, Source, grade_response
from benchwright.exports.hub_eval import SCORERS, way_of
from inspect_ai.scorer import CORRECT, Target

Counts = Counter[tuple[bool, str, str]]


async def counted(paths: list[Path]) -> Counts:
    """(set aside, way, who says right alone) -> replies; "" where both say the same."""
    scorers = {
        way: getattr(inspect_ai.scorer, one["name"])(**one.get("args", {}))
        for way, one in SCORERS.items()
    }
    counts: Counts = Counter()
    for row in (
        json.loads(line) for path in paths for line in path.open(encoding="utf-8")
    ):
        sample = sample_of(row)
        rules = {name: row.get(name) for name in ("unit", "tolerance", "ordered")}
        verdict = grade_response(
            row["response"],
            sample.answer,
            kind=sample.answer_kind,
            options=sample.options,
            **rules,
        )
        state = SimpleNamespace(output=SimpleNamespace(completion=row["response"]))
        way = way_of(sample)
        try:
            theirs = (await scorers[way](state, Target(row["gold"]))).value == CORRECT
        except (
            Exception
        ) as error:  # what a reply provokes in a scorer stops inspect's run
            print(f"{row['id']}: {type(error).__name__}: {error}", file=sys.stderr)
            theirs = False
        ours = verdict.equal is True
        alone = "" if theirs == ours else "only_inspect" if theirs else "only_score"
        counts[
            int(sha256(sample.id.encode()).hexdigest(), 16) % 3 == 0, way, alone
        ] += 1
    return counts


def sample_of(row: dict[str, Any]) -> Sample:
    options = [
        Option(label=o["label"], text=o.get("text", ""))
        for o in row.get("options") or []
    ]
    return Sample(
        id=str(row["id"]), problem_id="", origin="", question="", options=options,
        answer=row["gold"], answer_kind=row["kind"], source=Source(name="", raw_id=""),
    )  # fmt: skip


def told(counts: Counts, apart: bool) -> dict[str, dict[str, int]]:
    ways: dict[str, dict[str, int]] = {}
    for way in SCORERS:
        own = {
            alone: n
            for (aside, name, alone), n in counts.items()
            if (aside, name) == (apart, way)
        }
        ways[way] = {"replies": sum(own.values())}
        ways[way] |= {who: own.get(who, 0) for who in ("only_inspect", "only_score")}
    return ways


if __name__ == "__main__":
    counts = anyio.run(counted, [Path(name) for name in sys.argv[1:]])
    print(
        yaml.safe_dump(told(counts, False), default_flow_style=None, sort_keys=False),
        end="",
    )
    print(yaml.safe_dump({"set aside": told(counts, True)}), file=sys.stderr)
