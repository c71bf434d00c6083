"""What happens to a release on its way and is no damage: line ends, and files of hubs and desktops.

Git for Windows gives every line a carriage return. Manifest and exports.json hold the hash of each
file: a file that has one of these without them is that file, and anything else stays as it is.
Names with a dot in front belong to hubs, git and desktops: a build writes none, and nothing of
benchwright reads one.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from ..base.files import inside, sha256_file
from ..base.terminal import say
from ..errors import UserError
from ..release import MOST
from .anchor import ANCHORS, MANIFEST
from .compare import UNPROVED, Damage, Inodes, Tree
from .leaks import TABLES, answered
from .publication import EXPORTED, exports_folder

OURS = (MANIFEST, "SHA256SUMS", EXPORTED, *ANCHORS)  # hashes of these stand nowhere
# What Windows and macOS name so: the list is closed.
DESKTOPS = ("Thumbs.db", "desktop.ini", "__MACOSX")
NAMED = 5  # leaked answers that are named of each file
MOST_ODD = 1000  # links and the like
# A hash in a list of files.
_HASH = re.compile(rb"\b[0-9a-f]{64}\b")


@contextmanager
def as_written(release: Path) -> Iterator[Path]:
    """The release, or a copy of it and its exports without carriage returns in a folder that goes.

    Links and the like stay what they are: `verify` tells them.
    """
    with (release / MANIFEST).open("rb") as file:
        if not file.readline().endswith(b"\r\n"):
            yield release
            return
    say(
        f"{release}: lines end in CR LF, as git leaves them on Windows; proved without the CR"
    )
    with tempfile.TemporaryDirectory() as temporary:
        for folder in (release, exports_folder(release)):
            if folder.is_dir() and (folder == release or not folder.is_symlink()):
                _copied(folder, Path(temporary) / folder.name)
        yield Path(temporary) / release.name


def _copied(folder: Path, target: Path) -> None:
    """Copy a folder; a file that has its listed hash without carriage returns loses them."""
    shutil.copytree(folder, target, symlinks=True, copy_function=_copied_file)
    texts = {
        path.relative_to(target).as_posix(): path
        for path in target.rglob("*")
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= MOST
    }
    hashes = set[bytes]()
    for name in (MANIFEST, EXPORTED):
        if name in texts:
            hashes.update(_HASH.findall(texts[name].read_bytes()))
    for name, path in texts.items():
        data = path.read_bytes()
        plain = data.replace(b"\r\n", b"\n")
        if plain == data:
            continue
        if name in OURS or sha256(plain).hexdigest().encode() in hashes:
            path.write_bytes(plain)


def _copied_file(source: str, target: str) -> None:
    """A pipe or the like becomes a link, which is told as well."""
    if Path(source).is_file():
        shutil.copyfile(source, target)
    else:
        Path(target).symlink_to(source)


def tree_of(root: Path, called: str = "", known: Inodes | None = None) -> Tree:
    """What lies below a folder: nothing but files and folders; a link into a hub's cache alone.

    A file that has several names, `known` ones of another tree too, is hashed once.
    """
    tree = Tree(root, called, {}, [], [], {} if known is None else known)
    for folder, folders, names in os.walk(root):
        inner = os.path.relpath(folder, root).replace(os.sep, "/")
        for name in sorted([*folders, *names]):
            where = name if inner == "." else f"{inner}/{name}"
            if len(tree.odd) > MOST_ODD:
                what = f"{MOST_ODD} links and the like, and there may be more: none was followed"
                return tree._replace(odd=[Damage("not-a-file", called or ".", what)])
            if any(part[0] == "." or part in DESKTOPS for part in where.split("/")):
                tree.hidden.append(where)
            elif problem := _enter(tree, f"{folder}/{name}", where):
                tree.odd.append(Damage("not-a-file", f"{called}{where}", problem))
    return tree


def _enter(tree: Tree, path: str, where: str) -> str:
    """Take a file into the tree; what is wrong with it, "" for a sound one and for a folder."""
    is_link = os.path.islink(path)
    try:
        status = os.lstat(inside(tree.root, where) if is_link else path)
        if stat.S_ISREG(status.st_mode):
            inode = (status.st_dev, status.st_ino)
            if inode not in tree.inodes:
                tree.inodes[inode] = sha256_file(path)
            tree.files[where] = tree.inodes[inode]
            return ""
        if stat.S_ISDIR(status.st_mode) and not is_link:
            return ""
    except (UserError, OSError):
        pass
    return "a link that leaves the release" if is_link else "no file that can be read"


def leaked(
    tree: Tree, paths: Iterable[str], withheld: Collection[str]
) -> Iterator[Damage]:
    """The withheld answers that tables among the files tell."""
    for path in paths:
        file = tree.root / path
        where = f"{tree.called}{path}"
        if not path.endswith(TABLES) or not file.is_file():
            continue
        # JSON is read whole, the other tables row by row.
        if path.endswith(".json") and file.stat().st_size > MOST:
            yield Damage(UNPROVED, where, "too large to look for answers")
        elif withheld:
            for name in answered(file, withheld)[:NAMED]:
                what = f"the answer of {name}, which is withheld"
                yield Damage("answer-leaked", where, what)
