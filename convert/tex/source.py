r"""The text of a LaTeX document: comments gone, `\input` in place, macros written out."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from ...base.files import inside
from ...errors import UserError
from .macros import expanded

MAX_FILES, MAX_DEEP, MAX_BYTES = 200, 8, 20_000_000  # of one document

_COMMENT = re.compile(r"(?m)^[ \t]*%.*\n?|(?<!\\)((?:\\\\)*)%.*$")
_INPUT = re.compile(r"\\(?:input|include|subfile)(?:\s*\{([^{}\n]+)\}|[ \t]+([^\s{}\\]+))")
_FOLDERS = re.compile(r"\\graphicspath\s*\{((?:\s*\{[^{}\n]*\})+\s*)\}")


class Source(msgspec.Struct):
    """A document's body, its class and folders of pictures, and the files that it is made of."""

    body: str
    kind: str = ""
    folders: list[str] = []
    files: list[Path] = []


def read_source(path: Path) -> Source:
    r"""The body of a document, with the files of `\input` that lie below its folder.

    Raises UserError for a file that is missing, too large, not UTF-8, or outside the folder.
    """
    reading = _Reading(path.parent)
    text = reading.file(path, 0)
    kind = re.search(r"\\documentclass\s*(?:\[[^\]]*\])?\s*\{([^{}\n]*)\}", text)
    found = _FOLDERS.search(text)
    folders = [name.strip() for name in re.findall(r"\{([^{}]*)\}", found[1])] if found else []
    text = expanded(text)
    start = re.search(r"\\begin\s*\{document\}", text)
    if start:
        text = text[start.end() :]
        if end := re.search(r"\\end\s*\{document\}", text):
            text = text[: end.start()]
    return Source(text, kind[1] if kind else "", ["", *folders], reading.files)


class _Reading:
    def __init__(self, folder: Path) -> None:
        self.folder, self.files, self.size = folder, list[Path](), 0

    def file(self, path: Path, depth: int) -> str:
        try:
            size = path.stat().st_size
            self.size += size
            self.files.append(path)
            if len(self.files) > MAX_FILES or self.size > MAX_BYTES or depth > MAX_DEEP:
                raise UserError(
                    f"{path}: more than {MAX_FILES} files, {MAX_BYTES:,} bytes, {MAX_DEEP} levels",
                    "part the document",
                )
            text = path.read_bytes().decode("utf-8-sig")
        except OSError as error:
            raise UserError(f"cannot read {path}: {error.strerror}", "check the path") from error
        except UnicodeDecodeError as error:
            raise UserError(
                f"{path}: not UTF-8 (byte {error.object[error.start]:#04x} at {error.start})",
                "convert the file to UTF-8, for instance with iconv -f GB18030 -t UTF-8",
            ) from error
        text = _COMMENT.sub(r"\1", text.replace("\r\n", "\n"))
        return _INPUT.sub(lambda m: self._included((m[1] or m[2]).strip(), depth), text)

    def _included(self, name: str, depth: int) -> str:
        path = inside(self.folder, name)
        if not path.is_file():
            path = inside(self.folder, f"{name}.tex")
        return self.file(path, depth + 1)
