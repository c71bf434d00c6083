"""Pictures shared by questions, as they are and re-encoded."""

from __future__ import annotations

import random
from pathlib import Path

from benchwright.dedup import Item, PictureIndex, index_pictures, shared_pictures
from benchwright.dedup.picture_index import between, relation, within
from benchwright.pipeline import Engine
from PIL import Image, ImageDraw


def scribble(seed: int) -> Image.Image:
    rng = random.Random(seed)
    picture = Image.new("RGB", (300, 200), "white")
    pen = ImageDraw.Draw(picture)
    pen.rectangle([10, 10, 290, 190], outline="black", width=2)
    for _ in range(5):
        pen.line([rng.randint(10, 290) for _ in range(4)], fill="black", width=2)
    return picture


def looks(items: list[Item], engine: Engine | None = None) -> PictureIndex:
    return index_pictures(
        {path: item.id for item in items for path in item.pictures}, engine or Engine()
    )


def test_re_encoded_pictures_are_found_among_others(tmp_path: Path) -> None:
    for k in range(6):
        scribble(k).save(tmp_path / f"{k}.png")
    scribble(1).save(tmp_path / "same.png", compress_level=1)
    scribble(2).save(tmp_path / "jpeg.jpg", quality=40)
    scribble(3).resize((450, 300), Image.Resampling.BICUBIC).save(
        tmp_path / "large.png"
    )
    paths = sorted(tmp_path.iterdir())
    items = [Item(id=path.name, question="", pictures=[str(path)]) for path in paths]
    seen = looks(items, Engine(jobs=2))
    found = {(items[a].id, items[b].id) for a, b in shared_pictures(items, seen)}
    assert found == {
        ("1.png", "same.png"),
        ("2.png", "jpeg.jpg"),
        ("3.png", "large.png"),
    }
    by_id = {item.id: item for item in items}
    assert relation(by_id["1.png"], by_id["same.png"], seen) == ("identical", 0.0)
    assert relation(by_id["2.png"], by_id["jpeg.jpg"], seen)[0] == "same"
    assert relation(by_id["2.png"], by_id["3.png"], seen)[0] == "differ"


def test_pictures_on_one_side_or_in_other_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    scribble(1).save(path)
    none, one, two = (
        Item(id=str(k), question="", pictures=[str(path)] * k) for k in range(3)
    )
    seen = looks([one])
    assert relation(none, none, seen) == ("none", None)
    assert relation(none, one, seen) == ("one side", None)
    assert relation(one, two, seen) == ("differ", None)


def test_crowds_are_paired_with_their_first() -> None:
    assert len(list(within(range(10)))) == 45
    assert list(within(range(100))) == [(0, k) for k in range(1, 100)]
    assert len(list(between(range(4), range(8)))) == 32
    assert list(between(range(40), range(8))) == [(0, 0)]


def divided(side: int, lines: int) -> Image.Image:
    """A square cut into lines x lines fields."""
    picture = Image.new("RGB", (side + 20, side + 20), "white")
    pen = ImageDraw.Draw(picture)
    for k in range(lines + 1):
        at = 10 + side * k // lines
        pen.line([10, at, 10 + side, at], fill="black", width=2)
        pen.line([at, 10, at, 10 + side], fill="black", width=2)
    return picture


def sharing(
    folder: Path, pictures: list[Image.Image], questions: list[str]
) -> set[tuple]:
    items = []
    for k, (picture, text) in enumerate(zip(pictures, questions, strict=True)):
        picture.save(folder / f"{k}.png")
        items.append(
            Item(id=str(k), question=text, pictures=[str(folder / f"{k}.png")])
        )
    return set(shared_pictures(items, looks(items)))


UNLIKE = ["How many squares are there in all?", "Ann cuts a garden into beds of roses."]
ALIKE = ["How many squares are there in all?", "How many squares do you see in all?"]


def test_a_plain_drawing_is_shared_only_by_questions_that_are_alike(
    tmp_path: Path,
) -> None:
    drawn_twice = [divided(200, 2), divided(260, 2)]
    assert sharing(tmp_path, drawn_twice, UNLIKE) == set()
    assert sharing(tmp_path, drawn_twice, ALIKE) == {(0, 1)}
    one_file = [divided(200, 2), divided(200, 2)]
    assert sharing(tmp_path, one_file, UNLIKE) == {(0, 1)}


def test_a_telling_drawing_is_shared_whatever_is_asked(tmp_path: Path) -> None:
    telling = scribble(4)
    larger = telling.resize((450, 300), Image.Resampling.BICUBIC)
    assert sharing(tmp_path, [telling, larger], UNLIKE) == {(0, 1)}


def test_a_blank_picture_is_shared_by_nobody(tmp_path: Path) -> None:
    blank = Image.new("RGB", (50, 40), "white")
    assert sharing(tmp_path, [blank, blank], ALIKE) == set()
