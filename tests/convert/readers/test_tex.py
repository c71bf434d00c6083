r"""LaTeX sources of exams: what their commands say becomes problems; the rest is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchwright.base.files import read_jsonl
from benchwright.convert.readers import read_sources
from benchwright.convert.tex import Expansion, Source, read_exam_source
from benchwright.convert.tex.references import resolved
from benchwright.pipeline import Engine, SourceSpec
from benchwright.problem import Problem
from small import png

EXAM = r"""\documentclass[answers]{exam}
\newcommand{\R}{\mathbb{R}}  % the reals
\newcommand{\abs}[2][x]{\left|#1-#2\right|}
\DeclareMathOperator{\lcm}{lcm}
\graphicspath{{figures/}}
\begin{document}
Name: \underline{\hspace{2in}}
\section{Numbers}
\begin{questions}
\question[5] Let $x\in\R$ with $\abs{3}=2$, a price of \$4 and 50\% % why not?
  off.  Which are even?
  \begin{oneparchoices}
    \CorrectChoice 2 \choice $\abs[y]{1}$ \CorrectChoice {4} \choice \includegraphics[width=1in]{f}
  \end{oneparchoices}
  \begin{solution}[1in] Both: $\lcm(2,4)=4$. \end{solution}
\uplevel{Use the table for the following.}
\titledquestion{Sums} In \begin{tabular}{|c|c|}\hline a & b\\ 1 & \textbf{2}\\\hline\end{tabular}
  \begin{parts}
    \part[2] what is $a$? \fillin[$1$][1in]
    \part what is $b$? \answerline[2]
  \end{parts}
\question See \includegraphics{f.png}: \[ x = \text{if $n$ is odd} \label{e} \] find $x$.
  \vspace{\stretch{1}}
\question A \begin{tikzpicture}\draw (0,0) -- (1,{2});\end{tikzpicture} drawing.
\question An \unheard{of} command.
\input{more}
\end{questions}
\end{document}
\question Never.
"""
MORE = r"""\question Caf\'e na\"{\i}ve ---  ``so''~it is, in \textit{\textbf{two}} kinds?
\begin{choices}\choice yes \correctchoice no\end{choices}
"""
EXAM_ZH = r"""\documentclass{exam-zh}
\begin{document}
\begin{notice}\item 用黑色签字笔作答。\end{notice}
\section{选择题}
\begin{question}[points = 3]
  若 $z=1+\iu$，
  则 $z$ 的模是\paren[BC]
  \begin{choices}
    \item $\uppi$
    \item \qty{2}{cm}
    \item $1$
  \end{choices}
\end{question}
\section{填空题}
\begin{question} 角为 \ang{45}，和为 \fillin[3] ，积为 \fillin[{$\frac{1}{2}$}]。\end{question}
\begin{problem}[points = 12]
  已知 $a$。\begin{enumerate} \item 求 $b$；\item 求 $c$。\end{enumerate}
  \begin{solution} \begin{enumerate}\item $b=1$\score{2} \item $c=2$\end{enumerate}\end{solution}
\end{problem}
\end{document}
"""
PLAIN = r"""Find each product.
\begin{enumerate}\setcounter{enumi}{4}
\item $2\cdot 3$
\item Which is odd? \begin{enumerate}[label=(\Alph*)]\item 2 \item 3\end{enumerate}
\item Both: \begin{enumerate}\item one \item two\end{enumerate}
\end{enumerate}
"""


def read(path: Path) -> tuple[list[Problem], list[str]]:
    """The problems, and why the others were dropped."""
    work = path.parent / "work"
    read_sources(
        [SourceSpec(name="q", reader="tex", path=path.name)],
        path.parent,
        work,
        Engine(),
    )
    dropped = [
        d["reason"] for p in work.rglob("dropped.jsonl") for d in read_jsonl(p, Any)
    ]
    return [
        q for p in work.rglob("problems.jsonl") for q in read_jsonl(p, Problem)
    ], dropped


def written(folder: Path, text: str) -> Path:
    (folder / "exam.tex").write_text(text, encoding="utf-8")
    return folder / "exam.tex"


def test_an_exam_of_exam_cls(tmp_path: Path) -> None:
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "f.png").write_bytes(png(9, 7))
    (tmp_path / "more.tex").write_text(MORE, encoding="utf-8")
    [even, sums, seen, more], dropped = read(written(tmp_path, EXAM))
    assert even.question == (
        r"Let $x\in\mathbb{R}$ with $\left|x-3\right|=2$, a price of \$4 and 50% off. "
        "Which are even?"
    )
    assert (even.answer, even.answer_kind) == ("AC", "choices")
    assert [o.text for o in even.options] == ["2", r"$\left|y-1\right|$", "4", ""]
    assert even.options[3].image is not None
    assert even.solution == r"Both: $\operatorname{lcm}(2,4)=4$."
    assert even.labels == {"section": "Numbers", "points": "5"}
    assert (
        sums.question == "In\na | b\n1 | 2\n\n(a) what is $a$? ____\n(b) what is $b$?"
    )
    assert (sums.answer_kind, [(p.label, p.answer) for p in sums.parts]) == (
        "parts",
        [("1", "1"), ("2", "2")],
    )
    assert sums.labels["title"] == "Sums"
    assert sums.labels["instruction"] == "Use the table for the following."
    assert (
        seen.question == "See <image1>:\n$$x = \\text{if }n\\text{ is odd}$$\nfind $x$."
    )
    assert more.question == "Café naïve — “so” it is, in two kinds?"
    assert (more.answer, [o.text for o in more.options]) == ("B", ["yes", "no"])
    inputs = (tmp_path / "work" / "00-read" / "inputs.jsonl").read_text()
    assert "more.tex" in inputs  # an edit there is an edit of the exam
    assert dropped == [
        "unreadable: outside of problems: Name: ____",
        r"tex: not understood: \begin{tikzpicture}",
        r"tex: not understood: \unheard",
    ]


def test_an_exam_of_exam_zh(tmp_path: Path) -> None:
    [choice, blanks, parts], dropped = read(written(tmp_path, EXAM_ZH))
    assert not dropped
    assert choice.question == r"若 $z=1+\mathrm{i}$，则 $z$ 的模是( )"
    assert [o.text for o in choice.options] == [r"$\pi$", r"$2\,\mathrm{cm}$", "$1$"]
    assert (choice.answer, choice.answer_kind, choice.labels["points"]) == (
        "BC",
        "choices",
        "3",
    )
    assert [p.answer for p in blanks.parts] == ["3", r"\frac{1}{2}"]
    assert parts.question == "已知 $a$。\n(1) 求 $b$；\n(2) 求 $c$。"
    assert parts.solution == "(1) $b=1$\n(2) $c=2$"
    assert parts.labels == {"section": "填空题", "points": "12"}


def test_options_in_plain_text_are_options(tmp_path: Path) -> None:
    macro = r"\newcommand{\mc}[3]{\par(A) #1\quad(B) #2\quad(C) #3\par}"
    asked = r"\begin{enumerate}\item Which is even?\mc{3}{4}{5} Answer: B\item Add.\end{enumerate}"
    [one, _], _ = read(written(tmp_path, macro + asked))
    assert (one.question, [o.text for o in one.options]) == ("Which is even?", [*"345"])


def test_plain_lists(tmp_path: Path) -> None:
    [product, odd, both], _ = read(written(tmp_path, PLAIN))
    assert product.question == r"$2\cdot 3$"
    assert product.labels == {"instruction": "Find each product."}
    assert [o.text for o in odd.options] == ["2", "3"]
    assert both.question == "Both:\n(a) one\n(b) two"


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        (r"\question $x", "$ is not closed"),
        (r"\question \begin{center} x", r"\begin{center} is not closed"),
        (r"\question }", "} closes nothing"),
        (r"\question\begin{choices}\choice a\end{choices}\begin{choices}\choice b\end{choices}",
         "several lists of choices"),
        (r"\question Is it? \paren[B]\begin{choices}\CorrectChoice a\choice b\end{choices}",
         "two answers: A and B"),
        (r"\question Is it? \paren[E]\begin{choices}\choice a\choice b\end{choices}",
         "'E' is no choice"),
    ],
)  # fmt: skip
def test_what_is_broken_is_named(body: str, cause: str, tmp_path: Path) -> None:
    text = rf"\begin{{questions}}\question One?{body}\end{{questions}}"
    problems, dropped = read(written(tmp_path, text))
    assert [p.question for p in problems] == ["One?"]
    assert cause in " ".join(dropped)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (r"\input{../secret}", "leaves its folder"),
        (r"\input{exam}", r"\input{exam}: it reads itself"),
        (r"\input{gone}", r"\input{gone}: no such file"),
        (r"\newcommand{\a}{\a\a}\question \a", "does not end"),
        (r"\newcommand{\a}{xxxxxxxxxx}" + "".join(
            rf"\newcommand{{\{b}}}{{\{a}\{a}\{a}\{a}\{a}\{a}\{a}\{a}\{a}\{a}}}"
            for a, b in zip("abcdefgh", "bcdefghi", strict=True)
        ) + r"\question \i", "too long"),
        ("{" * 200, "inside each other"),
        (r"\question \(" * 200, "do not close"),
        (r"\begin{question}\begin{choices}\item[1,2] a\end{choices}\end{question}", r"\item[1,2]"),
        ("no problem at all", "no question"),
    ],
)  # fmt: skip
def test_bombs_and_escapes_are_refused(text: str, cause: str, tmp_path: Path) -> None:
    (tmp_path / "doc").mkdir()
    (tmp_path / "secret.tex").write_text("secret")
    problems, dropped = read(written(tmp_path / "doc", text))
    assert not problems
    assert cause in " ".join(dropped)


def test_a_solution_belongs_to_the_environment_before_it() -> None:
    text = r"\begin{problem}One?\end{problem} \begin{solution}Yes.\end{solution}"
    exam = read_exam_source(Source(text + r" Text. \begin{solution}No.\end{solution}"))
    assert [(i.text, i.solution) for i in exam.items] == [("One?", "Yes.")]
    assert exam.issues == ["a solution outside of a problem"]


OWN = r"""\documentclass{article}
\newcommand{\solution}{\noindent\textbf{Solution: }}
\newcommand{\hint}[1]{}
\newcommand{\qn}[2]{\item (#1 points) #2}
\newif\ifanswers
\let\vec\mathbf
\newtheorem{uppgift}{Exercise}
\newenvironment{losning}{\par\textbf{Solution.}}{}
\begin{document}
%s
\end{document}"""


def items(body: str) -> list[tuple[str, str, str, str]]:
    """Text, answers, solution and hint of each problem of a document with macros of its own."""
    macros = Expansion()
    text = macros.written(OWN % body).partition(r"\begin{document}")[2]
    exam = read_exam_source(Source(text, titles=macros.titles))
    assert not [issue for issue in exam.issues if issue.startswith("lost-text")]
    return [(i.text, ";".join(i.answers), i.solution, i.hint) for i in exam.items]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            r"\begin{enumerate}\item Find $2x$.\\ \solution It is $4$. \item Find $x$."
            r" \hint{Halve it.} \ifanswers It is 2.\else\vspace{1in}\fi\end{enumerate}",
            [
                ("Find $2x$.", "", "It is $4$.", ""),
                ("Find $x$.", "It is 2.", "", "Halve it."),
            ],
        ),
        (
            r"\begin{enumerate}\qn{5}{Find $\vec{a}$. (Hint: draw $f(x)$.)}"
            r" \item Add. [Ans: 7]\end{enumerate}",
            [(r"Find $\mathbf{a}$.", "", "", "draw $f(x)$."), ("Add.", "7", "", "")],
        ),
        (
            r"\begin{uppgift}[Sums] Add. \begin{losning}Done.\end{losning}\end{uppgift}"
            r"\begin{uppgift} Halve.\end{uppgift}\begin{losning}Half.\end{losning}",
            [("Add.", "", "Done.", ""), ("Halve.", "", "Half.", "")],
        ),
        (
            "\\textbf{Problem 1.} Add.\n\n{\\bf Solution.} Done.\n\n\\textbf{Problem 2.} Halve.\n\n"
            "Answer: $4$",
            [("Add.", "", "Done.", ""), ("Halve.", "$4$", "", "")],
        ),
        (
            r"\section*{Problems}\begin{enumerate}\item Add.\item Halve.\end{enumerate}"
            r"\section*{Solutions}\begin{enumerate}\item 5\item It is "
            r"half of the whole, as a drawing shows to everybody who cares to make one now."
            r"\end{enumerate}",
            [
                ("Add.", "5", "", ""),
                (
                    "Halve.",
                    "",
                    "It is half of the whole, as a drawing shows to everybody who cares to make"
                    " one now.",
                    "",
                ),
            ],
        ),
        (
            r"\begin{ex}Is it? \choice{no}{\True yes} \loigiai{So.}\end{ex}\begin{bt}Why?\end{bt}"
            r"\begin{bt}How?\end{bt}",
            [("Is it?", "", "So.", "")],
        ),
        (
            r"A number is \emph{lucky} if \begin{enumerate}\item[(i)] it is even,\item[(ii)] it is "
            r"small.\end{enumerate} Find one.",
            [
                (
                    "A number is lucky if\n(i) it is even,\n(ii) it is small.\nFind one.",
                    "",
                    "",
                    "",
                )
            ],
        ),
        (
            r"\begin{theorem}Let \begin{enumerate}\item A\item B\end{enumerate}\end{theorem}"
            r"\begin{proof}\begin{enumerate}\item C\item D\end{enumerate}\end{proof}"
            r"\begin{exercise}Prove it: $x=\answer{5}$.\end{exercise}",
            [(r"Prove it: $x=\underline{\qquad}$.", "$5$", "", "")],
        ),
        (
            r"\begin{uppgift} Add.\footnote{Answer: 2.}\end{uppgift}"
            r"\begin{uppgift} Halve. \emph{Antwort: $4$}\end{uppgift}",
            [("Add.", "2.", "", ""), ("Halve.", "$4$", "", "")],
        ),
        (
            r"\begin{uppgift}[Find the sum of:] $1+2$\marginpar{\small(4)}\answerbox{\frac{3}{1}}"
            r"\end{uppgift}\begin{uppgift} Halve.\end{uppgift}",
            [
                ("Find the sum of:\n\n$1+2$", r"$\frac{3}{1}$", "", ""),
                ("Halve.", "", "", ""),
            ],
        ),
        (
            r"\newcommand{\at}[2]{\left\lbrack#1\right\rvert_{#2}}"
            r"\newcommand{\pre}{^{\mathrm{pre}}}\begin{uppgift} Find $\at{u}{1}+f\pre$."
            r"\end{uppgift}\begin{uppgift} Halve.\end{uppgift}",
            [
                (
                    r"Find $\left\lbrack u\right\rvert_{1}+f^{\mathrm{pre}}$.",
                    "",
                    "",
                    "",
                ),
                ("Halve.", "", "", ""),
            ],
        ),
        (
            r"\begin{uppgift} It is \underline{\quad 6\quad}.\end{uppgift}"
            r"\begin{uppgift} $2+2=\fillin[4]$, \underline{not} 5.\end{uppgift}",
            [
                ("It is ____.", "6", "", ""),
                (r"$2+2=\underline{\qquad}$, not 5.", "$4$", "", ""),
            ],
        ),
    ],
)
def test_solutions_are_parted_wherever_something_says_so(
    body: str, expected: list[tuple[str, str, str, str]]
) -> None:
    assert items(body) == expected


TWICE = r"\begin{enumerate}\item Add $x$ and 2.%s\item Halve $y$.%s\end{enumerate}"


@pytest.mark.parametrize(
    ("first", "second", "question", "solution", "told"),
    [
        ("\n\n\\textbf{Way.} It is 1.", "\n\n\\textbf{Way.} It is 2.",
         "Add $x$ and 2.", "It is 1.", "'way' says no role; it is read as the solution"),
        (r"\unheard{It is 1.}", r"\unheard{It is 2.}",
         "Add $x$ and 2.", "It is 1.", r"'\\unheard' says no role; it is read as the solution"),
        (r"\begin{way}It is 1.\end{way}", r"\begin{way}It is 2.\end{way}",
         "Add $x$ and 2.", "It is 1.", r"'\\begin{way}' says no role; it is read as the solution"),
        ("\n\n\\textbf{Rules:} Use ink. Then draw it.", "\n\n\\textbf{Rules:} Is it even?",
         "Add $x$ and 2.\n\nRules: Use ink. Then draw it.", "",
         "'rules' says no role; it is read as part of the question"),
        ("\n\n\\textbf{Note.} Use ink.", "\n\n\\textbf{Note.} Use a pen.",
         "Add $x$ and 2.\n\nNote. Use ink.", "", ""),
    ],
)  # fmt: skip
def test_what_is_set_apart_by_an_unknown_name_has_the_role_of_its_place(
    first: str, second: str, question: str, solution: str, told: str
) -> None:
    item = read_exam_source(Source(TWICE % (first, second))).items[0]
    assert (item.text, item.solution, "".join(item.doubts)) == (
        question,
        solution,
        told,
    )


def test_what_a_page_sets_apart_instructs_nobody_and_solutions_alone_are_doubted() -> (
    None
):
    body = rf"Numbers of today\newpage {TWICE % ('', '')}"
    exam = read_exam_source(Source(body, title="sheet-3 Solutions"))
    assert [item.instruction for item in exam.items] == ["", ""]
    assert exam.outside == ["Numbers of today"]
    assert all("is this a question?" in item.doubts[0] for item in exam.items)


def test_a_problem_that_is_opened_again_is_answered_once() -> None:
    long = "It is so, as everybody sees who looks at the drawing above for longer than a moment."
    text = rf"\begin{{problem}}One? [Ans: 2] \answerbox{{{long}}}\end{{problem}}"
    [item] = read_exam_source(
        Source(rf"{text}\begin{{solution}}So.\end{{solution}}")
    ).items
    assert (item.text, item.answers, item.solution) == ("One?", ["2"], f"{long}\n\nSo.")


def test_a_judgement_before_an_option_is_no_part_of_it() -> None:
    options = r"\begin{multichoice}\item (true) Yes.\item (false) No.\end{multichoice}"
    [item] = read_exam_source(
        Source(rf"\begin{{exercise}}Is it? {options}\end{{exercise}}")
    ).items
    assert [(o.text, o.right) for o in item.options] == [("Yes.", True), ("No.", False)]


def test_what_frames_problems_is_none() -> None:
    one = r"\begin{question}{q}One?\begin{choices}\wrong{3}\correct{4}\end{choices}\end{question}"
    exam = read_exam_source(
        Source(rf"\onecopy{{9}}{{\begin{{shortanswer}}{one}\end{{shortanswer}}}}")
    )
    [item] = exam.items
    assert (item.text, item.instruction, exam.issues) == ("One?", "", [r"\onecopy"])
    assert [(option.text, option.right) for option in item.options] == [
        ("3", False),
        ("4", True),
    ]


def test_a_command_of_four_groups_and_tasks_are_options() -> None:
    tasks = r"\begin{tasks}(3)\task 3\task 4\task 5\end{tasks}"
    asked = rf"\item One? \answers{{3}}{{4}}{{5}}{{6}}\item Two? {tasks}"
    text = rf"\begin{{enumerate}}{asked}\end{{enumerate}}"
    one, two = read_exam_source(Source(text, titles={"tasks": r"label=\Alph*."})).items
    assert (one.text, [option.text for option in one.options]) == ("One?", [*"3456"])
    assert (two.text, [option.text for option in two.options]) == ("Two?", [*"345"])


def test_what_is_set_apart_once_and_never_defined_is_no_question() -> None:
    asked = read_exam_source(
        Source(TWICE % (r"\unheard{It is 1.}", r"\begin{way}2\end{way}"))
    )
    assert [item.unread for item in asked.items] == [[r"\unheard"], [r"\begin{way}"]]


def test_a_root_is_read_and_nothing_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "course" / "sheets"
    folder.mkdir(parents=True)
    (tmp_path / "secret.tex").write_text("secret")
    (tmp_path / "course" / "own.sty").write_text(r"\newcommand{\E}{\mathbb{E}}")
    (tmp_path / "course" / "more.tex").write_text(r"\question More of $\E$.")
    text = r"""\documentclass{exam}\usepackage{own}\begin{document}\begin{questions}
\question One. \input{../more}\input{../../secret}\end{questions}\end{document}"""
    (folder / "exam.tex").write_text(text)
    source = SourceSpec(
        name="q", reader="tex", path="sheets/exam.tex", options={"root": "."}
    )
    read_sources([source], tmp_path / "course", tmp_path / "work", Engine())
    found = sorted((tmp_path / "work").rglob("problems.jsonl"))
    assert [q.question for p in found for q in read_jsonl(p, Problem)] == [
        "One.",
        r"More of $\mathbb{E}$.",
    ]
    dropped = [d["reason"] for p in (tmp_path / "work").rglob("dropped.jsonl")
               for d in read_jsonl(p, Any)]  # fmt: skip
    assert r"\input{../../secret}" in " ".join(dropped)
    assert "leaves its folder" in " ".join(dropped)
    assert str(tmp_path) not in " ".join(dropped)


def test_references_are_the_numbers_that_are_printed() -> None:
    text = resolved(
        r"\begin{enumerate}\item\label{a} By (\ref{b}) and \eqref{e}. \item\label{b} So "
        r"$\ref{a}$ is \begin{equation}\label{e} x \end{equation} and \ref{gone}.\end{enumerate}"
    )
    exam = read_exam_source(Source(text))
    assert [i.text for i in exam.items] == [
        "By (2) and (1).",
        "So 1 is\n$$x$$\nand ??.",
    ]
    assert [i.outside for i in exam.items] == [["b", "e"], ["a", "gone"]]


def test_parts_with_an_answer_behind_each_keep_their_questions() -> None:
    r"""`a) .. Answer: 8  b) .. Answer: 25`: behind an answer the question goes on."""
    lines = [
        r"\subsection*{Problem 1} Let $f(x)=2x$.", "a) Find $f(4)$.", "Answer: $8$",
        "b) Find $x$ with $f(x)=50$.", "Answer: $25$",
        r"\subsection*{Problem 2} Add $1$ and $2$.", "Answer: $3$",
    ]  # fmt: skip
    body = "\n\n".join(lines)
    first, second = read_exam_source(Source(body)).items
    assert first.text.split("\n\n") == [
        "Let $f(x)=2x$.",
        "a) Find $f(4)$.",
        "b) Find $x$ with $f(x)=50$.",
    ]
    assert [(p.label, p.answers) for p in first.parts] == [
        ("1", ["$8$"]),
        ("2", ["$25$"]),
    ]
    assert (second.parts, second.answers) == ([], ["$3$"])


def test_solutions_below_heads_of_their_own_go_to_their_problems() -> None:
    heads = ("Problem", "Solution to Problem")
    texts = (("One?", "Two?", "Three?"), ("It is 1.", "It is 2.", "It is 3."))
    body = ""
    for title, head, three in zip(("Problems", "Solutions"), heads, texts, strict=True):
        body += rf"\section{{{title}}}" + "".join(
            rf"\subsection*{{{head} {n}}} {text}" for n, text in enumerate(three, 1)
        )
    items = [i for i in read_exam_source(Source(body)).items if i.text]
    assert [(i.text, i.solution) for i in items] == [*zip(*texts, strict=True)]


def test_a_proof_that_proves_a_claim_is_still_no_problem(tmp_path: Path) -> None:
    tex = r"""\begin{document}
\begin{problem*}[4.2] Show that $A$. \end{problem*}
\begin{proof} First,
\begin{claim*} It is $B$. \end{claim*}
\begin{subproof} Clear. \end{subproof}
So $A$. \end{proof}
\begin{problem*}[4.3] Show that $C$. \end{problem*}
\begin{proof} As before. \end{proof}
\end{document}"""
    problems, _ = read(written(tmp_path, tex))
    assert [problem.question for problem in problems] == [
        "Show that $A$.",
        "Show that $C$.",
    ]
    assert problems[1].solution == "As before."


def test_numbers_in_bold_start_again_in_each_section(tmp_path: Path) -> None:
    tex = r"""\newcommand{\solution}{\textit{Solution: }}
\begin{document}
\section*{One}
\textbf{1)} Find $a$.

\solution It is $1$.

\textbf{2)} Find $b$.

\section*{Two}
\textbf{1)} Find $c$.

