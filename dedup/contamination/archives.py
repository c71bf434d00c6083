"""Documents of web archives (WARC, WET) and of JSON arrays, one at a time.

The library FastWARC reads archives: the extra `warc`. Of a response the text is what a reader of
its page sees; of a conversion it is as it stands. An array is read element by element, so that it
may be as long as it likes.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from ...base.extras import extra
from ...convert.html import html_to_text
from ...errors import UserError

WARC = b"WARC/"
LONGEST_RECORD = 16_000_000  # bytes of a page; of a longer one the rest is passed over
LONGEST_ELEMENT = 64_000_000  # characters of an element of an array
READ = 1 << 20
_between = tuple(" \t\r\n,")
_decoder = json.JSONDecoder()


class Record(NamedTuple):
    """A page of an archive: its address, and its text or why there is none."""

    number: int
    address: str
    text: str
    cause: str = ""


def records(stream: BinaryIO, file: str) -> Iterator[Record]:
    """The pages of an archive. Raises UserError without the extra, OSError for a damaged one."""
    with extra("warc", file):
        from fastwarc.warc import ArchiveIterator, WarcRecordType

    wanted = WarcRecordType.response | WarcRecordType.conversion
    pages = ArchiveIterator(stream, record_types=wanted, auto_decode="content")
    for number, record in enumerate(pages, 1):
        address = record.headers.get("WARC-Target-URI") or f"{file}:{number}"
        data = record.reader.read(LONGEST_RECORD)
        is_page = record.record_type == WarcRecordType.response
        kind = record.http_content_type or "" if is_page else "text/plain"
        if not kind.startswith("text/") and "html" not in kind:
            continue  # a picture, a script: no text for anybody
        try:
            text = data.decode(
                record.http_charset or "utf-8" if is_page else "utf-8", "replace"
            )
            yield Record(
                number, address, html_to_text(text)[0] if "html" in kind else text
            )
        except (LookupError, ValueError, RecursionError, UserError) as error:
            yield Record(number, address, "", str(error))


def elements(stream: BinaryIO) -> Iterator[Any]:
    """The elements of a JSON array. Raises ValueError for a damaged one, or one without an end.

    >>> import io
    >>> list(elements(io.BytesIO(b'[{"a": 1}, [2, 3] ]')))
    [{'a': 1}, [2, 3]]
    """
    decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
    text = decoder.decode(stream.read(READ)).lstrip()
    at = 1  # behind the bracket
    while True:
        while text[at : at + 1] in _between:
            at += 1
        if text[at : at + 1] == "]":
            return
        try:
            value, end = _decoder.raw_decode(text, at)
        except ValueError:
            end = len(text)  # it may go on
        if end < len(text):
            yield value
            at = end
            continue
        text, at = text[at:], 0
        if len(text) > LONGEST_ELEMENT:
            raise ValueError(f"an element longer than {LONGEST_ELEMENT:,} characters")
        data = stream.read(
            max(READ, len(text))
        )  # as much again: each is tried few times
        if not data:
            raise ValueError(f"no JSON, or no end of the array: {text[:40]!r}")
        text += decoder.decode(data)
