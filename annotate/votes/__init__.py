"""Votes: reading, counting by policies, agreement between people, adjudication."""

from __future__ import annotations

from .agreement import agreement
from .ledger import STALE, LedgerEntry, as_final, ledger
from .policies import PENDING, Policy, Ties, canonical
from .report import agreement_page
from .votes import latest, read_votes

__all__ = [
    "PENDING",
    "STALE",
    "LedgerEntry",
    "Policy",
    "Ties",
    "agreement",
    "agreement_page",
    "as_final",
    "canonical",
    "latest",
    "ledger",
    "read_votes",
]
