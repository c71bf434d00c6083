"""Documents of other programs as pandoc's syntax tree: one bounded process, no network.

pandoc (the extra `documents`) knows what Word, OpenDocument, notebooks and wikis mean by a list, a
table or a footnote. It runs in its sandbox, with a heap and CPU seconds that follow from the size
of the file; archives are looked at before it sees them.
"""

from __future__ import annotations

import io
import re
import subprocess
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from ...base.archives import ZIP_ERRORS
from ...base.extras import extra
from ...base.files import read_bytes, write_bytes
from ...base.json_lines import decode
from ...errors import MachineError, UserError

MAX_FILE = 100_000_000  # bytes
MAX_UNPACKED = 400_000_000  # of an archive
MAX_TEXT = 60_000_000  # of one part of it that is XML
MAX_ENTRIES = 10_000
HEAP = "-M1500m"  # of pandoc; its tree of a part of XML is a hundred times as large
CPU_SECONDS = (
    10  # of any file, and more for each megabyte of text; usual exams need a tenth
)
CPU_OF_MEGABYTE = 5
BACKSTOP = 10  # times the CPU seconds, by the clock

# Closed: the formats that hold problems, as pandoc calls them, by the ends of names.
FORMATS = {
    ".docx": "docx",
    ".docm": "docx",
    ".odt": "odt",
    ".ipynb": "ipynb",
    ".mediawiki": "mediawiki",
    ".wiki": "mediawiki",
    ".wikitext": "mediawiki",
    ".rst": "rst",
    ".org": "org",
    ".typ": "typst",
    ".epub": "epub",
    ".jats": "jats",
    ".nxml": "jats",
    ".dbk": "docbook",
    ".docbook": "docbook",
    ".rtf": "rtf",
}
_ARCHIVES = ("docx", "odt", "epub")
_XML = (".xml", ".xhtml", ".html", ".opf", ".ncx", ".rels")
_ENTITY = b"<!ENTITY"


class Tree(msgspec.Struct):
    """A document's blocks as pandoc's JSON has them, and its pictures by their names there."""

    blocks: list[Any]
    media: dict[str, bytes]


def format_of(path: Path) -> str:
    """What pandoc calls the format of a file, by its name; "" for one that it need not read.

    >>> format_of(Path("exam.DOCX")), format_of(Path("exam.md"))
    ('docx', '')
    """
    return FORMATS.get(path.suffix.lower(), "")


def sound_content(path: Path, kind: str) -> bytes:
    """What is in a file, looked at before anything is unfolded.

    Raises UserError for a file that is damaged, too large or made to harm.
    """
    content = _content(path)
    if kind in _ARCHIVES:
        _check_archive(path, content)
    elif kind in ("jats", "docbook"):
        if _ENTITY in content:
            what = f"{path}:{_line(content, _ENTITY)}: an entity is declared"
            raise UserError(what, "write out what it stands for: none is expanded")
    elif kind != "rtf":
        _check_text(path, content)
    return content


def syntax_tree(path: Path, kind: str, content: bytes) -> Tree:
    """The document that the content of a file is, which pandoc calls `kind`.

    Raises UserError for what pandoc cannot read, for more work than its size allows, and where
    pandoc is not installed; MachineError where it cannot be run.
    """
    with TemporaryDirectory() as folder:
        source = Path(folder) / "in" / f"document.{kind}"
        write_bytes(source, content)
        work = Path(folder) / "out"
        work.mkdir()
        document = _converted(path, kind, source, work)
        media = {
            file.relative_to(work).as_posix(): file.read_bytes()
            for file in sorted(work.rglob("*"))
            if file.is_file()
        }
    return Tree(document["blocks"], media)


def _content(path: Path) -> bytes:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise UserError(
            f"cannot read {path}: {error.strerror}", "check the path"
        ) from None
    if size > MAX_FILE:
        raise UserError(
            f"{path}: {size:,} bytes", f"the limit is {MAX_FILE:,}: part it"
        )
    return read_bytes(path)


def _line(content: bytes, part: bytes) -> int:
    return content.count(b"\n", 0, content.index(part)) + 1


def _check_text(path: Path, content: bytes) -> None:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        what = f"{path}:{line}: not UTF-8 (byte {content[error.start]:#04x})"
        raise UserError(what, "save it as UTF-8") from None


