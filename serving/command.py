"""`benchwright view`."""

from __future__ import annotations

from pathlib import Path

import click

from ..base.terminal import say


@click.command()
@click.argument(
    "folders",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER...",
)
@click.option("--name", default="", help="Who decides; without it nothing can be saved.")
@click.option(
    "--decisions",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("decisions"),
    show_default=True,
    help="Folder of the files that stages read.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Default: a free one.")
@click.option("--browser/--no-browser", default=True, help="Open the address in a browser.")
def view(folders: tuple[Path, ...], name: str, decisions: Path, port: int, browser: bool) -> None:
    """Show FOLDERs of releases, scores, duplicate evidence, suggestions and votes, live.

    Served on this machine alone, under an address that nobody can guess, until Ctrl-C. Decisions
    are saved as the files that stages read: duplicates.jsonl, FIELD.adjudicated.jsonl,
    errata.yaml, and decisions on suggestions beside these.

    \b
    Example:
      benchwright view out/math-v-1.0.0 scores/gpt evidence --name ada
    """
    from .server import view as run

    def ready(address: str) -> None:
        click.echo(address)
        say("Ctrl-C ends it")
        if browser:
            click.launch(address)

    run(folders, name=name, decisions=decisions, port=port, ready=ready)
