"""The budget: how many lines each house has, and how many patterns all of them.

`budget.yaml` holds a list of figures for each house, the newest last. A house may not have more
than the newest; where it has far fewer, the list gets a new figure. A figure above the one before
it carries its reason: `6600 because groups of annotators answer one task`.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
NO_HOUSES = {"tests", "bench", "docs", "examples", "build", "dist", "out"}
BUDGET: dict[str, list[int | str]] = yaml.safe_load(
    Path(__file__).with_name("budget.yaml").read_text("utf-8")
)
SLACK = 0.03  # a house may stand this far below its figure before the figure must follow
ENTRY = re.compile(r"(?P<lines>\d+)(?: because (?P<why>\S.{9,}))?")


def houses() -> Iterator[tuple[str, Path]]:
    """House and file of every module; files of the root are the house `root`."""
    for path in ROOT.rglob("*.py"):
        first, *more = path.relative_to(ROOT).parts
        if first not in NO_HOUSES and not first.startswith("."):
            yield (first if more else "root"), path


def patterns(path: Path) -> int:
    """Calls that carry a regular expression: `re.compile`, `re.sub`, ..."""
    calls = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    return sum(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "re"
        and call.func.attr not in {"escape", "purge"}
        for call in calls
    )


def counted() -> Counter[str]:
    found: Counter[str] = Counter()
    for house, path in houses():
        lines = len(path.read_text("utf-8").splitlines())
        found.update({house: lines, "all": lines, "patterns": patterns(path)})
    return found


COUNTED = counted()


def figures(name: str) -> list[tuple[int, str]]:
    entries = [ENTRY.fullmatch(str(entry)) for entry in BUDGET[name]]
    assert all(entries), f"budget.yaml, {name}: write `LINES` or `LINES because REASON`"
    return [(int(entry["lines"]), entry["why"] or "") for entry in entries if entry]


def test_every_house_has_a_budget() -> None:
    assert sorted(BUDGET) == sorted(COUNTED)


@pytest.mark.parametrize("name", sorted(BUDGET))
def test_a_house_keeps_within_its_budget(name: str) -> None:
    now, allowed = COUNTED[name], figures(name)[-1][0]
    assert now <= allowed, f"{name} has {now}, its budget is {allowed}: simplify, or say why"
    assert now >= allowed * (1 - SLACK) - 10, f"{name} has only {now}: add {now} to budget.yaml"


@pytest.mark.parametrize("name", sorted(BUDGET))
def test_a_figure_that_rises_says_why(name: str) -> None:
    listed = figures(name)
    for (before, _), (after, why) in pairwise(listed):
        assert after <= before or why, f"{name}: {before} -> {after} without a reason"


def test_figures_are_read_with_their_reasons() -> None:
    assert ENTRY.fullmatch("6600 because groups of annotators answer one task")
    assert not ENTRY.fullmatch("6600 because")
    assert not ENTRY.fullmatch("about 6600")
