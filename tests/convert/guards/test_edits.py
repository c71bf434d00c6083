"""How many changes of meaning the guards let through, and how many harmless edits they stop.

The guards compare formulas, numbers, pictures and markup, and leave words to a reader, who is asked
by default: alone they let most slips in words pass. The limits are what was measured, rounded up:
they are not to rise.
"""

from __future__ import annotations

import pytest
from benchwright.convert.guards import findings
from benchwright.convert.suggestions.ask import TASKS
from edit_tables import Edit, edits

# (task, table) -> the most that passes of the changes, that is stopped of the harmless edits
MOST = {
    ("punctuation", "fitted"): (0.0, 0.0),
    ("punctuation", "other hands"): (0.0, 0.005),
    ("box", "fitted"): (0.0, 0.0),
    ("translate", "fitted"): (0.42, 0.015),
    ("rephrase", "fitted"): (0.505, 0.0),
    ("open-ended", "fitted"): (0.37, 0.0),
    ("translate", "other hands"): (0.39, 0.09),
    ("rephrase", "other hands"): (0.46, 0.085),
    ("open-ended", "other hands"): (0.335, 0.09),
    ("translate", "replies"): (0.895, 0.02),
    ("rephrase", "replies"): (0.885, 0.01),
    ("open-ended", "replies"): (0.835, 0.0),
}


@pytest.mark.parametrize(("task", "name"), MOST)
def test_guards_do_no_worse(task: str, name: str) -> None:
    table = [edit for edit in edits() if (edit.task, edit.table) == (task, name)]
    passed = _wrong([edit for edit in table if not edit.harmless])
    stopped = _wrong([edit for edit in table if edit.harmless])
    most = MOST[task, name]
    assert passed <= most[0], f"{passed:.1%} of the changes pass"
    assert stopped <= most[1], f"{stopped:.1%} of the harmless edits are stopped"


def test_every_task_and_table_is_measured() -> None:
    assert {(edit.task, edit.table) for edit in edits()} == MOST.keys()
    assert {task for task, _ in MOST} == set(TASKS)


def _wrong(table: list[Edit]) -> float:
    """The share of edits that are judged wrongly."""
    judged = [bool(findings(e.task, e.before, e.after)) is e.harmless for e in table]
    return sum(judged) / len(judged)


@pytest.mark.parametrize(
    ("task", "before", "after"),
    [
        ("open-ended", r"若 $x+5=9$, 则 $2x=(\quad)$", "若 $x+5=9$, 求 $2x$ 的值．"),
        ("open-ended", r"若 $x+5=9$, 则 $2x=\underline{\quad}$", "若 $x+5=9$, 求 $2x$ 的值．"),
        ("open-ended", "若 $x+5=9$, 则 $2x=$（　　）", "若 $x+5=9$, $2x$ 等于多少？"),
        ("translate", "求函数 $f(x)=x-1$ 的零点．", "Find the zeros of the function $f(x)=x-1$."),
        ("translate", "求函数 $f(x)=x-1$ 的零点．", "Find a zero of the function $f(x)=x-1$."),
        ("translate", "弦$AB=10$，求$AB$到圆心的距离",
         "Chord $AB$ is $10$. Find how far $AB$ is from the centre."),
        ("translate", "下午2时出发，几时到？", "It leaves at 14:00. When does it arrive?"),
        ("translate", "求面积（单位：$\\text{cm}^2$）", "Find the area in square centimetres."),
    ],
)  # fmt: skip
def test_what_no_reader_may_free_is_not_wrong(
    task: str, before: str, after: str
) -> None:
    assert findings(task, before, after) == []


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("In it $AB=AC$, $DE\\perp AB$, $DF\\perp AC$.", "In it $DE\\perp AB$, $DF\\perp AC$.",
         "formula: 'AB=AC' is lost"),
        ("Let $AB=10$.", "Let $AB$ be $12$.", "formula: 'AB=10' is lost"),
        ("Let the number be 0.", "Let the number be 5.", "number: '0' is lost"),
        ("It starts at 2 p.m.", "It starts at 3 p.m.", "number: '2' is lost"),
        ("Find the area if $2x=(\\quad)$.", "Find the area if $3x=5$.",
         "formula: '2x=()' is lost"),
        ("Add $x+1$ to it now.", "Add $x+2$ to it now.", "formula: 'x+1' is lost"),
    ],
)  # fmt: skip
def test_changes_are_named_in_the_words_of_the_text(
    before: str, after: str, found: str
) -> None:
    assert found in findings("rephrase", before, after)
