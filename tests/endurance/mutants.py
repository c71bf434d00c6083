"""`make mutants`: the proof of releases is broken in one place at a time; its tests must notice.

A mutant is one function with one change: a comparison turned round, `and` for `or`, a condition
negated, a statement left out. Every test is run as it is, and its lines are noted; then once more
for each mutant among these lines, in a fork of its own, until the mutant dies. So what tests share
is made once. Places are drawn by a fixed seed, `--sample` of them; fails where more than one in
twenty lives. Each is printed with its line when it dies, which is kept in `.cache/mutants.jsonl`:
it is asked again only when its module changes.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import json
import os
import random
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).parents[2]
# what decides whether a release is good, and what guards withheld answers
PROOF = (
    "exports.verify",
    "exports.ground",
    "exports.compare",
    "exports.companion_folders",
    "exports.anchor",
    "exports.transport",
    "base.statement",
    "building.verify",
)
GUARDS = ("exports.leaks", "exports.withhold", "exports.answer_leaks")
TESTS = ("exports/test_damages.py", "exports/test_forgeries.py", "exports/test_transports.py",
         "exports/test_answer_leaks.py")  # fmt: skip
MEMORY = (
    {"TMPDIR": "/dev/shm"} if Path("/dev/shm").is_dir() else {}
)  # much is written, nothing kept
LIVING = 0.05
KEPT = ROOT / ".cache" / "mutants.jsonl"
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

    def __str__(self) -> str:
        return f"{self.module}:{self.line}, {self.what}"

    def lines(self) -> list[tuple[str, int]]:
        return [(self.module, line) for line in range(self.line, self.last + 1)]

    def sha256(self) -> str:
        return sha256(self.source.encode()).hexdigest()


def mutants(module: str) -> Iterator[Mutant]:
    """All of a module's: each node in each way, docstrings and annotations left alone."""
    tree = ast.parse((ROOT / f"{module.replace('.', '/')}.py").read_text("utf-8"))
    for number, node in enumerate(ast.walk(tree)):
        for what in ways(node):
            changed = copy.deepcopy(tree)
            change(changed, number, what)
            part = changed_part(node, what)
            yield Mutant(
                module, part.lineno, part.end_lineno or 0, what, ast.unparse(changed)
            )


def changed_part(node: Any, what: str) -> ast.expr | ast.stmt:
    """What a test must run to meet the change."""
    if what.startswith("without"):
        return node.body[int(what.split()[1])]
    return node.test if what == "negated" else node


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
    parser.add_argument(
        "--one", nargs=2, metavar=("MODULE", "FILE"), help=argparse.SUPPRESS
    )
    given = parser.parse_args()
    if given.one:
        put(given.one[0], Path(given.one[1]).read_text("utf-8"))
        return run_tests(None)
    os.environ |= MEMORY
    every = [mutant for module in (*PROOF, *GUARDS) for mutant in mutants(module)]
    drawn = random.Random(given.seed).sample(every, min(given.sample, len(every)))
    trial = Trial(drawn)
    if run_tests(trial):
        raise SystemExit("the tests fail without any mutant")
    for mutant in list(trial.living):
        reached = trial.shared & {*mutant.lines()}
        if reached and fails(mutant):  # what tests share, made by the mutant, too
            trial.dies(mutant)
            continue
        print(f"lives: {mutant}", flush=True)
    print(f"{len(trial.living)} of {len(drawn)} live, of {len(every)} places")
    return 1 if len(trial.living) > LIVING * len(drawn) else 0


class Trial:
    """Every test, alone and with each living mutant of its lines."""

    def __init__(self, drawn: list[Mutant]) -> None:
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.touch()
        dead = {
            json.loads(line)["sha256"] for line in KEPT.read_text("utf-8").splitlines()
        }
        self.count = len(drawn)
        self.living = [mutant for mutant in drawn if mutant.sha256() not in dead]
        self.files = {
            str(ROOT / f"{m.replace('.', '/')}.py"): m for m in (*PROOF, *GUARDS)
        }
        self.shared = set[tuple[str, int]]()  # lines that fixtures run
        self.lines = self.shared

    def dies(self, mutant: Mutant) -> None:
        self.living.remove(mutant)
        with KEPT.open("a", encoding="utf-8") as file:
            file.write(
                json.dumps({"sha256": mutant.sha256(), "what": str(mutant)}) + "\n"
            )
        print(
            f"dies: {mutant}; {len(self.living)} of {self.count} are left", flush=True
        )

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """In each file the first case of every test, then the second: what differs comes first."""
        seen = Counter[str]()
        places = {}
        for item in items:
            name = item.nodeid.partition("[")[0]
            places[item] = (
                TESTS.index(f"{item.path.parent.name}/{item.path.name}"),
                seen[name],
            )
            seen[name] += 1
        items.sort(key=lambda item: places[item])

    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> bool:
        sys.settrace(self.trace)
        failed = failing(item)
        sys.settrace(None)
        here = [one for one in self.living if self.lines & {*one.lines()}]
        if failed or (here and fails(None, item)):
            pytest.exit(f"{item.nodeid} fails without any mutant", 1)
        for mutant in here:
            if fails(mutant, item):
                self.dies(mutant)
        item.session._setupstate.teardown_exact(nextitem)
        return True

    def pytest_runtest_setup(self) -> None:
        self.lines = self.shared

    def pytest_runtest_call(self) -> None:
        self.lines = set()

    def trace(self, frame: FrameType, event: str, _: Any) -> Any:
        module = self.files.get(frame.f_code.co_filename)
        if module is not None:
            self.lines.add((module, frame.f_lineno))
        return None if module is None else self.trace


def fails(mutant: Mutant | None, item: pytest.Item | None = None) -> bool:
    """Does a test fail with the mutant in place, or any test in a process of its own?"""
    if mutant and item is None:
        place = KEPT.with_name("mutant.py")
        place.write_text(mutant.source, "utf-8")
        command = [sys.executable, __file__, "--one", mutant.module, str(place)]
        return subprocess.run(command, capture_output=True, check=False).returncode != 0
    if child := os.fork():
        return os.waitpid(child, 0)[1] != 0
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))  # one may never end
    if mutant:
        put(mutant.module, mutant.source)
    os._exit(failing(item))


def failing(item: Any) -> bool:
    """Run a test; what it shares with others of its module stays."""
    reports = runtestprotocol(item, log=False, nextitem=item.parent)
    return any(report.failed for report in reports)


def put(module: str, source: str) -> None:
    """Put a mutant into its module's place, also where others have its names."""
    name = f"benchwright.{module}"
    made = importlib.import_module(name)
    exec(compile(source, str(made.__file__), "exec"), made.__dict__)
    for other in list(sys.modules.values()):
        for key, value in list(getattr(other, "__dict__", {}).items()):
            own = getattr(value, "__module__", "") == name and getattr(
                value, "__name__", ""
            )
            if own in vars(made):
                setattr(other, key, vars(made)[own])


def run_tests(plugin: object) -> int:
    paths = [str(ROOT / "tests" / test) for test in TESTS]
    plugins = [] if plugin is None else [plugin]
    return int(
        pytest.main(["-x", "-q", "-p", "no:cacheprovider", *paths], plugins=plugins)
    )


if __name__ == "__main__":
    raise SystemExit(main())
