"""Diagrams, pages and the six versions of a problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .issues import Issue
else:
    from ..base.lazy import door

    __getattr__ = door(__name__)
