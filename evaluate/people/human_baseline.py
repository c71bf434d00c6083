"""People as a baseline: the score of what they answered, beside the models'.

A person answers one booklet, so nobody is blamed for problems that were never put to them:
accuracy is over the answers given, clustered by origin, and unanswered samples are listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from ...base.display import Table, frame, html_table
from ...base.files import pretty, write_bytes, write_text
from ...base.terminal import say
from ...errors import UserError
from ...pages import Column, ReportTable, Section
from ...release import fingerprint, read_manifest, read_samples
from ..metrics import (
    Rate,
    Result,
    Scores,
    accuracy,
    provenance,
    scores_of,
    write_results,
)
from ..predictions import Coverage, Index, locate, read_rows
from ..report import interval, percent, report_markdown, sections
from ..scoring import grade_reply, official_profiles

PERSON_FIELDS = ("person", "annotator")
ANSWER_FIELDS = ("answer", "value", "response")
PEOPLE = (
    Column("person"),
    Column("answers"),
    Column("right"),
    Column("accuracy", percent),
    Column("95 %", interval),
)


class Humans(NamedTuple):
    """What `humans` returns: the pooled scores, and each person's accuracy."""

    scores: Scores
    by_person: dict[str, Rate]

    def __repr__(self) -> str:
        return f"<Humans: {len(self.by_person)} people, {self.scores.headline()}>"

    def _repr_html_(self) -> str:
        return html_table(repr(self), *self._table())

    def to_frame(self) -> Any:
        """One row a person, as a pandas DataFrame."""
        return frame(*self._table())

    def _table(self) -> Table:
        header = ["person", "n", "correct", "accuracy", "low", "high"]
        people = self.by_person.items()
        return header, [[p, r.n, r.correct, r.value, r.low, r.high] for p, r in people]


def humans(
    release: str | Path,
    replies: str | Path,
    split: str,
    out: str | Path | None = None,
    *,
    answers: str | Path | None = None,
    one_verdict: Literal["majority", "any"] | None = None,
    times: str | Path | None = None,
) -> Humans:
    """Score what people answered: a CSV (id, person, answer) or Label Studio votes (JSON lines).

    Of votes, those for the field `answer` count. Empty answers are wrong answers when a person was
    asked in so many words (a filled-in row), and are no answers when the person is missing too.
    Returns the pooled scores and each person's accuracy.

    Args:
        release: Folder of the release.
        replies: What people answered.
        split: Which split they were asked.
        out: Folder for what `score` writes, but the page.
        answers: Private folder, or its answers.jsonl, of a release that withholds answers.
        one_verdict: Count one verdict a question, as MATH-V's row does (every cell is so many of
            19): that of more than half of its people, or right where any of them is.
        times: The people.csv of `booklets`, filled in: who took longer than given is named.

    Raises UserError for unknown ids, for answers without a person, and for times that are none.

    Example: `humans("out/math-v-1.0.0", "answers.csv", "testmini").by_person["anna"].value`
    """
    release = Path(release)
    replies = Path(replies)
    samples = {s.id: s for s in read_samples(release, split, answers)}
    manifest = read_manifest(release)
    profiles = official_profiles(manifest, list(samples.values()))
    results: list[Result] = []
    sheets = _answers(replies, Index(list(samples.values())))
    for (sample_id, person), reply in sheets.items():
        sample = samples[sample_id]
        result = grade_reply(sample, reply, profiles.get(sample.source.name))
        result.person = person
        results.append(result)
    if not results:
        raise UserError(
            f"{replies} holds no answers", "give rows of id, person, answer"
        )
    answered = {r.id for r in results}
    counted = results if one_verdict is None else _one_each(results, one_verdict)
    scores = scores_of(
        counted,
        release=f"{manifest['name']}-{manifest['version']}",
        split=split,
        profile="robust",
        coverage=Coverage(missing=[name for name in samples if name not in answered]),
        provenance=provenance(fingerprint(release), [replies]),
    )
    people = sorted({r.person or "" for r in results})
    by_person = {p: accuracy([r for r in results if r.person == p]) for p in people}
    late = _over_time(Path(times)) if times else []
    for line in late:
        say(f"over time: {line}")
    if out is not None:
        _write(Path(out), scores, counted, by_person, late)
    return Humans(scores, by_person)


