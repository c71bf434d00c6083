"""Pages made while the site is built, as Markdown: nothing here names a command or a function."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

import benchwright
import click
import msgspec
from benchwright import problem
from benchwright.cli import cli
from benchwright.evaluate.metrics import Result
from benchwright.front_door import PLACES
from changelog import fragments, joined  # type: ignore[import-not-found]
from click.testing import CliRunner

NO_HOUSES = ("tests", "bench", "examples", "docs")
HOME = "https://github.com/benchwright/benchwright/blob/main/"
RAW = "https://raw.githubusercontent.com/benchwright/benchwright/main/"

# page of the Python reference -> the houses whose public names stand on it; `data` has the rest
ROLES = {
    "build": ("building", "check", "exports", "pipeline", "release", "serving"),
    "label": ("annotate", "taxonomy"),
    "draw": ("render",),
    "score": ("evaluate", "llm", "base"),  # base: answer kinds
    "convert": ("convert",),
    "dedup": ("dedup",),
    "data": (),
}


# -- files of the repository ------------------------------------------------------


def root_file(name: str) -> str:
    """A file of the repository's root, its links led to the pages of the site."""
    text = (Path(__file__).parents[1] / name).read_text("utf-8")
    text = text.replace("](docs/", "](../")
    return re.sub(r"\]\(([A-Z]+\.md)\)", lambda link: f"]({link[1].lower()})", text)


def first_page() -> str:
    """What the README says before it goes into detail; its addresses lead into the site."""
    text = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
    text = text.partition("## Your own benchmark")[0]
    return text.replace(f"{HOME}docs/", "").replace(f"{RAW}docs/", "")


def changelog_page() -> str:
    """The changelog with what is not released yet."""
    text: str = joined(root_file("CHANGELOG.md"), fragments())
    return text


def guide_page() -> str:
    """The pages in `guides/`, whatever lies there."""
    guides = sorted(
        path.stem for path in (Path(__file__).parent / "guides").glob("*.md")
    )
    return "\n".join(
        ["```{toctree}", *(f"guides/{name}" for name in guides), "```", ""]
    )


# -- commands ------------------------------------------------------------------


def command_page() -> str:
    """One section a command, with what `--help` prints."""
    top = click.Context(cli, info_name="benchwright", terminal_width=88)
    return "\n".join(_sections(cli, top))


def _sections(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, parent=context, info_name=name)
        if isinstance(command, click.Group):
            yield from _sections(command, inner)
        else:
            title = inner.command_path.removeprefix("benchwright ")
            yield f"## {title}\n\n```text\n{command.get_help(inner)}\n```\n"


def stage_page() -> str:
    """What `benchwright stages` prints: stages, their options, readers."""
    done = CliRunner().invoke(cli, ["stages"])
    if done.exit_code:
        raise RuntimeError(f"benchwright stages failed: {done.output}")
    return f"```console\n$ benchwright stages\n{done.output}```\n"


# -- Python ---------------------------------------------------------------------


def front_door_page() -> str:
    """Every public name of the package with its first line, role by role."""
    parts = []
    for role in ROLES:
        lines = [
            f"- {{py:obj}}`{name} <benchwright.{name}>`: {_first(name)}"
            for name in _of(role)
        ]
        parts.append(
            "\n".join([f"## [{role.title()}](python/{role}.md)", "", *lines, ""])
        )
    pages = [f"python/{role}" for role in ROLES]
    return "\n".join([*parts, "```{toctree}", ":hidden:", "", *pages, "```", ""])


def role_page(role: str) -> str:
    """The public names of one role, in the order of the front door."""
    return _documented("benchwright", _of(role))


def _of(role: str) -> list[str]:
    return [name for name in PLACES if _role(getattr(benchwright, name)) == role]


def _role(thing: Any) -> str:
    house = getattr(thing, "__module__", "").split(".")[1:2]
    return next(
        (role for role, houses in ROLES.items() if {*house} & {*houses}), "data"
    )


def _first(name: str) -> str:
    return (inspect.getdoc(getattr(benchwright, name)) or "").split("\n")[0]


def room_page() -> str:
    """Every house and room with the names of its door."""
    parts = []
    for name in rooms():
        door = importlib.import_module(name)
        public = _given(door)
        if public:
            own = name.removeprefix("benchwright.")
            # many are public names, too
            names = _documented(name, sorted(public, key=str.lower), "   :no-index:")
            parts.append(f"## {own}\n\n{inspect.getdoc(door)}\n\n{names}")
    return "\n".join(parts)


def _given(door: ModuleType) -> list[str]:
    """The names that a door imports from the files of its room."""
    nodes = ast.walk(ast.parse(inspect.getsource(door)))
    inner = (
        node for node in nodes if isinstance(node, ast.ImportFrom) and node.level == 1
    )
    return [name.asname or name.name for node in inner for name in node.names]


