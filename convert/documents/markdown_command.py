"""`convert mmd`: Mathpix Markdown to text with formulas in dollars (JSONL tool)."""

from __future__ import annotations

import sys
from typing import Any

import click
import msgspec

from ...base.json_lines import put_line
from ...base.jsonl_tool import records, run, text_of
from ...base.terminal import say
from ...errors import UserError
from ...latex import Delimiters, maths_spans
from .markdown import read_mmd


@click.command()
@click.option("--spans", is_flag=True, help="Write the formulas instead of the text.")
@click.option(
    "--inline", nargs=2, multiple=True, metavar="OPEN CLOSE", help="Inline delimiters, repeatable."
)
@click.option("--display", nargs=2, multiple=True, metavar="OPEN CLOSE", help="Display delimiters.")
@click.option("--no-environments", is_flag=True, help="A bare LaTeX environment is text.")
@click.option(
    "--compare", is_flag=True, help="Differences to Mathpix's renderer (Node.js); exit 1 if any."
)
def mmd(
    spans: bool,
    inline: tuple[tuple[str, str], ...],
    display: tuple[tuple[str, str], ...],
    no_environments: bool,
    compare: bool,
) -> None:
    r"""Read {"id", "mmd"} lines; write {"id", "latex", "figures", "tables"} or {"id", "spans"}.

    --compare writes {"id", "same", "ours", "mathpix"}: how many formulas are the same, and those
    that only one side finds. It needs npm mathpix-markdown-it in the working folder or above.

    Markdown with LaTeX of Marker, MinerU or docling is read alike; give other delimiters with
    --inline and --display. `$ x $` is a formula, though not to Mathpix, which --spans and
    --compare follow.

    \b
    Example:
      echo '{"id": "1", "mmd": "Let \\\\(x^2=2\\\\)."}' | benchwright convert mmd
    """
    defaults = Delimiters()
    delimiters = Delimiters(
        inline=inline or defaults.inline,
        display=display or defaults.display,
        environments=not no_environments,
        # recognisers write `$ x $`, which is text to Mathpix; --spans and --compare are as Mathpix
        dollars="mathpix" if compare or spans else "weighed",
    )

    if compare:
        _compare(delimiters)
        return

    def formulas(record: dict[str, Any]) -> dict[str, Any]:
        spans = maths_spans(text_of(record, "mmd"), delimiters)
        return {"spans": [{"tex": s.tex, "display": s.display} for s in spans]}

    def document(record: dict[str, Any]) -> dict[str, Any]:
        read = read_mmd(text_of(record, "mmd"), delimiters)
        return {"latex": read.text, "figures": read.figures, "tables": read.tables}

    run(formulas if spans else document)


def _compare(delimiters: Delimiters) -> None:
    """All texts go to the renderer at once: it takes seconds to start."""
    from .mathpix_renderer import compare_with_mathpix

    read = [_id_and_text(record) for record in records(sys.stdin.buffer)]
    outcomes = iter(compare_with_mathpix((t for _, t, error in read if not error), delimiters))
    bad = different = 0
    for name, _, error in read:
        if error:
            bad += 1
            put_line({"id": name, "error": error})
            continue
        outcome = next(outcomes)
        different += bool(outcome.ours or outcome.mathpix)
        put_line({"id": name, **msgspec.to_builtins(outcome)})
    say(f"{different} of {len(read) - bad} texts differ, {bad} lines unreadable")
    if different or bad:
        raise SystemExit(1)


def _id_and_text(record: dict[str, Any] | str) -> tuple[Any, str, str]:
    """The record's id, its text, and what is wrong with it."""
    if isinstance(record, str):
        return None, "", record
    try:
        return record.get("id"), text_of(record, "mmd"), ""
    except UserError as error:
        return record.get("id"), "", str(error)
