"""Logs of inspect_ai as rows of predictions: a .eval archive, or one JSON document."""

from __future__ import annotations

import json
import re
import struct
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ...base.archives import ZIP_ERRORS
from ...errors import UserError

ZSTANDARD = 93  # the compression method of zip's appendix that inspect writes
HEADER = "header.json"
MAX_SAMPLE = 100_000_000  # bytes of one unpacked sample; a zip bomb has more
_SAMPLE = re.compile(r"samples/[^/]+\.json")


class Part(msgspec.Struct):
    """A part of a message; those of type text are the reply, those of type reasoning thoughts."""

    type: str = ""
    text: str = ""
    reasoning: str = ""


class Message(msgspec.Struct):
    content: str | list[Part] = ""
    role: str = ""


class Choice(msgspec.Struct):
    message: Message
    stop_reason: str = ""


class Output(msgspec.Struct):
    completion: str = ""
    choices: list[Choice] = []
    usage: dict[str, Any] | None = None
    time: float | None = None


class Logged(msgspec.Struct):
    """What is read of a sample; `error` is set where it ended without a reply.

    A task of a hub (`hf/owner/name`) only counts samples; their ids stand in the metadata.
    """

    id: str | int
    metadata: dict[str, Any] | None = None
    output: Output = msgspec.field(default_factory=Output)
    messages: list[Message] = []
    epoch: int = 1
    error: Any = None
    scores: dict[str, Any] | None = None


class Fault(msgspec.Struct):
    message: str = ""


class Header(msgspec.Struct):
    """How the run ended: success, error, cancelled, or started where it was killed."""

    status: str = "success"
    error: Fault | None = None


def decoded(data: bytes) -> Any:
    """JSON, with NaN as None: pandas leaves it in empty cells, inspect where a gold is withheld.

    Raises ValueError.
    """
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        if b"NaN" not in data:
            raise ValueError(str(error)) from error
    try:
        return json.loads(data, parse_constant=lambda name: None)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def unfinished(path: Path, header: Any) -> Iterator[tuple[int, str]]:
    """What is wrong with a log whose run did not end well: not everything was asked."""
    try:
        ended = msgspec.convert(header, Header)
    except msgspec.ValidationError as error:
        yield 0, f"{path}: not the header of an inspect log ({error})"
        return
    if ended.status != "success":
        reason = f" ({ended.error.message[:200]})" if ended.error else ""
        yield 0, f"{path}: the run ended with status {ended.status!r}{reason}"


def inspect_samples(path: Path, samples: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """Number and {"id", "repeat", "response"} of each sample; a text says what is wrong with one.

    A sample that failed has no reply (None); epochs are repeats.
    """
    for number, sample in enumerate(samples, 1):
        try:
            logged = msgspec.convert(sample, Logged)
        except msgspec.ValidationError as error:
            yield number, f"{path}:{number}: not a sample of an inspect log ({error})"
        else:
            yield number, _row(logged)


def inspect_archive(path: Path) -> Iterator[tuple[int, Any]]:
    """The samples of a .eval file, a zip with one JSON file for each.

    Raises UserError when it cannot be read.
    """
    try:
        with zipfile.ZipFile(path) as log:
            members = log.namelist()
            samples = sorted(filter(_SAMPLE.fullmatch, members))
            header = [HEADER] if HEADER in members else []
            for name in header + samples:
                if log.getinfo(name).file_size > MAX_SAMPLE:
                    raise ValueError(f"{name} is larger than {MAX_SAMPLE:,} bytes")
            for name in header:
                yield from unfinished(path, decoded(member(log, name)))
            contents = (decoded(member(log, name)) for name in samples)
            yield from inspect_samples(path, contents)
    except ZIP_ERRORS as error:
        raise UserError(
            f"{path} is not an inspect log that can be read ({error})",
            "convert it: inspect log convert --to json",
        ) from error


def member(archive: zipfile.ZipFile, name: str) -> bytes:
    """A member's bytes; newer logs are packed with Zstandard, which zipfile cannot unpack.

    Raises ValueError where it is larger than its entry says.
    """
    entry = archive.getinfo(name)
    if entry.compress_type != ZSTANDARD:
        return archive.read(name)
    import pyarrow

    assert archive.fp is not None
    archive.fp.seek(entry.header_offset)
    name_length, extra_length = struct.unpack("<26xHH", archive.fp.read(30))
    archive.fp.seek(name_length + extra_length, 1)
    packed = pyarrow.BufferReader(archive.fp.read(entry.compress_size))
    with pyarrow.CompressedInputStream(packed, "zstd") as frames:
        data: bytes = frames.read(entry.file_size + 1)
    if len(data) > entry.file_size:
        raise ValueError(f"{name} is larger than it says")
    return data


def _row(logged: Logged) -> dict[str, Any]:
    """A sample as a row: the reply, thoughts, how it ended, and inspect's own scores."""
    output = logged.output
    choice = output.choices[0] if output.choices else None
    parts = choice.message.content if choice else ""
    reply = output.completion or _joined(parts, "text")
    sample_id: Any = logged.id
    if isinstance(sample_id, int) and logged.metadata:
        sample_id = logged.metadata.get("id", sample_id)
    return {
        "id": sample_id,
        "repeat": logged.epoch,
        "response": None if logged.error else reply,
        "thoughts": _joined(parts, "reasoning"),
        "status": "error" if logged.error else None,
        "finish_reason": choice.stop_reason if choice else "",
        "asked": _asked(logged.messages),
        "pictures": sum(part.type == "image" for part in _parts_asked(logged.messages)),
        "prompt_tokens": (output.usage or {}).get("input_tokens"),
        "completion_tokens": (output.usage or {}).get("output_tokens"),
        "thought_tokens": (output.usage or {}).get("reasoning_tokens"),
        "seconds": output.time,
        "scores": logged.scores or {},
    }


def _parts_asked(messages: Iterable[Message]) -> list[Part]:
    """The parts of the messages before the first reply."""
    parts = []
    for message in messages:
        if message.role == "assistant":
            break
        own = message.content
        parts += [Part(type="text", text=own)] if isinstance(own, str) else own
    return parts


def _asked(messages: Iterable[Message]) -> str:
    """The message as it was sent, for people."""
    return "\n".join(
        "[picture]" if part.type == "image" else part.text
        for part in _parts_asked(messages)
    )


def _joined(parts: str | list[Part], kind: str) -> str:
    if isinstance(parts, str):
        return parts if kind == "text" else ""
    return "\n".join(getattr(part, kind) for part in parts if part.type == kind)
