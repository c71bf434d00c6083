"""Statistics charts: Matplotlib's own, in the style of textbooks.

`kind: chart` and one item under `chart`; each operation draws on Matplotlib's axes. What a chart
shows at all is DI; printed values (`values: true`, shares, cells, leaves) are EC.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..figure import COLORS, TINTS, Array, Figure, Number, SpecItem, call, number
from ..issues import Issue
from ..labels import Label, Placed, letter
from .sketch import EC, plain
from .vector import Shape, Thing

if TYPE_CHECKING:
    from .chart_canvas import DrawnText

MOST = 24  # bars, parts, rows or columns
MOST_POINTS = 500
MOST_LEAVES = 100
MOST_STEPS = 40
ROW = 0.1  # of the axes' height: a row of a table
WIDE, HIGH, DPI = 3.0, 2.3, 150  # inches of the axes at 510 pixels
GREYS = ("gray", "white", "blue", "yellow", "green", "red", "purple", "orange")
LINES = ("-", "--", ":", "-.")
MARKERS = "os^Dv"
BOX_MARKS = ("whislo", "q1", "med", "q3", "whishi")
PAPER = {
    "facecolor": "white",
    "edgecolor": "none",
    "pad": 0.6,
}  # under texts that stand on lines
ABOVE = {
    "xytext": (0, 6),
    "textcoords": "offset points",
    "ha": "center",
    "bbox": PAPER,
}
STYLE = {
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.linewidth": 0.9,
    "grid.color": COLORS["light"],
    "grid.linewidth": 0.7,
    "legend.frameon": False,
}


def bar(
    axes: Any,
    data: dict[str, Any],
    *,
    series: Any = None,
    across: bool = False,
    stacked: bool = False,
    colors: Any = None,
    step: Number = 0,
    names: Any = None,
    values: bool = False,
    log: bool = False,
) -> None:
    """`{bar: {Mon: 12, Tue: 9}, values: true}`, or lists with `series`; `across`, `stacked`."""
    rows, titles = _table_of(data, series)
    wide = 0.6 if stacked or len(titles) == 1 else 0.8 / len(titles)
    places = np.arange(len(rows))
    base = np.zeros(len(rows))
    value_axis = axes.yaxis
    name_axis = axes.xaxis
    if across:
        value_axis, name_axis = name_axis, value_axis
    for k, column in enumerate(rows.T):
        at = places if stacked else places + (k - (len(titles) - 1) / 2) * wide
        look = {
            "color": _tint(titles[k], k, colors),
            "edgecolor": "black",
            "label": titles[k],
        }
        if across:
            bars = axes.barh(at, column, wide, left=base, **look)
        else:
            bars = axes.bar(at, column, wide, bottom=base, **look)
        if values:
            texts = [plain(value) for value in column]
            if stacked:
                printed = axes.bar_label(bars, texts, label_type="center", padding=0)
            else:
                printed = axes.bar_label(bars, texts, label_type="edge", padding=2)
            _essential(printed)
        if stacked:
            base = base + column
    if len(titles) == 1 and colors:
        for name, piece in zip(data, axes.patches, strict=True):
            piece.set_facecolor(_tint(name, 0, colors))
    _categories(name_axis, data)
    if not across:
        _turn_wide_names(axes)
    if across:
        axes.invert_yaxis()
    _finish(axes, base if stacked else rows, names, step, log, value_axis)


def line(
    axes: Any,
    data: dict[str, Any],
    *,
    series: Any = None,
    step: Number = 0,
    names: Any = None,
    values: bool = False,
    log: bool = False,
) -> None:
    """`{line: {Jan: 3, Feb: 5}}`, or lists with `series`: dots joined in the order written."""
    rows, titles = _table_of(data, series)
    for k, column in enumerate(rows.T):
        axes.plot(
            column,
            color="black",
            linestyle=LINES[k % 4],
            marker=MARKERS[k % 5],
            markersize=4,
            linewidth=1.5,
            label=titles[k],
            clip_on=False,
        )
        for x, value in enumerate(column if values else ()):
            _essential([axes.annotate(plain(value), (x, value), **ABOVE)])
    _categories(axes.xaxis, data)
    _turn_wide_names(axes)
    axes.set_xlim(-0.5, len(rows) - 0.5)
    _finish(axes, rows, names, step, log, axes.yaxis)


def histogram(
    axes: Any,
    counts: list[float],
    *,
    edges: list[float],
    step: Number = 0,
    names: Any = None,
    values: bool = False,
) -> None:
    """`{histogram: [4, 7, 2], edges: [0, 10, 20, 30]}`: bars touch, their width is the class's."""
    if len(edges) != len(counts) + 1 or any(b <= a for a, b in pairwise(edges)):
        raise ValueError(f"needs {len(counts) + 1} rising edges")
    heights = _numbers(dict(enumerate(counts)), least=0)
    bars = axes.bar(
        edges[:-1],
        heights,
        np.diff(edges),
        align="edge",
        color=TINTS["gray"],
        edgecolor="black",
    )
    if values:
        _essential(
            axes.bar_label(bars, [plain(height) for height in heights], padding=2)
        )
    axes.set_xticks(edges, [plain(edge) for edge in edges])
    _finish(axes, heights, names, step, False, axes.yaxis)


