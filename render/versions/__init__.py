"""MathVerse's six versions from tagged text and diagrams."""

from __future__ import annotations

from .contact_sheet import write_contact
from .lint import lint
from .propose_spans import propose
from .role_text import check_spans, texts_of
from .six_versions import drawings_of, six_samples, spec_of
from .words_shown import held_to_figure, words_against_figure
