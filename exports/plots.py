"""The card's plots as SVG files: no script, nothing from outside, the same bytes everywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

WIDTH = 720
HEIGHT = 260
LEFT = 48
BOTTOM = 212
TOP = 30
# Of lines, in order: on light and on dark paper.
COLOURS = (
    "#3b6fb6",
    "#c8553d",
    "#4f9d69",
    "#8d6bb8",
    "#c9a227",
    "#5f6b76",
)
MOST = 80  # longer questions are counted as this long (We-Math, figure 13)
BIN = 5  # words
BARS = 30  # values of a label that one plot can hold


def length_plot(lengths: dict[str, Sequence[int]]) -> str:
    """How many questions have how many words, a line for each version (MathVerse, figure 17).

    >>> length_plot({"text_lite": [3, 3, 5]}).count("<polyline")
    1
    """
    shares = {version: _shares(words) for version, words in lengths.items()}
    highest = max((max(values) for values in shares.values()), default=0.0) or 1.0
    body = _axis(highest)
    ticks = {words: str(words) for words in range(0, MOST, 20)}
    ticks[MOST] = f"{MOST}+"
    for words, caption in ticks.items():
        body += _text(_across(words), BOTTOM + 18, "middle", caption)
    x = LEFT + 8
    for number, (version, values) in enumerate(shares.items()):
        colour = COLOURS[number % len(COLOURS)]
        body += _line(values, highest, colour)
        body += _text(x, HEIGHT - 8, "start", version.replace("_", " "), colour)
        x += 112
    return _svg("Words of a question, share of the questions in %", body)


def _shares(lengths: Sequence[int]) -> list[float]:
    """The percentage of questions in each bin of words."""
    bins = Counter(min(words, MOST) // BIN for words in lengths)
    return [100 * bins[k] / bins.total() for k in range(MOST // BIN + 1)]


def _line(shares: list[float], highest: float, colour: str) -> str:
    points = []
    for number, share in enumerate(shares):
        x = _across(BIN * number)
        y = _up(share, highest)
        points.append(f"{x:.1f},{y:.1f}")
    path = " ".join(points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'


def label_plot(name: str, counts: dict[str, int]) -> str:
    """A bar for each value of a label, the most frequent first.

    >>> label_plot("subject", {"algebra": 2, "logic": 1}).count("<rect")
    2
    """
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    bars = rows[:BARS]
    highest = max((count for _, count in bars), default=1)
    body = ""
    y = 40
    for value, count in bars:
        caption = value if len(value) <= 44 else f"{value[:43]}…"
        width = (WIDTH - 380) * count / highest
        body += _text(296, y + 12, "end", caption)
        body += f'<rect x="304" y="{y}" width="{width:.1f}" height="14" fill="{COLOURS[0]}"/>'
        body += _text(310 + width, y + 12, "start", str(count))
        y += 20
    title = f"Samples by {name}"
    rest = len(rows) - len(bars)
    if rest:
        title += f", the {BARS} most frequent values; {rest} more"
    return _svg(title, body, y + 8)


def _axis(highest: float) -> str:
    lines = ""
    for share in (0.0, highest / 2, highest):
        y = _up(share, highest)
        lines += f'<line x1="{LEFT}" x2="{WIDTH - 10}" y1="{y:.1f}" y2="{y:.1f}" stroke="#8888"/>'
        lines += _text(LEFT - 6, y + 4, "end", f"{share:.1f}")
    return lines


def _across(words: int) -> float:
    return LEFT + (WIDTH - LEFT - 24) * words / MOST


def _up(share: float, highest: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * share / highest


def _text(x: float, y: float, anchor: str, text: str, colour: str = "#777") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {place}>{escape(text)}</text>"


def _svg(title: str, body: str, height: int = HEIGHT) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="12" role="img"><title>{escape(title)}</title>'
        f"{_text(LEFT, 18, 'start', title)}{body}</svg>\n"
    )
