"""Asking a model about every sample."""

from __future__ import annotations

__all__: list[str] = []
