"""Asking OpenAI-compatible endpoints, for replies and vectors: cached, paced, resumable."""

from __future__ import annotations

from .ask import ask
from .batch import read_batch, write_batch
from .costs import plan, usage
from .embeddings import Embeddings, embed
from .model import Answer, Model, Request, image_part, text_part
from .planning import Planning
