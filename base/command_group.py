"""Command groups whose commands are imported when they run."""

from __future__ import annotations

from typing import Any

import click

from ..errors import nearest
from .lazy import imported


class LazyGroup(click.Group):
    """A group whose `table` is name -> ("module:command" below this package, one line of help)."""

    def __init__(self, *args: Any, table: dict[str, tuple[str, str]], **more: Any) -> None:
        super().__init__(*args, **more)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.table:
            return None
        command: click.Command = imported(self.table[name][0])
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.table.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in self.table and not args[0].startswith("-"):
            raise click.UsageError(f"no command {args[0]!r}: {nearest(args[0], list(self.table))}")
        return super().resolve_command(ctx, args)
