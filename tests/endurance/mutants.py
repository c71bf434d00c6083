"""`make mutants`: the proof of releases is broken in one place at a time; its tests must notice.

A mutant is one function with one change: a comparison turned round, `and` for `or`, a condition
negated, a statement left out. It is put into the running module, and the tests that reach its lines
are run. Places are drawn by a fixed seed, `--sample` of them; fails where more than one in twenty
lives. Each is printed with its line, and whether it lives; what died once is kept in
`.cache/mutants.jsonl`, and asked again only when its module changes.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
# what decides whether a release is good, and what guards withheld answers
PROOF = ("exports.verify", "exports.ground", "exports.compare", "exports.beside", "exports.anchor",
         "exports.transport", "base.statement", "building.verify")  # fmt: skip
GUARDS = ("exports.leaks", "exports.withhold", "exports.announced")
TESTS = ("exports/test_damages.py", "exports/test_forgeries.py", "exports/test_transports.py",
         "exports/test_announced.py")  # fmt: skip
MEMORY = (
    {"TMPDIR": "/dev/shm"} if Path("/dev/shm").is_dir() else {}
)  # much is written, nothing kept
LIVING = 0.05
BODIES = (ast.FunctionDef, ast.If, ast.For, ast.With)
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE,
    ast.GtE: ast.Lt, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


class Mutant(NamedTuple):
    """One change: of which module, in which lines, what, and the whole module so changed."""

    module: str
    line: int
    last: int
    what: str
    source: str


def mutants(module: str) -> Iterator[Mutant]:
    """All of a module's: each node in each way, docstrings and annotations left alone."""
    tree = ast.parse((ROOT / f"{module.replace('.', '/')}.py").read_text("utf-8"))
    for number, node in enumerate(ast.walk(tree)):
        for what in ways(node):
            changed = copy.deepcopy(tree)
            change(changed, number, what)
            lines = (getattr(node, name, 0) for name in ("lineno", "end_lineno"))
            yield Mutant(module, *lines, what, ast.unparse(changed))


def ways(node: ast.AST) -> list[str]:
    """What can be changed at a node."""
    found = []
    if isinstance(node, ast.Compare):
        found.append("turned")
    if isinstance(node, ast.BoolOp):
        found.append("and for or")
    if isinstance(node, ast.If | ast.IfExp):
        found.append("negated")
    if isinstance(node, BODIES):
        found += [f"without {k}" for k, one in enumerate(node.body) if droppable(one)]
    return found


def droppable(statement: ast.stmt) -> bool:
    """What does something, and leaves no name undefined when it is gone."""
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.AugAssign | ast.Raise | ast.For | ast.If)


def change(tree: ast.Module, number: int, what: str) -> None:
    node = next(one for k, one in enumerate(ast.walk(tree)) if k == number)
    if what.startswith("without") and isinstance(node, BODIES):
        node.body[int(what.split()[1])] = ast.Pass()
    elif isinstance(node, ast.Compare):
        node.ops[0] = TURNED[type(node.ops[0])]()
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.If | ast.IfExp):
        node.test = ast.UnaryOp(ast.Not(), node.test)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--one", nargs=2, metavar=("MODULE", "FOLDER"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        return tested(given.one[0], Path(given.one[1]))
    every = [mutant for module in (*PROOF, *GUARDS) for mutant in mutants(module)]
    drawn = random.Random(given.seed).sample(every, min(given.sample, len(every)))
    cache = ROOT / ".cache"
    cache.mkdir(exist_ok=True)
    kept = cache / "mutants.jsonl"
    kept.touch()
    dead = {json.loads(line)["sha256"] for line in kept.read_text("utf-8").splitlines()}
    living, reached = 0, Reached()
    if run_tests(reached):
        raise SystemExit("the tests fail without any mutant")
    for number, mutant in enumerate(drawn, 1):
        name = sha256(mutant.source.encode()).hexdigest()
        if name in dead:
            continue
        lives = survives(mutant, reached.by(mutant), cache)
        living += lives
        what = f"{mutant.module}:{mutant.line}, {mutant.what}"
        print(f"{number} of {len(drawn)} {'lives' if lives else 'dies'}: {what}", flush=True)
        if not lives:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"sha256": name, "what": what}) + "\n")
    print(f"{living} of {len(drawn)} live, of {len(every)} places")
    return 1 if living > LIVING * len(drawn) else 0


def survives(mutant: Mutant, tests: list[str], folder: Path) -> bool:
    """Do the tests pass with the mutant? In a process of its own."""
    (folder / "mutant.py").write_text(mutant.source, "utf-8")
    (folder / "mutant.json").write_text(json.dumps(tests), "utf-8")
    command = [sys.executable, __file__, "--one", mutant.module, str(folder)]
    environment = dict(os.environ) | MEMORY
    done = subprocess.run(command, capture_output=True, check=False, env=environment)
    return not tests or done.returncode == 0


class Reached:
    """Which tests run which lines; those of fixtures belong to every test."""

    def __init__(self) -> None:
        self.files = {str(ROOT / f"{m.replace('.', '/')}.py"): m for m in (*PROOF, *GUARDS)}
        self.tests: dict[tuple[str, int], set[str]] = {}
        self.every: list[str] = []
        self.now = ""

    def by(self, mutant: Mutant) -> list[str]:
        """The tests that reach a mutant's lines."""
        lines = range(mutant.line, mutant.last + 1)
        found = set[str]().union(*(self.tests.get((mutant.module, one), ()) for one in lines))
        return self.every if "" in found else [test for test in self.every if test in found]

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self.every.append(item.nodeid)
        self.now = ""
        sys.settrace(self.trace)

    def pytest_runtest_call(self, item: pytest.Item) -> None:
        self.now = item.nodeid

    def pytest_runtest_teardown(self) -> None:
        sys.settrace(None)

    def trace(self, frame: FrameType, event: str, _: Any) -> Any:
        module = self.files.get(frame.f_code.co_filename)
        if module is not None:
            self.tests.setdefault((module, frame.f_lineno), set()).add(self.now)
        return None if module is None else self.trace


def run_tests(plugin: object) -> int:
    paths = [str(ROOT / "tests" / test) for test in TESTS]
    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *paths], plugins=[plugin]))


def tested(module: str, folder: Path) -> int:
    """The tests with a mutant in its module's place; 0 where all pass."""
    source = (folder / "mutant.py").read_text("utf-8")
    chosen = set(json.loads((folder / "mutant.json").read_text("utf-8")))

    class Putting:
        """Puts it in place before any test is imported, and so before anybody takes its names."""

        def pytest_configure(self) -> None:
            name = f"benchwright.{module}"
            made = importlib.import_module(name)
            exec(compile(source, str(made.__file__), "exec"), made.__dict__)
            for other in [one for key, one in sys.modules.items() if key.startswith("benchwright")]:
                for key, value in list(vars(other).items()):
                    if getattr(value, "__module__", "") == name and key in vars(made):
                        setattr(other, key, vars(made)[key])

        def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
            items[:] = [item for item in items if item.nodeid in chosen]

    return run_tests(Putting())


if __name__ == "__main__":
    raise SystemExit(main())
