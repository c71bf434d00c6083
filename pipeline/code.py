"""The code behind a function as one hash: what it makes is made again when that code changes.

Imports are followed in the text of the files, inside benchwright and inside the function's own
package. A door (`__init__.py`) is looked through: only the file behind it that brings the imported
name counts. A file that mentions `__file__` or `importlib.resources` reads data beside it, which
counts too. Nothing is executed, so the hash is the same on every machine and Python.
"""

from __future__ import annotations

import hashlib
import inspect
import marshal
import re
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

PACKAGE = __name__.partition(".")[0]
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<source>\.*[\w.]*)[ \t]+import[ \t]+"
    r"(?:\((?P<many>[^)]*)\)|(?P<few>.+))"
    r"|import[ \t]+(?P<modules>[\w., \t]+))",
    re.MULTILINE,
)
_READS_DATA = re.compile(r"\b__file__\b|\bimportlib\.resources\b")


class Import(NamedTuple):
    """`from module import name as bound`; without a name the whole module is meant."""

    module: str
    name: str
    bound: str


def code_hash(*functions: Callable[..., Any]) -> str:
    """Hash of the source files that the results of `functions` depend on.

    >>> from .recipe import read_recipe
    >>> code_hash(read_recipe) == code_hash(read_recipe), len(code_hash(read_recipe))
    (True, 64)
    """
    total = hashlib.sha256()
    for function in functions:
        total.update(_hash_of(inspect.unwrap(function)))
    return total.hexdigest()


def _hash_of(function: Callable[..., Any]) -> bytes:
    try:
        file = inspect.getsourcefile(function)
    except TypeError:
        file = None
    if file is None or not Path(file).is_file():  # typed at a prompt
        return hashlib.sha256(marshal.dumps(function.__code__)).digest()
    return _hash_of_module(function.__module__, Path(file))


@lru_cache(maxsize=256)
def _hash_of_module(module: str, file: Path) -> bytes:
    roots = _roots(module)
    total = hashlib.sha256()
    for name, path in sorted(_behind(module, file, roots).items()):
        total.update(f"{name}\0{hashlib.sha256(_content(path)).hexdigest()}\n".encode())
    return total.digest()


def _roots(module: str) -> dict[str, Path]:
    """The folders of the packages inside which imports are followed."""
    roots = {}
    for name in (PACKAGE, module.partition(".")[0]):
        if folders := list(getattr(sys.modules.get(name), "__path__", [])):
            roots[name] = Path(folders[0])
    return roots


def _behind(module: str, file: Path, roots: dict[str, Path]) -> dict[str, Path]:
    """Every file that counts, by dotted name (modules) or by path below its package (data)."""
    files = {module: file}
    left = [module]
    while left:
        here = left.pop()
        for imported in _imports(here, files[here]):
            source = _source(imported, roots)
            if source and source[0] not in files:
                files[source[0]] = source[1]
                left.append(source[0])
    data = (
        (beside.relative_to(root).as_posix(), beside)
        for path in files.values()
        for root in roots.values()
        if path.parent != root
        and path.is_relative_to(root)
        and _READS_DATA.search(_text(path))
        for beside in path.parent.rglob("*")
        if beside.is_file() and beside.suffix not in (".py", ".pyc")
    )
    return files | dict(data)


def _source(imported: Import, roots: dict[str, Path]) -> tuple[str, Path] | None:
    """The module that an import brings, as (dotted name, file); None when it is another's."""
    passed = set()
    while (
        (path := _file(imported.module, roots))
        and path.name == "__init__.py"
        and imported.name
    ):
        passed.add(imported.module)
        inner = f"{imported.module}.{imported.name}"
        through = [
            i for i in _imports(imported.module, path) if i.bound == imported.name
        ]
        if through and through[0].module not in passed:
            imported = through[0]
        elif behind := _file(inner, roots):
            return inner, behind
        else:
            break
    return (imported.module, path) if path else None


def _file(module: str, roots: dict[str, Path]) -> Path | None:
    top, *rest = module.split(".")
    if top not in roots:
        return None
    stem = roots[top].joinpath(*rest)
    files = (stem.parent / f"{stem.name}.py", stem / "__init__.py")
    return next((path for path in files[not rest :] if path.is_file()), None)


@lru_cache(maxsize=4096)
def _imports(module: str, path: Path) -> tuple[Import, ...]:
    parts = module.split(".")
    package = parts if path.name == "__init__.py" else parts[:-1]
    imports = []
    for match in _IMPORT.finditer(_text(path)):
        if match["modules"]:
            names = (
                entry.split()[0]
                for entry in match["modules"].split(",")
                if entry.strip()
            )
            imports += [Import(name, "", "") for name in names]
            continue
        dots = len(match["source"]) - len(match["source"].lstrip("."))
        base = package[: len(package) - dots + 1] if dots else []
        source = ".".join(
            [*base, *filter(None, match["source"].lstrip(".").split("."))]
        )
        names_text = re.sub(r"#.*", "", match["many"] or match["few"])
        for name, bound in re.findall(r"([\w*]+)(?:[ \t]+as[ \t]+(\w+))?", names_text):
            imports.append(Import(source, "" if name == "*" else name, bound or name))
    return tuple(imports)


def _text(path: Path) -> str:
    return path.read_text("utf-8", "replace")


def _content(path: Path) -> bytes:
    """Line ends are those of the checkout, not of the code."""
    data = path.read_bytes()
    return data.replace(b"\r\n", b"\n") if path.suffix == ".py" else data
