"""Votes from an export that somebody made by hand in Label Studio, also of a project not ours.

JSON holds tasks with annotations; JSON_MIN and CSV a row an answer, in which the server's number of
a task takes the place of an `id` in its data. Which column names the problems is seen from them.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from ...base.about import about
from ...base.display import and_more
from ...errors import UserError, nearest
from ...problem import Problem, Vote
from ...release import read_problem_file
from ..votes import Remark, remarks_path
from .export_map import REMARKS, Proposed, named_by, names_of, proposals
from .pull import append_new
from .read_exports import Answer, read_export

SHOWN = 4  # values of a control that a message names


class HandExport(msgspec.Struct, kw_only=True):
    """What was taken from an export: new votes, answers to problems that are not there.

    With `check` nothing is taken: `controls` say what each could give, and `command` takes it.
    """

    answers: int
    new_votes: int
    unknown: list[str]  # what no problem is called
    skipped: int  # tasks that somebody passed on
    key: str = ""  # which data of the tasks name the problems
    people: dict[str, int] = {}  # answers of each person
    new_remarks: int = 0
    controls: list[Proposed] = []
    command: str = ""


def take(
    export: str | Path,
    problems: str | Path | Iterable[Problem],
    out: str | Path,
    *,
    map: Mapping[str, str] | None = None,
    person: Mapping[str, str] | None = None,
    check: bool = False,
) -> HandExport:
    """Add the votes in an export of Label Studio to `out`, a votes.jsonl.

    Args:
        export: The export: JSON, JSON_MIN or CSV.
        problems: The problems that were shown.
        out: Append the votes to this file.
        map: Which field of votes a control of the form gives: CONTROL=FIELD; CONTROL=remarks for
            what people wrote.
        person: Who a number of the server is: NUMBER=NAME [default: user NUMBER, or the e-mail].
        check: Take nothing: propose a map, as a command to paste.

    Raises UserError for a file that is no export, naming the controls to choose from where `map`
    names none of them.

    Example: `take("export.json", "problems.jsonl", "votes.jsonl", map={"topic": "subject"})`
    """
    answers = read_export(Path(export), person or {})
    known = {problem.id: problem for problem in read_problem_file(problems)}
    names = names_of(known.values())
    key, problem_of = named_by(answers, known, names, Path(export))
    if check:
        controls = proposals(answers, key, names)
        fields: Mapping[str, str] = {c.control: c.field for c in controls if c.field}
    else:
        controls = []
        fields = _checked_map(map or {}, answers, key)
    several = {control: _gives_several(answers, control) for control in fields}
    votes: list[Vote] = []
    written: list[Remark] = []
    unknown: dict[str, None] = {}
    for answer in answers:
        name = str(answer.data.get(key, ""))
        problem = known.get(problem_of.get(name, ""))
        if problem is None:
            unknown[name] = None
            continue
        written += _remarks(answer, problem, fields)
        if not answer.skipped:
            votes += _votes(answer, problem, fields, several)
    place = Path(out)
    return HandExport(
        answers=len(answers),
        new_votes=0 if check else append_new(place, votes),
        unknown=list(unknown),
        skipped=sum(answer.skipped for answer in answers),
        key=key,
        people=dict(Counter(answer.annotator for answer in answers)),
        new_remarks=append_new(remarks_path(place), written)
        if written and not check
        else 0,
        controls=controls,
        command=_command(export, problems, out, fields, person or {}) if check else "",
    )


def _command(
    export: str | Path,
    problems: object,
    out: str | Path,
    fields: Mapping[str, str],
    people: Mapping[str, str],
) -> str:
    """The command that takes what was proposed."""
    given = problems if isinstance(problems, str | Path) else "PROBLEMS"
    words = ["benchwright", "annotate", "take", str(export), str(given), "-o", str(out)]
    for option, pairs in (("--map", fields), ("--person", people)):
        for name, value in pairs.items():
            words += [option, f"{name}={value}"]
    return shlex.join(words)


def _checked_map(
    fields: Mapping[str, str], answers: list[Answer], key: str
) -> Mapping[str, str]:
    """The map, if every control of it is in the export. Raises UserError with those that are."""
    controls: dict[str, Counter[str]] = {}
    for answer in answers:
        for control, values in answer.values.items():
            if control != key or not answer.flat:
                controls.setdefault(control, Counter()).update(map(str, values))
    unknown = sorted(set(fields) - set(controls))
    if fields and not unknown:
        return fields
    lines = [
        f"{control} ({', '.join(value[:30] for value, _ in counts.most_common(SHOWN))}"
        f"{and_more(len(counts), SHOWN)})"
        for control, counts in controls.items()
    ]
    wrong = f"no control {unknown[0]!r} in the export; " if unknown else ""
    first = nearest(unknown[0], list(controls)) if unknown else ""
    raise UserError(
        f"{wrong}it has {'; '.join(lines)}",
        f"say which field each gives: --map CONTROL=FIELD (--check proposes it) {first}".strip(),
    )


def _gives_several(answers: list[Answer], control: str) -> bool:
    return any(len(answer.values.get(control, [])) > 1 for answer in answers)


def _votes(
    answer: Answer,
    problem: Problem,
    fields: Mapping[str, str],
    several: Mapping[str, bool],
) -> Iterator[Vote]:
    """A vote for each control that was answered; a list where the control gives lists."""
    for control, field in fields.items():
        values = answer.values.get(control)
        if not values or field == REMARKS:
            continue
        yield Vote(
            problem_id=problem.id,
            field=field,
            value=sorted(map(str, values)) if several[control] else values[0],
            annotator=answer.annotator,
            at=answer.at,
            about=about(problem, field),
            seconds=answer.seconds,
        )


def _remarks(
    answer: Answer, problem: Problem, fields: Mapping[str, str]
) -> Iterator[Remark]:
    """What was written into the controls whose texts are remarks, also on tasks passed on."""
    for control, field in fields.items():
        text = "\n".join(map(str, answer.values.get(control, []))).strip()
        if field == REMARKS and text:
            yield Remark(
                id=problem.id,
                annotator=answer.annotator,
                control=control,
                text=text,
                about=about(problem),
                at=answer.at,
            )
