"""The benchmarks' prompts as files, filled for one sample."""

from __future__ import annotations

from .captions import Caption, caption_of, captioned, read_captions
from .prompts import (
    ASKED_NAMES,
    CAPTION,
    OWN,
    STYLES,
    Style,
    ask_text,
    message,
    message_text,
    messages,
    own_style,
    placed,
    row_fields,
    sample_fields,
    takes_caption,
)
from .templates import (
    check_template,
    fenced,
    fill,
    read_template,
    template,
    wordings_of,
)
