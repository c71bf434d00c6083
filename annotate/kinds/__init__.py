"""The kinds of task: what annotators see, which answers count, which votes they become."""

from __future__ import annotations

from .answers import Answer, controls_of
from .registry import KINDS, PENDING, Kind, load_kind
from .text_roles import proposal_of

__all__ = ["KINDS", "PENDING", "Answer", "Kind", "controls_of", "load_kind", "proposal_of"]
