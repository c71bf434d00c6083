"""One file a problem: front matter, headings as roles, files beside it, names from paths."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchwright.base.files import read_jsonl
from benchwright.convert.readers import read_sources
from benchwright.pipeline import Engine, SourceSpec
from benchwright.problem import Problem
from small import png

FRONT = "---\ntopic: sums\nslug: add-one\ntags: [a, b]\n---\n"
ONE = f"""{FRONT}
# Add

Find $1+1$ in ![](pics/a.png).

## Hint

Count.

## Solution

It is two.

### Check

$2-1=1$.

**Answer:** 2
"""
TWO = """Which is even?

- [ ] 3
- [x] 4

<details><summary>Solution</summary>
Halve it.
</details>
"""


def read(folder: Path, **source: Any) -> tuple[list[Problem], list[dict[str, Any]]]:
    spec = SourceSpec(**{"name": "s", "reader": "markdown"} | source)
    read_sources([spec], folder, folder / "work", Engine())
    problems = list(read_jsonl(folder / "work/00-read/problems.jsonl", Problem))
    return problems, list(read_jsonl(folder / "work/00-read/quarantine.jsonl", dict))


def write(folder: Path, name: str, text: str | bytes) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def test_front_matter_and_headings_make_a_problem(tmp_path: Path) -> None:
    write(tmp_path, "p/1/problem.md", ONE)
    write(tmp_path, "p/1/pics/a.png", png(8, 6, 1))
    write(tmp_path, "p/2/problem.md", TWO)
    (one, two), bad = read(tmp_path, path="p/**/*.md", fields={"labels.topic": "topic"})
    assert bad == []
    assert (one.id, two.id) == ("s-1", "s-2")
    assert one.question == "Find $1+1$ in <image1>."
    assert (one.images[0].width, one.answer) == (8, "2")
    assert one.labels == {"topic": "sums", "title": "Add", "hint": "Count."}
    assert one.solution is not None
    assert one.solution.startswith("It is two.")
    assert [option.text for option in two.options] == ["3", "4"]
    assert (two.answer, two.solution) == ("B", "Halve it.")


@pytest.mark.parametrize(
    ("problem", "solution", "answer"),
    [
        ("1/problem.md", "1/solution.md", "1/answer.txt"),
        ("p1.md", "p1-solution.md", "p1_answer.md"),
        ("problems/p1.md", "solutions/p1.md", "answers/p1.md"),
    ],
)
def test_files_that_differ_by_a_role_are_one_problem(
    problem: str, solution: str, answer: str, tmp_path: Path
) -> None:
    for k in (1, 2):
        for name, text in ((problem, "Find it."), (solution, "So."), (answer, "7")):
            write(tmp_path, f"q/{name}".replace("1", str(k)), f"{text}\n")
    path = [f"q/{name}".replace("1", "*") for name in (problem, solution, answer)]
    problems, bad = read(tmp_path, path=path)
    assert bad == []
    assert [(p.question, p.solution, p.answer) for p in problems] == [
        ("Find it.", "So.", "7")
    ] * 2


def test_a_solution_beside_a_problem_is_read_and_watched(tmp_path: Path) -> None:
    write(tmp_path, "q/1/problem.md", "Find it.\n")
    write(tmp_path, "q/1/solution.md", "So.\n")
    write(tmp_path, "q/1/drawn.png", png(5, 5, 1))
    (one,), _ = read(tmp_path, path="q/*/problem.md")
    assert (one.solution, len(one.images)) == ("So.", 1)
    write(tmp_path, "q/1/solution.md", "Otherwise.\n")
    (one,), _ = read(tmp_path, path="q/*/problem.md")
    assert one.solution == "Otherwise."


def test_what_is_typed_into_a_gap_is_the_answer(tmp_path: Path) -> None:
    """As LiaScript has it; where there are several gaps, none is taken for all."""
    write(tmp_path, "a.md", "What is $2+3$?\n\n[[5]]\n")
    write(tmp_path, "b.md", "Give $2+3$ and $2\\cdot 3$.\n\n[[5]]\n[[6]]\n")
    (one, two), bad = read(tmp_path, path="*.md")
    assert bad == []
    assert (one.question, one.answer) == ("What is $2+3$?", "5")
    assert "[[5]]" in two.question


def test_headings_mean_what_the_source_says(tmp_path: Path) -> None:
    write(
        tmp_path, "a.md", "# Zorp\n\nFind $1+1$.\n\n# Quux 1\n\nTwo.\n\n# More\n\nx\n"
    )
    roles = {"Zorp": "problem", "Quux n": "solution"}
    (one,), _ = read(tmp_path, path="*.md", roles=roles)
    assert (one.question, one.solution) == ("Find $1+1$.", "Two.")
    outside = (tmp_path / "work/00-read/outside.jsonl").read_text()
    assert "More" in outside


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("---\na: 1\nb: [\n---\nFind it.\n", 4, "no YAML"),
        ("---\n- a\n---\nFind it.\n", 2, "write name: value"),
        ("+++\na = \n+++\nFind it.\n", 1, "no TOML"),
        (
            "---\na: &a [x, x, x, x, x, x, x, x, x]\n"
            + "".join(
                f"{c}: &{c} [{', '.join(['*' + b] * 9)}]\n"
                for b, c in zip("abcdefgh", "bcdefghi", strict=True)
            )
            + "---\nFind it.\n",
            1,
            "more than 5,000 values",
        ),
        (b"\x89PNG\r\n\x1a\n\0\0", 0, "too wide"),
        (b"Find \xff it.", 1, "not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_its_line(
    text: str | bytes, line: int, told: str, tmp_path: Path
) -> None:
    write(tmp_path, "q/a.md", text)
    write(tmp_path, "q/b.md", "Find $1+1$.\n")
    problems, [row] = read(tmp_path, path="q/*")
    assert (len(problems), row["file"], row["line"]) == (1, "a.md", line)
    assert told in row["cause"]


def test_a_key_of_front_matter_that_stands_twice_holds_both(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "---\nskill: [x]\nskill: y\n---\nFind it.\n")
    (one,), bad = read(tmp_path, path="*.md", fields={"labels.skill": "skill"})
    assert (bad, one.labels) == ([], {"skill": ["x", "y"]})
