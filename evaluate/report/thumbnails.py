"""Small pictures for a self-contained report: WebP that together stay below a budget."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ...errors import UserError
from ...files import cache_folder, inside, sha256_file, write_bytes
from ...pictures import open_picture
from ...pipeline import Engine, code_hash, parallel_map
from ...terminal import progress

BUDGET = 6_000_000  # bytes of all thumbnails, a third more as base64
SIDES = (480, 320, 240, 160, 112, 80)  # pixels of the longer side, tried from the largest
QUALITY = 30  # line drawings stay readable


def thumbnails(
    release: Path, paths: Sequence[str], jobs: int = 1, budget: int = BUDGET
) -> dict[str, bytes]:
    """A thumbnail for each picture of a release that can be read, by its path.

    Every picture gets the same share of the budget and the largest side that fits into it. The
    same pictures are kept in the user's cache: several models are scored on one release.
    """
    unique = sorted(set(paths))
    if not unique:
        return {}
    kept = _kept(release, unique, budget)
    made = _read_kept(kept)
    if made is None:
        make = partial(_thumbnail, str(release), budget // len(unique))
        engine = Engine(jobs=jobs if len(unique) > 100 else 1)
        each = parallel_map(make, unique, engine, chunk=16)
        made = list(progress(each, "thumbnails", len(unique), "pictures"))
        with suppress(UserError):  # a cache that cannot be written is no loss
            write_bytes(kept, msgspec.msgpack.encode(made))
    return {path: data for path, data in zip(unique, made, strict=True) if data}


def _kept(release: Path, paths: Sequence[str], budget: int) -> Path:
    """The cache file of these pictures, made by this code."""
    import PIL

    total = hashlib.sha256(f"{PIL.__version__} {budget} {code_hash(_thumbnail)}".encode())
    for path in paths:
        with suppress(UserError, OSError):
            total.update(sha256_file(inside(release, path)).encode())
        total.update(b"\n")
    return cache_folder() / "thumbnails" / f"{total.hexdigest()}.msgpack"


def _read_kept(file: Path) -> list[bytes] | None:
    try:
        return msgspec.msgpack.decode(file.read_bytes(), type=list[bytes])
    except (OSError, msgspec.DecodeError):
        return None


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
