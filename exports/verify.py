"""Prove a release: what follows from its problems and pictures is made again and compared.

Problems, pictures, corrections and the manifest's facts are the ground. They are checked by
themselves (`ground.py`), everything else is written anew by the functions of the build, and every
difference is a damage (`compare.py`). So no file is proved by rules of its own.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ..base.files import inside, sha256_file
from ..errors import UserError
from ..release import answers_file, read_manifest
from .anchor import ANCHORS, Anchor, statement_beside
from .beside import exports_beside, private_beside
from .compare import Damage, Damages, judged
from .facts import Manifest, libraries, tool
from .ground import ground_of, has_its_key
from .leaks import TABLES, answered
from .package import (
    Contents,
    all_files,
    file_facts,
    picture_paths,
    write_derived,
    write_hashes,
)
from .transport import as_written

MOST = 5  # leaked answers that are named of each file
MOST_ODD = 1000  # links and the like that are named
DESKTOPS = ("Thumbs.db", "desktop.ini", "__MACOSX")  # closed: what Windows and macOS name so


def verify(
    release: str | Path,
    answers: str | Path | None = None,
    quick: bool = False,
    expect: str = "",
    key: str | Path | None = None,
    identity: tuple[str, str] | None = None,
) -> Damages:
    """Everything that is wrong with a release; where nothing is, it agrees with itself.

    Exports that lie beside the release are proved with it.

    Args:
        release: Folder of the release.
        answers: Private folder, or its answers.jsonl: its rows are proved against the manifest's
            commitments, and nothing of them may stand in the release or its exports.
        quick: Compare hashes alone, of the files that the manifest and SHA256SUMS list: nothing
            is made again, so that this proves a copy and not a release.
        expect: SHA-256 of manifest.json as its makers published it. Without this, a key or an
            identity another release under the same name would pass as well.
        key: File with the public key (Ed25519, PEM) of those who signed it.
        identity: Who signed manifest.json by sigstore, and who says so: an address and the URL of
            its issuer.

    Raises UserError only when there is no readable manifest.

    Example: `assert not verify("out/math-v-mini-1.0.0")`
    """
    release = Path(release)
    raw = read_manifest(release)
    with as_written(release) as place:
        anchor = Anchor(place, expect, key, identity)
        tree = _tree(place)
        damages = [*anchor.damages, *tree.odd, *_hidden(place, tree, raw), *statement_beside(place)]
        try:
            manifest = msgspec.convert(raw, Manifest)
        except msgspec.ValidationError as error:
            what = str(error).replace("`", "")
            return Damages([*damages, Damage("manifest-invalid", "manifest.json", what)])
        damages += _hashes(tree, manifest)
        if quick:
            return Damages([*damages, *_sums(place, tree, manifest)], sorted(tree.files))
        found, unproved = _proved(place, tree, manifest, answers)
        damages += found
        if not damages:
            damages, more = exports_beside(place, manifest.answers)
            unproved += more
        return Damages(damages, unproved, anchor.told)


def _proved(
    release: Path, tree: Tree, manifest: Manifest, answers: str | Path | None
) -> tuple[list[Damage], list[str]]:
    """What is wrong with ground, derived files and private folder, and what is unproved."""
    contents, damages, broken = ground_of(release, tree.files, manifest)
    unproved = list[str]()
    if contents is None:
        return damages, unproved
    if contents.facts.tool != tool() and not has_its_key(contents, tree.files, manifest):
        unproved.append("manifest.json: build_key")
    if not broken:
        rebuilt, more = _rebuilt(release, tree, contents)
        damages, unproved = [*damages, *rebuilt], [*unproved, *more]
    if answers is not None:
        damages += private_beside(release, answers_file(answers), contents)
    return damages, unproved


class Tree(NamedTuple):
    """The regular files below a release with their hashes, and what is none."""

    files: dict[str, str]
    odd: list[Damage]
    hidden: list[str]


def _tree(release: Path) -> Tree:
    """Nothing but files and folders; a link only into a hub's cache (`inside`).

    Names with a dot in front belong to hubs, git and desktops: a build writes none, and nothing of
    benchwright reads one.
    """
    files, odd, hidden = dict[str, str](), list[Damage](), list[str]()
    for folder, folders, names in os.walk(release):
        own = [name for name in [*folders, *names] if name[0] != "." and name not in DESKTOPS]
        hidden += [str(Path(folder, name)) for name in {*folders, *names} - {*own}]
        folders[:] = [name for name in folders if name in own]
        for name in sorted(own):
            path = Path(folder) / name
            where = path.relative_to(release).as_posix()
            try:
                mode = (inside(release, where) if path.is_symlink() else path).lstat().st_mode
                if stat.S_ISREG(mode):
                    files[where] = sha256_file(path)
                elif not stat.S_ISDIR(mode) or path.is_symlink():
                    odd.append(_odd(where, path))
            except (UserError, OSError):
                odd.append(_odd(where, path))
        if len(odd) > MOST_ODD:
            what = f"{MOST_ODD} links and the like, and there may be more: none was followed"
            return Tree(files, [Damage("not-a-file", ".", what)], hidden)
    return Tree(files, odd, sorted(hidden))


def _odd(where: str, path: Path) -> Damage:
    what = "a link that leaves the release" if path.is_symlink() else "no file that can be read"
    return Damage("not-a-file", where, what)


def _hidden(release: Path, tree: Tree, raw: dict[str, Any]) -> Iterator[Damage]:
    """What hubs and desktops left beside the release's files tells no withheld answer."""
    for place in map(Path, tree.hidden):
        inner = [place] if place.is_file() else sorted(place.rglob("*"))
        for path in (one for one in inner if one.suffix in TABLES and one.is_file()):
            where = path.relative_to(release).as_posix()
            yield from _leaked(release, where, raw.get("answers") or {})


