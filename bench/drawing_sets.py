"""Generated drawings with known relatives, for `drawings.py`: copies, and changed drawings.

`development`, drawn by Matplotlib, is what the thresholds were read off; `held_out` has other
families, drawn with Pillow in other sizes, fonts, line widths and colours.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from drawing_changes import Case, Picture, encodings
from PIL import Image, ImageDraw, ImageFont

# -- generated: the same seed with another label seed changes one label only


def development(per_family: int = 12) -> Iterator[Case]:
    for family in (
        "triangle",
        "circle",
        "bars",
        "grid",
        "polygon",
        "axes",
        "rectangle",
    ):
        for seed in range(per_family):
            picture = plotted(family, seed, 0)
            changed = {f"label {k}": plotted(family, seed, k) for k in (1, 2)}
            yield Case(family, picture, encodings(picture), changed)


def held_out(per_family: int = 12) -> Iterator[Case]:
    for family in FIGURES:
        for seed in range(per_family):
            picture = sketched(family, seed)
            changed = {
                kind: sketched(family, seed, kind)
                for kind in ("number", "letter", "line")
            }
            yield Case(family, picture, encodings(picture), changed)


def plotted(family: str, seed: int, label_seed: int) -> Picture:
    """One diagram of the development set."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    rng, labels = (
        random.Random(f"{family}{seed}"),
        random.Random(f"{seed}-{label_seed}"),
    )
    size = rng.uniform(2.5, 4), rng.uniform(2.2, 3.5)
    figure, ax = plt.subplots(figsize=size, dpi=(100, 70, 160, 300)[seed % 4])
    letters = rng.sample("ABCDEFGHKMNPQRST", 6)
    value = str(labels.randint(2, 99))
    if label_seed % 2:
        letters[0] = labels.choice([c for c in "ABCDEFGHKMNPQRST" if c not in letters])
        value = str(rng.randint(2, 99))
    else:
        rng.randint(2, 99)
    _plot(ax, family, rng, letters, value)
    ax.set_axis_off() if family not in ("axes", "bars") else None
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    plt.close(figure)
    return Image.open(buffer).convert("RGB")


def _plot(
    ax: Any, family: str, rng: random.Random, letters: list[str], value: str
) -> None:
    if family in ("triangle", "polygon", "rectangle"):
        n = {"triangle": 3, "polygon": rng.randint(5, 6), "rectangle": 4}[family]
        angles = sorted(rng.uniform(0, 2 * np.pi) for _ in range(n))
        points = [(np.cos(t) * rng.uniform(0.7, 1.3), np.sin(t)) for t in angles]
        if family == "rectangle":
            w, h = rng.uniform(1, 2), rng.uniform(0.7, 1.5)
            points = [(0, 0), (w, 0), (w, h), (0, h)]
        xs, ys = zip(*points, points[0], strict=True)
        ax.plot(xs, ys, "k-", lw=1.2)
        for (x, y), letter in zip(points, letters, strict=False):
            ax.text(x * 1.08, y * 1.08, f"${letter}$", fontsize=12)
        ax.text((xs[0] + xs[1]) / 2, (ys[0] + ys[1]) / 2, value, fontsize=11)
    elif family == "circle":
        t = np.linspace(0, 2 * np.pi, 200)
        ax.plot(np.cos(t), np.sin(t), "k-", lw=1.2)
        for letter in letters[:3]:
            a = rng.uniform(0, 2 * np.pi)
            ax.plot([0, np.cos(a)], [0, np.sin(a)], "k-", lw=1)
            ax.text(1.1 * np.cos(a), 1.1 * np.sin(a), letter, fontsize=12)
        ax.text(0.1, 0.1, value + "°", fontsize=11)
        ax.set_aspect("equal")
    elif family == "bars":
        heights = [rng.randint(1, 9) for _ in range(5)]
        ax.bar(letters[:5], heights, color="0.6", edgecolor="k")
        ax.text(2, max(heights), value, fontsize=11)
    elif family == "grid":
        n = rng.randint(3, 6)
        for k in range(n + 1):
            ax.plot([0, n], [k, k], "k-", lw=1)
            ax.plot([k, k], [0, n], "k-", lw=1)
        for _ in range(n):
            ax.text(
                rng.randrange(n) + 0.3,
                rng.randrange(n) + 0.3,
                rng.randint(1, 9),
                fontsize=12,
            )
        ax.text(0.3, n + 0.2, f"{letters[0]} {value}", fontsize=11)
    else:
        x = np.linspace(-2, 2, 60)
        a, b = rng.uniform(-2, 2), rng.uniform(-1, 1)
        ax.plot(x, a * x * x + b, "k-")
        ax.text(0.5, b, f"${letters[0]}$ = {value}", fontsize=11)


