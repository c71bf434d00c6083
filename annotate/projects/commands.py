"""`benchwright annotate push` and `pull`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from ...base.terminal import emit, json_option, plugin_option, table
from ..server import connection_options

PATH = click.Path(path_type=Path)


@click.command()
@click.argument("problems", type=PATH)
@click.option("-o", "--out", "folder", type=PATH, help="The project's folder.")
@click.option("--kind", help="What people shall do: a kind of `benchwright stages`.")
@click.option("--field", help="With a recipe: which label; the rest follows from its stage.")
@click.option(
    "--build",
    type=PATH,
    default=Path("out"),
    show_default=True,
    help="With a recipe: the folder that build-release writes to.",
)
@click.option("--tree", metavar="TREE", help="Built-in tree, or a YAML file.")
@click.option("--people", default=3, show_default=True, help="Answers wanted per task.")
@click.option("--images", type=PATH, help="Folder that picture paths are relative to.")
@click.option("--suggestions", type=PATH, help="Model votes, for reviews and with --show-advice.")
@click.option("--responses", type=PATH, help="Solutions to check, JSONL {id, response}.")
@click.option("--pairs", type=PATH, help="Pairs of `dedup pairs`, for duplicates.")
@click.option("--show-advice", is_flag=True, help="Show the models' votes on top of each task.")
@click.option("--prefill", is_flag=True, help="Roles: mark the problems' spans for correction.")
@click.option(
    "--migrate",
    multiple=True,
    metavar="OLD=NEW",
    help="What a label of the earlier tree is in a changed one (repeat).",
)
@click.option("--restore-interface", is_flag=True, help="Undo edits of the interface.")
@connection_options
@plugin_option
@json_option
def push(
    problems: Path,
    folder: Path | None,
    kind: str | None,
    tree: str | None,
    people: int,
    migrate: tuple[str, ...],
    as_json: bool,
    **options: Any,
) -> None:
    """Give PROBLEMS (problems.jsonl, or a recipe) to the annotators, as tasks of one kind.

    A recipe with --field runs up to the stage that labels the field, what stands there is pushed,
    and pull puts the votes where the stage looks. Run it again after an interruption, or with more
    problems: tasks that are there stay as they are; problems that have changed since, and answers
    that pull refused, are asked again. Exit 1 when a problem cannot be shown; it is named.

    \b
    Example:
      benchwright annotate push recipe.yaml --field subject
      benchwright annotate push problems.jsonl -o labels/subject --kind subject --tree math-v
    """  # fmt: skip
    from .migration import read_moves
    from .push import push as give

    moves = read_moves(migrate)
    pushed = give(problems, folder, kind, tree=tree, people=people, migrate=moves, **options)
    lines = [f"{name}: not pushed: {reason}" for name, reason in pushed.skipped]
    lines += [f"{name}: {reason}" for name, reason in pushed.again]
    settled = f", {pushed.settled} decided by the votes on file" if pushed.settled else ""
    lines.append(
        f"{pushed.added} tasks added, {pushed.there} there already{settled}; label at {pushed.url}"
    )
    lines.append(f"then: benchwright annotate pull {pushed.folder}")
    emit(msgspec.to_builtins(pushed), as_json, "\n".join(lines))
    sys.exit(1 if pushed.skipped else 0)


@click.command()
@click.argument("folder", type=PATH)
@connection_options
@plugin_option
@json_option
def pull(folder: Path, as_json: bool, **options: Any) -> None:
    """Fetch the answers of the project in FOLDER into its votes.jsonl, and where its recipe looks.

    Votes are only ever added; a later answer of the same person supersedes the earlier one, and
    both stay on file. Answers that cannot be votes go to refused.jsonl, and the exit code is 1.

    \b
    Example:
      benchwright annotate pull labels/subject
    """  # fmt: skip
    from .pull import pull as fetch

    pulled = fetch(folder, **options)
    lines = [*pulled.remarks]
    lines += [f"{r.problem_id}, {r.annotator}: refused: {r.reason}" for r in pulled.refused]
    lines.append(table(list(pulled.people.items()), ["annotator", "answers"]))
    lines.append(
        f"{pulled.tasks} tasks, {pulled.answers} answers, {pulled.passed} passed on; "
        f"{pulled.new_votes} new votes, {pulled.votes} on file ({pulled.superseded} superseded, "
        f"{pulled.withdrawn} withdrawn on the server, {len(pulled.refused)} answers refused)"
    )
    emit(msgspec.to_builtins(pulled), as_json, "\n".join(lines))
    sys.exit(1 if pulled.refused else 0)


@click.command()
@click.argument("folder", type=PATH)
@click.option("-o", "--out", type=PATH, help="Write a page here, too: status.html.")
@connection_options
@plugin_option
@json_option
def status(folder: Path, as_json: bool, **options: Any) -> None:
    """How far the project in FOLDER is: tasks, people, gold tasks, agreement so far.

    Done tasks have all the answers that are wanted, started ones some. Gold tasks are those with an
    answer that the curator marked as ground truth (the star in Label Studio): the table says how
    often each person answers them alike. Nothing is pulled.

    \b
    Example:
      benchwright annotate status labels/subject -o status.html
    """
    from .status import status as count

    found = count(folder, **options)
    header, rows = found.table()
    alphas = [[field, "n/a" if alpha is None else f"{alpha:.3f}"]
              for field, alpha in found.agreement.items()]  # fmt: skip
    lines = [
        f"{found.headline()}; {found.skipped} skipped, {found.refused} to be asked again, "
        f"{found.gold_tasks} gold, {found.foreign} not ours",
        table(rows, header),
        *([table(alphas, ["field", "alpha so far"])] if alphas else []),
    ]
    emit(msgspec.to_builtins(found), as_json, "\n".join(lines))
