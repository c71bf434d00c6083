"""Pages served on this machine: live while data grows, and what people decide on them is saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .folders import folders_of
    from .made_pages import make_page, pages
    from .saving import Desk, PageDecision
    from .server import application, view
else:
    from ..base.lazy import door

    __getattr__ = door(__name__)
