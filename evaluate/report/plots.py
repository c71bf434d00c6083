"""The report's plots as inline SVG: no script, no file beside the page, the same bytes each time.

Colours come from the page's CSS classes (`series-1` ...), so plots follow light and dark pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..metrics import Rate

WIDTH = 720
LABELS = 190  # pixels left of a horizontal plot's axis
ROW = 24


def dot_plot(title: str, rates: Sequence[tuple[str, Rate]]) -> str:
    """One row per group: a dot at the accuracy, a line over its 95 % interval."""
    rows = [(name, r) for name, r in rates if r.value is not None]
    height = ROW * len(rows) + 50
    body = _percent_axis(height - 30)
    for k, (name, r) in enumerate(rows):
        y = 20 + ROW * k
        low, high, value = (_x(v or 0.0) for v in (r.low, r.high, r.value))
        tip = f"{name}: {_percent(r.value)} [{_percent(r.low)}, {_percent(r.high)}], n = {r.n}"
        body += (
            f"<g><title>{escape(tip)}</title>{_label(name, y)}"
            f'<line class="whisker" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>'
            f'<circle class="series-1" cx="{value:.1f}" cy="{y}" r="5"/>'
            f'<text class="count" x="{WIDTH - 4}" y="{y + 4}" text-anchor="end">{r.n}</text></g>'
        )
    return _svg(title, height, body)


def bar_plot(title: str, rates: Sequence[tuple[str, Rate]]) -> str:
    """Upright bars with 95 % whiskers, for a handful of groups (the six versions)."""
    rows = [(name, r) for name, r in rates if r.value is not None]
    height, left, bottom, top = 260, 44, 218, 16
    step = (WIDTH - left - 10) / max(1, len(rows))
    body = ""
    for tick in (0, 25, 50, 75, 100):
        y = bottom - (bottom - top) * tick / 100
        body += (
            f'<line class="grid" x1="{left}" x2="{WIDTH - 10}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="tick" x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{tick}</text>'
        )
    for k, (name, r) in enumerate(rows):
        middle = left + step * (k + 0.5)
        y, y_low, y_high = (bottom - (bottom - top) * (v or 0.0) for v in (r.value, r.low, r.high))
        tip = f"{name}: {_percent(r.value)} [{_percent(r.low)}, {_percent(r.high)}], n = {r.n}"
        body += (
            f"<g><title>{escape(tip)}</title>"
            f'<rect class="series-1" x="{middle - step * 0.28:.1f}" y="{y:.1f}" '
            f'width="{step * 0.56:.1f}" height="{bottom - y:.1f}"/>'
            f'<line class="whisker" x1="{middle:.1f}" x2="{middle:.1f}" '
            f'y1="{y_low:.1f}" y2="{y_high:.1f}"/>'
            f'<text class="value" x="{middle + step * 0.05:.1f}" y="{y_high - 5:.1f}">'
            f"{_percent(r.value)}</text>"
            f'<text class="tick" x="{middle:.1f}" y="{bottom + 18}" text-anchor="middle">'
            f"{escape(_short(name, 16))}</text></g>"
        )
    return _svg(title, height, body)


def stacked_bars(
    title: str, parts: Sequence[str], rows: Sequence[tuple[str, Sequence[float]]]
) -> str:
    """One full bar per row, cut into the shares of `parts` (four dimensions, error kinds)."""
    bottom = 34 * len(rows) + 6
    body = _percent_axis(bottom)
    for k, (name, shares) in enumerate(rows):
        y, start = 10 + 34 * k, 0.0
        body += _label(name, y + 12)
        for j, (part, share) in enumerate(zip(parts, shares, strict=True)):
            x, width = _x(start), _x(start + share) - _x(start)
            start += share
            tip = f"{name}, {part}: {_percent(share)}"
            body += (
                f"<g><title>{escape(tip)}</title>"
                f'<rect class="series-{j % 8 + 1}" x="{x:.1f}" y="{y}" '
                f'width="{max(0.0, width - 1):.1f}" height="24"/>'
            )
            if width > 34:
                body += (
                    f'<text class="inside" x="{x + width / 2:.1f}" y="{y + 16}" '
                    f'text-anchor="middle">{_percent(share)}</text>'
                )
            body += "</g>"
    legend, end = _legend(parts, bottom + 44)
    return _svg(title, end + 10, body + legend)


def _legend(parts: Sequence[str], top: int) -> tuple[str, int]:
    """Coloured squares with names, on as many lines as they need; and the y where they end."""
    legend, x, y = "", LABELS, top
    for j, part in enumerate(parts):
        width = 40 + 7 * len(part)
        if x > LABELS and x + width > WIDTH:
            x, y = LABELS, y + 20
        legend += (
            f'<rect class="series-{j % 8 + 1}" x="{x}" y="{y - 10}" width="12" height="12"/>'
            f'<text class="tick" x="{x + 17}" y="{y}">{escape(part)}</text>'
        )
        x += width
    return legend, y


def _percent_axis(bottom: int) -> str:
    axis = ""
    for tick in (0, 25, 50, 75, 100):
        x = f"{_x(tick / 100):.1f}"
        axis += (
            f'<line class="grid" x1="{x}" x2="{x}" y1="4" y2="{bottom}"/>'
            f'<text class="tick" x="{x}" y="{bottom + 15}" text-anchor="middle">{tick}</text>'
        )
    return axis


def _label(name: str, y: float) -> str:
    return (
        f'<text class="label" x="{LABELS - 8}" y="{y + 4}" text-anchor="end">'
        f"{escape(_short(name, 27))}</text>"
    )


def _x(fraction: float) -> float:
    return LABELS + (WIDTH - LABELS - 50) * fraction


def _percent(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:.1f}"


def _short(text: str, length: int) -> str:
    """A long name without its middle: groups of one subject differ at their ends.

    >>> _short("Plane Geometry / Applied Length", 20)
    'Plane G…plied Length'
    """
    if len(text) <= length:
        return text
    start = length // 3 + 1
    return f"{text[:start]}…{text[start + 1 - length :]}"


def _svg(title: str, height: int, body: str) -> str:
    return (
        f"<figcaption>{escape(title)}</figcaption>"
        f'<svg class="plot" role="img" viewBox="0 0 {WIDTH} {height}" '
        f'xmlns="http://www.w3.org/2000/svg" aria-label="{escape(title)}">{body}</svg>'
    )
