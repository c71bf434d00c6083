"""Two problems side by side in the terminal: texts, what differs, pictures in half blocks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from PIL import Image
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ..base.pictures import open_picture
from ..errors import UserError
from .classes import Pair
from .drawings import on_white
from .evidence import Marked, marked
from .items import Item

KEYS = (
    "1 duplicate · a/b duplicate, keep A/B · 2 variant · 3 not duplicate · "
    "n note (ends with Enter) · u undo · s skip · q quit"
)
LINES = 16  # of a picture in the terminal


def screen() -> Console:
    return Console(stderr=True, highlight=False)


def side_by_side(
    pair: Pair, a: Item, b: Item, title: str, console: Console
) -> Iterator[Any]:
    """Both questions with what differs in colour, the evidence below, and their pictures, drawn in
    half blocks where the terminal has colours."""
    sides = zip(
        "AB", (a, b), marked(a.question, b.question), ("red", "green"), strict=True
    )
    yield _halves(
        *(
            Panel(_whole(item, text, colour), title=Text(f"{letter} {item.id}"))
            for letter, item, text, colour in sides
        )
    )
    residual = "" if pair.residual is None else f" ({pair.residual:.2f})"
    yield Text(
        f"{title}  {pair.kind}  score {pair.score:.2f}  "
        f"similarity {pair.similarity:.2f} (keys {pair.key_similarity:.2f})\n"
        f"numbers {pair.numbers} · options {pair.options} · answers {pair.answer} · "
        f"picture {pair.picture}{residual} · suggested keep {pair.keep} ({pair.why_keep})\n{KEYS}"
    )
    if console.is_terminal and console.color_system in ("truecolor", "256"):
        width = min(64, console.width // 2 - 4)
        for both in zip_longest(a.pictures, b.pictures):
            yield _halves(
                *(
                    "" if path is None else half_blocks(Path(path), width)
                    for path in both
                )
            )


def _halves(left: Any, right: Any) -> Table:
    halves = Table.grid(expand=True)
    halves.add_column(ratio=1)
    halves.add_column(ratio=1)
    halves.add_row(left, right)
    return halves


def half_blocks(path: Path, width: int) -> Text:
    """A picture as text: every character is an upper pixel over a lower one."""
    try:
        page = on_white(open_picture(path.read_bytes(), path.name, glance=width)[0])
    except (OSError, UserError):
        return Text("cannot be read", style="dim")
    height = max(2, min(2 * LINES, round(width * page.height / page.width)) // 2 * 2)
    data = page.convert("RGB").resize((width, height), Image.Resampling.BOX).tobytes()
    colours = [f"#{data[k : k + 3].hex()}" for k in range(0, len(data), 3)]
    text = Text()
    for row in range(0, height * width, 2 * width):
        for upper in range(row, row + width):
            text.append("▀", style=f"{colours[upper]} on {colours[upper + width]}")
        text.append("\n")
    return text


def _whole(item: Item, question: Marked, colour: str) -> Text:
    """Question, options, answer and picture files as plain text: markup in them has no effect."""
    text = Text()
    for stretch, differs in question:
        text.append(_clean(stretch), style=f"bold {colour}" if differs else None)
    for label, option in item.options:
        text.append(_clean(f"\n  {label}. {option}"))
    text.append(_clean(f"\nanswer: {item.answer}"), style="bold")
    for path in item.pictures:
        text.append(_clean(f"\npicture: {path}"), style="dim")
    return text


def _clean(text: str) -> str:
    """Control characters of hostile texts never reach the terminal."""
    unknown = "\N{REPLACEMENT CHARACTER}"
    return "".join(c if c.isprintable() or c == "\n" else unknown for c in text)