\textbf{2)} Find $d$.
\end{document}"""
    problems, _ = read(written(tmp_path, tex))
    assert [problem.question for problem in problems] == [
        "Find $a$.", "Find $b$.", "Find $c$.", "Find $d$."
    ]  # fmt: skip
    assert problems[0].solution == "It is $1$."


def test_a_matrix_as_an_answer_settings_of_options_and_a_sign_in_text(
    tmp_path: Path,
) -> None:
    tex = r"""\begin{document}
\begin{exercise} Find the inverse.
\begin{answermatrix}
-2 & 1 \\
\frac{3}{2} & 0
\end{answermatrix} \end{exercise}
\begin{exercise} What is \angle\emph{x}?
\begin{multichoice}[randomizeorder, selectmultiple]
	\itemfalse 1
	\itemtrue 2
\end{multichoice} \end{exercise}
\end{document}"""
    problems, _ = read(written(tmp_path, tex))
    assert (
        problems[0].answer == r"\begin{pmatrix}-2 & 1 \\ \frac{3}{2} & 0\end{pmatrix}"
    )
    assert problems[1].question == r"What is $\angle$ x?"
    assert problems[1].answer == "B"


def test_a_centred_head_and_an_answer_inside_of_a_formula(tmp_path: Path) -> None:
    tex = r"""\begin{document}
\begin{problem} Find the size of \angle\emph{x}.

(1) The first.

(2) The second. \end{problem}
\begin{center} \section*{Solution:} \end{center}
\begin{math} Answer: (1): 37^\circ, (2): 25^\circ \end{math}

Proof: Clear.
\end{document}"""
    [problem], _ = read(written(tmp_path, tex))
    assert problem.question.startswith(r"Find the size of $\angle$ x.")
    assert problem.question.endswith("(2) The second.")
    assert [part.answer for part in problem.parts] == [r"37^\circ", r"25^\circ"]
    assert problem.solution == "Clear."
