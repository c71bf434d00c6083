"""People as a baseline: the booklets they fill in, and how they do."""

from __future__ import annotations

from .booklets import booklets
from .human_baseline import humans
