"""Prove a release: what follows from its problems and pictures is made again and compared.

Problems, pictures, corrections and the manifest's facts are the ground. They are checked by
themselves (`ground.py`), everything else is written anew by the functions of the build, and every
difference is a damage (`compare.py`). So no file is proved by rules of its own.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

from ..base.files import sha256_file
from ..errors import UserError
from ..pipeline import Engine
from ..release import answers_file, read_manifest
from .anchor import ANCHORS, anchored, statement_beside
from .companion_folders import exports_beside, private_beside
from .compare import UNPROVED, Damage, Damages, Tree, compared
from .facts import Manifest, libraries, tool
from .ground import ground_of
from .package import (
    Contents,
    all_files,
    file_facts,
    picture_paths,
    write_derived,
    write_hashes,
)
from .transport import as_written, leaked, tree_of


def verify(
    release: str | Path,
    answers: str | Path | None = None,
    quick: bool = False,
    expect: str = "",
    key: str | Path | None = None,
    identity: tuple[str, str] | None = None,
    engine: Engine = Engine(),  # noqa: B008 (frozen)
) -> Damages:
    """Everything that is wrong with a release; where nothing is, it agrees with itself.

    Exports that lie beside the release are proved with it. What is given is what
    `building.verify`, the front door, says of it.

    Raises UserError only when there is no readable manifest.

    Example: `assert not verify("out/math-v-mini-1.0.0")`
    """
    raw = read_manifest(release)
    with as_written(Path(release)) as place:
        damages, anchor = anchored(place, expect, key, identity)
        tree = tree_of(place)
        damages += tree.odd
        damages += statement_beside(place)
        try:
            manifest = msgspec.convert(raw, Manifest)
        except msgspec.ValidationError as error:
            what = str(error).replace("`", "")
            damages.append(Damage("manifest-invalid", "manifest.json", what))
            return Damages(damages)
        damages += leaked(tree, tree.hidden, manifest.answers)
        damages += _hashes(tree, manifest)
        if quick:
            damages += _sums(tree, manifest)
            if not anchor:  # else they are those of whom it is anchored by
                damages += [
                    Damage(UNPROVED, path, "its hash alone") for path in tree.files
                ]
            return Damages(damages, anchor)
        damages += _proved(tree, manifest, answers, engine)
        if not Damages(damages):
            damages += exports_beside(place, manifest.answers, tree.inodes)
        return Damages(damages, anchor)


def _hashes(tree: Tree, manifest: Manifest) -> Iterator[Damage]:
    """Presence and hash of every file that the manifest lists."""
    for path, entry in manifest.files.items():
        actual = tree.files.get(path)
        if actual is None:
            yield Damage("file-missing", path, "listed in the manifest, not there")
        elif actual != entry.sha256:
            what = f"sha256 is {actual[:12]}…, not {entry.sha256[:12]}…"
            yield Damage("file-changed", path, what)


def _sums(tree: Tree, manifest: Manifest) -> Iterator[Damage]:
    """SHA256SUMS says of every file what it is, and there is no other file."""
    hashes = {path: entry.sha256 for path, entry in manifest.files.items()}
    hashes["manifest.json"] = tree.files.get("manifest.json", "")
    text = "".join(f"{hashes[path]}  {path}\n" for path in sorted(hashes))
    if tree.files.get("SHA256SUMS") != sha256(text.encode()).hexdigest():
        what = "it does not say what the manifest says"
        yield Damage("sums-differ", "SHA256SUMS", what)
    for path in tree.files.keys() - hashes.keys() - {"SHA256SUMS", *ANCHORS}:
        yield Damage("file-unknown", path, "in no list")


def _proved(
    tree: Tree, manifest: Manifest, answers: str | Path | None, engine: Engine
) -> Iterator[Damage]:
    """What is wrong with ground, derived files and private folder."""
    contents, damages = ground_of(tree, manifest)
    yield from damages
    if contents is None:
        return
    if not any(damage.code.startswith("picture-") for damage in damages):
        rebuilt = list(_rebuilt(tree, contents, engine))
        yield from rebuilt
        differing = tree.files.keys() & {damage.where for damage in rebuilt}
        yield from leaked(tree, differing, manifest.answers)
    if answers is not None:
        yield from private_beside(tree.root, answers_file(answers), contents)


def _rebuilt(tree: Tree, contents: Contents, engine: Engine) -> Iterator[Damage]:
    """Every other file is what the build makes of the ground, and there is no further file.

    Hashes are made last; those of a file that passes are of what stands there.
    """
    facts = contents.facts
    ground = [*contents.ground_files(), *picture_paths(contents.problems)]
    same_tool = facts.tool == tool()
    same_libraries = facts.libraries == libraries()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        try:
            described = write_derived(contents, tree.root, folder, engine)
            first = {*all_files(folder)}
            damages = list(compared(tree, folder, first, same_tool, same_libraries))
            yield from damages
            damaged = {damage.where for damage in damages if damage.code != UNPROVED}
            for path in (first & tree.files.keys()) - damaged:
                if tree.files[path] != sha256_file(folder / path):
                    shutil.copyfile(tree.root / path, folder / path)
            hashes = {path: file_facts(tree.root, path) for path in ground}
            write_hashes(described._replace(hashes={}), folder, hashes)
            rest = {*tree.files, *all_files(folder)} - {*first, *ground, *ANCHORS}
            yield from compared(tree, folder, rest, same_tool, same_libraries)
        except OSError as error:
            raise UserError(
                f"cannot rebuild {tree.root} in {temporary}: {error.strerror}",
                "free space there, or set TMPDIR to a larger disk",
            ) from error
