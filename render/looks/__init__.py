"""Looks of a picture: scanned, photographed, on a blackboard, drawn by hand; all can be read."""

from __future__ import annotations

from .look import LOOKS, Look, LookName, look
from .problems import looks_of
