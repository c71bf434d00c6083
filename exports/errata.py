"""errata.yaml: corrections to published problems, as reviewed inputs of the build.

```yaml
- {id: math-v-2947, field: answer, old: "69{degrees}", new: "69", reason: unit in the gold}
```
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from ..base.answer_kinds import own_kind
from ..base.yaml_lines import read_located
from ..errors import UserError, nearest
from ..pipeline import stage
from ..problem import Problem

FIELDS = (
    "question",
    "answer",
    "options",
    "solution",
    "unit",
    "tolerance",
    "answer_kind",
    "parts",
    "labels",
)


class Erratum(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One correction; `old` must be what stands there, so that a stale one is noticed."""

    id: str
    field: str
    new: Any
    reason: str
    old: Any = msgspec.UNSET
    by: str = ""
    at: str = ""  # ISO 8601


def read_errata(path: Path) -> list[Erratum]:
    """Raises UserError naming file and entry for anything unexpected."""
    file = read_located(path)
    try:
        entries = msgspec.convert(file.data or [], list[Erratum])
    except msgspec.ValidationError as error:
        index = re.search(r"\$\[(\d+)\]", str(error))
        at = file.at(int(index[1])) if index else path
        raise UserError(
            f"{at}: {str(error).replace('`', '')}", "give a list of {id, field, old, new, reason}"
        ) from error
    for k, entry in enumerate(entries):
        if entry.field not in FIELDS:
            raise UserError(
                f"{file.at(k)}: {entry.id}: field {entry.field!r}",
                nearest(entry.field, list(FIELDS)),
            )
    return entries


@stage("errata", whole_set=True)
def errata(problems: list[Problem], *, path: Path) -> list[Problem]:
    """The problems with the corrections of an errata file applied.

    Raises UserError for an unknown id and for an `old` that is not what stands there (stale).
    """
    by_id = {problem.id: problem for problem in problems}
    for entry in read_errata(path):
        problem = by_id.get(entry.id)
        if problem is None:
            raise UserError(
                f"{path}: unknown id {entry.id!r}", "was the problem dropped, or misspelt?"
            )
        if entry.old is not msgspec.UNSET and _with(problem, entry.field, entry.old) != problem:
            current = msgspec.to_builtins(getattr(problem, entry.field))
            raise UserError(
                f"{path}: {entry.id} {entry.field} is {current!r}, not {entry.old!r}",
                "the erratum is stale: check the problem again",
            )
        by_id[entry.id] = _with(problem, entry.field, entry.new)
    return [by_id[problem.id] for problem in problems]


def _with(problem: Problem, field: str, value: Any) -> Problem:
    """The problem with a field as an erratum writes it: parts of a record may be left out."""
    if field == "answer_kind":
        own_kind(value)  # is known
    return msgspec.convert(msgspec.to_builtins(problem) | {field: value}, Problem)
