"""Work for machines that share no disk with this one: files travel with it (`--ship`).

Option files go to each worker once, with the function; a task's lines, their pictures and what is
known of them go with the task, and all files that it makes come back. On a worker every file lies
under the same name below a folder of its own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import inside, read_bytes, write_bytes
from ..errors import UserError
from ..problem import Problem, all_images
from .by_shard import Lines
from .shard import SHARDS, Shard
from .stage import Context
from .visit import Step, known, visit

MOST = 500_000_000  # bytes of option files


class Parcel(msgspec.Struct, frozen=True):
    """Some lines, their pictures and what is known of them: files by path below the work folder."""

    lines: Lines
    files: dict[str, bytes]


class Sent(msgspec.Struct, frozen=True):
    """What the stages made, and the files that are new."""

    shards: list[Shard]
    files: dict[str, bytes]


def parcels(
    steps: Sequence[Step], work: Path, build: str, shards: Iterable[Lines]
) -> Iterator[Parcel]:
    """A task with its files. Raises UserError where a picture is not in the store."""
    for lines in shards:
        files = known(steps, work, build, lines)
        name = f"{SHARDS}/{lines.number}.in"
        files[name] = b"".join(lines.read())
        for line in filter(bytes.strip, lines.read()):
            for image in all_images(msgspec.json.decode(line, type=Problem)):
                if image.path not in files:
                    try:
                        files[image.path] = read_bytes(inside(work, image.path))
                    except FileNotFoundError as error:
                        raise UserError(
                            f"picture {image.path} is missing",
                            f"it should be below {work}",
                        ) from error
        yield Parcel(msgspec.structs.replace(lines, path=Path(name), start=0), files)


def received(work: Path, sent: Sent) -> list[Shard]:
    """The shards of a parcel; its new files lie below the work folder afterwards."""
    for path, data in sent.files.items():
        if not inside(work, path).exists():
            write_bytes(work / path, data)
    for shard in sent.shards:
        if shard.apart:
            shard.apart = msgspec.structs.replace(
                shard.apart, path=work / shard.apart.path
            )
    return sent.shards


def option_files(options: dict[str, Any], folder: Path) -> dict[str, bytes]:
    """Every file that an option names, by absolute path. Raises UserError when they are too big."""
    files: dict[str, bytes] = {}
    for path in _named(options, folder):
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                files[str(file.absolute())] = read_bytes(file)
        if sum(map(len, files.values())) > MOST:
            raise UserError(
                f"{path} has more than {MOST:,} bytes",
                "put it on a disk that all workers see",
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
    steps: Sequence[Step], build: str, options: dict[str, bytes], parcel: Parcel
) -> Sent:
    """On a worker: a visit with everything in folders of this machine."""
    root = _laid_out(tuple(options.items()))
    with tempfile.TemporaryDirectory(prefix="benchwright-") as name:
        work = Path(name)
        for path, data in parcel.files.items():
            inside(work, path).parent.mkdir(parents=True, exist_ok=True)
            (work / path).write_bytes(data)
        moved = [
            msgspec.structs.replace(step, options=_moved(step.options, root, work))
            for step in steps
        ]
        lines = msgspec.structs.replace(parcel.lines, path=work / parcel.lines.path)
        shards = visit(moved, work, f"{build} {parcel.lines.number}", True, lines)
        for shard in shards:
            if shard.apart:
                inner = shard.apart.path.relative_to(work)
                shard.apart = msgspec.structs.replace(shard.apart, path=inner)
        found = (p for p in work.rglob("*") if p.is_file())
        new = {p.relative_to(work).as_posix(): p for p in found}
        files = {
            path: p.read_bytes() for path, p in new.items() if path not in parcel.files
        }
    return Sent(shards, files)


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
    steps: Sequence[Step], build: str, context: Context
) -> Callable[[Parcel], Sent]:
    """A visit for workers that see none of our disks."""
    files: dict[str, bytes] = {}
    for step in steps:
        own = {name: value for name, value in step.options.items() if name != "context"}
        files |= option_files(own, context.recipe_folder)
    return partial(run_parcel, steps, build, files)
