"""Booklets that hold one version each, and labels that nobody has."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright.errors import UserError
from benchwright.evaluate.people.booklets import booklets
from benchwright.problem import VERSIONS
from benchwright.release import read_samples
from layouts import released, two_sources
from msgspec import to_builtins
from small import write_rows


@pytest.fixture
def versioned(tmp_path: Path) -> Path:
    problems = two_sources("mathverse", tmp_path)
    write_rows(tmp_path / "p.jsonl", [to_builtins(p) for p in problems])
    return released(tmp_path, name="a", reader="problems", path="p.jsonl")


def test_each_booklet_holds_one_version(versioned: Path, tmp_path: Path) -> None:
    """MathVerse, appendix B: each student answers the questions of one version."""
    dealt = booklets(versioned, "test", tmp_path / "b", number=13, per="version")
    held = [{name.rpartition(".")[2] for name in part} for part in dealt]
    assert len(held) == 13
    assert all(len(names) == 1 for names in held)
    assert {name for names in held for name in names} == set(VERSIONS)
    ids = sorted(name for part in dealt for name in part)
    assert ids == sorted(s.id for s in read_samples(versioned, "test"))
    with pytest.raises(UserError, match="5 booklets for 6 values of version"):
        booklets(versioned, "test", tmp_path / "b", number=5, per="version")


def test_a_label_that_nobody_has_is_refused(versioned: Path, tmp_path: Path) -> None:
    for options in ({"by": ["levle"]}, {"per": "verzion"}):
        with pytest.raises(UserError, match="no sample has the label"):
            booklets(versioned, "test", tmp_path / "b", **options)
