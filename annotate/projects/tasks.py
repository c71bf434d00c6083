"""Tasks as the server takes them: texts rendered, pictures at addresses, under our own ids."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from ...base.files import inside
from ...base.pictures import encode_png
from ...errors import UserError
from ...latex import html_of
from ...problem import Image
from ..kinds import Task, stacked
from ..server import PictureStore

COLUMN = 420  # pixels that a picture has beside the form
LONGEST = 100_000  # characters of a text that a person can be asked to read


def task_data(
    tasks: Iterable[Task], images: Path | None, store: PictureStore
) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """Task data for the server, and the tasks that cannot be shown: id and reason.

    `images` is the folder that picture paths are relative to; the pictures go to `store`.
    """
    ready: list[tuple[Task, dict[str, str]]] = []
    files: dict[str, Callable[[], bytes]] = {}
    skipped: list[tuple[str, str]] = []
    for task in tasks:
        try:
            _check(task)
            pictures = {
                name: _file(images, figures) for name, figures in task.pictures.items()
            }
            pictures |= {name: _made(make(images)) for name, make in task.made.items()}
        except UserError as error:
            skipped.append((task.id, str(error)))
            continue
        files |= dict(pictures.values())
        ready.append((task, {name: file for name, (file, _) in pictures.items()}))
    addresses = store(files)
    good: list[dict[str, Any]] = []
    texts: list[dict[str, str]] = []
    wide: set[str] = set()
    for task, names in ready:
        urls = {name: addresses[file] for name, file in names.items()}
        failed = next((a for a in urls.values() if isinstance(a, UserError)), None)
        if failed is not None:
            skipped.append((task.id, str(failed)))
            continue
        wide |= {task.id for images in task.pictures.values() if _is_wide(images)}
        good.append(
            {"id": task.id, "about": task.about, **task.data, **urls} | _proposed(task)
        )
        texts.append(task.texts)
    pages = iter([html_of(text) for named in texts for text in named.values()])
    for data, named in zip(good, texts, strict=True):
        data.update({f"{name}_html": next(pages) for name in named})
        if data["id"] in wide and "image" in data:
            data["note_html"] = (
                f"{data.get('note_html', '')}{_over_both(data['image'])}"
            )
    return good, skipped


def _is_wide(images: list[Image]) -> bool:
    """Whether pictures below each other are twice as wide as high, and too wide for a column."""
    width = max((image.width for image in images), default=0)
    return width > 2 * COLUMN and width > 2 * sum(image.height for image in images)


def _over_both(address: str) -> str:
    """The picture once more, over both columns of the page."""
    return f'<img src="{escape(address, quote=True)}" style="max-width:100%">'


def _made(data: bytes) -> tuple[str, Callable[[], bytes]]:
    return f"{hashlib.sha256(data).hexdigest()[:20]}.png", partial(bytes, data)


def _check(task: Task) -> None:
    longest = max(map(len, task.texts.values()))
    if longest > LONGEST:
        raise UserError(
            f"{longest:,} characters are too long to read", f"up to {LONGEST:,}"
        )
    if task.needs_picture and not all(task.pictures.values()):
        raise UserError("the problem has no picture", "leave it out")


def _proposed(task: Task) -> dict[str, Any]:
    return {"proposal": task.proposal} if task.proposal else {}


def _file(root: Path | None, images: list[Image]) -> tuple[str, Callable[[], bytes]]:
    """The file that shows a task's pictures: several are put below each other, none is a dot."""
    if not images:
        return "none.png", _white_dot
    if root is None:
        raise UserError(
            "the problem has pictures", "say by --images where their folder is"
        )
    paths = [inside(root, image.path) for image in images]
    for path in paths:
        if not path.is_file():
            raise UserError(f"no picture {path}", "say by --images where pictures are")
    if len(paths) == 1:
        return f"{images[0].sha256[:20]}{paths[0].suffix}", paths[0].read_bytes
    return f"{'.'.join(i.sha256[:8] for i in images)}.png", partial(_sheet, paths)


def _sheet(paths: list[Path]) -> bytes:
    return stacked([(path.read_bytes(), str(path)) for path in paths])


def _white_dot() -> bytes:
    """The page's picture tag wants something."""
    from PIL import Image as Pillow

    return encode_png(Pillow.new("RGB", (8, 8), "white"))
