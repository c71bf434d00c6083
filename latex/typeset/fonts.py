"""Fonts of pages: Matplotlib's own DejaVu Sans by file, and a Chinese font of the machine."""

from __future__ import annotations

import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from ...errors import UserError

_FAMILIES = (
    "cjk",
    "noto sans sc",
    "source han",
    "wqy",
    "wenquanyi",
    "droidsansfallback",
    "simsun",
    "simhei",
    "msyh",
    "pingfang",
    "heiti",
    "songti",
    "unifont",
)


class Face(msgspec.Struct, frozen=True):
    """One face of a font file."""

    path: str
    index: int = 0


@lru_cache(1)
def text_face() -> Face:
    """DejaVu Sans as Matplotlib ships it: pinned by file, the same everywhere."""
    import matplotlib

    return Face(str(Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf"))


@lru_cache
def cjk_face(path: str | None = None) -> Face | None:
    """A font with simplified Chinese shapes: the given file, or the first one found, or None."""
    if path is not None:
        if not Path(path).is_file():
            raise UserError(
                f"no font file {path}", "give the path of a .ttf, .otf or .ttc file"
            )
        return _chinese(path)
    for candidate in _candidates():
        face = _chinese(candidate)
        if face and covers(face, "的则求，（"):
            return face
    return None


def _candidates() -> list[str]:
    """Font files that may hold Chinese, best first: fontconfig's choice, then by name."""
    from matplotlib import font_manager

    try:
        matched = subprocess.run(
            ["fc-match", "-f", "%{file}", "sans:lang=zh-cn"],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        ).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        matched = ""
    named = [
        name
        for family in _FAMILIES
        for name in sorted(font_manager.findSystemFonts())
        if family in Path(name).name.lower()
    ]
    regular = sorted(named, key=lambda n: ("Regular" not in n, "Sans" not in n))
    return [matched, *regular] if matched else regular


def _chinese(path: str) -> Face | None:
    """The simplified Chinese face of a collection (its first face is often Japanese)."""
    from PIL import ImageFont

    first: Face | None = None
    for index in range(12):
        try:
            family = ImageFont.truetype(path, 12, index=index).getname()[0] or ""
        except OSError:
            break
        first = first or Face(path, index)
        if family.endswith(" SC") and "Mono" not in family:
            return Face(path, index)
    return first


@lru_cache(8)
def _characters(face: Face) -> frozenset[int]:
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(face.path, face_index=face.index).get_charmap())


def covers(face: Face, text: str) -> bool:
    """Has the face a glyph for every character?"""
    return all(ord(char) in _characters(face) for char in text)


@lru_cache(64)
def sized(face: Face, em: float) -> Any:
    """The face at `em` pixels, as a Pillow font without shaping (the same on every machine)."""
    from PIL import ImageFont

    return ImageFont.truetype(
        face.path, em, index=face.index, layout_engine=ImageFont.Layout.BASIC
    )
