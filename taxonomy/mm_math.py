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
    paths = [tree.find(name).path if tree.has(name) else () for name in names]
    if any(len(path) == 1 for path in paths):
        return list(names)
    with_above: dict[str, None] = {}  # in their order, each once
    for name, path in zip(names, paths, strict=True):
        with_above |= dict.fromkeys(path or (name,))
    return list(with_above)


def in_its_words(labels: dict[str, Any]) -> dict[str, Any]:
    """`difficult`, `knowledge` and `year` of a row; `grade` where no half-year is known.

    >>> in_its_words({"difficulty": "easy", "year": "nine", "knowledge": "Functions"})
    {'difficult': '容易', 'knowledge': ['Functions'], 'year': '九年级上学期', 'grade': 9}
    """
    difficulty = str(labels.get("difficulty", ""))
    knowledge = labels.get("knowledge", [])
    names = knowledge if isinstance(knowledge, list) else [knowledge]
    words: dict[str, Any] = {
        "difficult": DIFFICULTY.get(difficulty, difficulty),
        "knowledge": with_areas(names),
    }
    year = str(labels.get("year", ""))
    grade = read_grade(year) or read_grade(labels.get("grade"))
    if grade is None or grade > 9:
        return words | {"year": year or str(labels.get("grade", ""))}
    half = half_year(year)
    words["year"] = f"{HAN_ORDER[grade - 1]}年级{half or '上'}学期"
    if not half:
        words["grade"] = grade
    return words
