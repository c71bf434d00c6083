"""build_release: recipe in, release folder out. Offline, resumable, byte for byte repeatable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..base.about import digest
from ..base.display import Display, Table
from ..base.files import (
    Records,
    address_of,
    finish_replacing,
    path_or_none,
)
from ..base.registry import plugged
from ..base.stores import below, cache, put, read_stored, require
from ..base.terminal import say
from ..errors import UserError
from ..pipeline import (
    Context,
    Engine,
    Recipe,
    Report,
    by_shard,
    cut,
    leave,
    rank_of,
    read_recipe,
    stands,
    trim,
    what_is_missing,
)
from ..problem import Problem
from .feasible import require_exports
from .inputs import inputs_of, is_noted, materials, note_inputs, what_changed
from .ranks import carry
from .run import (
    Busy,
    check_stages,
    locked_work,
    position,
    run_stages,
    say_report,
    workers_for,
)
from .split import split


class Built(Display, msgspec.Struct):
    """What a build made. `fresh` is False when the release was already there, unchanged.

    `stopped` is the problems.jsonl at which the build was told to stop; no release is made then.
    Nor is one by a rank that is not the last: `waiting` says for whom.
    """

    release: Path
    private: Path | None
    reports: list[Report]
    fresh: bool
    stopped: Path | None = None
    waiting: str = ""

    def headline(self) -> str:
        kept = self.reports[-1].out if self.reports else 0
        if self.waiting:
            return self.waiting
        if self.stopped:
            return f"stopped: {self.stopped}, {kept} problems"
        return f"{self.release}, {kept} problems" + (
            "" if self.fresh else ", up to date"
        )

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
    on_stale: Literal["fail", "tell"] = "fail",
    commitment_key: str | Path | None = None,
    part: str | None = None,
) -> Built:
    """Build `<out>/<name>-<version>/` from a recipe; finished stages in `<out>/work` are reused.

    Same inputs and same key give the same bytes.

    Args:
        recipe: The recipe, a YAML file.
        out: Folder of the release and of the work on it; or an address (s3://bucket/out), to which
            the release and its exports go when they are whole.
        engine: Where the work runs.
        force: Replace a release that was built from other inputs.
        keep_going: Drop a problem on which a stage fails, with its error.
        allow_unlicensed: Accept sources without a known licence.
        plugins: Python file that adds stages, readers, exporters or profiles: it is run.
        until: Stop after this stage, by its name or its folder's, e.g. latex or 03-label.
        on_stale: What becomes of a release when people's votes, decisions or spans are about texts
            or pictures that have changed since; tell: it is written without them.
        commitment_key: File with the key that hides withheld answers [default: the private
            folder's; the first build makes a random one].
        part: Do part K of N only, e.g. 2/3, on a machine that sees the others' work folder; the
            last of N to end makes the release.

    Example: `build_release("examples/recipe.yaml", "out").release`

    Raises UserError for a wrong recipe, unreadable sources, a failing stage, an `until` that is no
    stage, stale work of people, and a release folder that was built from other inputs (unless
    `force`).
    """
    if address_of(out):
        if part is not None:
            raise UserError(
                f"{address_of(out)}: ranks meet in a folder that all of them see",
                "build there, and let one more run with -o put the release into the store",
            )
        own: dict[str, Any] = {
            "engine": engine,
            "force": force,
            "keep_going": keep_going,
            "allow_unlicensed": allow_unlicensed,
            "plugins": plugins,
            "until": until,
            "on_stale": on_stale,
            "commitment_key": commitment_key,
        }
        return _in_store(address_of(out), recipe, own)
    plan = recipe if isinstance(recipe, Recipe) else read_recipe(recipe)
    out = Path(out)
    if allow_unlicensed:
        plan = msgspec.structs.replace(plan, allow_unlicensed=True)
    release = out / f"{plan.name}-{plan.version}"
    context = Context(
        plan.folder, out / "work", plan.seed, engine, recipe=plan.path.name
    )
    rank = None if part is None else rank_of(part)
    with plugged(plugins):
        upto = None if until is None else position(plan, until)
        if upto is None:
            check_plan(plan, context)
            require_exports(plan)
        else:
            check_stages(plan, context, upto)
        missing = carry(plan, context, rank, keep_going, upto) if rank else []
        if rank and missing:
            waiting = what_is_missing(rank, missing, "release")
            return Built(release, None, [], fresh=False, waiting=waiting)
        try:
            with locked_work(context.work):
                if upto is not None:
                    return _until(plan, context, release, keep_going, upto)
                key = path_or_none(commitment_key)
                return _whole(plan, context, release, force, keep_going, on_stale, key)
        except Busy:
            if not rank:
                raise
            waiting = f"rank {rank} is done; another rank makes the release"
            return Built(release, None, [], fresh=False, waiting=waiting)


def _whole(
    plan: Recipe,
    context: Context,
    release: Path,
    force: bool,
    keep_going: bool,
    on_stale: Literal["fail", "tell"],
    key: Path | None,
) -> Built:
    from ..release import private_folder

    if plan.withhold_answers:  # stages hold them, too
        context.work.chmod(0o700)
    finish_replacing(release)
    with workers_for(plan, context, None):
        reports, last = run_stages(plan, context, keep_going=keep_going)
        _require_problems(reports)
        splits, report, drawn = split(plan, last, context, len(reports))
        say_report(report, drawn)
        reports.append(report)
        _require_problems(reports)
        if on_stale == "fail":
            _require_current(reports)
        fresh = _package(plan, splits, reports, context, release, force, key)
        _show_history(context, release, fresh)
    trim(context.work)
    _show_versions(reports, context, release)
    private = private_folder(release)
    return Built(release, private if private.exists() else None, reports, fresh)


def _in_store(
    address: str, recipe: str | Path | Recipe, options: Mapping[str, Any]
) -> Built:
    """Build on this machine, and put the release and its exports into a store.

    Work and withheld answers stay here. Raises UserError where another build of the same version
    is in the store, unless `force`.
    """
    from ..exports import exports_folder

    require(address)
    out = cache() / "builds" / digest([address])[:16]
    say(f"{address}: built in {out}")
    built = build_release(recipe, out, **options)
    if built.stopped is not None:
        return built
    release = built.release
    manifest = (release / "manifest.json").read_bytes()
    there = read_stored(below(address, release.name, "manifest.json"))
    if there is not None and there != manifest and not options["force"]:
        raise UserError(
            f"{below(address, release.name)} is another build of this version",
            "publish the change under a higher version: in the recipe; or replace it with --force",
        )
    for folder in (exports_folder(release), release):
        if folder.exists() and (folder != release or there != manifest):
            put(
                folder,
                below(address, folder.name),
                last=("SHA256SUMS", "manifest.json"),
            )
    say(f"release: {below(address, release.name)}")
    if built.private is not None:
        say(f"withheld answers are not put into a store: {built.private}")
    return built


def _until(
    plan: Recipe, context: Context, release: Path, keep_going: bool, upto: int
) -> Built:
    reports, last = run_stages(plan, context, keep_going=keep_going, upto=upto)
    trim(context.work)
    return Built(release, None, reports, fresh=False, stopped=last)


def check_plan(plan: Recipe, context: Context) -> None:
    """Fail before any work when a stage, an option, an export or `previous` is wrong."""
    from ..exports import refuse_hiding, writer
    from ..grading.official import check_benchmark

    for name in [plan.benchmark, *(spec.benchmark for spec in plan.sources)]:
        check_benchmark(name, str(plan.path))
    check_stages(plan, context)
    for name in plan.exports:
        writer(name)
    refuse_hiding(plan)


def _require_problems(reports: list[Report]) -> None:
    """A release without problems is no release: say which stage lost the last of them, and why."""
    emptied = next((report for report in reports if not report.kept), None)
    if emptied is not None:
        reasons = ", ".join(f"{why}: {count}" for why, count in emptied.reasons.items())
        raise UserError(
            f"nothing is left after {emptied.stage}: {emptied.taken} in, 0 kept"
            + (f" ({reasons})" if reasons else ""),
            f"dropped.jsonl of the stage {emptied.stage} says why, problem by problem; "
            "build-release --check says what mends it",
        )


def _require_current(reports: list[Report]) -> None:
    """Nothing is published without people's work that is there: say how much of it is stale."""
    counts = {report.stage: report.tables.get("stale", 0) for report in reports}
    split_of = reports[-1]  # which drops problems whose own marks are stale
    counts[split_of.stage] += sum(
        count for why, count in split_of.reasons.items() if why.startswith("stale")
    )
    stale = {stage: count for stage, count in counts.items() if count}
    if stale:
        by_stage = ", ".join(f"{stage} {count}" for stage, count in stale.items())
        raise UserError(
            f"{sum(stale.values())} votes, decisions or marks are about texts or pictures that "
            f"have changed since, and would not count: {by_stage}",
            "stale.jsonl (dropped.jsonl of the split) in the stage's folder names them: ask again, "
            "or publish without them by --on-stale tell",
        )


def _package(
    plan: Recipe,
    splits: Mapping[str, Records[Problem]],
    reports: list[Report],
    context: Context,
    release: Path,
    force: bool,
    key: Path | None,
) -> bool:
    """Write release, private folder and exports, or what of them is missing; False: nothing was."""
    from ..check import Seen, seen_in_lines, told
    from ..exports import (
        folders_of,
        followed_from,
        missing,
        publication_of,
        publish,
        same_build,
    )
    from ..release import read_manifest

    manifest: dict[str, Any] = {}
    if release.exists():
        with suppress(UserError):
            manifest = read_manifest(release)
    work = context.work
    engine = context.engine
    secret = _key(plan, release, work, key, manifest, force)
    source = followed_from(plan, reports, secret)
    folders = folders_of(release).values()
    if not force and source and all(stands(folder, work, source) for folder in folders):
        for line in (*manifest["glance"], f"{release} is up to date"):
            say(line)
        return False
    shards = cut(next(iter(splits.values())).path)
    glance = told(
        by_shard(seen_in_lines, shards, dict[str, Seen], work=work, engine=engine)
    )
    for line in glance:
        say(line)

    planned = publication_of(
        plan, release, splits, reports, secret, glance, work, engine
    )
    same = same_build(planned.contents.facts, planned.contents.hashes, manifest)
    if release.exists() and not same and not force:
        said = msgspec.to_builtins(planned.contents.facts)
        raise UserError(
            f"{release} exists, and since it was built "
            + _first(what_changed(plan, context.work, manifest, said)),
            "publish the change under a higher version: in the recipe; or replace the release "
            "with --force; or give another --out",
        )
    parts = missing(planned) if same and not force else list(planned.folders)
    for part in parts if same and not force else ():
        say(
            f"{planned.folders[part]} is missing, damaged or not wanted: putting it right"
        )
    if parts:
        say(f"writing {release}")
        inputs = inputs_of(plan, work)
        publish(planned, parts, work, engine, materials(plan, inputs, secret))
        note_inputs(work, release, inputs)
    else:
        say(f"{release} is up to date")
        if not is_noted(work, release):
            note_inputs(work, release, inputs_of(plan, work))
    for folder in folders:
        leave(folder, work, source)
    return bool(parts)


def _first(changes: list[str], most: int = 5) -> str:
    """The first of some changes, and how many more there are."""
    more = f"; and {len(changes) - most} more" if len(changes) > most else ""
    return "; ".join(changes[:most]) + more


def _key(
    plan: Recipe,
    release: Path,
    work: Path,
    given: Path | None,
    manifest: dict[str, Any],
    force: bool,
) -> str | None:
    """The key of the withheld answers' commitments: given, kept, or made now, once.

    It is kept in the private folder and, so that a lost private folder can be written again, below
    the work folder, which holds the answers anyway.
    """
    from ..exports import kept_key, new_key
    from ..release import private_folder

    if not plan.withhold_answers:
        return None
    own = work / "keys" / release.name
    if given is not None and not given.is_file():
        raise UserError(
            f"--commitment-key {given} is not a file",
            "give the file `key` of a private folder",
        )
    key = kept_key(*filter(None, [given, private_folder(release) / "key", own]))
    if key is None:
        if manifest.get("answers") and not force:
            raise UserError(
                f"{release} exists, and the key of its withheld answers is lost",
                f"put {private_folder(release).name} back or give its key with --commitment-key; "
                "or make a new key, and so a new release, with --force",
            )
        return new_key(own)
    if kept_key(own) != key:
        new_key(own, key)
    return key


def _show_versions(reports: list[Report], context: Context, release: Path) -> None:
    """The contact sheet beside a release with versions: all of them at a glance."""
    stage = next(
        (k for k, report in enumerate(reports) if report.stage == "versions"), None
    )
    if stage is not None:
        from ..render.versions import write_contact

        sheet = write_contact(
            release, issues=context.work / f"{stage:02d}-versions/issues.jsonl"
        )
        say(f"look at {sheet}")


def _show_history(context: Context, release: Path, fresh: bool) -> None:
    """What each stage did to every problem and who voted, beside the release for its pages."""
    from ..exports import write_history
    from ..pages import history_folder

    if fresh or not history_folder(release).is_dir():
        write_history(release, context.work, context.engine)
