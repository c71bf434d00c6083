"""Zips: what reading one may raise when it is damaged or made to harm, and members rewritten."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable

# of the directory, of a member, and of each way to pack one
ZIP_ERRORS = (
    OSError,
    EOFError,
    ValueError,
    KeyError,
    RuntimeError,
    NotImplementedError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
)


def rewritten(
    content: bytes, change: Callable[[str, bytes, zipfile.ZipFile], bytes]
) -> bytes:
    """A zip with each member as `change` makes it, of its name, its bytes and the whole archive."""
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as archive,
        zipfile.ZipFile(packed, "w") as out,
    ):
        for entry in archive.infolist():
            data = archive.read(entry)
            out.writestr(entry.filename, change(entry.filename, data, archive))
    return packed.getvalue()
