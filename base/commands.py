"""Commands made from functions: signatures give arguments and options, docstrings their help.

A command is a function in the `commands.py` beside its Python twin (`front_door.py`). What it takes
by position are the command's arguments. What it takes by keyword only are its options, and with
`**options` all else that the twin takes. A line of an `Args:` section is the help of one, a record
(`Engine`) an option for each of its fields, and what is True by default `--x / --no-x`.
A command that returns a Printed has `--json`.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

import click
from click.core import ParameterSource

from ..front_door import COMMANDS, RENAMED, function_of
from .cli_params import ARGS, NAMING, NEEDED, Wanted, wanted
from .command_tree import shown
from .lazy import imported
from .terminal import emit, say


class Printed(NamedTuple):
    """What a command prints: `data` for --json, `text` for people, `notes` on stderr.

    Where it has `failed`, the exit status is 1, or the number that it says.
    """

    data: Any
    text: str
    failed: int = False
    notes: Sequence[str] = ()


class Command(click.Command):
    """A command whose help shows the fields of each record apart, under its name."""

    def __init__(self, path: str, asked: list[Wanted], **more: Any) -> None:
        super().__init__(
            path.rpartition(" ")[2], params=[_parameter(w) for w in asked], **more
        )
        self.titles = {
            w.key: w.record.__name__ if w.record else "Options" for w in asked
        }
        self.renamed = RENAMED.get(path, {})

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for place, word in enumerate(args):
            old, equals, value = word.partition("=")
            if new := self.renamed.get(old):
                say(f"{old} is {new} now; the old name goes with the next version")
                args[place] = new + equals + value
        return super().parse_args(ctx, args)

    def format_options(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Options": []}
        for parameter in self.get_params(ctx):
            row = parameter.get_help_record(ctx)
            if row and isinstance(parameter, click.Option):
                title = self.titles.get(parameter.name or "", "Options")
                sections.setdefault(title, []).append(row)
        for title, rows in sections.items():
            with formatter.section(title):
                formatter.write_dl(rows)


def command(path: str) -> Command:
    """The click command `path` of the front door."""
    function, twin = imported(function_of(path)), imported(COMMANDS[path][0])
    asked = list(wanted(function, twin))
    reports = "Printed" in str(function.__annotations__["return"])

    def run(**given: Any) -> None:
        context = click.get_current_context()
        as_json = given.pop("json", False)
        named = {
            key: value
            for key, value in given.items()
            if context.get_parameter_source(key) is not ParameterSource.DEFAULT
        }
        done = function(**_arguments(asked, named))
        if isinstance(done, Printed):
            emit(done.data, as_json, done.text)
            for note in done.notes:
                say(note)
            raise SystemExit(int(done.failed))

    made = Command(
        path,
        asked,
        callback=run,
        help=shown(ARGS.sub("", inspect.getdoc(function) or "")),
    )
    if reports:
        made.params.append(
            click.Option(["--json"], is_flag=True, help="Print JSON instead of text.")
        )
    return made


def _arguments(asked: list[Wanted], named: Mapping[str, Any]) -> dict[str, Any]:
    """What the function is called with: only what was named, a record of its fields."""
    arguments = {}
    for parameter, group in groupby(asked, lambda w: w.parameter):
        parts = list(group)
        given = {w.field: named[w.key] for w in parts if w.key in named}
        if given:
            arguments[parameter] = (
                _record(parts, given) if parts[0].record else given[""]
            )
        if given and get_origin(parts[0].hint) is Mapping:
            arguments[parameter] = dict(given[""])
    return arguments


def _record(parts: list[Wanted], given: dict[str, Any]) -> Any:
    """The record of the fields that were given, or, where several were named, a list of them."""
    record: Any = parts[0].record
    for w in parts:
        if w.field in NAMING and w.default is None and w.field not in given:
            options = ", ".join(_flag(w) for w in parts if w.field in given)
            raise click.UsageError(f"{options}: for a {_flag(w)}, name one")
        if w.field in NAMING and w.several:
            return [record(**given | {w.field: name}) for name in given[w.field]]
    return record(**given)


# -- parameters -----------------------------------------------------------------


def _parameter(w: Wanted) -> click.Parameter:
    """The argument or the option of one value."""
    how: dict[str, Any] = {"required": w.default is NEEDED, "help": w.help, **_kind(w)}
    if not how["required"] and w.default is not None:
        how["default"] = w.default
    if w.by_position:
        return click.Argument([w.key], nargs=-1 if w.several else 1, **how)
    if w.several or how.get("multiple"):
        how |= {"multiple": True, "help": f"{w.help} Repeatable."}
    flag = _flag(w)
    flags = [w.key, flag]
    if w.hint is bool:
        flags[1] += f"/--no-{flag[2:]}" if w.default else ""
    elif w.default not in (None, "", (), {}):
        how["show_default"] = True
    return click.Option([*flags, "-o"] if flag == "--out" else flags, **how)


def _flag(w: Wanted) -> str:
    """`--x` of a value; `--model` where `models` may be several.

    >>> _flag(Wanted("models", str, True, (), "")), _flag(Wanted("classes", str, True, (), ""))
    ('--model', '--class')
    """
    name = w.name.strip("_").replace("_", "-")
    several = w.several or get_origin(w.hint) is Mapping
    return "--" + (re.sub("(?<=ss)es$|s$", "", name) if several else name)


def _kind(w: Wanted) -> dict[str, Any]:
    """How click reads a type."""
    hint, origin = w.hint, get_origin(w.hint)
    if hint is bool:
        return {"is_flag": True}
    if origin is Annotated:
        (number, bounds), ranges = (
            get_args(hint),
            {int: click.IntRange, float: click.FloatRange},
        )
        return {"type": ranges[number](bounds.ge, bounds.le)}
    if origin is Literal:
        return {"type": click.Choice(get_args(hint))}
    if hint is Path or Path in get_args(hint):
        return {"type": click.Path(path_type=Path if hint is Path else None)}
    if hint == float | None:
        return {"type": _number, "metavar": "NUMBER"}
    if origin is Mapping:
        return {"type": _pair, "metavar": "KEY=VALUE", "multiple": True}
    if origin is dict:
        return {"type": _json_object, "metavar": "JSON"}
    if origin is tuple:
        return {"type": get_args(hint), "nargs": 2}
    return {"type": hint}


def _number(text: str | float) -> float | None:
    return None if text == "none" else float(text)


def _pair(text: str) -> tuple[str, str]:
    key, _, value = (part.strip() for part in text.partition("="))
    if not key or not value:
        raise click.BadParameter(f"{text!r} is not KEY=VALUE")
    return key, value


def _json_object(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise click.BadParameter(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise click.BadParameter('give a JSON object, such as {"top_p": 0.9}')
    return value
