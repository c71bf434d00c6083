"""The kinds of task: what annotators see, which answers count, which votes they become."""

from __future__ import annotations

from .answers import TaskAnswer, controls_of, missing_of, required_of
from .registry import KINDS, Kind, load_kind
from .text_roles import proposal_of

__all__ = [
    "KINDS",
    "Kind",
    "TaskAnswer",
    "controls_of",
    "load_kind",
    "missing_of",
    "proposal_of",
    "required_of",
]