def _leaked(release: Path, path: str, withheld: Any) -> Iterator[Damage]:
    for name in answered(release / path, withheld)[:MOST]:
        yield Damage("answer-leaked", path, f"the answer of {name}")


def _hashes(tree: Tree, manifest: Manifest) -> Iterator[Damage]:
    """Presence and hash of every file that the manifest lists."""
    for path, entry in sorted(manifest.files.items()):
        actual = tree.files.get(path)
        if actual is None:
            yield Damage("file-missing", path, "listed in the manifest, not there")
        elif actual != entry.sha256:
            what = f"sha256 is {actual[:12]}…, not {entry.sha256[:12]}…"
            yield Damage("file-changed", path, what)


def _sums(release: Path, tree: Tree, manifest: Manifest) -> Iterator[Damage]:
    """SHA256SUMS says of every file what it is, and there is no other file."""
    wanted = {path: entry.sha256 for path, entry in manifest.files.items()}
    wanted["manifest.json"] = tree.files.get("manifest.json", "")
    text = "".join(f"{wanted[path]}  {path}\n" for path in sorted(wanted))
    place = release / "SHA256SUMS"
    if "SHA256SUMS" not in tree.files or place.read_bytes() != text.encode():
        yield Damage("sums-differ", "SHA256SUMS", "it does not say what the manifest says")
    for path in sorted(tree.files.keys() - wanted.keys() - {"SHA256SUMS", *ANCHORS}):
        yield Damage("file-unknown", path, "in no list")


def _rebuilt(release: Path, tree: Tree, contents: Contents) -> tuple[list[Damage], list[str]]:
    """Every other file is what the build makes of the ground, and there is no further file."""
    ground = {
        path: file_facts(release, path)
        for path in [*contents.ground_files(), *picture_paths(contents.problems)]
    }
    with tempfile.TemporaryDirectory() as temporary:
        made = Path(temporary)
        try:
            described = write_derived(contents, release, made)
            first = all_files(made)
            damages, unproved = _compared(release, tree, made, first, contents)
            write_hashes(described._replace(hashes={}), made, ground)
            last = sorted({*all_files(made)} - {*first})
            more, other = _compared(release, tree, made, last, contents)
        except OSError as error:
            raise UserError(
                f"cannot rebuild {release} in {temporary}: {error.strerror}",
                "free space there, or set TMPDIR to a larger disk",
            ) from error
        unknown = sorted({*tree.files} - {*ground} - {*first} - {*last} - {*ANCHORS})
    what = "no file that a build makes of these problems"
    damages += [*more, *(Damage("file-unknown", path, what) for path in unknown)]
    for path in sorted({damage.where for damage in damages} & {*tree.files}):
        damages += _leaked(release, path, contents.facts.answers)
    return damages, [*unproved, *other]


def _compared(
    release: Path, tree: Tree, made: Path, paths: Sequence[str], contents: Contents
) -> tuple[list[Damage], list[str]]:
    """How files differ from those made anew, and which of them could not be proved.

    A file that passes as the release has it takes the new one's place, so that hashes of it hold.
    """
    facts, damages, unproved = contents.facts, list[Damage](), list[str]()
    same_tool, same_libraries = facts.tool == tool(), facts.libraries == libraries()
    for path in paths:
        if path not in tree.files:
            damages.append(Damage("file-missing", path, "not there"))
            continue
        if sha256_file(made / path) == tree.files[path]:
            continue
        ours = same_tool and (same_libraries or not path.endswith((".svg", ".parquet")))
        what, proved = judged(release / path, made / path, ours)
        if what and proved:
            damages.append(Damage(_code(path), path, what))
            continue
        if what:
            unproved.append(path)
        if path not in ("manifest.json", "SHA256SUMS"):
            shutil.copyfile(release / path, made / path)
    return damages, unproved


def _code(path: str) -> str:
    """The code of a file that is not what follows from the ground."""
    kinds = {"jsonl": "samples-differ", "data": "parquet-differs", "SHA256SUMS": "sums-differ"}
    return kinds.get(path.partition("/")[0], f"{Path(path).stem.lower()}-differs")
