"""Reading and writing files: JSON lines, atomic replacement, hashes, safe paths."""

from __future__ import annotations

import errno
import glob
import hashlib
import os
import re
import secrets
import shutil
import stat
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, overload

import msgspec

from ..errors import MachineError, UserError, is_of_machine
from .json_lines import encode as encode
from .json_lines import pretty as pretty

T = TypeVar("T")
BLOCK = 1 << 20  # bytes
BAD_JSON = (
    msgspec.DecodeError,
    UnicodeDecodeError,
    RecursionError,
)  # of texts from outside


def sha256_file(path: Path | str) -> str:
    total = hashlib.sha256()
    with open(path, "rb", buffering=0) as file:
        while block := file.read(BLOCK):  # of a small file as much memory as it has
            total.update(block)
    return total.hexdigest()


def sha256_tree(path: Path) -> str:
    """Hash of a file, or of a folder's file names and contents."""
    if path.is_file():
        return sha256_file(path)
    total = hashlib.sha256()
    for file in sorted(p for p in path.rglob("*") if p.is_file()):
        total.update(
            f"{file.relative_to(path).as_posix()}\0{sha256_file(file)}\n".encode()
        )
    return total.hexdigest()


# s3://bucket/x, simplecache::s3://bucket/x; a scheme has two letters at least, since C:/x is a
# disk, and Path("s3://bucket") has lost a slash.
_ADDRESS = re.compile(
    r"(?P<scheme>(?:[a-z][a-z0-9]+::)*[a-z][a-z0-9+.-]+):/+(?P<rest>.*)", re.DOTALL
)


def cache_folder(name: str) -> Path:
    """Where this user's machine keeps what can be made again: `~/.cache/benchwright/NAME`, or below
    XDG_CACHE_HOME."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "benchwright" / name


def address_of(path: object) -> str:
    """The address in a store that a path is; "" where it is one of this machine.

    >>> address_of(Path("s3://bucket/out")), address_of("out/x"), address_of("C:/out")
    ('s3://bucket/out', '', '')
    >>> address_of(Path("file:///data/x"))
    'file:///data/x'
    """
    match = _ADDRESS.fullmatch(str(path))
    if match is None:
        return ""
    root = "/" if match["scheme"].endswith("file") else ""
    return f"{match['scheme']}://{root}{match['rest']}"


def refuse_address(path: Path) -> None:
    """Raise UserError where a place on this machine is meant, and one in a store is given."""
    if address := address_of(path):
        raise UserError(
            f"{address} lies in a store, and this is written on this machine",
            "give a folder; build-release -o and score --out write to stores",
        )


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file that appears under its name only when it is complete.

    Threads, processes and containers that share a disk may write the same file at once: each
    writes its own, and the last one stays. What a killed process left is written over. A full disk
    leaves the old file untouched and raises MachineError.
    """
    refuse_address(path)
    if path.is_dir():
        raise UserError(f"{path} is a folder", "name a file")
    part = path.with_name(f".{path.name}.part")
    claim = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        claim = _claimed(part, os.O_RDWR | os.O_CREAT)
        if claim is None:  # somebody else is at it
            part = _other(path)
        try:
            with (
                part.open("xb") if claim is None else open(os.dup(claim), "wb") as file
            ):
                file.truncate(0)
                yield file
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            with suppress(OSError):
                part.unlink()
            raise
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        if claim is not None:
            os.close(claim)


def _other(path: Path) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")


