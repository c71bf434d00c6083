from __future__ import annotations

import json

import pytest
from benchwright import read_mmd
from benchwright.cli import cli
from benchwright.convert.documents import PageBox, tables
from benchwright.convert.documents.markdown import crop_box
from click.testing import CliRunner
from real_data import RealData

CROP = "https://cdn.mathpix.com/cropped/2024_01-09.jpg?height=212&width=209&top_left_y=508&top_left_x=15"


def test_text_figures_and_tables(data: RealData) -> None:
    document = read_mmd(
        rf"Let \(x\)2 ![alt]({CROP}) \includegraphics[width=3cm]{{b.png}}"
        "\n\\begin{tabular}{|l|c|}\\hline A & $a & b$ \\\\ "
        "\\multicolumn{2}{c}{two} \\\\\\hline\\end{tabular}"
        "\n\n| n | v |\n|---|:-:|\n| 1 | x \\| y |\n"
    )
    assert document.text.startswith("Let $x$ 2 <image1> <image2>")
    assert [f.url for f in document.figures] == [CROP, "b.png"]
    assert document.figures[0].box == PageBox(
        page=9, left=15, top=508, width=209, height=212
    )
    assert document.figures[1].box is None
    assert document.tables == [
        [["A", "$a & b$"], ["two", ""]],
        [["n", "v"], ["1", "x \\| y"]],
    ]


@pytest.mark.parametrize(
    "url", ["a.jpg", "http://h/a.jpg?height=x", "http://[bad", "a?height=1"]
)
def test_an_address_without_a_place(url: str) -> None:
    assert crop_box(url) is None


def test_multirow_and_escaped_cells() -> None:
    [(rows, _, _)] = tables(
        r"\begin{tabular}{ll}\multirow{2}{*}{a \& b} & {c & d} \\ & e\end{tabular}"
    )
    assert rows == [[r"a \& b", "{c & d}"], ["", "e"]]


def run(command: list[str], *records: object) -> tuple[int, list[dict[str, object]]]:
    lines = "\n".join(r if isinstance(r, str) else json.dumps(r) for r in records)
    result = CliRunner().invoke(cli, ["convert", *command], input=lines)
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def test_the_tool_keeps_ids_and_order() -> None:
    code, lines = run(
        ["mmd", "--spans"], {"id": 7, "mmd": "$x$"}, {"id": "b", "mmd": "none"}
    )
    assert (code, [line["id"] for line in lines]) == (0, [7, "b"])
    assert lines[0]["spans"] == [{"tex": "x", "display": False}]


def test_bad_lines_do_not_stop_the_rest() -> None:
    code, lines = run(["text"], "{broken", {"id": 1}, {"id": 2, "text": "∠A＝½"}, "[]")
    assert code == 1
    assert ["error" in line for line in lines] == [True, True, False, True]
    assert lines[2] == {"id": 2, "latex": "∠A=½"}


def test_delimiters_on_the_command_line() -> None:
    command = ["mmd", "--spans", "--inline", "$`", "`$"]
    assert run(command, {"id": 1, "mmd": "$`x`$ $y$"})[1][0]["spans"] == [
        {"tex": "x", "display": False}
    ]


def test_real_solutions_give_their_figures_and_tables(data: RealData) -> None:
    """All worked solutions of MATH-V: every crop has its place, every tabular its cells."""
    solutions = [
        record["solution"]
        for record in map(
            json.loads, data.math_v("test.jsonl").read_text("utf-8").splitlines()
        )
        if record["solution"]
    ]
    documents = [read_mmd(text) for text in solutions]
    figures = [figure for document in documents for figure in document.figures]
    assert len(figures) == sum(
        text.count("cdn.mathpix.com/cropped") for text in solutions
    )
    assert all(figure.box and figure.box.page for figure in figures)
    closed = sum(text.count(r"\end{tabular}") for text in solutions)
    assert sum(len(document.tables) for document in documents) >= closed
    assert (len(figures), closed) > (200, 20) if data.is_whole else (10, 1)
    assert all(row for d in documents for rows in d.tables for row in rows)


def test_markdown_of_local_recognisers() -> None:
    marker = "# 1\n\n![](_page_0_Figure_2.jpeg)\n\n$$\nx^2 = 4\n$$\n\nand $y$.\n"
    document = read_mmd(marker)
    assert (document.figures[0].url, document.figures[0].box) == (
        "_page_0_Figure_2.jpeg",
        None,
    )
    assert "$$\nx^2 = 4\n$$" in document.text
