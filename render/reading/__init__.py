"""What a picture prints, found by its ink: connected pieces, and the height of its letters."""

from __future__ import annotations

from .components import components, runs_of
from .letter_size import is_solid, letter_boxes, letter_height
