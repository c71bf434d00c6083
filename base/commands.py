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
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    get_args,
    get_origin,
    get_type_hints,
)

import click
import msgspec
from click.core import ParameterSource

from ..errors import UserError, nearest
from ..front_door import COMMANDS, FIRST, RENAMED, UNTYPED, function_of
from .cli_params import (
    ARGS,
    NAMING,
    RARE_SETTINGS,
    REQUIRED,
    Param,
    params_of,
    spelled,
    value_type,
)
from .command_tree import shown
from .lazy import imported
from .terminal import emit, say

OPTIONS, LAST = "Options", "More options"  # titles in a command's help
# the end of a plural, as in classes and models
PLURAL = re.compile("(?<=ss)es$|s$")


class Printed(NamedTuple):
    """What a command prints: `data` for --json, `text` for people, `notes` on stderr.

    Where it has `failed`, the exit status is 1, or the number that it says.
    """

    data: Any
    text: str
    failed: int = False
    notes: Sequence[str] = ()


class Command(click.Command):
    """A command whose help shows the fields of each record apart, under its name.

    `--set` is one option, however many records it stands for; each tells its own settings.
    """

    def __init__(self, path: str, params: list[Param], **more: Any) -> None:
        name = path.rpartition(" ")[2]
        self.rare = [param for param in params if param.field == RARE_SETTINGS]
        others = [param for param in params if param not in self.rare[1:]]
        super().__init__(name, params=[_parameter(param) for param in others], **more)
        self.first = FIRST.get(path, "").split()
        self.titles = {param.key: self._title(param) for param in params}
        self.renamed = RENAMED.get(path, {}) | _former_options(params)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for place, word in enumerate(args):
            old, equals, value = word.partition("=")
            new = self.renamed.get(old)
            if new is None:
                continue
            say(f"{old} is {new} now; the old name goes with the next version")
            is_setting = new.endswith("=")
            if is_setting and not equals and place + 1 < len(args):
                value = args.pop(place + 1)
            args[place] = f"{new}{value}" if is_setting else f"{new}{equals}{value}"
        return super().parse_args(ctx, args)

    def _title(self, param: Param) -> str:
        """Where help shows an option: with what matters first, by its record, or behind all."""
        if not self.first or _flag(param)[2:] in self.first:
            return OPTIONS if not param.record or self.first else param.record.__name__
        return param.record.__name__ if param.record else LAST

    def format_options(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        rest = LAST if self.first else OPTIONS
        sections: dict[str, list[tuple[str, str]]] = {OPTIONS: []}
        for parameter in self.get_params(ctx):
            row = parameter.get_help_record(ctx)
            if row and isinstance(parameter, click.Option):
                title = self.titles.get(parameter.name or "", rest)
                sections.setdefault(title, []).append(row)
        for param in self.rare[1:]:
            row = _parameter(param).get_help_record(ctx)
            sections.setdefault(self.titles[param.key], []).append(row or ("", ""))
        if LAST in sections:
            sections[LAST] = sections.pop(LAST)
        for title, rows in sections.items():
            with formatter.section(title):
                formatter.write_dl(rows)


def _former_options(params: Sequence[Param]) -> dict[str, str]:
    """What were options of their own before 0.3.0, and are rarer settings now."""
    records = [param.record for param in params if param.field == RARE_SETTINGS]
    return {
        f"--{spelled(name)}": f"--set={spelled(name)}={'true' * _is_flag(record, name)}"
        for record in records
        for name in getattr(record, "RARE", ())
    }


def _is_flag(record: Any, name: str) -> bool:
    return get_type_hints(record)[name] is bool


def command(path: str) -> Command:
    """The click command `path` of the front door."""
    function = imported(function_of(path))
    twin = imported(COMMANDS[path][0])
    untyped = UNTYPED.get(path, "").split()
    params = [p for p in params_of(function, twin) if p.name not in untyped]
    rare = [param for param in params if param.field == RARE_SETTINGS]

    def run(**values: Any) -> None:
        context = click.get_current_context()
        as_json = values.pop("json", False)
        named = {
            key: value
            for key, value in values.items()
            if context.get_parameter_source(key) is not ParameterSource.DEFAULT
        }
        try:
            result = function(**_arguments(params, _dealt(rare, named)))
        except OSError as error:
            if (mistaken := _mistaken(error, values)) is None:
                raise
            raise mistaken from error
        if isinstance(result, Printed):
            emit(result.data, as_json, result.text)
            for note in result.notes:
                say(note)
            raise SystemExit(int(result.failed))

    help = shown(ARGS.sub("", inspect.getdoc(function) or ""))
    command = Command(path, params, callback=run, help=help)
    if "Printed" in str(function.__annotations__["return"]):
        as_json = click.Option(
            ["--json"], is_flag=True, help="Print JSON instead of text."
        )
        command.params.append(as_json)
    return command


def _mistaken(error: OSError, values: Mapping[str, Any]) -> UserError | None:
    """The error of a path that was typed, or lies below it: not there, or of another kind."""
    several = (v if isinstance(v, tuple) else (v,) for v in values.values())
    typed = [Path(v) for group in several for v in group if isinstance(v, str | Path)]
    path = Path(str(error.filename or ""))
    if error.filename is None or not any(path.is_relative_to(one) for one in typed):
        return None
    return UserError(f"{path}: {error.strerror}", "correct the name")


def _dealt(rare: Sequence[Param], named: dict[str, Any]) -> dict[str, Any]:
    """What was named, with the settings of `--set` at the records whose they are."""
    if not rare:
        return named
    settings = named.pop(rare[0].key, ())
    keys: set[str] = set()
    for param in rare:
        own = set(map(spelled, getattr(param.record, "RARE", ())))
        keys |= own
        if given := [setting for setting in settings if setting[0] in own]:
            named[param.key] = given
    for key, _ in settings:
        if key not in keys:
            what = f"no setting {key!r}: {nearest(key, sorted(keys))}"
            raise click.BadParameter(what, param_hint="--set")
    return named


def _arguments(params: list[Param], named: Mapping[str, Any]) -> dict[str, Any]:
    """What the function is called with: only what was named, a record of its fields."""
    arguments = {}
    for parameter, group in groupby(params, lambda param: param.parameter):
        fields = list(group)
        values = {
            field.field: named[field.key] for field in fields if field.key in named
        }
        if not values:
            continue
        if fields[0].record:
            arguments[parameter] = _record(fields, values)
        elif get_origin(fields[0].hint) is Mapping:
            arguments[parameter] = dict(values[""])
        else:
            arguments[parameter] = values[""]
    return arguments


def _record(fields: list[Param], values: dict[str, Any]) -> Any:
    """The record of the values that were given, or, where several were named, a list of them."""
    record: Any = fields[0].record
    settings = values.pop(RARE_SETTINGS, ())
    values |= dict(_setting(record, key, text) for key, text in settings)
    for naming in (field for field in fields if field.field in NAMING):
        if naming.default is None and naming.field not in values:
            options = [_flag(field) for field in fields if field.field in values]
            what = f"{', '.join(options)}: for a {_flag(naming)}, name one"
            raise click.UsageError(what)
        if naming.several:
            names = values[naming.field]
            return [record(**values | {naming.field: name}) for name in names]
    return record(**values)


def _setting(record: Any, key: str, text: str) -> tuple[str, Any]:
    """A rarer field of a record, and its value read as that field's type.

    >>> from benchwright.llm import Model
    >>> _setting(Model, "per-minute", "60"), _setting(Model, "body", '{"top_p": 0.9}')
    (('per_minute', 60.0), ('body', {'top_p': 0.9}))
    """
    fields = {spelled(name): name for name in record.RARE}
    hint = get_type_hints(record, include_extras=True)[fields[key]]
    if Path in get_args(hint):
        return fields[key], Path(text) if value_type(hint)[0] is Path else text
    try:
        value = json.loads(text) if get_origin(hint) is dict else text
        return fields[key], msgspec.convert(value, hint, strict=False)
    except (ValueError, msgspec.ValidationError) as error:
        what = f"{key}={text}: {error}"
        raise click.BadParameter(what, param_hint="--set") from error


# -- parameters -----------------------------------------------------------------


def _parameter(param: Param) -> click.Parameter:
    """The argument or the option of one value."""
    settings: dict[str, Any] = {
        "required": param.default is REQUIRED,
        "help": param.help,
        **_kind(param),
    }
    if not settings["required"] and param.default is not None:
        settings["default"] = param.default
    if param.by_position:
        return click.Argument([param.key], nargs=-1 if param.several else 1, **settings)
    if param.several or settings.get("multiple"):
        settings |= {"multiple": True, "help": f"{param.help} Repeatable."}
    flag = _flag(param)
    flags = [param.key, flag]
    if param.hint is bool:
        if param.default:
            flags[1] = f"{flag}/--no-{flag[2:]}"
    elif param.default not in (None, "", (), {}):
        settings["show_default"] = True
    if flag == "--out":
        flags.append("-o")
    return click.Option(flags, **settings)


def _flag(param: Param) -> str:
    """`--x` of a value; `--model` where `models` may be several.

    >>> _flag(Param("models", str, True, (), "")), _flag(Param("classes", str, True, (), ""))
    ('--model', '--class')
    """
    name = spelled(param.name)
    if param.field == RARE_SETTINGS:
        return f"--{name}"
    if param.several or get_origin(param.hint) is Mapping:
        name = PLURAL.sub("", name)
    return f"--{name}"


def _kind(param: Param) -> dict[str, Any]:
    """How click reads a type."""
    hint = param.hint
    origin = get_origin(hint)
    if hint is bool:
        return {"is_flag": True}
    if origin is Annotated:
        number, bounds = get_args(hint)
        number_range = click.IntRange if number is int else click.FloatRange
        return {"type": number_range(bounds.ge, bounds.le)}
    if origin is Literal:
        return {"type": click.Choice(get_args(hint))}
    if hint is Path or Path in get_args(hint):
        return {"type": _Named(path_type=Path if hint is Path else None)}
    if hint == float | None:
        return {"type": _number, "metavar": "NUMBER"}
    if Mapping in (hint, origin):
        return {"type": _pair, "metavar": "KEY=VALUE", "multiple": True}
    if origin is dict:
        return {"type": _json_object, "metavar": "JSON"}
    if origin is tuple:
        return {"type": get_args(hint), "nargs": 2}
    return {"type": hint}


class _Named(click.Path):
    """A path that names something."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        if value == "":
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)


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
