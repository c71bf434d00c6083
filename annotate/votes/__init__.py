"""Votes: reading, counting by policies, agreement between people, adjudication."""

from __future__ import annotations

from .agreement import agreement
from .ledger import STALE, LedgerEntry, as_final, ledger
from .policies import PENDING, Policy, Ties, canonical
from .votes import latest, read_votes

__all__ = [
    "PENDING",
    "STALE",
    "LedgerEntry",
    "Policy",
    "Ties",
    "agreement",
    "as_final",
    "canonical",
    "latest",
    "ledger",
    "read_votes",
]
