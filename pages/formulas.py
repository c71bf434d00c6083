"""The library that draws formulas in the browser: KaTeX, carried along, its fonts in the style.

Drawing there costs a release or a score nothing, is done only for what is looked at, and works for
a hundred thousand problems. KaTeX runs no code of a formula and loads nothing.
"""

from __future__ import annotations

import base64
import re
from functools import lru_cache
from pathlib import Path

KATEX = Path(__file__).parent / "katex"
_SOURCES = re.compile(r"src:url\(fonts/([\w-]+\.woff2)\)[^;}]*")


@lru_cache
def katex_script() -> bytes:
    return (KATEX / "katex.min.js").read_bytes()


@lru_cache
def katex_style() -> bytes:
    """KaTeX's style with its fonts inside: browsers refuse font files beside a page from disk."""
    style = (KATEX / "katex.min.css").read_text("utf-8")
    return _SOURCES.sub(_embedded, style).encode()


def _embedded(source: re.Match[str]) -> str:
    font = base64.b64encode((KATEX / "fonts" / source[1]).read_bytes()).decode()
    return f'src:url(data:font/woff2;base64,{font}) format("woff2")'
