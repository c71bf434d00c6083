"""Equations of OpenDocument, which pandoc drops: each is a file of MathML beside the text."""

from __future__ import annotations

import posixpath
import zipfile
from pathlib import Path
from typing import Any

from lxml import etree

from ...base.archives import ZIP_ERRORS, rewritten
from ...errors import UserError
from ..mathml import Refusal, from_element, local_name, parse_xml, to_latex
from .docx import PLACE, Equation

_CONTENT = "content.xml"
_LINK = "{http://www.w3.org/1999/xlink}href"


def with_places(path: Path, content: bytes) -> tuple[bytes, list[Equation]]:
    """A document whose equations are marks, as `docx.with_places` makes them of Word's.

    Raises UserError when the file is no OpenDocument text.
    """
    equations: list[Equation] = []

    def marked(name: str, data: bytes, archive: zipfile.ZipFile) -> bytes:
        return _with_places(data, archive, equations) if name == _CONTENT else data

    try:
        return rewritten(content, marked), equations
    except (*ZIP_ERRORS, Refusal) as error:
        remedy = "give an .odt file, saved by LibreOffice"
        raise UserError(f"cannot read {path}: {error}", remedy) from error


def _with_places(
    data: bytes, archive: zipfile.ZipFile, equations: list[Equation]
) -> bytes:
    content = parse_xml(data)
    for frame in [*content.iter("{*}frame")]:
        link = next((o.get(_LINK, "") for o in frame.iter("{*}object")), "")
        made = _equation(link, archive) if link else None
        if made is None:
            continue
        parent = frame.getparent()
        mark = etree.Element(_span(parent))
        mark.text = PLACE % len(equations)
        mark.tail = frame.tail
        parent.replace(frame, mark)
        equations.append(made)
    return etree.tostring(content, xml_declaration=True, encoding="UTF-8")


def _span(parent: Any) -> str:
    """The name of a stretch of text, in the namespace of the paragraph that holds it."""
    paragraph = next(
        (e for e in (parent, *parent.iterancestors()) if local_name(e) in ("p", "h")),
        parent,
    )
    return f"{{{etree.QName(paragraph).namespace}}}span"


def _equation(link: str, archive: zipfile.ZipFile) -> Equation | None:
    """The equation in an embedded object; None of one that is something else."""
    name = posixpath.normpath(posixpath.join(link, _CONTENT))
    try:
        math = parse_xml(archive.read(name))
        if local_name(math) != "math":
            return None
        return Equation(
            to_latex(from_element(math)), None, math.get("display") == "block"
        )
    except KeyError:
        return None
    except Refusal as error:
        return Equation(None, str(error))
