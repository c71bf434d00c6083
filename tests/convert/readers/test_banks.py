"""Banks and books of others: GIFT, CNXML, StackExchange, Blackboard, a folder a problem."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from benchwright.convert.readers import Glance, glance
from benchwright.pipeline import SourceSpec
from benchwright.problem import Drop, Problem
from PIL import Image


def put(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def seen(folder: Path, reader: str, path: str, **more: Any) -> Glance:
    spec = SourceSpec(name="s", reader=reader, path=path, **more)
    return glance(spec, folder, folder / "work", 100)


def short(problem: Problem) -> tuple[str, list[str], str]:
    return problem.question, [option.text for option in problem.options], problem.answer


# GIFT ---------------------------------------------------------------------------------------------

GIFT = r"""
$CATEGORY: $course$/top/Algebra

// [id:q1] [tag:easy]
::Sum::[html]<p>What is \(2 + 3\)?</p>{
  ~4#too small
  =5
  ~%-50%6
  ####Add them.
}

What is the root of $x^2 \= 4x$ but zero? {#4:0.1}

Between which numbers? {#1..5}

1+1\=3 {FALSE#no}

Two plus two equals {=four =4}.

Which are even? {~%50%2 ~%50%4 ~%-100%5}

Solve $y\=x$ with {=x=1 =x\=2}

Match. {=a -> 1 =b -> 2}

Prove it. {}

Read this.
"""


def test_questions_of_gift(tmp_path: Path) -> None:
    put(tmp_path / "q.gift", GIFT)
    found = seen(tmp_path, "gift", "q.gift")
    assert [short(p) for p in found.problems] == [
        ("What is $2 + 3$?", ["4", "5", "6"], "B"),
        ("What is the root of $x^2 = 4x$ but zero?", [], "4"),
        ("Between which numbers?", [], "3"),
        ("1+1=3", ["true", "false"], "B"),
        ("Two plus two equals _____.", [], "four"),
        ("Which are even?", ["2", "4", "5"], "AB"),
        ("Solve $y=x$ with", [], "x=1"),
    ]
    first, number, span = found.problems[:3]
    assert (first.labels["title"], first.labels["tags"]) == ("Sum", "q1, easy")
    assert (first.labels["category"], first.solution) == ("Algebra", "Add them.")
    assert (number.tolerance, span.tolerance) == (0.1, 2.0)
    drops = [one.result.reason for one in found.seen if isinstance(one.result, Drop)]
    kinds = ["'matching'", "'essay'", "'description'"]
    assert [reason.rpartition(" ")[2] for reason in drops] == kinds


def test_braces_that_nobody_escaped_are_named_with_their_line(tmp_path: Path) -> None:
    put(tmp_path / "q.gift", "One? {=1}\n\nWhat is $\\frac{1}{2}$? {=0.5}\n")
    found = seen(tmp_path, "gift", "q.gift")
    assert [(one.line, one.cause[:25]) for one in found.unreadable] == [
        (3, "braces that do not close,")
    ]
    assert len(found.problems) == 1


# CNXML --------------------------------------------------------------------------------------------

MATH = 'xmlns:m="http://www.w3.org/1998/Math/MathML"'
CNXML = f"""<document xmlns="http://cnx.rice.edu/cnxml" {MATH}><content><section id="s">
<title>Practice</title><para id="p">In the following exercises, simplify.</para>
<exercise id="e1"><problem id="q1"><para id="a1"><m:math><m:mn>2</m:mn><m:mo>+</m:mo><m:mn>3</m:mn>
</m:math></para></problem><solution id="s1"><para id="b1"><m:math><m:mn>5</m:mn></m:math></para>
</solution></exercise>
<exercise id="e2"><problem id="q2"><para id="a2">Evaluate</para><list list-type="enumerated"
number-style="lower-alpha"><item>one</item><item>two</item></list></problem><solution id="s2">
<list list-type="enumerated"><item>1</item><item>2</item></list></solution></exercise>
<exercise id="e3"><problem id="q3"><para id="a3">Why? <media alt="a tree"><image
src="../../media/tree.png"/></media></para></problem><solution id="s3"><para id="b3">Because the sum
of the angles is a half turn.</para></solution><commentary type="hint"><para id="c">Draw it.</para>
</commentary></exercise>
<exercise id="e4"><problem id="q4"><para id="a4">For $5 or $6: ⓐ 1+1 ⓑ 2+2</para></problem>
<solution id="s4"><para id="b4">ⓐ 2 ⓑ 4</para></solution></exercise>
</section></content></document>"""


def test_exercises_of_cnxml(tmp_path: Path) -> None:
    put(tmp_path / "modules/m1/index.cnxml", CNXML)
    tree = tmp_path / "media/tree.png"
    tree.parent.mkdir()
    Image.new("RGB", (30, 40), "red").save(tree)
    found = seen(tmp_path, "cnxml", "modules/m1/index.cnxml", images="media")
    one, two, three, four = found.problems
    assert (one.question, one.answer) == ("$2+3$", "5")
    assert one.labels["instruction"] == "In the following exercises, simplify."
    assert one.labels["section"] == "Practice"
    assert [(p.label, p.answer) for p in two.parts] == [("a", "1"), ("b", "2")]
    assert three.answer == ""
    assert three.solution == "Because the sum of the angles is a half turn."
    assert [(i.width, i.height) for i in three.images] == [(30, 40)]
    assert three.labels["hint"] == "Draw it."
    assert [(p.label, p.answer) for p in four.parts] == [("a", "2"), ("b", "4")]
    assert four.question == r"For \$5 or \$6: ⓐ 1+1 ⓑ 2+2"


# StackExchange ------------------------------------------------------------------------------------

POSTS = """<?xml version="1.0" encoding="utf-8"?>
<posts>
  <row Id="1" PostTypeId="1" AcceptedAnswerId="3" Body="&lt;p&gt;Is $0 &amp;lt; x$?&lt;/p&gt;"
   Title="Positive" Tags="&lt;algebra&gt;&lt;real-numbers&gt;" ContentLicense="CC BY-SA 4.0" />
  <row Id="2" PostTypeId="2" ParentId="1" Score="99" Body="&lt;p&gt;Maybe.&lt;/p&gt;" />
  <row Id="3" PostTypeId="2" ParentId="1" Score="5" Body="&lt;p&gt;Yes, $x=1$.&lt;/p&gt;" />
  <row Id="4" PostTypeId="1" Body="&lt;p&gt;Open?&lt;/p&gt;" Tags="|calculus|limits|" />
</posts>
"""


def test_questions_of_a_dump_have_the_accepted_answer(tmp_path: Path) -> None:
    put(tmp_path / "Posts.xml", POSTS)
    first, second = seen(tmp_path, "stackexchange", "Posts.xml").problems
    assert (first.question, first.solution) == ("Is $0 < x$?", "Yes, $x=1$.")
    assert first.labels == {"title": "Positive", "tags": "algebra, real-numbers"}
    assert first.source.license == "CC-BY-SA-4.0"
    assert (second.solution, second.labels["tags"]) == (None, "calculus, limits")


def test_a_dump_that_breaks_off_keeps_what_was_read(tmp_path: Path) -> None:
    put(tmp_path / "Posts.xml", POSTS[: POSTS.index('<row Id="4"') + 9])
    found = seen(tmp_path, "stackexchange", "Posts.xml")
    assert [p.source.raw_id for p in found.problems] == ["1"]
    assert [(one.line, one.cause[:6]) for one in found.unreadable] == [(7, "no XML")]


def test_entities_of_a_dump_are_refused(tmp_path: Path) -> None:
    put(tmp_path / "Posts.xml", '<!DOCTYPE a [<!ENTITY b "c">]>\n' + POSTS[39:])
    with pytest.raises(Exception, match=r"Posts\.xml:1: a document type is declared"):
        seen(tmp_path, "stackexchange", "Posts.xml")


# Blackboard ---------------------------------------------------------------------------------------


def _text(words: str) -> str:
    return f'<mat_formattedtext type="HTML">{words}</mat_formattedtext>'


BLACKBOARD = f"""<questestinterop><assessment><section><item title="a"><presentation>
<flow><material><mat_extension>{_text("&lt;p&gt;Which is even?&lt;/p&gt;")}</mat_extension>
</material></flow><response_lid ident="response"><render_choice><response_label ident="x"><material>
{_text("3")}</material></response_label><response_label ident="y"><material>{_text("4")}</material>
</response_label></render_choice></response_lid></presentation><resprocessing><respcondition
title="correct"><conditionvar><varequal respident="response">y</varequal></conditionvar><setvar
action="Set" variablename="SCORE">SCORE.max</setvar></respcondition></resprocessing></item>
</section></assessment></questestinterop>"""


def test_a_pool_of_blackboard_as_it_is_exported(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "pool.zip", "w") as package:
        package.writestr("imsmanifest.xml", "<manifest/>")
        package.writestr("res00001.dat", BLACKBOARD)
    found = seen(tmp_path, "qti", "pool.zip")
    assert [short(p) for p in found.problems] == [("Which is even?", ["3", "4"], "B")]


# A folder a problem -------------------------------------------------------------------------------


def folder_a_problem(folder: Path, pictures: dict[str, tuple[int, int]]) -> None:
    for number in (7, 8):
        record = {"text": f"Find x{number}.", "choices": ["1", "2"], "answer": "B"}
        put(folder / f"geo/{number}/data.json", json.dumps(record))
        for name, size in pictures.items():
            data = io.BytesIO()
            Image.new("RGB", size, "red").save(data, "PNG")
            (folder / f"geo/{number}/{name}").write_bytes(data.getvalue())


def test_pictures_beside_a_record_are_its_own(tmp_path: Path) -> None:
    folder_a_problem(tmp_path, {"img.png": (30, 40)})
    fields = {"question": "text", "options": "choices"}
    problems = seen(tmp_path, "folders", "geo/*/data.json", fields=fields).problems
    assert [p.source.raw_id for p in problems] == ["7", "8"]
    assert [(i.width, i.height) for p in problems for i in p.images] == [(30, 40)] * 2
    assert [p.notes for p in problems] == [[], []]


def test_which_of_several_pictures_is_meant_can_be_said(tmp_path: Path) -> None:
    folder_a_problem(tmp_path, {"a_point.png": (30, 40), "diagram.png": (50, 60)})
    fields = {"question": "text", "options": "choices"}
    found = seen(tmp_path, "folders", "geo/*/data.json", fields=fields)
    assert (
        found.problems[0].notes[0].startswith("several-pictures: a_point.png, diagram")
    )
    said = seen(
        tmp_path,
        "folders",
        "geo/*/data.json",
        fields=fields,
        options={"picture": "diagram.png"},
    )
    assert [(p.images[0].width, p.notes) for p in said.problems] == [(50, [])] * 2
