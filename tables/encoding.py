"""From bytes to text: gzip, byte order marks, and the encodings that spreadsheet programs write.

A mark decides. Without one, text is UTF-8 where most of its lines that are not plain ASCII are; the
others are damaged lines, not another encoding. Then two guesses are safe enough to make, and are
told: GB18030, where the text is made of the common characters of GB 2312, and cp1252, where single
accented letters stand among plain ones. Anything else is refused until the user names it.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from pathlib import Path

from ..errors import UserError

MAX_UNZIPPED = 4_000_000_000  # bytes of an unpacked .gz
MARKS = (  # UTF-32 first: its mark begins like that of UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
ENOUGH = 0.9  # of what is not ASCII must fit a guess
GUESSED = 1_000_000  # bytes that a guess looks at
ASK = "name it: options: {encoding: big5}, or save the file as UTF-8"


def open_text(path: Path, encoding: str | None = None) -> tuple[str, str]:
    """The text of a file and its encoding, which is found where none is asked for.

    Bytes that are no character of it are kept as lone surrogates (`surrogateescape`), so that the
    rows in which they stand can be told. Raises UserError for damaged archives, bombs, an encoding
    that does not exist, and one that cannot be told.
    """
    data = _unpacked(path)
    mark, marked = next(((m, e) for m, e in MARKS if data.startswith(m)), (b"", None))
    name = _known(encoding) if encoding else marked or _guessed(path, data)
    if marked == "utf-8" and name in ("utf-8", "utf-8-sig"):
        data = data.removeprefix(mark)
        name = "utf-8"
    try:
        return data.decode(name, "surrogateescape"), name
    except UnicodeError as error:
        raise UserError(
            f"{path} is not {name} ({error})", "save it as UTF-8"
        ) from error


def plain_utf8(path: Path) -> bool:
    """Whether a file can be read as it stands: neither packed nor marked as something else."""
    with path.open("rb") as file:
        start = file.read(4)
    return not start.startswith((b"\x1f\x8b", *(mark for mark, _ in MARKS[1:])))


def utf8_bytes(path: Path) -> bytes:
    """A file's text in UTF-8 for a parser that says itself what is wrong with it.

    Raises UserError for damaged archives, bombs, and text that is not what its mark says.
    """
    data = _unpacked(path)
    for mark, encoding in MARKS[1:]:
        if data.startswith(mark):
            try:
                return data.decode(encoding).encode("utf-8")
            except UnicodeError as error:
                raise UserError(
                    f"{path} is not {encoding} ({error})", "save it as UTF-8"
                ) from error
    return data.removeprefix(codecs.BOM_UTF8)


def _unpacked(path: Path) -> bytes:
    """A file's bytes, out of gzip where its first bytes say so."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(
            f"cannot read {path}: {error.strerror}", "check the path"
        ) from error
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        with gzip.open(io.BytesIO(data)) as file:
            data = file.read(MAX_UNZIPPED + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(
            f"{path} is not a whole gzip file ({error})", "pack it again"
        ) from error
    if len(data) > MAX_UNZIPPED:
        raise UserError(
            f"{path} unpacks to more than {MAX_UNZIPPED:,} bytes", "split it"
        )
    return data


def _known(encoding: str) -> str:
    try:
        name = codecs.lookup(encoding).name
        "a".encode(name)  # some codecs are no text encodings: base64, zip
    except (LookupError, UnicodeError, ValueError) as error:
        raise UserError(
            f"unknown encoding {encoding!r}",
            "for instance utf-8, gb18030, big5, cp1252, utf-16",
        ) from error
    return name


def _guessed(path: Path, data: bytes) -> str:
    if wide := _wide(data):
        return wide
    if data.isascii() or _mostly_utf8(data):
        return "utf-8"
    sample = data[:GUESSED]
    if _common_chinese(sample):
        return "gb18030"
    if _single_accents(sample):
        return "cp1252"
    at = next(k for k, byte in enumerate(data) if byte > 127)
    line = data[:at].count(b"\n") + 1
    raise UserError(
        f"{path}:{line}: not UTF-8 (byte {data[at]:#04x}), nor surely another", ASK
    )


def _wide(data: bytes) -> str:
    """UTF-16 without its mark shows by zero bytes at every other place.

    >>> _wide("id;q".encode("utf-16-le")), _wide(b"id;q")
    ('utf-16-le', '')
    """
    start = data[:1000]
    for places, name in ((start[1::2], "utf-16-le"), (start[::2], "utf-16-be")):
        if len(start) > 1 and places.count(0) > len(places) / 2:
            return name
    return ""


def _mostly_utf8(data: bytes) -> bool:
    sound = broken = 0
    for line in data.splitlines():
        if not line.isascii():
            try:
                line.decode("utf-8")
                sound += 1
            except UnicodeDecodeError:
                broken += 1
    return sound > broken


def _common_chinese(data: bytes) -> bool:
    """Whether what is not ASCII is Chinese in the double bytes of GB 2312.

    Symbols and level 1 lie at A1 to A3, A6 and B0 to D7. Korean fills B0 to C8 only, Chinese the
    half behind that too; Big5 and Shift-JIS have second bytes below A1.

    >>> _common_chinese("如图，求角的度数".encode("gb18030")), _common_chinese("角".encode("big5"))
    (True, False)
    """
    pairs = re.findall(rb"[\x81-\xfe][\x30-\xfe]", data)
    leads = [lead for lead, second in pairs if second > 0xA0]
    common = [b for b in leads if b in b"\xa1\xa2\xa3\xa6" or 0xB0 <= b <= 0xD7]
    late = sum(byte > 0xC8 for byte in common)
    high = sum(byte > 127 for byte in data)
    return len(common) * 2 >= ENOUGH * high and late * 10 >= len(common)


# signs inside a word (’ and · aside) are letters of another code page, as in Polish or DOS; so are
# these bytes, which stand for Icelandic and Czech letters here, and for common ones elsewhere
_DOUBTFUL = re.compile(
    rb"(?<=[A-Za-z])[\x80-\x91\x93-\xb6\xb8-\xbf\xd7\xf7](?=[A-Za-z])"
    rb"|[\x8a\x8e\x9a\x9e\x9f\xd0\xdd\xde\xf0\xfd\xfe]"
)


def _single_accents(data: bytes) -> bool:
    """Whether what is not ASCII are letters and signs of Western Europe, one or two at a time.

    >>> [_single_accents(text.encode(page)) for text, page in (
    ...     ("un café, Größe 30°", "cp1252"), ("угол", "cp1251"), ("słowo", "cp1250"))]
    [True, False, False]
    """
    if b"\0" in data or set(data) & set(b"\x81\x8d\x8f\x90\x9d"):
        return False
    high = sum(byte > 127 for byte in data)
    runs = re.findall(rb"[\x80-\xff]+", data)
    short = sum(len(run) for run in runs if len(run) <= 2)
    doubtful = len(_DOUBTFUL.findall(data))
    return short >= ENOUGH * high and doubtful <= (1 - ENOUGH) * high
