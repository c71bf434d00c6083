"""Votes and a tree that has changed: labels renamed, split, defined anew; somebody left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright.annotate.votes import LedgerEntry, ledger
from benchwright.errors import UserError
from benchwright.problem import Vote
from benchwright.taxonomy import Tree, load_tree

BEFORE = """
name: sums
source: ours
levels: [skill]
nodes:
  - {name: Sums, definition: Adding.}
  - {name: Powers, definition: Raising.}
  - {name: Roots, definition: Square roots.}
"""
AFTER = """
name: sums
source: ours
levels: [skill]
renamed: {Sums: Addition}
split: {Powers: [Squares, Cubes]}
nodes:
  - {name: Addition, definition: Adding.}
  - {name: Squares}
  - {name: Cubes}
  - {name: Roots, definition: Roots of any degree.}
"""


def tree(folder: Path, text: str) -> Tree:
    path = folder / "tree.yaml"
    path.write_text(text, "utf-8")
    return load_tree(path)


def cast(before: Tree) -> list[Vote]:
    """Three people on three problems, one of them on a label that will mean something else."""
    given = {"p": "Sums", "q": "Powers", "r": "Roots"}
    return [
        Vote(
            problem_id=problem,
            field="skill",
            value=label,
            annotator=who,
            about="h",
            meaning=before.meaning([label]),
        )
        for problem, label in given.items()
        for who in ("anna", "ben", "chris")
    ]


def entries(
    votes: list[Vote], now: Tree, **more: dict[str, str]
) -> dict[str, LedgerEntry]:
    return {e.id: e for e in ledger(votes, "skill", "majority", now, **more)}


def test_votes_follow_a_tree_that_says_what_became_of_its_labels(
    tmp_path: Path,
) -> None:
    votes = cast(tree(tmp_path, BEFORE))
    now = entries(votes, tree(tmp_path, AFTER))
    assert (now["p"].value, now["p"].redefined) == (
        "Addition",
        [],
    )  # only the name changed
    assert now["q"].value is None
    whys = {row["why"] for row in now["q"].ignored}
    assert whys == {"'Powers' was split: Squares, Cubes"}
    assert (now["r"].value, now["r"].redefined) == ("Roots", ["anna", "ben", "chris"])


def test_a_tree_as_it_was_changes_nothing(tmp_path: Path) -> None:
    before = tree(tmp_path, BEFORE)
    now = entries(cast(before), before)
    assert {name: entry.value for name, entry in now.items()} == {
        "p": "Sums", "q": "Powers", "r": "Roots",
    }  # fmt: skip
    assert not any(entry.redefined or entry.ignored for entry in now.values())


def test_who_is_left_out_does_not_count_and_the_ledger_says_why(tmp_path: Path) -> None:
    before = tree(tmp_path, BEFORE)
    votes = [*cast(before), Vote(problem_id="p", field="skill", value="Roots", annotator="ben",
                                 at="2026-02-01", about="h")]  # fmt: skip
    now = entries(votes, before, without={"ben": "answered without reading"})
    assert [vote.annotator for vote in now["p"].votes] == ["anna", "chris"]
    assert {row["why"] for row in now["p"].ignored} == {
        "left out: answered without reading"
    }


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("renamed: {Sums: Addition, Plus: Sums, Adding: Plus}", "Addition"),
        ("moved: {Adding: Sums}\nrenamed: {Sums: Addition}", "Addition"),
        ("renamed: {Adding: Powers}", None),  # which was split since
    ],
)
def test_a_label_that_was_renamed_twice_names_what_it_is_now(
    tmp_path: Path, line: str, label: str | None
) -> None:
    now = tree(tmp_path, AFTER.replace("renamed: {Sums: Addition}", line))
    votes = [
        Vote(problem_id="p", field="skill", value="Adding", annotator=who)
        for who in ("anna", "ben")
    ]
    [entry] = ledger(votes, "skill", "majority", now)
    assert entry.value == label
    if label is None:
        assert entry.ignored[0]["why"] == "'Adding' was split: Squares, Cubes"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "renamed: {Sums: Plus, Plus: Sums}",
            "renamed: Sums -> Plus -> Sums is a circle",
        ),
        ("renamed: {Sums: Additon}", "renamed: Sums: 'Additon' is not in the tree"),
        ("renamed: {Roots: Squares}", "'Roots' is a leaf of this tree still"),
        (
            "split: {Powers: [Squares, Kubes]}",
            "split: Powers: 'Kubes' is not in the tree",
        ),
        ("renamed: [Sums]", "renamed is no mapping"),
    ],
)
def test_what_became_of_labels_is_checked(
    tmp_path: Path, line: str, message: str
) -> None:
    text = AFTER.replace("renamed: {Sums: Addition}", line)
    text = (
        text.replace("split: {Powers: [Squares, Cubes]}\n", "")
        if "split" in line
        else text
    )
    with pytest.raises(UserError, match=r"tree\.yaml") as caught:
        tree(tmp_path, text)
    assert message in caught.value.message
