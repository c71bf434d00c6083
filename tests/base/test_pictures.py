"""The picture store: safe formats kept, others converted, bombs refused."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from benchwright.base.pictures import as_seen, store_picture
from benchwright.errors import UserError
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from small import png


def bomb(side: int) -> bytes:
    """A small PNG file that says it has side x side pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data))
            + kind
            + data
            + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * 1000)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("mode", "kind"), [("RGB", "JPEG"), ("L", "JPEG"), ("RGB", "PNG"), ("L", "PNG")]
)
def test_safe_pictures_keep_their_bytes(tmp_path: Path, mode: str, kind: str) -> None:
    data = png(mode=mode, kind=kind)
    image = store_picture(data, tmp_path)
    assert (tmp_path / image.path).read_bytes() == data
    assert (image.width, image.height) == (8, 6)


@pytest.mark.parametrize(
    ("mode", "kind"),
    [("CMYK", "JPEG"), ("P", "PNG"), ("1", "PNG"), ("P", "GIF"), ("RGB", "WEBP")],
)
def test_other_pictures_become_plain_png_with_the_same_look(
    tmp_path: Path, mode: str, kind: str
) -> None:
    data = png(mode=mode, kind=kind)
    image = store_picture(data, tmp_path)
    stored = Image.open(tmp_path / image.path)
    assert stored.format == "PNG"
    assert stored.mode in ("RGB", "RGBA")
    before = Image.open(io.BytesIO(data)).convert("RGB")
    assert stored.convert("RGB").tobytes() == before.tobytes()


def test_what_is_transparent_is_white_as_people_see_it(tmp_path: Path) -> None:
    """A program that asks for RGB makes black of it; opaque pictures keep their bytes."""
    lines = Image.new("RGBA", (9, 7), (0, 0, 0, 0))
    lines.putpixel((2, 3), (0, 0, 0, 255))
    for picture in (lines, lines.convert("LA")):
        file = io.BytesIO()
        picture.save(file, "PNG")
        image = store_picture(file.getvalue(), tmp_path)
        stored = Image.open(tmp_path / image.path)
        assert stored.mode == "RGB"
        assert stored.getpixel((0, 0)) == (255, 255, 255)
        assert stored.getpixel((2, 3)) == (0, 0, 0)
    opaque = io.BytesIO()
    Image.new("RGBA", (9, 7), (9, 9, 9, 255)).save(opaque, "PNG")
    kept = store_picture(opaque.getvalue(), tmp_path)
    assert (tmp_path / kept.path).read_bytes() == opaque.getvalue()


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_a_photograph_is_stored_upright(tmp_path: Path, orientation: int) -> None:
    """The camera says how it was held; the pixels of a stored picture say it themselves."""
    upright = Image.new("L", (40, 24), 255)
    upright.paste(0, (0, 0, 20, 24))  # dark on the left
    turned = upright.rotate({3: 180, 6: 90, 8: 270}[orientation], expand=True)
    exif = Image.Exif()
    exif[0x0112] = orientation
    file = io.BytesIO()
    turned.save(file, "JPEG", exif=exif, quality=95)
    image = store_picture(file.getvalue(), tmp_path)
    stored = Image.open(tmp_path / image.path)
    assert (image.width, image.height) == stored.size == (40, 24)
    assert stored.convert("L").getpixel((3, 12)) < 30
    assert stored.convert("L").getpixel((36, 12)) > 220


def test_sixteen_bit_grey_keeps_its_shades(tmp_path: Path) -> None:
    shades = np.array([[0, 257, 25_700, 65_535]], dtype=np.uint16)
    file = io.BytesIO()
    Image.fromarray(shades).save(file, "PNG")
    stored = Image.open(tmp_path / store_picture(file.getvalue(), tmp_path).path)
    assert list(stored.convert("L").tobytes()) == [0, 1, 100, 255]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (
            b"<html>404</html>",
            "none of PNG, JPEG, GIF, WEBP, BMP, TIFF, PPM); it starts '<html>",
        ),
        (b"", "the file is empty"),
        (png()[:40], "not a readable picture"),
        (bomb(20_000), "400000000 pixels"),
        (bomb(8_000), "8000 x 8000"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n", "not a readable picture"),
    ],
    ids=["html", "empty", "truncated", "bomb", "smaller bomb", "postscript"],
)
def test_bad_pictures_are_refused_by_name(
    tmp_path: Path, data: bytes, what: str
) -> None:
    with pytest.raises(UserError) as error:
        store_picture(data, tmp_path, name="figure 1")
    assert "figure 1" in str(error.value)
    assert what in str(error.value)
    assert not list(tmp_path.rglob("*.png"))


def test_the_same_picture_is_stored_once(tmp_path: Path) -> None:
    one, two = (store_picture(png(), tmp_path) for _ in range(2))
    assert one == two
    assert len(list(tmp_path.rglob("*.png"))) == 1


@pytest.mark.parametrize("way", ["EXIF of a PNG", "EXIF of a JPEG", "XMP", "none"])
def test_what_is_sent_stands_as_the_camera_was_held(way: str) -> None:
    """Whether it was turned is said in many places; where in none, the bytes stay as they are."""
    exif = Image.Exif()
    exif[0x0112] = 6  # a quarter
    said = PngInfo()
    said.add_itxt(
        "XML:com.adobe.xmp", '<x:xmpmeta><a tiff:Orientation="6"/></x:xmpmeta>'
    )
    kind, options = {
        "EXIF of a PNG": ("PNG", {"exif": exif}),
        "EXIF of a JPEG": ("JPEG", {"exif": exif}),
        "XMP": ("PNG", {"pnginfo": said}),
        "none": ("PNG", {}),
    }[way]
    file = io.BytesIO()
    Image.new("L", (40, 24), 255).save(file, kind, **options)
    sent, _ = as_seen(file.getvalue())
    assert Image.open(io.BytesIO(sent)).size == (
        (40, 24) if way == "none" else (24, 40)
    )
    assert (sent == file.getvalue()) == (way == "none")
