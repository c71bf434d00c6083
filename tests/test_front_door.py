"""The front door: one twin for every command, loaded late, typed, and taking paths as texts."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, get_args, get_type_hints

import benchwright
import PIL.Image
import pytest
from benchwright.base.cli_params import args_of, params_of
from benchwright.base.lazy import imported
from benchwright.errors import UserError
from benchwright.front_door import COMMANDS, FIRST, PLACES, UNTYPED, function_of, stub
from command_tree import commands
from oracles import npm_file
from small import dump, write_rows

ROOT = Path(benchwright.__file__).parent
JSONL_TOOLS = ("convert mathml", "convert mmd", "convert text", "grade", "extract")
NEVER_REFUSE = ("stages", "convert mmd", "convert text")


LEAVES = dict(commands())
SEEN = {"Image": PIL.Image}  # what a module imports for type checkers only


TWINS = {command: place for command, (place, _) in COMMANDS.items()}


def twin(command: str) -> Any:
    return getattr(benchwright, TWINS[command].split(":")[1])


def named(function: FunctionType) -> set[Any]:
    """The functions whose names stand in the code of `function`, with those it imports itself."""
    code = ast.parse(textwrap.dedent(inspect.getsource(function)))
    names = dict(function.__globals__)
    for node in ast.walk(code):
        if isinstance(node, ast.ImportFrom):
            place = "." * node.level + (node.module or "")
            module = importlib.import_module(place, function.__globals__["__package__"])
            for alias in node.names:
                names[alias.asname or alias.name] = getattr(module, alias.name)
    used = {node.id for node in ast.walk(code) if isinstance(node, ast.Name)}
    return {names[name] for name in used if isinstance(names.get(name), FunctionType)}


def reached(function: FunctionType, depth: int) -> set[Any]:
    found = named(function)
    if depth > 1:
        ours = {f for f in found if f.__module__.startswith("benchwright.")}
        found = found.union(*(reached(f, depth - 1) for f in ours))
    return found


def test_the_table_makes_every_command() -> None:
    assert set(TWINS) == set(LEAVES)


def test_twins_and_names_are_one_to_one() -> None:
    assert len(set(TWINS.values())) == len(TWINS)
    assert len({place.split(":")[1] for place in TWINS.values()}) == len(TWINS)
    modules = {path.stem for path in ROOT.iterdir()}
    assert not modules & set(PLACES), "a module would hide the function"


def calls_its_twin(command: str) -> bool:
    """Directly; a JSONL tool calls it, line by line, through its runner."""
    body = imported(function_of(command))
    assert isinstance(body, FunctionType)
    return twin(command) in reached(body, 4 if command in JSONL_TOOLS else 1)


def test_every_command_calls_its_twin() -> None:
    assert [command for command in TWINS if not calls_its_twin(command)] == []


def test_a_command_without_its_twin_is_noticed() -> None:
    def body() -> None:
        """It says build_release but does not call it."""
        from benchwright import verify

        verify("build_release")

    assert benchwright.verify in named(body)
    assert benchwright.build_release not in reached(body, 1)


def test_every_twin_says_what_it_does() -> None:
    texts = {command: inspect.getdoc(twin(command)) or "" for command in TWINS}
    shows = re.compile("^ *>>>|Example:", re.MULTILINE)
    assert [name for name, text in texts.items() if not shows.search(text)] == []
    silent = [name for name, text in texts.items() if "Raises" not in text]
    assert set(silent) <= set(NEVER_REFUSE)


def test_every_twin_takes_paths_as_texts() -> None:
    annotations = {
        f"{command}: {parameter}"
        for command in TWINS
        for parameter in inspect.signature(twin(command)).parameters.values()
        if "Path" in str(parameter.annotation)
    }
    assert len(annotations) > 50
    assert [text for text in annotations if "str | " not in text] == []


def test_paths_are_texts_from_recipe_to_leaderboard(tmp_path: Path) -> None:
    recipe, out = str(dump(tmp_path, splits={"test": "rest"})), str(tmp_path / "out")
    built = benchwright.build_release(recipe, out)
    release = str(built.release)
    assert benchwright.verify(release) == []
    assert benchwright.diff(release, release) == []
    assert benchwright.show(release, "a-1").released["split"] == "test"
    assert benchwright.export("vlmevalkit", release, str(tmp_path / "tsv"))
    samples = benchwright.read_samples(release, "test")
    for name, right in (("a", 12), ("b", 3)):
        rows = [{"id": s.id, "response": s.answer if k < right else "no"}
                for k, s in enumerate(samples)]  # fmt: skip
        write_rows(tmp_path / f"{name}.jsonl", rows)
        scored = benchwright.score(
            release, str(tmp_path / f"{name}.jsonl"), "test", str(tmp_path / name)
        )
        assert scored.scores.accuracy.correct == right
    a, b = str(tmp_path / "a"), str(tmp_path / "b.jsonl")
    assert benchwright.compare(release, a, b, "test").verdict == "A is better"
    board = benchwright.leaderboard([a, str(tmp_path / "b")], str(tmp_path / "board"))
    assert [entry.run for entry in board.entries] == ["a", "b"]
    problems = str(tmp_path / "out/work/00-read/problems.jsonl")
    work = str(tmp_path / "out/work")
    assert benchwright.find_pairs(problems, images=work).questions == 12
    hits = benchwright.find_contamination(
        problems, problems, images=work, other_images=work
    )
    assert sum(hit.linked for hit in hits) == 12
    results: list[Any] = [
        built,
        *built.reports,
        scored,
        scored.results,
        scored.scores,
        board,
    ]
    assert all(len(repr(result)) < 250 for result in results)


def test_importing_is_light_and_names_come_late() -> None:
    script = (
        "import sys, benchwright\n"
        "heavy = {'click', 'msgspec', 'numpy', 'rapidfuzz', 'yaml'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "assert {'score', 'Problem', 'UserError'} <= set(dir(benchwright))\n"
        "from benchwright import *\n"
        "assert build_release.__module__ == 'benchwright.building.build' and __version__\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    with pytest.raises(AttributeError, match="no attribute 'scor'"):
        _ = benchwright.scor


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"options": [4, 5]}, "option 1 is 4: give a text, or an Option"),
        ({"options": "AB"}, "options are 'AB': give a list"),
        ({"kind": "numbr"}, "unknown kind 'numbr': did you mean 'number'"),
        ({"gold": 4}, "the gold is 4: give a text"),
        ({"response": None}, "the reply is None: give a text"),
    ],
)
def test_what_cannot_be_graded_is_said(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UserError, match=complaint):
        benchwright.grade_response(**({"response": "So it is B.", "gold": "B"} | given))


def test_options_may_be_texts() -> None:
    verdict = benchwright.grade_response("So it is (B).", "B", options=["4", "5"])
    assert (verdict.equal, verdict.extracted) == (True, "B")


def test_every_parameter_has_its_line() -> None:
    differing = {
        f"{command}: {name}"
        for command in TWINS
        for name in set(args_of(twin(command)))
        ^ set(inspect.signature(twin(command)).parameters)
    }
    assert differing == set()


def test_options_are_the_twins_and_the_commands_own() -> None:
    """Every option has help, and is a parameter of the twin or of the command's function."""
    strange, silent = [], []
    for command in (c for c in TWINS if c not in JSONL_TOOLS):
        function = imported(function_of(command))
        known = {
            *inspect.signature(function).parameters,
            *inspect.signature(twin(command)).parameters,
        }
        values = list(params_of(function, twin(command)))
        strange += [(command, v.name) for v in values if v.parameter not in known]
        silent += [(command, v.name) for v in values if not v.help]
    assert (strange, silent) == ([], [])


