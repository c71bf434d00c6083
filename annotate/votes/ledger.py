"""The ledger: one row for each item with its votes, the rule that decided, and the outcome."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any

import msgspec

from ...base.files import encode
from ...problem import Vote
from ...taxonomy import Tree
from .merge import merged
from .policies import Outcome, Ties, decide, load_policy, without_order
from .votes import PENDING, latest, on_one_text

ADJUDICATED = ".adjudicated"  # suffix of the field in an adjudicator's votes
STALE = "given for another text or picture"


def as_final(votes: Iterable[Vote]) -> list[Vote]:
    """The votes of an adjudication project: their fields take the suffix that makes them final."""
    return [
        msgspec.structs.replace(vote, field=vote.field + ADJUDICATED) for vote in votes
    ]


class LedgerEntry(msgspec.Struct, kw_only=True):
    """A line of ledger.jsonl. `votes` are those that counted; `ignored` says why others did not.

    `stale` are the voters whose votes were all given for another text or picture, `unbound` those
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
    hashes: Mapping[str, str] | None = None,
    quorum: int | None = None,
    ties: Ties | None = None,
) -> list[LedgerEntry]:
    """Decide every item that has votes on `field`, in the order of ids; see `decide` for the rules.

    With a `tree`, a vote for a label that the tree does not have is ignored, with a reason; so is
    a vote for another text than `hashes` say (id -> hash; see `on_one_text`).
    Votes whose field ends in `.adjudicated` are an adjudicator's: the last one is final.
    """
    rule = load_policy(policy)
    entries = []
    for name, ballot in sorted(_ballots(votes, field, tree, hashes).items()):
        outcome = decide(ballot.votes, policy, ballot.final, quorum, ties)
        if outcome.value is None and not outcome.excluded:
            outcome = merged(ballot.votes, rule.by_parts, quorum, outcome)
        entries.append(_entry(name, field, policy, outcome, ballot))
    return entries


class _Ballot(msgspec.Struct):
    """The votes on one item: those that count, an adjudicator's, and those that do not count."""

    votes: list[Vote] = []
    final: Vote | None = None
    ignored: list[dict[str, Any]] = []

    def ignore(self, vote: Vote, why: str) -> None:
        row = {
            "annotator": vote.annotator,
            "value": vote.value,
            "at": vote.at,
            "why": why,
        }
        self.ignored.append(row)


def _ballots(
    votes: Iterable[Vote],
    field: str,
    tree: Tree | None,
    hashes: Mapping[str, str] | None,
) -> dict[str, _Ballot]:
    """Each item's votes, by its id; reasons to ignore some stand in a fixed order."""
    ballots: dict[str, _Ballot] = defaultdict(_Ballot)
    on_field = [vote for vote in votes if vote.field in (field, field + ADJUDICATED)]
    current, stale = on_one_text(on_field, hashes)
    for vote in stale:
        ballots[vote.problem_id].ignore(vote, STALE)
    counting, undone = latest(current)
    for vote in counting:
        ballot = ballots[vote.problem_id]
        outside = _outside(vote, tree)
        if outside:
            ballot.ignore(vote, f"{outside!r} is not in the tree")
        elif vote.field == field:
            ballot.votes.append(vote)
        elif ballot.final is None or vote.at > ballot.final.at:
            ballot.final = vote
    withdrawn = {_moment(vote) for vote in undone if vote.withdrawn}
    for vote in undone:
        if vote.field != field or vote.withdrawn:
            continue
        taken_back = _moment(vote) in withdrawn
        why = "withdrawn" if taken_back else "superseded by a later answer"
        ballots[vote.problem_id].ignore(vote, why)
    return ballots


def _moment(vote: Vote) -> tuple[str, str, str, str]:
    """One person's vote at one time: a withdrawal has the time of what it takes back."""
    return vote.problem_id, vote.field, vote.annotator, vote.at


def _outside(vote: Vote, tree: Tree | None) -> str | None:
    """The first label that the tree, or its scale of the field, does not have."""
    value = vote.value
    if tree is None or value == PENDING:
        return None
    scale = tree.scales.get(vote.field.removesuffix(ADJUDICATED))
    if scale is not None:
        return None if value in [band.value for band in scale.bands] else str(value)
    labels = value if isinstance(value, list) else [value]
    return next((str(label) for label in labels if not tree.has(str(label))), None)


def _entry(
    name: str, field: str, policy: str, outcome: Outcome, ballot: _Ballot
) -> LedgerEntry:
    applied = [*ballot.votes, ballot.final] if ballot.final else ballot.votes
    stale = {row["annotator"] for row in ballot.ignored if row["why"] == STALE}
    stale -= {vote.annotator for vote in applied}  # who has been asked again
    return LedgerEntry(
        id=name,
        field=field,
        policy=policy,
        value=without_order(outcome.value),
        rule=outcome.rule,
        margin=outcome.margin,
        flagged=outcome.flagged,
        excluded=outcome.excluded,
        votes=sorted(ballot.votes, key=attrgetter("kind", "annotator")),
        ignored=ballot.ignored,
        agreed=outcome.agreed,
        stale=sorted(stale),
        unbound=sorted({vote.annotator for vote in applied if not vote.about}),
        sha256=hashlib.sha256(b"".join(map(encode, applied))).hexdigest(),
    )


def open_items(entries: Iterable[LedgerEntry]) -> list[LedgerEntry]:
    """What an adjudicator should see: undecided items and flagged ones, no excluded ones."""
    return [
        entry
        for entry in entries
        if entry.flagged or (entry.value is None and not entry.excluded)
    ]
