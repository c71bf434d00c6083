r"""Damaged backslashes come back, and nothing else changes."""

from __future__ import annotations

import json

import pytest
from benchwright.latex import ENVIRONMENTS, is_set, math_box, mended, unset
from benchwright.latex.typeset.tables import LAYOUTS

COMMANDS = r"\bar \beta \begin \boxed \frac \forall \rho \right \times \text \theta \neq \notin \to"


@pytest.mark.parametrize("command", COMMANDS.split())
def test_a_command_that_went_through_json_comes_back(command: str) -> None:
    damaged = json.loads(f'"Let $x{command} y$."')  # as a careless writer leaves it
    assert mended(damaged) == (f"Let $x{command} y$.", [command])


@pytest.mark.parametrize(
    "sound",
    [
        "a\tan\neq",  # a table's tab and a line outside of formulas
        "Find $x$\nnot $y$.",
        "$x = 1,\nu = 2$",  # one letter behind a line end may be meant
        "$\x08xyz$",  # completes nothing: `text-control` finds it
        "no formula\nabla",
    ],
)
def test_what_may_be_meant_stays(sound: str) -> None:
    assert mended(sound) == (sound, [])


def test_what_is_set_is_what_the_typesetter_sets() -> None:
    assert set(LAYOUTS) == ENVIRONMENTS
    for command in (
        r"\cup",
        r"\alpha",
        r"\implies",
        r"\sin",
        r"\triangle",
        r"\mathbb{R}",
        r"\to",
    ):
        assert is_set(command.split("{")[0])
        assert math_box(f"x {command} y").width > 0
    assert unset(r"\coloneqq x") == ""
    assert "Parallel" in unset(r"A \Parallel B")
