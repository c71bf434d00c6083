"""Duplicates: an exact join on text, pictures, classes, decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .decisions import Decision, append_decision, read_decisions
    from .evidence import card_id, read_evidence, write_evidence_page
    from .items import Item
    from .pairs import find_pairs
else:
    from ..base.lazy import door

    __getattr__ = door(__name__)
