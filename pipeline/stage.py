"""Stages: plain functions on problems, with a name and options.

A stage is per problem (`Problem -> Problem | [Problem] | Drop`) or whole set
(`list[Problem] -> Iterable[Problem | Drop]`; who asks for a `Sequence[Problem]` gets problems that
stay on disk, and are decoded whenever they are asked for). Its keyword-only arguments are the
recipe's keys; a `Path` option is relative to the recipe and its content counts in the cache key;
an argument named `context` receives the `Context`. `runner.py` runs them.
"""

from __future__ import annotations

import inspect
import typing
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ..base.bugs import bug
from ..base.files import Records, encode, read_jsonl
from ..base.registry import Registry, mark
from ..base.terminal import say
from ..errors import UserError, nearest
from ..problem import Problem
from .engine import Engine


class Context(msgspec.Struct):
    """What a stage may know of the build it runs in."""

    recipe_folder: Path  # option paths are relative to it
    work: Path  # the build's work folder; pictures lie below it as `Image.path` says
    seed: int = 0
    engine: Engine = Engine()
    recipe: str = "RECIPE"  # its file's name, for commands that a stage tells
    tables: dict[
        str, list[Any]
    ] = {}  # side tables: name -> rows, written as <name>.jsonl
    drew: bool = False  # whether the seed was asked for: what is made then is made with this seed
    sink: Callable[[str, bytes], None] | None = (
        None  # takes rows of side tables away at once
    )
    recorded: Counter[str] = msgspec.field(
        default_factory=Counter
    )  # rows of each, gone or here

    def __post_init__(self) -> None:
        """Workers may stand in another folder."""
        self.recipe_folder, self.work = (
            self.recipe_folder.absolute(),
            self.work.absolute(),
        )

    def __getattribute__(self, name: str) -> Any:
        if name == "seed":
            self.drew = True
        return super().__getattribute__(name)

    def record(self, name: str, row: Any) -> None:
        """Add a row to the stage's side table `<name>.jsonl` (findings, changes, pairs, ...)."""
        self.recorded[name] += 1
        if self.sink is not None:
            self.sink(name, encode(row))
        else:
            self.tables.setdefault(name, []).append(row)


class Stage(msgspec.Struct, frozen=True):
    """A function with its name; `whole_set` says which kind it is."""

    name: str
    function: Callable[..., Any]
    whole_set: bool = False
    check: Callable[[dict[str, Any]], None] | None = (
        None  # of the options, before any work
    )
    # of the whole, before it counts; rows for side tables
    settled: Callable[[Path, dict[str, Any]], dict[str, list[bytes]] | None] | None = (
        None
    )

    def options(self, values: dict[str, Any], context: Context) -> dict[str, Any]:
        """The recipe's options, checked and converted by the function's signature."""
        try:
            hints = typing.get_type_hints(self.function, include_extras=True)
        except Exception as error:
            raise bug(
                f"stage {self.name!r}", self.function, error, "its annotations"
            ) from error
        keywords = [
            p
            for p in inspect.signature(self.function).parameters.values()
            if p.kind is p.KEYWORD_ONLY and p.name != "context"
        ]
        accepted = [p.name for p in keywords]
        for p in keywords:
            if p.default is p.empty and p.name not in values:
                raise UserError(
                    f"stage {self.name!r} needs the option {p.name!r}", "add it"
                )
        options: dict[str, Any] = {}
        for key, value in values.items():
            if key not in accepted:
                raise UserError(
                    f"stage {self.name!r} has no option {key!r}", nearest(key, accepted)
                )
            options[key] = _convert(
                value,
                hints.get(key, Any),
                f"option {key!r} of stage {self.name!r}",
                context,
            )
        if self.check is not None:
            self.check(options)
        return options

    def taking(self, source: Path) -> Sequence[Problem]:
        """The whole set as the function asks for it: a list, or a sequence that stays on disk."""
        first = next(iter(inspect.signature(self.function).parameters))
        if typing.get_type_hints(self.function).get(first) == Sequence[Problem]:
            return Records(source, msgspec.json.Decoder(Problem).decode)
        return list(read_jsonl(source, Problem))

    def meant(self, values: dict[str, Any]) -> dict[str, Any]:
        """The recipe's options with the defaults of those that it leaves out, by name."""
        parameters = inspect.signature(self.function).parameters.values()
        defaults = {
            p.name: msgspec.to_builtins(p.default, enc_hook=str)
            for p in parameters
            if p.kind is p.KEYWORD_ONLY
            and p.default is not p.empty
            and p.name != "context"
        }
        return dict(sorted((defaults | values).items()))