# -- generated with Pillow: unit square coordinates, any size, font, width and colours


class Pen:
    """Draws on a page of any size in coordinates from 0 to 1."""

    def __init__(self, rng: random.Random) -> None:
        self.side = rng.choice([140, 200, 280, 420, 700, 1100])
        self.shape = self.side, round(self.side * rng.uniform(0.6, 1.2))
        self.width = max(1, round(self.side * rng.uniform(0.003, 0.012)))
        self.paper, self.ink, self.accent = rng.choice(
            [("white", "black", "black"), ("white", "#333", "#c00"), ("#fffbe6", "#003", "#06c"),
             ("white", "#777", "#222"), ("#eee", "black", "#080")]
        )  # fmt: skip
        folder = Path(_matplotlib_fonts())
        name = rng.choice(
            ["DejaVuSerif.ttf", "STIXGeneral.ttf", "cmr10.ttf", "DejaVuSansMono.ttf"]
        )
        size = max(11, round(self.side * rng.uniform(0.035, 0.07)))
        self.font = ImageFont.truetype(str(folder / name), size)
        self.page = Image.new("RGB", self.shape, self.paper)
        self.pen = ImageDraw.Draw(self.page)

    def at(self, x: float, y: float) -> tuple[float, float]:
        return (0.1 + 0.8 * x) * self.shape[0], (0.1 + 0.8 * y) * self.shape[1]

    def line(self, *points: tuple[float, float], accent: bool = False) -> None:
        colour = self.accent if accent else self.ink
        self.pen.line([self.at(*p) for p in points], fill=colour, width=self.width)

    def oval(self, x: float, y: float, rx: float, ry: float) -> None:
        box = [self.at(x - rx, y - ry), self.at(x + rx, y + ry)]
        self.pen.ellipse(box, outline=self.ink, width=self.width)

    def text(self, x: float, y: float, text: object) -> None:
        self.pen.text(
            self.at(x, y), str(text), fill=self.accent, font=self.font, anchor="mm"
        )


def _matplotlib_fonts() -> str:
    import matplotlib

    return f"{matplotlib.get_data_path()}/fonts/ttf"


def _clock(pen: Pen, rng: random.Random, value: int, letter: str, shift: float) -> None:
    pen.oval(0.5, 0.5, 0.5, 0.5)
    for hour in range(1, 13):
        t = hour * np.pi / 6
        pen.text(
            0.5 + 0.42 * np.sin(t), 0.5 - 0.42 * np.cos(t), value if hour == 7 else hour
        )
    for length in (0.22, 0.34):
        t = rng.uniform(0, 2 * np.pi) + shift * 4
        pen.line(
            (0.5, 0.5),
            (0.5 + length * np.sin(t), 0.5 - length * np.cos(t)),
            accent=True,
        )
    pen.text(0.5, 0.65, letter)


def _number_line(
    pen: Pen, rng: random.Random, value: int, letter: str, shift: float
) -> None:
    pen.line((0, 0.5), (1, 0.5))
    start, count = rng.randint(0, 30), rng.randint(6, 10)
    for k in range(count):
        x = (k + 0.5) / count
        pen.line((x, 0.46), (x, 0.54))
        pen.text(x, 0.62, value if k == 2 else start + k)
    x = rng.uniform(0.2, 0.7) + shift
    pen.line((x, 0.3), (x, 0.5), accent=True)
    pen.text(0.5, 0.2, letter)


def _box(pen: Pen, rng: random.Random, value: int, letter: str, shift: float) -> None:
    d, top = rng.uniform(0.15, 0.3), rng.uniform(0.25, 0.45)
    front = [(0, top), (0.7, top), (0.7, 1), (0, 1), (0, top)]
    pen.line(*front)
    pen.line((0, top), (d, top - d), (0.7 + d, top - d), (0.7 + d, 1 - d), (0.7, 1))
    pen.line((0.7, top), (0.7 + d, top - d))
    pen.line((0, 1 - shift * 2), (0.7, top), accent=True)
    pen.text(0.35, 1.06, value)
    pen.text(-0.05, top, letter)
    pen.text(0.8 + d, 0.5, rng.randint(2, 20))


