"""Documents of other programs: the text that exams are cut from, and files made to harm."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from pathlib import Path

import pytest
from benchwright import split_exam
from benchwright.convert.documents import format_of, pandoc, read_document
from benchwright.convert.readers import glance
from benchwright.errors import UserError
from benchwright.pipeline import SourceSpec
from PIL import Image
from word import (
    EQUATION,
    equation_field,
    numbered,
    ole_object,
    paragraph,
    text,
    word_file,
)

pytest.importorskip("pypandoc", reason="the extra documents is not installed")


def put(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def read(path: Path) -> str:
    return read_document(path, format_of(path)).markdown


def picture(size: tuple[int, int] = (40, 30)) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", size, "red").save(data, "PNG")
    return data.getvalue()


def cut(path: Path, out: Path) -> list[tuple[str, list[str], str]]:
    """Question, texts of options and answer of every problem that `convert exam` makes."""
    made = split_exam(path, out)
    return [(p.question, [o.text for o in p.options], p.answer) for p in made.problems]


# Word ---------------------------------------------------------------------------------------------


def test_lists_of_word_have_their_numbers_and_equations_their_latex(
    tmp_path: Path,
) -> None:
    body = numbered(
        0, text("A pad costs "), EQUATION, text(" euros. What do four cost?")
    )
    body += "".join(numbered(1, text(value)) for value in ("5", "6", "7", "8"))
    body += numbered(0, text("Add 17 and 25."))
    path = word_file(tmp_path / "exam.docx", body)
    assert cut(path, tmp_path / "out") == [
        (
            r"A pad costs $\frac{3}{2}$ euros. What do four cost?",
            ["5", "6", "7", "8"],
            "",
        ),
        ("Add 17 and 25.", [], ""),
    ]


def test_what_no_equation_editor_wrote_is_refused_where_it_stands(
    tmp_path: Path,
) -> None:
    body = paragraph(text("1. Find "), ole_object()) + paragraph(
        text("2. Add "), equation_field()
    )
    markdown = read(word_file(tmp_path / "old.docx", body))
    assert "1. Find [equation refused: embedded object" in markdown
    assert r"2. Add $\frac{1}{2}$" in markdown


def test_the_emphasised_option_is_the_answer_and_is_told(tmp_path: Path) -> None:
    body = paragraph(text("1. Which is even?"))
    for label, value in zip("ABCD", ("3", "5", "8", "9"), strict=True):
        body += paragraph(text(f"{label}. {value}", bold=value == "8"))
    path = word_file(tmp_path / "bold.docx", body)
    made = split_exam(path, tmp_path / "out")
    assert [p.answer for p in made.problems] == ["C"]
    assert [i.detail for i in made.issues if i.kind == "answer-by-emphasis"] == ["C"]


def test_macros_are_left_out_and_told(tmp_path: Path) -> None:
    path = word_file(
        tmp_path / "macros.docm",
        paragraph(text("1. Add.")) + paragraph(text("2. Subtract.")),
        {"word/vbaProject.bin": b"\0\1"},
    )
    assert read_document(path, format_of(path)).issues == [
        "macros-left-out: macros.docm holds a program"
    ]


# Files made to harm, and broken ones --------------------------------------------------------------


def test_a_bomb_is_refused_before_it_unfolds(tmp_path: Path) -> None:
    path = tmp_path / "bomb.odt"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(9):
            archive.writestr(f"Pictures/{number}.png", b"\0" * 50_000_000)
        archive.writestr("content.xml", "<a/>")
    with pytest.raises(UserError, match=r"bomb\.odt: 10 files of 450,000,004 bytes"):
        read(path)


def test_entities_are_named_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "laughs.dbk"
    put(
        path,
        '<?xml version="1.0"?>\n<!DOCTYPE book [\n<!ENTITY a "ha">\n'
        '<!ENTITY b "&a;&a;">\n]>\n<book>&b;</book>',
    )
    with pytest.raises(UserError, match=r"laughs\.dbk:3: an entity is declared"):
        read(path)
    book = word_file(
        tmp_path / "laughs.docx",
        "",
        {"word/comments.xml": b'<!DOCTYPE a [\n<!ENTITY b "c">]><a/>'},
    )
    with pytest.raises(UserError, match=r"word/comments\.xml:2: an entity is declared"):
        read(book)


@pytest.mark.parametrize("name", ["cut.docx", "cut.odt", "cut.epub"])
def test_a_cut_off_archive_is_named(name: str, tmp_path: Path) -> None:
    whole = word_file(tmp_path / "whole.docx", paragraph(text("1. Add."))).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UserError, match=f"cannot read .*{name}"):
        read(tmp_path / name)


def test_a_wrong_encoding_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "latin.rst").write_bytes(
        "Blätter\n=======\n\n1. Größe?\n".encode("latin-1")
    )
    with pytest.raises(UserError, match=r"latin\.rst:1: not UTF-8 \(byte 0xe4\)"):
        read(tmp_path / "latin.rst")


def test_a_broken_notebook_is_named_without_places_of_ours(tmp_path: Path) -> None:
    put(tmp_path / "broken.ipynb", '{"cells": [')
    with pytest.raises(UserError, match=r"broken\.ipynb: cannot be read") as raised:
        read(tmp_path / "broken.ipynb")
    assert "/document.ipynb" not in str(raised.value)


def test_a_document_that_computes_for_ever_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pandoc, "CPU_SECONDS", 1)
    put(tmp_path / "loop.typ", "#let f(x) = { while true { x = x + 1 } }\n#f(1)\n")
    with pytest.raises(UserError, match=r"loop\.typ: too much work for its size"):
        read(tmp_path / "loop.typ")


def test_nothing_outside_of_the_file_is_read(tmp_path: Path) -> None:
    put(tmp_path / "secret.txt", "the answer is 42")
    path = tmp_path / "including.rst"
    put(path, f"1. One?\n\n.. include:: {tmp_path}/secret.txt\n\n2. Two?\n")
    assert "42" not in read(path)


# Notebooks, wikis and others ----------------------------------------------------------------------


def notebook(path: Path, *cells: tuple[str, str]) -> Path:
    listed = [
        {"cell_type": kind, "metadata": {}, "source": source}
        | ({"outputs": [], "execution_count": None} if kind == "code" else {})
        for kind, source in cells
    ]
    put(
        path,
        json.dumps(
            {"cells": listed, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        ),
    )
    return path


def test_a_lesson_asks_below_its_exercises_alone(tmp_path: Path) -> None:
    path = notebook(
        tmp_path / "newton.ipynb",
        ("markdown", "# Newton\n\n1. It converges.\n2. It diverges.\n"),
        ("code", "print(1)"),
        (
            "markdown",
            "## Exercises\n\n1. Let $p(x) = x^3$. Find $p(2)$.\n2. Find $p(3)$.\n",
        ),
    )
    made = split_exam(path, tmp_path / "out")
    assert [p.question for p in made.problems] == [
        "Let $p(x) = x^3$. Find $p(2)$.",
        "Find $p(3)$.",
    ]
    told = {issue.kind: issue.detail for issue in made.issues}
    assert told["outside-of-exercises"] == "Newton"


def test_headings_that_ask_are_counted_together(tmp_path: Path) -> None:
    path = notebook(
        tmp_path / "lcm.ipynb",
        ("markdown", "## Multiples\n\n### LCM Practice Problem 1\n\nFind lcm(4, 6).\n"),
        (
            "markdown",
            "### Factors Practice Problem\n\nIs 93 prime?\n\n## Summary\n\n- Done\n",
        ),
    )
    assert [p[0] for p in cut(path, tmp_path / "out")] == [
        "Find lcm(4, 6).",
        "Is 93 prime?",
    ]


def test_lists_of_a_lesson_without_exercises_are_in_doubt(tmp_path: Path) -> None:
    path = notebook(
        tmp_path / "order.ipynb",
        ("markdown", "# Order\n\n1. Brackets\n2. Exponents\n3. Division\n"),
    )
    made = split_exam(path, tmp_path / "out")
    assert all("exercise-doubtful" in " ".join(p.notes) for p in made.problems)


def test_a_picture_attached_to_a_notebook_is_kept(tmp_path: Path) -> None:
    path = notebook(
        tmp_path / "pic.ipynb", ("markdown", "1. See ![](attachment:a.png)\n2. Two?")
    )
    data = json.loads(path.read_text())
    data["cells"][0]["attachments"] = {
        "a.png": {"image/png": base64.b64encode(picture()).decode()}
    }
    put(path, json.dumps(data))
    made = split_exam(path, tmp_path / "out")
    assert [(i.width, i.height) for i in made.problems[0].images] == [(40, 30)]


def test_a_page_of_a_wiki_is_a_problem_with_its_solutions(tmp_path: Path) -> None:
    path = tmp_path / "page.wiki"
    put(
        path,
        "{{duplicate|[[Other page]]}}\n== Problem ==\n"
        "What is <imath>2^3</imath>?\n\n"
        r"<math>\textbf{(A)}\ 5\qquad \textbf{(B)}\ 6\qquad \textbf{(C)}\ 8</math>"
        "\n\n== Official Solution ==\n<cmath>2\\cdot 2\\cdot 2 = 8</cmath>\n\n"
        "== See also ==\n{{box}}\n",
    )
    made = split_exam(path, tmp_path / "out")
    [only] = made.problems
    assert only.question == "What is $2^3$?"
    assert [o.text for o in only.options] == ["$5$", "$6$", "$8$"]
    assert only.solution is not None
    assert r"$2\cdot 2\cdot 2 = 8$" in only.solution


MARKUPS = {
    "exam.rst": "Exam\n====\n\n1. Find :math:`x^2`.\n\n   A. 1\n   B. 4\n   C. 9\n\n2. Two?\n",
    "exam.org": "* Exam\n1. Find $x^2$.\n   A. 1\n   B. 4\n   C. 9\n2. Two?\n",
    "exam.typ": "= Exam\n\n+ Find $x^2$.\n+ Two?\n",
}


@pytest.mark.parametrize("name", MARKUPS)
def test_lists_of_markups_are_problems(name: str, tmp_path: Path) -> None:
    put(tmp_path / name, MARKUPS[name])
    questions = [question for question, *_ in cut(tmp_path / name, tmp_path / "out")]
    assert len(questions) == 2
    assert questions[0].startswith(("Find $x^2$.", "Find $x^{2}$."))


def test_solutions_in_boxes_of_their_own(tmp_path: Path) -> None:
    put(
        tmp_path / "box.rst",
        ".. exercise::\n\n   Find :math:`x`.\n\n   .. solution::\n\n      It is 3.\n\n"
        ".. exercise::\n\n   Find :math:`y`.\n",
    )
    made = split_exam(tmp_path / "box.rst", tmp_path / "out")
    assert [(p.question, p.solution) for p in made.problems] == [
        ("Find $x$.", "It is 3."),
        ("Find $y$.", None),
    ]


def test_a_list_that_starts_again_behind_a_display_holds_parts(tmp_path: Path) -> None:
    path = notebook(
        tmp_path / "plastic.ipynb",
        (
            "markdown",
            "# Newton\n\n## Exercises\n\n1. Let $p$ be\n\n$$x^3$$\n\n1. Find it.\n2. Draw it.",
        ),
    )
    [(question, *_)] = cut(path, tmp_path / "out")
    assert question.split() == "Let $p$ be $$x^3$$ ⑴ Find it. ⑵ Draw it.".split()


def test_solutions_stand_behind_their_problem_in_every_language(tmp_path: Path) -> None:
    path = notebook(
        tmp_path / "numerus.ipynb",
        (
            "markdown",
            "# Naslov\n\n## Текст на задачата\n\nКолку е $2+3$?\n\n## Анализа\n\nСобери.\n",
        ),
        ("markdown", "## Решение\n\n1. Собери.\n2. Значи 5.\n"),
    )
    made = split_exam(path, tmp_path / "out")
    assert [p.question for p in made.problems] == ["Колку е $2+3$?"]
    assert made.problems[0].solution == "⑴ Собери.\n\n⑵ Значи 5."
    left_out = [i.detail for i in made.issues if i.kind == "outside-of-exercises"]
    assert left_out == ["Naslov", "Анализа"]


def test_code_between_an_exercise_and_more_text_is_told(tmp_path: Path) -> None:
    path = notebook(
        tmp_path / "code.ipynb",
        ("markdown", "**Exercise 1.** Add 2 and 3."),
        ("code", "2 + 3"),
        ("markdown", "**Exercise 2.** Add 3 and 4."),
        ("code", "3 + 4"),
        ("markdown", "Sums are commutative."),
    )
    first, second = split_exam(path, tmp_path / "out").problems
    assert (first.question, first.notes) == ("Add 2 and 3.", [])
    assert second.question == "Add 3 and 4.\n\nSums are commutative."
    assert any("code-left-out" in note for note in second.notes)


def test_what_most_of_a_document_is_not_is_in_doubt(tmp_path: Path) -> None:
    body = "".join(paragraph(text(f"{k}. Write {k}.")) for k in (1, 2, 3))
    more = "".join(
        paragraph(
            text(f"[choice] What is asked here, in a form that nobody knows? {k}")
        )
        for k in range(9)
    )
    style = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>'
    heading = f"<w:p>{style}{text('Part B')}</w:p>"
    path = word_file(tmp_path / "template.docx", body + heading + more)
    made = split_exam(path, tmp_path / "out")
    assert all(any("most of the text" in n for n in p.notes) for p in made.problems)


BOOKS = {
    "exam.jats": '<article xmlns:m="http://www.w3.org/1998/Math/MathML"><body>'
    '<list list-type="order"><list-item><p>Find <inline-formula><m:math><m:msup><m:mi>x</m:mi>'
    "<m:mn>2</m:mn></m:msup></m:math></inline-formula>.</p></list-item><list-item><p>Two?</p></list-item></list></body></article>",
    "exam.dbk": '<article xmlns="http://docbook.org/ns/docbook"><orderedlist><listitem><para>Find '
    "<inlineequation><mathphrase>x^2</mathphrase></inlineequation>.</para></listitem><listitem>"
    "<para>Two?</para></listitem></orderedlist></article>",
}  # fmt: skip


@pytest.mark.parametrize("name", BOOKS)
def test_lists_of_books_in_xml_are_problems(name: str, tmp_path: Path) -> None:
    put(tmp_path / name, BOOKS[name])
    questions = [question for question, *_ in cut(tmp_path / name, tmp_path / "out")]
    assert len(questions) == 2
    assert questions[0].startswith("Find ")


# The reader ---------------------------------------------------------------------------------------


def test_pages_of_a_wiki_are_rows_and_one_that_holds_none_is_told(
    tmp_path: Path,
) -> None:
    options = (
        r"<math>\textbf{(A)}\ 5\qquad \textbf{(B)}\ 6\qquad \textbf{(C)}\ 8</math>"
    )
    for name in ("first", "second"):
        page = (
            f"== Problem ==\nWhat is it on the {name}?\n\n{options}\n\n== Solution ==\n"
        )
        put(
            tmp_path / f"{name}.wiki",
            page + r"Add: <math>\boxed{\textbf{(C) }8}</math>.",
        )
    put(tmp_path / "third.wiki", "Nothing is asked.\n")
    spec = SourceSpec(name="aops", reader="document", path="*.wiki")
    found = glance(spec, tmp_path, tmp_path / "work", 10)
    assert [(p.id, p.answer) for p in found.problems] == [
        ("aops-first", "C"),
        ("aops-second", "C"),
    ]
    assert all("exam: answer-from-solution: C" in p.notes for p in found.problems)
    assert [one.file for one in found.unreadable if "no numbered" in one.cause] == [
        "third.wiki"
    ]


def test_a_format_that_the_name_does_not_say_is_said(tmp_path: Path) -> None:
    put(tmp_path / "page.txt", "== Problem ==\nWhat is <math>x</math>?\n")
    spec = SourceSpec(name="a", reader="document", path="page.txt")
    with pytest.raises(UserError, match="no document by its name"):
        glance(spec, tmp_path, tmp_path / "work", 10)
    said = SourceSpec(
        name="a", reader="document", path="page.txt", options={"format": "mediawiki"}
    )
    [only] = glance(said, tmp_path, tmp_path / "work", 10).problems
    assert only.question == "What is $x$?"
    wrong = SourceSpec(
        name="a", reader="document", path="page.txt", options={"format": "wiki"}
    )
    with pytest.raises(UserError, match=r"format 'wiki'.*mediawiki"):
        glance(wrong, tmp_path, tmp_path / "work", 10)
