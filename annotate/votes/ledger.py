"""The ledger: one row for each item with its votes, the rule that decided, and the outcome."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any

import msgspec

from ...base.files import encode
from ...base.terminal import say
from ...errors import nearest
from ...problem import Vote
from ...taxonomy import Tree, as_list
from .merge import merged
from .policies import Outcome, Ties, decide, load_policy, without_order
from .votes import PENDING, latest, on_one_text, spelled

ADJUDICATED = ".adjudicated"  # suffix of the field in an adjudicator's votes
NOBODY: Mapping[str, str] = {}
STALE = "given for another text or picture"


def as_final(votes: Iterable[Vote]) -> list[Vote]:
    """The votes of an adjudication project: their fields take the suffix that makes them final."""
    return [
        msgspec.structs.replace(vote, field=vote.field + ADJUDICATED) for vote in votes
    ]


class LedgerEntry(msgspec.Struct, kw_only=True):
    """A line of ledger.jsonl. `votes` are those that counted; `ignored` says why others did not.

    `stale` are the voters whose votes were all given for another text or picture, `unbound` those
    whose counted votes do not say for which; `redefined` those who gave a label whose definition
    was another one then: their votes count. `excluded` items the policy takes out for good.
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
    redefined: list[str] = []
    sha256: str


def ledger(
    votes: Iterable[Vote],
    field: str,
    policy: str,
    tree: Tree | None = None,
    hashes: Mapping[str, str] | None = None,
    quorum: int | None = None,
    ties: Ties | None = None,
    without: Mapping[str, str] = NOBODY,
) -> list[LedgerEntry]:
    """Decide every item that has votes on `field`, in the order of ids; see `decide` for the rules.

    With a `tree`, a vote for a label that the tree renamed is one for the new label; one for a
    label that it split, or does not have, is ignored, with a reason; so is a vote for another text
    than `hashes` say (id -> hash; see `on_one_text`), and one by somebody in `without` (name ->
    why they are left out).
    Votes whose field ends in `.adjudicated` are adjudicators': what they agree on is final.
    """
    rule = load_policy(policy)
    entries = []
    for name, ballot in sorted(_ballots(votes, field, tree, hashes, without).items()):
        outcome = decide(ballot.votes, policy, ballot.finals, quorum, ties)
        if outcome.value is None and not outcome.excluded:
            outcome = merged(ballot.votes, rule.by_parts, quorum, outcome)
        entries.append(_entry(name, field, policy, outcome, ballot, tree))
    return entries


def tell_strangers(votes: Iterable[Vote], without: Mapping[str, str]) -> None:
    """Say who is left out and has no vote: a name that is written otherwise leaves out nobody."""
    if not without:
        return
    voters = {spelled(vote.annotator) for vote in votes}
    for name in without:
        if spelled(name) not in voters:
            say(
                f"{name} is left out, and has not voted: {nearest(name, sorted(voters))}"
            )


class _Ballot(msgspec.Struct):
    """The votes on one item: those that count, the adjudicators', and those that do not count."""

    votes: list[Vote] = []
    finals: list[Vote] = []
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
    without: Mapping[str, str],
) -> dict[str, _Ballot]:
    """Each item's votes, by its id; reasons to ignore some stand in a fixed order."""
    ballots: dict[str, _Ballot] = defaultdict(_Ballot)
    without = {spelled(name): why for name, why in without.items()}
    on_field: list[Vote] = []
    for vote in votes:
        if vote.field not in (field, field + ADJUDICATED):
            continue
        why = without.get(spelled(vote.annotator))
        if why is not None:
            ballots[vote.problem_id].ignore(vote, f"left out: {why}")
        else:
            on_field.append(_in_words_of_now(vote, tree))
    current, stale = on_one_text(on_field, hashes)
    for vote in stale:
        ballots[vote.problem_id].ignore(vote, STALE)
    counting, undone = latest(current)
    for vote in counting:
        ballot = ballots[vote.problem_id]
        outside = _outside(vote, tree)
        if outside:
            ballot.ignore(vote, outside)
        elif vote.field == field:
            ballot.votes.append(vote)
        else:
            ballot.finals.append(vote)
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


def _in_words_of_now(vote: Vote, tree: Tree | None) -> Vote:
    """A vote with the labels that the tree renamed under their new names."""
    if tree is None or not tree.renamed:
        return vote
    value = vote.value
    if isinstance(value, list):
        new: Any = [
            tree.now(label) if isinstance(label, str) else label for label in value
        ]
    else:
        new = tree.now(value) if isinstance(value, str) else value
    return vote if new == value else msgspec.structs.replace(vote, value=new)


def _outside(vote: Vote, tree: Tree | None) -> str:
    """Why a label does not count: the tree, or its scale of the field, does not have it."""
    value = vote.value
    if tree is None or value == PENDING:
        return ""
    scale = tree.scales.get(vote.field.removesuffix(ADJUDICATED))
    if scale is not None:
        known = value in [band.value for band in scale.bands]
        return "" if known else f"{str(value)!r} is not in the tree"
    for label in map(str, value if isinstance(value, list) else [value]):
        if label in tree.split:
            return f"{label!r} was split: {', '.join(tree.split[label])}"
        if not tree.has(label):
            return f"{label!r} is not in the tree"
    return ""


def _was_redefined(vote: Vote, tree: Tree | None) -> bool:
    """Whether a vote's label had another definition when it was given."""
    if tree is None or not vote.meaning:
        return False
    return vote.meaning != tree.meaning(map(str, as_list(vote.value)))


def _entry(
    name: str,
    field: str,
    policy: str,
    outcome: Outcome,
    ballot: _Ballot,
    tree: Tree | None,
) -> LedgerEntry:
    applied = [*ballot.votes, *ballot.finals]
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
        redefined=sorted(
            {vote.annotator for vote in applied if _was_redefined(vote, tree)}
        ),
        sha256=hashlib.sha256(b"".join(map(encode, applied))).hexdigest(),
    )


def open_items(entries: Iterable[LedgerEntry]) -> list[LedgerEntry]:
    """What an adjudicator should see: undecided items and flagged ones, no excluded ones."""
    return [
        entry
        for entry in entries
        if entry.flagged or (entry.value is None and not entry.excluded)
    ]
