"""Word documents: paragraphs as text with their equations as LaTeX.

The archive is read without unpacking it to disk; its size is bounded, and nothing that it refers
to is opened.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from lxml import etree

from ...base.archives import ZIP_ERRORS, rewritten
from ...errors import UserError
from ...latex import joined
from ..mathml import Refusal, from_omml, local_name, parse_xml, script_text, to_latex
from .eq_fields import eq_latex

CARRIERS = frozenset(
    [
        "hyperlink",
        "ins",
        "moveTo",
        "smartTag",
        "sdt",
        "sdtContent",
        "fldSimple",
        "customXml",
    ]
)
BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
MAX_BYTES = 100_000_000  # of the unpacked document part


class Equation(msgspec.Struct):
    """One equation: its LaTeX, or why there is none. `display` says it stands on its own line."""

    latex: str | None
    error: str | None = None
    display: bool = False

    @property
    def text(self) -> str:
        """The equation within running text; a refused one shows its reason."""
        if self.latex is None:
            return f"[equation refused: {self.error}]"
        return f"$${self.latex}$$" if self.display else f"${self.latex}$"


Paragraph = list[str | Equation]


def docx_to_text(path: str | Path, equations: bool = False) -> Iterator[dict[str, Any]]:
    """One row a paragraph, {"id", "text"}, its equations as LaTeX in $...$.

    Equations that are refused stand in "errors" of their paragraph, or are rows {"id", "error"}.

    Args:
        path: A Word document.
        equations: One row an equation, {"id", "latex"}, instead of one a paragraph.

    Raises UserError when the file is no Word document or too large.

    Example: `[row["text"] for row in docx_to_text("exam.docx")]`
    """
    path = Path(path)
    count = 0
    for number, parts in enumerate(read_docx(path), 1):
        formulas = [part for part in parts if isinstance(part, Equation)]
        if not equations:
            errors = [equation.error for equation in formulas if equation.error]
            row = {"id": f"{path.stem}-p{number}", "text": plain_text(parts)}
            yield row | ({"errors": errors} if errors else {})
            continue
        for equation in formulas:
            count += 1
            row = {"id": f"{path.stem}-e{count}"}
            if equation.error:
                yield row | {"error": equation.error}
            else:
                yield row | {"latex": equation.latex}


def read_docx(path: Path) -> Iterator[Paragraph]:
    """The paragraphs of a Word document, and rows of tables, each a list of text and equations.

    `for parts in read_docx(Path("exam.docx")): print(plain_text(parts))`

    Raises UserError when the file is no Word document or too large.
    """
    body = _document(path)
    # the same text box again, for older programs
    for copy in list(body.iter("{*}Fallback")):
        copy.getparent().remove(copy)
    for block in body.iter("{*}p", "{*}tr"):
        rows = list(block.iterancestors("{*}tr"))
        if rows or _named(block, "tr"):
            parts = [] if rows else [*_row(block)]
        else:
            parts = [*_parts(block)]
        if parts:
            yield _merged(parts)


def _row(row: Any) -> Iterator[str | Equation]:
    """The cells of a row, empty ones too, between bars."""
    for number, cell in enumerate(row.iterfind("{*}tc")):
        yield " | " if number else ""
        for k, paragraph in enumerate(cell.iter("{*}p")):
            yield " " if k else ""
            yield from _parts(paragraph)


def plain_text(parts: Paragraph) -> str:
    """A paragraph as one string with formulas in dollar signs."""
    return joined(p if isinstance(p, str) else p.text for p in parts)


# two characters of private use around the number of an equation, which no office program writes
PLACE = "\U000f0000%d\U000f0001"
_HOLDING_TEXT = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml")


def with_places(path: Path, content: bytes) -> tuple[bytes, list[Equation]]:
    """A document whose equations are marks, for a reader that knows more of its structure.

    What no equation editor wrote as Office Math is refused where it stands: objects of other
    programs, fields that draw equations.

    Raises UserError when the file is no Word document or too large.
    """
    equations: list[Equation] = []

    def marked(name: str, data: bytes, _: object) -> bytes:
        return _with_places(path, data, equations) if name in _HOLDING_TEXT else data

    try:
        return rewritten(content, marked), equations
    except ZIP_ERRORS as error:
        raise UserError(f"cannot read {path}: {error}", _REMEDY) from error


def _with_places(path: Path, data: bytes, equations: list[Equation]) -> bytes:
    body = _parsed(path, data)
    _join_fields(body)
    for element in [
        *body.iter("{*}oMathPara", "{*}oMath", "{*}object", "{*}instrText")
    ]:
        made = [*_of_element(element)]
        if not made:
            continue
        marks = " ".join(PLACE % (len(equations) + k) for k, _ in enumerate(made))
        equations += made
        _replace(element, marks)
    return etree.tostring(body, xml_declaration=True, encoding="UTF-8", standalone=True)


def _of_element(element: Any) -> Iterator[Equation]:
    """The equations of an element that is one; none of one inside another."""
    name = local_name(element)
    parent = element.getparent()
    if parent is None or any(
        _named(above, "oMath") for above in element.iterancestors()
    ):
        return
    if name == "oMathPara":
        yield from (_equation(e, True) for e in element if _named(e, "oMath"))
    elif name == "oMath" and not _named(parent, "oMathPara"):
        yield _equation(element, False)
    elif name == "object":
        yield Equation(None, "embedded object (MathType or another program)")
    elif name == "instrText" and _EQ.match(element.text or ""):
        try:
            yield Equation(eq_latex(element.text or ""))
        except UserError as error:
            field = " ".join((element.text or "").split())[:80]
            yield Equation(None, f"field {field}: {error.message}")


_EQ = re.compile(r"(?i)\s*EQ\b")


def _join_fields(body: Any) -> None:
    """The code of a field that draws a formula, which stands in several runs, in the first."""
    first: Any = None
    for element in body.iter("{*}instrText", "{*}fldChar"):
        if _named(element, "fldChar"):
            first = None
        elif first is not None:
            first.text = f"{first.text or ''}{element.text or ''}"
            element.text = ""
        elif _EQ.match(element.text or ""):
            first = element


def _replace(element: Any, marks: str) -> None:
    """A run of text in the place of an element, inside of its run where it is in one."""
    parent = element.getparent()
    space = etree.QName(
        next(e for e in element.iterancestors() if _named(e, "p"))
    ).namespace
    text = etree.Element(f"{{{space}}}t")
    text.text = marks
    new = text
    if not _named(parent, "r"):
        new = etree.Element(f"{{{space}}}r")
        new.append(text)
    new.tail = element.tail
    parent.replace(element, new)


_REMEDY = "give a .docx file, saved by Word or LibreOffice"


def _document(path: Path) -> Any:
    try:
        with zipfile.ZipFile(path) as archive:
            part = archive.getinfo("word/document.xml")
            if part.file_size > MAX_BYTES:
                raise UserError(
                    f"{path}: the document has {part.file_size:,} bytes",
                    f"the limit is {MAX_BYTES:,}",
                )
            with archive.open(part) as file:
                data = file.read(MAX_BYTES + 1)
    except ZIP_ERRORS as error:
        raise UserError(f"cannot read {path}: {error}", _REMEDY) from error
    return _parsed(path, data)


def _parsed(path: Path, data: bytes) -> Any:
    if len(data) > MAX_BYTES or b"<!DOCTYPE" in data[:4096]:
        raise UserError(f"{path}: not an acceptable document part", _REMEDY)
    try:
        return parse_xml(data)
    except Refusal as error:
        raise UserError(f"{path}: {error}", _REMEDY) from error


def _parts(element: Any) -> Iterator[str | Equation]:
    """Text and equations of a paragraph in reading order; deleted text is left out."""
    for child in element:
        name = local_name(child) if isinstance(child.tag, str) else ""
        if name == "oMathPara":
            yield from (_equation(e, True) for e in child if _named(e, "oMath"))
        elif name == "oMath":
            yield _equation(child, False)
        elif name == "r":
            yield from _run(child)
        elif name in CARRIERS:
            yield from _parts(child)


def _run(run: Any) -> Iterator[str | Equation]:
    """A run's text; raised and lowered text becomes a script, so that x² does not become x2."""
    raised = run.find("{*}rPr/{*}vertAlign")
    position = next(iter(raised.values()), "") if raised is not None else ""
    mark = {"superscript": "^", "subscript": "_"}.get(position, "")
    for child in run:
        name = local_name(child) if isinstance(child.tag, str) else ""
        if name == "t" and child.text:
            yield f"${mark}{{{script_text(child.text)}}}$" if mark else child.text
        elif name in BREAKS:
            yield BREAKS[name]
        elif name == "object":
            yield Equation(None, "embedded object (MathType or another program)")
        elif name in ("drawing", "pict"):
            yield "[picture]"
        elif name == "sym":
            yield Equation(None, f"symbol {' '.join(child.values())} of a font")
        elif name == "AlternateContent":
            yield from _run(next(iter(child), child))


def _named(element: Any, name: str) -> bool:
    return isinstance(element.tag, str) and local_name(element) == name


def _equation(element: Any, display: bool) -> Equation:
    try:
        return Equation(to_latex(from_omml(element)), None, display)
    except Refusal as error:
        return Equation(None, str(error), display)


def _merged(parts: list[str | Equation]) -> Paragraph:
    """Neighbouring pieces of text joined."""
    merged: Paragraph = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    return merged
