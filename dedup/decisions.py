"""What people decided about pairs: decisions/duplicates.jsonl, an input of the build.

One line per decision; the last line about a pair counts. Only pairs that are exact in text,
options, answer and pictures are decided without a person.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    members = [(decision.a, decision.a_hash), (decision.b, decision.b_hash)]
    for name, decided_on in members:
        if name not in hashes:
            return f"there is no {name!r}"
        if decided_on and decided_on != hashes[name]:
            return f"the content of {name!r} has changed since"
    is_of_pair = decision.keep in ("", decision.a, decision.b)
    if decision.verdict == "duplicate" and not is_of_pair:
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
    settled: dict[str, Drop | None] = {}  # None: it stays
    for loser in sorted(keepers, key=lambda name: -order[name]):
        if loser in settled:
            continue
        # Depth first, without recursion: chains are long.
        stack, on_stack = [loser], {loser}
        while stack:
            current = stack[-1]
            choices = keepers.get(current, [])
            waiting = [
                keeper
                for keeper, _ in choices
                if keeper not in settled and keeper not in on_stack
            ]
            if waiting:
                stack.append(waiting[0])
                on_stack.add(waiting[0])
            else:
                settled[current] = _drop(current, choices, settled, order)
                on_stack.remove(stack.pop())
    dropped = [drop for drop in settled.values() if drop is not None]
    return sorted(dropped, key=lambda drop: order[drop.id])


def _drop(
    name: str,
    keepers: list[tuple[str, str]],
    settled: dict[str, Drop | None],
    order: dict[str, int],
) -> Drop | None:
    """In favour of the earliest of its keepers that stays; None where none does."""
    staying = [
        (keeper, reason)
        for keeper, reason in keepers
        if keeper in settled and settled[keeper] is None
    ]
    if not staying:
        return None
    keeper, reason = min(staying, key=lambda choice: order[choice[0]])
    return Drop(id=name, reason=reason, other=keeper)


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
