"""Rules that a suggested text must pass: what a problem says stays what it says."""

from __future__ import annotations

from .guards import GUARDS, findings
