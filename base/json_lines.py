"""Records as JSON: one line with sorted keys, the same bytes everywhere; any JSON read safely."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

_encoder = msgspec.json.Encoder(order="sorted")


def encode(record: Any) -> bytes:
    """One JSON line with sorted keys and its newline.

    >>> encode({"b": 1, "a": "é"})
    b'{"a":"\\xc3\\xa9","b":1}\\n'
    """
    return _encoder.encode(record) + b"\n"


def pretty(record: Any) -> bytes:
    """Indented JSON with sorted keys, for files that people read."""
    return msgspec.json.format(_encoder.encode(record), indent=2) + b"\n"


def decode(data: bytes | str) -> Any:
    """The value of JSON from outside; raises msgspec.DecodeError, for what is too deep, too.

    >>> decode('{"a": 1}')
    {'a': 1}
    """
    try:
        return msgspec.json.decode(data)
    except RecursionError:
        raise msgspec.DecodeError("JSON is nested too deeply") from None


def put_line(record: Any) -> None:
    """One JSON line on stdout, at once: the reader at the other end of a pipe may be waiting."""
    sys.stdout.buffer.write(encode(record))
    sys.stdout.buffer.flush()
