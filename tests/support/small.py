"""Small problems, pictures, recipes and releases for tests."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import yaml
from benchwright import build_release
from benchwright.problem import Option, Problem, Source

# a stage that notes which problems it was asked for, and dies at one of them, once
COUNTED = """
import os, signal
from benchwright import stage

@stage("counted")
def counted(problem, *, context):
    with open(context.recipe_folder / "ran", "a") as log:
        log.write(problem.id + chr(10))
    orders = context.recipe_folder / "orders"
    if orders.exists() and orders.read_text() == problem.id:
        orders.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    context.record("seen", {"id": problem.id})
    return problem
"""


def problem(number: int = 1, **changes: Any) -> Problem:
    """A sound problem `a-<number>` with any fields changed."""
    name = f"a-{number}"
    fields: dict[str, Any] = {
        "id": name,
        "origin": name,
        "source": Source(name="a", raw_id=str(number), license="MIT"),
        "question": f"What is ${number}+1$?",
        "answer": str(number + 1),
        "answer_kind": "number",
        "labels": {"subject": "odd" if number % 2 else "even", "level": number % 5 + 1},
    }
    return Problem(**fields | changes)


def options(*texts: str) -> list[Option]:
    return [
        Option(label="ABCDEFGHIJKLMNOPQRSTUVWXYZ"[k], text=text)
        for k, text in enumerate(texts)
    ]


def png(
    width: int = 8, height: int = 6, shade: int = 0, mode: str = "L", kind: str = "PNG"
) -> bytes:
    from PIL import Image

    buffer = io.BytesIO()
    Image.new(mode, (width, height), shade if mode in "LP" else None).save(buffer, kind)
    return buffer.getvalue()


def dump(folder: Path, count: int = 12, **changes: Any) -> Path:
    """A raw JSONL dump with pictures and a recipe beside it; returns the recipe's path."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    rows = []
    for k in range(1, count + 1):
        (folder / "images" / f"{k}.png").write_bytes(png(8 + k, 6, k))
        rows.append(
            {
                "id": str(k),
                "question": f"<image1> What is ${k}+{k}$?",
                "options": [str(2 * k), str(2 * k + 1), str(3 * k + 7)]
                if k % 3 == 0
                else [],
                "answer": "A" if k % 3 == 0 else str(2 * k),
                "images": [f"images/{k}.png"],
                "labels": {
                    "subject": ["algebra", "counting"][k % 2],
                    "level": k % 5 + 1,
                },
            }
        )
    write_rows(folder / "dump.jsonl", rows)
    recipe = {
        "name": "small",
        "version": "1.0.0",
        "seed": 3,
        "sources": [
            {"name": "a", "reader": "jsonl", "path": "dump.jsonl", "license": "MIT"}
        ],
        "stages": ["check"],
        "splits": {"testmini": {"size": 4, "by": ["subject"]}, "test": "rest"},
    }
    return write_recipe(folder / "recipe.yaml", recipe | changes)


def write_rows(path: Path, rows: list[Any]) -> None:
    path.write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8"
    )


def write_recipe(path: Path, recipe: dict[str, Any]) -> Path:
    path.write_text(yaml.safe_dump(recipe, sort_keys=False), "utf-8")
    return path


def release(folder: Path, **changes: Any) -> Path:
    """A built release of `dump`."""
    return build_release(dump(folder, **changes), folder / "out").release


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder and its bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
