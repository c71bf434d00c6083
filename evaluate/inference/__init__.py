"""Asking a model about every sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .ask_model import requests_of
    from .asking import read_map, requests_for
    from .baselines import baseline, predict_baseline
else:
    from ...base.lazy import door

    __getattr__ = door(__name__)
