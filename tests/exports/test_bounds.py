"""Whatever a stranger's release holds, its proof has an end: in a process with little memory."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright.base.statement import ENVELOPE, STATEMENT, sign
from benchwright.exports import exports_folder
from benchwright.release import MOST, VALUES
from damaging import edit_json
from fuzzing import PRIVATE_KEY, PUBLIC_KEY
from small import release

GIGABYTE = 1 << 30
PROOF = """
import resource, sys
from benchwright.building.verify import verify
from benchwright.errors import UserError
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (40, 40))
try:
    found = verify(sys.argv[1], key=sys.argv[2] if len(sys.argv) > 2 else None)
    print(*(f"{d.code} {d.where}: {d.what}" for d in found), *found.unproved, sep="\\n")
except UserError as error:
    print(error.message)
"""


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("signed")
    made = release(folder, exports=["inspect"])
    (folder / "key.pem").write_text(PRIVATE_KEY)
    (made.parent / "key.pub").write_text(PUBLIC_KEY)
    sign(made, key=folder / "key.pem")
    return made


def sparse(size: int, name: str) -> Callable[[Path], object]:
    """A file of so many zeros that the disk need not hold."""
    return lambda folder: os.truncate(folder / name, size)


def values(folder: Path) -> None:
    """Many values in few bytes: what they take in memory is a hundred times as much."""
    text = (folder / "manifest.json").read_text("utf-8").rstrip().removesuffix("}")
    (folder / "manifest.json").write_text(f'{text}, "x": [{"[]," * VALUES}[]]}}\n')


def formats(folder: Path) -> None:
    listed = exports_folder(folder) / "exports.json"
    files = ",".join(f'"{k}":""' for k in range(VALUES))
    listed.write_text(
        f'{{"release": "", "formats": {{"a": {{"code": "", "files": {{{files}}}}}}}}}'
    )


def links(folder: Path) -> None:
    (folder / "more").mkdir()
    for k in range(20_000):
        (folder / f"more/{k}").symlink_to("/dev/zero")


def chain(folder: Path) -> None:
    """Folders that lead to one another, in more ways than can be walked."""
    for k in range(40):
        (folder / f"d{k}").mkdir()
        for name in "ab":
            (folder / f"d{k}" / name).symlink_to(folder / f"d{(k + 1) % 40}")


def signatures(folder: Path) -> None:
    one = {"keyid": "", "sig": base64.b64encode(bytes(64)).decode()}
    edit_json(folder / ENVELOPE, lambda e: e.update(signatures=[one] * 50_000))


def subjects(folder: Path) -> None:
    """Each asks for the same file again."""
    edit_json(folder / STATEMENT, lambda s: s.update(subject=s["subject"] * 50_000))


def deep(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text("[" * 2_000_000)


def hidden(folder: Path) -> None:
    (folder / ".cache").mkdir()
    (folder / ".cache/answers.json").touch()
    os.truncate(folder / ".cache/answers.json", 4 * GIGABYTE)


# what is done, and what is said of it
HARMS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "a manifest of a gigabyte": (sparse(GIGABYTE, "manifest.json"), f"larger than {MOST:,} bytes"),
    "a manifest of 256 MB": (sparse(MOST, "manifest.json"), "manifest.json: "),
    "a manifest of small values": (values, f"more than {VALUES:,} values"),
    "a manifest of brackets": (deep("manifest.json"), "manifest.json: "),
    "a statement of 10 MB": (sparse(10_000_000, STATEMENT), "statement-differs"),
    "a statement of a gigabyte": (sparse(GIGABYTE, STATEMENT), "larger than 10,000,000 bytes"),
    "a signature of a gigabyte": (sparse(GIGABYTE, ENVELOPE), "larger than 10,000,000 bytes"),
    "a statement of brackets": (deep(STATEMENT), "statement-differs"),
    "a statement that repeats itself": (subjects, "does not speak of manifest.json once"),
    "more signatures than anybody needs": (signatures, "more than 20 signatures"),
    "a list of exports of a gigabyte": (
        lambda f: os.truncate(exports_folder(f) / "exports.json", GIGABYTE), "no list of what"),
    "a list of exports of small values": (formats, "no list of what was exported"),
    "a folder full of links": (links, "1000 links and the like"),
    "folders that lead to one another": (chain, "a link that leaves the release"),
    "a picture of a gigabyte": (
        lambda f: os.truncate(next((f / "images").iterdir()), GIGABYTE), "picture-changed"),
    "a hidden table of four gigabytes": (hidden, ".cache/answers.json"),
}  # fmt: skip


@pytest.mark.parametrize("name", HARMS)
def test_what_is_too_much_is_named_in_little_memory(
    signed: Path, tmp_path: Path, name: str
) -> None:
    place = tmp_path / signed.name
    shutil.copytree(signed, place)
    shutil.copytree(exports_folder(signed), exports_folder(place))
    harm, said = HARMS[name]
    harm(place)
    command = [sys.executable, "-c", PROOF, str(place)]
    if "signature" in name:
        command.append(str(signed.parent / "key.pub"))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr[-2000:]) == (0, "")
    assert said in done.stdout
    assert len(done.stdout) < 200_000


def test_a_signature_on_another_release_is_not_one(
    signed: Path, tmp_path: Path
) -> None:
    """Each is what its makers signed; exchanged, neither is."""
    other = release(tmp_path, version="2.0.0")
    for name in (STATEMENT, ENVELOPE):
        shutil.copy(signed / name, other / name)
    command = [sys.executable, "-c", PROOF, str(other), str(signed.parent / "key.pub")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "statement-differs" in done.stdout
    assert "not-signed" in done.stdout
    assert json.loads((other / STATEMENT).read_bytes())["subject"]
