"""The picture store: every picture is opened, made safe for loaders, hashed and measured once.

Pictures lie under `images/<first 20 hex digits of the hash>.<ext>` below the build's work folder
and, under the same path, in the release.
"""

from __future__ import annotations

import base64
import binascii
import errno
import hashlib
import io
import os
import re
import secrets
import struct
import warnings
import zlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from ..errors import BenchwrightError, UserError
from ..problem import Image
from .files import inside, read_bytes, unwritable

MAX_PIXELS = 50_000_000  # a decoded picture of 150 MB; a 20,000 x 20,000 bomb has eight times that
MARK = re.compile(r"<image(\d+)>")  # the place of a picture in a text: see `numbered`
NOISE = 8  # of 255: how far JPEG moves a colour
LONGEST_SIDE = (
    2048  # pixels that are sent to a model: endpoints scale what is larger down to this
)
MOST_SENT = 5_000_000  # bytes of a picture that are sent: some endpoints take no more
SAFE = {("JPEG", "RGB"): "jpg", ("JPEG", "L"): "jpg"} | {
    ("PNG", mode): "png" for mode in ("RGB", "RGBA", "L")
}


def store_picture(
    data: bytes, work: Path, role: str = "figure", name: str = "picture"
) -> Image:
    """Put a picture into the store below `work` and describe it.

    RGB and grey JPEG and PNG keep their bytes. Everything else (CMYK, palettes, 16 bit, WebP, GIF,
    ...) becomes PNG in RGB as people see it, since loaders choke on it: upright where a camera says
    how it was held, on white where it is transparent, which programs show as black.
    Raises UserError when `data` is no picture, is damaged, or has more than MAX_PIXELS, and
    MachineError when the store cannot be written.
    """
    picture, suffix, (width, height) = _opened(data, name, proof=True)
    if suffix is None:
        data = encode_png(picture)
        suffix = "png"
    return _stored(data, suffix, (width, height), work, role)


def store_drawn(
    data: bytes,
    size: tuple[int, int],
    work: Path,
    role: str = "figure",
    suffix: str = "png",
) -> Image:
    """Put a picture of `size` that was drawn and encoded here into the store, unread."""
    return _stored(data, suffix, size, work, role)


def _stored(
    data: bytes, suffix: str, size: tuple[int, int], work: Path, role: str
) -> Image:
    digest = hashlib.sha256(data).hexdigest()
    path = f"images/{digest[:20]}.{suffix}"
    if not (work / path).exists():
        _put(work / path, data)
    return Image(path=path, sha256=digest, width=size[0], height=size[1], role=role)


