"""A model's suggestions for a problem's text, guarded and reviewed."""

from __future__ import annotations

from .review import (
    Suggestion as Suggestion,
)
from .review import (
    SuggestionDecision as SuggestionDecision,
)
from .review import (
    apply_suggestions as apply_suggestions,
)
from .review import (
    decide as decide,
)
from .review import (
    read_decisions as read_decisions,
)
from .review import (
    read_reviewed as read_reviewed,
)
