"""Moodle XML and QTI: what a question bank exports becomes problems; the rest is named."""

from __future__ import annotations

import base64
import zipfile
from pathlib import Path
from typing import Any

import pytest
from benchwright.base.files import read_jsonl
from benchwright.convert.readers import read_sources
from benchwright.errors import UserError
from benchwright.pipeline import Engine, SourceSpec
from benchwright.problem import Problem
from small import png

PICTURE = base64.b64encode(png(9, 7)).decode()
MOODLE = f"""<?xml version="1.0" encoding="UTF-8"?>
<quiz>
<question type="category"><category><text>$course$/top/Geometry</text></category></question>
<question type="multichoice"><name><text>Angle</text></name>
 <questiontext format="html"><text><![CDATA[<p>In the figure <img src="@@PLUGINFILE@@/a%20b.png"
 alt="f"> find \\(\\angle A\\) if \\(a&lt;b\\).</p><table><tr><td>a</td><td>3</td></tr></table>]]>
 </text><file name="a b.png" path="/" encoding="base64">{PICTURE}</file></questiontext>
 <generalfeedback format="html"><text><![CDATA[<p>It is \\(30^\\circ\\).</p>]]></text>
 </generalfeedback>
 <single>true</single>
 <answer fraction="0" format="html"><text>\\(60^\\circ\\)</text></answer>
 <answer fraction="100" format="html"><text>\\(30^\\circ\\)</text></answer>
 <tags><tag><text>angles</text></tag></tags></question>
<question type="multichoice"><questiontext format="html"><text>Which are even?</text></questiontext>
 <single>false</single>
 <answer fraction="50"><text>2</text></answer><answer fraction="-100"><text>3</text></answer>
 <answer fraction="50"><text>4</text></answer></question>
<question type="numerical"><questiontext format="plain_text"><text>Is 1 &lt; x? Give x.</text>
 </questiontext>
 <answer fraction="100"><text>2.5</text><tolerance>0.1</tolerance></answer></question>
<question type="essay"><questiontext><text>Discuss.</text></questiontext></question>
<question type="stack"><questiontext><text>{{@p@}}</text></questiontext></question>
</quiz>"""


def read(kind: str, path: Path, work: Path) -> tuple[list[Problem], dict[str, str]]:
    """The problems, and what was dropped with its reason."""
    read_sources(
        [SourceSpec(name="q", reader=kind, path=path.name)], path.parent, work, Engine()
    )
    found = sorted(work.rglob("problems.jsonl"))
    dropped = [
        d for p in sorted(work.rglob("dropped.jsonl")) for d in read_jsonl(p, Any)
    ]
    problems = [problem for p in found for problem in read_jsonl(p, Problem)]
    return problems, {d["id"]: d["reason"] for d in dropped}


def test_a_moodle_bank(tmp_path: Path) -> None:
    path = tmp_path / "bank.xml"
    path.write_text(MOODLE, encoding="utf-8")
    [angle, even, number], dropped = read("moodle", path, tmp_path / "work")
    assert angle.question == "In the figure <image1> find $\\angle A$ if $a<b$.\na | 3"
    assert (angle.answer, angle.answer_kind, angle.solution) == (
        "B",
        "choice",
        "It is $30^\\circ$.",
    )
    assert [(i.width, i.height) for i in angle.images] == [(9, 7)]
    assert angle.labels == {"category": "Geometry", "title": "Angle", "tags": "angles"}
    assert (even.answer, even.answer_kind) == ("AC", "choices")
    assert (number.question, number.answer, number.tolerance) == (
        "Is 1 < x? Give x.",
        "2.5",
        0.1,
    )
    assert [reason.split("type ")[1][:7] for reason in dropped.values()] == [
        "'essay'",
        "'stack'",
    ]


