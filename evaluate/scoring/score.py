"""Score the predictions for one split of a release: `benchwright score` and its Python twin."""

from __future__ import annotations

import shutil
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from ...base.about import digest
from ...base.display import Rows
from ...base.files import (
    Streamed,
    address_of,
    pretty,
    remove_file,
    scratch,
    write_bytes,
    write_jsonl,
    write_text,
)
from ...base.registry import plugged
from ...base.statement import STATEMENT, write_statement
from ...base.stores import brought, cache, put, require
from ...errors import UserError
from ...grading.official import PROFILES
from ...pages import Page
from ...pipeline import Engine, Jobs, proof_for, started
from ...problem import Sample, Source
from ...release import AsOf
from ...release import as_of as read_as_of
from ..judges import Judge, Judged, Panel, run_protocols
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
    read_results,
    run_name,
    scores_of,
    uncounted,
)
from ..predictions import (
    Material,
    Predictions,
    Shelf,
    read_material,
    read_predictions,
)
from ..report import (
    paper_figures,
    report_markdown,
    sections,
    write_papers,
    write_report,
)
from .grade_replies import Grading, grade_replies, official_profiles
from .hub_results import write_hub_results
from .leave_out import names_to_leave_out
from .own_verdicts import bring_along
from .people_verdicts import decide_by_people
from .written_parts import Writing, with_texts, write_stretches

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


class Scored:
    """What `score` returns: all figures, and one Result a reply.

    Results that were written are read when they are asked for: `scores, results = score(...)`.
    """

    def __init__(self, scores: Scores, results: Sequence[Result] | Path) -> None:
        self.scores = scores
        self._results = results

    @cached_property
    def results(self) -> Rows[Result]:
        """One Result a reply, in the order of the samples."""
        found = self._results
        return Rows(read_results(found) if isinstance(found, Path) else found)

    def __iter__(self) -> Iterator[Any]:
        yield self.scores
        yield self.results

    def __getitem__(self, at: Literal[0, 1]) -> Any:
        return self.results if at else self.scores

    def __repr__(self) -> str:
        return f"Scored({self.scores!r})"

    def _repr_html_(self) -> str:
        return self.scores._repr_html_()

    def to_frame(self) -> Any:
        """One row a reply, as a pandas DataFrame."""
        return self.results.to_frame()


