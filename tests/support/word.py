"""Word and OpenDocument files written by hand, as small as their formats allow."""

from __future__ import annotations

import zipfile
from pathlib import Path

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
M = "http://schemas.openxmlformats.org/officeDocument/2006/math"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"

TYPES = f"""<Types xmlns="{PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml" ContentType="{WORD}.document.main+xml"/>
<Override PartName="/word/numbering.xml" ContentType="{WORD}.numbering+xml"/></Types>"""
ROOT = f"""<Relationships xmlns="{PACKAGE}/relationships">
<Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>"""
PARTS = f"""<Relationships xmlns="{PACKAGE}/relationships">
<Relationship Id="r1" Type="{OFFICE}/numbering" Target="numbering.xml"/></Relationships>"""


def _level(number: int, form: str) -> str:
    return (
        f'<w:lvl w:ilvl="{number}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="%{number + 1}."/></w:lvl>'
    )


NUMBERING = (
    f'<w:numbering xmlns:w="{W}"><w:abstractNum w:abstractNumId="0">'
    f"{_level(0, 'decimal')}{_level(1, 'upperLetter')}</w:abstractNum>"
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
)


def text(words: str, *, bold: bool = False) -> str:
    dress = "<w:rPr><w:b/></w:rPr>" if bold else ""
    return f'<w:r>{dress}<w:t xml:space="preserve">{words}</w:t></w:r>'


def paragraph(*runs: str) -> str:
    return f"<w:p>{''.join(runs)}</w:p>"


def numbered(level: int, *runs: str) -> str:
    place = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>'
    return f"<w:p><w:pPr>{place}</w:pPr>{''.join(runs)}</w:p>"


def _math(words: str) -> str:
    return f"<m:r><m:t>{words}</m:t></m:r>"


EQUATION = f"<m:oMath><m:f><m:num>{_math('3')}</m:num><m:den>{_math('2')}</m:den></m:f></m:oMath>"


def ole_object() -> str:
    return "<w:r><w:object/></w:r>"


def equation_field() -> str:
    def char(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    return f"{char('begin')}<w:r><w:instrText> EQ \\f(1,2) </w:instrText></w:r>{char('end')}"


def word_file(path: Path, body: str, more: dict[str, bytes] | None = None) -> Path:
    """A document of these paragraphs, with further parts."""
    document = (
        f'<w:document xmlns:w="{W}" xmlns:m="{M}"><w:body>{body}</w:body></w:document>'
    )
    parts = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": ROOT,
        "word/_rels/document.xml.rels": PARTS,
        "word/document.xml": document,
        "word/numbering.xml": NUMBERING,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (parts | (more or {})).items():
            archive.writestr(name, content)
    return path
