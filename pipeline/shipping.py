"""Work for machines that share no disk with this one: files travel with it (`--ship`).

Option files go to each worker once, with the function; the pictures of a task's problems go with
the task, and those that a stage makes come back with its results. On a worker every file lies
under the same name below a folder of its own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import inside, read_bytes, write_bytes
from ..errors import UserError
from ..problem import Problem, all_images
from .stage import Context

MOST = 500_000_000  # bytes of option files
Lines = list[tuple[int, bytes]]


class Parcel(msgspec.Struct, frozen=True):
    """Lines of problems.jsonl and their pictures, by path below the work folder."""

    lines: Lines
    pictures: dict[str, bytes]


class Sent(msgspec.Struct, array_like=True, frozen=True):
    """Results, and the pictures that are new."""

    record: bytes
    pictures: dict[str, bytes]


def parcel(work: Path, lines: Lines) -> Parcel:
    """A task with the pictures of its problems. Raises UserError where one is not in the store."""
    pictures: dict[str, bytes] = {}
    for _, line in lines:
        for image in all_images(msgspec.json.decode(line, type=Problem)):
            if image.path not in pictures:
                try:
                    pictures[image.path] = read_bytes(inside(work, image.path))
                except FileNotFoundError as error:
                    raise UserError(
                        f"picture {image.path} is missing", f"it should be below {work}"
                    ) from error
    return Parcel(lines, pictures)


def received(work: Path, data: bytes) -> bytes:
    """The results of a parcel; its new pictures are in the store afterwards."""
    sent = msgspec.msgpack.decode(data, type=Sent)
    for path, picture in sent.pictures.items():
        if not inside(work, path).exists():
            write_bytes(work / path, picture)
    return sent.record


def option_files(options: dict[str, Any], folder: Path) -> dict[str, bytes]:
    """Every file that an option names, by absolute path. Raises UserError when they are too big."""
    files: dict[str, bytes] = {}
    for path in _named(options, folder):
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                files[str(file.absolute())] = read_bytes(file)
        if sum(map(len, files.values())) > MOST:
            raise UserError(
                f"{path} has more than {MOST:,} bytes", "put it on a disk that all workers see"
            )
    return files


def _named(value: Any, folder: Path) -> Iterator[Path]:
    """Paths in options: those that were checked, and texts that are files beside the recipe."""
    if isinstance(value, Path):
        yield value
    elif isinstance(value, str) and value and "\0" not in value and len(value) < 1000:
        if (folder / value).is_file():
            yield folder / value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _named(inner, folder)


def run_parcel(
    run: Callable[[dict[str, Any], Path, Lines], bytes],
    options: dict[str, Any],
    files: dict[str, bytes],
    parcel: Parcel,
) -> bytes:
    """On a worker: `run(options, work, lines)` with everything in folders of this machine."""
    root = _laid_out(tuple(files.items()))
    with tempfile.TemporaryDirectory(prefix="benchwright-") as name:
        work = Path(name)
        for path, data in parcel.pictures.items():
            inside(work, path).parent.mkdir(parents=True, exist_ok=True)
            (work / path).write_bytes(data)
        record = run(_moved(options, root, work), work, parcel.lines)
        found = (p for p in work.rglob("*") if p.is_file())
        new = {p.relative_to(work).as_posix(): p for p in found}
        pictures = {k: p.read_bytes() for k, p in new.items() if k not in parcel.pictures}
    return msgspec.msgpack.encode(Sent(record, pictures))


_OWN: list[tempfile.TemporaryDirectory[str]] = []  # they go when the process ends


@lru_cache(maxsize=4)
def _laid_out(files: tuple[tuple[str, bytes], ...]) -> Path:
    """A folder of this process with the option files, below it under the names they came from."""
    folder = tempfile.TemporaryDirectory(prefix="benchwright-options-")
    _OWN.append(folder)
    for name, data in files:
        write_bytes(_below(Path(folder.name), Path(name)), data)
    return Path(folder.name)


def _below(root: Path, path: Path) -> Path:
    return root.joinpath(*path.absolute().parts[1:])


def _moved(value: Any, root: Path, work: Path) -> Any:
    """Options with their paths where the files lie now."""
    if isinstance(value, Path):
        return _below(root, value)
    if isinstance(value, Context):
        folder = _below(root, value.recipe_folder)
        return msgspec.structs.replace(value, recipe_folder=folder, work=work)
    if isinstance(value, dict):
        return {name: _moved(inner, root, work) for name, inner in value.items()}
    return value


def shipped(
    run: Callable[[dict[str, Any], Path, Lines], bytes], options: dict[str, Any], folder: Path
) -> Callable[[Parcel], bytes]:
    """`run` for workers that see none of our disks."""
    return partial(run_parcel, run, options, option_files(options, folder))
