"""What others may add to: stages, readers, exporters, kinds of task and whatever else has a table.

Built-in names are a table of places (`lazy.py`). An installed package adds its own by entry points,
a project by a plugin file that its user names; a recipe alone never makes code run. What they add
are functions marked by a decorator: `stage`, `reader`, `exporter`, `kind` and their like.
"""

from __future__ import annotations

import hashlib
import inspect
import pickle
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from ..errors import BenchwrightError, UserError, nearest
from . import lazy

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

A = TypeVar("A")
B = TypeVar("B")
F = TypeVar("F", bound=Callable[..., Any])
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")  # names become folders
BUILT_IN = "built in"


def mark(kind: str, name: str, **facts: Any) -> Callable[[F], F]:
    """Say that a function is the stage (reader, ...) `name`; it stays a plain function.

    >>> mark("stage", "upper", version="1")(lambda problem: problem).__stage__
    {'name': 'upper', 'version': '1'}
    """
    if not (isinstance(name, str) and NAME.fullmatch(name)):
        raise UserError(
            f"{kind} {name!r}", "use letters, digits, '.', '_', '-' as a name"
        )

    def marked(function: F) -> F:
        if not inspect.isfunction(function) or hasattr(function, f"__{kind}__"):
            raise UserError(
                f"{kind} {name!r} is no function of its own", f"@{kind} marks one"
            )
        setattr(function, f"__{kind}__", {"name": name, **facts})
        return function

    return marked


class Entry(msgspec.Struct, frozen=True):
    """One name: where it lives, who brought it, and how to get it."""

    name: str
    place: str  # a module, or a plugin file
    origin: str  # built in, a package and its version, or a plugin file
    load: Callable[[], Any]


class Registry:
    """All names of one kind; iterating gives the entries: built in, of plugins, of packages.

    >>> Registry("colour", {"gold": "check.gold:gold"}).load("gild")
    Traceback (most recent call last):
    benchwright.errors.UserError: unknown colour 'gild': did you mean 'gold'? known: gold ...
    """

    def __init__(
        self,
        kind: str,
        places: dict[str, str],
        called: str = "",
        group: str = "",
        consulted: bool = False,
    ) -> None:
        self.kind = kind
        self.consulted = consulted  # by built-in stages and readers, while they work
        self.group = group or f"{kind}s"  # of the entry points
        self.places = places  # name -> "module:attribute" below this package
        self.called = called or kind
        _KNOWN.setdefault(kind, self)

    def __iter__(self) -> Iterator[Entry]:
        for name, place in self.places.items():
            yield Entry(
                name, place.split(":")[0], BUILT_IN, partial(self._built_in, name)
            )
        for plugin in _ACTIVE.get():
            for name, function in _run(plugin).get(self.kind, {}).items():
                yield Entry(name, plugin.file, plugin.file, partial(_itself, function))
        for name, points in _points(self.group).items():
            yield _entry(self, name, points)

    def __contains__(self, name: object) -> bool:
        return name in self.places or any(entry.name == name for entry in self)

    def load(self, name: str) -> Any:
        """The object called `name`. Raises UserError naming the nearest known one."""
        for entry in self:
            if entry.name == name:
                return entry.load()
        remedy = nearest(name, [entry.name for entry in self])
        raise UserError(
            f"unknown {self.called} {name!r}", f"{remedy} (--plugin FILE adds your own)"
        )

    def every(self) -> list[Any]:
        """All objects, built in and added. Raises UserError for one that cannot be had."""
        return _loaded(self, _ACTIVE.get(), True)

    def added(self) -> list[Any]:
        """The objects that are not built in."""
        return _loaded(self, _ACTIVE.get(), False)

    def _built_in(self, name: str) -> Any:
        return lazy.load(name, self.places, self.called)


_KNOWN: dict[
    str, Registry
] = {}  # by kind; a house has made its own before anybody can mark

# Entry points of installed packages.


@cache
def _points(group: str) -> dict[str, list[EntryPoint]]:
    from importlib.metadata import entry_points

    points: dict[str, list[EntryPoint]] = {}
    installed = entry_points(group=f"benchwright.{group}")
    for point in sorted(
        installed, key=lambda p: (p.name, p.dist.name if p.dist else "")
    ):
        points.setdefault(point.name, []).append(point)
    return points


def _entry(registry: Registry, name: str, points: list[EntryPoint]) -> Entry:
    packages = [
        f"{p.dist.name} {p.dist.version}" if p.dist else p.value for p in points
    ]
    origin = ", ".join(packages)

    def load() -> Any:
        owners = ([BUILT_IN] if name in registry.places else []) + packages
        if len(owners) > 1:
            raise UserError(
                f"{registry.kind} {name!r} exists twice: {', '.join(owners)}",
                "remove one",
            )
        return _imported(registry.kind, points[0], origin)

    return Entry(name, points[0].module, origin, load)


def _imported(kind: str, point: EntryPoint, origin: str) -> Any:
    try:
        function = point.load()
    except (Exception, SystemExit) as error:
        raise UserError(
            f"{kind} {point.name!r} of the package {origin} cannot be imported from "
            f"{point.value}{_at(error)}: {_cause(error)}",
            "repair the package, or uninstall it",
        ) from error
    if getattr(function, f"__{kind}__", {}).get("name") != point.name:
        raise UserError(
            f"{point.value} of the package {origin} is no {kind} called {point.name!r}",
            f"mark the function with @{kind}({point.name!r})",
        )
    return function


# Plugin files.


def _itself(value: A) -> A:
    return value


