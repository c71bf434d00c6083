"""Where labels stand so that they can be read."""

from __future__ import annotations

from .free_space import PAD, Placed
from .labels import EM, LABELS, TICK, Label, LabelKind, axes_labels, lettered, move
from .lettering import Lettering, letter, outlined
from .placement import place
from .stroke_distance import Scene, distance_to_pieces
