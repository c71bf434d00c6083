"""The benchmarks' prompts as files, filled for one sample."""

from __future__ import annotations

from .captions import Caption, captioned, read_captions
from .prompts import (
    ASKED_NAMES,
    CAPTION,
    STYLES,
    Style,
    ask_text,
    messages,
    sample_fields,
    text_first,
)
from .templates import fenced, fill, read_template, template, wordings_of