def scatter(
    axes: Any, data: Any, *, names: Any = None, step: Number = 0, log: bool = False
) -> None:
    """`{scatter: [[1, 2], [2, 3.5]]}`, or `{scatter: {Boys: [[1, 2]], Girls: [[2, 3]]}}`."""
    groups = data if isinstance(data, dict) else {"": data}
    pairs = [_pair(pair) for group in groups.values() for pair in _listed(group)]
    places = np.array(pairs)
    if not 1 <= len(places) <= MOST_POINTS:
        raise ValueError(f"{len(places)} points; a chart shows 1 to {MOST_POINTS}")
    for k, (title, group) in enumerate(groups.items()):
        x, y = np.array([_pair(pair) for pair in group]).T
        fill = "black" if k % 2 == 0 else "white"
        axes.plot(
            x,
            y,
            MARKERS[k % 5],
            color="black",
            markerfacecolor=fill,
            markersize=4.5,
            label=str(title),
        )
    axes.margins(0.06)
    _finish(axes, places[:, 1], names, step, log, axes.yaxis, from_zero=False)


def box(
    axes: Any, data: dict[str, Any], *, names: Any = None, step: Number = 0
) -> None:
    """`{box: {A: [2, 4, 5, 7, 9]}}`: least, quartiles, greatest; or more numbers, to be counted."""
    from matplotlib.cbook import boxplot_stats

    _count(data)
    parts = []
    for name, values in data.items():
        sample = sorted(_numbers(dict(enumerate(_listed(values)))))
        if len(sample) < len(BOX_MARKS):
            raise ValueError(f"{name}: a box plot needs five numbers, or more")
        if len(sample) == len(BOX_MARKS):
            five = np.array(sample, float)
        else:
            five = np.percentile(sample, [0, 25, 50, 75, 100])
        (stats,) = boxplot_stats(five, whis=(0, 100))
        marks = dict(zip(BOX_MARKS, five, strict=True))
        parts.append(stats | marks | {"label": _text(name)})
    axes.bxp(
        parts,
        orientation="horizontal",
        widths=0.5,
        showfliers=False,
        medianprops={"color": "black", "linewidth": 1.6},
    )
    axes.invert_yaxis()
    every = [part[key] for part in parts for key in ("whislo", "whishi")]
    _finish(axes, every, names, step, False, axes.xaxis, from_zero=False)


def pie(
    axes: Any, data: dict[str, Any], *, values: bool = True, colors: Any = None
) -> None:
    """`{pie: {Art: 30, Music: 45}, colors: {Art: red}}`: clockwise from the top, in percent."""
    shares = _numbers(data)
    if min(shares) <= 0:
        raise ValueError("the parts of a pie are positive")
    tints = [_tint(name, k, colors) for k, name in enumerate(data)]
    axes.pie(
        shares,
        labels=[_text(name) for name in data],
        colors=tints,
        startangle=90,
        counterclock=False,
        radius=1.1,
        wedgeprops={"edgecolor": "black"},
    )
    if not values:
        return
    total = sum(shares)
    middles = np.cumsum(shares) - np.array(shares) / 2
    angles = np.pi / 2 - 2 * np.pi * middles / total
    for share, angle in zip(shares, angles, strict=True):
        x, y = 0.7 * np.array([np.cos(angle), np.sin(angle)])
        text = f"{round(100 * share / total, 1):g}%"
        _essential([axes.text(x, y, text, ha="center", va="center")])


