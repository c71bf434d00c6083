"""Keeping a Label Studio running on this machine, and the annotators' accounts."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ...base.files import encode
from ...base.terminal import say
from ...errors import UserError
from .accounts import add_people
from .client import Client
from .connection import connect, is_address
from .environment import default_environment
from .server import (
    Account,
    default_data,
    read_site,
    running,
    write_private,
    write_site,
)

Echo = Callable[[str], None]
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def serve(
    annotators: Iterable[str] = (),
    *,
    server: str | None = None,
    port: int = 8080,
    environment: str | Path | None = None,
    echo: Echo = print,
) -> None:
    """Start Label Studio and keep it running until Ctrl-C; create the `annotators`' accounts.

    With the address of a server nothing is started: the accounts are created there, and their first
    passwords are kept in a file of ours.

    Args:
        annotators: Create an account for this name or e-mail address.
        server: The folder to keep everything in, or the address of a Label Studio elsewhere, whose
            token is LABEL_STUDIO_API_KEY [default: LABEL_STUDIO_URL].
        port: Port on 127.0.0.1.
        environment: Where Label Studio is, or will be, installed.
        echo: What prints.

    Raises UserError when the port is taken, another server runs on the folder, or the server does
    not come up or ends.

    Example: `serve(["anna", "ben", "chris"])`
    """
    server = server or os.environ.get("LABEL_STUDIO_URL") or str(default_data())
    if is_address(server):
        client, _ = connect(server)
        kept = add_elsewhere(client, default_data(), list(annotators), echo)
        echo(f"first passwords, for you alone to read: {kept}")
        return
    folder = Path(server)
    place = Path(environment) if environment else default_environment()
    for number in SIGNALS:
        # of a job in the background, too, where the shell has SIGINT ignored
        signal.signal(number, _interrupt)
    try:
        with running(folder, place, port) as (site, process):
            add_to_site(folder, list(annotators), echo)
            echo(f"Label Studio: {site.url}")
            echo(f"log in as {site.admin.email}; passwords: {folder / 'site.json'}")
            say("running until Ctrl-C")
            code = process.wait()
        raise UserError(
            f"Label Studio ended with code {code}", f"see {folder / 'server.log'}"
        )
    except KeyboardInterrupt:
        say("stopped")


def _interrupt(*_: Any) -> None:
    for number in SIGNALS:
        # the second one must not break off the stopping
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def add_elsewhere(
    client: Client, folder: Path, annotators: list[str], echo: Echo = print
) -> Path:
    """Create accounts on a server that is not ours; returns the file with their first passwords."""
    host = urlsplit(client.url).netloc.replace(":", "-")
    place = folder / f"accounts-{host}.jsonl"
    folder.mkdir(parents=True, exist_ok=True)

    def keep(person: Account) -> None:
        before = place.read_bytes() if place.exists() else b""
        write_private(place, before + encode(person))
        echo(f"annotator {person.name}: {person.email}")

    add_people(client, annotators, [], keep)
    return place


def add_to_site(folder: Path, annotators: list[str], echo: Echo = print) -> None:
    """Create the accounts that are missing and keep them in the site."""
    site = read_site(folder)
    assert site is not None

    def keep(person: Account) -> None:
        site.people.append(person)
        write_site(folder, site)

    add_people(Client(site.url, site.token), annotators, list(site.people), keep)
    for person in site.people:
        echo(f"annotator {person.name}: {person.email}")
