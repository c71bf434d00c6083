"""A labelling project: its folder, its tasks in Label Studio, its answers."""

from __future__ import annotations

from .pull import append_new
from .tasks import picture_root, with_options

__all__ = ["append_new", "picture_root", "with_options"]