def _put(path: Path, data: bytes) -> None:
    """Write a file whose name is its content's: whoever else writes it writes the same.

    It is not forced to disk, as nothing is that a stage makes: a build proves it by its hash.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("xb", buffering=0) as file:
            if file.write(data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise unwritable(path, error) from error


def numbered(images: list[Image], image: Image) -> str:
    """The mark `<imageN>` of a picture among `images`, which get it where it is not yet there.

    >>> image = Image(path="a.png", sha256="a", width=9, height=9)
    >>> images = []
    >>> numbered(images, image), numbered(images, image), len(images)
    ('<image1>', '<image1>', 1)
    """
    known = [picture.sha256 for picture in images]
    if image.sha256 not in known:
        images.append(image)
        known.append(image.sha256)
    return f"<image{known.index(image.sha256) + 1}>"


_FORMATS = ["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "PPM"]


def changes_of(data: bytes, stored: Image) -> str:
    """What was changed of a picture to store it; "" where its bytes were kept."""
    from PIL import Image as Pillow

    if hashlib.sha256(data).hexdigest() == stored.sha256:
        return ""
    given: Any = Pillow.open(io.BytesIO(data), formats=_FORMATS)  # its header alone
    changes = ["turned upright"] if _is_turned(given) else []
    if "A" in given.getbands() or "transparency" in given.info:
        changes.append("laid on white")
    if given.mode.startswith("I"):
        changes.append("16 bits made 8")
    if not changes:
        changes.append(f"{given.format} in {given.mode} made PNG in RGB")
    return ", ".join(changes)


def holds_several(data: bytes) -> bool:
    """Whether a GIF, WebP or TIFF holds more than its first picture, which alone the store keeps.

    >>> holds_several(b"GIF89a")
    True
    """
    from PIL import Image as Pillow

    if not data.startswith((b"GIF8", b"RIFF", b"II*\0", b"MM\0*")):
        return False
    try:
        with Pillow.open(io.BytesIO(data), formats=_FORMATS) as picture:
            return bool(getattr(picture, "n_frames", 1) > 1)
    except (
        Exception
    ):  # Pillow raises OSError, SyntaxError, ValueError, struct.error, ...
        return True  # what follows is damaged: nobody knows what it showed


# how PNG, JPEG, GIF, WebP, BMP and TIFF begin in base64
_BASE64 = ("iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "Qk", "SUkq", "TU0A")
_URL_SAFE = str.maketrans("-_", "+/")  # the other alphabet of base64
SHORTEST = 60  # letters of a picture in base64; a path that begins like one is shorter


def embedded(picture: Any) -> tuple[str, bytes | None]:
    """A picture's name, and its bytes where it is given itself; else the name is a path.

    Known are bytes, `{bytes, path}` as Parquet files of data sets have it (and JSON of them, with
    `src` or `url` for the path), data URIs and base64. Raises UserError for anything else.

    >>> embedded("figures/1.png"), embedded({"bytes": b"GIF89a", "path": "1.gif"})
    (('figures/1.png', None), ('1.gif', b'GIF89a'))
    """
    if isinstance(picture, bytes):
        return "embedded picture", picture
    if isinstance(picture, dict):
        said = [
            picture[key]
            for key in ("path", "file_name", "src", "url")
            if picture.get(key)
        ]
        path = next((one for one in said if isinstance(one, str)), "")
        data = picture.get("bytes") or picture.get("data")
        if isinstance(data, list) and data:  # a Buffer of JavaScript
            data = _of_numbers(data)
        if isinstance(data, bytes):
            return path or "embedded picture", data
        if isinstance(data, str) and data:
            return path or "embedded picture", embedded(data)[1] or _decoded(data)
        if path:
            return (path, None) if path[:5].lower() != "data:" else embedded(path)
    if isinstance(picture, str):
        if picture[:5].lower() == "data:":
            return "embedded picture", _of_data_address(picture)
        if (
            len(picture) >= SHORTEST
            and picture.startswith(_BASE64)
            and "." not in picture
        ):
            return "embedded picture", _decoded(picture)
        return picture, None
    raise UserError(
        f"{str(picture)[:80]!r} is no picture", "give a path, {bytes, path} or base64"
    )


def _of_numbers(data: list[Any]) -> bytes:
    try:
        return bytes(data)
    except (TypeError, ValueError) as error:
        raise UserError(
            f"{str(data)[:40]} is no list of bytes", "give base64"
        ) from error


def _of_data_address(address: str) -> bytes:
    """What a `data:` address holds: base64, or text with signs by their numbers (RFC 2397)."""
    kind, _, body = address.partition(",")
    if not kind.lower().rstrip().endswith(";base64"):
        return unquote_to_bytes(body)
    return _decoded(unquote(body) if "%" in body else body)


MOST_SEGMENTS = 12  # of a path below the pictures' folder
LONGEST_NAME = 255  # bytes of one file name, on the usual file systems


def names_of(address: str) -> list[str]:
    """The names that an address or path may have below a folder, the longest first.

    A picture is known by the end of its path, whatever stands before it, so none leaves the
    folder. No name is longer than a file's can be.

    >>> names_of("https://img.example.org/a/1%202.png?w=3")
    ['a/1 2.png', '1 2.png']
    >>> names_of("../media/a.png"), names_of(r"C:\\work\\a.png")
    (['media/a.png', 'a.png'], ['work/a.png', 'a.png'])
    """
    if len(address) > 5000 or "\0" in address:
        return []
    try:
        parts = urlsplit(address)
    except ValueError:  # "//[": no address after all
        return []
    is_url = bool(parts.netloc) or parts.scheme in ("http", "https", "file", "ftp")
    written = [] if is_url else [address]
    paths = [path.replace("\\", "/") for path in [*written, unquote(parts.path)]]
    names: dict[str, None] = {}
    for path in paths:
        kept: list[str] = []
        for segment in path.split("/"):
            if segment == "..":
                del kept[-1:]
            elif segment not in ("", ".") and not re.fullmatch("[A-Za-z]:", segment):
                kept.append(segment)
        if all(
            len(segment.encode("utf-8", "replace")) <= LONGEST_NAME for segment in kept
        ):
            last = kept[-MOST_SEGMENTS:]
            names |= dict.fromkeys("/".join(last[k:]) for k in range(len(last)))
    return list(names)


def _decoded(text: str) -> bytes:
    try:
        plain = "".join(text.split()).translate(_URL_SAFE).rstrip("=")
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise UserError(
            f"{text[:40]!r} is not base64 ({error})", "write the whole picture"
        ) from error


def open_picture(
    data: bytes, name: str = "picture", *, glance: int = 0
) -> tuple[Any, str | None]:
    """The decoded Pillow image, and its file suffix when its bytes are safe as they are.

    With `glance`, a JPEG may be decoded in grey and smaller, no side below that many pixels.
    """
    return _opened(data, name, glance=glance)[:2]


def size_of(data: bytes, name: str) -> tuple[int, int]:
    """Width and height of a picture, which is proved to be readable. Raises UserError if not."""
    return _opened(data, name, proof=True)[2]


def _opened(
    data: bytes, name: str, *, glance: int = 0, proof: bool = False
) -> tuple[Any, str | None, tuple[int, int]]:
    """The picture, its suffix and its size as stored; a `proof` only reads a safe JPEG through."""
    from PIL import Image as Pillow
    from PIL import UnidentifiedImageError

    try:
        # not `catch_warnings`: it changes the filters of all threads, and the limit is our own
        warnings.simplefilter("ignore", Pillow.DecompressionBombWarning)
        picture: Any = Pillow.open(io.BytesIO(data), formats=_FORMATS)
        size = width, height = picture.size
        if width * height > MAX_PIXELS:
            raise UserError(
                f"{name} has {width} x {height} pixels", f"the limit is {MAX_PIXELS:,}"
            )
        suffix = SAFE.get((str(picture.format), picture.mode))
        if "transparency" in picture.info or _is_turned(picture):
            suffix = None
        if glance or (proof and suffix):
            picture.draft("L", (glance or 1, glance or 1))
        picture.load()
        if picture.mode == "RGBA" and picture.getextrema()[3][0] < 255:
            suffix = None
    except (BenchwrightError, MemoryError):
        raise
    except Pillow.DecompressionBombError as error:
        raise UserError(
            f"{name} is too large: {error}", f"the limit is {MAX_PIXELS:,}"
        ) from error
    except (
        Exception
    ) as error:  # Pillow raises OSError, SyntaxError, ValueError, struct.error, ...
        start = data[:40].decode("utf-8", "replace")
        cause = f"{type(error).__name__}: {error}" if data else "the file is empty"
        if data and isinstance(
            error, UnidentifiedImageError
        ):  # its text holds an address
            cause = f"none of {', '.join(_FORMATS)}"
        raise UserError(
            f"{name} is not a readable picture ({cause}); it starts {start!r}",
            "replace the file by a PNG or JPEG",
        ) from error
    if suffix is None and not glance:
        picture = _as_seen(picture, name)
        size = picture.size
    return picture, suffix, size


_ORIENTATION = 0x0112  # the tag of EXIF; 1 is upright
# Where none of these stands, no PNG or JPEG says how it was held: Pillow would decode all of a PNG
# to look for EXIF behind its pixels. XMP, too, may say it.
_TELLS_ORIENTATION = (b"xif", b"XIf", b"adobe")


def _is_turned(picture: Any) -> bool:
    """Whether a camera says that the picture is to be turned or mirrored."""
    try:
        return picture.getexif().get(_ORIENTATION, 1) in range(2, 9)
    except Exception:  # damaged EXIF raises whatever its parser meets, and says nothing
        return False


def _as_seen(picture: Any, name: str) -> Any:
    """The picture in RGB: upright, its transparent parts white."""
    from PIL import ImageOps

    picture = _eight_bit(picture, name)
    if _is_turned(picture):
        picture = ImageOps.exif_transpose(picture)
    if "transparency" in picture.info:
        picture = picture.convert("RGBA")
    return on_white(picture).convert("RGB")


def _eight_bit(picture: Any, name: str) -> Any:
    """16-bit grey as 8-bit grey: Pillow's own conversion would clip it to white."""
    if picture.mode == "F":
        raise UserError(
            f"{name} holds floating-point numbers", "save it as PNG in RGB or grey"
        )
    if not picture.mode.startswith("I"):
        return picture
    import numpy as np
    from PIL import Image as Pillow

    values = np.asarray(picture).astype(np.int64).clip(0, 65535)
    return Pillow.fromarray((values // 257).astype(np.uint8))


def load_picture(root: Path, image: Image) -> Any:
    """A stored picture as a Pillow image; one that lies outside `root` is never opened."""
    try:
        return open_picture(read_bytes(inside(root, image.path)), image.path)[0]
    except OSError as error:
        raise UserError(
            f"picture {image.path} is missing", f"it should be below {root}"
        ) from error


def is_blank(picture: Any) -> bool:
    """Whether nothing is drawn on a Pillow image: one colour, but for the noise of JPEG.

    >>> from PIL import Image
    >>> is_blank(Image.new("RGB", (40, 40), "white"))
    True
    """
    extrema = on_white(picture).getextrema()
    pairs = extrema if isinstance(extrema[0], tuple) else [extrema]
    return all(high - low <= NOISE for low, high in pairs)


def on_white(picture: Any) -> Any:
    """A picture as it looks on paper: what is transparent is white."""
    from PIL import Image as Pillow

    if "A" not in picture.getbands():
        return picture
    white = Pillow.new("RGBA", picture.size, "white")
    return Pillow.alpha_composite(white, picture.convert("RGBA")).convert("RGB")


def as_seen(data: bytes, name: str = "picture") -> tuple[bytes, str]:
    """A picture as people see it, small enough to be sent, and its MIME type.

    Bytes that are so already stay as they are. Others are turned as their camera was held, laid on
    white, scaled to LONGEST_SIDE, and past MOST_SENT bytes written as JPEG. Raises UserError for
    what is no picture.
    """
    from PIL import Image as Pillow

    try:  # its header alone says of most that nothing is to be done
        glanced: Any = Pillow.open(io.BytesIO(data), formats=_FORMATS)
        suffix = SAFE.get((str(glanced.format), glanced.mode))
        tells = any(word in data for word in _TELLS_ORIENTATION)
        is_plain = not (tells and _is_turned(glanced)) and glanced.mode != "RGBA"
        fits = max(glanced.size) <= LONGEST_SIDE and len(data) <= MOST_SENT
    except Exception:  # as in `_opened`, which says what is wrong
        suffix, is_plain, fits = None, False, False
    if suffix and fits and is_plain and "transparency" not in glanced.info:
        return data, "image/png" if suffix == "png" else "image/jpeg"
    picture, suffix = open_picture(data, name)
    if suffix and fits:
        return data, "image/png"
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Pillow.Resampling.LANCZOS)
    if suffix != "jpg" and len(drawn := encode_png(picture)) <= MOST_SENT:
        return drawn, "image/png"
    while len(encoded := _jpeg(picture)) > MOST_SENT:
        picture = picture.reduce(2)
    return encoded, "image/jpeg"


def is_reduced(image: Image, root: Path) -> bool:
    """Whether a stored picture is past the bounds within which it is sent."""
    if max(image.width, image.height) > LONGEST_SIDE:
        return True
    file = root / image.path
    return file.is_file() and file.stat().st_size > MOST_SENT


def _jpeg(picture: Any) -> bytes:
    buffer = io.BytesIO()
    picture.convert("RGB").save(buffer, "JPEG", quality=92)
    return buffer.getvalue()


def lost_picture(note: str) -> str | None:
    """The picture that a note of reading says is missing or broken.

    >>> lost_picture("broken-picture: a.png: empty"), lost_picture("moving-picture: a.gif: one")
    ('a.png', None)
    """
    kind, _, rest = note.partition(": ")
    if kind not in ("missing-picture", "broken-picture"):
        return None
    return rest.partition(": ")[0]


def encode_png(picture: Any) -> bytes:
    """PNG bytes without metadata: the same pixels give the same bytes."""
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", compress_level=6)
    return buffer.getvalue()


def encode_drawing(picture: Any) -> bytes:
    """PNG bytes of a grey or RGB picture that was drawn: its rows are not filtered.

    For drawings that takes half the time of `encode_png`, and eight percent more bytes.
    """
    kind = {"L": 0, "RGB": 2}[picture.mode]
    pixels = picture.tobytes()
    width = picture.width * len(picture.getbands())
    rows = b"".join(b"\0" + pixels[k : k + width] for k in range(0, len(pixels), width))
    header = struct.pack(">IIBBBBB", *picture.size, 8, kind, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 3)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(part))
        + name
        + part
        + struct.pack(">I", zlib.crc32(name + part))
        for name, part in parts
    )


def picture_root(problems: Path, images: Iterable[Image]) -> Path | None:
    """The nearest folder above a problems file (or a release) that holds its first picture."""
    first = next(iter(images), None)
    return None if first is None else folder_holding(problems, first.path)


def folder_holding(problems: Path, picture: str) -> Path | None:
    """The nearest folder from a problems file (or a release) upwards that holds a picture.

    Stages of a build lie below its work folder, and their pictures in `images` there.
    """
    here = problems.resolve()
    for folder in (here, *here.parents):
        if (folder / picture).is_file():
            return folder
    return None
