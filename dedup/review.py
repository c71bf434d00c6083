"""Decide about pairs in the terminal: both questions side by side, one key per decision."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec
from rapidfuzz.distance import Levenshtein
from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ..errors import UserError, nearest
from ..files import records
from ..terminal import say
from .classes import CLASSES, Pair
from .decisions import Decision, append_decision, hashes_of, is_stale, key_of, read_decisions
from .items import Item, items_of, report_unreadable

KEYS = "1 duplicate · a/b duplicate, keep A/B · 2 variant · 3 not duplicate · s skip · q quit"


def one_key() -> str:
    """One key from the terminal, or one character of a pipe; "" at its end."""
    if sys.stdin.isatty():
        return click.getchar()
    return sys.stdin.read(1)


def pending(
    pairs: Iterable[Pair], decisions: Path, items: dict[str, Item], again: bool = False
) -> tuple[list[Pair], list[str]]:
    """Pairs still to be decided, most similar first, and which old decisions are stale."""
    decided = read_decisions(decisions) if decisions.exists() else {}
    hashes = hashes_of(list(items.values()))
    stale = {key: why for key, decision in decided.items() if (why := is_stale(decision, hashes))}
    left = [
        pair
        for pair in pairs
        if not pair.automatic
        and pair.a in items
        and pair.b in items
        and (again or key_of(pair.a, pair.b) not in decided or key_of(pair.a, pair.b) in stale)
    ]
    left.sort(key=lambda pair: -max(pair.similarity, pair.key_similarity))
    return left, [f"{a} / {b}: {why}" for (a, b), why in sorted(stale.items())]


class Reviewed(msgspec.Struct, kw_only=True):
    """How far a review came: decisions made, pairs left, and old decisions that are stale."""

    pairs: int
    decided: int
    left: int
    stale: list[str]


def review_pairs(
    pairs: str | Path | Iterable[Pair],
    problems: str | Path | Iterable[Item],
    decisions: str | Path = "decisions/duplicates.jsonl",
    annotator: str = "",
    *,
    kinds: Collection[str] = (),
    again: bool = False,
    images: str | Path | None = None,
    ask: bool = True,
) -> Reviewed:
    """Decide about `pairs` of `problems` one by one in the terminal; each decision is saved.

    Only pairs of the classes `kinds` (default: all); decided ones too with `again`. With `ask`
    False nothing is asked, and what is left is counted. Raises UserError for an unknown class and
    for damaged files.

    Example: `review_pairs("pairs.jsonl", "problems.jsonl", ask=False).left`
    """
    for kind in kinds:
        if kind not in CLASSES:
            raise UserError(f"no class {kind!r}", nearest(kind, list(CLASSES)))
    items, unreadable = items_of(problems, images)
    report_unreadable(unreadable)
    by_id = {item.id: item for item in items}
    chosen = [pair for pair in records(pairs, Pair) if not kinds or pair.kind in kinds]
    left, stale = pending(chosen, Path(decisions), by_id, again)
    for line in stale:
        say(f"stale decision {line}")
    made = review(left, by_id, Path(decisions), annotator, one_key) if ask else 0
    return Reviewed(pairs=len(chosen), decided=made, left=len(left) - made, stale=stale)


def review(
    pairs: list[Pair],
    items: dict[str, Item],
    decisions: Path,
    annotator: str,
    read_key: Callable[[], str],
    console: Console | None = None,
) -> int:
    """Show each pair, read one key, append the decision; returns how many were made."""
    console = console or Console(stderr=True)
    made = 0
    for number, pair in enumerate(pairs, 1):
        console.print(side_by_side(pair, items[pair.a], items[pair.b], f"{number}/{len(pairs)}"))
        decision = _ask(pair, read_key, annotator)
        if decision == "quit":
            break
        if isinstance(decision, Decision):
            append_decision(decisions, decision)
            made += 1
            console.print(f"  {decision.verdict} {decision.keep}\n")
    return made


def _ask(pair: Pair, read_key: Callable[[], str], annotator: str) -> Decision | str:
    """One key; unknown keys are asked again."""
    keep = {"1": pair.keep, "a": pair.a, "b": pair.b, "2": "", "3": ""}
    while True:
        key = read_key().lower()
        if key in ("q", "\x03", "\x04", ""):
            return "quit"
        if key == "s":
            return "skip"
        if key in keep:
            break
    return Decision(
        a=pair.a,
        b=pair.b,
        verdict={"2": "variant", "3": "not duplicate"}.get(key, "duplicate"),  # type: ignore[arg-type]
        keep=keep[key],
        a_hash=pair.a_hash,
        b_hash=pair.b_hash,
        annotator=annotator,
        at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def side_by_side(pair: Pair, a: Item, b: Item, title: str = "") -> Any:
    """Both questions with what differs in colour, and the evidence below."""
    left, right = marked(a.question, b.question)
    halves = Table.grid(expand=True)
    for _ in range(2):
        halves.add_column(ratio=1)
    sides = ((a, left, "A"), (b, right, "B"))
    halves.add_row(*(Panel(_whole(item, q), title=Text(f"{n} {item.id}")) for item, q, n in sides))
    residual = "" if pair.residual is None else f" ({pair.residual:.2f})"
    evidence = Text(
        f"{title}  {pair.kind}  similarity {pair.similarity:.2f} (keys {pair.key_similarity:.2f})\n"
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


def marked(a: str, b: str) -> tuple[Text, Text]:
    """Both texts with the characters that differ in red and green; long texts are cut."""
    a, b = a[:4000], b[:4000]
    left, right = Text(a), Text(b)
    for step in Levenshtein.opcodes(a, b):
        if step.tag != "equal":
            left.stylize("bold red", step.src_start, step.src_end)
            right.stylize("bold green", step.dest_start, step.dest_end)
    return left, right
