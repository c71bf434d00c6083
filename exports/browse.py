"""index.html: one page to browse a release's samples, without a server or a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..problem import Sample
from ..templating import fill

TEMPLATES = Path(__file__).parent / "templates"


def browse_page(manifest: dict[str, Any], samples: dict[str, list[Sample]]) -> str:
    """The page; all texts are escaped, pictures are loaded as they scroll into view."""
    return fill(TEMPLATES / "browse.html", manifest=manifest, samples=samples)
