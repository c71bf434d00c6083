"""The final answer in a free reply."""

from __future__ import annotations

from .final_answer import final_answer, inline_answer
from .option_letter import Letter, choose, extract, options_of

__all__ = ["Letter", "choose", "extract", "final_answer", "inline_answer", "options_of"]
