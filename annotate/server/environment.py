"""Label Studio's own tool environment: it pins packages that cannot live beside ours."""

from __future__ import annotations

import os
import subprocess
import venv
from pathlib import Path

from ...errors import UserError
from ...files import locked
from ...terminal import say

VERSION = "1.23.2"  # the version every interface was checked on


def default_environment() -> Path:
    """`~/.cache/benchwright/label-studio-<version>`, or below XDG_CACHE_HOME."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "benchwright" / f"label-studio-{VERSION}"


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
        say(f"installing Label Studio {VERSION} into {folder} (1 GB, a minute or two) ...")
        venv.create(folder, clear=True, with_pip=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        done = subprocess.run(
            [*pip, "--disable-pip-version-check", f"label-studio=={VERSION}"],
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise UserError(
                f"Label Studio {VERSION} cannot be installed: {done.stderr.strip()[-500:]}",
                "check the network and the disk, or use a running server with --url and --token",
            )
        ready.touch()
    return program
