"""Where an element stands, what it waits for, and how it is named in notes."""

from __future__ import annotations

import re
from typing import Any

from .elements import BLOCKS, PHRASING
from .formulas import MATHS
from .style import style_of

# values of data attributes that are settings
_FLAGS = re.compile(r"true|false|\d*|auto|none|yes|no", re.I)


def in_running_text(element: Any) -> bool:
    """Whether words stand right before or behind an element, or one that holds little else."""
    for _ in range(4):
        before = element.getprevious()
        around = element.getparent()
        text = around.text if around is not None else ""
        if before is not None:
            text = before.tail
        if (text or "").strip() or (element.tail or "").strip():
            return True
        if around is None or around.tag in BLOCKS:
            break
        element = around
    return False


def all_phrasing(element: Any) -> bool:
    return all(e.tag in PHRASING for e in element.iter() if isinstance(e.tag, str))


def is_typeset(preview: Any) -> bool:
    """Whether what MathJax shows before it draws stands beside the drawing or the source."""
    after = preview.getnext()
    if after is None:
        return False
    is_source = after.get("type", "").startswith("math/")
    return is_source or "MathJax" in after.get("class", "")


def waits_for_a_script(element: Any, tag: str) -> bool:
    """Whether an element is empty and says what a script is to show in it."""
    is_void = tag in ("br", "wbr", "hr", "col", "a", "img", "i")
    if is_void or len(element) or element.text:
        return False
    for name, value in element.items():
        if name.startswith("data-") and not _FLAGS.fullmatch(value.strip()):
            return True
    if MATHS.search(element.get("class", "")):
        return True
    return bool(element.get("id")) and style_of(element.get("style", "")).sized


def named(element: Any) -> str:
    attributes = (f' {n}="{v}"' for n, v in element.items() if n != "style")
    return f"<{element.tag}{''.join(attributes)}>"[:200]
