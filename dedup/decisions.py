"""What people decided about pairs: decisions/duplicates.jsonl, an input of the build.

One line per decision; the last line about a pair counts. Only pairs that are exact in text,
options, answer and pictures are decided without a person.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from pathlib import Path
from typing import Literal, get_args

from ..base.files import encode, read_jsonl
from ..problem import Drop, Record
from .items import Item

PairVerdict = Literal["duplicate", "variant", "not duplicate"]
VERDICTS: tuple[str, ...] = get_args(PairVerdict)


class Decision(Record, kw_only=True):
    """A verdict on one pair. `keep` is the id that stays, for duplicates.

    `a_hash` and `b_hash` are those of pairs.jsonl: a decision on other content is stale.
    """

    a: str
    b: str
    verdict: PairVerdict
    keep: str = ""
    a_hash: str = ""
    b_hash: str = ""
    annotator: str = ""
    at: str = ""  # ISO 8601
    note: str = ""


PairKey = tuple[str, str]


def key_of(a: str, b: str) -> PairKey:
    return (a, b) if a <= b else (b, a)


def read_decisions(path: Path) -> dict[PairKey, Decision]:
    """The last decision on every pair. Raises UserError naming file and line of damage."""
    return {key_of(d.a, d.b): d for d in read_jsonl(path, Decision)}


def append_decision(path: Path, decision: Decision) -> None:
    """Add one line at once, so that stopping loses nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(encode(decision))


def is_stale(decision: Decision, hashes: dict[str, str]) -> str:
    """Why a decision no longer holds; "" when it does. `hashes` are content hashes by id.

    >>> is_stale(Decision(a="1", b="2", verdict="variant", a_hash="x"), {"1": "y", "2": ""})
    "the content of '1' has changed since"
    """
    for member, decided_on in (
        (decision.a, decision.a_hash),
        (decision.b, decision.b_hash),
    ):
        if member not in hashes:
            return f"there is no {member!r}"
        if decided_on and decided_on != hashes[member]:
            return f"the content of {member!r} has changed since"
    if decision.verdict == "duplicate" and decision.keep not in (
        "",
        decision.a,
        decision.b,
    ):
        return f"it keeps {decision.keep!r}, which is not of the pair"
    return ""


def drops(edges: Iterable[tuple[str, str, str]], order: dict[str, int]) -> list[Drop]:
    """Who goes in favour of whom, of (loser, keeper, reason).

    A problem goes only in favour of one that stays and that it was compared with: likeness is not
    passed on through a third. Contradictory decisions (a circle) fall in favour of the earlier.

    >>> chain = [("c", "b", "duplicate"), ("b", "a", "duplicate")]
    >>> [d.id for d in drops(chain, {"a": 0, "b": 1, "c": 2})]
    ['b']
    """
    keepers: dict[str, list[tuple[str, str]]] = {}
    for loser, keeper, reason in edges:
        keepers.setdefault(loser, []).append((keeper, reason))
    gone: dict[str, Drop | None] = {}
    for loser in sorted(keepers, key=lambda name: -order[name]):
        stack, path = (
            [loser] if loser not in gone else [],
            {loser},
        )  # depth first: chains are long
        while stack:
            current = stack[-1]
            of = keepers.get(current, [])
            waiting = [
                keeper for keeper, _ in of if keeper not in gone and keeper not in path
            ]
            if waiting:
                stack.append(waiting[0])
                path.add(waiting[0])
                continue
            staying = [
                (order[k], k, why) for k, why in of if k in gone and gone[k] is None
            ]
            _, other, reason = min(staying, key=itemgetter(0), default=(0, "", ""))
            gone[current] = (
                Drop(id=current, reason=reason, other=other) if other else None
            )
            path.discard(stack.pop())
    return sorted(filter(None, gone.values()), key=lambda drop: order[drop.id])


def stale_among(
    decided: dict[PairKey, Decision], items: Iterable[Item]
) -> dict[PairKey, str]:
    """The decisions that no longer hold, and why."""
    hashes = {item.id: item.content_hash() for item in items}
    return {
        key: why
        for key, decision in decided.items()
        if (why := is_stale(decision, hashes))
    }
