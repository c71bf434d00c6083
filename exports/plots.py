"""The card's plots as SVG files: no script, nothing from outside, the same bytes everywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 720, 260, 48, 212, 30
COLOURS = (
    "#3b6fb6",
    "#c8553d",
    "#4f9d69",
    "#8d6bb8",
    "#c9a227",
    "#5f6b76",
)  # on light and dark
MOST = 80  # longer questions are counted as this long (We-Math, figure 13)
BIN = 5  # words
BARS = 30  # values of a label that one plot can hold


def length_plot(lengths: dict[str, Sequence[int]]) -> str:
    """How many questions have how many words, a line for each version (MathVerse, figure 17).

    >>> length_plot({"text_lite": [3, 3, 5]}).count("<polyline")
    1
    """
    bins = {
        name: Counter(min(n, MOST) // BIN for n in v) for name, v in lengths.items()
    }
    shares = {
        name: [100 * count[k] / sum(count.values()) for k in range(MOST // BIN + 1)]
        for name, count in bins.items()
    }
    highest = max((max(values) for values in shares.values()), default=0.0) or 1.0
    body = _axis(highest)
    for tick in range(0, MOST, 20):
        body += _text(_across(tick, MOST), BOTTOM + 18, "middle", str(tick))
    body += _text(_across(MOST, MOST), BOTTOM + 18, "middle", f"{MOST}+")
    for k, (name, values) in enumerate(shares.items()):
        points = " ".join(
            f"{_across(BIN * k, MOST):.1f},{_up(value, highest):.1f}"
            for k, value in enumerate(values)
        )
        colour = COLOURS[k % len(COLOURS)]
        body += f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        body += _text(
            LEFT + 8 + 112 * k, HEIGHT - 8, "start", name.replace("_", " "), colour
        )
    return _svg("Words of a question, share of the questions in %", body)


def label_plot(name: str, counts: dict[str, int]) -> str:
    """A bar for each value of a label, the most frequent first.

    >>> label_plot("subject", {"algebra": 2, "logic": 1}).count("<rect")
    2
    """
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    shown = rows[:BARS]
    highest = max((n for _, n in shown), default=1)
    body = ""
    for k, (value, n) in enumerate(shown):
        y, width = 40 + 20 * k, (WIDTH - 380) * n / highest
        body += _text(
            296, y + 12, "end", value if len(value) <= 44 else f"{value[:43]}…"
        )
        body += f'<rect x="304" y="{y}" width="{width:.1f}" height="14" fill="{COLOURS[0]}"/>'
        body += _text(310 + width, y + 12, "start", str(n))
    rest = len(rows) - len(shown)
    title = f"Samples by {name}"
    if rest:
        title += f", the {BARS} most frequent values; {rest} more"
    return _svg(title, body, 48 + 20 * len(shown))


def _axis(highest: float) -> str:
    lines = ""
    for share in (0.0, highest / 2, highest):
        y = _up(share, highest)
        lines += f'<line x1="{LEFT}" x2="{WIDTH - 10}" y1="{y:.1f}" y2="{y:.1f}" stroke="#8888"/>'
        lines += _text(LEFT - 6, y + 4, "end", f"{share:.1f}")
    return lines


def _across(value: int, most: int) -> float:
    return LEFT + (WIDTH - LEFT - 24) * value / most


def _up(value: float, highest: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * value / highest


def _text(x: float, y: float, anchor: str, text: str, colour: str = "#777") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {place}>{escape(text)}</text>"


def _svg(title: str, body: str, height: int = HEIGHT) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="12" role="img"><title>{escape(title)}</title>'
        f"{_text(LEFT, 18, 'start', title)}{body}</svg>\n"
    )
