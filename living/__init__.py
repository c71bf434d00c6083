"""Living problems: one seed, many variants with figures, versions and proved answers."""

from __future__ import annotations

from .guarding import Refused
from .preview import is_folder_of_seeds, write_grid
from .reading import Seed, read_seed
from .variants import Variant, variants_of