def test_what_help_shows_first_and_what_nobody_types_are_parameters() -> None:
    for table, known in (
        (FIRST, {command: _typed(command) for command in FIRST}),
        (UNTYPED, {command: _taken(command) for command in UNTYPED}),
    ):
        unknown = {c: set(names.split()) - known[c] for c, names in table.items()}
        assert {c: names for c, names in unknown.items() if names} == {}


def _typed(command: str) -> set[str]:
    flags = [flag for p in LEAVES[command].params for flag in p.opts]
    return {flag.removeprefix("--") for flag in flags}


def _taken(command: str) -> set[str]:
    values = params_of(imported(function_of(command)), twin(command))
    return {value.name for value in values}


def types_of(hint: Any) -> Iterator[type]:
    """Our classes in an annotation."""
    for part in [hint, *(get_args(hint) if not isinstance(hint, list) else hint)]:
        if inspect.isclass(part) and part.__module__.startswith("benchwright."):
            yield part
        elif part is not hint:
            yield from types_of(part)


def test_types_of_signatures_are_public() -> None:
    public = [getattr(benchwright, name) for name in PLACES]
    functions = [thing for thing in public if inspect.isfunction(thing)]
    assert len(functions) > 60
    hidden = {
        f"{function.__name__}: {our_type}"
        for function in functions
        for hint in get_type_hints(function, localns=SEEN).values()
        for our_type in types_of(hint)
        if getattr(benchwright, our_type.__name__, None) is not our_type
    }
    assert hidden == set()


def test_the_stub_is_current() -> None:
    assert (ROOT / "__init__.pyi").read_text("utf-8") == stub(), (
        "run `make __init__.pyi`"
    )


USE = """
from benchwright import Option, UserError, build_release, grade_response, score
built = build_release("recipe.yaml", "out")
kept: int = built.reports[0].kept
scores, results = score(built.release, "gpt.jsonl", "test")
value: float | None = scores.accuracy.value
first: str = results[0].id
how: str = grade_response("B", "B", options=["3", Option(label="B", text="4")]).how
build_release(3)  # wrong
from benchwright import build_releese  # wrong
kept.how  # wrong
"""


WRONG = {k for k, line in enumerate(USE.splitlines(), 1) if line.endswith("# wrong")}


def used(folder: Path) -> Path:
    """A program of a user beside the package: every public name is imported."""
    text = USE + "".join(
        f"from benchwright import {name} as {name}_\n" for name in PLACES
    )
    (folder / "use.py").write_text(text, encoding="utf-8")
    (folder / "benchwright").symlink_to(ROOT)
    return folder


def test_mypy_sees_the_names(tmp_path: Path) -> None:
    """It passes what is right, and names the three lines that are wrong."""
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        str(ROOT / "pyproject.toml"),
    ]
    cache = ["--cache-dir", str(ROOT / ".cache/typing/.mypy_cache")]
    done = subprocess.run(
        [*command, *cache, "use.py"], cwd=used(tmp_path), capture_output=True, text=True
    )
    lines = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert {line.rsplit(":", 2)[0] for line in lines} == {
        f"use.py:{k}" for k in WRONG
    }, done.stdout


def test_pyright_sees_the_names(tmp_path: Path) -> None:
    pyright = str(npm_file("pyright/index.js"))
    command = ["node", pyright, "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(
        [*command, "use.py"], cwd=used(tmp_path), capture_output=True, text=True
    )
    errors = [
        e
        for e in json.loads(done.stdout)["generalDiagnostics"]
        if e["severity"] == "error"
    ]
    assert {error["range"]["start"]["line"] + 1 for error in errors} == WRONG, (
        done.stdout
    )
