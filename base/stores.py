"""Files in stores: addresses with a scheme (s3://, gs://, https://, memory://), through fsspec.

What is read comes to this machine first, where it is found again as long as the store shows the
same; what is written goes to the store when it is whole. The extra `store` brings fsspec; without
it an address is refused by name, and never taken for a folder `s3:`.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from ..errors import MachineError, UserError
from .extras import extra
from .files import address_of, cache_folder, inside, replacing, write_bytes

PATTERN = frozenset("*?[")
SEEN = ".seen.json"  # what the store said of each file that lies here
# of a file in a store, what tells one content from another; a store says some of these
TELLING = (
    "size",
    "ETag",
    "etag",
    "mtime",
    "LastModified",
    "last_modified",
    "updated",
    "created",
)


def cache() -> Path:
    """Where copies lie."""
    return cache_folder("stores")


def brought(path: str | Path) -> Path:
    """A file or folder on this machine; one in a store comes here, unless it lies here as it is.

    Of a pattern all that it fits comes, and the pattern of what lies here is returned.
    Raises UserError for an address that the store does not have.
    """
    address = address_of(path)
    if not address:
        return Path(path)
    store, root = _opened(address)
    name = PurePosixPath(root).name
    place = cache() / sha256(address.encode()).hexdigest()[:16]
    try:
        files = _files(store, root)
        if not files:
            raise UserError(f"{address}: nothing is there", "correct the address")
        _bring(store, files, place)
    except (OSError, ValueError) as error:
        raise _unreachable(address, error) from error
    return place / name


def _files(store: Any, root: str) -> dict[str, str]:
    """The files of an address, by where each lies below the folder that holds it here."""
    if PATTERN & set(root):
        fixed = [part for part in PurePosixPath(root).parts if not PATTERN & set(part)]
        if len(fixed) < len(PurePosixPath(root).parts) - 1:
            raise UserError(
                f"{root}: a pattern in the name of a folder",
                "put it into the name of files",
            )
        return {PurePosixPath(file).name: file for file in store.glob(root)}
    if store.isfile(root):
        return {PurePosixPath(root).name: root}
    above = str(PurePosixPath(root).parent)
    found = store.find(root) if store.isdir(root) else []
    return {str(PurePosixPath(file).relative_to(above)): file for file in found}


def _bring(store: Any, files: dict[str, str], place: Path) -> None:
    """Fetch the files that are not here as the store has them; others go."""
    seen: dict[str, list[str]] = {}
    if (place / SEEN).is_file():
        seen = msgspec.json.decode((place / SEEN).read_bytes())
    now = {name: _facts(store.info(file)) for name, file in files.items()}
    for name in seen.keys() - now.keys():
        inside(place, name).unlink(missing_ok=True)
    for name, file in sorted(files.items()):
        target = inside(place, name)
        if seen.get(name) == now[name] and target.is_file():
            continue
        with replacing(target) as here, store.open(file, "rb") as there:
            while block := there.read(1 << 20):
                here.write(block)
    write_bytes(place / SEEN, msgspec.json.encode(now))


def _facts(info: dict[str, Any]) -> list[str]:
    return [f"{name} {info[name]}" for name in TELLING if info.get(name) is not None]


def read_stored(address: str) -> bytes | None:
    """The bytes of a file in a store; None where there is none."""
    store, root = _opened(address)
    try:
        return bytes(store.cat_file(root)) if store.exists(root) else None
    except OSError as error:
        raise _unreachable(address, error) from error


def put(folder: Path, address: str, last: Sequence[str] = ()) -> int:
    """Write a folder to a store, and take away what an earlier one had more; how many files it has.

    Files named in `last` come at the end, in this order: what names all others is there only when
    these are. Raises MachineError where the store does not take a file: the next run goes on.
    """
    store, root = _opened(address)
    files = {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    at_the_end = [name for name in last if name in files]
    try:
        before = set(store.find(root)) if store.exists(root) else set()
        written = set()
        for name in at_the_end:  # without these nobody takes half of it for the whole
            if (old := f"{root.rstrip('/')}/{name}") in before:
                store.rm_file(old)
                before.remove(old)
        for name in [*(name for name in files if name not in at_the_end), *at_the_end]:
            target = f"{root.rstrip('/')}/{name}"
            store.makedirs(str(PurePosixPath(target).parent), exist_ok=True)
            store.put_file(str(files[name]), target)
            written.add(target)
        for file in sorted(before - written):
            store.rm_file(file)
    except (OSError, ValueError) as error:
        raise _unreachable(address, error) from error
    return len(files)


def require(address: str) -> None:
    """Raise UserError, before any work, where nothing here can write to an address."""
    _opened(address)


def _opened(address: str) -> tuple[Any, str]:
    """The file system of an address, and the path in it."""
    with extra("store", address):
        import fsspec
    try:
        with extra("store", address):
            store, root = fsspec.core.url_to_fs(address)
    except (ImportError, ValueError) as error:
        raise UserError(
            f"{address}: {error}",
            "pip install 'benchwright[store]', or what the message names",
        ) from error
    except OSError as error:
        raise _unreachable(address, error) from error
    return store, str(root)


def _unreachable(address: str, error: Exception) -> MachineError:
    return MachineError(
        f"{address}: {type(error).__name__}: {error}",
        "look whether the store is there and may be used; the same command goes on from here",
    )


def below(address: str, *names: str) -> str:
    """An address below another one.

    >>> below("s3://bucket/out/", "x-1.0.0", "manifest.json")
    's3://bucket/out/x-1.0.0/manifest.json'
    """
    return "/".join([address.rstrip("/"), *names])
