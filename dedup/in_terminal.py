"""Two problems side by side in the terminal: texts, what differs, pictures in half blocks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from PIL import Image
from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ..base.pictures import open_picture
from ..errors import UserError
from .classes import Pair
from .evidence import marked
from .items import Item

KEYS = (
    "1 duplicate · a/b duplicate, keep A/B · 2 variant · 3 not duplicate · "
    "n note (ends with Enter) · u undo · s skip · q quit"
)
LINES = 16  # of a picture in the terminal


def screen() -> Console:
    return Console(stderr=True, highlight=False)


def pictures_side_by_side(a: Item, b: Item, console: Console) -> Iterator[Any]:
    """The pictures of both, drawn in half blocks, where the terminal has colours."""
    if not console.is_terminal or console.color_system not in ("truecolor", "256"):
        return
    width = min(64, console.width // 2 - 4)
    for x, y in zip_longest(a.pictures, b.pictures):
        halves = Table.grid(expand=True)
        halves.add_column(ratio=1)
        halves.add_column(ratio=1)
        halves.add_row(*("" if path is None else half_blocks(Path(path), width) for path in (x, y)))
        yield halves


def half_blocks(path: Path, width: int) -> Text:
    """A picture as text: every character is an upper pixel over a lower one."""
    try:
        picture = open_picture(path.read_bytes(), path.name, glance=width)[0].convert("RGBA")
    except (OSError, UserError):
        return Text("cannot be read", style="dim")
    page = Image.new("RGBA", picture.size, "white")
    page.alpha_composite(picture)
    height = max(2, min(2 * LINES, round(width * picture.height / picture.width)) // 2 * 2)
    small = page.convert("RGB").resize((width, height), Image.Resampling.BOX)
    data = small.tobytes()
    colours = [f"#{data[k : k + 3].hex()}" for k in range(0, len(data), 3)]
    text = Text()
    for row in range(0, height * width, 2 * width):
        for upper in range(row, row + width):
            text.append("▀", style=f"{colours[upper]} on {colours[upper + width]}")
        text.append("\n")
    return text


def side_by_side(pair: Pair, a: Item, b: Item, title: str = "") -> Any:
    """Both questions with what differs in colour, and the evidence below."""
    left, right = coloured(a.question, b.question)
    halves = Table.grid(expand=True)
    for _ in range(2):
        halves.add_column(ratio=1)
    sides = ((a, left, "A"), (b, right, "B"))
    halves.add_row(*(Panel(_whole(item, q), title=Text(f"{n} {item.id}")) for item, q, n in sides))
    residual = "" if pair.residual is None else f" ({pair.residual:.2f})"
    evidence = Text(
        f"{title}  {pair.kind}  score {pair.score:.2f}  "
        f"similarity {pair.similarity:.2f} (keys {pair.key_similarity:.2f})\n"
        f"numbers {pair.numbers} · options {pair.options} · answers {pair.answer} · "
        f"picture {pair.picture}{residual} · suggested keep {pair.keep} ({pair.why_keep})\n{KEYS}"
    )
    return Group(halves, evidence)


def _whole(item: Item, question: Text) -> Text:
    """Question, options, answer and picture files as plain text: markup in them has no effect."""
    lines = [question]
    lines += [Text(f"  {label}. {text}") for label, text in item.options]
    lines += [Text(f"answer: {item.answer}", style="bold")]
    lines += [Text(f"picture: {path}", style="dim") for path in item.pictures]
    return Text("\n").join(_clean(line) for line in lines)


def _clean(text: Text) -> Text:
    """Control characters of hostile texts never reach the terminal."""
    unknown = "\N{REPLACEMENT CHARACTER}"
    plain = "".join(c if c.isprintable() or c == "\n" else unknown for c in text.plain)
    return Text(plain, style=text.style, spans=text.spans)


def coloured(a: str, b: str) -> tuple[Text, Text]:
    """Both texts with what differs in red and green; long texts are cut."""
    out = (Text(), Text())
    for text, stretches, colour in zip(out, marked(a, b), ("red", "green"), strict=True):
        for stretch, differs in stretches:
            text.append(stretch, style=f"bold {colour}" if differs else None)
    return out
