"""Contamination: copies, edited copies and changed numbers are told apart."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pyarrow
from benchwright import Pair, find_contamination
from benchwright.dedup import Item, pairs_among
from PIL import Image, ImageDraw
from pyarrow import parquet

LONG = (
    "A farmer has 17 sheep and 23 goats on a field that is 120 metres long and 80 metres wide, and "
    "every morning he counts all of them twice before he opens the gate to the meadow."
)


def item(name: str, text: str) -> Item:
    return Item(id=name, question=text)


def against(ours: list[Item], others: list[Item], percent: int = 90) -> list[Pair]:
    return list(pairs_among([*ours, *others], percent, ours=len(ours)))


def test_copies_numbers_and_passages_have_their_class() -> None:
    ours = [
        item("copy", LONG),
        item(
            "numbers",
            LONG.replace("17", "19").replace("120", "140").replace("23", "31"),
        ),
        item(
            "inside",
            "he counts all of them twice before he opens the gate to the meadow",
        ),
        item("free", "How many prime numbers are there below one hundred?"),
    ]
    others = [item(f"{k}", f"Something else entirely, of {k}.") for k in range(20)]
    hits = {hit.a: hit for hit in against(ours, [*others, item("z", LONG)])}
    assert set(hits) == {"copy", "numbers", "inside"}
    assert {name: hit.b for name, hit in hits.items()} == dict.fromkeys(hits, "z")
    assert (hits["copy"].similarity, hits["copy"].linked) == (1.0, True)
    assert (hits["numbers"].kind, hits["numbers"].linked) == ("numbers-differ", False)
    assert hits["inside"].passage == ours[2].question


def test_both_of_two_problems_inside_one_row_are_named_and_the_other_way_round() -> (
    None
):
    train = (
        "A train leaves at 8 and runs 3 hours at 50 miles an hour. How far did it go?"
    )
    baker = "A baker has 12 trays with 9 loaves each and sells all but 7. How many loaves are sold?"
    whole = item("ours", f"{train} Answer: 150 $\\quad$ (tag) {baker}")
    parts = [item("train", train), item("baker", baker)]
    parts += [
        item(f"{k}", f"Find the number that is {k} times its own half.")
        for k in range(9)
    ]
    hits = against([whole], parts)
    assert {(hit.b, hit.kind) for hit in hits[:2]} == {
        ("train", "contained"),
        ("baker", "contained"),
    }
    turned = against(parts, [whole])
    assert {hit.a for hit in turned if hit.linked} == {"train", "baker"}


def test_identical_questions_share_their_hit() -> None:
    ours = [
        item("1", "How many apples are left?"),
        item("2", "How many apples are left?"),
    ]
    hits = against(ours, [item("x", "How many apples are lost?")])
    assert [(hit.a, hit.similarity) for hit in hits] == [("1", 0.92), ("2", 0.92)]


def test_short_and_empty_texts_do_not_match_each_other() -> None:
    assert (
        against([item("1", ""), item("2", "x")], [item("a", ""), item("b", "y")]) == []
    )


def edited(text: str, every: int = 6) -> str:
    """Every sixth word is another one."""
    return " ".join("foo" if k % every == 3 else w for k, w in enumerate(text.split()))


def test_scattered_edits_inside_a_longer_text_are_aligned_with_their_passage() -> None:
    before, after = (
        "Here is a lesson on farms and their animals.",
        "Now compute the answer at home.",
    )
    others = [item(f"{k}", f"Nothing of the kind, {k}. " * 9) for k in range(9)]
    others.append(item("y", f"{before} {edited(LONG)} {after}"))
    hit = against(
        [item("1", LONG), item("2", "What is the sum of all odd primes?")], others
    )[0]
    assert (hit.a, hit.b) == ("1", "y")
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
    (hit,) = against([item("1", ours)], [item("x", theirs)], 80)
    assert "key" in hit.found


def test_pictures_of_another_benchmark_are_compared(tmp_path: Path) -> None:
    page = Image.new("RGB", (200, 150), "white")
    pen = ImageDraw.Draw(page)
    for k in range(9):
        pen.line([10 + 20 * k, 20, 190 - 13 * k, 130], fill="black", width=2)
    page.save(tmp_path / "ours.png")
    buffer = io.BytesIO()
    page.save(buffer, "JPEG", quality=70)
    rows = [
        {
            "problem": "Another wording altogether.",
            "image": {"bytes": buffer.getvalue()},
        }
    ]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "others.parquet")
    ours = tmp_path / "ours.jsonl"
    ours.write_text(
        json.dumps({"id": 1, "question": "What is drawn?", "image": "ours.png"}) + "\n"
    )
    (hit,) = find_contamination(ours, tmp_path / "others.parquet")
    assert (hit.a, hit.b, "picture" in hit.found) == ("1", "1", True)
    assert not find_contamination(ours, tmp_path / "others.parquet", pictures=False)


def test_any_text_field_and_gzip_are_read_and_reported(tmp_path: Path) -> None:
    others = tmp_path / "others.jsonl.gz"
    with gzip.open(others, "wt", encoding="utf-8") as file:
        file.write(json.dumps({"stem": LONG}) + "\n" + "broken\n")
    hits = find_contamination([item("<1>", LONG)], others, text_field="stem")
    assert [hit.text for hit in hits] == ["identical"]
    assert [line.split(": ")[0] for line in hits.unreadable] == [f"{others}:2"]
    report = hits.report("ours against theirs")
    assert "1 of 1 questions found among 1" in report
    assert "&lt;1&gt; and 1" in report
    # Without a field of that name the rows are documents, of which every text is read.
    (hit,) = find_contamination([item("1", LONG)], others)
    assert (hit.kind, hit.b) == ("same", f"{others}:1")
