"""The parameters of a command: read from a function's signature and its docstring's `Args:`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

SEVERAL = (Sequence, Iterable, Collection)
# the field of a record that is given under its parameter's name: --model NAME
NAMING = ("name", "kind")
REQUIRED = inspect.Parameter.empty
RARE_SETTINGS = "set"  # the option --set, which stands for a record's rarer fields
# the `Args:` section of a docstring, with the blank lines behind it
ARGS = re.compile(r"^Args:\n((?:    .*\n?)+)\n*", re.M)
# an entry of that section: a name and its text, which may go on in deeper lines
ENTRY = re.compile(r"^    (\w+): (.*(?:\n     .*)*)", re.M)

Record = type[msgspec.Struct]


class Param(NamedTuple):
    """One value that a function takes, or one field of a record that it takes.

    The rarer fields of a record, its `RARE`, are one option together: `--set KEY=VALUE`.
    """

    parameter: str
    hint: Any  # the type of one value
    several: bool
    default: Any
    help: str
    by_position: bool = False
    field: str = ""
    record: Record | None = None

    @property
    def key(self) -> str:
        return f"{self.parameter}__{self.field}" if self.field else self.parameter

    @property
    def name(self) -> str:
        is_named_alone = self.field and self.field not in NAMING
        return self.field if is_named_alone else self.parameter


def params_of(
    function: Callable[..., Any], twin: Callable[..., Any]
) -> Iterator[Param]:
    """What `function` names, then, if it takes **options, what else its twin takes.

    What it takes by position stands for the twin's first parameters. A record stands for its
    fields; functions cannot be given on a command line.
    """
    hints = get_type_hints(twin, include_extras=True)
    hints |= get_type_hints(function, include_extras=True)
    helps = args_of(twin) | args_of(function)
    named = inspect.signature(function).parameters
    for name, parameter in (_with_twins(named, twin)).items():
        is_function = get_origin(value_type(hints[name])[0]) is Callable
        if parameter.kind is parameter.VAR_KEYWORD or is_function:
            continue
        hint, several = value_type(hints[name])
        default = parameter.default
        help = helps.get(name, "")
        if is_record(hint):
            yield from _fields(name, hint, several, default is REQUIRED, help)
        else:
            positional = parameter.kind is parameter.POSITIONAL_OR_KEYWORD
            by_position = positional and name in named
            yield Param(name, hint, several, default, help, by_position)


def _with_twins(
    named: Mapping[str, inspect.Parameter], twin: Callable[..., Any]
) -> dict[str, inspect.Parameter]:
    """The parameters of a command, and those of its twin that its **options stand for."""
    kinds = [parameter.kind for parameter in named.values()]
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        return dict(named)
    by_position = kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD)
    of_twin = list(inspect.signature(twin).parameters.items())[by_position:]
    return {**named, **{name: p for name, p in of_twin if name not in named}}


def _fields(
    parameter: str, record: Record, several: bool, required: bool, help: str
) -> Iterator[Param]:
    """The fields of a parameter's record; the naming one has the parameter's own help."""
    hints = get_type_hints(record, include_extras=True)
    helps = args_of(record)
    if help:
        helps |= dict.fromkeys(NAMING, help)
    rare = getattr(record, "RARE", ())
    for field in msgspec.structs.fields(record):
        if field.name in rare:
            continue
        hint, many = value_type(hints[field.name])
        if field.name in NAMING:
            many = several
        default = field.default
        if field.required:
            default = REQUIRED if required else None
        elif default is msgspec.NODEFAULT:
            default = None
        text = helps.get(field.name, "")
        yield Param(parameter, hint, many, default, text, False, field.name, record)
    if rare:
        keys = [f"{spelled(name)} ({helps[name].rstrip('.')})" for name in rare]
        text = f"A rarer setting: {'; '.join(keys)}."
        yield Param(parameter, Mapping, False, None, text, False, RARE_SETTINGS, record)


def spelled(name: str) -> str:
    """A field as a command line spells it.

    >>> spelled("per_minute")
    'per-minute'
    """
    return name.strip("_").replace("_", "-")


def args_of(thing: Any) -> dict[str, str]:
    """What the `Args:` of a docstring say of each name.

    Args:
        thing: A function or a class.

    >>> args_of(args_of)
    {'thing': 'A function or a class.'}
    """
    section = ARGS.search(inspect.getdoc(thing) or "")
    entries = ENTRY.findall(section[1]) if section else []
    return {name: " ".join(text.split()) for name, text in entries}


def value_type(hint: Any) -> tuple[Any, bool]:
    """What one value of a type is, and whether several may be given; a number may be none.

    >>> value_type(str | None), value_type(Sequence[int])
    ((<class 'str'>, False), (<class 'int'>, True))
    >>> value_type(str | Path | Iterable[Param])
    (str | pathlib.Path, False)
    """
    is_union = get_origin(hint) in (Union, UnionType)
    alternatives = get_args(hint) if is_union else (hint,)
    parts = [part for part in alternatives if part is not NoneType]
    items = [get_args(part)[0] for part in parts if get_origin(part) in SEVERAL]
    if items:
        holds_text = str in (items[0], *get_args(items[0]))
        if len(parts) == 1 or holds_text:
            return value_type(items[0])[0], True
    if hint == float | None:
        return hint, False
    if Path in parts:
        return Path if len(parts) == 1 else str | Path, False
    records = [part for part in parts if is_record(part)]
    return (records or parts)[0], False


def is_record(hint: Any) -> bool:
    return inspect.isclass(hint) and issubclass(hint, msgspec.Struct)
