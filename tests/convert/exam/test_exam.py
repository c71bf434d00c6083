"""Small exams by hand, whose cut is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.cli import cli
from benchwright.convert.exam import Exam, KeyEntry, join_key, read_key, split_exam
from benchwright.convert.readers.exam import read_exam
from benchwright.errors import UserError
from benchwright.options import split_options
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from small import png


def kinds(exam: Exam) -> list[tuple[str, str]]:
    return [(issue.problem, issue.kind) for issue in exam.issues]


@pytest.mark.parametrize(
    "options",
    [
        "(A) 1 (B) 2 (C) 3 (D) 4",
        "A. 1  B. 2  C. 3  D. 4",
        "A．1　B．2　C．3　D．4",
        "A、1\nB、2\nC、3\nD、4",
        "A) 1\n\nB) 2\n\nC) 3\n\nD) 4",
        "- (A) 1\n- (B) 2\n- (C) 3\n- (D) 4",
        "**A.** 1 **B.** 2 **C.** 3 **D.** 4",
        r"\textbf{(A)} 1 \qquad \textbf{(B)} 2 \qquad \textbf{(C)} 3 \qquad \textbf{(D)} 4",
        "A 1 B 2 C 3 D 4",
        r"\begin{tabular}{llll}(A) 1 & (B) 2 & (C) 3 & (D) 4\end{tabular}",
        r"\begin{tabular}{ll}A & 1 \\ B & 2 \\ C & 3 \\ D & 4\end{tabular}",
        r"\begin{tabular}{|c|c|c|c|}\hline A & B & C & D \\ \hline 1 & 2 & 3 & 4\end{tabular}",
        "| A | B | C | D |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |",
        r"\begin{enumerate}[label=(\Alph*)]\item 1 \item 2 \item 3 \item 4\end{enumerate}",
        r"\begin{itemize}\item[(A)] 1 \item[(B)] 2 \item[(C)] 3 \item[(D)] 4\end{itemize}",
    ],
)  # fmt: skip
def test_option_shapes(options: str) -> None:
    exam = split_exam(
        f"1. What is it?\n{options}\n\n2. And this?\n(A) 5 (B) 6 (C) 7 (D) 8"
    )
    first, second = exam.problems
    assert first.question == "What is it?"
    assert [(o.label, o.text) for o in first.options] == list(
        zip("ABCD", "1234", strict=True)
    )
    assert len(second.options) == 4
    assert exam.issues == []


def test_options_inside_one_formula() -> None:
    exam = split_exam(
        "1. Find $x$.\n$\\textbf{(A)}\\ \\frac{1}{2} \\qquad \\textbf{(B) } 2 \\qquad "
        "\\mathrm{(C)}~3\\qquad \\text{(D)}\\ x+1$\n2. Next (A) 1 (B) 2 (C) 3 (D) 4"
    )
    texts = [o.text for o in exam.problems[0].options]
    assert texts == ["$\\frac{1}{2}$", "$2$", "$3$", "$x+1$"]


def test_pictures_as_options() -> None:
    pictures = " ".join(f"({c}) ![](https://h/{c}-1.jpg)" for c in "ABCDE")
    [problem] = split_exam(f"1. ![](https://h/s-1.jpg) Which one?\n{pictures}").problems
    assert problem.question == "<image1> Which one?"
    assert [o.text for o in problem.options] == [f"<image{k}>" for k in range(2, 7)]
    assert [f.url for f in problem.figures][1:] == [
        f"https://h/{c}-1.jpg" for c in "ABCDE"
    ]


def test_letters_below_one_picture_and_a_picture_behind_the_options() -> None:
    exam = split_exam(
        "1. Which?\n![](https://h/a-1.jpg)\n(A) (B) (C) (D) (E)\n"
        "2. Sum?\n(A) 1 (B) 2 (C) 3 (D) 4 (E) 5 ![](https://h/b-1.jpg)\n"
    )
    first, second = exam.problems
    assert [o.text for o in first.options] == list("ABCDE")
    assert (second.question, second.options[-1].text) == ("Sum?\n<image1>", "5")


def test_shuffled_options_are_sorted_and_flagged() -> None:
    [problem] = split_exam("1. Which?\n(A) 1 (D) 4\n(B) 2 (E) 5\n(C) 3").problems
    assert [o.text for o in problem.options] == list("12345")
    assert problem.flags == ["options-out-of-order"]


def test_letters_in_the_stem_are_no_options() -> None:
    stem = split_options(
        "Points (A), (B) and (C) lie on a line. Find it.\n(A) 1 (B) 2 (C) 3 (D) 4"
    )
    assert stem.text.endswith("Find it.")
    assert [o.text for o in stem.options] == list("1234")


def test_numbered_lines_inside_a_problem_are_not_problems() -> None:
    stem = "Three rules hold:\n1. first\n2. second\n3. third\nHow many?"
    choices = "(A) 1 (B) 2 (C) 3 (D) 4"
    exam = split_exam(
        "\n".join(f"{n}. {stem if n == 4 else 'Q?'}\n{choices}" for n in range(1, 9))
    )
    assert [p.number for p in exam.problems] == list(range(1, 9))
    assert "2. second" in exam.problems[3].question


def test_a_lost_number_is_flagged() -> None:
    exam = split_exam("\n".join(f"{n}. Q{n}?" for n in (1, 2, 3, 5, 6)))
    assert ("3", "number-missing") in kinds(exam)


def test_an_undecidable_number_is_flagged() -> None:
    exam = split_exam("1. First: steps are\n2. add\n2. Second?\n3. Third?\n4. Fourth?")
    assert "number-doubtful" in {kind for _, kind in kinds(exam)}


def test_sections_restart_numbers() -> None:
    part = "\n".join(f"{n}. Question {n}?" for n in range(1, 9))
    exam = split_exam(
        f"\\section*{{3 point problems}}\n{part}\n\n## 4 point problems\n{part}"
    )
    assert [p.raw_id for p in exam.problems][7:9] == ["1.8", "2.1"]
    assert {p.section for p in exam.problems} == {
        "3 point problems",
        "4 point problems",
    }


def test_numbers_that_start_again_without_a_heading() -> None:
    part = "\n".join(f"{n}. Question {n}?" for n in (1, 2, 3))
    exam = split_exam(f"{part}\n\n1. And one?\n2. And two?\n")
    assert [p.raw_id for p in exam.problems] == ["1.1", "1.2", "1.3", "2.1", "2.2"]
    listed = split_exam(f"{part}\n1. it is even\n2. it is odd\n")
    assert [p.raw_id for p in listed.problems] == ["1", "2", "3"]
    goes_on = split_exam(
        "1. One?\n2. Which?\n1. Is it a?\n2. Is it b?\n3. Three?\n4. Four?"
    )
    assert goes_on.issues


def test_a_blank_behind_a_mark_is_no_answer() -> None:
    blank = "Is 9 odd?\n\n**Answer:** ________\n\nIs 4 prime?\n\n**Answer:** ________"
    exam = split_exam(
        f"1. {blank}\n2. Is 6 odd?", "1. Answer: yes\n\nAnswer: no\n\n2. no"
    )
    first, second = exam.problems
    assert first.question == blank
    assert (first.answer, second.answer) == ("yes", "no")
    assert kinds(exam) == [("1", "two-answers")]


def test_a_double_integral_leaves_no_dollar_open() -> None:
    assert split_exam("1. Find $\\iint f dx dy$.\n2. Find $x$.").issues == []


def test_shared_text_goes_to_all_it_names() -> None:
    exam = split_exam(
        "1. One?\n2. Two?\n\nQuestions 3-4 refer to the figure.\n![](https://h/a-1.jpg)\n\n"
        "3. Three?\n4. Four?\n5. Five?"
    )
    assert [len(p.figures) for p in exam.problems] == [0, 0, 1, 1, 0]
    assert exam.problems[3].question.endswith("<image1>\nFour?")


def test_text_behind_a_heading_is_not_lost_in_silence() -> None:
    exam = split_exam("1. One?\n# Across\nClues that matter.\n2. Two?\n3. Three?")
    assert ("1", "text-after-heading") in kinds(exam)


def test_chinese_exam() -> None:
    exam = split_exam(
        "一、选择题（每小题3分，共6分）\n1．已知$a>0$，则（　　）\n"
        "A．$1$　　B．$2$　　C．$3$　　D．$4$\n"
        "【答案】C\n【解析】因为…\n【点评】容易。\n"
        "2、如图，求（1）$x$；（2）$y$．\n【答案】5\n"
    )
    first, second = exam.problems
    assert (first.answer, first.solution) == ("C", "因为…\n容易。")
    assert first.section.startswith("一、选择题")
    assert second.question == "如图，求（1）$x$；（2）$y$．"


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("1-5 CABDE", [(1, "C"), (2, "A"), (3, "B"), (4, "D"), (5, "E")]),
        ("1. (C) 2. 25 3. 3", [(1, "C"), (2, "25"), (3, "3")]),
        ("1．B 2．$\\frac{1}{2}$", [(1, "B"), (2, "$\\frac{1}{2}$")]),
        ("| 1 | 2 | 3 |\n|---|---|---|\n| A | B | 7 |", [(1, "A"), (2, "B"), (3, "7")]),
        ("| No. | Answer |\n|---|---|\n| 1 | A |\n| 2 | 1 |", [(1, "A"), (2, "1")]),
        (
            r"\begin{tabular}{llll}1 & A & 3 & C \\ 2 & B & 4 & D\end{tabular}",
            [(1, "A"), (2, "B"), (3, "C"), (4, "D")],
        ),
    ],
)
def test_keys(text: str, entries: list[tuple[int, str]]) -> None:
    assert [(entry.number, entry.answer) for entry in read_key(text)] == entries


@pytest.mark.parametrize(
    "key", ["1. A 2. B 3. C 4. D", "1. A 2. B 3. C\n1. A", "Just prose."]
)
def test_a_key_that_does_not_fit_is_refused_whole(key: str) -> None:
    exam = split_exam("1. One?\n2. Two?\n3. Three?", key)
    assert kinds(exam) == [("", "key-refused")]
    assert [p.answer for p in exam.problems] == ["", "", ""]


@pytest.mark.parametrize(
    "key", ["答案：1-3 CAB", "答案：1.C　2.A　3.B", "Answer: 1. C 2. A 3. B"]
)
def test_a_whole_key_in_one_line_is_no_answer_of_the_last_problem(key: str) -> None:
    problems = "\n".join(f"{n}. Which?\nA. 1 B. 2 C. 3 D. 4" for n in (1, 2, 3))
    assert [p.answer for p in split_exam(f"{problems}\n{key}").problems] == [
        "C",
        "A",
        "B",
    ]


def test_a_key_whose_sections_stand_in_the_lines_of_their_answers() -> None:
    exam = "一、选择题\n1. a?\n2. b?\n二、填空题\n3. c=__\n三、解答题\n4. d?\n"
    for key in (
        "一、1. A 2. C\n二、3. 7\n三、4. 9",
        "一、选择题：1-2 AC\n二、填空题 3. 7\n三、4. 9",
    ):
        cut = split_exam(f"{exam}\n参考答案\n{key}")
        assert [p.answer for p in cut.problems] == ["A", "C", "7", "9"]
        assert cut.issues == []


def test_a_key_with_restarts() -> None:
    entries = [KeyEntry(1, "A"), KeyEntry(2, "B"), KeyEntry(1, "C"), KeyEntry(2, "D")]
    assert join_key([KeyEntry(n, "") for n in (1, 2, 1, 2)], entries) == (entries, "")
    joined, refusal = join_key([KeyEntry(n, "") for n in (1, 2, 3, 4)], entries)
    assert joined == [None] * 4
    assert refusal


def layout(*lines: tuple[str, int, int]) -> dict[str, Any]:
    """lines.json of one page of 1000 pixels: text, left, top."""
    lines = [
        {
            "text": text,
            "region": {"top_left_x": x, "top_left_y": y, "width": 400, "height": 20},
        }
        for text, x, y in lines
    ]
    return {
        "pages": [{"page": 1, "page_width": 1000, "page_height": 1400, "lines": lines}]
    }


def crop(left: int, top: int, height: int = 100) -> str:
    place = f"height={height}&width=200&top_left_y={top}&top_left_x={left}"
    return f"![](https://cdn.mathpix.com/cropped/x-01.jpg?{place})"


def placed(tmp_path: Path, text: str, pages: dict[str, Any]) -> Exam:
    exam = tmp_path / "e.mmd"
    exam.write_text(text, "utf-8")
    (tmp_path / "e.lines.json").write_text(json.dumps(pages))
    return read_exam(exam)


ONE_COLUMN = layout(
    ("1. First?", 50, 100), ("2. Second?", 50, 400), ("3. Third?", 50, 800)
)
TWO_COLUMNS = layout(
    ("1. First?", 50, 100),
    ("2. Second?", 50, 700),
    ("3. Third?", 550, 100),
    ("4. Last?", 550, 700),
)


def test_a_figure_right_of_its_text_agrees(tmp_path: Path) -> None:
    text = f"1. First?\n2. Second? {crop(700, 420)}\n3. Third?"
    assert placed(tmp_path, text, ONE_COLUMN).issues == []


def test_a_figure_in_another_problems_band_is_flagged_not_moved(tmp_path: Path) -> None:
    text = f"1. First?\n2. Second? {crop(700, 150)}\n3. Third?"
    exam = placed(tmp_path, text, ONE_COLUMN)
    assert kinds(exam) == [("1", "figure-order"), ("2", "figure-order")]
    assert [len(p.figures) for p in exam.problems] == [0, 1, 0]


def test_a_figure_over_two_problems_is_flagged(tmp_path: Path) -> None:
    text = f"1. First?\n2. Second? {crop(700, 580, 400)}\n3. Third?"
    assert kinds(placed(tmp_path, text, ONE_COLUMN)) == [("2", "figure-spans")]


def test_two_columns(tmp_path: Path) -> None:
    text = (
        f"1. First?\n2. Second? {crop(100, 750)}\n3. Third? {crop(600, 200)}\n4. Last?"
    )
    assert placed(tmp_path, text, TWO_COLUMNS).issues == []
    wrong = f"1. First?\n2. Second? {crop(600, 750)}\n3. Third?\n4. Last?"
    assert ("4", "figure-order") in kinds(placed(tmp_path, wrong, TWO_COLUMNS))


@pytest.mark.parametrize(
    "text", ["[]", "{", '{"pages": [{"lines": [{"region": {}}]}]}', '{"a": 1}']
)
def test_a_broken_lines_json_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "e.mmd").write_text("1. One?\n2. Two?")
    (tmp_path / "e.lines.json").write_text(text)
    with pytest.raises(UserError, match=r"lines\.json"):
        read_exam(tmp_path / "e.mmd")


def test_command_writes_problems_pictures_and_issues(tmp_path: Path) -> None:
    exam = tmp_path / "e.mmd"
    exam.write_text(
        f"1. One? {crop(5, 6)}\n(A) 1 (B) 2 (C) 3 (D) 4\n2. Two? ![](b-1.png)", "utf-8"
    )
    (tmp_path / "e-images").mkdir()
    (tmp_path / "e-images/x-01_5_6_200_100.jpg").write_bytes(png())
    (tmp_path / "key.mmd").write_text("1. D\n2. $7$")
    arguments = ["convert", "exam", str(exam), "-o", str(tmp_path / "out"), "--json"]
    result = CliRunner().invoke(cli, [*arguments, "--key", str(tmp_path / "key.mmd")])
    assert (result.exit_code, json.loads(result.stdout)[0]["answered"]) == (1, 2)
    [issue] = [
        json.loads(x) for x in (tmp_path / "out/issues.jsonl").read_text().splitlines()
    ]
    assert (issue["kind"], issue["detail"]) == (
        "missing-picture",
        "1 pictures: b-1.png",
    )
    problems = [
        json.loads(x)
        for x in (tmp_path / "out/problems.jsonl").read_text().splitlines()
    ]
    assert [(p["id"], p["answer"], p["answer_kind"]) for p in problems] == [
        ("e-1", "D", "choice"),
        ("e-2", "$7$", "number"),
    ]
    assert (tmp_path / "out" / problems[0]["images"][0]["path"]).is_file()
    assert problems[1]["notes"] == ["missing-picture: b-1.png"]


def test_no_problem_at_all_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "e.mmd").write_text("Just prose.")
    with pytest.raises(UserError, match="no numbered problems"):
        read_exam(tmp_path / "e.mmd")


LINES = st.sampled_from(
    ["1. ", "2. ", "3) ", "(4) ", "# Part A", "Answers", "(A) ", "B. ", "$x$", "\\begin{tabular}",
     "\\end{tabular}", "\\begin{enumerate}", "\\item ", "\\end{enumerate}", "|a|b|", "|-|-|", "中",
     "![](http://h/a-1.jpg)", "\n", "\n", "\n\n", "1-3 ABC", "【答案】", "**5.** ", "&", "w "]
)  # fmt: skip


def test_numbers_that_markdown_escapes_or_nests() -> None:
    exam = split_exam(
        "1\\. Find\n   1. the sum.\n   2. the product.\n\n2\\. Draw\n    1. $x$\n3\\. Why?"
    )
    assert [p.question for p in exam.problems] == [
        "Find\n   (1) the sum.\n   (2) the product.",
        "Draw\n    (1) $x$",
        "Why?",
    ]
    assert exam.issues == []


@pytest.mark.parametrize("indented", [" 3. c?", "   3. c?", "# II\n   1. c?"])
def test_a_number_that_only_happens_to_be_indented_is_a_problem(indented: str) -> None:
    assert len(split_exam(f"1. a?\n2. b?\n{indented}").problems) == 3


@pytest.mark.parametrize(
    "end", ["试卷结束", "—— 全卷完 ——", "END OF PAPER", "End of test. Good luck!"]
)
def test_the_last_line_of_a_paper_is_in_no_problem(end: str) -> None:
    exam = split_exam(f"1. a?\n2. Is 2 the end of the test?\n\n{end}")
    assert [p.question for p in exam.problems] == ["a?", "Is 2 the end of the test?"]
    assert [block.text for block in exam.outside] == [end]


def test_several_letters_are_an_answer_when_all_name_options() -> None:
    exam = "1. Which?\nA. 1 B. 2 C. 3 D. 4\n2. Which?\nA. 1 B. 2 C. 3 D. 4\nAnswers\n1. {}\n2. B"
    assert "answer-no-option" not in {
        kind for _, kind in kinds(split_exam(exam.format("ACD")))
    }
    assert ("1", "answer-no-option") in kinds(split_exam(exam.format("AE")))


@pytest.mark.parametrize("names", ["第1、2题", "第1题和第2题", "1～2题"])
def test_a_picture_for_the_problems_a_line_names(names: str) -> None:
    problems = split_exam(
        f"如图，完成{names}。\n![](f.png)\n1. 求a。\n2. 求b。\n3. 求c。"
    ).problems
    assert [len(p.figures) for p in problems] == [1, 1, 0]


def test_unseen_characters_go_and_page_breaks_end_a_line() -> None:
    exam = split_exam("1. a\0b\ufdd3?\f2. c\x1f?\r3. d?")
    assert [p.question for p in exam.problems] == ["ab?", "c?", "d?"]


@given(st.lists(LINES, max_size=40).map("".join))
@settings(max_examples=400, deadline=None)
def test_any_text_is_cut_without_a_crash(text: str) -> None:
    exam = split_exam(text)
    assert len({p.raw_id for p in exam.problems}) == len(exam.problems)
    for problem in exam.problems:
        assert len({o.label for o in problem.options}) == len(problem.options)


def test_an_option_that_speaks_of_answers_is_no_title_of_a_key() -> None:
    options = "\n".join(f"- **{x})** {said}" for x, said in zip(
        "ABCDE", ("1", "2", "3", "4", "other answer"), strict=True))  # fmt: skip
    exam = split_exam(
        f"**1.** How many are there?\n\n{options}\n\n**2.** How many stay?\n"
    )
    assert [problem.number for problem in exam.problems] == [1, 2]
    assert exam.problems[0].options[4].text == "other answer"
