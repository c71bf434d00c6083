"""Work on a problem is bound to what was shown: a reworded question is refused, never cut."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from benchwright import build_release
from benchwright.base.about import about, bind, stale_fields
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.errors import UserError
from benchwright.problem import Image, Option, Problem, Vote
from small import png, problem, write_recipe, write_rows

TEXT = "As shown in the figure, in right triangle ABC, angle C = 90, AB = 5. Find \\frac{1}{2}BC."
PICTURE = Image(path="p.png", sha256="0" * 64, width=9, height=9)


@pytest.mark.parametrize(
    ("change", "moved"),
    [
        (
            {"question": "What is  $1+1$?"},
            {"spans", "placement"},
        ),  # white space only moves places
        ({"question": "What is $2+1$?"}, {"spans", "placement", "steps", "subject"}),
        ({"options": [Option(label="A", text="7")]}, {"steps", "subject"}),
        (
            {"options": [Option(label="A", text="", image=PICTURE)]},
            {"steps", "subject"},
        ),
        ({"images": [PICTURE]}, {"spans", "placement", "steps", "subject"}),
        ({"answer": "3", "labels": {}, "notes": ["x"], "solution": "s"}, set()),
    ],
)
def test_the_hash_follows_what_a_field_depends_on(
    change: dict[str, Any], moved: set[str]
) -> None:
    before, after = problem(), problem(**change)
    fields = ("spans", "placement", "steps", "subject")
    assert {f for f in fields if about(before, f) != about(after, f)} == moved
    for field in fields:
        bind(before, field)
    changed = msgspec.structs.replace(before, **change)
    assert set(stale_fields(changed)) == moved - {
        "subject"
    }  # labels outlive a translation


def span(text: str, role: str) -> dict[str, Any]:
    start = TEXT.index(text)
    return {"start": start, "end": start + len(text), "role": role, "alt": None}


SPANS = [span("As shown in the figure,", "DI"), span("angle C = 90, AB = 5", "EC")]
LABELS = [
    {"label": {"field": "spans", "votes": "votes.jsonl"}},
    {"label": {"field": "placement", "votes": "placement.jsonl"}},
]


def curator(
    folder: Path, stages: list[Any], hashed: bool = True, **recipe: Any
) -> Path:
    """One problem that people marked and placed conditions on; the recipe around it."""
    (folder / "p.png").write_bytes(png(200, 150, 255, "RGB"))
    row = {
        "id": "1",
        "question": TEXT,
        "answer": "1.5",
        "images": ["p.png"],
        "diagram": "for a judge",
    }
    write_rows(folder / "raw.jsonl", [row])
    source = {"name": "a", "reader": "jsonl", "path": "raw.jsonl", "license": "MIT"}
    plan = {"name": "mine", "version": "1.0.0", "sources": [source], "stages": []}
    read = write_recipe(folder / "shown.yaml", plan)
    build_release(read, folder / "shown", until="read")
    (shown,) = read_jsonl(folder / "shown/work/00-read/problems.jsonl", Problem)
    placed = [{"near": [100.0, 75.0], "text": "$5$"}]
    for field, value, name in (
        ("spans", SPANS, "votes"),
        ("placement", placed, "placement"),
    ):
        hashes = about(shown, field) if hashed else ""
        write_jsonl(folder / f"{name}.jsonl", [
            Vote(problem_id="a-1", field=field, value=value, annotator=who, about=hashes)
            for who in ("anna", "ben")
        ])  # fmt: skip
    return write_recipe(folder / "recipe.yaml", plan | {"stages": stages} | recipe)


def erratum(folder: Path) -> str:
    row = {"id": "a-1", "field": "question", "new": TEXT.replace("As shown", "Shown"),
           "reason": "style"}  # fmt: skip
    (folder / "errata.yaml").write_text(yaml.safe_dump([row]), "utf-8")
    return "errata.yaml"


def dropped(folder: Path, stage: str) -> str:
    (path,) = (folder / "out/work").glob(f"*-{stage}")
    (line,) = (path / "dropped.jsonl").read_text("utf-8").splitlines()
    return str(json.loads(line)["reason"])


@pytest.mark.parametrize("hashed", [True, False])
def test_fresh_work_is_applied_and_drawn(
    tmp_path: Path, hashed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = curator(tmp_path, [*LABELS, "versions"], hashed)
    built = build_release(recipe, tmp_path / "out")
    (made,) = read_jsonl(tmp_path / "out/work/03-versions/problems.jsonl", Problem)
    lite = next(s for s in made.samples if s.version == "text_lite")
    assert lite.question.lower().startswith("in right triangle abc")
    assert (made.diagram, lite.diagram) == ("for a judge", "for a judge")
    assert "$5$" in str(made.placement)
    assert built.reports[1].tables.get("unbound", 0) == (not hashed)
    assert capsys.readouterr().err.count("do not say which text") == (
        0 if hashed else 2
    )


ORDERS: dict[str, tuple[Callable[[Path], dict[str, Any]], list[Any], str, str]] = {
    "erratum before hashed votes": (
        lambda folder: {"errata": erratum(folder)}, LABELS[:1], "label", "anna, ben"
    ),
    "latex before votes on the raw text": (
        lambda _: {}, ["latex", LABELS[0]], "label", "given for another text"
    ),
    "latex between votes and versions": (
        lambda _: {}, [*LABELS, "latex", "versions"], "versions", "spans, placement"
    ),
    "latex behind the votes, no versions": (
        lambda _: {}, [*LABELS, "latex"], "split", "spans, placement"
    ),
    "erratum as a stage behind the votes": (
        lambda folder: {}, [*LABELS, {"errata": {"path": "errata.yaml"}}, "versions"], "versions",
        "spans, placement",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ORDERS)
def test_work_on_another_text_is_refused_by_name(tmp_path: Path, case: str) -> None:
    extra, stages, where, names = ORDERS[case]
    erratum(tmp_path)
    recipe = curator(tmp_path, stages, **extra(tmp_path))
    with pytest.raises(UserError, match=f"nothing is left after {where}"):
        build_release(recipe, tmp_path / "out")
    reason = dropped(tmp_path, where)
    assert reason.startswith("stale: spans")
    assert names in reason


def test_an_older_vote_that_would_cut_a_word_is_refused(tmp_path: Path) -> None:
    """Votes of older files do not say what they were given for; people do not cut words."""
    recipe = curator(tmp_path, LABELS[:1], hashed=False, errata=erratum(tmp_path))
    with pytest.raises(UserError, match="nothing is left after label"):
        build_release(recipe, tmp_path / "out")
    assert "they cut 'angle'" in dropped(tmp_path, "label")


def test_an_older_vote_that_would_cut_a_formula_is_refused(tmp_path: Path) -> None:
    """Dollars that came behind the vote: what it removes would leave one of them behind."""
    row = {"id": "a-1", "field": "question", "reason": "dollars",
           "new": TEXT.replace("angle C = 90, AB = 5", "angle $C = 90, AB = 5$")}  # fmt: skip
    (tmp_path / "errata.yaml").write_text(yaml.safe_dump([row]), "utf-8")
    recipe = curator(tmp_path, LABELS[:1], hashed=False, errata="errata.yaml")
    with pytest.raises(UserError, match="nothing is left after label"):
        build_release(recipe, tmp_path / "out")
    assert "they cut '$C = 90, AB = 5$'" in dropped(tmp_path, "label")


def test_votes_on_a_problem_that_became_parts_say_so(tmp_path: Path) -> None:
    row = {"id": "1", "question": "A square has side 2. (1) Find its area. (2) Find its perimeter.",
           "answer": "(1) 4 (2) 8"}  # fmt: skip
    write_rows(tmp_path / "raw.jsonl", [row])
    vote = Vote(problem_id="a-1", field="topic", value="squares", annotator="anna")
    write_jsonl(tmp_path / "votes.jsonl", [vote])
    source = {"name": "a", "reader": "jsonl", "path": "raw.jsonl", "license": "MIT"}
    label = {"label": {"field": "topic", "votes": "votes.jsonl"}}
    plan = {"name": "mine", "version": "1.0.0", "sources": [source]}
    late = write_recipe(
        tmp_path / "late.yaml", plan | {"stages": ["open-ended", label]}
    )
    build_release(late, tmp_path / "late")
    (stranger,) = read_jsonl(
        tmp_path / "late/work/02-label/unmatched.jsonl", dict[str, str]
    )
    assert "it became a-1-1, a-1-2" in stranger["why"]
    early = write_recipe(
        tmp_path / "early.yaml", plan | {"stages": [label, "open-ended"]}
    )
    built = build_release(early, tmp_path / "early")
    rows = read_jsonl(built.release / "jsonl/test.jsonl", dict[str, Any])
    assert [row["labels"]["topic"] for row in rows] == ["squares", "squares"]
