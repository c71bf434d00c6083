"""A model's suggestions for a problem's text, guarded and reviewed."""

from __future__ import annotations

from .review import (
    Suggestion,
    SuggestionDecision,
    apply_suggestions,
    decide,
    read_decisions,
    read_reviewed,
    readers,
)
