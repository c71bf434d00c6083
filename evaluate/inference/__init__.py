"""Asking a model about every sample."""

from __future__ import annotations

from .model_options import model_from, model_options

__all__ = ["model_from", "model_options"]
