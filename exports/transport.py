"""A release whose text another program rewrote on its way: read as it was written.

Git for Windows gives every line a carriage return. Manifest and exports.json hold the hash of each
file: a file that has its hash without them is that file, and anything else stays as it is.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import BAD_JSON
from ..base.terminal import say
from ..release import MOST, read_manifest
from .anchor import ANCHORS
from .publication import EXPORTED, Exported, exports_folder

OURS = ("manifest.json", "SHA256SUMS", EXPORTED, *ANCHORS)  # hashes of these stand nowhere


@contextmanager
def as_written(release: Path) -> Iterator[Path]:
    """The release, or a copy of it and its exports without carriage returns in a folder that goes.

    Links and the like stay what they are: `verify` tells them.
    """
    with (release / "manifest.json").open("rb") as file:
        if not file.readline().endswith(b"\r\n"):
            yield release
            return
    say(f"{release}: lines end in CR LF, as git leaves them on Windows; proved without the CR")
    with tempfile.TemporaryDirectory() as temporary:
        exports = exports_folder(release)
        place = Path(temporary) / release.name
        _copied(release, place, _listed(read_manifest(release)))
        if exports.is_dir() and not exports.is_symlink():
            _copied(exports, place.with_name(exports.name), _exported(exports))
        yield place


def _copied(folder: Path, target: Path, hashes: Mapping[str, str]) -> None:
    shutil.copytree(folder, target, symlinks=True, copy_function=_copied_file)
    for path in target.rglob("*"):
        name = path.relative_to(target).as_posix()
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MOST:
            continue
        data = path.read_bytes()
        plain = data.replace(b"\r\n", b"\n")
        if plain != data and (name in OURS or sha256(plain).hexdigest() == hashes.get(name)):
            path.write_bytes(plain)


def _copied_file(source: str, target: str) -> None:
    """A pipe or the like becomes a link, which is told as well."""
    if Path(source).is_file():
        shutil.copyfile(source, target)
    else:
        Path(target).symlink_to(source)


def _listed(manifest: dict[str, Any]) -> dict[str, str]:
    try:
        return {n: str(one["sha256"]) for n, one in manifest["files"].items()}
    except (AttributeError, KeyError, TypeError):
        return {}


def _exported(folder: Path) -> dict[str, str]:
    try:
        known = msgspec.json.decode((folder / EXPORTED).read_bytes(), type=Exported)
    except (OSError, *BAD_JSON):
        return {}
    formats = known.formats.items()
    return {f"{name}/{path}": sha for name, one in formats for path, sha in one.files.items()}
