"""How much a reader must understand: syntax nodes, options and names at doors, house by house.

Lines are not counted against anybody: they may grow as they like. `make size` prints the table;
tests/test_size.py holds two of its figures.
"""

from __future__ import annotations

import ast
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import click
from command_tree import commands

ROOT = Path(__file__).parents[2]
NO_PRODUCT = ("tests/", "bench/", "docs/", "examples/", ".")

# A reader does not stop at these: imports, operators, and whether a name is read or set.
QUIET = (
    ast.alias,
    ast.boolop,
    ast.cmpop,
    ast.expr_context,
    ast.Import,
    ast.ImportFrom,
    ast.operator,
    ast.unaryop,
)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
COLUMNS = ("files", "lines", "code", "nodes", "per line", "patterns", "skips", "names")


def product_files() -> list[Path]:
    """The Python files of the product that git tracks."""
    listed = subprocess.run(
        ["git", "ls-files", "*.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = listed.stdout.split()
    return [ROOT / name for name in names if not name.startswith(NO_PRODUCT)]


def measure(path: Path) -> Counter[str]:
    """Lines, code lines (no blanks, comments, docstrings, imports) and syntax nodes of a file."""
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    hidden = set(hidden_lines(tree))
    annotations = annotation_nodes(tree)
    lines = text.splitlines()
    code = [
        line
        for number, line in enumerate(lines, 1)
        if number not in hidden and line.strip() and not line.strip().startswith("#")
    ]
    nodes = [
        node
        for node in ast.walk(tree)
        if id(node) not in annotations and not isinstance(node, QUIET)
    ]
    return Counter(
        files=1,
        lines=len(lines),
        code=len(code),
        nodes=len(nodes),
        comprehensions=sum(isinstance(node, COMPREHENSIONS) for node in nodes),
        patterns=sum(is_pattern(node) for node in nodes),
        skips=text.count("# fmt: skip"),
        names=len(names_at_door(tree)) if path.name == "__init__.py" else 0,
    )


def hidden_lines(tree: ast.Module) -> Iterator[int]:
    """Lines of docstrings and imports."""
    for node in ast.walk(tree):
        if isinstance(node, WITH_DOCSTRING) and ast.get_docstring(node, clean=False):
            docstring = node.body[0]
            yield from range(docstring.lineno, (docstring.end_lineno or 0) + 1)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from range(node.lineno, (node.end_lineno or 0) + 1)


def annotation_nodes(tree: ast.Module) -> set[int]:
    """The ids of all nodes inside annotations."""
    inside = set()
    for node in ast.walk(tree):
        for field in ("annotation", "returns"):
            annotation = getattr(node, field, None)
            if annotation is not None:
                inside.update(id(part) for part in ast.walk(annotation))
    return inside


def is_pattern(node: ast.AST) -> bool:
    """Is this a call of `re.compile`?"""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "compile"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
    )


def names_at_door(tree: ast.Module) -> set[str]:
    """What a room's `__init__.py` imports from its files, also for type checkers only."""
    imports = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 1
    ]
    return {alias.asname or alias.name for node in imports for alias in node.names}


def by_house() -> dict[str, Counter[str]]:
    """The measures of every house, and of `all`; files of the root are the house `root`."""
    houses: dict[str, Counter[str]] = defaultdict(Counter)
    for path in product_files():
        parts = path.relative_to(ROOT).parts
        measures = measure(path)
        houses[parts[0] if len(parts) > 1 else "root"].update(measures)
        houses["all"].update(measures)
    return houses


def option_counts() -> dict[str, int]:
    """How many options each command has."""
    return {
        name: sum(isinstance(parameter, click.Option) for parameter in command.params)
        for name, command in commands()
    }


def density(measures: Counter[str]) -> float:
    """Syntax nodes on a line of code."""
    return measures["nodes"] / max(measures["code"], 1)


def densest(smallest: int = 40) -> list[tuple[float, str]]:
    """Files of more than `smallest` code lines, the densest first."""
    rows = [(measure(path), path) for path in product_files()]
    return sorted(
        (
            (density(measures), path.relative_to(ROOT).as_posix())
            for measures, path in rows
            if measures["code"] > smallest
        ),
        reverse=True,
    )


def main() -> None:
    print(f"{'house':12}" + "".join(f"{column:>10}" for column in COLUMNS))
    houses = by_house()
    for name in sorted(houses, key=lambda house: -houses[house]["nodes"]):
        cells = {**houses[name], "per line": f"{density(houses[name]):.2f}"}
        print(f"{name:12}" + "".join(f"{cells.get(c, 0):>10}" for c in COLUMNS))
    print("densest:", ", ".join(f"{path} {nodes:.1f}" for nodes, path in densest()[:6]))
    options = option_counts()
    most = sorted(options, key=lambda command: -options[command])[:6]
    print(
        f"{sum(options.values())} options of {len(options)} commands; most:",
        ", ".join(f"{command} {options[command]}" for command in most),
    )


if __name__ == "__main__":
    main()
