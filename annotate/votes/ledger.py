"""The ledger: one row for each item with its votes, the rule that decided, and the outcome."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ...base.files import encode
from ...problem import Vote
from ...taxonomy import Tree
from .merge import merged
from .policies import PENDING, Outcome, Ties, decide, load_policy
from .votes import latest, on_one_text

ADJUDICATED = ".adjudicated"  # suffix of the field in an adjudicator's votes
STALE = "given for another text or picture"


def as_final(votes: Iterable[Vote]) -> list[Vote]:
    """The votes of an adjudication project: their fields take the suffix that makes them final."""
    return [
        msgspec.structs.replace(vote, field=vote.field + ADJUDICATED) for vote in votes
    ]


class LedgerEntry(msgspec.Struct, kw_only=True):
    """A line of ledger.jsonl. `votes` are those that counted; `ignored` says why others did not.

    `stale` are the voters whose votes were given for another text or picture, `unbound` those
    whose counted votes do not say for which; `excluded` items the policy takes out for good.
    `agreed` are the parts of an open item that most people gave alike.
    `sha256` is the hash of all votes on the item: a decision on other votes is stale.
    """

    id: str
    field: str
    policy: str
    value: Any
    rule: str
    margin: int
    flagged: bool
    excluded: bool = False
    votes: list[Vote]
    ignored: list[dict[str, Any]]
    agreed: Any = None
    stale: list[str] = []
    unbound: list[str] = []
    sha256: str


def ledger(
    votes: Iterable[Vote],
    field: str,
    policy: str,
    tree: Tree | None = None,
    shown: Mapping[str, str] | None = None,
    quorum: int | None = None,
    ties: Ties | None = None,
) -> list[LedgerEntry]:
    """Decide every item that has votes on `field`, in the order of ids; see `decide` for the rules.

    With a `tree`, a vote for a label that the tree does not have is ignored, with a reason; so is
    a vote for another text than `shown` says (id -> hash; see `on_one_text`).
    Votes whose field ends in `.adjudicated` are an adjudicator's: the last one is final.
    """
    items: dict[str, list[Vote]] = {}
    finals: dict[str, Vote] = {}
    ignored: dict[str, list[dict[str, Any]]] = {}
    named = [vote for vote in votes if vote.field in (field, field + ADJUDICATED)]
    current, stale = on_one_text(named, shown)
    for vote in stale:
        _ignore(ignored, vote, STALE)
    counting, undone = latest(current)
    for vote in counting:
        wrong = _outside(vote, tree)
        if wrong:
            _ignore(ignored, vote, f"{wrong!r} is not in the tree")
        elif vote.field == field:
            items.setdefault(vote.problem_id, []).append(vote)
        else:
            finals[vote.problem_id] = max(
                finals.get(vote.problem_id, vote), vote, key=_time
            )
    withdrawn = {_given(vote) for vote in undone if vote.withdrawn}
    for vote in undone:
        if vote.field == field and not vote.withdrawn:
            why = (
                "withdrawn"
                if _given(vote) in withdrawn
                else "superseded by a later answer"
            )
            _ignore(ignored, vote, why)
    rule = load_policy(policy)
    names = sorted(items.keys() | ignored.keys() | finals.keys())
    entries = []
    for name in names:
        votes_on = items.get(name, [])
        outcome = decide(votes_on, policy, finals.get(name), quorum, ties)
        if outcome.value is None and not outcome.excluded:
            outcome = merged(votes_on, rule.by_parts, quorum, outcome)
        entries.append(
            _entry(
                name,
                field,
                policy,
                outcome,
                votes_on,
                ignored.get(name, []),
                finals.get(name),
            )
        )
    return entries


def _given(vote: Vote) -> tuple[str, str, str, str]:
    """One person's vote at one time: a withdrawal has the time of what it takes back."""
    return vote.problem_id, vote.field, vote.annotator, vote.at


def _time(vote: Vote) -> str:
    return vote.at


def _ignore(ignored: dict[str, list[dict[str, Any]]], vote: Vote, why: str) -> None:
    row = {"annotator": vote.annotator, "value": vote.value, "at": vote.at, "why": why}
    ignored.setdefault(vote.problem_id, []).append(row)


def _outside(vote: Vote, tree: Tree | None) -> str | None:
    """The first label that the tree, or its scale of the field, does not have."""
    value = vote.value
    if tree is None or value == PENDING:
        return None
    if scale := tree.scales.get(vote.field.removesuffix(ADJUDICATED)):
        return None if value in [band.value for band in scale.bands] else str(value)
    labels = value if isinstance(value, list) else [value]
    return next((str(label) for label in labels if not tree.has(str(label))), None)


def _entry(
    name: str,
    field: str,
    policy: str,
    outcome: Outcome,
    votes: list[Vote],
    ignored: list[dict[str, Any]],
    final: Vote | None,
) -> LedgerEntry:
    if isinstance(outcome.value, list) and all(
        isinstance(label, str) for label in outcome.value
    ):
        outcome.value = sorted(set(outcome.value))
    everything = votes + ([final] if final else [])
    return LedgerEntry(
        id=name,
        field=field,
        policy=policy,
        value=outcome.value,
        rule=outcome.rule,
        margin=outcome.margin,
        flagged=outcome.flagged,
        excluded=outcome.excluded,
        votes=sorted(votes, key=lambda vote: (vote.kind, vote.annotator)),
        ignored=ignored,
        agreed=outcome.agreed,
        stale=sorted({row["annotator"] for row in ignored if row["why"] == STALE}),
        unbound=sorted({vote.annotator for vote in everything if not vote.about}),
        sha256=hashlib.sha256(b"".join(map(encode, everything))).hexdigest(),
    )


def open_items(entries: Iterable[LedgerEntry]) -> list[LedgerEntry]:
    """What an adjudicator should see: undecided items and flagged ones, no excluded ones."""
    return [e for e in entries if (e.value is None and not e.excluded) or e.flagged]
