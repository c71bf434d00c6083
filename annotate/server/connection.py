"""Which Label Studio a command talks to: one that is named, or the one `serve` keeps here."""

from __future__ import annotations

import os
from pathlib import Path

from ...base.terminal import say
from ...errors import UserError
from .client import PATIENCE, Client
from .environment import VERSION
from .server import default_data, read_site, served


def connect(
    server: str | None = None, patience: float = PATIENCE
) -> tuple[Client, Path | None]:
    """The client, and the folder the server serves pictures from when it is ours.

    `server` is an address, whose token is LABEL_STUDIO_API_KEY, or the folder that `serve` uses. A
    server that does not answer is asked again for `patience` seconds.
    """
    server = server or os.environ.get("LABEL_STUDIO_URL") or str(default_data())
    if is_address(server):
        token = os.environ.get("LABEL_STUDIO_API_KEY")
        if not token:
            raise UserError(f"no token for {server}", "set LABEL_STUDIO_API_KEY")
        client = Client(server, token, patience)
        client.whoami()
        return client, None
    data = Path(server)
    site = read_site(data)
    if site is None:
        raise UserError(
            f"no Label Studio in {data}", "annotate serve, or --server http://..."
        )
    client = Client(site.url, site.token, patience)
    client.whoami()
    return client, served(data)


def note_version(client: Client) -> None:
    """Say where a server is of another version than the one that every form was looked at on."""
    version = client.version()
    if version != VERSION:
        say(f"{client.url} is Label Studio {version}: forms were tried on {VERSION}")


def is_address(server: str) -> bool:
    return server.startswith(("http://", "https://"))
