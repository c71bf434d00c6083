"""Templates: values in pages are escaped, in texts they are not, and none may be lacking."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright.base.templating import fill
from jinja2 import UndefinedError


@pytest.mark.parametrize(
    ("name", "expected"), [("a.html", "&lt;b&gt; {{ x }}"), ("a.md", "<b> {{ x }}\n")]
)
def test_values_are_data(tmp_path: Path, name: str, expected: str) -> None:
    (tmp_path / name).write_text("{{ first }} {{ second }}\n")
    assert fill(tmp_path / name, first="<b>", second="{{ x }}") == expected


@pytest.mark.parametrize("name", ["a.html", "a.txt"])
def test_a_lacking_value_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("{{ gone }}")
    with pytest.raises(UndefinedError):
        fill(tmp_path / name)
