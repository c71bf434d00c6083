"""Tasks as the server takes them: texts rendered, pictures at addresses, under our own ids."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from ...base.files import inside
from ...base.pictures import encode_png, open_picture
from ...errors import UserError
from ...latex import html_of
from ...problem import Image
from ..kinds import Task, stacked
from ..server import PictureStore
from .snapshot import CHARACTERS, SHOWN, texts_hash

COLUMN = 420  # pixels that a picture has beside the form
LONGEST = 100_000  # characters of a text that a person can be asked to read

Picture = tuple[
    str, Callable[[], bytes]
]  # the name of a file, and what makes its bytes


def task_data(
    tasks: Iterable[Task], images: Path | None, store: PictureStore
) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """Task data for the server, and the tasks that cannot be shown: id and reason.

    `images` is the folder that picture paths are relative to; the pictures go to `store`.
    """
    files_of: list[tuple[Task, dict[str, str]]] = []  # name of a picture -> its file
    makers: dict[str, Callable[[], bytes]] = {}
    skipped: list[tuple[str, str]] = []
    for task in tasks:
        try:
            pictures = _pictures(task, images)
        except UserError as error:
            skipped.append((task.id, str(error)))
            continue
        makers |= dict(pictures.values())
        files_of.append((task, {name: file for name, (file, _) in pictures.items()}))
    addresses = store(makers)
    data: list[dict[str, Any]] = []
    for task, files in files_of:
        urls: dict[str, str] = {}
        try:
            for name, file in files.items():
                urls[name] = _address(addresses[file])
        except UserError as error:
            skipped.append((task.id, str(error)))
            continue
        data.append(_data(task, urls))
    return data, skipped


def _pictures(task: Task, root: Path | None) -> dict[str, Picture]:
    """The pictures of a task by name. Raises UserError for a task that cannot be shown."""
    longest = max(map(len, task.texts.values()))
    if longest > LONGEST:
        raise UserError(
            f"{longest:,} characters are too long to read", f"up to {LONGEST:,}"
        )
    if task.needs_picture and not all(task.pictures.values()):
        raise UserError("the problem has no picture", "leave it out")
    pictures = {name: _file(root, images) for name, images in task.pictures.items()}
    for name, make in task.made.items():
        data = make(root)
        digest = hashlib.sha256(data).hexdigest()[:20]
        pictures[name] = (f"{digest}.png", partial(bytes, data))
    return pictures


def _address(address: str | UserError) -> str:
    """Raises UserError where the store has none."""
    if isinstance(address, UserError):
        raise address
    return address


def _data(task: Task, urls: dict[str, str]) -> dict[str, Any]:
    """The data of a task that can be shown, with its texts rendered."""
    characters = sum(map(len, task.texts.values()))
    data: dict[str, Any] = {"id": task.id, "about": task.about, CHARACTERS: characters}
    data |= {**task.data, **urls}
    if task.proposal:
        data["proposal"] = task.proposal
    data |= {f"{name}_html": html_of(text) for name, text in task.texts.items()}
    data[SHOWN] = texts_hash(data)
    if "image" in data and any(map(_is_wide, task.pictures.values())):
        data["note_html"] = data.get("note_html", "") + _over_both(data["image"])
    return data


def _is_wide(images: list[Image]) -> bool:
    """Whether pictures below each other are twice as wide as high, and too wide for a column."""
    width = max((image.width for image in images), default=0)
    return width > 2 * COLUMN and width > 2 * sum(image.height for image in images)


def _over_both(address: str) -> str:
    """The picture once more, over both columns of the page."""
    return f'<img src="{escape(address, quote=True)}" style="max-width:100%">'


def _file(root: Path | None, images: list[Image]) -> Picture:
    """The file that shows a task's pictures: several are put below each other, none is a dot."""
    if not images:
        return "none.png", _white_dot
    if root is None:
        raise UserError(
            "the problem has pictures", "put their folder beside the problems"
        )
    paths = [inside(root, image.path) for image in images]
    for path in paths:
        if not path.is_file():
            raise UserError(f"no picture {path}", "put its folder beside the problems")
    for image, path in zip(images, paths, strict=True):
        _check(image, path)
    if len(paths) == 1:
        return f"{images[0].sha256[:20]}{paths[0].suffix}", paths[0].read_bytes
    names = ".".join(image.sha256[:8] for image in images)
    return f"{names}.png", partial(_sheet, paths)


def _check(image: Image, path: Path) -> None:
    """Raises UserError for a file that is not the problem's picture any more, or no picture."""
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != image.sha256:
        raise UserError(
            f"{path} has changed since the problems were read", "build them again"
        )
    open_picture(data, str(path))


def _sheet(paths: list[Path]) -> bytes:
    return stacked([(path.read_bytes(), str(path)) for path in paths])


def _white_dot() -> bytes:
    """The page's picture tag wants something."""
    from PIL import Image as Pillow

    return encode_png(Pillow.new("RGB", (8, 8), "white"))
