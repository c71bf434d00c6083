"""Outputs of recognisers, in the shapes their tools write."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from benchwright import split_exam
from benchwright.base.files import read_jsonl
from benchwright.cli import cli
from benchwright.convert.documents import Recognised, read_recognised, tidied
from benchwright.convert.readers import Raw, read_sources
from benchwright.convert.readers.exam import rows
from benchwright.errors import UserError
from benchwright.pipeline import Engine, SourceSpec
from benchwright.problem import Problem
from click.testing import CliRunner
from small import png

DOT = b64encode(b"\x89PNG dot").decode()


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("Let $ x^2 $ be, $x $ too.", "Let $x^2$ be, $x$ too."),
        (
            '<img src="imgs/a.jpg" alt="a square" width="14%" />',
            "![a square](imgs/a.jpg)",
        ),
        (
            '<div style="text-align: center;"><img src="i/b.jpg"></div>\nA',
            "![](i/b.jpg)\n\nA",
        ),
        ("a &lt; b &amp; $c &lt; d$", "a < b & $c &lt; d$"),
        (r"<math>x^2+\frac{1}{2}</math>", r"$x^2+\frac{1}{2}$"),
        (r'<math display="block">x</math>', "$$x$$"),
        ("<eq>x+1</eq>", "$x+1$"),
        ("1. A\n\n{1}" + "-" * 48 + "\n\n2. B", "1. A\n\n\n\n2. B"),
        ("m<sup>2</sup> and a<sub>1</sub>", "m$^{2}$ and a$_{1}$"),
        (
            "![](a.jpg)\n<details><summary>s</summary>A. one</details>\nB",
            "![](a.jpg)\nB",
        ),
        ('<span id="page-1-0"></span>1. Find', "1. Find"),
        ("---\nprimary_language: en\nis_diagram: False\n---\n1. Find", "1. Find"),
        ("<table><tr><td>1</td></tr></table>", "<table><tr><td>1</td></tr></table>"),
    ],
)
def test_markdown(written: str, wanted: str) -> None:
    made = Recognised(name="page.md", markdown="")
    assert tidied(written, made) == wanted
    assert made.issues == []


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("a [MISSING_PAGE_FAIL:3] b", "page-lost: page 3"),
        ("a [MISSING_PAGE_POST] b", "page-lost"),
        ("a <!-- image --> b", "picture-lost"),
        ("a <!-- formula-not-decoded --> b", "formula-lost"),
        ("a ![](data:image/png;base64,%%%) b", "picture-lost"),
    ],
)
def test_what_a_recogniser_lost_is_an_issue(written: str, kind: str) -> None:
    made = Recognised(name="page.md", markdown="")
    assert tidied(written, made).split() == ["a", "b"]
    assert [issue[: len(kind)] for issue in made.issues] == [kind]


JSONS: dict[str, tuple[Any, list[str]]] = {
    "mineru": (
        [
            {"type": "header", "text": "School", "page_idx": 0},
            {"type": "text", "text": "Test", "text_level": 1, "page_idx": 0},
            {"type": "text", "text": "1. Find $x$.", "page_idx": 0},
            {"type": "equation", "text": "$$\nx=1\n$$", "text_format": "latex"},
            {"type": "image", "img_path": "images/a.jpg", "image_caption": ["Figure 1"]},
            {"type": "table", "table_body": "<table><tr><td>7</td></tr></table>"},
            {"type": "list", "list_items": ["A. 1", "B. 2"]},
            {"type": "page_number", "text": "3"},
        ],
        ["# Test", "1. Find $x$.", "$$x=1$$", "![](images/a.jpg)", "Figure 1",
         "<table><tr><td>7</td></tr></table>", "A. 1", "B. 2"],
    ),
    "mineru pages": (
        [[{"type": "page_header", "content": {"page_header_content": []}},
          {"type": "title", "content": {"level": 2, "title_content": [
              {"type": "text", "content": "Test"}]}},
          {"type": "paragraph", "content": {"paragraph_content": [
              {"type": "text", "content": "1. Find"},
              {"type": "equation_inline", "content": "x^2"}]}}],
         [{"type": "equation_interline", "content": {"math_content": "x=1", "math_type": "latex"}},
          {"type": "image", "content": {"image_source": {"path": "images/a.jpg"},
              "image_caption": [{"type": "text", "content": "Figure 1"}]}},
          {"type": "table", "content": {"html": "<table><tr><td>7</td></tr></table>"}},
          {"type": "list", "content": {"list_items": [
              {"item_content": [{"type": "text", "content": "A. 1"}]}]}}]],
        ["## Test", "1. Find $x^2$", "$$x=1$$", "![](images/a.jpg)", "Figure 1",
         "<table><tr><td>7</td></tr></table>", "A. 1"],
    ),
    "mistral": (
        {"pages": [{"index": 0, "markdown": "1. See\n\n![i.png](i.png)", "images": [
            {"id": "i.png", "image_base64": f"data:image/png;base64,{DOT}"}]},
            {"index": 1, "markdown": "2. Find"}]},
        ["1. See", "![i.png](i.png)", "2. Find"],
    ),
    "paddle": (
        {"res": {"parsing_res_list": [
            {"block_label": "text", "block_content": "1. Find $ x $"},
            {"block_label": "image", "block_content": "", "block_bbox": [1, 2, 3, 4]},
            {"block_label": "number", "block_content": "12"}]}},
        ["1. Find $x$", "![](imgs/img_in_image_box_1_2_3_4.jpg)"],
    ),
    "marker": (
        {"blocks": [
            {"block_type": "Text", "html": "<p>1. <math>x^2</math> &lt; 2</p>"},
            {"block_type": "Picture", "html": "", "images": {"/page/1/Figure/0": DOT}},
            {"block_type": "PageFooter", "html": "<p>9</p>"}]},
        ["1. $x^2$ < 2", "![](page_1_Figure_0.jpeg)"],
    ),
    "docling": (
        {"schema_name": "DoclingDocument",
         "body": {"children": [{"$ref": "#/texts/1"}, {"$ref": "#/groups/0"},
                               {"$ref": "#/tables/0"}]},
         "groups": [{"children": [{"$ref": "#/texts/0"}, {"$ref": "#/groups/0"}]}],
         "texts": [{"label": "formula", "text": "x=1"},
                   {"label": "list_item", "marker": "1.", "text": "Find x"}],
         "tables": [{"data": {"grid": [[{"text": "7"}, {"text": "8"}]]}}]},
        ["1. Find x", "$$x=1$$", "<table><tr><td>7</td><td>8</td></tr></table>"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("tool", JSONS)
def test_json(tool: str, tmp_path: Path) -> None:
    data, wanted = JSONS[tool]
    file = tmp_path / f"{tool}.json"
    file.write_text(json.dumps(data), "utf-8")
    made = read_recognised(file, tmp_path / "exam.mmd")
    flat = made.markdown.replace("$$\n", "$$").replace("\n$$", "$$")
    assert [line for line in flat.split("\n") if line.strip()] == wanted
    assert (tmp_path / "exam.mmd").read_text("utf-8") == made.markdown
    for name, content in made.pictures.items():
        assert (
            (tmp_path / "exam-images" / name).read_bytes() == content == b"\x89PNG dot"
        )
    assert bool(made.pictures) is (tool in ("mistral", "marker"))


def test_embedded_pictures_become_files(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text(f"1. See ![a](data:image/png;base64,{DOT})", "utf-8")
    made = read_recognised(file)
    assert (made.markdown, list(made.pictures)) == (
        "1. See ![a](page-1.png)",
        ["page-1.png"],
    )


@pytest.mark.parametrize("content", ['{"a": 1}', "[1, 2]", '{"pages": 3}', "{cut"])
def test_other_json_is_refused_by_name(content: str, tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text(content, "utf-8")
    with pytest.raises(UserError, match=r"other\.json"):
        read_recognised(file)


def test_exams_are_cut_from_json_at_once(tmp_path: Path) -> None:
    """As one command with its pictures, and as a source of a recipe."""
    file = tmp_path / "exam.json"
    file.write_text(json.dumps(JSONS["mistral"][0]), "utf-8")
    cut = split_exam(file, tmp_path / "out")
    assert [problem.question.split("\n")[0] for problem in cut.problems] == [
        "See",
        "Find",
    ]
    assert (tmp_path / "out" / "exam-images" / "i.png").is_file()
    spec = SourceSpec(name="s", reader="exam", path="exam.json")
    found = list(rows(spec, [file]))
    assert [row.data.problem.raw_id for row in found if isinstance(row, Raw)] == [
        "1",
        "2",
    ]
    file.write_text('{"pages": [{"markdown": "no number"}]}', "utf-8")
    with pytest.raises(UserError, match=r"exam\.json: no numbered problems"):
        split_exam(file, tmp_path / "none")


def test_pictures_inside_a_recognised_text_reach_a_release(tmp_path: Path) -> None:
    picture = b64encode(png(9, 7)).decode()
    (tmp_path / "a.md").write_text(
        f"1. See $ x $ &lt; 2 <img src='data:image/png;base64,{picture}'/>\n\n2. Find it.",
        "utf-8",
    )
    spec = SourceSpec(name="s", reader="exam", path="a.md")
    read_sources([spec], tmp_path, tmp_path / "work", Engine())
    first, second = read_jsonl(
        tmp_path / "work" / "00-read" / "problems.jsonl", Problem
    )
    assert first.question.split("\n")[0].startswith("See $x$ < 2")
    assert [(image.width, image.height) for image in first.images] == [(9, 7)]
    assert (second.images, first.notes, second.notes) == ([], [], [])


def test_command(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text("1. Find $ x $\n\n[MISSING_PAGE_FAIL:2]", "utf-8")
    out = tmp_path / "exam.mmd"
    result = CliRunner().invoke(
        cli, ["convert", "ocr", str(file), "-o", str(out), "--json"]
    )
    assert result.exit_code == 1
    assert json.loads(result.stdout)["issues"] == ["page-lost: page 2"]
    assert out.read_text("utf-8").startswith("1. Find $x$")


def test_marks_of_a_recogniser_tell_whose_markdown_it_is(tmp_path: Path) -> None:
    """Nougat calls its files .mmd, too; beside the exam nothing is written over it."""
    file = tmp_path / "exam.mmd"
    file.write_text("1. One?\n2. Two?\n\n[MISSING_PAGE_FAIL:2]\n\n3. Three?", "utf-8")
    before = file.read_bytes()
    cut = split_exam(file, tmp_path)
    assert [issue.kind for issue in cut.issues] == ["page-lost"]
    assert [p.question for p in cut.problems] == ["One?", "Two?", "Three?"]
    assert file.read_bytes() == before