def _claimed(part: Path, flags: int) -> int | None:
    """A descriptor of a file or folder that nobody else has claimed; it is ours while it is open.

    None where a living process has it, where a link or pipe lies there, or where the system cannot
    tell. A claim is a lock of the kernel's, which ends with its process, however that ends.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        return None
    try:
        number = os.open(
            part, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666
        )
    except OSError:
        return None
    with suppress(OSError):
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        found = os.fstat(number)
        known = stat.S_ISDIR(found.st_mode) or (
            stat.S_ISREG(found.st_mode) and found.st_nlink == 1
        )
        if known and os.path.samestat(found, os.lstat(part)):  # and not renamed since
            return number
    os.close(number)
    return None


@contextmanager
def sole(path: Path) -> Iterator[None]:
    """Hold `path` for long and costly work, which two runs at once would do and pay for twice.

    Raises UserError where another living process holds it, as far as the system can tell.
    """
    if not path.name:
        raise UserError(f"{path} is a folder", "name a file, or a folder below it")
    mark = path.with_name(f".{path.name}.run")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path, error) from error
    claim = _claimed(mark, os.O_RDWR | os.O_CREAT)
    if claim is None and _is_held(mark):
        raise UserError(
            f"another run is writing {path}", "wait for its end, or name another file"
        )
    try:
        yield
    finally:
        if claim is not None:
            with suppress(OSError):
                mark.unlink()
            os.close(claim)


def _is_held(mark: Path) -> bool:
    """Whether a living process has claimed it; False where the file system knows no locks."""
    try:
        import fcntl
    except ImportError:  # Windows
        return False
    try:
        number = os.open(
            mark, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        )
    except OSError:
        return False
    try:
        fcntl.flock(number, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return isinstance(error, BlockingIOError)
    finally:
        os.close(number)
    return False


def unwritable(path: Path, error: Exception) -> MachineError:
    """The error of a file that cannot be written: OSError's, or a database's."""
    cause = getattr(error, "strerror", None) or error
    return MachineError(
        f"cannot write {path}: {cause}", "free space or check permissions"
    )


def remove_file(path: Path) -> None:
    """Take a file away that may not be there. Raises UserError where that is forbidden."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(path, error) from error


