"""Reworded problems: found, ranked, linked; templates are families; errata are named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchwright import Pair
from benchwright.dedup import Item, families_of, find_pairs, linked, pairs_among, stored
from benchwright.dedup.likeness import likeness
from PIL import Image, ImageDraw

SUBJECTS = (
    "baker ferry lighthouse glacier orchestra mosaic submarine carousel greenhouse volcano abacus "
    "windmill telescope chessboard aquarium tapestry snowflake compass harbour beehive"
).split()
FIRST = (
    "A {0} stands beside {1} {2} posts. How many posts does the {0} have on each side?"
)
AGAIN = "Beside every {0} one finds {2} posts, {1} in all. Determine the posts per side of a {0}."


def sources(twins: int = 12) -> list[Item]:
    """Two sources in one order, the second reworded; and other problems around them."""
    first = [
        Item(
            id=f"a{k}",
            question=FIRST.format(s, 300 + 7 * k, SUBJECTS[-k - 1]),
            answer=str(40 + k),
        )
        for k, s in enumerate(SUBJECTS[:twins])
    ]
    filler = [
        Item(
            id=f"f{k}", question=f"Compute the value of ${k}x^2 - {k + 3}$ at {k + 1}."
        )
        for k in range(8)
    ]
    again = [
        Item(
            id=f"b{k}",
            question=AGAIN.format(s, 300 + 7 * k, SUBJECTS[-k - 1]),
            answer=f"{40 + k} cm",
        )
        for k, s in enumerate(SUBJECTS[:twins])
    ]
    return [*first, *filler, *again]


def test_reworded_problems_come_first_and_are_linked() -> None:
    pairs = list(pairs_among(sources(), 85))
    top = pairs[:12]
    assert {(p.a[1:], p.b[1:]) for p in top} == {(str(k), str(k)) for k in range(12)}
    assert {p.kind for p in top} == {"reworded"}
    assert all(linked(p, {}) and not p.automatic for p in top)
    assert not any(linked(p, {}) for p in pairs[12:] if p.a[0] != p.b[0])
    assert [p.score for p in pairs] == sorted((p.score for p in pairs), reverse=True)


def test_the_parts_sum_to_the_score() -> None:
    for pair in pairs_among(sources(), 85):
        expected = 1 / (1 + np.exp(-sum(pair.parts.values())))
        assert pair.score == pytest.approx(expected, abs=0.01)


def test_a_contradicting_gold_is_an_erratum() -> None:
    items = sources()
    for item in items:
        item.answer = item.answer.removesuffix(" cm")
    items[3].answer = "999"
    (pair,) = [p for p in pairs_among(items, 85) if p.kind == "erratum"]
    assert (pair.a, pair.b, pair.answers) == ("a3", "b3", ["999", "43"])
    assert not pair.automatic


def test_order_supports_pairs_of_two_sources_and_not_neighbours() -> None:
    items = sources()
    with stored(items) as store:
        evidence = likeness(store, store.pictures)
    order = dict(zip(zip(evidence.a.tolist(), evidence.b.tolist(), strict=True),
                     evidence.parts["order"].tolist(), strict=True))  # fmt: skip
    assert order[5, 25] > 1
    assert all(value == 0 for (a, b), value in order.items() if b - a <= 16)


def test_a_family_is_told_and_never_paired() -> None:
    template = "Ann buys {} pens and {} pads at the market. How much does she pay?"
    items = [
        Item(id=str(k), question=template.format(k + 2, 3 * k + 1), answer=str(k % 5))
        for k in range(300)
    ]
    items.append(
        Item(id="x", question=template.format(2, 1).replace("market", "old market"))
    )
    found = find_pairs(items, 0.85)
    assert [(p.a, p.b) for p in found] == [("0", "x")]
    (family,) = found.families
    assert (family.size, family.questions, family.answers, family.diversity) == (
        300,
        300,
        5,
        1.0,
    )
    assert family.template.count("#") == 2


def test_a_small_family_is_paired() -> None:
    items = [
        Item(id=str(k), question=f"What is the double of {k + 20} apples?")
        for k in range(3)
    ]
    assert not list(families_of(items))
    assert {p.kind for p in pairs_among(items, 85)} == {"numbers-differ"}


def picture(mark: str, colour: str) -> Image.Image:
    page = Image.new("RGB", (240, 160), "white")
    pen = ImageDraw.Draw(page)
    pen.polygon([(30, 130), (120, 20), (210, 130)], outline="black", width=2)
    pen.ellipse([90, 80, 150, 125], fill=colour)
    pen.text((200, 10), mark, fill="#f0f0f0")
    return page


def pair_of(
    folder: Path, one: Image.Image, other: Image.Image, answer: str = "4"
) -> Pair:
    items = []
    for name, drawn in (("1", one), ("2", other)):
        drawn.save(folder / f"{name}.png")
        items.append(
            Item(
                id=name,
                question="How many beads are in the bag shown?",
                answer="4" if name == "1" else answer,
                pictures=[folder / f"{name}.png"],
            )
        )
    (pair,) = pairs_among(items, 85)
    return pair


def test_only_proof_drops(tmp_path: Path) -> None:
    plain = picture("6", "#ff0000")
    assert pair_of(tmp_path, plain, plain).automatic
    assert pair_of(tmp_path, plain, plain, "4.0").automatic
    assert not pair_of(tmp_path, plain, plain, "5").automatic
    for other in (
        picture("9", "#ff0000"),
        picture("6", "#008200"),
        picture("", "#ff0000"),
    ):
        pair = pair_of(tmp_path, plain, other)
        assert (pair.automatic, pair.kind == "exact") == (False, False)


def test_pictures_in_another_order_are_not_the_same_question() -> None:
    items = [
        Item(id="1", question="Is <image1> or <image2> larger?", answer="left"),
        Item(id="2", question="Is <image2> or <image1> larger?", answer="left"),
    ]
    (pair,) = pairs_among(items, 85)
    assert not pair.automatic
