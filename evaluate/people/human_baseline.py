"""People as a baseline: the score of what they answered, beside the models'.

A person answers one booklet, so nobody is blamed for problems that were never put to them:
accuracy is over the answers given, clustered by origin, and unanswered samples are listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...base.display import Table, frame, html_table
from ...base.files import pretty, write_bytes, write_text
from ...errors import UserError
from ...pages import ReportTable, Section
from ...release import read_manifest, read_samples
from ...taxonomy import area_of
from ..metrics import Rate, Result, Scores, accuracy, provenance, scores_of, write_results
from ..predictions import Coverage, Index, locate, read_rows
from ..report import interval, percent, report_markdown, sections
from ..scoring import grade_reply, official_profiles

PERSON_FIELDS = ("person", "annotator")
ANSWER_FIELDS = ("answer", "value", "response")


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

    Raises UserError for unknown ids, and for answers without a person.

    Example: `humans("out/math-v-1.0.0", "answers.csv", "testmini").by_person["anna"].value`
    """
    release, replies = Path(release), Path(replies)
    samples = {s.id: s for s in read_samples(release, split, answers)}
    manifest = read_manifest(release)
    profiles = official_profiles(manifest, list(samples.values()))
    results: list[Result] = []
    given = _answers(replies, Index(list(samples.values())))
    for (sample_id, person), reply in given.items():
        sample = samples[sample_id]
        result = grade_reply(sample, reply, profiles.get(sample.source.name))
        result.person = person
        results.append(result)
    if not results:
        raise UserError(f"{replies} holds no answers", "give rows of id, person, answer")
    answered = {r.id for r in results}
    scores = scores_of(
        results,
        release=f"{manifest['name']}-{manifest['version']}",
        split=split,
        profile="robust",
        coverage=Coverage(missing=[name for name in samples if name not in answered]),
        provenance=provenance(release, [replies]),
        area_of=area_of,
    )
    people = sorted({r.person or "" for r in results})
    by_person = {p: accuracy([r for r in results if r.person == p]) for p in people}
    if out is not None:
        _write(Path(out), scores, results, by_person)
    return Humans(scores, by_person)


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
        person, answer = _first(row, PERSON_FIELDS), _first(row, ANSWER_FIELDS)
        if not person and not answer:
            continue  # an unused row of an answer sheet
        name, sample_id = locate(row, index, "problem_id" if "problem_id" in row else None)
        if sample_id is None:
            raise UserError(f"{path}:{number}: unknown id {name!r}", "use the ids of the split")
        if not person:
            raise UserError(f"{path}:{number}: an answer without a person", "fill in who answered")
        key, at = (sample_id, person), str(row.get("at", ""))
        if key in answers and "at" not in row:
            raise UserError(f"{path}:{number}: {person} answered {name} twice", "keep one answer")
        if at >= voted.get(key, ""):
            answers[key], voted[key] = answer, at
    return answers


def _first(row: dict[str, Any], fields: Sequence[str]) -> str:
    """The first of the fields that holds something (0 is something)."""
    return next((str(row[f]).strip() for f in fields if row.get(f) not in (None, "")), "")


def _write(out: Path, scores: Scores, results: list[Result], by_person: dict[str, Rate]) -> None:
    rows = [[p, r.n, r.correct, percent(r.value), interval(r)] for p, r in by_person.items()]
    people = Section(
        "People",
        ["Accuracy is over the answers given; problems nobody was asked are listed as missing."],
        [ReportTable(["person", "answers", "right", "accuracy", "95 %"], rows)],
    )
    title = f"People on {scores.release}, {scores.split}"
    write_results(out, results)
    write_bytes(out / "scores.json", pretty(scores))
    write_text(out / "report.md", report_markdown(title, [people, *sections(scores, results)]))
