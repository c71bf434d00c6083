"""The command line as the front door's table has it; each command is imported when it is called."""

from __future__ import annotations

import re
from typing import Any

import click

from ..errors import nearest
from ..front_door import COMMANDS, GROUPS
from .lazy import imported

MADE = "base.commands:command"
# Commands that are no more, and what takes their place.
RETIRED = {
    "dedup review": "duplicates are decided on the page of `dedup evidence` (`view` saves "
    "decisions) and in Label Studio (`annotate push --kind duplicates`)",
}


class Commands(click.Group):
    """The commands of the front door below one name."""

    def __init__(self, path: str, **more: Any) -> None:
        super().__init__(path.rpartition(" ")[2], **more)
        self.path = path

    def list_commands(self, ctx: click.Context) -> list[str]:
        start = f"{self.path} ".lstrip()
        below = (
            name.removeprefix(start) for name in COMMANDS if name.startswith(start)
        )
        return list(dict.fromkeys(name.split()[0] for name in below))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        path = f"{self.path} {cmd_name}".lstrip()
        if path in GROUPS:
            return Commands(path, help=shown(GROUPS[path]))
        return imported(MADE)(path) if path in COMMANDS else None

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        helps = GROUPS | {path: help for path, (_, help) in COMMANDS.items()}
        rows = []
        for name in self.list_commands(ctx):
            text = helps[f"{self.path} {name}".lstrip()]
            rows.append((name, text.split("\n")[0]))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        commands = self.list_commands(ctx)
        if args and args[0] not in commands and not args[0].startswith("-"):
            path = f"{self.path} {args[0]}".lstrip()
            hint = RETIRED.get(path) or nearest(args[0], commands)
            raise click.UsageError(f"no command {args[0]!r}: {hint}")
        return super().resolve_command(ctx, args)


def shown(text: str) -> str:
    """A text as click's help: examples stay line by line.

    >>> shown("Show.\\n\\nExample:\\n  show a")
    'Show.\\n\\n\\x08\\nExample:\\n  show a'
    """
    return re.sub(r"^(?=Example:)", "\b\n", text, flags=re.M)
