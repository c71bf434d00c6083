"""MathVerse's six versions from tagged text and diagrams."""

from __future__ import annotations

from .contact_sheet import write_contact
from .propose_spans import propose
from .six_versions import six_samples
