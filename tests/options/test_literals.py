"""Lists that stand in one text: what is printed is read, and nothing else is run or waited for."""

from __future__ import annotations

import time
from typing import Any

import pytest
from benchwright.options import literal
from benchwright.options.literals import DEEPEST, LONGEST


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1 -2 +3]", [1, -2, 3]),
        ("('3')", ["3"]),
        ("(3)", [3]),
        ("{'b', 'a'}", ["b", "a"]),
        ("{'a': {'b': None}, 'c': nan}", {"a": {"b": None}, "c": None}),
        ("[array(['x', 'y'], dtype='<U3'), np.float64(2.5)]", [["x", "y"], 2.5]),
        (r"['\times', 'a\nb']", [r"\times", r"a\nb"]),
        (r"['\\times', 'a\n b']", [r"\times", "a\n b"]),
        ("[r'\\d' b'x' u'\\u00e9']", [r"\d", "x", "é"]),
        ("['\ud800']", ["\ud800"]),
    ],
)
def test_lists_are_read_as_they_are_printed(text: str, value: Any) -> None:
    assert literal(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "[__import__('os').system('true')]", "['a' for x in y]", "[lambda: 'a']", "['a' + 'b']",
        "['a' if 'b' else 'c']", "[f'{1}']", "['a', ...]", "['a', (b := 'c')]", "[*'a']",
        "['a'].b", "['a']['b']", "['a'], ['b']", "['a')", "['a'", "(x, y)", "['a', 1j]",
        "['a', " + "9" * 5_000 + "]",
    ],
)  # fmt: skip
def test_nothing_else_is_read(text: str) -> None:
    assert literal(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "[" * 1_000_000,
        "(" * 100_000 + ")" * 100_000,
        "[" * (DEEPEST + 2) + "'a'" + "]" * (DEEPEST + 2),
        "array(" * 3_000,
        "[" + "'" * (LONGEST - 10),
        "['" + "\\" * (LONGEST - 10),
        "['a'," + " " * LONGEST + "]",
        "['a'," + "1," * LONGEST + "]",
    ],
)
def test_hostile_texts_are_none_soon(text: str) -> None:
    start = time.perf_counter()
    assert literal(text) is None
    assert time.perf_counter() - start < 5
