"""The four benchmarks' own published rules, row by row."""

from __future__ import annotations

from .profiles import PROFILES, official

__all__ = ["PROFILES", "official"]