def table(
    axes: Any, rows: Any, *, header: bool = True, width: Number = 0, fill: Any = None
) -> None:
    """`{table: [[Marks, 1, 2], [Pupils, 4, 7]]}`; `width` of a column; `fill` of the cells."""
    columns = _columns_of(rows)
    if not fill:
        first = "gray" if header else "white"
        fill = [[first] * columns, *[["white"] * columns] * (len(rows) - 1)]
    if len(fill) != len(rows) or any(len(row) != columns for row in fill):
        raise ValueError("fill is a colour for each cell, row by row")
    axes.axis("off")
    letters = [max(len(str(row[k])) for row in rows) for k in range(columns)]
    widths = [(width or 0.45 + 0.24 * count) / 10 for count in letters]
    edges = np.concatenate([[0], np.cumsum(widths)])
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            corner = (edges[c], -ROW * (r + 1))
            text = _draw_cell(axes, cell, corner, widths[c], _color(fill[r][c]))
            if text is not None and r and c:
                _essential([text])
    axes.set(xlim=(0, edges[-1]), ylim=(-0.1 * len(rows), 0), aspect=0.75)
    _sized(axes, edges[-1] * 3.4, len(rows) * 0.26)


def _columns_of(rows: Any) -> int:
    """How many columns a table has. Raises ValueError for what is none."""
    is_list = isinstance(rows, list) and rows
    if not is_list or not all(isinstance(row, list) for row in rows):
        raise ValueError("a table is a list of rows")
    columns = len(rows[0])
    is_even = all(len(row) == columns for row in rows)
    if not columns or not is_even or max(columns, len(rows)) > MOST:
        raise ValueError(f"rows of one length, at most {MOST} by {MOST} cells")
    return columns


def _draw_cell(
    axes: Any, cell: Any, corner: tuple[float, float], width: float, color: str
) -> Any:
    """A cell of a table at its lower left corner, and the text in it, which is returned."""
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle(corner, width, ROW, facecolor=color, edgecolor="black"))
    if not str(cell).strip():
        return None
    x = corner[0] + width / 2
    y = corner[1] + 0.048
    ink = "white" if color == COLORS["black"] else "black"
    return axes.text(x, y, _text(cell), ha="center", va="center", color=ink)


