"""`benchwright view`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..base.terminal import say


def view(folders: Sequence[Path], *, browser: bool = True, **options: Any) -> None:
    """Show FOLDERS of releases, scores, duplicate evidence, suggestions and votes, live.

    Served on this machine alone, under an address that nobody can guess, until Ctrl-C. Decisions
    are saved as the files that stages read: duplicates.jsonl, FIELD.adjudicated.jsonl,
    errata.yaml, and decisions on suggestions beside these.

    Args:
        browser: Open the address in a browser.

    Example:
      benchwright view out/math-v-1.0.0 scores/gpt evidence --name ada
    """
    from .server import view as run

    def ready(address: str) -> None:
        click.echo(address)
        say("Ctrl-C ends it")
        if browser:
            click.launch(address)

    run(folders, ready=ready, **options)
