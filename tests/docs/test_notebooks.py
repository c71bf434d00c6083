"""The example notebooks run from beginning to end, and are kept without output."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted((EXAMPLES / "notebooks").glob("*.ipynb"))


def names() -> list[str]:
    return [path.stem for path in NOTEBOOKS]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=names())
def test_notebooks_are_clean(path: Path) -> None:
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert [
        cell.id
        for cell in code
        if cell.outputs or cell.execution_count or cell.metadata
    ] == []
    assert set(book.metadata) == {"kernelspec", "language_info"}
    assert set(book.metadata.language_info) == {
        "name"
    }  # no version of somebody's Python


@pytest.mark.parametrize("path", NOTEBOOKS, ids=names())
def test_notebooks_run(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nbclient import NotebookClient

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "jupyter"))
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    folder = tmp_path / "examples" / "notebooks"
    book = nbformat.read(folder / path.name, as_version=4)
    NotebookClient(
        book,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    ends = [
        cell
        for cell in book.cells
        if cell.cell_type == "code" and ends_in_value(cell.source)
    ]
    assert [cell.source for cell in ends if not cell.outputs] == []


def ends_in_value(source: str) -> bool:
    """Whether a cell's last line is a bare name, which a notebook displays."""
    return source.splitlines()[-1].isidentifier()


def test_there_is_one_for_curators_and_one_for_evaluators() -> None:
    assert names() == ["curator", "evaluator"]