def stem(axes: Any, data: list[float], *, unit: Number = 1) -> None:
    """`{stem: [23, 25, 31, 40]}`: tens before the bar, units (`unit: 0.1`: tenths) behind it."""
    if unit <= 0:
        raise ValueError("unit is positive")
    leaves = sorted(round(value / unit) for value in data)
    off_unit = [abs(value / unit - round(value / unit)) for value in data]
    if leaves[0] < 0 or max(off_unit) > 1e-6:
        raise ValueError("stem-and-leaf shows whole multiples of its unit from 0 on")
    stems = range(leaves[0] // 10, leaves[-1] // 10 + 1)
    if len(stems) > MOST or len(data) > MOST_LEAVES:
        raise ValueError(f"at most {MOST} stems and {MOST_LEAVES} leaves")
    axes.axis("off")
    for k, tens in enumerate(stems):
        axes.text(0.55, -k, str(tens), ha="right")
        row = [leaf % 10 for leaf in leaves if leaf // 10 == tens]
        _essential(
            [axes.text(1.2 + 0.5 * n, -k, str(leaf)) for n, leaf in enumerate(row)]
        )
    axes.plot([0.85, 0.85], [0.9, 0.7 - len(stems)], color="black", linewidth=1.1)
    first = leaves[0]
    key = f"Key: {first // 10} | {first % 10} = {plain(first * unit)}"
    axes.text(0.3, -len(stems) - 0.3, key)
    axes.set(xlim=(0, 8), ylim=(-len(stems) - 0.5, 1))
    _sized(axes, 2.4, 0.24 * (len(stems) + 1.5))


CHARTS: dict[str, Callable[..., None]] = {
    function.__name__: function
    for function in (bar, line, histogram, scatter, box, pie, table, stem)
}


# Drawing


def chart_pictures(
    item: SpecItem,
    width: int,
    tag_sets: Iterable[set[str] | None],
    hand: bool = False,
    larger: float = 1.0,
) -> Iterator[tuple[Array, list[Placed], list[Issue], list[Thing]]]:
    """For each set of tags a chart's pixels (RGB), its texts with their boxes, what overlaps."""
    from matplotlib import rc_context, rcParamsDefault
    from matplotlib.figure import Figure as Sheet

    from .chart_canvas import ChartCanvas

    size = {"font.size": 11.0 * larger}
    with rc_context({**rcParamsDefault, **STYLE, **size}):
        canvas = ChartCanvas(Sheet(dpi=DPI * width / 510))
        canvas.hand = hand
        axes = canvas.figure.add_axes((0, 0, 1, 1))
        _sized(axes, WIDE, HIGH)
        call(CHARTS[item.op], item, Figure({}).convert, axes)
        canvas.draw()
        # The frame of the whole: pictures of other tags differ by what they leave out alone.
        frame = canvas.figure.get_tightbbox().padded(0.07).get_points()
        for tags in tag_sets:
            yield _drawn(canvas, item, tags, frame)


def _drawn(
    canvas: Any, item: SpecItem, tags: set[str] | None, frame: Array
) -> tuple[Array, list[Placed], list[Issue], list[Thing]]:
    sheet = canvas.figure
    for text in sheet.findobj(lambda artist: artist.get_gid() == "EC"):
        text.set_visible(tags is None or "EC" in tags)
    canvas.draw()
    # a copy: the canvas draws the next set of tags into the same memory
    page = np.array(canvas.buffer_rgba())[..., :3]
    (left, bottom), (right, top) = (frame * sheet.dpi).round().astype(int).tolist()
    pixels = page[max(len(page) - top, 0) : len(page) - bottom, max(left, 0) : right]
    corner = (left, len(page) - top)
    where = f"{item.where} ({item.op})"
    placed = [
        _placed(text, item, where, corner) for text in canvas.get_renderer().texts
    ]
    issues = [
        Issue("missing-glyph", text.lettering.missing, where)
        for text in placed
        if text.lettering.missing
    ]
    issues += [
        Issue("label-overlap", f"{a.label.text!r} and {b.label.text!r} overlap", where)
        for a, b in combinations(placed, 2)
        if _meet(a.box, b.box)
    ]
    if left < 0 or bottom < 0 or right > page.shape[1] or top > len(page):
        message = "texts beside the chart are too long: shorten them"
        issues.append(Issue("label-cut", message, where))
    x, y = corner
    every = canvas.get_renderer().things
    things = [thing.moved(-x, -y) for thing in every if not _is_paper(thing)]
    return pixels, placed, issues, things


def _is_paper(thing: Thing) -> bool:
    """The white of the sheet and of its axes, which lies below everything."""
    return isinstance(thing, Shape) and thing.fill == "#ffffff" and not thing.line


def _placed(
    drawn: DrawnText, item: SpecItem, where: str, corner: tuple[int, int]
) -> Placed:
    """A text that Matplotlib drew, as a label of the picture with this corner of the page."""
    text, lettering, box, em = drawn
    left, top, right, bottom = (np.array(box) - (corner * 2)).tolist()
    middle = np.array([[(left + right) / 2, (top + bottom) / 2]])
    tags = EC if text.get_gid() == "EC" else item.tags
    words = text.get_text().replace("−", "-")
    label = Label(words, "fixed", middle, where, tags)
    return Placed(label, lettering, (left, top, right, bottom), em, "fixed")


def _sized(axes: Any, wide: float, high: float) -> None:
    """Axes so many inches large, on a sheet with room around them for texts."""
    x, y = 2.5, 1.2
    sheet = (wide + 2 * x, high + 2 * y)
    axes.figure.set_size_inches(sheet)
    axes.set_position((x / sheet[0], y / sheet[1], wide / sheet[0], high / sheet[1]))


def _meet(a: Sequence[int], b: Sequence[int]) -> bool:
    """Two boxes overlap by more than a hair."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    return width > 1 and height > 1


def _essential(texts: Sequence[Any]) -> None:
    """Printed values are essential conditions."""
    for text in texts:
        text.set_gid("EC")


# Reading what an item gives


def _text(value: Any) -> str:
    """A text as Matplotlib sets it. Raises ValueError for what cannot be set."""
    text = plain(value) if isinstance(value, float) else str(value)
    if not text:
        return ""
    letter(text, 20.0)
    return text


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise ValueError(f"{value!r} is no list")
    return value


def _pair(value: Any) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{value!r} is no point [x, y]")
    return number(value[0]), number(value[1])


def _count(data: Mapping[Any, Any]) -> None:
    if not 1 <= len(data) <= MOST:
        raise ValueError(f"{len(data)} values; a chart shows 1 to {MOST}")


def _numbers(data: Mapping[Any, Any], least: float = -math.inf) -> list[float]:
    _count(data)
    values = []
    for name, value in data.items():
        values.append(number(value))
        if values[-1] < least:
            raise ValueError(
                f"{name}: {value} cannot be shown; values are {least:g} or more"
            )
    return values


def _table_of(data: dict[str, Any], series: Any) -> tuple[Array, list[str]]:
    """Values by category and series, and the names of the series."""
    _count(data)
    rows = [value if isinstance(value, list) else [value] for value in data.values()]
    titles = [_text(title) for title in series] if isinstance(series, list) else [""]
    for name, row in zip(data, rows, strict=True):
        if len(row) != len(titles):
            raise ValueError(
                f"{name}: {len(row)} values for {len(titles)} series: name them all"
            )
    return np.array([[number(value) for value in row] for row in rows]), titles


def _tint(name: Any, k: int, colors: Any) -> str:
    """The colour that an author gives, that a name says, or the next of a row of tints."""
    if isinstance(colors, dict) and str(name) in colors:
        return _color(colors[str(name)])
    return TINTS.get(str(name).lower(), TINTS[GREYS[k % len(GREYS)]])


def _color(name: Any) -> str:
    if name not in TINTS:
        raise ValueError(f"no colour {name!r}; known: {', '.join(TINTS)}")
    return TINTS[name]


def _categories(axis: Any, data: Mapping[str, Any]) -> None:
    axis.set_ticks(range(len(data)), [_text(name) for name in data])
    axis.set_tick_params(length=0)


def _turn_wide_names(axes: Any) -> None:
    """Names that are too wide to stand side by side are turned upright, as twelve months are."""
    labels = axes.get_xticklabels()
    em = labels[0].get_fontsize() * axes.figure.dpi / 72 if labels else 0.0
    widest = max(
        (letter(t.get_text(), em).size[0] for t in labels if t.get_text()), default=0
    )
    room = axes.bbox.width / max(len(labels), 1)
    if widest + 0.3 * em > room:
        axes.tick_params(axis="x", rotation=90)


def _finish(
    axes: Any,
    values: Any,
    names: Any,
    step: float,
    log: bool,
    axis: Any,
    from_zero: bool = True,
) -> None:
    """Scale, numbers, light lines, names at the ends of the axes, and a legend of the series."""
    low = float(np.min(values))
    high = float(np.max(values))
    if step < 0 or (step and (high - min(low, 0.0)) / step > MOST_STEPS):
        raise ValueError(f"step {step:g} for values up to {high:g}")
    along = "x" if axis is axes.xaxis else "y"
    if log:
        if low <= 0:
            raise ValueError(f"a logarithmic axis shows no {low:g}")
        axes.set(**{f"{along}scale": "log"})
        axis.set_major_formatter(lambda v, _: f"$10^{{{round(math.log10(v), 3):g}}}$")
        axis.set_minor_formatter(lambda v, _: "")
    else:
        _number(axis, step)
        if from_zero and low < 0:
            zero = axes.axvline if along == "x" else axes.axhline
            zero(0, color="black", linewidth=0.9)
            axes.margins(**{along: 0.12})
        elif from_zero:
            axes.set(**{f"{along}lim": (0, None)})
    axes.grid(axis=along)
    if names is not None:
        _name_axes(axes, names)
    _, titles = axes.get_legend_handles_labels()
    titles = [title for title in titles if title]
    if titles:
        columns = min(len(titles), 3)
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns)


def _number(axis: Any, step: float) -> None:
    """Numbers along an axis, as a person writes them, every `step`."""
    from matplotlib.ticker import MultipleLocator

    if step:
        axis.set_major_locator(MultipleLocator(step))
    axis.set_major_formatter(lambda v, _: plain(v).replace("-", "−"))


def _name_axes(axes: Any, names: Any) -> None:
    if not isinstance(names, list) or len(names) != 2:
        raise ValueError("names are [across, up]")
    across, up = names
    axes.set_xlabel(_text(across))
    axes.set_ylabel(_text(up))
