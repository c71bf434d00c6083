"""Decide about pairs in the terminal: both questions side by side, one key per decision."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
import msgspec

from ..base.extras import extra
from ..base.files import records
from ..base.terminal import say
from ..errors import UserError, nearest
from .classes import CLASSES, Pair
from .decisions import Decision, append_decision, key_of, read_decisions, stale_among
from .evidence import current
from .items import Item, known_items

if TYPE_CHECKING:
    from rich.console import Console

DECISIONS = Path("decisions/duplicates.jsonl")


def one_key() -> str:
    """One key from the terminal, or one character of a pipe; "" at its end."""
    if sys.stdin.isatty():
        return click.getchar()
    return sys.stdin.read(1)


def pending(
    pairs: Iterable[Pair], decisions: Path, items: dict[str, Item], again: bool = False
) -> tuple[list[Pair], list[str]]:
    """Pairs still to be decided, likeliest first, and which old decisions are stale."""
    decided = read_decisions(decisions) if decisions.exists() else {}
    stale = stale_among(decided, items.values())
    left = [
        pair
        for pair in current(pairs, items, items)
        if not pair.automatic
        and (
            again
            or key_of(pair.a, pair.b) not in decided
            or key_of(pair.a, pair.b) in stale
        )
    ]
    left.sort(key=lambda pair: -pair.score)
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
    decisions: str | Path = DECISIONS,
    annotator: str = "",
    *,
    classes: Collection[str] = (),
    again: bool = False,
    images: str | Path | None = None,
    ask: bool = True,
) -> Reviewed:
    """Decide about `pairs` of `problems` one by one in the terminal; each decision is saved.

    Args:
        pairs: Pairs of `dedup pairs`, JSONL.
        problems: The problems that were compared, JSONL.
        decisions: File to append to.
        annotator: Your name [default: $USER].
        classes: Only pairs of this class.
        again: Ask about decided pairs, too.
        images: Folder that picture paths are relative to [default: the file's folder].
        ask: Ask; without it what is left is counted.

    Raises UserError for an unknown class and for damaged files.

    Example: `review_pairs("pairs.jsonl", "problems.jsonl", ask=False).left`
    """
    for name in classes:
        if name not in CLASSES:
            raise UserError(f"no class {name!r}", nearest(name, list(CLASSES)))
    annotator = annotator or os.environ.get("USER", "")
    by_id = known_items(problems, images)
    chosen = [
        pair for pair in records(pairs, Pair) if not classes or pair.kind in classes
    ]
    left, stale = pending(chosen, Path(decisions), by_id, again)
    for line in stale:
        say(f"stale decision {line}")
    made = review(left, by_id, Path(decisions), annotator, one_key) if ask else 0
    return Reviewed(pairs=len(chosen), decided=made, left=len(left) - made, stale=stale)


class _Made(NamedTuple):
    """A decision: its pair and note, and the sizes of the file before and after it."""

    at: int
    note: str
    before: int
    after: int


def review(
    pairs: list[Pair],
    items: dict[str, Item],
    decisions: Path,
    annotator: str,
    read_key: Callable[[], str],
    console: Console | None = None,
) -> int:
    """Show each pair, read one key, append the decision; returns how many were made.

    Undo takes the last decision of this review out of the file and shows its pair again; its note
    waits for the new decision. Where others have added theirs since, nothing is taken out: the
    last decision about a pair counts.
    """
    with extra("review", "deciding in the terminal"):
        from . import in_terminal

    console = console or in_terminal.screen()
    made: list[_Made] = []
    at, note = 0, ""
    while at < len(pairs):
        pair = pairs[at]
        a, b, title = items[pair.a], items[pair.b], f"{at + 1}/{len(pairs)}"
        for shown in in_terminal.side_by_side(pair, a, b, title, console):
            console.print(shown)
        answer = _key(read_key)
        if answer == "quit":
            break
        if answer == "u":
            if made:
                last = made.pop()
                at, note = last.at, last.note
                if decisions.stat().st_size == last.after:
                    os.truncate(decisions, last.before)
                console.print(
                    f"  undone; note: {note}\n" if note else "  undone\n", markup=False
                )
        elif answer == "n":
            note = _line(read_key)
            console.print(f"  note: {note}", markup=False)
        elif answer == "s":
            at, note = at + 1, ""
        else:
            decision = _decision(pair, answer, annotator, note)
            before = decisions.stat().st_size if decisions.exists() else 0
            append_decision(decisions, decision)
            made.append(_Made(at, note, before, decisions.stat().st_size))
            console.print(f"  {decision.verdict} {decision.keep}\n", markup=False)
            at, note = at + 1, ""
    return len(made)


def _key(read_key: Callable[[], str]) -> str:
    """One of the keys that mean something; others are asked again."""
    while True:
        key = read_key().lower()
        if key in ("q", "\x03", "\x04", ""):
            return "quit"
        if key in set("1ab23nus"):
            return key


def _line(read_key: Callable[[], str]) -> str:
    """Keys up to Enter; backspace takes one back."""
    line = ""
    while (key := read_key()) not in ("\r", "\n", "\x03", "\x04", ""):
        line = line[:-1] if key in ("\x7f", "\b") else line + key
    return line.strip()


def _decision(pair: Pair, key: str, annotator: str, note: str) -> Decision:
    return Decision(
        a=pair.a,
        b=pair.b,
        verdict={"2": "variant", "3": "not duplicate"}.get(key, "duplicate"),  # type: ignore[arg-type]
        keep={"1": pair.keep, "a": pair.a, "b": pair.b}.get(key, ""),
        a_hash=pair.a_hash,
        b_hash=pair.b_hash,
        annotator=annotator,
        at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        note=note,
    )
