"""`benchwright grade`: JSON lines in, verdicts out, in order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ...base.answer_kinds import ANSWER_KINDS
from ...base.jsonl_tool import Malformed, run
from ...base.registry import plugged
from ...pipeline import Engine, Jobs, parallel_map
from ..extraction import read_options
from .grade import CHUNK, GradeItem, grade_response
from .grade import grade as grade_answer

_ANSWERS = {"gold", "prediction", "response"}
# Of kinds, in other tools.
OTHER_NAMES = dict.fromkeys(("numeric", "unit", "percent"), "number")


def grade(
    *, jobs: Jobs = 1, plugins: Sequence[Path] = (), explain: bool = False
) -> None:
    """Judge whether predictions equal gold answers (JSON lines on stdin and stdout).

    Reads {"id", "gold"} with "prediction" (a final answer) or "response" (a free reply), and
    optionally "kind", "options", "unit", "tolerance", "ordered", "parts", "question". Writes {"id",
    "equal", "how", "status"}, for replies with "extracted", "rule" and "span" too, and "credit"
    where the gold has several letters or parts; "equal" is null unless "status" is ok.
    An unreadable line gives {"id", "error"}, and exit status 1.

    Args:
        jobs: Worker processes; 0 takes all cores. Results do not depend on it.
        plugins: Python file that adds kinds of answers: it is run.
        explain: Add "candidates", the best of a reply, with what speaks for and against each.

    Example:
      $ echo '{"id": 1, "prediction": "x = 0.5", "gold": "\\\\frac12"}' | benchwright grade
      {"equal":true,"how":"as number","id":1,"status":"ok"}
    """
    with plugged(plugins):
        run(
            partial(_graded, explain=explain),
            partial(parallel_map, engine=Engine(jobs=jobs), chunk=CHUNK),
        )


def _graded(record: dict[str, Any], explain: bool = False) -> dict[str, Any]:
    fields = {
        name: value
        for name, value in record.items()
        if name in GradeItem.__struct_fields__ and value is not None
    }
    try:
        kind = OTHER_NAMES.get(fields.get("kind", ""), fields.get("kind"))
        fields["kind"] = kind if kind in ANSWER_KINDS else None
    except TypeError as error:
        raise Malformed(f"kind is {fields['kind']!r}") from error
    fields |= {
        name: msgspec.json.encode(value).decode()
        for name, value in fields.items()
        if name in _ANSWERS and isinstance(value, int | float)
    }
    fields["options"] = read_options(fields.get("options", []))
    item = msgspec.convert(fields, GradeItem)
    declared = {name: getattr(item, name) for name in fields.keys() - _ANSWERS}
    if item.response is None:
        verdict = grade_answer(item.prediction, item.gold, **declared)
    else:
        verdict = grade_response(item.response, item.gold, **declared)
    answer: dict[str, Any] = {
        "equal": verdict.equal,
        "how": verdict.how,
        "status": verdict.status,
    }
    if verdict.credit is not None:
        answer["credit"] = verdict.credit
    if item.response is None:
        return answer
    answer |= {
        "extracted": verdict.extracted,
        "rule": verdict.rule,
        "span": verdict.span,
    }
    if explain:
        answer["candidates"] = msgspec.to_builtins(verdict.candidates)
    return answer
