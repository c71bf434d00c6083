"""What is drawn beyond a picture's border is in the drawing, whole and with a margin."""

from __future__ import annotations

import numpy as np
import pytest
from benchwright.render.diagram import draw
from PIL import Image, ImageDraw


def picture(size: tuple[int, int]) -> Image.Image:
    made = Image.new("RGB", size, "white")
    ImageDraw.Draw(made).rectangle(
        (4, 4, size[0] - 5, size[1] - 5), outline="black", width=2
    )
    return made


@pytest.mark.parametrize(
    "at", [[2, 60], [598, 60], [300, 2], [300, 398], [2, 2], [598, 398]]
)
def test_a_label_at_the_border_is_whole(at: list[int]) -> None:
    text = "area of ABCD = 9 cm²"
    spec = {"kind": "picture", "labels": [{"at": at, "text": text}]}
    drawing = draw(spec, background=picture((600, 400)))
    (label,) = drawing.labels
    left, top, right, bottom = label.box
    width, height = drawing.picture.size
    assert 0 <= left < right <= width
    assert 0 <= top < bottom <= height
    assert "label-cut" not in {issue.code for issue in drawing.issues}
    ink = np.asarray(drawing.picture.convert("L")) < 128
    border = np.concatenate([ink[0], ink[-1], ink[:, 0], ink[:, -1]])
    assert not border.any(), "what reaches beyond the picture has a margin"


def test_a_label_with_no_room_at_all_is_told() -> None:
    spec = {"kind": "picture", "labels": [{"at": [100, 60], "text": "W" * 110}]}
    codes = {issue.code for issue in draw(spec, background=picture((200, 120))).issues}
    assert "label-cut" in codes


def test_a_picture_without_labels_beyond_keeps_its_size() -> None:
    plain = draw({"kind": "picture", "labels": []}, background=picture((600, 400)))
    assert plain.picture.size == (600, 400)
