"""The commands `build-release` and `stages`."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from ..base.terminal import emit, json_option, plugin_option, table


@click.command("build-release")
@click.argument("recipe", type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True
)
@click.option(
    "--jobs", type=click.IntRange(1), default=None, help="Worker processes [default: cores]."
)
@click.option("--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True)
@click.option(
    "--scheduler", help="Address of a Dask scheduler; without it Dask workers start here."
)
@click.option(
    "--ship", is_flag=True, help="Send pictures and option files to Dask workers without our disk."
)
@click.option("--until", metavar="STAGE", help="Stop after this stage, e.g. latex or 03-label.")
@click.option("--check", is_flag=True, help="Look the recipe over in seconds; build nothing.")
@click.option(
    "--key",
    type=click.Path(path_type=Path),
    help="File with the key of withheld answers [default: the private folder's, or a new one].",
)
@click.option("--force", is_flag=True, help="Replace a release that was built from other inputs.")
@click.option(
    "--keep-going", is_flag=True, help="Drop a problem on which a stage fails, with its error."
)
@click.option("--allow-unlicensed", is_flag=True, help="Accept sources without a known licence.")
@plugin_option
@json_option
def build_release(
    recipe: Path,
    out: Path,
    jobs: int | None,
    engine: str,
    scheduler: str | None,
    ship: bool,
    until: str | None,
    check: bool,
    key: Path | None,
    force: bool,
    keep_going: bool,
    allow_unlicensed: bool,
    plugins: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Build a release from RECIPE into OUT/<name>-<version>.

    \b
    Example:
      build-release examples/recipe.yaml -o out
      build-release examples/recipe.yaml --until latex
      build-release examples/recipe.yaml --check
    """
    import os

    if check:
        _look_over(recipe, plugins, as_json)
        return

    from ..pipeline import Engine
    from .build import build_release as build

    if (ship or scheduler) and engine != "dask":
        raise click.UsageError("--scheduler and --ship are for --engine dask")
    where = Engine(jobs or os.cpu_count() or 1, engine, scheduler, ship)  # type: ignore[arg-type]
    built = build(
        recipe,
        out,
        engine=where,
        force=force,
        keep_going=keep_going,
        allow_unlicensed=allow_unlicensed,
        plugins=plugins,
        until=until,
        key=key,
    )
    header, rows = built.table()
    text = table(rows, header)
    private = f"\nanswers: {built.private}" if built.private else ""
    data = {
        "release": None if built.stopped else str(built.release),
        "stopped": str(built.stopped) if built.stopped else None,
        "private": str(built.private) if built.private else None,
        "fresh": built.fresh,
        "stages": [msgspec.to_builtins(report) for report in built.reports],
    }
    end = f"stopped: {built.stopped}" if built.stopped else f"release: {built.release}{private}"
    emit(data, as_json, f"{text}\n{end}")


def _look_over(recipe: Path, plugins: tuple[Path, ...], as_json: bool) -> None:
    """What a look at the recipe found; exit 1 where something would stop or spoil the build."""
    from .check import check_recipe

    checked = check_recipe(recipe, plugins=plugins)
    lines = [f"{f.where}: {f.what}\n  {f.remedy}" for f in checked.findings]
    data = {"rows": checked.rows, "findings": [msgspec.to_builtins(f) for f in checked.findings]}
    emit(data, as_json, "\n".join([*lines, checked.headline()]))
    if not all(finding.hint for finding in checked.findings):
        raise SystemExit(1)


@click.command()
@plugin_option
@json_option
def stages(plugins: tuple[Path, ...], as_json: bool) -> None:
    """List stages, readers, exporters, kinds of task, ... that have names, with options and origin.

    \b
    Example:
      benchwright stages
      benchwright stages --plugin my_stages.py
    """
    from .catalogue import stages as listed

    kinds = listed(plugins)
    parts = [
        table([[r.name, r.module, r.origin, r.options] for r in rows], [kind, *HEADER])
        for kind, rows in kinds.items()
    ]
    emit(kinds, as_json, "\n\n".join(parts))


HEADER = ("module", "origin", "options")
