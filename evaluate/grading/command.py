"""`benchwright grade` and `benchwright extract`: JSON lines in, verdicts out, in order."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, get_args

import click
import msgspec

from ...problem import AnswerKind, Option
from ...terminal import json_lines, put_line, say
from ..extraction import extract as extract_letter
from .grade import GradeItem, grade_many

KINDS = {kind: kind for kind in get_args(AnswerKind)} | {
    "numeric": "number", "unit": "number", "percent": "number",
}  # fmt: skip


@click.command()
@click.option("--jobs", default=1, show_default=True, help="Processes.")
def grade(jobs: int) -> None:
    """Judge whether predictions equal gold answers (JSON lines on stdin and stdout).

    Reads {"id", "gold"} with "prediction" (a final answer) or "response" (a free reply), and
    optionally "kind", "options", "unit", "tolerance", "ordered". Writes {"id", "equal", "how",
    "status"}, for replies with "extracted" and "rule" too; "equal" is null unless "status" is ok.
    Exit status 1 when lines were unreadable.

    \b
    Example:
      $ echo '{"id": 1, "prediction": "x = 0.5", "gold": "\\\\frac12"}' | benchwright grade
      {"equal":true,"how":"as number","id":1,"status":"ok"}
    """
    heads: list[tuple[Any, str, bool]] = []  # id, what is wrong with the line, is it a reply
    bad = 0
    for verdict in grade_many(_items(heads), jobs):
        name, wrong, reply = heads.pop(0)
        line: dict[str, Any] = {"id": name, "equal": verdict.equal}
        line |= {"how": verdict.how, "status": verdict.status}
        if reply:
            line |= {"extracted": verdict.extracted, "rule": verdict.rule}
        if wrong:
            bad += 1
            line |= {"equal": None, "how": wrong, "status": "unparsed"}
        put_line(line)
        sys.stdout.buffer.flush()
    _finish(bad)


def _items(heads: list[tuple[Any, str, bool]]) -> Iterator[GradeItem]:
    """An item for every input line; beside it, in `heads`, what the output line needs."""
    for _, record in json_lines(sys.stdin.buffer):
        if isinstance(record, str):
            heads.append((None, record, False))
            yield GradeItem(gold="")
            continue
        fields = {
            k: v for k, v in record.items() if k in GradeItem.__struct_fields__ and v is not None
        }
        try:
            fields["kind"] = KINDS.get(fields.get("kind", ""))
            fields["options"] = _options(fields.get("options", ()))
            item = msgspec.convert(fields, GradeItem)
        except (msgspec.ValidationError, TypeError) as error:
            heads.append((record.get("id"), f"bad line: {error}", False))
            yield GradeItem(gold="")
            continue
        heads.append((record.get("id"), "", item.response is not None))
        yield item


def _options(given: Any) -> list[Option]:
    """Options as records, or as plain texts that are labelled A, B, C ..."""
    options = []
    for k, option in enumerate(given):
        if isinstance(option, dict):
            options.append(msgspec.convert(option, Option))
        else:
            text = "" if option is None else str(option)
            options.append(Option(label=chr(ord("A") + k), text=text))
    return options


@click.command()
def extract() -> None:
    """Find the option letter in free replies (JSON lines on stdin and stdout).

    Reads {"id", "response", "options"}, options as texts (empty: only a letter) or as {"label",
    "text"}; writes {"id", "letter", "rule"}. Exit status 1 when lines were unreadable.

    \b
    Example:
      $ echo '{"id": 1, "response": "So it is (B).", "options": ["3", "4"]}' | benchwright extract
      {"id":1,"letter":"B","rule":"concluded"}
    """
    bad = 0
    for _, record in json_lines(sys.stdin.buffer):
        line: dict[str, Any] = {"id": None, "letter": None, "rule": record}
        if isinstance(record, dict):
            line["id"] = record.get("id")
            try:
                found = extract_letter(str(record["response"]), _options(record["options"]))
                line |= {"letter": found.letter, "rule": found.rule}
            except (KeyError, TypeError, msgspec.ValidationError) as error:
                line["rule"] = f"bad line: {error}"
                bad += 1
        else:
            bad += 1
        put_line(line)
        sys.stdout.buffer.flush()
    _finish(bad)


def _finish(bad: int) -> None:
    if bad:
        say(f"{bad} unreadable line{'s' if bad > 1 else ''}: see their 'how' or 'rule'")
        sys.exit(1)
