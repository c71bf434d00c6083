"""Word documents: equations in OMML, running text, and archives that are refused."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from benchwright.convert.documents import plain_text, read_docx
from benchwright.convert.mathml import Refusal, from_omml, parse_xml, to_latex
from benchwright.errors import UserError

M = "http://schemas.openxmlformats.org/officeDocument/2006/math"
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def r(text: str, style: str = "") -> str:
    properties = f"<m:rPr>{style}</m:rPr>" if style else ""
    return f"<m:r>{properties}<m:t>{text}</m:t></m:r>"


def e(*inner: str) -> str:
    return "".join(f"<m:e>{part}</m:e>" for part in inner)


def properties(name: str, **values: str) -> str:
    inner = "".join(f'<m:{key} m:val="{value}"/>' for key, value in values.items())
    return f"<m:{name}Pr>{inner}</m:{name}Pr>"


OMML = {
    f"<m:f><m:num>{r('1')}</m:num><m:den>{r('2')}</m:den></m:f>": r"\frac{1}{2}",
    f"<m:f>{properties('f', type='lin')}<m:num>{r('a')}</m:num><m:den>{r('b')}</m:den></m:f>":
        "a/b",
    f"<m:d><m:e><m:f>{properties('f', type='noBar')}<m:num>{r('n')}</m:num><m:den>{r('k')}</m:den>"
    "</m:f></m:e></m:d>": r"\binom{n}{k}",
    f"<m:rad>{properties('rad', degHide='1')}<m:deg/>{e(r('x'))}</m:rad>": r"\sqrt{x}",
    f"<m:rad><m:deg>{r('3')}</m:deg>{e(r('x'))}</m:rad>": r"\sqrt[3]{x}",
    f"<m:sSup>{e(r('x'))}<m:sup>{r('2')}</m:sup></m:sSup>": "x^{2}",
    f"<m:sSubSup>{e(r('x'))}<m:sub>{r('1')}</m:sub><m:sup>{r('2')}</m:sup></m:sSubSup>":
        "x_{1}^{2}",
    f"<m:sPre><m:sub>{r('6')}</m:sub><m:sup>{r('14')}</m:sup>{e(r('C'))}</m:sPre>": "{}_{6}^{14}C",
    f"<m:nary>{properties('nary', chr='∑', limLoc='undOvr')}<m:sub>{r('k=1')}</m:sub><m:sup>"
    f"{r('n')}</m:sup>{e(r('k'))}</m:nary>": r"\sum_{k=1}^{n}k",
    f"<m:nary>{properties('nary', subHide='1', supHide='1')}<m:sub/><m:sup/>{e(r('xdx'))}</m:nary>":
        r"\int xdx",
    f"<m:d>{properties('d', begChr='[', endChr=')', sepChr=',')}{e(r('0'), r('1'))}</m:d>":
        r"\left[0,1\right)",
    f"<m:d>{properties('d', begChr='{', endChr='')}<m:e><m:eqArr>{e(r('x&amp;=1'), r('y&amp;=2'))}"
    "</m:eqArr></m:e></m:d>": r"\left\{\begin{array}{rl}x&=1\\y&=2\end{array}\right.",
    f"<m:d><m:e><m:m><m:mr>{e(r('1'), r('2'))}</m:mr><m:mr>{e(r('3'), r('4'))}</m:mr></m:m></m:e>"
    "</m:d>": r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
    f"<m:func><m:fName>{r('sin', '<m:sty m:val=' + chr(34) + 'p' + chr(34) + '/>')}</m:fName>"
    f"{e(r('x'))}</m:func>": r"\sin x",
    f"<m:limLow>{e(r('lim'))}<m:lim>{r('x→0')}</m:lim></m:limLow>": r"\lim_{x\to 0}",
    f"<m:acc>{properties('acc', chr='⃗')}{e(r('AB'))}</m:acc>": r"\overrightarrow{AB}",
    f"<m:acc>{e(r('x'))}</m:acc>": r"\hat{x}",
    f"<m:d><m:dPr><m:begChr/><m:endChr/></m:dPr>{e(r('x'))}</m:d>": "x",
    r("ab", '<m:nor m:val="0"/>'): "ab",
    f"<m:bar>{properties('bar', pos='top')}{e(r('AB'))}</m:bar>": r"\overline{AB}",
    f"<m:groupChr>{e(r('x+y'))}</m:groupChr>": r"\underbrace{x+y}",
    f"<m:borderBox>{e(r('x'))}</m:borderBox>": r"\boxed{x}",
    r("△ABC≌△DEF"): r"\triangle ABC\cong\triangle DEF",
    r("a", '<m:sty m:val="b"/>'): r"\mathbf{a}",
    r("R", '<m:scr m:val="double-struck"/>'): r"\mathbb{R}",
    r("其中", "<m:nor/>"): r"\text{其中}",
}  # fmt: skip


@pytest.mark.parametrize("omml", OMML, ids=list(OMML.values()))
def test_structures(omml: str) -> None:
    element = parse_xml(f'<m:oMath xmlns:m="{M}">{omml}</m:oMath>')
    assert to_latex(from_omml(element)) == OMML[omml]


def test_unknown_and_deep_equations_are_refused() -> None:
    with pytest.raises(Refusal, match="unknown element <m:foo>"):
        from_omml(parse_xml(f'<m:oMath xmlns:m="{M}"><m:foo/></m:oMath>'))
    with pytest.raises(Refusal, match="<sym> in a run"):
        from_omml(
            parse_xml(
                f'<m:oMath xmlns:m="{M}"><m:r><m:sym/><m:t>x</m:t></m:r></m:oMath>'
            )
        )
    deep = "<m:box><m:e>" * 160 + r("x") + "</m:e></m:box>" * 160
    with pytest.raises(Refusal, match="nested deeper"):
        from_omml(parse_xml(f'<m:oMath xmlns:m="{M}">{deep}</m:oMath>'))


def document(path: Path, body: str, name: str = "word/document.xml") -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        text = f'<w:document xmlns:w="{W}" xmlns:m="{M}"><w:body>{body}</w:body></w:document>'
        archive.writestr(name, text)
    return path


def w(text: str, style: str = "") -> str:
    return f"<w:r><w:rPr>{style}</w:rPr><w:t>{text}</w:t></w:r>"


PARAGRAPHS = (
    f"<w:p>{w('Let ')}<m:oMath>{r('x>0')}</m:oMath>{w('.')}</w:p><w:p/>"
    f"<w:p><m:oMathPara><m:oMath>{r('y')}</m:oMath></m:oMathPara></w:p>"
    f"<w:p>{w('m')}{w('2', '<w:vertAlign w:val=' + chr(34) + 'superscript' + chr(34) + '/>')}"
    "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:tab/><w:drawing/></w:r></w:p>"
    "<w:p><w:r><w:object/></w:r></w:p>"
)


def test_paragraphs(tmp_path: Path) -> None:
    path = document(tmp_path / "a.docx", PARAGRAPHS)
    texts = [plain_text(parts) for parts in read_docx(path)]
    assert texts == [
        "Let $x>0$.", "$$y$$", "m$^{2}$\t[picture]",
        "[equation refused: embedded object (MathType or another program)]",
    ]  # fmt: skip


def test_the_command_lists_equations_and_fails_on_a_refusal(tmp_path: Path) -> None:
    path = document(tmp_path / "a.docx", PARAGRAPHS)
    command = [sys.executable, "-m", "benchwright", "convert", "docx", str(path)]
    run = subprocess.run([*command, "--equations"], capture_output=True, text=True)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 1
    assert lines[0] == {"id": "a-e1", "latex": "x>0"}
    assert lines[2]["error"].startswith("embedded object")


@pytest.mark.parametrize("kind", ["no archive", "no document", "declaration", "absent"])
def test_other_files_are_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.docx"
    if kind == "no archive":
        path.write_bytes(b"not a zip")
    elif kind == "no document":
        document(path, "", "other.xml")
    elif kind == "declaration":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(
                "word/document.xml", '<!DOCTYPE d [<!ENTITY a "b">]><d>&a;</d>'
            )
    with pytest.raises(UserError):
        list(read_docx(path))
