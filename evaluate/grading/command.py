"""`benchwright grade` and `benchwright extract`: JSON lines in, verdicts out, in order."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec

from ...base.answer_kinds import ANSWER_KINDS
from ...base.jsonl_tool import Malformed, run, text_of
from ...base.registry import plugged
from ...base.terminal import plugin_option
from ...pipeline import Engine, parallel_map
from ...problem import Option
from ..extraction import extract as extract_letter
from .grade import CHUNK, GradeItem, grade_item

OTHER_NAMES = dict.fromkeys(("numeric", "unit", "percent"), "number")  # of kinds, in other tools


@click.command()
@click.option("--jobs", default=1, show_default=True, help="Processes.")
@plugin_option
def grade(jobs: int, plugins: tuple[Path, ...]) -> None:
    """Judge whether predictions equal gold answers (JSON lines on stdin and stdout).

    Reads {"id", "gold"} with "prediction" (a final answer) or "response" (a free reply), and
    optionally "kind", "options", "unit", "tolerance", "ordered", "parts". Writes {"id", "equal",
    "how", "status"}, for replies with "extracted", "rule" and "span" too, and "credit" where the
    gold has several letters or parts; "equal" is null unless "status" is ok.
    An unreadable line gives {"id", "error"}, and exit status 1.

    \b
    Example:
      $ echo '{"id": 1, "prediction": "x = 0.5", "gold": "\\\\frac12"}' | benchwright grade
      {"equal":true,"how":"as number","id":1,"status":"ok"}
    """
    click.get_current_context().with_resource(plugged(plugins))
    run(_graded, partial(parallel_map, engine=Engine(jobs=jobs), chunk=CHUNK))


def _graded(record: dict[str, Any]) -> dict[str, Any]:
    fields = {k: v for k, v in record.items() if k in GradeItem.__struct_fields__ and v is not None}
    try:
        kind = OTHER_NAMES.get(fields.get("kind", ""), fields.get("kind"))
        fields["kind"] = kind if kind in ANSWER_KINDS else None
    except TypeError as error:
        raise Malformed(f"kind is {fields['kind']!r}") from error
    fields["options"] = _options(fields.get("options", []))
    item = msgspec.convert(fields, GradeItem)
    verdict = grade_item(item)
    answer: dict[str, Any] = {"equal": verdict.equal, "how": verdict.how, "status": verdict.status}
    if verdict.credit is not None:
        answer["credit"] = verdict.credit
    if item.response is None:
        return answer
    return answer | {"extracted": verdict.extracted, "rule": verdict.rule, "span": verdict.span}


def _options(options: Any) -> list[Option]:
    """Options as records, or as plain texts that are labelled A, B, C ..."""
    if not isinstance(options, list):
        raise Malformed(f"options is {options!r:.80}, not a list")
    records = []
    for k, option in enumerate(options):
        if isinstance(option, dict):
            records.append(msgspec.convert(option, Option))
        else:
            text = "" if option is None else str(option)
            records.append(Option(label=chr(ord("A") + k), text=text))
    return records


@click.command()
def extract() -> None:
    """Find the option letter in free replies (JSON lines on stdin and stdout).

    Reads {"id", "response", "options"}, options as texts (empty: only a letter) or as {"label",
    "text"}; writes {"id", "letter", "rule"}, and "letters" where a reply chooses several ("letter"
    is null then). An unreadable line gives {"id", "error"}, and exit
    status 1.

    \b
    Example:
      $ echo '{"id": 1, "response": "So it is (B).", "options": ["3", "4"]}' | benchwright extract
      {"id":1,"letter":"B","rule":"concluded"}
    """
    run(_extracted)


def _extracted(record: dict[str, Any]) -> dict[str, Any]:
    letter = extract_letter(text_of(record, "response"), _options(record.get("options")))
    answer: dict[str, Any] = {"letter": letter.letter, "rule": letter.rule}
    return answer | {"letters": letter.letters} if len(letter.letters) > 1 else answer
