"""A labelling project: its folder, its tasks in Label Studio, its answers."""

from __future__ import annotations

from .pull import append_new
from .shown_steps import drawn_spec, step_picture
from .tasks import with_options

__all__ = ["append_new", "drawn_spec", "step_picture", "with_options"]