def _check_archive(path: Path, content: bytes) -> None:
    """Refuse what would unfold beyond bounds, by the sizes that it states, and by entities."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            size = sum(entry.file_size for entry in entries)
            if size > MAX_UNPACKED or len(entries) > MAX_ENTRIES:
                what = (
                    f"{path}: {len(entries):,} files of {size:,} bytes are packed in it"
                )
                raise UserError(what, f"the limit is {MAX_UNPACKED:,} bytes: part it")
            for entry in entries:
                if entry.filename.lower().endswith(_XML):
                    _check_part(path, entry, archive)
    except ZIP_ERRORS as error:
        remedy = "open and save it anew with the program that wrote it"
        raise UserError(f"cannot read {path}: {error}", remedy) from None


def _check_part(path: Path, entry: zipfile.ZipInfo, archive: zipfile.ZipFile) -> None:
    where = f"{path}: {entry.filename}"
    if entry.file_size > MAX_TEXT:
        what = f"{where}: {entry.file_size:,} bytes"
        raise UserError(what, f"the limit is {MAX_TEXT:,}: part the document")
    with archive.open(entry) as file:
        part = file.read(MAX_TEXT + 1)
    if _ENTITY in part:
        what = f"{where}:{_line(part, _ENTITY)}: an entity is declared"
        raise UserError(
            what, "save the document anew; programs of offices declare none"
        )


@cache
def _program() -> str:
    with extra("documents", "a document of another program"):
        import pypandoc
    bundled = Path(pypandoc.__file__).parent / "files" / "pandoc"
    return str(bundled) if bundled.exists() else str(pypandoc.get_pandoc_path())


def _converted(path: Path, kind: str, source: Path, work: Path) -> dict[str, Any]:
    """pandoc's JSON of a file; its pictures lie in `work` afterwards."""
    seconds = CPU_SECONDS + CPU_OF_MEGABYTE * (_text_size(kind, source) // 1_000_000)
    command = [_program(), "+RTS", HEAP, "-RTS", "--sandbox", "--extract-media=."]
    command += ["-f", kind, "-t", "json", str(source)]
    try:
        process = subprocess.Popen(
            command,
            cwd=work,
            env={"PATH": "/usr/bin:/bin", "HOME": str(work), "LANG": "C.UTF-8"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        what = f"cannot run {command[0]}: {error.strerror}"
        raise MachineError(what, "install 'benchwright[documents]' again") from error
    with process:
        _bound_cpu(process.pid, seconds)
        try:
            out, err = process.communicate(timeout=BACKSTOP * seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            out, err = b"", b""
    if process.returncode:
        said = err.decode("utf-8", "replace").replace(str(source), path.name)
        if kind == "typst" and (asked := _PACKAGE.search(source.read_text("utf-8"))):
            what = f"{path}: it is written in words of {asked[1]}, which is not here"
            raise UserError(what, _TYPST_REMEDY)
        raise UserError(f"{path}: {_why(process.returncode, said)}", _REMEDY)
    try:
        document: dict[str, Any] = decode(out)
    except (msgspec.DecodeError, RecursionError):
        raise UserError(f"{path}: nested too deeply", _REMEDY) from None
    return document


def _bound_cpu(process: int, seconds: int) -> None:
    """Bound the CPU seconds of a process, where the system can; elsewhere a backstop ends it."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    if hasattr(resource, "prlimit"):  # on Linux
        resource.prlimit(process, resource.RLIMIT_CPU, (seconds, seconds + 1))


def _text_size(kind: str, source: Path) -> int:
    """The bytes that pandoc parses: of an archive those of its XML."""
    if kind not in _ARCHIVES:
        return source.stat().st_size
    with zipfile.ZipFile(source) as archive:
        entries = archive.infolist()
        return sum(e.file_size for e in entries if e.filename.lower().endswith(_XML))


# a package that a document of Typst asks for
_PACKAGE = re.compile(r"#import[ \t]+\"(@[^\"\n]{1,100})\"")
_TYPST_REMEDY = "let Typst write it as HTML (typst compile --format html) and give that"
_REMEDY = "open and save it anew with the program that wrote it, or give it as Markdown"


def _why(code: int, err: str) -> str:
    """What pandoc says, its warnings apart."""
    if code < 0 or code == 251:  # killed at a bound, or the heap was used up
        return "too much work for its size"
    lines = [line.strip() for line in err.strip().splitlines()]
    said = " ".join(line for line in lines if "[WARNING]" not in line)
    return f"cannot be read: {said[:300] or 'damaged'}"
