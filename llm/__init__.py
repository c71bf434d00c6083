"""Asking OpenAI-compatible endpoints: cached, paced, resumable."""

from __future__ import annotations

from .batch import read_batch, write_batch
from .client import Answer, Model, Request, ask, image_part, plan, text_part, usage

__all__ = [
    "Answer",
    "Model",
    "Request",
    "ask",
    "image_part",
    "plan",
    "read_batch",
    "text_part",
    "usage",
    "write_batch",
]
