"""Diagram specs: strict YAML, and the one way every item of a spec is read.

An item is a mapping whose one *operation* key names a function and holds its first argument; its
other keys are that function's keyword-only arguments. So the operations are plain functions, and
their signatures are the grammar:

    draw:  - {circle: O, radius: 3, dash: true}   ->   circle(O, radius=3)
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

from ...base.yaml_lines import located, refuse_repeated
from ...errors import UserError, nearest

SECTIONS = (
    "kind", "title", "points", "solve", "solids", "construct", "axes", "draw", "marks", "labels",
    "check", "hide", "projection", "background", "erase", "chart", "net", "views", "note",
    "scale", "panels", "frame",
)  # fmt: skip
KINDS = ("plane", "solid", "function", "line", "picture", "chart", "net", "views")
MAX_ITEMS = 100  # of one section: more cannot be read in one picture
MAX_CHARACTERS = 100_000
NAME = r"[A-Za-z](?:_?[0-9]{1,3})?'{0,2}"  # of a point: A, B1, C_2', D''
ROW_OF_NAMES = re.compile(f"(?:{NAME})+")  # ABC, AB1C'
SHAPES = {"points": dict, "construct": dict, "axes": dict}  # of sections


class SpecItem(msgspec.Struct, frozen=True):
    """One line of a spec: operation, its first argument, its options, where it stands."""

    op: str
    value: Any
    options: dict[str, Any]
    tags: frozenset[str]
    where: str

    def error(self, message: str, remedy: str = "") -> UserError:
        return UserError(f"{self.where} ({self.op}): {message}", remedy)


class _Loader(yaml.SafeLoader):
    """Safe YAML whose only booleans are true and false, so that keys `on` and `y` are words."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise UserError("aliases are not allowed in a diagram spec", "write it out")
        return super().compose_node(parent, index)


