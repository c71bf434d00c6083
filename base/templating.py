"""The one way to make a page or a text from a template."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """The text with marks of direction written out.

    >>> visible("a\\u202eb")
    'a⟦U+202E⟧b'
    """
    return _TURNING.sub(lambda m: f"⟦U+{ord(m[0]):04X}⟧", text)


def fill(template: Path, **values: Any) -> str:
    """The template filled in; a name it uses and `values` lack is an error.

    In pages every value is escaped and marks of direction are written out; texts (Markdown, YAML,
    Python) stay as they are.
    Example: `fill(Path(__file__).parent / "templates" / "browse.html", samples=samples)`
    """
    page = template.suffix == ".html"
    return str(
        _environment(template.parent, page).get_template(template.name).render(values)
    )


@lru_cache
def _environment(folder: Path, page: bool) -> Any:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=page,
        finalize=_shown if page else None,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=not page,
    )


def _shown(value: Any) -> Any:
    """What a page prints of a value; markup made by the program stays as it is."""
    return visible(value) if type(value) is str else value
