"""Commands on releases: verify, diff, show, export."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..base.terminal import emit, json_option, plugin_option, say, table

RELEASE = click.Path(path_type=Path, file_okay=False)


@click.command()
@click.argument("release", type=RELEASE)
@click.option(
    "--answers", type=click.Path(path_type=Path), help="The private folder, to prove it too."
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

    damages = prove(release, answers)
    data = {
        "release": str(release),
        "good": not damages,
        "damage": damages,
        "unproved": damages.unproved,
    }
    if damages:
        rows = [[d.code, d.where, d.what] for d in damages]
        emit(
            data,
            as_json,
            f"{table(rows, ['code', 'where', 'what'])}\n{len(damages)} problems found",
        )
        sys.exit(1)
    manifest = read_manifest(release)
    samples = sum(split["samples"] for split in manifest["splits"].values())
    text = f"{release} is good: {samples} samples, {len(manifest['files'])} files"
    if damages.unproved:
        text += (
            f"\nhashed but not compared, since other versions wrote it: {_few(damages.unproved)}"
        )
    emit(data, as_json, text)


def _few(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


@click.command()
@click.argument("old", type=RELEASE)
@click.argument("new", type=RELEASE)
@click.option("--old-answers", type=click.Path(path_type=Path), help="Private folder of OLD.")
@click.option("--new-answers", type=click.Path(path_type=Path), help="Private folder of NEW.")
@json_option
def diff(
    old: Path, new: Path, old_answers: Path | None, new_answers: Path | None, as_json: bool
) -> None:
    """Compare two releases by problem id: added, removed, and what changed.

    Withheld answers are compared where both private folders are given or lie beside the releases.

    \b
    Example:
      benchwright diff out/math-v-mini-1.0.0 out/math-v-mini-1.1.0
    """
    from .diff import diff as compare
    from .diff import summary

    changes = compare(old, new, old_answers=old_answers, new_answers=new_answers)
    rows = [[change.id, ", ".join(change.kinds)] for change in changes]
    text = (
        f"{table(rows, ['id', 'changed'])}\n{changes.headline()}" if changes else changes.headline()
    )
    emit({"summary": summary(changes), "changes": changes}, as_json, text)


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
    from .show import as_text
    from .show import show as follow

    history = follow(release, problem_id, work)
    emit(history, as_json, as_text(history))


@click.command()
@click.argument("format_name", metavar="FORMAT")
@click.argument("release", type=RELEASE)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Folder to write [default: FORMAT]."
)
@click.option(
    "--answers", type=click.Path(path_type=Path), help="Private folder: export its golds, too."
)
@plugin_option
@json_option
def export(
    format_name: str,
    release: Path,
    out: Path | None,
    answers: Path | None,
    plugins: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Write RELEASE in another tool's FORMAT.

    FORMAT: vlmevalkit, lmms-eval, inspect, math-v, we-math, mathverse, mm-math, or one that a
    plugin or an installed package adds (`benchwright stages` lists them).

    \b
    Example:
      benchwright export vlmevalkit out/math-v-mini-1.0.0 -o LMUData
    """
    from .formats import export as write

    written = write(format_name, release, out, answers=answers, plugins=plugins)
    for line in written.lines():
        say(line)
    emit([str(path) for path in written], as_json, "\n".join(map(str, written)))


@click.command()
@click.argument("release", type=RELEASE)
@click.option("--like", help="math-v, mathverse, we-math or mm-math [default: its sources'].")
@click.option("--answers", type=click.Path(path_type=Path), help="Private answers.jsonl, too.")
@json_option
def statistics(release: Path, like: str | None, answers: Path | None, as_json: bool) -> None:
    """Print the statistics tables of the paper that RELEASE is like, counted as the paper counts.

    \b
    Example:
      benchwright statistics out/math-v-mini-1.0.0 --like math-v
    """
    from .paper_tables import paper_tables

    rows = paper_tables(release, like, answers=answers)
    texts = []
    for name in dict.fromkeys(row.table for row in rows):
        lines = [
            [r.statistic, f"{r.value:,.4g}" if r.value % 1 else f"{r.value:,.0f}",
             "" if r.share is None else f"{r.share:.1%}"]
            for r in rows if r.table == name
        ]  # fmt: skip
        texts.append(table(lines, [name, "number", "share"]))
    emit({"release": str(release), "rows": rows}, as_json, "\n\n".join(texts))
