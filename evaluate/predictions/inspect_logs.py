"""Logs of inspect_ai as rows of predictions: a .eval archive, or one JSON document."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ...errors import UserError

MAX_SAMPLE = 100_000_000  # bytes of one unpacked sample; a zip bomb has more


class Part(msgspec.Struct):
    """A part of a message; only those of type text are the reply, not reasoning or media."""

    type: str = ""
    text: str = ""


class Message(msgspec.Struct):
    content: str | list[Part] = ""


class Choice(msgspec.Struct):
    message: Message


class Output(msgspec.Struct):
    completion: str = ""
    choices: list[Choice] = []


class Logged(msgspec.Struct):
    """What is read of a sample."""

    id: str | int
    output: Output


def inspect_samples(path: Path, samples: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """Number and {"id", "response"} of each sample; a string instead says what is wrong with it."""
    for number, sample in enumerate(samples, 1):
        try:
            logged = msgspec.convert(sample, Logged)
        except msgspec.ValidationError as error:
            yield number, f"{path}:{number}: not a sample of an inspect log ({error})"
        else:
            yield number, {"id": logged.id, "response": _text(logged.output)}


def inspect_archive(path: Path) -> Iterator[tuple[int, Any]]:
    """The samples of a .eval file, a zip with one JSON file for each.

    Raises UserError when it cannot be read.
    """
    try:
        with zipfile.ZipFile(path) as log:
            names = sorted(n for n in log.namelist() if re.fullmatch(r"samples/[^/]+\.json", n))
            if big := [n for n in names if log.getinfo(n).file_size > MAX_SAMPLE]:
                raise ValueError(f"{big[0]} is larger than {MAX_SAMPLE:,} bytes")
            yield from inspect_samples(path, (msgspec.json.decode(log.read(n)) for n in names))
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, ValueError) as error:
        raise UserError(
            f"{path} is not an inspect log that can be read ({error})",
            "convert it: inspect log convert --to json",
        ) from error


def _text(output: Output) -> str:
    """The reply: what inspect calls completion, or the text of the first choice."""
    if output.completion or not output.choices:
        return output.completion
    content = output.choices[0].message.content
    if isinstance(content, str):
        return content
    return "\n".join(part.text for part in content if part.type == "text")
