"""Documents without text, with problems between lines across the page, in words of a package."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchwright.convert.readers import Glance, glance
from benchwright.errors import UserError
from benchwright.pipeline import SourceSpec

pytest.importorskip("pypandoc")


def seen(folder: Path, path: str, reader: str = "document") -> Glance:
    spec = SourceSpec(name="q", reader=reader, path=path)
    return glance(spec, folder, folder / "work", 100)


CELL = {
    "cell_type": "code",
    "metadata": {},
    "source": ["1 + 1"],
    "outputs": [],
    "execution_count": 1,
}


@pytest.mark.parametrize(
    ("name", "text", "what", "remedy"),
    [
        ("e.rst", ".. image:: a.png\n", "1 pictures and no text", "convert pdf"),
        ("e.org", "-----\n", "no text", "is it the right file?"),
        (
            "e.ipynb",
            json.dumps(
                {"cells": [CELL], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
            ),
            "programs and no text",
            "is it the right file?",
        ),
        (
            "e.typ",
            '#import "@local/exam:0.4": *\n#question[What is $1+1$?]\n',
            "in words of @local/exam:0.4",
            "typst compile --format html",
        ),
    ],
)
def test_what_cannot_be_read_is_told_with_what_to_do(
    name: str, text: str, what: str, remedy: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UserError) as error:
        seen(tmp_path, name)
    assert what in error.value.message
    assert remedy in error.value.remedy


RST = """
Exercises
=========

----

.. _one:

* Which of these are even?

  - the first: 2
  - the second: 3

  Say why.

  :ref:`Solution <one-solved>`

----

* Find :math:`1+1`.

----

.. only:: html

    :ref:`Back <top>`
"""


def test_items_alone_between_lines_are_problems(tmp_path: Path) -> None:
    (tmp_path / "e.rst").write_text(RST)
    one, two = seen(tmp_path, "e.rst").problems
    assert one.question.split("\n")[0] == "Which of these are even?"
    assert one.question.split("\n")[-1] == "Say why."
    assert two.question == "Find $1+1$."


def test_quoted_questions_and_programs_between_them(tmp_path: Path) -> None:
    text = "# Question 1\n\n> Find $1+1$,\n> please.\n\n```{code-cell} python\n1 + 1\n```\n"
    (tmp_path / "e.md").write_text(
        text + text.replace("1\n", "2\n", 1).replace("$1+", "$2+")
    )
    found = seen(tmp_path, "e.md", "exam")
    assert [p.question for p in found.problems] == [
        "Find $1+1$,\nplease.", "Find $2+1$,\nplease."
    ]  # fmt: skip
    assert any(
        one.cause.startswith("code-left-out: 2 programs") for one in found.unreadable
    )


def test_files_of_one_name_in_several_folders_keep_all_their_problems(
    tmp_path: Path,
) -> None:
    for folder in ("sums", "products"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "e.md").write_text("1. Find $1$.\n\n2. Find $2$.\n")
    found = seen(tmp_path, "*/e.md", "exam")
    assert [p.source.raw_id for p in found.problems] == [
        "products.1", "products.2", "sums.1", "sums.2",
    ]  # fmt: skip
