"""Contamination: copies, edited copies and changed numbers are told apart."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pyarrow
import pytest
from benchwright.dedup.against import find_against, find_contamination
from benchwright.dedup.items import Item
from benchwright.errors import UserError
from PIL import Image, ImageDraw
from pyarrow import parquet

LONG = (
    "A farmer has 17 sheep and 23 goats on a field that is 120 metres long and 80 metres wide, and "
    "every morning he counts all of them twice before he opens the gate to the meadow."
)


def item(name: str, text: str) -> Item:
    return Item(id=name, question=text)


def test_each_measure_finds_its_kind() -> None:
    ours = [
        item("copy", LONG),
        item("numbers", LONG.replace("17", "19").replace("120", "140").replace("23", "31")),
        item("inside", "he counts all of them twice before he opens the gate to the meadow today"),
        item("free", "How many prime numbers are there below one hundred?"),
    ]
    others = [item("x", "Something else entirely."), item("y", LONG.upper()), item("z", LONG)]
    hits = {hit.id: hit for hit in find_against(ours, others, 90)}
    assert set(hits) == {"copy", "numbers", "inside"}
    assert hits["copy"].same_key
    assert hits["copy"].similarity == 1.0
    assert hits["copy"].contained == {"8": 1.0, "8 masked": 1.0, "13": 1.0, "13 masked": 1.0}
    assert hits["copy"].others["join"] == "z"
    assert hits["numbers"].contained["13 masked"] == 1.0
    assert hits["numbers"].contained.get("13", 0) < 0.7
    assert not hits["numbers"].same_key
    assert hits["inside"].similarity is None
    assert hits["inside"].contained["8"] > 0.5


def test_identical_questions_share_their_hit() -> None:
    ours = [item("1", "How many apples are left?"), item("2", "How many apples are left?")]
    hits = list(find_against(ours, [item("x", "How many apples are lost?")], 90))
    assert [(hit.id, hit.similarity) for hit in hits] == [("1", 0.92), ("2", 0.92)]


def test_short_and_empty_texts_do_not_match_each_other() -> None:
    assert (
        list(find_against([item("1", ""), item("2", "x")], [item("a", ""), item("b", "y")], 90))
        == []
    )


def edited(text: str, every: int = 6) -> str:
    """Every sixth word is another one."""
    return " ".join("foo" if k % every == 3 else w for k, w in enumerate(text.split()))


def test_scattered_edits_inside_a_longer_text_are_aligned_with_their_passage() -> None:
    before, after = (
        "Here is a lesson on farms and their animals.",
        "Now compute the answer at home.",
    )
    others = [item("y", f"{before} {edited(LONG)} {after}"), item("z", "Nothing of the kind. " * 9)]
    (hit,) = find_against(
        [item("1", LONG), item("2", "What is the sum of all odd primes?")], others, 90
    )
    assert hit.id == "1"
    assert hit.others["alignment"] == "y"
    assert hit.aligned is not None
    assert hit.aligned >= 0.75
    assert "sheep" in hit.passage
    assert "lesson" not in hit.passage


def test_picture_code_case_and_synonyms_hide_nothing() -> None:
    ours = (
        "In $\\triangle ABC$ the sides $AB$ and $AC$ are 12 cm long. <image1> "
        "Find the angle at $A$."
    )
    theirs = (
        "IN $\\Delta ABC$ THE SIDES $\\overline{AB}$ AND $\\overline{AC}$ ARE 12 CM LONG. "
        "[asy]draw((0,0)--(1,2)--(2,0)--cycle);[/asy] FIND THE ANGLE AT $A$."
    )
    (hit,) = find_against([item("1", ours)], [item("x", theirs)], 90)
    assert hit.same_key


def test_pictures_of_another_benchmark_are_compared(tmp_path: Path) -> None:
    page = Image.new("RGB", (200, 150), "white")
    pen = ImageDraw.Draw(page)
    for k in range(9):
        pen.line([10 + 20 * k, 20, 190 - 13 * k, 130], fill="black", width=2)
    page.save(tmp_path / "ours.png")
    buffer = io.BytesIO()
    page.save(buffer, "JPEG", quality=70)
    rows = [{"problem": "Another wording altogether.", "image": {"bytes": buffer.getvalue()}}]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "others.parquet")
    ours = tmp_path / "ours.jsonl"
    ours.write_text(json.dumps({"id": 1, "question": "What is drawn?", "image": "ours.png"}) + "\n")
    (hit,) = find_contamination(ours, tmp_path / "others.parquet")
    assert (hit.id, hit.other, hit.picture) == ("1", "1", True)
    assert not find_contamination(ours, tmp_path / "others.parquet", pictures=False)


def test_any_text_field_and_gzip_are_read_and_reported(tmp_path: Path) -> None:
    others = tmp_path / "others.jsonl.gz"
    with gzip.open(others, "wt", encoding="utf-8") as file:
        file.write(json.dumps({"stem": LONG}) + "\n" + "broken\n")
    hits = find_contamination([item("<1>", LONG)], others, text_field="stem")
    assert [hit.same_key for hit in hits] == [True]
    assert [line.split(": ")[0] for line in hits.unreadable] == [f"{others}:2"]
    report = hits.report("ours against theirs")
    assert "1 of 1 questions found among 1" in report
    assert "&lt;1&gt; and 1" in report
    assert "17 sheep" in report
    with pytest.raises(UserError, match="name a field: stem"):
        find_contamination([item("1", LONG)], others)
