"""GeoGebra files as diagram specs: points, constructions, labels; free points may vary."""

from __future__ import annotations

from .import_file import Imported, import_geogebra