STACK = """<quiz><question type="stack"><name><text>Sum</text></name><questiontext format="html">
<text><![CDATA[<p>Find \\({@a@}+b\\) for \\(b=%s\\). [[input:ans1]] [[validation:ans1]]</p>]]>
</text>
</questiontext><generalfeedback><text></text></generalfeedback>
<questionvariables><text>/* a */ a:3; c:%s; ta:7;</text></questionvariables>
<input><name>ans1</name><type>algebraic</type><tans>ta</tans></input>
<deployedseed>17</deployedseed></question></quiz>"""


@pytest.mark.parametrize(
    ("b", "c", "question", "why"),
    [
        ("4", "1", "Find $3+b$ for $b=4$. ____", ""),
        ("{@c@}", "-1/2", r"Find $3+b$ for $b=-\frac{1}{2}$. ____", ""),
        ("{@c@}", "rand(9)", "", "{@c@} asks the computer algebra; deployed seeds: 17"),
        ("{@a+1@}", "1", "", "{@a+1@} asks"),
    ],
)
def test_stack_is_read_where_the_file_determines_it(
    b: str, c: str, question: str, why: str, tmp_path: Path
) -> None:
    path = tmp_path / "stack.xml"
    path.write_text(STACK % (b, c), encoding="utf-8")
    problems, dropped = read("moodle", path, tmp_path / "work")
    assert [(p.question, p.answer) for p in problems] == (
        [(question, "7")] if question else []
    )
    assert why in " ".join(dropped.values())


ITEM = """<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i1"
 title="T">
<responseDeclaration identifier="R" cardinality="multiple" baseType="identifier"><correctResponse>
<value>b</value><value>a</value></correctResponse></responseDeclaration>
<itemBody><p>Look: <img src="../pics/f.png" alt="f"/></p><feedbackInline identifier="a"
 outcomeIdentifier="F">Right!</feedbackInline>
<choiceInteraction responseIdentifier="R" maxChoices="2">
<prompt>Is <m:math xmlns:m="http://www.w3.org/1998/Math/MathML">
<m:mfrac><m:mn>1</m:mn><m:mn>2</m:mn>
</m:mfrac></m:math> &lt; 1?</prompt><simpleChoice identifier="a">Yes</simpleChoice>
<simpleChoice identifier="b"><img src="../pics/f.png"/></simpleChoice></choiceInteraction>
</itemBody>
</assessmentItem>"""
ENTRY = """<qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="i2">
<qti-response-declaration identifier="R" cardinality="single" base-type="integer">
<qti-correct-response><qti-value>7</qti-value></qti-correct-response></qti-response-declaration>
<qti-item-body><p>3+4 = <qti-text-entry-interaction response-identifier="R"/>.</p></qti-item-body>
</qti-assessment-item>"""
RANDOM = ENTRY.replace(
    "<qti-item-body>", "<qti-template-declaration/><qti-item-body>"
).replace('"i2"', '"i3"')


def test_a_qti_package(tmp_path: Path) -> None:
    path = tmp_path / "package.zip"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("imsmanifest.xml", "<manifest/>")
        package.writestr("items/1.xml", ITEM)
        package.writestr("items/2.xml", ENTRY)
        package.writestr("items/3.xml", RANDOM)
        package.writestr("items/4.xml", "<broken")
        package.writestr("pics/f.png", png(9, 7))
    [choice, entry], dropped = read("qti", path, tmp_path / "work")
    assert choice.question == "Look: <image1>\nIs $\\frac{1}{2}$ < 1?"
    assert (choice.answer, choice.answer_kind) == ("AB", "choices")
    assert [bool(o.image) for o in choice.options] == [False, True]
    assert (entry.question, entry.answer, entry.answer_kind) == (
        "3+4 = ____.",
        "7",
        "number",
    )
    reasons = " ".join(dropped.values())
    assert "templates" in reasons
    assert "items/4.xml: malformed XML" in reasons


