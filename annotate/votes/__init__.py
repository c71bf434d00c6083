"""Votes: reading, counting by policies, agreement between people, adjudication."""

from __future__ import annotations

from .ledger import STALE, LedgerEntry, as_final, ledger
from .policies import PENDING, Policy, canonical
from .report import agreement_page
from .votes import latest, read_votes

__all__ = [
    "PENDING",
    "STALE",
    "LedgerEntry",
    "Policy",
    "agreement_page",
    "as_final",
    "canonical",
    "latest",
    "ledger",
    "read_votes",
]
