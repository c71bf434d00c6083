"""Score the predictions for one split of a release: `benchwright score` and its Python twin."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ...base.display import Rows
from ...base.files import (
    Streamed,
    pretty,
    remove_file,
    write_bytes,
    write_jsonl,
    write_text,
)
from ...base.registry import plugged
from ...base.statement import STATEMENT, write_statement
from ...errors import UserError
from ...grading.official import PROFILES
from ...pipeline import Jobs
from ...problem import Sample, Source
from ...release import AsOf
from ...release import as_of as read_as_of
from ..judges import Judge, Panel, run_protocols
from ..metrics import (
    PAPER,
    VERDICTS,
    Earlier,
    Profile,
    Result,
    Scores,
    Weights,
    earlier,
    headline,
    provenance,
    scores_of,
    write_results,
)
from ..predictions import Material, Predictions, read_material, read_predictions
from ..report import (
    paper_figures,
    report_markdown,
    sections,
    write_papers,
    write_report,
)
from .grade_replies import grade_replies, official_profiles
from .hub_results import write_hub_results
from .leave_out import names_to_leave_out
from .own_verdicts import bring_along
from .people_verdicts import decide_by_people

STATED = ("samples.jsonl", "replies.jsonl", "scores.json")  # what a statement is about
OUTPUTS = (
    *STATED,
    "report.md",
    "report.html",
    "answers.jsonl",
    "cot.jsonl",
    "process.jsonl",
    "wo.jsonl",
    "judges.jsonl",
    STATEMENT,
)


class Scored(NamedTuple):
    """What `score` returns: all figures, and one Result a sample."""

    scores: Scores
    results: Rows[Result]

    def _repr_html_(self) -> str:
        return self.scores._repr_html_()

    def to_frame(self) -> Any:
        """One row a sample, as a pandas DataFrame."""
        return self.results.to_frame()


def score(
    release: str | Path,
    predictions: str | Path | Sequence[str | Path],
    split: str,
    out: str | Path | None = None,
    *,
    profile: str = "robust",
    answers: str | Path | None = None,
    id_field: str | None = None,
    response_field: str | None = None,
    lenient: bool = False,
    jobs: Jobs = 1,
    judge: Judge | Panel | None = None,
    protocols: Sequence[Literal["answers", "cot", "process", "wo"]] = ("answers",),
    verdicts: str | Path | None = None,
    weights: Weights = PAPER,
    plugins: Sequence[str | Path] = (),
    report: bool = True,
    papers: bool = False,
    as_of: str | None = None,
    name: str = "",
    thoughts: bool = False,
    results: str = "",
    without: str | Path | None = None,
) -> Scored:
    """Grade every sample of a split and compute all tables; with `out`, write them and the reports.

    Repeats of a sample (epochs, several replies) are graded each: mean@k, pass@k. `out` gets
    samples.jsonl (one Result a line; long replies stand in replies.jsonl beside it), scores.json,
    report.md and report.html with the folder report.data beside it, and of a judge answers.jsonl,
    cot.jsonl, process.jsonl, wo.jsonl and judges.jsonl. The same inputs give the same bytes, and
    inputs are never written to.

    Args:
        release: Folder of the release, an export of it, one split's file, any table with ids
            and golds, hub:owner/name@commit, or a recipe's source in a YAML file.
        predictions: One file, or several that together answer the split (MathVerse keeps Text
            Only in a second one).
        split: Which split was predicted; testmini+test are both together.
        out: Folder to write.
        profile: Whose verdicts the main tables show; both are always written. robust; official:
            the rules that belong to each source; or rules by name, for every source.
        answers: Private folder, or its answers.jsonl, of a release that withholds answers.
        id_field: Field of the sample's id, or a path a.b [default: found].
        response_field: Field of the reply, or a path [default: found].
        lenient: List damaged rows instead of refusing them.
        jobs: Worker processes; 0 takes all cores. Results do not depend on it.
        judge: A model that judges, or a panel of them.
        protocols: What the judge does.
        verdicts: People's verdicts on replies, as `view` saves them: they decide what rules left
            open.
        weights: What classes are worth in We-Math's score.
        plugins: Python file that adds rules: it is run.
        report: Write report.md and report.html.
        papers: Write tables/ (LaTeX, CSV, Markdown) and figures/ (SVG, PDF), too.
        as_of: Score by the golds of this earlier version; verdicts that corrections have changed
            since are listed.
        name: What boards and comparisons call the run [default: its folder's name].
        thoughts: Grade a reasoning model's thoughts, too, where its reply says nothing else.
        results: Data set on a hub, owner/name or owner/name@revision: its figures are written to
            OUT/.eval_results, for the model's own repository.
        without: Problems to leave out: one id a line, or a contamination.json of `dedup against`.
            The accuracy is given with and without them.

    Raises UserError for damaged or incomplete inputs.

    Example: `score("out/math-v-1.0.0", "gpt.jsonl", "testmini").scores.accuracy.value`
    """
    release, files = Path(release), paths_of(predictions)
    out = None if out is None else Path(out)
    if out is not None:
        _protect_inputs(out, release, files)
    undone = None if as_of is None else read_as_of(release, split, as_of, answers)
    material = read_material(release, split, answers)
    material.say_lost()
    samples, matched = load(
        material,
        files,
        id_field=id_field,
        response_field=response_field,
        lenient=lenient,
        undone=undone,
    )
    rescored: Earlier | None = None
    with plugged(plugins):
        profile_kind, profiles = _profiles(profile, matched.sources, material.manifest)
        graded = Rows(
            _graded(samples, matched, profiles, jobs, thoughts, undone is None)
        )
        if as_of is not None and undone is not None:
            corrected = {correction.id for correction in undone.corrections}
            current = [sample for sample in material.samples if sample.id in corrected]
            now = _graded(current, matched, profiles, jobs, thoughts)
            rescored = earlier(as_of, undone, graded, now, VERDICTS[profile_kind])
    matched.rounds.clear()  # results hold what was said
    people = None if verdicts is None else decide_by_people(graded, Path(verdicts))
    judged: dict[str, Any] | None = None
    notes: dict[str, list[str]] = {}
    if judge is not None:
        panel = judge if isinstance(judge, Panel) else Panel(judges=[judge])
        replies = {
            r.id: r.response for r in graded if r.repeat == 1 and r.response is not None
        }
        run = run_protocols(
            protocols,
            graded,
            list(samples),
            replies,
            material.root,
            panel,
            VERDICTS[profile_kind],
        )
        judged, notes = run.parts, run.notes
        if out is not None:
            for file, rows in run.files.items():
                write_jsonl(out / file, rows)
    scores = scores_of(
        graded,
        release=material.name,
        split=split,
        profile=profile_kind,
        coverage=matched.coverage,
        provenance=provenance(
            material.fingerprint, files, matched.records, matched.remarks
        ),
        name=name,
        judged=judged,
        people=people,
        weights=weights,
        as_of=rescored,
        guessing=guessing(samples, graded),
        without=None if without is None else names_to_leave_out(Path(without), samples),
    )
    if out is not None:
        _clear(out, report=report, papers=papers, judged=judged or {})
        write_score(
            out,
            scores,
            graded,
            samples,
            material.root,
            notes,
            report=report,
            papers=papers,
        )
    if results:
        if out is None:
            raise UserError("results for a hub need a place", "give an output folder")
        write_hub_results(out, results, release, scores, graded)
    return Scored(scores, graded)


# The file of each protocol of a judge, beside judges.jsonl.
JUDGED = {"answers": "answers", "cot": "cot", "process": "process", "wo": "wo"}


def _clear(out: Path, *, report: bool, papers: bool, judged: Mapping[str, Any]) -> None:
    """Take away what an earlier score left in the folder and this one does not write.

    Tables and figures go where a score is known to have stood.
    """
    gone = [f"{name}.jsonl" for part, name in JUDGED.items() if part not in judged]
    if not judged:
        gone.append("judges.jsonl")
    if not report:
        gone += ["report.md", "report.html"]
        shutil.rmtree(out / "report.data", ignore_errors=True)
    if not papers and (out / "scores.json").is_file():
        for folder in ("tables", "figures"):
            shutil.rmtree(out / folder, ignore_errors=True)
    for name in gone:
        remove_file(out / name)


def paths_of(predictions: str | Path | Sequence[str | Path]) -> list[Path]:
    """One file or several, as a list."""
    if isinstance(predictions, (str, Path)):
        return [Path(predictions)]
    return [Path(path) for path in predictions]


def guessing(samples: Sequence[Sample], results: Sequence[Result]) -> float | None:
    """The accuracy of an option drawn at random, over the samples that the accuracy is over.

    An open answer is not guessed; None where there are no options.
    """
    counted = {result.id for result in headline(results)}
    chances = [
        1 / len(s.options) if s.options and s.answer_kind == "choice" else 0.0
        for s in samples
        if s.id in counted
    ]
    return round(sum(chances) / len(chances), 6) if any(chances) else None


def _graded(
    samples: Sequence[Sample],
    matched: Predictions,
    profiles: dict[str, str],
    jobs: int,
    thoughts: bool,
    spend: bool = False,
) -> list[Result]:
    """Results of every round of replies, a sample's repeats one after the other."""
    rounds = [
        grade_replies(samples, replies, profiles, jobs, thoughts, spend)
        for replies in matched.rounds
    ]
    for number, results in enumerate(rounds, 1):
        for result in results:
            result.repeat = number
    results = [result for repeats in zip(*rounds, strict=True) for result in repeats]
    bring_along(results, matched)
    _adopt(results)
    return results


def _adopt(results: list[Result]) -> None:
    """MathVerse's published results were judged by its authors' model: that is official."""
    for result in results:
        if result.own and result.official and result.official.profile == "mathverse":
            result.official.correct = result.own.correct
            result.official.extracted = result.own.extracted
            result.official.how = "the file's own judgement"


def load(
    material: Material,
    predictions: Sequence[Path],
    *,
    id_field: str | None = None,
    response_field: str | None = None,
    lenient: bool = False,
    undone: AsOf | None = None,
) -> tuple[Sequence[Sample], Predictions]:
    """The samples of a split, or as an earlier version had them, and the predictions for them."""
    samples = material.samples
    elsewhere: list[Sample] = []
    if undone is not None:
        elsewhere = [sample for sample in samples if sample.id in undone.added]
        elsewhere += [_gone(name) for name in undone.removed]
        samples = undone.samples
    matched = read_predictions(
        predictions,
        samples,
        id_field=id_field,
        response_field=response_field,
        lenient=lenient,
        elsewhere=Streamed(lambda: chain(material.others, elsewhere)),
    )
    return samples, matched


def _gone(name: str) -> Sample:
    """A sample that an earlier version had: replies to it are known, and not scored."""
    source = Source(name="", raw_id=name)
    return Sample(id=name, problem_id=name, origin=name, source=source, question="")


def write_score(
    out: Path,
    scores: Scores,
    results: list[Result],
    samples: Sequence[Sample],
    release: Path,
    notes: Mapping[str, Sequence[str]] | None = None,
    *,
    report: bool = True,
    papers: bool = False,
) -> None:
    """The files of a score; `notes` are a judge's, by sample."""
    write_results(out, results)
    write_bytes(out / "scores.json", pretty(scores))
    parts = sections(scores, results) if papers or report else []
    if papers:
        write_papers(out, parts, paper_figures(scores))
    if report:
        name = scores.name or Path(scores.provenance.predictions).stem
        title = f"{name} on {scores.release}, {scores.split}"
        write_text(out / "report.md", report_markdown(title, parts))
        page = out / "report.html"
        write_report(page, title, parts, scores, results, samples, release, notes)
    material = scores.provenance
    names = material.predictions.split(" + ")
    hashes = material.predictions_sha256.split(" + ")
    materials = {"manifest.json": material.manifest_sha256}
    materials |= dict(zip(names, hashes, strict=True))
    files = [name for name in STATED if (out / name).is_file()]
    facts = {
        field: getattr(scores, field)
        for field in ("release", "split", "profile", "name")
    }
    write_statement(out, "score", files, facts, materials)


def _protect_inputs(out: Path, release: Path, predictions: Sequence[Path]) -> None:
    folder = out.resolve()
    if folder.is_relative_to(release.resolve()):
        raise UserError(
            f"{out} lies inside the release", "give another folder with --out"
        )
    for path in predictions:
        if path.resolve().parent == folder and path.name in OUTPUTS:
            raise UserError(
                f"{out} would overwrite {path}", "give another folder with --out"
            )


def _profiles(
    profile: str, samples: Sequence[Sample], manifest: dict[str, Any]
) -> tuple[Profile, dict[str, str]]:
    """Whose verdicts are shown, and the official profile of each source; `samples` show all."""
    if profile == "robust":
        return "robust", official_profiles(manifest, samples)
    if profile == "official":
        profiles = official_profiles(manifest, samples)
        if without := sorted({s.source.name for s in samples} - set(profiles)):
            raise UserError(
                f"no official rules are known for source {without[0]!r}",
                "score with the robust profile, name the rules (--profile math-v), or say "
                "benchmark: math-v in the recipe",
            )
        return "official", profiles
    PROFILES.load(profile)  # is known
    return "official", {sample.source.name: profile for sample in samples}
