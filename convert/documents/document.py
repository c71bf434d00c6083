"""A document of another program as the exam reader's Markdown: pandoc's structure, our equations.

Office Math is converted by `convert.mathml`, which is right more often than pandoc; everything else
of a Word document, and all of the others, is pandoc's.
"""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

from ...errors import UserError
from . import docx, office
from .blocks import CODE, written
from .markdown import PICTURE
from .pandoc import sound_content, syntax_tree
from .recognised import Recognised, tidied
from .sections import asked

_WITH_EQUATIONS = {"docx": docx.with_places, "odt": office.with_places}
_MACROS = "vbaproject.bin"
# AoPS: display formulas, inline ones, and boxes that lead from page to page
_DISPLAYED = re.compile(r"<cmath>(.*?)</cmath>", re.S)
_INLINE = re.compile(r"<imath>(.*?)</imath>", re.S)


def read_document(path: Path, kind: str) -> Recognised:
    """The document in a file that pandoc calls `kind`: Markdown, pictures, what is doubtful.

    Raises UserError for a file that is damaged, too large or made to harm.
    """
    document = Recognised(name=path.name, markdown="")
    content = sound_content(path, kind)
    formulas: list[str] = []
    if kind == "docx" and _holds_macros(content):
        document.issues.append(f"macros-left-out: {path.name} holds a program")
    if kind in _WITH_EQUATIONS:
        content, equations = _WITH_EQUATIONS[kind](path, content)
        formulas = [equation.text for equation in equations]
    elif kind == "mediawiki":
        content = _as_wiki(content)
    tree = syntax_tree(path, kind, content)
    blocks = asked(tree.blocks, kind, document.issues)
    made = written(blocks, tree.media, path.name, formulas)
    document.pictures = made.pictures
    document.issues += made.issues
    document.markdown = tidied(made.text, document)
    _refuse_wordless(path, document)
    return document


def _refuse_wordless(path: Path, document: Recognised) -> None:
    """Raises UserError for a document in which nothing can be read."""
    words = PICTURE.sub("", document.markdown).replace(CODE, "")
    if any(map(str.isalnum, words)):
        return
    if any(issue.startswith("code-left-out") for issue in document.issues):
        what, remedy = "programs and no text", "is it the right file?"
    elif count := len(PICTURE.findall(document.markdown)):
        what = f"{count} pictures and no text"
        remedy = "save it as PDF: benchwright convert pdf sends scans to Mathpix"
    else:
        what, remedy = "no text", "is it the right file?"
    raise UserError(f"{path}: {what}", remedy)


def _holds_macros(content: bytes) -> bool:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return any(name.lower().endswith(_MACROS) for name in archive.namelist())


def _as_wiki(data: bytes) -> bytes:
    """The tags of formulas that only AoPS has, as MediaWiki knows them."""
    text = data.decode("utf-8", "surrogateescape")
    text = _DISPLAYED.sub(r'<math display="block">\1</math>', text)
    text = _INLINE.sub(r"<math>\1</math>", text)
    return text.encode("utf-8", "surrogateescape")
