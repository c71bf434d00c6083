"""Votes into decisions: the ledger of one field, and how it came about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from ...base.about import about
from ...base.display import Rows
from ...base.files import records, write_jsonl
from ...base.registry import plugged
from ...problem import Problem, Vote
from ...release import read_problem_file
from ...taxonomy import Tree, load_tree
from .ledger import LedgerEntry, as_final, ledger, tell_strangers
from .policies import Ties

Votes = str | Path | Iterable[Vote]  # a votes.jsonl, or the votes themselves


class Ledger(Rows[LedgerEntry]):
    """One entry an item, in the order of ids."""

    __slots__ = ()

    def headline(self) -> str:
        counts = self.summary()
        return (
            f"{counts['decided']} of {counts['items']} items decided, {counts['flagged']} flagged, "
            f"{counts['excluded']} excluded"
        )

    def rules(self) -> list[tuple[str, str, int]]:
        """Which rule ended how many items, decided, open or excluded; the most frequent first."""
        counts = Counter((entry.rule, _state(entry)) for entry in self)
        ranked = sorted(counts.items(), key=lambda item: -item[1])
        return [(rule, state, count) for (rule, state), count in ranked]

    def summary(self) -> dict[str, Any]:
        """The counts that `annotate vote` prints."""
        return {
            "items": len(self),
            "decided": sum(entry.value is not None for entry in self),
            "flagged": sum(entry.flagged for entry in self),
            "excluded": sum(entry.excluded for entry in self),
            "ignored_votes": sum(len(entry.ignored) for entry in self),
            "rules": {rule: count for rule, _, count in self.rules()},
        }


def _state(entry: LedgerEntry) -> str:
    if entry.excluded:
        return "excluded"
    return "open" if entry.value is None else "decided"


def vote(
    votes: Votes,
    field: str,
    *,
    tree: str | Path | Tree | None = None,
    policy: str = "adjudicate",
    quorum: Annotated[int, msgspec.Meta(ge=1)] | None = None,
    ties: Ties | None = None,
    adjudicated: Votes | None = None,
    without: Mapping[str, str] | None = None,
    problems: str | Path | Iterable[Problem] | None = None,
    out: str | Path | None = None,
    plugins: Sequence[str | Path] = (),
) -> Ledger:
    """Decide every item that has votes on `field` by a policy.

    Args:
        votes: The votes.jsonl.
        field: Which field of the votes.
        tree: Tree that the labels are from: votes for others are ignored.
        policy: One of `benchwright stages`.
        quorum: People that have to give a label [default: the policy's].
        ties: Who breaks ties of people [default: the policy's].
        adjudicated: Votes of an adjudication project: they are final.
        without: Somebody whose votes do not count, and why: NAME=REASON.
        problems: The problems as they are now: votes for other texts are stale [default: votes
            for another text than the last vote's].
        out: Write the ledger here.
        plugins: Python file that adds policies: it is run.

    Raises UserError for damaged votes, an unknown policy and an unknown tree.

    >>> votes = [Vote(problem_id="p", field="subject", value="algebra", annotator=a) for a in "ab"]
    >>> vote(votes, "subject", policy="majority")
    <Ledger: 1 of 1 items decided, 0 flagged, 0 excluded>
    """
    finals = as_final(records(adjudicated, Vote)) if adjudicated is not None else []
    loaded = load_tree(tree) if isinstance(tree, str | Path) else tree
    with plugged(plugins):
        current = read_problem_file(problems) if problems is not None else []
        hashes = {problem.id: about(problem, field) for problem in current} or None
        all_votes = records(votes, Vote) + finals
        tell_strangers(all_votes, without or {})
        entries = Ledger(
            ledger(
                all_votes, field, policy, loaded, hashes, quorum, ties, without or {}
            )
        )
    if out is not None:
        write_jsonl(Path(out), entries)
    return entries
