"""Official layouts, read back: the same records; written again, the same bytes; named in results,
the same samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from benchwright.evaluate.predictions import Index, locate, read_rows
from benchwright.exports import export
from benchwright.problem import Problem, Sample
from benchwright.release import all_samples, read_problem_file
from layouts import LAYOUTS, released, two_sources
from small import tree, write_rows


def told(record: Problem | Sample) -> dict[str, Any]:
    """What a record tells, without the names that its build gave it."""
    names = ("id", "origin", "problem_id", "source", "samples", "about")
    fields = {k: v for k, v in msgspec.to_builtins(record).items() if k not in names}
    if isinstance(record, Problem):
        fields["samples"] = sorted(
            (told(s) for s in record.samples), key=lambda s: s["version"]
        )
    return fields


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_layout_of_two_sources_read_back_is_the_same(
    tmp_path: Path, layout: str
) -> None:
    first, second = tmp_path / "one", tmp_path / "two"
    first.mkdir()
    second.mkdir()
    write_rows(
        first / "p.jsonl", [msgspec.to_builtins(p) for p in two_sources(layout, first)]
    )
    release = released(first, name="a", reader="problems", path="p.jsonl")
    written = export(layout, release, second / "x")
    paths = [path.relative_to(second).as_posix() for path in written]
    again = released(second, name="z", reader=layout, path=paths, images="x")

    rows = [row for path in written for _, row in read_rows(path)]
    index = Index(list(all_samples(release)))
    assert sorted(locate(row, index)[1] for row in rows) == sorted(index.golds)

    ours, back = (
        {
            p.id.rpartition("_")[2].removeprefix("z-"): p
            for p in read_problem_file(folder)
        }
        for folder in (release, again)
    )
    assert back.keys() == ours.keys()
    for name in ours:
        assert told(back[name]) == told(ours[name])

    export(layout, again, second / "y")
    of_x, of_y = (
        {k: v for k, v in tree(second / n).items() if k != MANIFEST} for n in "xy"
    )
    assert of_y == of_x


MANIFEST = "x.export.json"  # names ids of the release