def rooms() -> list[str]:
    """The packages of benchwright, sorted: houses and their rooms."""
    found = []
    for house in pkgutil.iter_modules(benchwright.__path__):
        if house.ispkg and house.name not in NO_HOUSES:
            path, name = (
                f"{benchwright.__path__[0]}/{house.name}",
                f"benchwright.{house.name}",
            )
            inner = pkgutil.walk_packages([path], f"{name}.")
            found += [name, *(module.name for module in inner if module.ispkg)]
    return sorted(found)


def _documented(module: str, names: list[str], *options: str) -> str:
    """Directives for `names` of `module`, in one block; the version is no part of it."""
    owner = importlib.import_module(module)
    lines = ["```{eval-rst}"]
    for name in names:
        if directive := _directive(getattr(owner, name)):
            kind, *own = directive
            lines += [f".. {kind}:: {module}.{name}", *own, *options, ""]
    return "\n".join([*lines, "```", ""])


def _directive(thing: Any) -> list[str]:
    """What documents a thing, and with which options; nothing for a module."""
    if inspect.ismodule(thing):
        return []
    if inspect.isclass(thing):
        kind = "autoexception" if issubclass(thing, BaseException) else "autoclass"
        return [kind, "   :members:"]
    if callable(thing) and hasattr(thing, "__name__"):
        return ["autofunction"]
    return ["py:data", f"   :type: {type(thing).__name__}"]


def restructured(lines: list[str]) -> list[str]:
    """A docstring of plain text as reStructuredText: examples and indented blocks stay as they are.

    >>> restructured(["Reads `a*b*`.", "", "    x_ = 1"])
    ['Reads ``a*b*``.', '', '::', '', '    x_ = 1', '']
    >>> restructured(["Args:", "    a: One", "        thing.", "    b: `x`."])
    [':param a: One thing.', ':param b: ``x``.', '']
    """
    out: list[str] = []
    for block in "\n".join(lines).strip("\n").split("\n\n"):
        if block.lstrip().startswith(">>>"):
            out += [*inspect.cleandoc(block).splitlines(), ""]
        elif block.startswith("Args:\n"):
            out += [*_parameters(block), ""]
        elif block.startswith((" ", "\n ")):
            out += ["::", "", *block.splitlines(), ""]
        else:
            out += [*_inline(block).splitlines(), ""]
    return out


def _parameters(block: str) -> Iterator[str]:
    """The entries of an `Args:` section as a list of fields."""
    for entry in re.split(r"\n    (?=\w+: )", block)[1:]:
        name, _, text = " ".join(entry.split()).partition(": ")
        yield f":param {name}: {_inline(text)}"


def _inline(text: str) -> str:
    """Code between backticks; everything else is to be read as it stands."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return _plain(text)
    return "".join(f"``{p}``" if k % 2 else _plain(p) for k, p in enumerate(parts))


def _plain(text: str) -> str:
    return re.sub(r"([\\*_|`\[\]])", r"\\\1", text)


# -- data -----------------------------------------------------------------------


def data_page() -> str:
    """A table of fields for every record that stands in a file."""
    records: list[type[msgspec.Struct]] = [
        kind
        for kind in vars(problem).values()
        if inspect.isclass(kind)
        and issubclass(kind, problem.Record)
        and kind is not problem.Record
    ]
    records.append(Result)
    return "\n".join(_record(kind) for kind in records)


def _record(kind: type[msgspec.Struct]) -> str:
    said = dict(re.findall(r"^    (\w+):.*?  # (.*)$", inspect.getsource(kind), re.M))
    hints = get_type_hints(kind)
    rows = [
        f"| `{field.encode_name}` | `{_type(hints[field.name])}` | {_default(field)} "
        f"| {said.get(field.name, '')} |".replace("  |", " |")
        for field in msgspec.structs.fields(kind)
    ]
    head = ["| field | type | default | |", "|---|---|---|---|"]
    return "\n".join(
        [f"## {kind.__name__}\n", f"{inspect.getdoc(kind)}\n", *head, *rows, ""]
    )


def _type(hint: Any) -> str:
    name = (
        hint.__name__
        if inspect.isclass(hint) and not hasattr(hint, "__args__")
        else str(hint)
    )
    name = re.sub(r"\b(?:typing|benchwright(?:\.\w+)*)\.", "", name).replace(
        "NoneType", "None"
    )
    return name.replace("|", "\\|")


def _default(field: Any) -> str:
    if field.required:
        return "required"
    if field.default_factory is not msgspec.NODEFAULT:
        return f"`{msgspec.json.encode(field.default_factory()).decode()}`"
    return f"`{msgspec.json.encode(field.default).decode()}`"


PAGES = {
    "index": first_page,
    "reference/commands": command_page,
    "reference/stages": stage_page,
    "reference/python": front_door_page,
    **{f"reference/python/{role}": partial(role_page, role) for role in ROLES},
    "reference/rooms": room_page,
    "reference/data": data_page,
    "guides": guide_page,
    "project/contributing": partial(root_file, "CONTRIBUTING.md"),
    "project/security": partial(root_file, "SECURITY.md"),
    "project/changelog": changelog_page,
}
