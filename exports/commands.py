"""Commands on releases: verify, diff, show, export."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..terminal import emit, json_option, plugin_option, table

RELEASE = click.Path(path_type=Path, file_okay=False)


@click.command()
@click.argument("release", type=RELEASE)
@click.option(
    "--answers", type=click.Path(path_type=Path), help="The private answers.jsonl to prove."
)
@json_option
def verify(release: Path, answers: Path | None, as_json: bool) -> None:
    """Prove that RELEASE is complete and undamaged; exit 1 and say what is wrong otherwise.

    \b
    Example:
      benchwright verify out/math-v-mini-1.0.0
    """
    from ..release import read_manifest
    from .verify import verify as prove

    found = prove(release, answers)
    data = {"release": str(release), "good": not found, "damage": found}
    if found:
        rows = [[d.code, d.where, d.what] for d in found]
        emit(
            data, as_json, f"{table(rows, ['code', 'where', 'what'])}\n{len(found)} problems found"
        )
        sys.exit(1)
    manifest = read_manifest(release)
    samples = sum(split["samples"] for split in manifest["splits"].values())
    text = f"{release} is good: {samples} samples, {len(manifest['files'])} files"
    emit(data, as_json, text)


@click.command()
@click.argument("old", type=RELEASE)
@click.argument("new", type=RELEASE)
@json_option
def diff(old: Path, new: Path, as_json: bool) -> None:
    """Compare two releases by problem id: added, removed, and what changed.

    \b
    Example:
      benchwright diff out/math-v-mini-1.0.0 out/math-v-mini-1.1.0
    """
    from .diff import diff_releases, summary

    found = diff_releases(old, new)
    rows = [[change.id, ", ".join(change.kinds)] for change in found]
    counts = ", ".join(f"{kind}: {n}" for kind, n in summary(found).items())
    text = f"{table(rows, ['id', 'changed'])}\n{counts}" if found else "no problem changed"
    emit({"summary": summary(found), "changes": found}, as_json, text)


@click.command()
@click.argument("release", type=RELEASE)
@click.argument("problem_id")
@click.option("--work", type=RELEASE, help="The build's work folder [default: beside the release].")
@json_option
def show(release: Path, problem_id: str, work: Path | None, as_json: bool) -> None:
    """Follow one problem: its raw line, what each stage did to it, where it ended.

    \b
    Example:
      benchwright show out/math-v-mini-1.0.0 math-v-742
    """
    from .show import story, tell

    found = story(release, problem_id, work or release.parent / "work")
    emit(found, as_json, tell(found))


@click.command()
@click.argument("format_name", metavar="FORMAT")
@click.argument("release", type=RELEASE)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Folder to write [default: FORMAT]."
)
@plugin_option
@json_option
def export(
    format_name: str, release: Path, out: Path | None, plugins: tuple[Path, ...], as_json: bool
) -> None:
    """Write RELEASE in another tool's FORMAT.

    FORMAT: vlmevalkit, lmms-eval, inspect, math-v, we-math, mathverse, mm-math, or one that a
    plugin or an installed package adds (`benchwright stages` lists them).

    \b
    Example:
      benchwright export vlmevalkit out/math-v-mini-1.0.0 -o LMUData
    """
    from .formats import export_release

    written = export_release(format_name, release, out or Path(format_name), plugins=plugins)
    emit([str(path) for path in written], as_json, "\n".join(map(str, written)))
