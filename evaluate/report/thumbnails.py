"""Small pictures for a self-contained report: WebP that together stay below a budget."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ...errors import UserError
from ...files import inside
from ...pictures import open_picture
from ...pipeline import Engine, parallel_map

BUDGET = 6_000_000  # bytes of all thumbnails, a third more as base64
SIDES = (480, 320, 240, 160, 112, 80)  # pixels of the longer side, tried from the largest
QUALITY = 30  # line drawings stay readable


def thumbnails(
    release: Path, paths: Sequence[str], jobs: int = 1, budget: int = BUDGET
) -> dict[str, bytes]:
    """A thumbnail for each picture of a release that can be read, by its path.

    Every picture gets the same share of the budget and the largest side that fits into it.
    """
    unique = sorted(set(paths))
    if not unique:
        return {}
    make = partial(_thumbnail, str(release), budget // len(unique))
    engine = Engine(jobs=jobs if len(unique) > 100 else 1)
    made = zip(unique, parallel_map(make, unique, engine), strict=True)
    return {path: data for path, data in made if data}


def _thumbnail(release: str, limit: int, path: str) -> bytes:
    """WebP bytes; empty when the picture is missing or broken, or even the smallest is too big."""
    try:
        picture, _ = open_picture(inside(Path(release), path).read_bytes(), path)
    except (UserError, OSError):
        return b""
    for side in SIDES:
        if limit < 8 * side and side != SIDES[-1]:
            continue  # few drawings of this size have so few bytes
        picture.thumbnail((side, side), reducing_gap=2.0)  # the next side starts from this one
        picture = _on_white(picture)
        buffer = io.BytesIO()
        picture.save(buffer, "WEBP", quality=QUALITY, method=1)
        if len(buffer.getvalue()) <= limit:
            return buffer.getvalue()
    return b""


def _on_white(picture: Any) -> Any:
    """Transparent line drawings would vanish on a dark page."""
    from PIL import Image

    if picture.mode != "RGBA":
        return picture.convert("RGB")
    page = Image.new("RGB", picture.size, "white")
    page.paste(picture, mask=picture.getchannel("A"))
    return page


def data_url(path: Path) -> str:
    """A whole picture for a page that stands alone."""
    kind = "jpeg" if path.suffix == ".jpg" else "png"
    return f"data:image/{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
