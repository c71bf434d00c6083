r"""The text of a LaTeX document: comments gone, `\input` in place, macros written out."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from ...base.files import inside
from ...errors import UserError
from ...latex import mended
from .macros import Expansion, MacroError
from .references import resolved

MAX_FILES, MAX_DEEP, MAX_BYTES = 200, 8, 20_000_000  # of one document

_COMMENT = re.compile(r"(?m)^[ \t]*%.*\n?|(?<!\\)((?:\\\\)*)%.*$")
_LEFT_OUT = re.compile(
    r"\\ExplSyntaxOn(?![A-Za-z]).*?\\ExplSyntaxOff(?![A-Za-z])|\\ProvidesExpl(?:Package|Class).*"
    r"|\\begin\s*\{comment\}.*?\\end\s*\{comment\}|\\endinput(?![A-Za-z]).*"
    r"|\\iffalse(?![A-Za-z])(?:(?!\\(?:if|else)).)*?\\fi(?![A-Za-z])",
    re.S,
)
# programs that write a part of the document when it is set
_PROGRAM = re.compile(
    r"\\begin\s*\{(?P<name>python|pycode|pyblock|luacode|sagesilent|sageblock)(?P<star>\*?)\}"
    r".*?\\end\s*\{(?P=name)(?P=star)\}",
    re.S,
)
_INPUT = re.compile(
    r"\\(?P<how>input|include|subfile|documentclass|LoadClass|usepackage|RequirePackage)\s*"
    r"(?:\[(?P<options>[^\]]*)\]\s*)?(?:\{(?P<names>[^{}\n]+)\}|(?<=\s)(?P<name>[^\s{}\\%\[]+))"
    r"|\\(?:sub)?import\*?\s*\{(?P<folder>[^{}\n]*)\}\s*\{(?P<imported>[^{}\n]+)\}"
)
_SUFFIX = {"documentclass": ".cls", "LoadClass": ".cls", "usepackage": ".sty"}
_FOLDERS = re.compile(r"\\graphicspath\s*\{((?:\s*\{[^{}\n]*\})+\s*)\}")


class Source(msgspec.Struct):
    r"""A document's body, its folders of pictures, and the files that it is made of.

    `titles` holds what defines its own environments; a file that cannot be read stands in the body
    as `\@missing{name}{why}`.
    """

    body: str
    folders: list[str] = []
    files: list[Path] = []
    titles: dict[str, str] = {}
    counts: dict[str, int] = {}  # of the arguments of its own environments
    title: str = ""  # with the file's name
    restored: list[str] = []  # commands whose backslash was damaged


def read_source(path: Path, root: Path | None = None) -> Source:
    r"""The body of a document, with the packages and files of `\input` that lie below `root`.

    Packages whose macros end only in TeX are left alone; what the document says is read without.

    They are looked for beside the document, beside the file that asks, and in `root` (default: the
    document's folder). Raises UserError for a document that is missing, too large or not UTF-8.
    """
    try:
        return _source(path, _Reading(path.parent, root or path.parent))
    except MacroError:
        return _source(path, _Reading(path.parent, root or path.parent, packages=False))


def _source(path: Path, reading: _Reading) -> Source:
    source = source_of(reading.file(path, 0), path.stem)
    source.files, source.restored = reading.files, reading.restored
    return source


def source_of(text: str, name: str = "") -> Source:
    """The body of a document that is given as text, in which nothing is left to be read.

    >>> source_of(r"\\newcommand{\\R}{\\mathbb R} Is $0 \\in \\R$?").body.strip()
    'Is $0 \\\\in \\\\mathbb R$?'
    """
    found = _FOLDERS.search(text)
    folders = (
        [name.strip() for name in re.findall(r"\{([^{}]*)\}", found[1])]
        if found
        else []
    )
    macros = Expansion()
    text = macros.written(text)
    title = re.search(r"\\title\s*(?:\[[^\]]*\])?\s*\{([^\n]*)", text)
    if start := re.search(r"\\begin\s*\{document\}", text):
        text = re.split(r"\\end\s*\{document\}", text[start.end() :], maxsplit=1)[0]
    return Source(
        resolved(text),
        ["", *folders],
        titles=macros.titles,
        counts=macros.counts,
        title=f"{name} {title[1] if title else ''}",
    )


def _program(match: re.Match[str]) -> str:
    return rf"\@missing{{{match['name']}}}{{a program writes what stands here}}"


class _Reading:
    def __init__(self, folder: Path, root: Path, packages: bool = True) -> None:
        self.folder, self.root, self.packages = folder, root, packages
        self.files, self.open, self.restored = list[Path](), list[Path](), list[str]()
        self.size = 0

    def file(self, path: Path, depth: int) -> str:
        try:
            self.size += path.stat().st_size
            self.files.append(path)
            if len(self.files) > MAX_FILES or self.size > MAX_BYTES or depth > MAX_DEEP:
                raise UserError(
                    f"{path.name}: more than {MAX_FILES} files, {MAX_BYTES:,} bytes, "
                    f"{MAX_DEEP} levels",
                    "part the document",
                )
            data = path.read_bytes()
            is_wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
            text = data.decode("utf-16" if is_wide else "utf-8-sig")
        except OSError as error:
            raise UserError(
                f"cannot read {path.name}: {error.strerror}", "check it"
            ) from error
        except UnicodeDecodeError as error:
            raise UserError(
                f"{path.name}: not UTF-8 (byte {error.object[error.start]:#04x} at {error.start})",
                "convert the file to UTF-8, for instance with iconv -f GB18030 -t UTF-8",
            ) from error
        text = _COMMENT.sub(r"\1", text.replace("\r\n", "\n"))
        text = _PROGRAM.sub(_program, text)
        text, restored = mended(text, tabs=False)  # they indent
        self.restored += restored
        self.open.append(path)
        text = _INPUT.sub(
            lambda m: self._asked(m, path.parent, depth), _LEFT_OUT.sub("", text)
        )
        self.open.pop()
        return text

    def _asked(self, match: re.Match[str], beside: Path, depth: int) -> str:
        """The text of what is asked for; of a package that is not here, the command itself."""
        how = match["how"]
        if how is None:
            return self._included(
                f"{match['folder']}/{match['imported']}", [".tex"], beside, depth
            )
        if how in ("input", "include", "subfile"):
            name = (match["names"] or match["name"]).strip().strip('"')
            return self._included(name, [".tex", ""], beside, depth)
        if not self.packages:
            return match[0]
        suffix = _SUFFIX.get(how, ".sty")
        texts = [match[0]]
        for name in (match["names"] or match["name"]).split(","):
            text = self._included(name.strip(), [suffix], beside, depth, needed=False)
            texts.append(text if "\\begin{document}" not in text else "")
        return "\n".join(texts)

    def _included(
        self,
        name: str,
        suffixes: list[str],
        beside: Path,
        depth: int,
        needed: bool = True,
    ) -> str:
        why = "no such file"
        for folder in dict.fromkeys((self.folder, beside, self.root)):
            for suffix in suffixes:
                if suffix and name.endswith(suffix):
                    suffix = ""
                try:
                    below = (folder / f"{name}{suffix}").absolute()
                    path = inside(
                        self.root, str(below.relative_to(self.root.absolute()))
                    )
                    if not path.is_file():
                        continue
                    if path in self.open:
                        raise UserError("it reads itself")
                    if not needed and path in self.files:
                        return ""
                    return self.file(path, depth + 1)
                except ValueError:
                    why = "it leaves its folder: name a root"
                except UserError as error:
                    why = error.message.replace("path '", "'")
        return rf"\@missing{{{name}}}{{{why}}}" if needed else ""