@pytest.mark.parametrize("kind", ["moodle", "qti"])
def test_entities_are_not_unfolded(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.xml"
    path.write_text(
        '<!DOCTYPE q [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><quiz>'
        '<question type="shortanswer">'
        "<questiontext><text>&b;</text></questiontext></question></quiz>"
    )
    problems, dropped = read(kind, path, tmp_path / "work")
    assert (problems, len(dropped)) == ([], 1)


def test_a_broken_package_is_named(tmp_path: Path) -> None:
    path = tmp_path / "package.zip"
    path.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(UserError, match=r"package\.zip"):
        read("qti", path, tmp_path / "work")


CANVAS = """<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment><section>
<item ident="g1" title="Primes"><presentation><material><mattext texttype="text/html">
&lt;p&gt;Which is prime: \\(2^2\\)?
&lt;img src="$IMS-CC-FILEBASE$/pics/f.png?x=1"&gt;&lt;/p&gt;</mattext>
</material><response_lid ident="r" rcardinality="Multiple"><render_choice>
<response_label ident="10"><material><mattext>4 &lt; 5</mattext></material></response_label>
<response_label ident="11"><material><mattext>3</mattext></material></response_label>
<response_label ident="12"><material><mattext>2</mattext></material></response_label>
</render_choice></response_lid></presentation><resprocessing><respcondition continue="No">
<conditionvar><and><varequal respident="r">11</varequal><varequal respident="r">12</varequal>
<not><varequal respident="r">10</varequal></not></and></conditionvar>
<setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing>
<itemfeedback ident="general_fb"><flow_mat><material><mattext>By trial.</mattext></material>
</flow_mat></itemfeedback></item>
<item ident="g2"><presentation><material><mattext>3 + 4 =</mattext></material>
<response_str ident="r"><render_fib/></response_str></presentation><resprocessing><respcondition>
<conditionvar><or><varequal respident="r">7</varequal><and><vargte respident="r">6.9</vargte>
</and></or></conditionvar><setvar>100</setvar></respcondition></resprocessing></item>
<item ident="g3"><presentation><material><mattext>Match.</mattext></material>
<response_lid ident="a"/><response_lid ident="b"/></presentation></item>
</section></assessment></questestinterop>"""


def test_an_older_package(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("g/quiz.xml", CANVAS)
        package.writestr("web_resources/pics/f.png", png(9, 7))
    [primes, total], dropped = read("qti", path, tmp_path / "work")
    assert primes.question == "Which is prime: $2^2$? <image1>"
    assert [o.text for o in primes.options] == ["4 < 5", "3", "2"]
    assert (primes.answer, primes.answer_kind, primes.solution) == (
        "BC",
        "choices",
        "By trial.",
    )
    assert primes.labels == {"title": "Primes"}
    assert (total.question, total.answer, total.answer_kind) == (
        "3 + 4 =",
        "7",
        "number",
    )
    assert list(dropped.values()) == ["qti: 2 interactions: response_lid"]


CLOZE = r"""<quiz><question type="cloze"><name><text>Two</text></name>
 <questiontext format="html"><text><![CDATA[<p>\(1+1=\) {1:NUMERICAL:=2:0.1~%50%3:0}, and half of
 8 is {2:SHORTANSWER:=4~=four#well done}.</p>]]></text></questiontext></question>
<question type="cloze"><questiontext><text>One: {1:SA:=5}</text></questiontext></question>
<question type="cloze"><questiontext><text>{1:MULTICHOICE:a~=b}</text></questiontext></question>
<question type="cloze"><questiontext><text>None.</text></questiontext></question></quiz>"""


def test_gaps_of_a_text_are_its_parts(tmp_path: Path) -> None:
    path = tmp_path / "bank.xml"
    path.write_text(CLOZE, encoding="utf-8")
    [several, one], dropped = read("moodle", path, tmp_path / "work")
    assert [(part.label, part.answer) for part in several.parts] == [
        ("1", "2"),
        ("2", "4"),
    ]
    assert (
        " ".join(several.question.split())
        == "$1+1=$ (1) _____, and half of 8 is (2) _____."
    )
    assert (one.question, one.answer, one.parts) == ("One: _____", "5", [])
    assert sorted(dropped.values()) == [
        "moodle: a cloze: a gap of type MULTICHOICE",
        "moodle: a cloze: no gap in a text of gaps",
    ]