def _one_each(results: list[Result], how: str) -> list[Result]:
    """One result a question; a tie of its people is no majority."""
    by_id: dict[str, list[Result]] = {}
    for result in results:
        by_id.setdefault(result.id, []).append(result)
    return [_verdict_of(answers, how) for answers in by_id.values()]


def _verdict_of(answers: Sequence[Result], how: str) -> Result:
    """The one result that stands for all people's answers to a question."""
    right = sum(result.correct for result in answers)
    verdict = right > 0 if how == "any" else 2 * right > len(answers)
    like = next((r for r in answers if r.correct == verdict), answers[0])
    official = like.official
    if official:
        official = msgspec.structs.replace(official, correct=verdict)
    return msgspec.structs.replace(
        like,
        correct=verdict,
        official=official,
        person=None,
        decided_by="person",
        status="ok",
        how=f"{right} of {len(answers)} people right",
    )


def _over_time(path: Path) -> list[str]:
    """Who took longer than given, over all of their booklets that have times."""
    used: dict[str, float] = {}
    allowed: dict[str, float] = {}
    for number, row in read_rows(path):
        if isinstance(row, str) or not (row.get("started") and row.get("ended")):
            continue
        try:
            began = datetime.fromisoformat(str(row["started"]))
            ended = datetime.fromisoformat(str(row["ended"]))
            person = str(row["person"])
            allowed[person] = float(row["minutes"])
            minutes = (ended - began).total_seconds() / 60
        except (ValueError, LookupError, TypeError) as error:
            raise UserError(
                f"{path}:{number}: {error}", "write 2024-05-01T10:00"
            ) from error
        used[person] = used.get(person, 0.0) + minutes
    return [
        f"{person}: {used[person]:g} of {allowed[person]:g} minutes"
        for person in sorted(used)
        if used[person] > allowed[person]
    ]


def _answers(path: Path, index: Index) -> dict[tuple[str, str], str]:
    """Answers by sample and person, in the file's order.

    A person who votes again changes the answer (votes are never overwritten, the latest counts);
    a second row on a sheet is an error. Votes of models are none of people's.
    """
    answers: dict[tuple[str, str], str] = {}
    voted: dict[tuple[str, str], str] = {}
    for number, row in read_rows(path):
        if isinstance(row, str):
            raise UserError(row, "repair or remove this row")
        if row.get("field") not in (None, "answer") or row.get("kind") == "model":
            continue  # a vote on something else, or not a person's
        person = _first(row, PERSON_FIELDS)
        answer = _first(row, ANSWER_FIELDS)
        if not person and not answer:
            continue  # an unused row of an answer sheet
        name, sample_id = locate(
            row, index, "problem_id" if "problem_id" in row else None
        )
        if sample_id is None:
            raise UserError(
                f"{path}:{number}: unknown id {name!r}", "use the ids of the split"
            )
        if not person:
            raise UserError(
                f"{path}:{number}: an answer without a person", "fill in who answered"
            )
        key = (sample_id, person)
        at = str(row.get("at", ""))
        if key in answers and "at" not in row:
            raise UserError(
                f"{path}:{number}: {person} answered {name} twice", "keep one answer"
            )
        if at >= voted.get(key, ""):
            answers[key], voted[key] = answer, at
    return answers


def _first(row: dict[str, Any], fields: Sequence[str]) -> str:
    """The first of the fields that holds something (0 is something)."""
    return next(
        (str(row[f]).strip() for f in fields if row.get(f) not in (None, "")), ""
    )


def _write(
    out: Path,
    scores: Scores,
    results: list[Result],
    by_person: dict[str, Rate],
    late: Sequence[str],
) -> None:
    records = [
        {
            "person": person,
            "answers": rate.n,
            "right": rate.correct,
            "accuracy": rate.value,
            "95 %": rate,
        }
        for person, rate in by_person.items()
    ]
    people = Section(
        "People",
        [
            "Accuracy is over the answers given; problems nobody was asked are listed as missing.",
            *(f"Over time: {line}." for line in late),
        ],
        [ReportTable.of(PEOPLE, records)],
    )
    title = f"People on {scores.release}, {scores.split}"
    write_results(out, results)
    write_bytes(out / "scores.json", pretty(scores))
    write_text(
        out / "report.md", report_markdown(title, [people, *sections(scores, results)])
    )
