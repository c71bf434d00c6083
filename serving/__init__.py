"""Pages served on this machine: live while data grows, and what people decide on them is saved."""

from __future__ import annotations

from .server import view
