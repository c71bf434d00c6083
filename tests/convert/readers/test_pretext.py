"""PreTeXt: what its elements say becomes problems; what is computed or drawn is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchwright.base.files import read_jsonl
from benchwright.convert.readers import read_sources
from benchwright.pipeline import Engine, SourceSpec
from benchwright.problem import Problem
from small import png

BOOK = r"""<?xml version="1.0"?><pretext xmlns:xi="http://www.w3.org/2001/XInclude">
<docinfo><macros>\newcommand{\R}{\mathbb{R}}</macros></docinfo>
<section><title>Sets</title>
<theorem><statement><p>No problem.</p></statement><proof><p>Clear.</p></proof></theorem>
<exercises><exercisegroup><introduction><p>Solve over <m>\R</m>.</p></introduction>
<exercise><statement><p>Find <m>x</m> in <me>x^2=4.</me></p></statement>
 <hint><p>Factor.</p></hint><answer><p><m>\pm 2</m></p></answer>
 <solution><p>By factoring, see <xref ref="thm-a"/>.</p></solution></exercise>
<exercise><statement><p>Which is even, 2<ndash/>5?</p></statement><choices>
 <choice><statement><p>3</p></statement></choice>
 <choice correct="yes"><statement><p>4</p></statement><feedback><p>Yes!</p></feedback></choice>
</choices></exercise></exercisegroup>
<exercise><introduction><p>Let <md><mrow>a \amp= 1</mrow><mrow>b \amp= 2</mrow></md></p>
 <image source="f.png"/></introduction>
 <task><statement><p>Find <m>a+b</m>.</p></statement><answer><p>3</p></answer></task>
 <task><statement><p>Find <m>ab</m>.</p></statement><answer><p>2</p></answer></task></exercise>
<exercise><webwork source="a.pg"/></exercise>
<exercise><statement><p>Draw.</p></statement><program language="python"/></exercise>
<xi:include href="more.ptx"/><xi:include href="../secret.ptx"/><xi:include href="gone.ptx"/>
</exercises></section></pretext>"""
MORE = r"""<exercise><statement><p>A blank: <fillin answer="7"/> days.</p></statement></exercise>"""


def test_a_book(tmp_path: Path) -> None:
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "f.png").write_bytes(png(9, 7))
    (folder / "book.ptx").write_text(BOOK, encoding="utf-8")
    (folder / "more.ptx").write_text(MORE, encoding="utf-8")
    (tmp_path / "secret.ptx").write_text(MORE, encoding="utf-8")
    work = tmp_path / "work"
    source = SourceSpec(name="q", reader="pretext", path="book.ptx")
    read_sources([source], folder, work, Engine())
    [solve, choice, parts, blank] = [
        q for p in sorted(work.rglob("problems.jsonl")) for q in read_jsonl(p, Problem)
    ]
    assert solve.question == "Find $x$ in\n$$x^2=4.$$"
    assert (solve.answer, solve.solution) == (r"\pm 2", "By factoring, see [thm-a].")
    assert solve.labels == {
        "section": "Sets", "instruction": r"Solve over $\mathbb{R}$.", "hint": "Factor.",
    }  # fmt: skip
    assert choice.question == "Which is even, 2–5?"
    assert ([o.text for o in choice.options], choice.answer) == (["3", "4"], "B")
    assert parts.question == (
        "Let\n$$\\begin{aligned}a &= 1 \\\\ b &= 2\\end{aligned}$$\n\n<image1>\n\n"
        "(a) Find $a+b$.\n\n(b) Find $ab$."
    )
    assert [(p.label, p.answer) for p in parts.parts] == [("1", "3"), ("2", "2")]
    assert (blank.question, blank.answer) == ("A blank: ____ days.", "7")
    reasons = " ".join(
        d["reason"]
        for p in sorted(work.rglob("dropped.jsonl"))
        for d in read_jsonl(p, Any)
    )
    for told in (
        "<webwork>",
        "<program>",
        "../secret.ptx",
        "gone.ptx: cannot read gone.ptx",
    ):
        assert told in reasons
    assert str(tmp_path) not in reasons


def test_a_circle_and_a_bomb(tmp_path: Path) -> None:
    circle = '<book xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="book.ptx"/></book>'
    bomb = '<!DOCTYPE b [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><exercise><p>&b;</p></exercise>'
    for k, text in enumerate((circle, bomb)):
        folder = tmp_path / str(k)
        folder.mkdir()
        (folder / "book.ptx").write_text(text, encoding="utf-8")
        source = SourceSpec(name="q", reader="pretext", path="book.ptx")
        read_sources([source], folder, folder / "work", Engine())
        assert not [
            q
            for p in (folder / "work").rglob("problems.jsonl")
            for q in read_jsonl(p, Problem)
        ]
