"""`benchwright annotate serve`."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import click

from ...errors import UserError
from ...terminal import say
from .connection import connect, connection_options


@click.command()
@connection_options
@click.option("--port", default=8080, show_default=True, help="On 127.0.0.1.")
@click.option(
    "--annotator",
    "annotators",
    multiple=True,
    metavar="NAME",
    help="Create an account for this name or e-mail address (repeat).",
)
@click.option(
    "--env",
    "environment",
    type=click.Path(path_type=Path),
    help="Where Label Studio is, or will be, installed.",
)
def serve(
    url: str | None,
    token: str | None,
    data: Path | None,
    port: int,
    annotators: tuple[str, ...],
    environment: Path | None,
) -> None:
    """Start Label Studio on this machine and keep it running until Ctrl-C.

    It is installed on first use (a gigabyte, a minute or two), in an environment of its own,
    and keeps everything in one data folder. With --url nothing is started; only the annotators'
    accounts are created there.

    \b
    Example:
      benchwright annotate serve --annotator anna --annotator ben --annotator chris
    """  # fmt: skip
    if url:
        from .accounts import add_people

        client, _ = connect(url, token, None)
        for person in add_people(client, list(annotators), []):
            click.echo(f"{person.name}  {person.email}  {person.password}")
        return
    _serve(data, port, list(annotators), environment)


def _serve(data: Path | None, port: int, annotators: list[str], environment: Path | None) -> None:
    from .environment import default_environment
    from .server import default_data, running

    folder = data or default_data()
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with running(folder, environment or default_environment(), port) as (site, process):
            add_to_site(folder, annotators)
            click.echo(f"Label Studio: {site.url}")
            click.echo(f"log in as {site.admin.email}; passwords: {folder / 'site.json'}")
            say("running until Ctrl-C")
            code = process.wait()
        raise UserError(f"Label Studio ended with code {code}", f"see {folder / 'server.log'}")
    except KeyboardInterrupt:
        say("stopped")


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def add_to_site(folder: Path, annotators: list[str]) -> None:
    """Create the accounts that are missing and keep them in the site."""
    from .accounts import add_people
    from .client import Client
    from .server import read_site, write_site

    site = read_site(folder)
    assert site is not None
    site.people += add_people(Client(site.url, site.token), annotators, site.people)
    write_site(folder, site)
    for person in site.people:
        click.echo(f"annotator {person.name}: {person.email}")
