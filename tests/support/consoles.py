"""What documents show of consoles: files that a reader is told to write, commands, their output."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

FENCE = re.compile(r"(?:^`([^`\n]+)`:\n\n)?^```(\w*)\n(.*?)^```$", re.S | re.M)


def blocks(text: str) -> Iterator[tuple[str, str, str]]:
    """(language, file name or "", content) of every fenced block; "`name`:" above names a file."""
    for name, language, content in FENCE.findall(text):
        yield language, name, content


def sessions(block: str) -> Iterator[tuple[str, list[str]]]:
    """(command, lines shown below it) for each line that starts with `$ `."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, *shown = part.replace("\\\n", "").splitlines()
        yield command, shown


def differences(shown: list[str], printed: str) -> list[str]:
    """The lines shown that are not printed, in order; `...` stands for what is left out."""
    lines, missing = iter(printed.splitlines()), []
    for line in (line for line in shown if line not in ("...", "")):
        start, *rest = line.split("...")
        start = start.rstrip() if rest else start
        if not any(
            found.startswith(start) if rest else found == start for found in lines
        ):
            missing.append(line)
            lines = iter(printed.splitlines())
    return missing


def write_files(text: str, folder: Path) -> None:
    """Every block that stands below a file's name as that file."""
    for _, name, content in blocks(text):
        if name:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
