"""Which Label Studio a command talks to: one that is named, or the one `serve` keeps here."""

from __future__ import annotations

import os
from pathlib import Path

from ...errors import UserError
from .client import PATIENCE, Client
from .server import default_data, read_site, served


def connect(
    url: str | None = None,
    token: str | None = None,
    data: Path | None = None,
    patience: float = PATIENCE,
) -> tuple[Client, Path | None]:
    """The client, and the folder the server serves pictures from when it is ours.

    A server that does not answer is asked again for `patience` seconds.
    """
    url = url or os.environ.get("LABEL_STUDIO_URL")
    token = token or os.environ.get("LABEL_STUDIO_API_KEY")
    if url:
        if not token:
            raise UserError(
                f"no token for {url}", "set LABEL_STUDIO_API_KEY, or --token"
            )
        client = Client(url, token, patience)
        client.whoami()
        return client, None
    data = data or default_data()
    site = read_site(data)
    if site is None:
        raise UserError(
            f"no Label Studio in {data}", "annotate serve, or --url and --token"
        )
    client = Client(site.url, site.token, patience)
    client.whoami()
    return client, served(data)
