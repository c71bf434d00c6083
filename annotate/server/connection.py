"""Which Label Studio a command talks to: one that is named, or the one `serve` keeps here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ...errors import UserError
from .client import Client
from .server import default_data, read_site, served


def connection_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--url, --token and --data, for every command that talks to a server."""
    for option in (
        click.option("--data", type=click.Path(path_type=Path), help="Folder that `serve` uses."),
        click.option("--token", envvar="LABEL_STUDIO_API_KEY", help="Its token, either kind "
                     "(better in LABEL_STUDIO_API_KEY than on the command line)."),
        click.option("--url", envvar="LABEL_STUDIO_URL", help="A Label Studio elsewhere."),
    ):  # fmt: skip
        command = option(command)
    return command


def connect(url: str | None, token: str | None, data: Path | None) -> tuple[Client, Path | None]:
    """The client, and the folder the server serves pictures from when it is ours."""
    if url:
        if not token:
            raise UserError(f"no token for {url}", "set LABEL_STUDIO_API_KEY, or --token")
        client = Client(url, token)
        client.whoami()
        return client, None
    data = data or default_data()
    site = read_site(data)
    if site is None:
        raise UserError(f"no Label Studio in {data}", "annotate serve, or --url and --token")
    client = Client(site.url, site.token)
    client.whoami()
    return client, served(data)
