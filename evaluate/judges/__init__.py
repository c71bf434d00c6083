"""Model judges: open answers, chains of thought, first errors; how far people agree with them."""

from __future__ import annotations

from .command import agreement
from .judge import Judge
from .protocols import run_protocols

__all__ = ["Judge", "agreement", "run_protocols"]
