"""A Label Studio of our own: unattended, on this machine only, with SQLite and local pictures."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import msgspec

from ...base.files import locked, pretty, write_bytes
from ...base.terminal import say
from ...errors import UserError
from .client import Client
from .environment import VERSION, install

HOST = "127.0.0.1"
DOMAIN = "annotators.example"  # our people's e-mail addresses; nothing is ever sent
PICTURES = "pictures"  # below the served folder; Label Studio serves subfolders only
PR_SET_PDEATHSIG = 1  # prctl(2)
PRIVATE = 0o077  # umask: nobody but the owner reads or enters
INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")  # of our environment
START_SECONDS = 600.0  # the first start migrates a database; slow machines take minutes


class Account(msgspec.Struct, kw_only=True):
    """How one person logs in."""

    name: str
    email: str
    password: str


class Site(msgspec.Struct, kw_only=True):
    """What `serve` keeps in its data folder: address, administrator and people."""

    url: str
    token: str
    admin: Account
    people: list[Account] = []


def default_data() -> Path:
    """`~/.local/share/benchwright/label-studio`, or below XDG_DATA_HOME."""
    share = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return share / "benchwright" / "label-studio"


def served(data: Path) -> Path:
    """The folder whose subfolders Label Studio serves to people who are logged in."""
    return data / "files"


def read_site(data: Path) -> Site | None:
    """The site that lives in `data`, if `serve` ever ran there."""
    try:
        return msgspec.json.decode((data / "site.json").read_bytes(), type=Site)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except msgspec.DecodeError as error:
        raise UserError(
            f"{data / 'site.json'}: {error}", "repair or remove it"
        ) from error


def write_site(data: Path, site: Site) -> None:
    write_private(data / "site.json", pretty(site))


def write_private(path: Path, data: bytes) -> None:
    """A file that only its owner may read: it holds passwords."""
    old = os.umask(PRIVATE)
    try:
        write_bytes(path, data)
    finally:
        os.umask(old)


def new_site(port: int) -> Site:
    admin = Account(
        name="admin", email=f"admin@{DOMAIN}", password=secrets.token_urlsafe(12)
    )
    return Site(url=f"http://{HOST}:{port}", token=secrets.token_hex(20), admin=admin)


@contextmanager
def running(
    data: Path, environment: Path, port: int
) -> Iterator[tuple[Site, subprocess.Popen[bytes]]]:
    """Label Studio in `data`, stopped when the block ends. Its log is `data/server.log`.

    Raises UserError when the port is taken, another server runs on the folder, or the server does
    not come up.
    """
    program = install(environment)
    _make_private(data)
    with _only_one(data):
        _check_free(port)
        site = read_site(data) or new_site(port)
        site.url = f"http://{HOST}:{port}"
        write_site(data, site)
        say(f"starting Label Studio {VERSION} on {data} (a minute or two) ...")
        with (data / "server.log").open("ab") as log:
            process = subprocess.Popen(
                _command(program, site, port),
                env=_environment(data, site),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                umask=PRIVATE,
                preexec_fn=_with_parent(),
            )
        try:
            _wait(site, process, data)
            yield site, process
        finally:
            stop(process)


@contextmanager
def _only_one(data: Path) -> Iterator[None]:
    """Two servers would write one database, and the second one the address of the first."""
    try:
        with locked(data / "serve.lock", wait=False):
            yield
    except BlockingIOError as error:
        site = read_site(data)
        raise UserError(
            f"another server runs on {data}" + (f", at {site.url}" if site else ""),
            "use that one, or another folder",
        ) from error


def _make_private(data: Path) -> None:
    """The database holds people's tokens: the folder and all in it are their owner's alone."""
    (served(data) / PICTURES).mkdir(parents=True, exist_ok=True)
    data.chmod(0o700)
    for path in data.iterdir():
        if not path.is_symlink():
            path.chmod(0o700 if path.is_dir() else 0o600)
    (data / "server.log").touch(0o600)


def _with_parent() -> Callable[[], object] | None:
    """On Linux the kernel ends the server when `serve` is killed; elsewhere it would go on."""
    if sys.platform != "linux":
        return None
    import ctypes

    return partial(ctypes.CDLL(None).prctl, PR_SET_PDEATHSIG, int(signal.SIGTERM))


def _command(program: Path, site: Site, port: int) -> list[str]:
    return [
        str(program),
        "start",
        "--no-browser",
        "--host",
        site.url,
        "--internal-host",
        HOST,
        "--port",
        str(port),
        "--log-level",
        "WARNING",
    ]


def _environment(data: Path, site: Site) -> dict[str, str]:
    """Settings that Label Studio reads; reporting to Sentry is on unless both are empty."""
    settings = {
        "LABEL_STUDIO_BASE_DATA_DIR": str(data.resolve()),
        "LABEL_STUDIO_USERNAME": site.admin.email,
        "LABEL_STUDIO_PASSWORD": site.admin.password,
        "LABEL_STUDIO_USER_TOKEN": site.token,
        "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
        "LABEL_STUDIO_LOCAL_FILES_SERVING_ENABLED": "true",
        "LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT": str(served(data).resolve()),
        "COLLECT_ANALYTICS": "false",
        "LATEST_VERSION_CHECK": "false",
        "SENTRY_DSN": "",
        "FRONTEND_SENTRY_DSN": "",
    }
    ours = {name: os.environ[name] for name in INHERITED if name in os.environ}
    return ours | settings


def _check_free(port: int) -> None:
    """Label Studio would silently take the next port when this one is busy."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise UserError(
                f"port {port} is taken: {error.strerror}", "choose another --port"
            ) from error


def _wait(site: Site, process: subprocess.Popen[bytes], data: Path) -> None:
    client = Client(site.url, site.token, patience=0)
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise UserError(
                f"Label Studio ended with code {process.returncode}",
                f"see {data / 'server.log'}",
            )
        with suppress(UserError):
            client.wait()
            break
        time.sleep(0.3)
    else:
        raise UserError(
            f"no Label Studio after {START_SECONDS:.0f} s", f"see {data / 'server.log'}"
        )
    if client.whoami() != site.admin.email:
        raise UserError(
            f"somebody else's Label Studio answers at {site.url}",
            "choose another --port",
        )


def stop(process: subprocess.Popen[bytes]) -> None:
    """End the server and its workers."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
            return