F = TypeVar("F", bound=Callable[..., Any])


def stage(
    name: str,
    *,
    whole_set: bool = False,
    check: Callable[[dict[str, Any]], None] | None = None,
    settled: Callable[[Path, dict[str, Any]], dict[str, list[bytes]] | None]
    | None = None,
) -> Callable[[F], F]:
    """Mark a function as a stage; it stays a plain function.

    `check` raises UserError for options that cannot be meant, before the build does any work;
    `settled` for a result that must not stand, by the stage's folder and options. It may return
    rows for side tables, by their names: what only the whole shows.
    """
    return mark("stage", name, whole_set=whole_set, check=check, settled=settled)


# Where each stage of a recipe lives; a line here and `@stage` above the function make one.
BUILT_IN = {
    "errata": "exports.errata:errata",
    "check": "check.stage:check",
    "gold": "check.gold:gold",
    "select": "check.select:select",
    "options": "check.multiple_choice:options",
    "captions": "check.captions:captions",
    "html": "convert.stages:html",
    "mathml": "convert.stages:mathml",
    "mmd": "convert.stages:mmd",
    "text": "convert.stages:text",
    "latex": "convert.stages:latex",
    "open-ended": "convert.stages:open_ended",
    "suggestions": "convert.stages:suggestions",
    "dedup": "dedup.stage:dedup",
    "label": "annotate.stages:label",
    "level": "taxonomy.stages:level",
    "difficulty": "taxonomy.stages:difficulty",
    "steps": "annotate.stages:steps",
    "spans": "render.stages:spans",
    "versions": "render.stages:versions",
    "looks": "render.stages:looks",
    "vary": "living.stages:vary",
    "withdraw": "exports.withdraw:withdraw",
}
STAGES = Registry("stage", BUILT_IN)


def load_stage(name: str) -> Stage:
    """The stage a recipe calls `name`. Raises UserError naming the nearest known one."""
    function = STAGES.load(name)
    return Stage(function=function, **function.__stage__)


class Later:
    """Marks a file that people write after the first build: `Annotated[Path | None, Later]`."""


def _convert(value: Any, hint: Any, what: str, context: Context) -> Any:
    later = typing.get_origin(hint) is typing.Annotated and Later in typing.get_args(
        hint
    )
    hint = typing.get_args(hint)[0] if later else hint
    is_path = hint is Path or Path in typing.get_args(hint)
    if is_path and isinstance(value, str):
        path = context.recipe_folder / value
        if not path.exists() and later and path.parent.is_dir():
            say(f"{what}: {value} is not there yet")
            return None
        if not path.exists():
            raise UserError(
                f"{what}: {path} does not exist",
                "correct the path; it is relative to the recipe",
            )
        return path
    try:
        return msgspec.convert(value, hint)
    except msgspec.ValidationError as error:
        cause = str(error).replace("`", "")
        if typing.get_origin(hint) is typing.Literal:
            choices = [str(choice) for choice in typing.get_args(hint)]
            raise UserError(
                f"{what} is {value!r}", nearest(str(value), choices)
            ) from error
        raise UserError(f"{what} is {value!r}: {cause}", "correct it") from error
