"""Asking OpenAI-compatible endpoints, for replies and vectors: cached, paced, resumable."""

from __future__ import annotations

from .ask import ask, forget
from .batch import read_batch, write_batch
from .costs import FIRST, all_planned, cost, plan, planned, priced, projected, usage
from .embeddings import Embeddings, embed
from .endpoint import Endpoint, Pace, base_url, classified
from .model import Answer, Model, Request, image_part, request_body, text_part
from .planning import Planning
