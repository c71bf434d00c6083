"""What a file is, by what stands in it: the readers that may read it, or why none does.

A name decides only between formats whose texts look alike. Nothing is unfolded and at most the
first stretch of a file is looked at.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from ...base.archives import ZIP_ERRORS
from ..documents import format_of
from .aiken import ends_in_answers

LOOKED_AT = 65_536  # bytes
MAX_NAMES = 10_000  # of an archive


class Known(msgspec.Struct, frozen=True):
    """What a file is for people, and the readers that may read it, the likeliest first."""

    what: str
    readers: tuple[str, ...]
    options: dict[str, Any] = {}


class Unknown(msgspec.Struct, frozen=True):
    """What was seen in a file that no reader reads, and what to do with it."""

    saw: str
    remedy: str


# Closed: what files begin with that hold problems only for other programs.
_BINARY: tuple[tuple[bytes, str, str], ...] = (
    (
        b"%PDF",
        "a PDF",
        "benchwright convert pdf sends it to Mathpix, and convert exam cuts it",
    ),
    (
        b"\xd0\xcf\x11\xe0",
        "an old Word, Excel or PowerPoint file",
        "save it as .docx or .xlsx",
    ),
    (b"SQLite format 3", "a SQLite database", "export the table of problems as CSV"),
    (b"7z\xbc\xaf", "a 7z archive", "unpack it, and look at the folder"),
    (b"Rar!", "a RAR archive", "unpack it, and look at the folder"),
    (b"BZh", "a bzip2 archive", "unpack it"),
    (b"\xfd7zXZ", "an xz archive", "unpack it"),
    (b"\x89PNG", "a picture (PNG)", "benchwright convert pdf sends scans to Mathpix"),
    (
        b"\xff\xd8\xff",
        "a picture (JPEG)",
        "benchwright convert pdf sends scans to Mathpix",
    ),
    (b"GIF8", "a picture (GIF)", "benchwright convert pdf sends scans to Mathpix"),
    (b"ARROW1", "an Arrow file", "save it as Parquet"),
    (b"\x93NUMPY", "a NumPy array", "save the problems as CSV or JSON"),
    (
        b"\x80\x04",
        "a Python pickle, which is a program",
        "save the problems as CSV or JSON",
    ),
)
_GZIP = b"\x1f\x8b"


def recognised(path: Path) -> Known | Unknown:
    """What a file is. Raises OSError for one that cannot be read.

    >>> recognised(Path("convert/readers/recognise.py")).what  # doctest: +SKIP
    'text'
    """
    with path.open("rb") as file:
        start = file.read(LOOKED_AT)
    if not start.strip():
        return Unknown("an empty file", "is it the right one?")
    if start.startswith(b"PK\x03\x04"):
        return _archive(path)
    for mark, saw, remedy in _BINARY:
        if start.startswith(mark):
            return Unknown(saw, remedy)
    if start.startswith(b"PAR1"):
        return Known("a Parquet table", ("table",))
    if start.startswith(_GZIP):
        inner = path.with_suffix("").suffix
        readers = ("jsonl",) if inner in (".jsonl", ".json") else ("table", "jsonl")
        return Known("a packed table", readers)
    if start.startswith(b"{\\rtf"):
        return Known("a Rich Text document", ("document",), {"format": "rtf"})
    if b"\0" in start and not start.startswith((b"\xff\xfe", b"\xfe\xff")):
        shown = start[:8].hex(" ")
        return Unknown(f"a binary file that begins with {shown}", "export it as text")
    return _text(path, _decoded(start))


def instead(path: Path, reader: str) -> tuple[str, str] | None:
    """What a file is that a reader makes nothing of, and what to say; None where it is its own."""
    try:
        known = recognised(path)
    except OSError:
        return None
    if isinstance(known, Unknown):
        return f"{path.name} is {known.saw}", known.remedy
    same = {"csv": "table"}
    if same.get(reader, reader) == known.readers[0] or known.what == "text":
        return None
    options = f", options: {known.options}" if known.options else ""
    return f"{path.name} is {known.what}", f"say reader: {known.readers[0]}{options}"


def _decoded(start: bytes) -> str:
    """The text of a stretch that may end inside a character."""
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return start.decode("utf-16", "replace")
    return start.decode("utf-8-sig", "replace")


# Archives -----------------------------------------------------------------------------------------


def _archive(path: Path) -> Known | Unknown:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()[:MAX_NAMES]
            kind = archive.read("mimetype")[:100] if "mimetype" in names else b""
    except ZIP_ERRORS as error:
        return Unknown(f"a damaged zip archive ({error})", "fetch it again")
    if "word/document.xml" in names:
        return Known("a Word document", ("document",), {"format": "docx"})
    if "xl/workbook.xml" in names:
        return Known("an Excel workbook", ("table",))
    if b"opendocument.text" in kind:
        return Known("an OpenDocument text", ("document",), {"format": "odt"})
    if b"epub" in kind:
        return Known("an EPUB book", ("document",), {"format": "epub"})
    if "ppt/presentation.xml" in names or b"opendocument" in kind:
        return Unknown(
            "slides or a spreadsheet", "save it as .docx, or as .xlsx or CSV"
        )
    if any(name.endswith((".xml", ".dat")) for name in names):
        return Known("a package of QTI (Canvas, Blackboard, TAO)", ("qti",))
    shown = ", ".join(sorted(names)[:3])
    remedy = "unpack it, and look at the folder"
    return Unknown(f"a zip archive of {len(names)} files: {shown}", remedy)


# Texts --------------------------------------------------------------------------------------------

_ROOT = re.compile(r"<(?![?!])(?:[\w.-]+:)?([\w.-]+)")
# Closed: the first elements of the formats of XML that are read
_XML: dict[str, Known] = {
    "quiz": Known("a question bank of Moodle (XML)", ("moodle",)),
    "questestinterop": Known("QTI 1.2 (Canvas, Blackboard)", ("qti",)),
    "assessmentitem": Known("a QTI item", ("qti",)),
    "qti-assessment-item": Known("a QTI 3 item", ("qti",)),
    "pretext": Known("a PreTeXt book", ("pretext",)),
    "mathbook": Known("a PreTeXt book", ("pretext",)),
    "posts": Known("posts of a StackExchange dump", ("stackexchange",)),
    "document": Known("a module of CNXML (OpenStax)", ("cnxml",)),
    "html": Known("a web page", ("exam",)),
    "article": Known("a JATS article", ("document",), {"format": "jats"}),
    "book": Known("a DocBook book", ("document",), {"format": "docbook"}),
}
_DOCBOOK = ("chapter", "qandaset", "section", "set", "refentry")
_EXERCISES = ("exercise", "exercises", "exercisegroup")


def _xml(text: str) -> Known | Unknown:
    root = _ROOT.search(text)
    name = root[1].lower() if root else ""
    if name == "article" and ("docbook" in text or "<section" in text[:2_000]):
        return msgspec.structs.replace(_XML["book"], what="a DocBook article")
    if name in _XML:
        return _XML[name]
    if name in _DOCBOOK and "docbook" in text:
        return _XML["book"]
    if name in _EXERCISES or "<statement" in text:
        return Known("a part of a PreTeXt book", ("pretext",))
    if "<p>" in text or "<div" in text or "<br" in text:
        return _XML["html"]
    if not name:
        return Unknown("markup without an element", "give the file that it is for")
    return Known(f"XML of its own, <{name}>", ("xml",))


def _json(text: str) -> Known:
    if '"nbformat"' in text or ('"cells"' in text and '"cell_type"' in text):
        return Known("a Jupyter notebook", ("document",), {"format": "ipynb"})
    if '"origin"' in text and '"raw_id"' in text and '"question"' in text:
        return Known("problems of benchwright", ("problems",))
    return Known("records in JSON", ("jsonl", "exam"))


def _searches(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern, re.M)
    return lambda text: bool(compiled.search(text))


# What only one markup writes, in the order in which they are told apart.
_MARKUPS: tuple[tuple[str, Callable[[str], bool], Known], ...] = (
    (
        ".tex",
        _searches(
            r"^\s*\\(?:documentclass|begin\{document\}|begin\{(?:questions|problem)\})"
        ),
        Known("a LaTeX document", ("tex", "exam")),
    ),
    (
        ".gift",
        _searches(
            r"^\$CATEGORY:|^\s*::[^:\n]+::[^{]*\{|^[^{}\n]+\{\s*(?:[=~]|#|T\}|F\}|TRUE|FALSE)"
        ),
        Known("questions in GIFT (Moodle)", ("gift",)),
    ),
    (
        ".wiki",
        _searches(r"^={2,4}[^=\n]+={2,4}\s*$[\s\S]*(?:<math>|<imath>|\[\[|\{\{)"),
        Known("a page of a wiki", ("document",), {"format": "mediawiki"}),
    ),
    (
        ".org",
        _searches(r"(?i)^#\+(?:title|begin_|latex|options|author)"),
        Known("an Org document", ("document",), {"format": "org"}),
    ),
    (
        ".rst",
        _searches(r"^\.\. [\w-]+::|:math:`|^[=~\-]{4,}\n[^\n]+\n[=~\-]{4,}$"),
        Known("a reStructuredText document", ("document",), {"format": "rst"}),
    ),
    (
        ".typ",
        _searches(r"^#(?:set|import|show|let) \w"),
        Known("a Typst document", ("document",), {"format": "typst"}),
    ),
)
_MARKUP = re.compile(r"<(?:[?!]|[A-Za-z][\w:.-]*[\s/>])")
_JSON = re.compile(r"\{\s*[\"}]|\[\s*[\"\[{\]\d-]")
_SCRIPT = re.compile(r"(?:export |const |let |var |module\.exports)[^\n]{0,200}[=({\[]")
_TABLES = (".csv", ".tsv", ".tab")
_MARKDOWN = (".md", ".markdown", ".mdx", ".qmd", ".rmd", ".mmd")  # may begin with a tag
_DELIMITERS = ",;\t|"
# Closed: what programs, styles and settings are called; problems in them are for their programs.
_PROGRAMS = frozenset(
    "bat bib c cc cfg cls cmake conf cpp cs css dtd go gradle h hpp ini java jl js jsx kt lean less"
    " asy ggb lock lua m mk mjs njk php pl pm ps1 py pyw rb rd rs sass scala scss sh sql sty swift"
    " tmp toml ts tsx"
    " vue xsl".split()
)


# Files that programs ask for by these names
_NAMED_PROGRAMS = ("makefile", "dockerfile", "pipfile", "gemfile", "rakefile")
# The meta-information of R/exams, and the line that ends a question in Aiken and its kin
_REXAMS = re.compile(r"(?m)^[%\s]*\\?extype(?::|\{)")
_WRITTEN_IN_R = (".rmd", ".rnw", ".md", ".qmd", ".tex")


def _text(path: Path, text: str) -> Known | Unknown:
    start = text.lstrip()
    suffix = path.suffix.lower()
    if suffix in _WRITTEN_IN_R and _REXAMS.search(text) and "exsolution" in text:
        return Known("an exercise of R/exams", ("rexams",))
    if suffix in (".yaml", ".yml"):
        return Known("records in YAML", ("jsonl",))
    is_program = suffix[1:] in _PROGRAMS or path.name.lower() in _NAMED_PROGRAMS
    if is_program or path.name.startswith(".") or start.startswith("#!"):
        saw = f"a program, a style or settings ({path.suffix or path.name})"
        return Unknown(saw, "give the file that the problems are in, as JSON or CSV")
    if _MARKUP.match(start) and suffix not in _MARKDOWN:
        return _xml(start)
    if _SCRIPT.match(start):
        return Unknown("a script (JavaScript)", "save the array in it as JSON")
    if _JSON.match(start) and suffix not in _TABLES:
        return _json(text)
    for ending, found, known in _MARKUPS:
        is_called = suffix == ending or format_of(path) == known.options.get(
            "format", "-"
        )
        if is_called or (suffix not in (*_MARKDOWN, *_TABLES) and found(text)):
            return known
    if suffix in _TABLES or _delimited(text):
        return Known("a table", ("table", "exam"))
    if ends_in_answers(text):
        return Known("questions that end in their answers (Aiken)", ("aiken", "exam"))
    return Known("text", ("exam", "markdown"))


def _delimited(text: str) -> bool:
    """Whether the first lines hold the same number of one delimiter, two or more."""
    lines = [line for line in text.split("\n")[:-1][:5] if line.strip()]
    counts = [{len(line.split(sign)) for line in lines} for sign in _DELIMITERS]
    return len(lines) > 2 and any(
        len(found) == 1 and found.pop() > 2 for found in counts
    )
