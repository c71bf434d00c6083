"""The stages as the runner runs them: accounting, side tables, spans that move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.convert.stages import moved
from benchwright.convert.suggestions import Suggestion
from benchwright.pipeline import Context, Engine, load_stage, run_stage
from benchwright.problem import Drop, Part, Problem, Span
from small import options, problem


class Run:
    """One stage over some problems; what came out, was dropped, and stands in the side tables."""

    def __init__(
        self, tmp_path: Path, name: str, problems: list[Problem], **settings: Any
    ) -> None:
        source, folder = tmp_path / "in.jsonl", tmp_path / "out"
        write_jsonl(source, problems)
        jobs = settings.pop("jobs", 1)
        context = Context(
            recipe_folder=tmp_path, work=tmp_path, engine=Engine(jobs=jobs)
        )
        self.report, _ = run_stage(load_stage(name), settings, source, folder, context)
        self.problems = list(read_jsonl(folder / "problems.jsonl", Problem))
        self.dropped = list(read_jsonl(folder / "dropped.jsonl", Drop))
        self.folder = folder

    def table(self, name: str) -> list[dict[str, Any]]:
        path = self.folder / f"{name}.jsonl"
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_latex_rewrites_all_texts_and_lists_what_does_not_close(tmp_path: Path) -> None:
    run = Run(
        tmp_path,
        "latex",
        [
            problem(
                question=r"Let \(x²\), an odd $y",
                options=options("$½$"),
                solution=r"\frac{1}{2}",
            )
        ],
    )
    [made] = run.problems
    assert made.question == "Let $x^{2}$, an odd $y"
    assert (made.options[0].text, made.solution) == (r"$\frac{1}{2}$", r"$\frac{1}{2}$")
    assert {row["field"] for row in run.table("changes")} == {
        "question",
        "option A",
        "solution",
    }
    assert run.table("unbalanced") == [
        {"field": "question", "id": made.id, "what": "dollar: $y"}
    ]


def test_latex_with_boxes(tmp_path: Path) -> None:
    read = problem(1, answer="", solution=r"So $\boxed{7}$.")
    written = problem(2, answer="8", solution="So.")
    broken = problem(3, answer="9", solution=r"So $\boxed{9$.")
    first, second, third = Run(
        tmp_path, "latex", [read, written, broken], box=True
    ).problems
    assert (first.answer, second.solution) == ("7", r"So. $\boxed{8}$")
    assert third.solution == broken.solution


def test_golds_are_respelled_as_questions_are(tmp_path: Path) -> None:
    dressed = problem(1, answer=r"\boxed{30°}")
    inside = problem(2, answer=r"\text{$\frac{24}{5}$cm}")
    parts = [Part(label="1", answer="﹣2"), Part(label="2", answer="$x²$")]
    several = problem(3, answer="(1) ﹣2 (2) $x²$", answer_kind="parts", parts=parts)
    broken = problem(4, answer=r"\frac{1}{2")
    words = problem(5, answer="a rhombus")
    golds = [dressed, inside, several, broken, words]
    run = Run(tmp_path, "latex", golds)
    assert [made.answer for made in run.problems if not made.parts] == [
        r"30^{\circ}", r"\frac{24}{5}\text{cm}", r"\frac{1}{2", "a rhombus",
    ]  # fmt: skip
    assert [part.answer for part in run.problems[2].parts] == ["-2", "x^{2}"]
    fields = [row["field"] for row in run.table("changes")]
    assert fields == ["answer", "answer", "part 1", "part 2"]


def test_widths_of_golds(tmp_path: Path) -> None:
    [made] = Run(tmp_path, "text", [problem(answer="－１２，５")]).problems
    assert made.answer == "-12, 5"


def test_text_leaves_formulas_alone(tmp_path: Path) -> None:
    [made] = Run(tmp_path, "text", [problem(question="Ａ＝$x²$，ok")]).problems
    assert made.question == "A=$x²$, ok"


def test_mmd_with_delimiters_of_a_recipe(tmp_path: Path) -> None:
    problems = [problem(question="a $`x`$ and $5")]
    [made] = Run(tmp_path, "mmd", problems, inline=[["$`", "`$"]]).problems
    assert made.question == "a $x$ and $5"


def test_open_ended_keeps_accounts(tmp_path: Path) -> None:
    chosen = problem(1, question="What is $x$?", options=options("1", "2"), answer="B")
    closed = problem(
        2, question="Which of these?", options=options("1", "2"), answer="B"
    )
    proof = problem(3, question="Prove that $x=1$.", answer="")
    parts = problem(4, question="(1) Find $x$. (2) Find $y$.", answer="(1) 3 (2) 4")
    run = Run(tmp_path, "open-ended", [chosen, closed, proof, parts])
    assert [p.id for p in run.problems] == ["a-1", "a-2", "a-4-1", "a-4-2"]
    assert [(d.id, d.reason) for d in run.dropped] == [("a-3", "open-ended: proof")]
    assert [row["id"] for row in run.table("closed")] == ["a-2", "a-3"]
    assert (run.report.taken, run.report.kept, run.report.out) == (4, 3, 4)
    (tmp_path / "2").mkdir()
    run = Run(tmp_path / "2", "open-ended", [chosen, closed], otherwise="drop")
    assert [d.id for d in run.dropped] == ["a-2"]


def test_several_workers_give_the_same_bytes(tmp_path: Path) -> None:
    problems = [problem(k, question=rf"\(x²\)＝{k}") for k in range(150)]
    files = []
    for jobs in (1, 2):
        (tmp_path / str(jobs)).mkdir()
        run = Run(tmp_path / str(jobs), "latex", problems, jobs=jobs)
        names = ("problems", "changes")
        files.append([(run.folder / f"{name}.jsonl").read_bytes() for name in names])
    assert files[0] == files[1]


def test_suggestions_from_files(tmp_path: Path) -> None:
    asked = problem(question="What?")
    made = Suggestion(
        id="s", problem_id=asked.id, task="rephrase", field="question", original="What?",
        text="What is it?", model="m",
    )  # fmt: skip
    write_jsonl(tmp_path / "s.jsonl", [made])
    [unused] = Run(tmp_path, "suggestions", [asked], file="s.jsonl").problems
    assert unused.question == "What?"
    run = Run(tmp_path, "suggestions", [asked], file="s.jsonl", unreviewed="use")
    assert (run.problems[0].question, len(run.table("suggested"))) == ("What is it?", 1)


def test_stale_suggestions_are_named_and_the_build_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [problem(k, question=f"What {k}?") for k in (1, 2, 3)]
    made = [
        Suggestion(
            id=f"s{k}", problem_id=p.id, task="rephrase", field="question", original=p.question,
            text=f"What is {k}?", model="m",
        )
        for k, p in enumerate(asked, 1)
    ]  # fmt: skip
    write_jsonl(tmp_path / "s.jsonl", made)
    asked[0].question = asked[1].question = "Reworded?"
    left = [*asked[:2], problem(9)]
    run = Run(tmp_path, "suggestions", left, file="s.jsonl", unreviewed="use")
    assert [p.question for p in run.problems[:2]] == ["Reworded?"] * 2
    assert [row["suggestion"] for row in run.table("stale")] == ["s1", "s2"]
    assert [row["id"] for row in run.table("unmatched")] == [asked[2].id]
    assert (
        f"2 made for another text: {asked[0].id}, {asked[1].id}"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("before", "after", "part"),
    [
        ("In \\(x\\), AB=3.", "In $x$, AB=3.", "AB=3"),
        ("AB＝3 holds", "AB=3 holds", "holds"),
        ("x and y", "x and y", "and"),
    ],
)
def test_spans_move_with_their_text(before: str, after: str, part: str) -> None:
    start = before.index(part)
    span = Span(start=start, end=start + len(part), role="DI")
    [new] = moved([span], before, after)
    assert after[new.start : new.end] == part


def test_the_reader_exam_feeds_a_build(tmp_path: Path) -> None:
    from benchwright.convert.readers import Pictures, Raw, load_reader
    from benchwright.pipeline import SourceSpec

    (tmp_path / "e.mmd").write_text(
        "1. One?\n(A) 1 (B) 2 (C) 3 (D) 4\n2. $x$?\n", "utf-8"
    )
    (tmp_path / "k.mmd").write_text("1. C\n2. 5", "utf-8")
    reader = load_reader("exam")
    spec = SourceSpec(name="e", reader="exam", path="e.mmd", options={"key": "k.mmd"})
    rows = list(reader.rows(spec, [tmp_path / "e.mmd"]))
    pictures = Pictures(tmp_path, tmp_path)
    made = [reader.problem(row, spec, pictures) for row in rows if isinstance(row, Raw)]
    assert [(p.id, p.answer, p.answer_kind) for p in made] == [
        ("e-1", "C", "choice"),
        ("e-2", "5", "number"),
    ]
    (tmp_path / "k.mmd").write_text("1. C\n2. 5\n3. 6", "utf-8")
    causes = [
        row.cause
        for row in reader.rows(spec, [tmp_path / "e.mmd"])
        if hasattr(row, "cause")
    ]
    assert causes == ["key-refused: the key answers problem 3, which the exam has not"]
