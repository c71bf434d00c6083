"""How many changes of meaning the guards let through, and how many harmless edits they stop."""

from __future__ import annotations

import pytest
from benchwright.convert.guards.guards import findings
from benchwright.convert.suggestions.ask import TASKS
from edit_tables import Edit, edits

# The aim is 0.02 everywhere. The fresh tables are where it is not reached, even after mending; what
# came out at their first look, in their heads, is what to expect of problems nobody has seen.
LIMITS = {"fitted": 0.02, "set aside": 0.02, "fresh": 0.06}
# What passes and what is stopped of tables by other hands, and of replies to the prompts: far from
# the aim, and not to rise.
OTHERS = {
    ("translate", "other hands"): (0.08, 0.22),
    ("rephrase", "other hands"): (0.03, 0.23),
    ("open-ended", "other hands"): (0.02, 0.20),
    ("punctuation", "other hands"): (0.0, 0.005),
    ("translate", "replies"): (0.14, 0.09),
    ("rephrase", "replies"): (0.22, 0.10),
    ("open-ended", "replies"): (0.20, 0.08),
}


@pytest.mark.parametrize(("task", "name"), OTHERS)
def test_guards_do_no_worse_on_tables_by_others(task: str, name: str) -> None:
    table = [edit for edit in edits() if (edit.task, edit.table) == (task, name)]
    passed = _wrong([edit for edit in table if not edit.harmless])
    stopped = _wrong([edit for edit in table if edit.harmless])
    most = OTHERS[task, name]
    assert passed <= most[0], f"{passed:.1%} of the changes pass"
    assert stopped <= most[1], f"{stopped:.1%} of the harmless edits are stopped"


@pytest.mark.parametrize("task", TASKS)
def test_guards_stop_changes_and_let_harmless_edits_pass(task: str) -> None:
    table = [edit for edit in edits() if edit.task == task]
    changes = [edit for edit in table if not edit.harmless]
    harmless = [edit for edit in table if edit.harmless]
    assert min(len(changes), len(harmless)) >= 300
    for name, limit in LIMITS.items():
        if task == "box" and name == "fresh":
            continue  # boxes are made from solutions, not from problems
        passed = _wrong([edit for edit in changes if edit.table == name])
        stopped = _wrong([edit for edit in harmless if edit.table == name])
        assert passed <= limit, f"{name}: {passed:.1%} of the changes pass"
        assert stopped <= 0.05, f"{name}: {stopped:.1%} of the harmless edits are stopped"


def _wrong(table: list[Edit]) -> float:
    """The share of edits that are judged wrongly."""
    judged = [bool(findings(e.task, e.before, e.after)) is e.harmless for e in table]
    return sum(judged) / len(judged)
