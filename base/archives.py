"""What reading a zip may raise when it is damaged or made to harm: one list for all readers."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib

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
