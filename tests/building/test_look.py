"""The page of a check: which raw rows it shows, and what stands beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright import build_release, check_recipe, show
from benchwright.base.files import read_jsonl, sha256_file
from benchwright.building.look import SHOWN, spread
from benchwright.building.stretches import stretches
from benchwright.cli import cli
from benchwright.convert.readers import RawRow, cells_of
from benchwright.convert.readers.exam_proposals import text_hash
from benchwright.exports import as_text
from benchwright.pages import Issue, RawProblem, RawText, RawView
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from small import dump, png, problem, tree, write_recipe, write_rows
from small import options as labelled


def cards(page: Path) -> list[dict[str, Any]]:
    """The cards of a page, by reading its data as a browser would."""
    script = (page.with_suffix(".data") / "samples-00000.js").read_text("utf-8")
    return json.loads(script.removeprefix("benchwright.piece(").removesuffix(");\n"))[1]


def verbatim(card: dict[str, Any]) -> dict[str, str]:
    """The raw cells as they are shown."""

    def text(parts: list[Any]) -> str:
        return "".join(p if isinstance(p, str) else text(p["p"]) for p in parts)

    return {name: text(shown[0]["r"]) for name, shown, _ in card["raw"]}


def marked(parts: list[Any]) -> list[tuple[str, str]]:
    return [
        (p["m"], "".join(map(str, p["p"])))
        for p in parts
        if isinstance(p, dict) and "m" in p
    ]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """Rows of HTML: one sound with a picture, one with issues, one without question, one broken."""
    (tmp_path / "p").mkdir()
    (tmp_path / "p/a.png").write_bytes(png(60, 50, mode="RGB"))
    rows = [
        {
            "nr": 1,
            "stem": "<p>Is <i>x</i> in &lt;1, 2&gt;?</p><img src='x/a.png'>",
            "key": "2",
        },
        {
            "nr": 2,
            "stem": "The number Ã© is?",
            "opts": ["1", "1"],
            "key": "E",
            "more": "page 7",
        },
        {"nr": 3, "key": "2"},
        *({"nr": k, "stem": f"${k}+1$?", "key": str(k + 1)} for k in range(4, 40)),
    ]
    write_rows(tmp_path / "dump.jsonl", rows)
    with (tmp_path / "dump.jsonl").open("a") as file:
        file.write('{"nr": 40, "stem"\n')
    fields = {"id": "nr", "question": "stem", "options": "opts", "answer": "key"}
    source = {
        "name": "s",
        "reader": "jsonl",
        "path": "dump.jsonl",
        "images": "p",
        "fields": fields,
    }
    stages = [
        {"html": {"images": "p"}},
        "latex",
        {"check": {"on_gold": "drop"}},
        "dedup",
    ]
    recipe = {"name": "x", "version": "1.0.0", "sources": [source], "stages": stages}
    path = write_recipe(tmp_path / "recipe.yaml", recipe)
    said = CliRunner().invoke(
        cli,
        ["build-release", str(path), "--check", "--page", "-o", str(tmp_path / "out")],
    )
    assert said.exit_code == 1  # rows that cannot be read
    return tmp_path / "out/x-check.html"


def test_raw_rows_stand_beside_the_problems_that_they_became(page: Path) -> None:
    by_place = {card["id"]: card for card in cards(page)}
    assert len(by_place) == SHOWN
    first = by_place["dump.jsonl:1"]
    assert (
        verbatim(first)["stem"]
        == "<p>Is <i>x</i> in &lt;1, 2&gt;?</p><img src='x/a.png'>"
    )
    [(_, _, thumbs)] = [cell for cell in first["raw"] if cell[0] == "stem"]
    [became] = first["became"]
    assert became["question"] == "Is x in <1, 2>?\n<image1>"
    assert became["pictures"] == thumbs
    kept = page.with_suffix(".data") / thumbs[0]
    assert sha256_file(kept) == sha256_file(page.parents[1] / "p/a.png")


def test_the_page_goes_to_out_where_nobody_says_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_rows(
        tmp_path / "d.jsonl", [{"id": 1, "question": "What is 2+2?", "answer": "4"}]
    )
    source = {"name": "s", "reader": "jsonl", "path": "d.jsonl", "license": "MIT"}
    path = write_recipe(
        tmp_path / "r.yaml", {"name": "x", "version": "1.0.0", "sources": [source]}
    )
    monkeypatch.chdir(tmp_path)
    said = CliRunner().invoke(cli, ["build-release", str(path), "--check", "--page"])
    assert (said.exit_code, said.exception) == (0, None)
    assert (tmp_path / "out/x-check.html").exists()


def test_issues_stand_where_they_are_about(page: Path) -> None:
    shown = cards(page)
    troubled = {card["id"].rpartition(":")[2] for card in shown[:4]}
    assert troubled == {"1", "2", "3", "40"}  # of the first, only the picture is blank
    by_place = {card["id"]: card for card in shown}
    second = by_place["dump.jsonl:2"]
    [became] = second["became"]
    codes = {issue["code"]: issue["where"] for issue in became["issues"]}
    assert codes == {
        "gold-not-option": "answer",
        "option-duplicate": "options",
        "text-mojibake": "question",
    }
    assert became["facets"] == {"became": ["dropped"]}
    assert marked(became["question"]) == [("error", "Ã©")]
    assert [marked(text) for _, text, _ in became["options"]] == [[("error", "1")]] * 2
    raw = {name: marked(value[0]["r"]) for name, value, _ in second["raw"]}
    assert raw == {
        "nr": [],
        "stem": [("error", "Ã©")],
        "opts": [],
        "key": [("error", "E")],
        "more": [("outside", "page 7")],
    }
    unread = by_place["dump.jsonl:3"]
    assert unread["issues"][0]["what"] == "no field 'stem' for the question"
    assert "became" not in unread
    assert "page 7" in page.read_text(
        "utf-8"
    )  # what lies outside is told once more, by column


def test_the_page_is_the_same_whenever_it_is_made(page: Path) -> None:
    other = page.parents[1] / "other" / page.name
    check_recipe(page.parents[1] / "recipe.yaml", page=other)
    again = tree(other.parent)
    built = {
        name: data
        for name, data in tree(page.parent).items()
        if not name.startswith("work/")
    }
    assert built == again
    assert str(page.parents[1]).encode() not in b"".join(again.values())


def test_a_document_is_shown_as_it_stands(tmp_path: Path) -> None:
    questions = (
        "1. What is $1+1$?\nA. 1  B. 2\n\n2. Halve <nine>.\n\nAnswers: 1. B 2. 4.5\n"
    )
    text = f"# Test\n\nUse no tables.\n\n{questions}"
    (tmp_path / "exam.mmd").write_text(text)
    source = {"name": "e", "reader": "exam", "path": "exam.mmd"}
    recipe = {"name": "x", "version": "1.0.0", "sources": [source], "stages": ["latex"]}
    target = tmp_path / "look.html"
    check_recipe(write_recipe(tmp_path / "recipe.yaml", recipe), page=target)
    shown = {card["id"]: card for card in cards(target)}
    assert "1. What is $1+1$?\nA. 1  B. 2" in verbatim(shown["exam.mmd:5"])[""]
    assert verbatim(shown["exam.mmd:8"])[""].startswith("2. Halve <nine>.")
    assert shown["exam.mmd:8"]["became"][0]["id"] == "e-2"
    assert verbatim(shown["exam.mmd:1"]) == {
        "before the first problem": text[:23].rstrip()
    }


@given(st.lists(st.text("ab\n 12.", min_size=1), max_size=8), st.text("ab\n 1"))
def test_stretches_of_a_document_are_all_of_it(questions: list[str], head: str) -> None:
    text = head + "\n".join(questions)
    before, found = stretches(text, questions)
    parts = [part for part in found if part is not None]
    assert before.text + "".join(part.text for part in parts) == text
    for part in parts:
        assert part.text.split("\n")[0] in text.split("\n")[part.line - 1]


def row(number: int, codes: list[str], options: int) -> RawView:
    texts = ["1", "2", "3", "4", "5"][:options]
    made = problem(number, question="?" * (options + 1), labels={})
    made.options = labelled(*texts)
    issues = [Issue(code, "question", "x", "y") for code in codes]
    return RawView(f"f:{number}", [RawText("q", "?")], [RawProblem(made, issues)])


@given(
    st.lists(
        st.tuples(st.lists(st.sampled_from("abcdef"), max_size=2), st.integers(0, 5))
    )
)
def test_the_rows_shown_are_those_that_show_most(
    kinds: list[tuple[list[str], int]],
) -> None:
    rows = [row(k, *kind) for k, kind in enumerate(kinds)]
    shown = spread(rows)
    assert len(shown) == min(SHOWN, len(rows)) == len({one.place for one in shown})
    codes = {code for of_row, _ in kinds for code in of_row}
    assert {issue.code for one in shown for issue in one.every_issue()} == codes
    troubled = [bool(one.every_issue()) for one in shown]
    assert troubled == sorted(troubled, reverse=True)
    if len(codes) <= SHOWN - 6:
        numbers = {len(one.problems[0].problem.options) for one in shown}
        assert numbers == {options for _, options in kinds}


def test_raw_rows_stay_reachable_by_place_and_hash(tmp_path: Path) -> None:
    recipe = dump(tmp_path)
    data = tmp_path / "dump.jsonl"
    lines = data.read_text("utf-8").splitlines()
    data.write_text("\n".join([*lines, lines[0]]) + "\n")
    built = build_release(recipe, tmp_path / "out").release
    rows = list(read_jsonl(tmp_path / "out/work/00-read/lines.jsonl", RawRow))
    assert [(one.id, one.at) for one in rows[:2]] == [
        ("a-1", "dump.jsonl:1"), ("a-2", "dump.jsonl:2"),
    ]  # fmt: skip
    assert (rows[-1].id, rows[-1].sha256) == (
        "dump.jsonl:13",
        rows[0].sha256,
    )  # an id twice
    assert len({one.sha256 for one in rows}) == 12
    stood = json.loads(lines[2])
    assert dict(rows[2].row)["question"] == stood["question"]
    assert json.loads(dict(rows[2].row)["options"]) == stood["options"]
    followed = show(built, "dump.jsonl:3")
    assert followed.id == "a-3"
    assert f"raw row, sha256 {rows[2].sha256}" in as_text(followed)
    past = (tmp_path / "out/small-1.0.0-history/past-00000.js").read_text("utf-8")
    assert rows[2].sha256[:16] in past


def test_pictures_in_a_raw_row_are_told_by_size_and_hash(tmp_path: Path) -> None:
    import base64

    picture = png(60, 50, mode="RGB")
    uri = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    rows = [{"id": "1", "question": f"See <img src='{uri}'> and say.", "answer": "1",
             "images": [uri]}]  # fmt: skip
    write_rows(tmp_path / "d.jsonl", rows)
    source = {"name": "s", "reader": "jsonl", "path": "d.jsonl", "license": "MIT"}
    recipe = {"name": "x", "version": "1.0.0", "sources": [source]}
    path = tmp_path / "recipe.yaml"
    path.write_text(yaml.safe_dump(recipe))
    built = build_release(path, tmp_path / "out")
    [one] = read_jsonl(tmp_path / "out/work/00-read/lines.jsonl", RawRow)
    assert len(str(one.row)) < 400
    assert f"‹{len(uri):,} bytes" in dict(one.row)["question"]
    assert f"‹{len(picture):,} bytes" in dict(one.row)["images"]
    assert built.reports[0].kept == 1


def test_rows_of_any_shape_have_cells() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert [cell.text for cell in cells_of({"a": deep})] == ["(nested too deeply)"]
    odd = {"a": {1: range(2)}, "b": [b"GIF89a"], "c": complex(1, 2), "d": None, "e": {}}
    found = {cell.name: cell.text for cell in cells_of(odd)}
    assert found["a.1"] == "range(0, 2)"
    assert found["b"].startswith('["‹6 bytes')
    assert (found["c"], found["d"], found["e"]) == ("(1+2j)", "", "{}")


def test_a_models_cut_is_shown_with_its_doubts_until_somebody_decides(
    tmp_path: Path,
) -> None:
    text = "First: what is two?\nA stray line.\nSecond: what is three?\n"
    (tmp_path / "e.mmd").write_text(text, "utf-8")

    def span(role: str, line: int, problem: str) -> dict[str, Any]:
        start = len("First: ") if problem == "1" else len("Second: ")
        place = {"first": line, "last": line, "start": start, "end": None}
        return {"role": role, "problems": [problem], **place}

    spans = [span("stem", 1, "1"), span("stem", 3, "2")]
    doubts = ["-: cut-left-out: First", "-: cut-left-out: A stray line. Second"]
    cut = {"about": text_hash(text), "model": "m", "spans": spans, "doubts": doubts}
    (tmp_path / "cut.json").write_text(json.dumps(cut), "utf-8")
    source = {
        "name": "s",
        "reader": "exam",
        "path": "e.mmd",
        "options": {"cut": "cut.json"},
    }
    recipe = {"name": "x", "version": "1.0.0", "sources": [source], "stages": []}
    path = write_recipe(tmp_path / "recipe.yaml", recipe)
    checked = check_recipe(path, page=tmp_path / "open.html")
    assert "2 doubts of the cut are undecided" in checked.findings[0].what
    [card] = cards(tmp_path / "open.html")
    [(name, shown, _)] = card["raw"]
    stems = [text for kind, text in marked(shown[0]["r"]) if kind == "evidence"]
    assert (name, stems) == ("cut", ["what is two?", "what is three?"])
    assert [issue["what"] for issue in card["issues"]] == [
        "First",
        "A stray line. Second",
    ]
    assert [one["question"] for one in card["became"]] == [
        "what is two?",
        "what is three?",
    ]
    (tmp_path / "cut.json").write_text(json.dumps(cut | {"decided": True}), "utf-8")
    check_recipe(path, page=tmp_path / "decided.html")
    shown = [card for card in cards(tmp_path / "decided.html") if card["raw"]]
    assert [card.get("issues", []) for card in shown if card["raw"][0][0] == "cut"] == [
        []
    ]