def _null_and_merge(resolvers: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return [pair for pair in resolvers if pair[0].endswith((":null", ":merge"))]


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    refuse_repeated(node)
    mapping = loader.construct_mapping(node, deep=True)
    return {str(key): value for key, value in mapping.items()}


# What is no word: beside null and merge only this, and no 1:30, 0x1F, yes, or dates.
_BOOL = r"true|false"
_INT = r"[-+]?[0-9]+"
_FLOAT = r"[-+]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)(?:[eE][-+]?[0-9]+)?"
_Loader.yaml_implicit_resolvers = {
    first: _null_and_merge(resolvers)
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _tag, _pattern, _first in (
    ("bool", _BOOL, "tf"),
    ("int", _INT, "-+0123456789"),
    ("float", _FLOAT, "-+.0123456789"),
):
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(rf"^(?:{_pattern})$"), list(_first)
    )
_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def read_spec(spec: Mapping[str, Any] | str, name: str = "spec") -> dict[str, Any]:
    """A spec from YAML text or a mapping, with its sections checked.

    >>> read_spec("points: {A: [0, 0], B: [4, 0]}")["points"]["B"]
    [4, 0]

    Raises UserError for unreadable YAML, unknown sections, and sections of the wrong shape.
    """
    data = _load(spec, name) if isinstance(spec, str) else _as_words(dict(spec))
    for key in data:
        if key not in SECTIONS:
            remedy = nearest(str(key), list(SECTIONS))
            raise UserError(f"{name}: unknown section {key!r}", remedy)
    kind = data.get("kind", "plane")
    if kind not in KINDS:
        raise UserError(f"{name}: kind {kind!r}", nearest(str(kind), list(KINDS)))
    for key, shape in SHAPES.items():
        if not isinstance(data.get(key) or shape(), shape):
            expected = "a mapping" if shape is dict else "a list"
            raise UserError(f"{name}: {key} is {data[key]!r}", f"write {expected}")
    for key in ("points", "construct", "hide"):
        if len(data.get(key) or ()) > MAX_ITEMS:
            raise UserError(
                f"{name}: {len(data[key])} {key}", f"the limit is {MAX_ITEMS}"
            )
    return data


def _as_words(value: Any) -> Any:
    """A mapping that a YAML 1.1 reader made: its key `on` came out as true."""
    if isinstance(value, Mapping):
        return {
            "on" if key is True else str(key): _as_words(entry)
            for key, entry in value.items()
        }
    if isinstance(value, list):
        return [_as_words(entry) for entry in value]
    return value


def _load(text: str, name: str) -> dict[str, Any]:
    if len(text) > MAX_CHARACTERS:
        raise UserError(
            f"{name} has {len(text):,} characters", f"limit: {MAX_CHARACTERS:,}"
        )
    data = located(Path(name), text, _Loader).data
    if not isinstance(data, dict):
        raise UserError(f"{name} is no mapping", "start with points: or axes:")
    return data


def items(
    spec: Mapping[str, Any],
    section: str,
    ops: typing.Iterable[str],
    tag: str,
    other_tags: Mapping[str, str] | None = None,
) -> list[SpecItem]:
    """The items of one section; `tag` is their default tag, `other_tags` those of some operations.

    An item's `tag` may be a role (DI, IP, EC), the id of a condition, or a list of these.
    """
    entries = spec.get(section) or []
    if not isinstance(entries, list):
        raise UserError(
            f"{section} is no list", "write one '- {operation: ...}' a line"
        )
    if len(entries) > MAX_ITEMS:
        raise UserError(
            f"{section} has {len(entries)} items", f"the limit is {MAX_ITEMS}"
        )
    tags = dict.fromkeys(ops, tag) | dict(other_tags or {})
    return [_item(entry, f"{section}[{k}]", tags) for k, entry in enumerate(entries)]


def _item(entry: Any, where: str, ops: dict[str, str]) -> SpecItem:
    if not isinstance(entry, Mapping):
        raise UserError(f"{where}: {entry!r} is no item", "write {operation: argument}")
    options = dict(entry)
    op = next((key for key in options if key in ops), None)
    if op is None:
        first = str(next(iter(options), ""))
        raise UserError(
            f"{where}: no operation in {dict(entry)!r}", nearest(first, list(ops))
        )
    value = options.pop(op)
    tags = options.pop("tag", ops[op])
    if not isinstance(tags, list):
        tags = [tags]
    return SpecItem(op, value, options, frozenset(map(str, tags)), where)


@cache
def signature(
    function: Callable[..., Any],
) -> tuple[dict[str, Any], dict[str, Any], set[str]]:
    """Types of the positional and of the keyword-only arguments, and which are required."""
    hints = typing.get_type_hints(function, include_extras=True)
    positional = {}
    named = {}
    required = set()
    for param in inspect.signature(function).parameters.values():
        if param.kind is param.POSITIONAL_OR_KEYWORD:
            positional[param.name] = hints[param.name]
        elif param.kind is param.KEYWORD_ONLY:
            named[param.name] = hints[param.name]
        else:
            continue
        if param.default is param.empty:
            required.add(param.name)
    return positional, named, required


# From a value and a type to the argument; raises ValueError.
ArgumentConverter = Callable[[Any, Any], Any]


def call(
    function: Callable[..., Any],
    item: SpecItem,
    convert: ArgumentConverter,
    *first: Any,
) -> Any:
    """Call an operation with an item's argument and options, converted by its signature.

    A ValueError of the operation becomes a UserError that names the item.
    """
    values, options = arguments(function, item, convert, *first)
    try:
        return function(*first, *values, **options)
    except ValueError as error:
        raise item.error(str(error)) from error


def arguments(
    function: Callable[..., Any],
    item: SpecItem,
    convert: ArgumentConverter,
    *first: Any,
) -> tuple[list[Any], dict[str, Any]]:
    """The argument and the options of an item, converted; several arguments are its value's list.

    Raises UserError that names the item.
    """
    positional, named, required = signature(function)
    types = dict(list(positional.items())[len(first) :])
    least = sum(name in required for name in types)
    try:
        values = item.value
        if len(types) == 1:
            values = [values]
        elif types and isinstance(values, str) and ROW_OF_NAMES.fullmatch(values):
            values = re.findall(NAME, values)
        if not isinstance(values, list) or not least <= len(values) <= len(types):
            raise ValueError(f"needs [{', '.join(types)}], got {item.value!r}")
        for key in item.options:
            if key not in named:
                raise item.error(f"no option {key!r}", nearest(key, list(named)))
        missing = sorted(required & named.keys() - item.options.keys())
        if missing:
            raise ValueError(f"needs {missing[0]!r}")
        converted = [
            convert(value, kind)
            for value, kind in zip(values, types.values(), strict=False)
        ]
        options = {
            key: convert(value, named[key]) for key, value in item.options.items()
        }
        return converted, options
    except ValueError as error:
        raise item.error(str(error)) from error
