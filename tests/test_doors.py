"""Rooms are entered by their doors: from outside one imports a folder, never a file behind it.

Tests enter by doors, too, so that a room may be rebuilt behind its door without editing them. Those
that look behind one are listed with the reason (tests/behind_doors.yaml).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import benchwright
import yaml

ROOT = Path(__file__).parents[1]
GROUND = "base"  # its files are imported by their names: each is one base thing
NO_PACKAGE = {"tests", "bench", "examples", "docs"}


def modules() -> Iterator[tuple[tuple[str, ...], Path]]:
    """Folder below the root, and file, of every module but the front door's, a list of places."""
    for path in sorted(ROOT.glob("*.py")):
        if path.name != "__init__.py":
            yield (), path
    for house in sorted(ROOT.iterdir()):
        if house.name not in NO_PACKAGE and not house.name.startswith("."):
            for door in sorted(house.glob("**/__init__.py")):
                for path in sorted(door.parent.glob("*.py")):
                    yield door.parent.relative_to(ROOT).parts, path


def targets(
    folder: tuple[str, ...], tree: ast.AST
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Line and path below the root of everything imported relatively; names included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = folder[: len(folder) - node.level + 1]
            base += tuple(node.module.split(".")) if node.module else ()
            for name in node.names:
                yield node.lineno, (*base, name.name)


def behind_a_door(folder: tuple[str, ...], target: tuple[str, ...]) -> bool:
    """Is `target` a name in a file of a room that `folder` is not inside of?"""
    if target[0] == GROUND:
        return False
    size = max(
        k
        for k in range(len(target))
        if (ROOT.joinpath(*target[:k]) / "__init__.py").exists()
    )
    return folder[:size] != target[:size] and len(target) - size > 1


def violations() -> Iterator[str]:
    for folder, path in modules():
        for line, target in targets(folder, ast.parse(path.read_text("utf-8"))):
            if behind_a_door(folder, target):
                yield f"{path.relative_to(ROOT).as_posix()}:{line} imports {'.'.join(target)}"


def test_rooms_are_entered_by_their_doors() -> None:
    assert list(violations()) == []


def test_a_door_names_what_it_gives() -> None:
    """What others import from a room, its door imports from the room's files or defines."""
    doors = {}
    for folder, path in modules():
        if path.name == "__init__.py":
            tree = ast.parse(path.read_text("utf-8"))
            imported = {target[-1] for _, target in targets(folder, tree)}
            doors[folder] = imported | {
                ast.unparse(n.targets[0])
                for n in tree.body
                if isinstance(n, ast.Assign)
            }
    secret = [
        f"{path.name}:{line} {'.'.join(target)}"
        for folder, path in modules()
        for line, target in targets(folder, ast.parse(path.read_text("utf-8")))
        if (room := target[:-1]) in doors
        and room
        and folder[: len(room)] != room
        and target not in doors
        and target[-1] not in doors[room]
    ]
    assert secret == []


MOST = 300  # names that tests may import although no door gives them


def given() -> dict[tuple[str, ...], set[str]]:
    """Room -> what its door gives."""
    return {
        folder: {
            target[-1] for _, target in targets(folder, ast.parse(path.read_text()))
        }
        for folder, path in modules()
        if path.name == "__init__.py"
    }


def imports_of_tests() -> Iterator[tuple[tuple[str, ...], str]]:
    """Path below the root and name of everything that tests import from the package."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            module = getattr(node, "module", None) or ""
            if isinstance(node, ast.ImportFrom) and module.startswith("benchwright."):
                yield from (
                    (tuple(module.split(".")[1:]), name.name) for name in node.names
                )


def test_tests_look_behind_doors_where_it_is_said_why() -> None:
    doors, public = given(), set(benchwright.__all__)
    behind = []
    for place, name in imports_of_tests():
        rooms = [place[:size] for size in range(1, len(place)) if place[:size] in doors]
        is_ground = place[0] == GROUND or not rooms
        is_given = any(name in doors[room] for room in rooms)
        if place not in doors and not is_ground and not is_given and name not in public:
            behind.append((".".join(place), name))
    reasons = yaml.safe_load((ROOT / "tests/behind_doors.yaml").read_text("utf-8"))
    listed = " ".join(reasons.values()).split()
    assert len(listed) == len(set(listed))
    assert sorted({place for place, _ in behind} - set(listed)) == []
    assert len(behind) < MOST


def test_a_file_behind_a_door_is_seen() -> None:
    assert behind_a_door(("dedup",), ("grading", "verdicts", "grade", "grade"))
    assert behind_a_door(("evaluate",), ("grading", "verdicts", "grade", "grade"))
    assert behind_a_door(("dedup",), ("latex", "boxed", "boxed"))
    assert not behind_a_door(
        ("grading", "verdicts"), ("grading", "verdicts", "grade", "grade")
    )
    assert not behind_a_door(("dedup",), ("latex", "maths_spans"))
    assert not behind_a_door(("dedup",), ("base", "files", "encode"))
