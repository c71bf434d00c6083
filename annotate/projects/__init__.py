"""A labelling project: its folder, its tasks in Label Studio, its answers."""

from __future__ import annotations

from .inputs import tasks_of
from .pull import append_new
from .status import pulse, status
