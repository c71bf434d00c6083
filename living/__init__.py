"""Living problems: one seed, many variants with figures, versions and proved answers."""

from __future__ import annotations

from .preview import is_folder_of_seeds, write_grid
from .reading import Seed, read_seed
from .variants import Refused, Variant, variants_of
