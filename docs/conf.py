"""The documentation site: written pages, and reference pages made from the code while it is built.

`make docs` builds it strictly (a warning fails the build) and without network; the pages load
nothing from outside, and search works from the file system.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import benchwright
import from_code  # type: ignore[import-not-found]

project = "benchwright"
author = "benchwright maintainers"
release = benchwright.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = f"benchwright {release}"
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = (
    False  # summaries are fetched, which browsers refuse for files
)
pygments_style = "default"
pygments_dark_style = "monokai"
highlight_language = "text"


def _fill(app: Any, page: str, source: list[str]) -> None:
    """What is made for a page takes the place of the comment in its file."""
    if page in from_code.PAGES:
        source[0] = re.sub(
            "<!--.*?-->", lambda _: from_code.PAGES[page](), source[0], count=1
        )


def _as_restructured_text(
    app: Any, what: str, name: str, obj: Any, o: Any, lines: list[str]
) -> None:
    lines[:] = from_code.restructured(lines)


def setup(app: Any) -> None:
    app.connect("source-read", _fill)
    app.connect("autodoc-process-docstring", _as_restructured_text)
