"""The benchmarks' prompts as files, filled for one sample."""

from __future__ import annotations

from .prompts import CAPTION, STYLES, ask_text, captioned, fill, messages, sample_fields

__all__ = ["CAPTION", "STYLES", "ask_text", "captioned", "fill", "messages", "sample_fields"]
