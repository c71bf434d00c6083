"""A model's suggestions for a problem's text, guarded and reviewed."""

from __future__ import annotations

from .review import Suggestion, apply_suggestions, read_reviewed

__all__ = ["Suggestion", "apply_suggestions", "read_reviewed"]
