"""MM-MATH's labels as its data spell them: areas, difficulties, half-years."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..words import HAN_ORDER
from .grades import half_year, read_grade
from .load import load_tree

DIFFICULTY = {"easy": "容易", "medium": "普通", "hard": "困难"}


def with_areas(names: Sequence[str]) -> list[str]:
    """Knowledge points behind what they belong to, where no area of the tree is among them.

    >>> with_areas(["Tangents"]), with_areas(["Functions", "Circle"])
    (['Properties of Shapes', 'Circle', 'Tangents'], ['Functions', 'Circle'])
    """
    tree = load_tree("mm-math")
    found = [tree.find(name) if tree.has(name) else None for name in names]
    if any(node is not None and node.depth == 1 for node in found):
        return list(names)
    paths = [
        node.path if node else (name,) for name, node in zip(names, found, strict=True)
    ]
    return list(dict.fromkeys(name for path in paths for name in path))


def in_its_words(labels: dict[str, Any]) -> dict[str, Any]:
    """`difficult`, `knowledge` and `year` of a row; `grade` where no half-year is known.

    >>> in_its_words({"difficulty": "easy", "year": "nine", "knowledge": "Functions"})
    {'difficult': '容易', 'knowledge': ['Functions'], 'year': '九年级上学期', 'grade': 9}
    """
    difficulty, named = str(labels.get("difficulty", "")), labels.get("knowledge", [])
    words: dict[str, Any] = {
        "difficult": DIFFICULTY.get(difficulty, difficulty),
        "knowledge": with_areas(named if isinstance(named, list) else [named]),
    }
    year = str(labels.get("year", ""))
    grade = read_grade(year) or read_grade(labels.get("grade"))
    if grade is None or grade > 9:
        return words | {"year": year or str(labels.get("grade", ""))}
    half = half_year(year)
    words["year"] = f"{HAN_ORDER[grade - 1]}年级{half or '上'}学期"
    return words if half else words | {"grade": grade}
