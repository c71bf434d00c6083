"""Duplicates: an exact join on text, pictures, classes, review, decisions."""

from __future__ import annotations

from .decisions import Decision, append_decision, read_decisions
from .evidence_page import card_id, read_evidence, write_evidence_page

__all__ = [
    "Decision",
    "append_decision",
    "card_id",
    "read_decisions",
    "read_evidence",
    "write_evidence_page",
]
