"""Label Studio's own tool environment: it pins packages that cannot live beside ours."""

from __future__ import annotations

import re
import subprocess
import venv
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path

from ...base.files import cache_folder, locked
from ...base.terminal import say
from ...errors import UserError

# A package's line of pip: "Downloading numpy-2.0.whl (16.2 MB)", also from the cache.
SIZE = re.compile(r"(?:Downloading|Using cached) \S+ \((\d+(?:\.\d+)?) (bytes|kB|MB)\)")
UNITS = {"bytes": 1e-6, "kB": 1e-3, "MB": 1.0}
PACKAGES = 170  # that Label Studio brings along
VERSION = "1.23.2"  # the version every interface was checked on


def default_environment() -> Path:
    """`~/.cache/benchwright/label-studio-<version>`, or below XDG_CACHE_HOME."""
    return cache_folder(f"label-studio-{VERSION}")


def install(folder: Path) -> Path:
    """The `label-studio` program in `folder`, installed there first if needed.

    It takes a gigabyte and a minute or two, once. A killed installation starts afresh.
    """
    program = folder / "bin" / "label-studio"
    ready = folder / "ready"
    if ready.exists() and program.exists():
        return program
    with locked(folder.with_name(folder.name + ".lock")):
        if ready.exists():
            return program
        say(
            f"installing Label Studio {VERSION} into {folder} (1 GB, a minute or two) ..."
        )
        venv.create(folder, clear=True, with_pip=True)
        options = "-m pip install --progress-bar off --disable-pip-version-check"
        python = str(folder / "bin" / "python")
        process = subprocess.Popen(
            [python, *options.split(), f"label-studio=={VERSION}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        assert process.stdout is not None
        last = _tell_progress(process.stdout)
        if process.wait() != 0:
            raise UserError(
                f"Label Studio {VERSION} cannot be installed: {' '.join(last)[-500:]}",
                "check the network and the disk, or use a running server: --server http://...",
            )
        ready.touch()
    return program


def _tell_progress(
    lines: Iterable[str], tell: Callable[[str], None] = say
) -> list[str]:
    """Say how far pip is, every ten packages; returns its last lines.

    >>> lines = [f"  Downloading p{k}.whl (2.0 MB)" for k in range(10)]
    >>> end = _tell_progress([*lines, "Installing collected packages: p"], print)
    10 of about 170 packages, 20 MB
    unpacking ...
    """
    packages, megabytes = 0, 0.0
    last: deque[str] = deque(maxlen=5)
    for line in lines:
        last.append(line.strip())
        if size := SIZE.search(line):
            packages += 1
            megabytes += float(size[1]) * UNITS[size[2]]
            if packages % 10 == 0:
                tell(f"{packages} of about {PACKAGES} packages, {megabytes:.0f} MB")
        elif line.startswith("Installing collected packages"):
            tell("unpacking ...")
    return list(last)
