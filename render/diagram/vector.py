"""A drawing as SVG and as PDF: the same strokes and letters as its picture, as outlines.

No date, no identifier, no font and no compression stands in them: the same spec gives the same
bytes everywhere. Lengths of PDF are points at 150 pixels an inch, as papers print figures.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from ...base.pictures import encode_png
from ..figure import Array
from ..labels import outlined

MOVE, LINE, QUADRATIC, CUBIC, CLOSE = 1, 2, 3, 4, 79  # Matplotlib's path codes
POINTS = 72 / 150  # of a pixel


class Shape(msgspec.Struct):
    """A path in pixels, y down, with its fill and its line."""

    vertices: Array
    codes: Array
    fill: str = ""
    line: str = ""
    width: float = 0.0
    dash: tuple[float, ...] = ()

    def moved(self, x: float, y: float) -> Shape:
        return msgspec.structs.replace(self, vertices=self.vertices + np.array([x, y]))


class Letters(msgspec.Struct):
    """A text whose ink has its upper left corner at a place; it may stand upright."""

    text: str
    em: float
    left: float
    top: float
    color: str = "#000000"
    hand: bool = False
    is_upright: bool = False
    halo: float = 0.0

    def moved(self, x: float, y: float) -> Letters:
        return msgspec.structs.replace(self, left=self.left + x, top=self.top + y)

    def shapes(self) -> Iterator[Shape]:
        from matplotlib.path import Path

        box = outlined(self.text, self.hand)
        if not len(box.vertices):
            return
        vertices = box.vertices * self.em * [1, -1]
        if self.is_upright:
            vertices = vertices[:, ::-1] * [1, -1]
        # Where the ink begins: control points of curves lie outside it.
        inked = Path(vertices, box.codes).get_extents().min
        vertices = vertices - inked + [self.left, self.top]
        if self.halo:
            yield Shape(vertices, box.codes, "#ffffff", "#ffffff", 2 * self.halo)
        yield Shape(vertices, box.codes, self.color)


class Raster(msgspec.Struct):
    """A picture in a box of pixels."""

    picture: Any  # PIL.Image.Image
    left: float
    top: float
    width: float
    height: float

    def moved(self, x: float, y: float) -> Raster:
        return msgspec.structs.replace(self, left=self.left + x, top=self.top + y)


Thing = Shape | Letters | Raster


def polyline(path: Array, closed: bool) -> tuple[Array, Array]:
    """A row of places as a path."""
    codes = np.full(len(path), LINE, np.uint8)
    codes[:1] = MOVE
    if not closed:
        return np.asarray(path, float), codes
    return np.vstack([path, path[:1]]), np.append(codes, np.uint8(CLOSE))


def to_svg(things: Sequence[Thing], size: tuple[int, int]) -> bytes:
    """The things as an SVG of a size in pixels."""
    width, height = size
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for thing in _flat(things):
        if isinstance(thing, Raster):
            data = base64.b64encode(encode_png(thing.picture)).decode()
            lines.append(
                f'<image x="{_n(thing.left)}" y="{_n(thing.top)}" width="{_n(thing.width)}" '
                f'height="{_n(thing.height)}" preserveAspectRatio="none" '
                f'href="data:image/png;base64,{data}"/>'
            )
            continue
        style = f'fill="{thing.fill or "none"}"'
        if thing.line:
            style += f' stroke="{thing.line}" stroke-width="{_n(thing.width)}"'
            style += ' stroke-linejoin="round"'
            style += "" if thing.dash else ' stroke-linecap="round"'
        if thing.dash:
            style += f' stroke-dasharray="{" ".join(map(_n, thing.dash))}"'
        lines.append(f'<path d="{_path(thing, "svg")}" {style}/>')
    return "\n".join([*lines, "</svg>", ""]).encode()


def to_pdf(things: Sequence[Thing], size: tuple[int, int]) -> bytes:
    """The things as a PDF of one page of a size in pixels."""
    width, height = (side * POINTS for side in size)
    flip = [POINTS, 0, 0, -POINTS, 0, height]
    content = [" ".join(map(_n, flip)) + " cm", "1 j 1 J"]
    pictures: list[Raster] = []
    for thing in _flat(things):
        if isinstance(thing, Raster):
            pictures.append(thing)
            place = [
                thing.width,
                0,
                0,
                -thing.height,
                thing.left,
                thing.top + thing.height,
            ]
            content.append(f"q {' '.join(map(_n, place))} cm /P{len(pictures)} Do Q")
            continue
        if thing.fill:
            content.append(f"{_rgb(thing.fill)} rg")
        if thing.line:
            dash = " ".join(map(_n, thing.dash))
            content.append(f"{_rgb(thing.line)} RG {_n(thing.width)} w [{dash}] 0 d")
        paint = {(True, True): "B", (True, False): "f", (False, True): "S"}
        key = (bool(thing.fill), bool(thing.line))
        content.append(f"{_path(thing, 'pdf')} {paint.get(key, 'n')}")
    return _document(width, height, "\n".join(content).encode(), pictures)


def _document(
    width: float, height: float, content: bytes, pictures: list[Raster]
) -> bytes:
    names = " ".join(f"/P{k} {4 + k} 0 R" for k in range(1, len(pictures) + 1))
    page = f"/MediaBox [0 0 {_n(width)} {_n(height)}] /Contents 4 0 R"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R {page} /Resources << /XObject << {names} >> >> >>".encode(),
        _stream("", content),
    ]
    for picture in pictures:
        image = picture.picture.convert("RGB")
        kind = (
            "/Type /XObject /Subtype /Image /ColorSpace /DeviceRGB /BitsPerComponent 8"
        )
        kind += f" /Width {image.width} /Height {image.height}"
        objects.append(_stream(kind, image.tobytes()))
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    end = f"xref\n0 {count}\n0000000000 65535 f \n{table}trailer\n"
    end += f"<< /Size {count} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return out + end.encode()


def _stream(kind: str, data: bytes) -> bytes:
    return (
        f"<< {kind} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"
    )


def _flat(things: Iterable[Thing]) -> Iterator[Shape | Raster]:
    for thing in things:
        if isinstance(thing, Letters):
            yield from thing.shapes()
        else:
            yield thing


def _n(value: float) -> str:
    """A number of two decimals, shortly."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _rgb(color: str) -> str:
    return " ".join(_n(int(color[k : k + 2], 16) / 255) for k in (1, 3, 5))


def _path(shape: Shape, form: str) -> str:
    """The path in the language of SVG, or of PDF, which has no quadratic curves."""
    words: list[str] = []
    at = 0
    here = np.zeros(2)
    while at < len(shape.codes):
        code = int(shape.codes[at])
        if code == CLOSE:
            words.append("Z" if form == "svg" else "h")
            at += 1
            continue
        count = {QUADRATIC: 2, CUBIC: 3}.get(code, 1)
        points = shape.vertices[at : at + count]
        if code == QUADRATIC and form == "pdf":
            bend, end = points
            points = np.stack([(here + 2 * bend) / 3, (end + 2 * bend) / 3, end])
        sign = {MOVE: "Mm", LINE: "Ll", QUADRATIC: "Qc", CUBIC: "Cc"}[code]
        numbers = " ".join(_n(float(v)) for v in points.ravel())
        words.append(f"{sign[0]}{numbers}" if form == "svg" else f"{numbers} {sign[1]}")
        here = points[-1]
        at += count
    return " ".join(words)
