"""Asking a model about every sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .ask_model import (
        baseline,
        predict_baseline,
        read_map,
        requests_for,
        requests_of,
    )
else:
    from ...base.lazy import door

    __getattr__ = door(__name__)