def score(
    release: str | Path,
    predictions: str | Path | Sequence[str | Path],
    split: str,
    out: str | Path | None = None,
    *,
    profile: str = "robust",
    answers: str | Path | None = None,
    fields: Mapping[str, str] | None = None,
    lenient: bool = False,
    jobs: Jobs = 1,
    scheduler: str = "",
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
        out: Folder to write, or an address in a store (s3://bucket/scores/gpt), as release and
            predictions may be.
        profile: Whose verdicts the main tables show; both are always written. robust; official:
            the rules that belong to each source; or rules by name, for every source.
        answers: Private folder, or its answers.jsonl, of a release that withholds answers.
        fields: The field of the sample's id, and of the reply: id=NAME, response=NAME, or a path
            a.b [default: found].
        lenient: List damaged rows instead of refusing them.
        jobs: Worker processes; 0 takes all cores. Results do not depend on it.
        scheduler: Address of a Dask scheduler, or the file it writes (.json): its workers grade.
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
        name: What reports, boards and comparisons call the run [default: its folder's name].
        thoughts: Grade a reasoning model's thoughts, too, where its reply says nothing else.
        results: Data set on a hub, owner/name or owner/name@revision: its figures are written to
            OUT/.eval_results, for the model's own repository.
        without: Problems to leave out: one id a line, or a contamination.json of `dedup against`.
            The accuracy is given with and without them.

    Raises UserError for damaged or incomplete inputs.

    Example: `score("out/math-v-1.0.0", "gpt.jsonl", "testmini").scores.accuracy.value`
    """
    release, files = brought(release), [brought(one) for one in paths_of(predictions)]
    to = address_of(out)
    if to:
        require(to)
        out = cache() / "scores" / digest([to])[:16] / Path(str(out)).name
    out = None if out is None else Path(out)
    if out is not None:
        _protect_inputs(out, release, files)
    undone = None if as_of is None else read_as_of(release, split, as_of, answers)
    material = read_material(release, split, answers)
    material.say_lost()
    with ExitStack() as stack:
        aside = None if out is None else stack.enter_context(scratch(_beside(out)))
        shelf = None if aside is None else Shelf(aside / "replies")
        samples, matched = load(
            material,
            files,
            fields=fields,
            lenient=lenient,
            undone=undone,
            shelf=shelf,
        )
        stack.enter_context(plugged(plugins))
        profile_kind, profiles = _profiles(profile, matched.sources, material.manifest)
        how = Grading(profiles, thoughts, None if shelf is None else shelf.path)
        engine = stack.enter_context(_workers(jobs, scheduler, aside))
        if shelf is not None:
            shelf.flush()
        graded = _graded(samples, matched, how, engine)
        rescored: Earlier | None = None
        if as_of is not None and undone is not None:
            corrected = {correction.id for correction in undone.corrections}
            current = [sample for sample in material.samples if sample.id in corrected]
            now = _graded(current, matched, how, engine)
            rescored = earlier(as_of, undone, graded, now, VERDICTS[profile_kind])
        if shelf is not None and (judge is not None or verdicts is not None):
            with_texts(graded, matched.rounds, shelf.path)
        people = None if verdicts is None else decide_by_people(graded, Path(verdicts))
        judgement = Judged()
        if judge is not None:
            panel = judge if isinstance(judge, Panel) else Panel(judges=[judge])
            judgement = _judged(
                panel, protocols, graded, samples, material.root, profile_kind
            )
        left_out = (
            None if without is None else names_to_leave_out(Path(without), samples)
        )
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
            judged=judgement.parts,
            people=people,
            weights=weights,
            as_of=rescored,
            guessing=guessing(samples, graded),
            without=left_out,
        )
        if out is not None and aside is not None and shelf is not None:
            for file, rows in judgement.files.items():
                write_jsonl(out / file, rows)
            _clear(out, report=report, papers=papers, judged=judgement.parts)
            versions = frozenset(uncounted(graded))
            writing = Writing(shelf.path, aside, profile_kind, report, versions)
            pages = write_stretches(
                out, writing, graded, samples, matched.rounds, engine, judgement.notes
            )
            write_score(
                out, scores, graded, pages, material.root, report=report, papers=papers
            )
    if results:
        if out is None:
            raise UserError("results for a hub need a place", "give an output folder")
        write_hub_results(out, results, release, scores, graded)
    if out is not None and to:
        put(out, to, last=["scores.json"])
    return Scored(scores, graded if out is None else out)


def _beside(out: Path) -> Path:
    """The name of what lies about while a score goes on: in its folder, or where that will be."""
    return out.absolute() / "score" if out.is_dir() else out.absolute()


@contextmanager
def _workers(jobs: int, scheduler: str, aside: Path | None) -> Iterator[Engine]:
    """The engine, with its workers; those of a cluster prove that they see the replies."""
    if not scheduler:
        engine = Engine(jobs)
        with started(engine):
            yield engine
        return
    if aside is None:
        raise UserError(
            "workers of a cluster write what they grade", "give an output folder"
        )
    engine = Engine(kind="dask", scheduler=scheduler)
    with proof_for(aside, ()) as proof, started(engine, proof):
        yield engine


def _judged(
    panel: Panel,
    protocols: Sequence[Literal["answers", "cot", "process", "wo"]],
    graded: Sequence[Result],
    samples: Sequence[Sample],
    root: Path,
    profile: Profile,
) -> Judged:
    """What the judges say; results are changed where they decide."""
    replies = {
        r.id: r.response for r in graded if r.repeat == 1 and r.response is not None
    }
    return run_protocols(
        protocols, graded, list(samples), replies, root, panel, VERDICTS[profile]
    )


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
    samples: Iterable[Sample], matched: Predictions, how: Grading, engine: Engine
) -> list[Result]:
    """Results of every round of replies, a sample's repeats one after the other."""
    results = grade_replies(samples, matched.rounds, how, engine)
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
    fields: Mapping[str, str] | None = None,
    lenient: bool = False,
    undone: AsOf | None = None,
    shelf: Shelf | None = None,
) -> tuple[Sequence[Sample], Predictions]:
    """The samples of a split, or as an earlier version had them, and the predictions for them."""
    fields = fields or {}
    for name in sorted(fields.keys() - {"id", "response"}):
        raise UserError(f"no field is called {name!r}", "name id or response")
    samples = material.samples
    elsewhere: list[Sample] = []
    if undone is not None:
        elsewhere = [sample for sample in samples if sample.id in undone.added]
        elsewhere += [_gone(name) for name in undone.removed]
        samples = undone.samples
    matched = read_predictions(
        predictions,
        samples,
        id_field=fields.get("id"),
        response_field=fields.get("response"),
        lenient=lenient,
        elsewhere=Streamed(lambda: chain(material.others, elsewhere)),
        shelf=shelf,
    )
    return samples, matched


def _gone(name: str) -> Sample:
    """A sample that an earlier version had: replies to it are known, and not scored."""
    source = Source(name="", raw_id=name)
    return Sample(id=name, problem_id=name, origin=name, source=source, question="")


def write_score(
    out: Path,
    scores: Scores,
    results: Sequence[Result],
    pages: Iterator[Page],
    release: Path,
    *,
    report: bool = True,
    papers: bool = False,
) -> None:
    """The files of a score; as `pages` of the report come, samples.jsonl is written."""
    parts = sections(scores, results) if papers or report else []
    if papers:
        write_papers(out, parts, paper_figures(scores))
    title = f"{run_name(scores, out)} on {scores.release}, {scores.split}"
    if report:
        write_report(out / "report.html", title, parts, scores, pages, release)
        write_text(out / "report.md", report_markdown(title, parts))
    deque(pages, maxlen=0)
    write_bytes(out / "scores.json", pretty(scores))
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
