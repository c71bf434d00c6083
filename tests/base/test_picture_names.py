"""A picture is found by the end of its path, below its folder and nowhere else."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.base.pictures import embedded, names_of
from benchwright.convert.readers import Pictures
from small import png

ADDRESSES = {
    "a.png": ["a.png"],
    "../media/a.png": ["media/a.png", "a.png"],
    "x/../../a.png": ["a.png"],
    "./x//a.png": ["x/a.png", "a.png"],
    r"C:\work\a.png": ["work/a.png", "a.png"],
    "/x/me/a.png": ["x/me/a.png", "me/a.png", "a.png"],
    "https://h.example/x/a%20b.png?w=3#t": ["x/a b.png", "a b.png"],
    "//h.example/a.png": ["a.png"],
    "file:///sets/a.png": ["sets/a.png", "a.png"],
    "50%.png": ["50%.png"],
    "..": [],
    "x" * 300: [],
    "a\0b": [],
    "y" * 1_000_000: [],
}


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: address[:40])
def test_names(address: str) -> None:
    names = names_of(address)
    assert names == ADDRESSES[address]
    assert not any(".." in name.split("/") for name in names)


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.png").write_bytes(png(9, 9, 1))
    (tmp_path / "secret.png").write_bytes(png(9, 9, 2))
    return Pictures(tmp_path / "images", tmp_path / "work")


@pytest.mark.parametrize(
    "name", ["a.png", "../media/a.png", "images/a.png", r"..\x\a.png"]
)
def test_pictures_are_found_by_their_names(pictures: Pictures, name: str) -> None:
    assert len(pictures.get([name])) == 1
    assert pictures.notes == []


def test_none_is_read_outside_its_folder(pictures: Pictures) -> None:
    assert pictures.get(["../secret.png"]) == []
    [note] = pictures.notes
    assert note.endswith("leaves its folder")
    assert not list(pictures.work.glob("images/*"))


@pytest.mark.parametrize(
    "name", ["y" * 1_000_000, "z" * 300 + ".png", "b.png", "b\0.png"]
)
def test_what_is_no_file_is_named_briefly(pictures: Pictures, name: str) -> None:
    assert pictures.get([name]) == []
    [note] = pictures.notes
    assert len(note) < 400


PNG = png(9, 9, 3)
GIVEN: dict[str, Any] = {
    "bytes": PNG,
    "bytes and path": {"bytes": PNG, "path": "x.png"},
    "base64 in a record": {"bytes": base64.b64encode(PNG).decode(), "path": None},
    "a Buffer as JSON writes it": {"type": "Buffer", "data": list(PNG)},
    "data address": f"data:image/png;base64,{base64.b64encode(PNG).decode()}",
    "data address in a record": {
        "src": f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    },
    "base64 for addresses": base64.urlsafe_b64encode(PNG).decode().rstrip("="),
    "base64 in lines": base64.encodebytes(PNG).decode(),
}


@pytest.mark.parametrize("form", GIVEN)
def test_a_picture_is_given_in_any_form(pictures: Pictures, form: str) -> None:
    assert embedded(GIVEN[form])[1] == PNG
    [image] = pictures.get([GIVEN[form]])
    assert (image.width, image.height) == (9, 9)


BROKEN: list[Any] = [
    "data:image/png;base64,iVBORw0KGgo",
    "data:image/png;base64,%%%",
    {"bytes": "no base64!"},
    {"bytes": [1, 2, 999]},
    {"type": "Buffer", "data": ["x"]},
    b"<html>404</html>",
    {"url": ""},
    7,
    json.loads("[]"),
]


@pytest.mark.parametrize("given", BROKEN, ids=str)
def test_what_is_no_picture_is_named(pictures: Pictures, given: Any) -> None:
    assert pictures.get([given]) == []
    assert [note.split(":")[0] for note in pictures.notes] == ["broken-picture"]
