"""The command line as a table."""

from __future__ import annotations

from collections.abc import Iterator

import click
from benchwright.cli import cli


def commands(
    group: click.Group = cli, name: str = ""
) -> Iterator[tuple[str, click.Command]]:
    """Every leaf command under its full name."""
    context = click.Context(group)
    for child in group.list_commands(context):
        command = group.get_command(context, child)
        assert command is not None
        full = f"{name} {child}".strip()
        if isinstance(command, click.Group):
            yield from commands(command, full)
        else:
            yield full, command
