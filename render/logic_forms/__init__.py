"""Geometry3K's logic forms to specs, by solving their conditions."""

from __future__ import annotations

from .to_spec import spec_of_forms
