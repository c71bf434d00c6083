"""The one way to make a page or a text from a template."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any


def fill(template: Path, **values: Any) -> str:
    """The template filled in; a name it uses and `values` lack is an error.

    In pages every value is escaped; texts (Markdown, YAML, Python) stay as they are.
    Example: `fill(Path(__file__).parent / "templates" / "browse.html", samples=samples)`
    """
    page = template.suffix == ".html"
    return str(_environment(template.parent, page).get_template(template.name).render(values))


@lru_cache
def _environment(folder: Path, page: bool) -> Any:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=page,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=not page,
    )