def _network(
    pen: Pen, rng: random.Random, value: int, letter: str, shift: float
) -> None:
    places = [(rng.random(), rng.random()) for _ in range(rng.randint(5, 8))]
    x, y = places[0]
    places[0] = x, y - shift if y > 0.5 else y + shift
    edges = [
        (a, b) for a in range(len(places)) for b in range(a) if rng.random() < 0.45
    ]
    for a, b in [*edges, (0, len(places) - 1)]:
        pen.line(places[a], places[b])
    (x, y), (u, v) = places[1], places[2]
    pen.text((x + u) / 2, (y + v) / 2 + 0.05, value)
    for k, (x, y) in enumerate(places):
        pen.text(x, y + 0.06, letter if k == 3 else "PQRSTUVW"[k])


def _table(pen: Pen, rng: random.Random, value: int, letter: str, shift: float) -> None:
    rows, columns = rng.randint(2, 5), rng.randint(3, 6)
    for k in range(rows + 1):
        pen.line((0, k / rows), (1, k / rows))
    for k in range(columns + 1):
        x = k / columns + (shift if k == 1 else 0)
        pen.line((x, 0), (x, 1))
    odd = rng.randrange(rows), rng.randrange(columns)
    for r in range(rows):
        for c in range(columns):
            number = rng.randint(1, 99)
            text = value if (r, c) == odd else number
            pen.text(
                (c + 0.5) / columns, (r + 0.5) / rows, letter if r == c == 0 else text
            )


def _pie(pen: Pen, rng: random.Random, value: int, letter: str, shift: float) -> None:
    pen.oval(0.5, 0.5, 0.5, 0.5)
    turns = sorted(rng.uniform(0, 2 * np.pi) for _ in range(rng.randint(3, 6)))
    for k, t in enumerate(turns):
        moved = t + (shift * 3 if k == 0 else 0)
        pen.line((0.5, 0.5), (0.5 + 0.5 * np.cos(moved), 0.5 + 0.5 * np.sin(moved)))
        middle = t + 0.2
        number = rng.randint(2, 60)
        text = f"{value if k == 1 else number}%"
        pen.text(0.5 + 0.35 * np.cos(middle), 0.5 + 0.35 * np.sin(middle), text)
    pen.text(0.5, -0.06, letter)


def _venn(pen: Pen, rng: random.Random, value: int, letter: str, shift: float) -> None:
    r = rng.uniform(0.26, 0.32)
    pen.oval(0.32, 0.4, r, r)
    pen.oval(0.68 + shift, 0.4, r, r)
    pen.oval(0.5, 0.68, r, r)
    for k, (x, y) in enumerate([(0.2, 0.3), (0.8, 0.3), (0.5, 0.85), (0.5, 0.47)]):
        number = rng.randint(1, 40)
        pen.text(x, y, value if k == 0 else number)
    pen.text(0.02, 0.05, letter)


def _staircase(
    pen: Pen, rng: random.Random, value: int, letter: str, shift: float
) -> None:
    steps = rng.randint(3, 6)
    points = [(0.0, 1.0)]
    for k in range(steps):
        x, y = k / steps, 1 - (k + 1) / steps * rng.uniform(0.8, 1)
        points += [(x, y), ((k + 1) / steps + (shift if k == 1 else 0), y)]
    pen.line(*points, (1, 1), (0, 1))
    pen.text(0.5, 1.05, value)
    pen.text(0.9, 0.9, letter)


FIGURES: dict[str, Callable[[Pen, random.Random, int, str, float], None]] = {
    "clock": _clock, "number line": _number_line, "box": _box, "network": _network,
    "table": _table, "pie": _pie, "Venn": _venn, "staircase": _staircase,
}  # fmt: skip


def sketched(family: str, seed: int, change: str = "") -> Picture:
    """One diagram of the held-out set; `change` is number, letter or line."""
    rng = random.Random(f"held out {family} {seed}")
    pen = Pen(rng)
    value, letter = rng.randint(10, 89), rng.choice("ABCDEFGH")
    other = value + rng.choice([1, 2, 3, 7, 10]) if change == "number" else value
    other_letter = rng.choice([c for c in "ABCDEFGHKMN" if c != letter])
    FIGURES[family](
        pen, random.Random(f"{family}/{seed}"), other,
        other_letter if change == "letter" else letter, 0.04 if change == "line" else 0.0,
    )  # fmt: skip
    return pen.page
