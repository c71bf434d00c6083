"""What a function asks for: read from its signature, and from the `Args:` of its docstring."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

SEVERAL = (Sequence, Iterable, Collection)
NAMING = (
    "name",
    "kind",
)  # the field of a record that is given under its parameter's name
NEEDED = inspect.Parameter.empty
ARGS = re.compile(r"^Args:\n((?:    .*\n?)+)\n*", re.M)

Record = type[msgspec.Struct]


class Wanted(NamedTuple):
    """One value that a function asks for, or one field of a record that it asks for."""

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
        return self.field if self.field and self.field not in NAMING else self.parameter


def wanted(function: Callable[..., Any], twin: Callable[..., Any]) -> Iterator[Wanted]:
    """What `function` names, then, if it takes **options, what else its twin does.

    What it takes by position stands for the twin's first parameters. A record stands for its
    fields; functions cannot be asked for.
    """
    own, more = (
        inspect.signature(function).parameters,
        inspect.signature(twin).parameters,
    )
    hints = get_type_hints(twin, include_extras=True)
    hints |= get_type_hints(function, include_extras=True)
    lines = args_of(twin) | args_of(function)
    rest = any(p.kind is p.VAR_KEYWORD for p in own.values())
    first = sum(p.kind is p.POSITIONAL_OR_KEYWORD for p in own.values())
    others = dict(list(more.items())[first:]) if rest else {}
    taken = {**own, **{name: p for name, p in others.items() if name not in own}}
    for name, p in taken.items():
        hint, several = one(hints[name])
        if p.kind is p.VAR_KEYWORD or get_origin(hint) is Callable:
            continue
        if is_record(hint):
            yield from _fields(
                name, hint, several, p.default is NEEDED, lines.get(name, "")
            )
        else:
            by_position = name in own and p.kind is p.POSITIONAL_OR_KEYWORD
            yield Wanted(
                name, hint, several, p.default, lines.get(name, ""), by_position
            )


def _fields(
    parameter: str, record: Record, several: bool, needed: bool, line: str
) -> Iterator[Wanted]:
    """What a parameter's record asks for; the field that names it is what the parameter says."""
    hints = get_type_hints(record, include_extras=True)
    lines = args_of(record) | dict.fromkeys(NAMING if line else (), line)
    for field in msgspec.structs.fields(record):
        hint, many = one(hints[field.name])
        default = field.default
        if field.required:
            default = NEEDED if needed else None
        elif default is msgspec.NODEFAULT:
            default = None
        many = several if field.name in NAMING else many
        help = lines.get(field.name, "")
        yield Wanted(parameter, hint, many, default, help, False, field.name, record)


def args_of(thing: Any) -> dict[str, str]:
    """What the `Args:` of a docstring say of each name.

    Args:
        thing: A function or a class.

    >>> args_of(args_of)
    {'thing': 'A function or a class.'}
    """
    section = ARGS.search(inspect.getdoc(thing) or "")
    entries = re.findall(
        r"^    (\w+): (.*(?:\n     .*)*)", section[1] if section else "", re.M
    )
    return {name: " ".join(text.split()) for name, text in entries}


def one(hint: Any) -> tuple[Any, bool]:
    """What one value of a type is, and whether several may be given; a number may be none.

    >>> one(str | None), one(Sequence[int]), one(str | Path | Iterable[Wanted])
    ((<class 'str'>, False), (<class 'int'>, True), (str | pathlib.Path, False))
    """
    union = get_origin(hint) in (Union, UnionType)
    parts = [
        part for part in (get_args(hint) if union else (hint,)) if part is not NoneType
    ]
    items = [get_args(part)[0] for part in parts if get_origin(part) in SEVERAL]
    if items and (len(parts) == 1 or str in (items[0], *get_args(items[0]))):
        return one(items[0])[0], True
    if hint == float | None:
        return hint, False
    if Path in parts:
        return Path if len(parts) == 1 else str | Path, False
    return next((part for part in parts if is_record(part)), parts[0]), False


def is_record(hint: Any) -> bool:
    return inspect.isclass(hint) and issubclass(hint, msgspec.Struct)
