"""Votes: reading, counting by policies, agreement between people, adjudication."""

from __future__ import annotations

from .agreement import agreement
from .ledger import STALE, LedgerEntry, as_final, ledger
from .policies import PENDING, POLICIES, Outcome, Ties, canonical, load_policy, policy
from .report import agreement_page
from .votes import latest, read_votes

__all__ = [
    "PENDING",
    "POLICIES",
    "STALE",
    "LedgerEntry",
    "Outcome",
    "Ties",
    "agreement",
    "agreement_page",
    "as_final",
    "canonical",
    "latest",
    "ledger",
    "load_policy",
    "policy",
    "read_votes",
]