def read_bytes(path: Path) -> bytes:
    """What a file holds. Raises MachineError for one that is there and cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        if not is_of_machine(error):
            raise
        raise MachineError(
            f"cannot read {path}: {error.strerror}",
            "check the disk and its permissions",
        ) from error


def write_bytes(path: Path, data: bytes) -> None:
    with replacing(path) as file:
        file.write(data)


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode("utf-8"))


def link_or_copy(source: Path, target: Path) -> None:
    """Give a file a second name: the bytes are there once, where the disk can do that."""
    target.unlink(missing_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def write_jsonl(path: Path, records: Iterable[Any]) -> int:
    """Write records as JSON lines, atomically; returns how many."""
    count = 0
    with replacing(path) as file:
        for record in records:
            file.write(encode(record))
            count += 1
    return count


def append_line(path: Path, record: Any) -> None:
    """Add one JSON line at once: whoever reads meanwhile sees it whole or not at all.

    A full disk leaves the file as it was and raises MachineError.
    """
    refuse_address(path)
    line = encode(record)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab", buffering=0) as file:
            size = file.tell()
            if size and not _ends_line(path):
                line = b"\n" + line
            if file.write(line) != len(line):
                file.truncate(size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file.fileno())
    except OSError as error:
        raise unwritable(path, error) from error


def _ends_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Line number (from 1) and content of every non-blank line."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if number == 1 and line.startswith(b"\xef\xbb\xbf"):
                    line = line[3:]
                if line.strip():
                    yield number, line
    except OSError as error:
        raise UserError(
            f"cannot read {path}: {error.strerror}", "check the path"
        ) from error


def read_jsonl(path: Path, kind: type[T]) -> Iterator[T]:
    """Decode our own JSON lines; any damage is an error that names file and line."""
    decoder = msgspec.json.Decoder(kind)
    for number, line in read_lines(path):
        try:
            yield decoder.decode(line)
        except BAD_JSON as error:
            raise UserError(
                f"{path}:{number}: {error}", "repair or remove this line"
            ) from error


class Records(Sequence[T]):
    """Records of a JSON-lines file, decoded whenever they are asked for: only places are in memory.

    `decode` makes a record of a line; `select` gives some of them, by their positions.
    """

    def __init__(
        self,
        path: Path,
        decode: Callable[[bytes], T],
        places: Sequence[int] | None = None,
    ) -> None:
        self.path, self.decode = path, decode
        self.places = _line_starts(path) if places is None else places

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[T]:
        with self.path.open("rb") as file:
            at = 0
            for place in self.places:
                if place != at:  # a seek costs the buffer
                    file.seek(place)
                line = file.readline()
                at = place + len(line)
                yield self.decode(line)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Records[T]: ...
    def __getitem__(self, at: int | slice) -> T | Records[T]:
        if isinstance(at, slice):
            return Records(self.path, self.decode, self.places[at])
        return next(iter(self.select([at])))

    def select(self, positions: Iterable[int]) -> Records[T]:
        places = array("Q", (self.places[k] for k in positions))
        return Records(self.path, self.decode, places)


def _line_starts(path: Path) -> Sequence[int]:
    starts = array("Q")
    at = 0
    with path.open("rb") as file:
        for line in file:
            if line.strip():
                starts.append(at)
            at += len(line)
    return starts


class Streamed(Sequence[T]):
    """A sequence that is made anew whenever it is read: more than memory should hold.

    >>> squares = Streamed(lambda: (k * k for k in range(4)))
    >>> len(squares), list(squares), squares[2]
    (4, [0, 1, 4, 9], 4)
    """

    def __init__(self, make: Callable[[], Iterable[T]]) -> None:
        self.make = make
        self._size: int | None = None

    def __iter__(self) -> Iterator[T]:
        count = 0
        for one in self.make():
            count += 1
            yield one
        self._size = count

    def __len__(self) -> int:
        if self._size is None:
            deque(self, maxlen=0)
        return self._size or 0

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        if isinstance(at, slice):
            return list(self)[at]
        return next(islice(self, at if at >= 0 else len(self) + at, None))


def path_or_none(path: str | Path | None) -> Path | None:
    """An optional path that a user gave as a text or a Path."""
    return None if path is None else Path(path)


def records(source: str | Path | Iterable[T], kind: type[T]) -> list[T]:
    """The records of a JSON-lines file, or those that are given themselves."""
    return list(
        read_jsonl(Path(source), kind) if isinstance(source, str | Path) else source
    )


def inside(root: Path, relative: str) -> Path:
    """`root / relative`, refusing absolute paths and anything that leaves `root`.

    A link that lies in `root` may lead into the `blobs` of a hub cache: data sets that were
    downloaded there are folders of such links.

    >>> inside(Path("data"), "../secret")
    Traceback (most recent call last):
    benchwright.errors.UserError: path '../secret' leaves its folder: use a path below data
    """
    remedy = f"use a path below {root}"
    if os.path.isabs(relative) or "\\" in relative or "\0" in relative:
        raise UserError(f"path {relative!r} is not relative", remedy)
    if (plain := _without_links(root.absolute(), relative)) is not None:
        return plain
    top = root.resolve()
    resolved = (root / relative).resolve()
    if resolved.is_relative_to(top):
        return resolved
    lies_in_root = (root / relative).parent.resolve().is_relative_to(top)
    if lies_in_root and Path(relative).name != ".." and _is_blob(resolved, top):
        return resolved
    raise UserError(f"path {relative!r} leaves its folder", remedy)


def _without_links(top: Path, relative: str) -> Path | None:
    """`top / relative` where no step below `top` is a link or leads up; else None."""
    here = str(top)
    for step in relative.split("/"):
        here = f"{here}{os.sep}{step}"
        if step in ("", ".", "..") or ":" in step or os.path.islink(here):
            return None
    return Path(here)


def _is_blob(path: Path, root: Path) -> bool:
    """Whether a file lies in a hub cache: `<repository>/blobs/`, beside or around `root`."""
    repository = path.parent.parent
    return path.parent.name == "blobs" and (
        (repository / "snapshots").is_dir() or root.is_relative_to(repository)
    )


def safe_name(identifier: str) -> str:
    """A file name for an id from outside; different ids have different names.

    >>> safe_name("math-v-12"), safe_name("../a b")
    ('math-v-12', 'a_b-2c2c791a')
    """
    name = "".join(c if c.isalnum() or c in "._-" else "_" for c in identifier).strip(
        "._"
    )[:100]
    if name == identifier:
        return name
    return f"{name}-{hashlib.sha256(identifier.encode('utf-8', 'replace')).hexdigest()[:8]}"


@contextmanager
def replacing_folder(folder: Path) -> Iterator[Path]:
    """A temporary folder that takes `folder`'s name only when the block ends well.

    Each writer has its own, so that two at once do not tread on each other: the last one stands.
    What killed processes left is cleared away.
    """
    try:
        with scratch(folder) as temporary:
            yield temporary
            _take_place(temporary, folder)
    except OSError as error:
        raise unwritable(folder, error) from error


@contextmanager
def scratch(name: Path) -> Iterator[Path]:
    """A folder of this process beside `name`, which goes when the block ends.

    What killed processes left there is cleared away.
    """
    refuse_address(name)
    claim = None
    try:
        name.parent.mkdir(parents=True, exist_ok=True)
        _clear_dead(name)
        folder, claim = _own(name)
    except OSError as error:
        raise unwritable(name, error) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if claim is not None:
            os.close(claim)


def _own(folder: Path) -> tuple[Path, int | None]:
    """A new folder and our claim; where there is none, the system cannot tell who has what."""
    for _ in range(3):
        (temporary := _other(folder)).mkdir()
        if (claim := _claimed(temporary, os.O_RDONLY)) is not None:
            return temporary, claim
        with suppress(
            OSError
        ):  # in between somebody may have taken it for a dead one's
            temporary.rmdir()
    temporary.mkdir()
    return temporary, None


def _clear_dead(folder: Path) -> None:
    for part in folder.parent.glob(f".{glob.escape(folder.name)}.*.part"):
        claim = _claimed(part, os.O_RDONLY)
        if claim is not None:
            shutil.rmtree(part, ignore_errors=True)
            os.close(claim)


TRIES = 100  # renames; each fails only where another process has just made its own


def _take_place(new: Path, folder: Path) -> None:
    """Rename `new` to `folder`; another process may do the same at any moment in between."""
    old = new / ".replaced"
    for left in reversed(range(TRIES)):
        with suppress(FileNotFoundError):
            folder.rename(old)
        shutil.rmtree(old, ignore_errors=True)
        try:
            new.rename(folder)
            return
        except OSError:
            if not left:
                raise


COMPLETE = ".complete"  # stands in a staging folder whose folders may take their places


@contextmanager
def replacing_together(folder: Path) -> Iterator[Path]:
    """A staging folder whose sub-folders take their places beside `folder`, all or none.

    Write each under the name that it will have; an empty one takes the old one away. When the block
    ends well, a mark is set first and then each is renamed: what a kill leaves in between,
    `finish_replacing` finishes. When the block fails, nothing has changed.
    """
    refuse_address(folder)
    staging = staging_of(folder)
    finish_replacing(folder)
    try:
        staging.mkdir(parents=True)
        yield staging
        write_bytes(staging / COMPLETE, b"")
        finish_replacing(folder)
    except OSError as error:
        raise unwritable(folder, error) from error
    finally:
        if not (staging / COMPLETE).exists():
            shutil.rmtree(staging, ignore_errors=True)


def finish_replacing(folder: Path) -> None:
    """Finish what a killed `replacing_together` left, or clear away what it had not completed."""
    staging = staging_of(folder)
    if (staging / COMPLETE).exists():
        replaced = staging / ".replaced"
        for new in sorted(
            path for path in staging.iterdir() if not path.name.startswith(".")
        ):
            place = folder.parent / new.name
            shutil.rmtree(replaced, ignore_errors=True)
            if place.exists():
                place.rename(replaced)
            if any(new.iterdir()):
                new.rename(place)
            else:
                new.rmdir()
        shutil.rmtree(replaced, ignore_errors=True)
        (staging / COMPLETE).unlink()
    shutil.rmtree(staging, ignore_errors=True)


def staging_of(folder: Path) -> Path:
    """Where `folder` and what belongs to it are written until they are complete."""
    return folder.with_name(f".{folder.name}.part")


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold `path` as a lock between processes; it ends with the process, however it ends.

    Raises BlockingIOError when another process holds it and `wait` is False, and MachineError
    where it cannot be written.
    """
    refuse_address(path)
    from filelock import FileLock, Timeout

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path).acquire(timeout=-1 if wait else 0)
    except Timeout as error:
        raise BlockingIOError(f"{path} is held by another process") from error
    except OSError as error:
        raise unwritable(path, error) from error
    with lock:
        yield
