"""build_release: recipe in, release folder out. Offline, resumable, byte for byte repeatable."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from pathlib import Path

import msgspec

from .build_inputs import note_inputs, what_changed
from .display import Display, Table
from .errors import UserError
from .evidence import why_stale
from .files import Records, encode, replacing_folder, sha256_file, write_bytes
from .pipeline import (
    Context,
    Engine,
    Recipe,
    Report,
    code_hash,
    finished,
    read_recipe,
    write_stage,
)
from .problem import Drop, Problem
from .registry import plugged
from .run import check_stages, locked_work, position, run_stages, say_report
from .terminal import say


class Built(Display, msgspec.Struct):
    """What a build made. `fresh` is False when the release was already there, unchanged.

    `stopped` is the problems.jsonl at which the build was told to stop; no release is made then.
    """

    release: Path
    private: Path | None
    reports: list[Report]
    fresh: bool
    stopped: Path | None = None

    def headline(self) -> str:
        kept = self.reports[-1].out if self.reports else 0
        if self.stopped:
            return f"stopped: {self.stopped}, {kept} problems"
        return f"{self.release}, {kept} problems" + ("" if self.fresh else ", up to date")

    def table(self) -> Table:
        rows = [[r.stage, r.taken, r.kept, r.dropped, r.out] for r in self.reports]
        return ["stage", "in", "kept", "dropped", "out"], rows


def build_release(
    recipe: str | Path | Recipe,
    out: str | Path = "out",
    *,
    engine: Engine = Engine(),  # noqa: B008 (frozen)
    force: bool = False,
    keep_going: bool = False,
    allow_unlicensed: bool = False,
    plugins: Sequence[str | Path] = (),
    until: str | None = None,
) -> Built:
    """Build `<out>/<name>-<version>/` from a recipe; finished stages in `<out>/work` are reused.

    `plugins` are Python files with stages, readers and exporters of your own; they are run.
    `until` is the stage after which to stop, by its name or its folder's (`03-label`).
    Example: `build_release("examples/recipe.yaml", "out").release`
    Raises UserError for a wrong recipe, unreadable sources, a failing stage, an `until` that is no
    stage, and a release folder that was built from other inputs (unless `force`).
    """
    plan, out = recipe if isinstance(recipe, Recipe) else read_recipe(recipe), Path(out)
    release = out / f"{plan.name}-{plan.version}"
    context = Context(plan.folder, out / "work", plan.seed, engine, recipe=plan.path.name)
    with plugged(plugins):
        if until is not None:
            return _until(plan, context, release, keep_going, position(plan, until))
        check_plan(plan, context)
        with locked_work(out / "work"):
            reports, last = run_stages(plan, context, keep_going=keep_going)
            _require_problems(reports)
            splits, report = _split(plan, last, context, len(reports))
            reports.append(report)
            _require_problems(reports)
            fresh = _package(plan, splits, reports, context, release, force, allow_unlicensed)
            _show_versions(reports, context, release)
    private = _private(release)
    return Built(release, private if private.exists() else None, reports, fresh)


def _until(plan: Recipe, context: Context, release: Path, keep_going: bool, upto: int) -> Built:
    check_stages(plan, context, upto)
    with locked_work(context.work):
        reports, last = run_stages(plan, context, keep_going=keep_going, upto=upto)
    return Built(release, None, reports, fresh=False, stopped=last)


def check_plan(plan: Recipe, context: Context) -> None:
    """Fail before any work when a stage, an option, an export or `previous` is wrong."""
    from .evaluate.official import check_benchmark
    from .exports import writer
    from .release import read_manifest

    for name in [plan.benchmark, *(spec.benchmark for spec in plan.sources)]:
        check_benchmark(name, str(plan.path))
    check_stages(plan, context)
    for name in plan.exports:
        writer(name)
    if plan.previous is not None:
        read_manifest(plan.folder / plan.previous)


def _require_problems(reports: list[Report]) -> None:
    """A release without problems is no release: say which stage lost the last of them, and why."""
    emptied = next((report for report in reports if not report.kept), None)
    if emptied is not None:
        reasons = ", ".join(f"{why}: {count}" for why, count in emptied.reasons.items())
        raise UserError(
            f"nothing is left after {emptied.stage}: {emptied.taken} in, 0 kept"
            + (f" ({reasons})" if reasons else ""),
            f"dropped.jsonl of the stage {emptied.stage} says why, problem by problem",
        )


def _split(
    plan: Recipe, source: Path, context: Context, number: int
) -> tuple[dict[str, Sequence[Problem]], Report]:
    """Clusters and splits; whoever is in no split, or holds stale work, is a drop of this stage.

    Splits are drawn by what matters for them; the problems themselves stay on disk.
    """
    from .exports import assign, cluster, clusters, in_cluster, member_of, pictures_of

    everything = Records(source, msgspec.json.Decoder(Problem).decode)
    ids, stale, links, members = [], [], [], []
    places: dict[str, int] = {}
    for place, problem in enumerate(everything):
        ids.append(problem.id)
        if not problem.samples and (why := why_stale(problem)):
            stale.append(Drop(id=problem.id, reason=why))
            continue
        places[problem.id] = place
        links.append((problem.origin, pictures_of(problem)))
        members.append(member_of(problem))
    for drop in stale[:5]:
        say(f"{drop.id}: {drop.reason}")
    if len(stale) > 5:
        say(f"{len(stale) - 5} more problems are stale")
    names = clusters(links)
    for member in members:
        member.origin = names[member.origin]
    drawn = assign(members, plan.splits, plan.seed, plan.folder)
    kept = [member.id for split in drawn.values() for member in split]
    out = places.keys() - set(kept)
    drops = stale + [Drop(id=name, reason="not in any split") for name in places if name in out]
    options = msgspec.to_builtins({"splits": plan.splits, "seed": plan.seed})
    of_split = {name: [member.id for member in split] for name, split in drawn.items()}
    parts = [code_hash(assign, cluster, why_stale), options, of_split, sha256_file(source)]
    key = hashlib.sha256(encode(parts)).hexdigest()
    folder = context.work / f"{number:02d}-split"
    old = finished(folder, key)
    chosen = everything.select(places[name] for name in kept)
    report = old or write_stage(
        folder,
        "split",
        [(ids, chain((in_cluster(problem, names) for problem in chosen), drops))],
        options=options,
        key=key,
        whole_set=True,
    )
    say_report(report, old is None)
    written = Records(folder / "problems.jsonl", msgspec.json.Decoder(Problem).decode)
    ends = list(accumulate(map(len, of_split.values())))
    splits: dict[str, Sequence[Problem]] = {
        name: written[end - len(of_split[name]) : end]
        for name, end in zip(of_split, ends, strict=True)
    }
    return splits, report


def _package(
    plan: Recipe,
    splits: Mapping[str, Sequence[Problem]],
    reports: list[Report],
    context: Context,
    release: Path,
    force: bool,
    allow_unlicensed: bool,
) -> bool:
    """Write the release folder, unless it is there and made from the very same inputs."""
    from . import __version__
    from .exports import check_licences, private_lines, write_package
    from .release import read_manifest

    everything = (problem for members in splits.values() for problem in members)
    licences = check_licences(everything, plan.allow_unlicensed or allow_unlicensed)
    inputs = [context.work / f"{len(reports) - 1:02d}-split" / "problems.jsonl", plan.path]
    inputs += [plan.folder / plan.previous / "manifest.json"] if plan.previous else []
    hashes = [sha256_file(path) for path in inputs if path.exists()]
    stages = [report.released() for report in reports]
    key = hashlib.sha256(encode([__version__, hashes, stages])).hexdigest()
    if release.exists() and not force:
        try:
            manifest = read_manifest(release)
        except UserError:
            manifest = {}
        if manifest.get("build_key") != key:
            raise UserError(
                f"{release} exists, and since it was built "
                + "; ".join(what_changed(plan, context.work, release, manifest, stages)),
                "publish the change under a higher version: in the recipe; or replace the release "
                "with --force; or give another --out",
            )
        if _intact(release):
            say(f"{release} is up to date")
            return False
        say(f"{release} is damaged: writing it again")
    say(f"writing {release}")
    with replacing_folder(release) as folder:
        rows = write_package(plan, splits, reports, licences, context.work, folder, key)
    shutil.rmtree(_private(release), ignore_errors=True)
    if rows:
        write_bytes(_private(release) / "answers.jsonl", private_lines(rows))
    _export(plan, release)
    note_inputs(plan, context.work, release)
    return True


def _show_versions(reports: list[Report], context: Context, release: Path) -> None:
    """The contact sheet beside a release with versions: all of them at a glance."""
    from .render.versions import write_contact

    stage = next((k for k, report in enumerate(reports) if report.stage == "versions"), None)
    if stage is not None:
        sheet = write_contact(release, issues=context.work / f"{stage:02d}-versions/issues.jsonl")
        say(f"look at {sheet}")


def _private(release: Path) -> Path:
    return release.with_name(f"{release.name}-private")


def _intact(release: Path) -> bool:
    from .files import read_lines

    sums = [
        line.decode().rstrip("\n").split("  ", 1) for _, line in read_lines(release / "SHA256SUMS")
    ]
    return all(
        (release / path).is_file() and sha256_file(release / path) == digest
        for digest, path in sums
    )


def _export(plan: Recipe, release: Path) -> None:
    """The recipe's exports, each in `<name>-<version>-exports/<format>/` beside the release."""
    if plan.exports:
        from .exports import export

        for name in plan.exports:
            export(name, release, release.with_name(f"{release.name}-exports") / name)