class Plugin(msgspec.Struct, frozen=True):
    """A plugin file as it stood when it was named; it travels to workers with its text."""

    file: str  # as its user names it
    path: str  # absolute
    text: bytes

    @property
    def module(self) -> str:
        digest = hashlib.sha256(self.path.encode() + b"\0" + self.text).hexdigest()
        return f"plugin_{Path(self.path).stem}_{digest[:12]}"


_ACTIVE: ContextVar[tuple[Plugin, ...]] = ContextVar("plugins", default=())


@contextmanager
def plugged(files: Sequence[str | Path]) -> Iterator[None]:
    """Within it the names that plugin files add are known. Each file runs once in a process.

    Raises UserError, naming file and line, for a file that cannot be read or fails, that adds
    nothing, or that adds a name which exists.
    """
    token = _ACTIVE.set(_ACTIVE.get())
    try:
        for file in files:
            plugin = _read(file)
            if plugin not in _ACTIVE.get():
                _refuse_known_names(plugin)
                _ACTIVE.set((*_ACTIVE.get(), plugin))
        yield
    finally:
        _ACTIVE.reset(token)


def _read(file: str | Path) -> Plugin:
    try:
        return Plugin(str(file), str(Path(file).resolve()), Path(file).read_bytes())
    except OSError as error:
        raise UserError(
            f"cannot read the plugin {file}: {error.strerror}", "name a Python file"
        ) from error


@cache
def _run(plugin: Plugin) -> dict[str, dict[str, Callable[..., Any]]]:
    """Run the file; its marked functions by kind and name."""
    module = ModuleType(plugin.module)
    module.__file__ = plugin.path
    module.__dict__["__plugin__"] = plugin
    sys.modules[plugin.module] = module  # pickle finds its functions there
    try:
        # what was read is run, not what a stale __pycache__ holds; results alone go to stdout
        with redirect_stdout(sys.stderr):
            exec(
                compile(plugin.text, plugin.path, "exec", dont_inherit=True),
                module.__dict__,
            )
        added = _marked(plugin, module)
    except (Exception, SystemExit) as error:
        del sys.modules[plugin.module]
        raise UserError(
            f"the plugin {plugin.file}{_line(error, plugin.path)} fails: {_cause(error)}",
            f"mend it; `python {plugin.file}` shows the same",
        ) from error
    if not added:
        raise UserError(
            f"the plugin {plugin.file} adds nothing",
            "mark a function: @stage, @reader, @exporter, @kind, ... (docs/guides.md)",
        )
    return added


def _marked(
    plugin: Plugin, module: ModuleType
) -> dict[str, dict[str, Callable[..., Any]]]:
    added: dict[str, dict[str, Callable[..., Any]]] = {}
    for function in vars(module).values():
        if getattr(function, "__module__", None) != plugin.module:
            continue  # imported from elsewhere
        for kind in _KNOWN:
            if facts := getattr(function, f"__{kind}__", None):
                names = added.setdefault(kind, {})
                if names.setdefault(facts["name"], function) is not function:
                    line = function.__code__.co_firstlineno
                    raise UserError(f"line {line}: a second {kind} {facts['name']!r}")
    return added


def _refuse_known_names(plugin: Plugin) -> None:
    for kind, functions in _run(plugin).items():
        for name, function in functions.items():
            for entry in _KNOWN[kind]:
                if entry.name == name:
                    at = f"{plugin.file}:{function.__code__.co_firstlineno}"
                    raise UserError(
                        f"{at}: {kind} {name!r} exists ({entry.origin})",
                        "give it another name",
                    )


def _line(error: BaseException, path: str) -> str:
    """`:12`, the line of the file at which it failed; nothing where it never got there."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return f":{error.lineno}"
    lines = [
        f.lineno
        for f in traceback.extract_tb(error.__traceback__)
        if f.filename == path
    ]
    return f":{lines[-1]}" if lines else ""


def _at(error: BaseException) -> str:
    """` (file:line)`, the last place outside of this package; nothing where it has none."""
    if isinstance(error, SyntaxError):
        return f" ({error.filename}:{error.lineno})"
    places = [
        (frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__", "").split(".")[0]
        not in (lazy.PACKAGE, "importlib")
    ]
    return f" ({places[-1][0]}:{places[-1][1]})" if places else ""


def _cause(error: BaseException) -> str:
    if isinstance(error, BenchwrightError):
        return str(error)
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}"


@cache
def _loaded(
    registry: Registry, plugins: tuple[Plugin, ...], built_in: bool
) -> list[Any]:
    return [entry.load() for entry in registry if built_in or entry.origin != BUILT_IN]


def consulted() -> list[Callable[..., Any]]:
    """What others added that built-in stages and readers ask: their results depend on it, too."""
    return [
        f
        for _, registry in sorted(_KNOWN.items())
        if registry.consulted
        for f in registry.added()
    ]


def is_plugged() -> bool:
    """Whether anything here is not built in: a plugin file, or a package's entry points."""
    return bool(_ACTIVE.get()) or any(
        _points(registry.group) for registry in _KNOWN.values()
    )


# Plugins on worker processes.


def travelling(
    function: Callable[[A], B],
) -> tuple[Callable[[Any], B], Callable[[A], Any]]:
    """A function for workers, which takes along the active plugin files, and how to pack its tasks.

    Both travel as bytes: Dask's scheduler opens what it passes on, and has no plugins.
    """
    plugins = _ACTIVE.get()
    if not plugins:
        return function, _itself
    return partial(_arrived, plugins, pickle.dumps(function)), pickle.dumps


def _arrived(plugins: tuple[Plugin, ...], function: bytes, task: bytes) -> Any:
    for plugin in plugins:
        _run(plugin)  # first: what plugins define is unpickled by name
    token = _ACTIVE.set(plugins)
    try:
        return pickle.loads(function)(pickle.loads(task))
    finally:
        _ACTIVE.reset(token)
