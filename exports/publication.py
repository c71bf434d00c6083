"""What a build puts out: the release, its private folder and its exports, all or none.

Everything is written beside its place first and then takes it (`files.replacing_together`). A rerun
looks at what stands there and writes what is missing or damaged, nothing else.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from os.path import isfile
from pathlib import Path
from typing import NamedTuple

import msgspec

from ..base.files import (
    BAD_JSON,
    Records,
    Streamed,
    encode,
    pretty,
    read_lines,
    replacing_together,
    sha256_file,
    write_bytes,
)
from ..base.statement import STATEMENT, signs, write_statement
from ..base.terminal import say
from ..pipeline import Engine, Recipe, Report, code_hash, parallel_map
from ..problem import Problem, samples_of
from ..release import (
    CORRECTIONS,
    Correction,
    beside,
    fingerprint,
    private_folder,
    read_manifest,
)
from .anchor import ANCHORS, MANIFEST
from .changelog import corrections_of, entries_of, read_previous
from .facts import facts_of, keyed, libraries, tool
from .formats import export, takes_shards, writer
from .licences import check_licence
from .made import remembering
from .package import Contents, all_files, making_of, write_package
from .pieces import Sums, pieces_of, record_lines, summed
from .withhold import KEY, commitment, private_rows, problem_without_answers

EXPORTED = "exports.json"  # in the folder of exports: what was written there, from what


class Format(msgspec.Struct):
    """One export: the hash of its exporter's code, and those of its files."""

    code: str
    files: dict[str, str]


class Exported(msgspec.Struct):
    """exports.json: the exports of the release whose manifest has the hash `release`."""

    release: str
    formats: dict[str, Format]


class Publication(NamedTuple):
    """What is to stand in the three folders of one release.

    `private` has the private folder's files, none where nothing is withheld.
    """

    release: Path
    contents: Contents
    private: dict[str, bytes]
    formats: list[str]

    @property
    def folders(self) -> dict[str, Path]:
        return folders_of(self.release)


def folders_of(release: Path) -> dict[str, Path]:
    """Where the parts of a publication lie."""
    private = private_folder(release)
    exports = exports_folder(release)
    return {"release": release, "private": private, "exports": exports}


def publication_of(
    recipe: Recipe,
    release: Path,
    splits: Mapping[str, Records[Problem]],
    reports: list[Report],
    key: str | None,
    glance: list[str],
    work: Path,
    engine: Engine,
) -> Publication:
    """What the recipe's release consists of; `key` is the one of its commitments.

    `glance` are lines on what is wrong with a source, for its card. Raises UserError for a source
    without a known licence, unless the recipe allows it.
    """
    withheld = [name for name in splits if name in recipe.withhold_answers]
    making = making_of(recipe.name, [*splits], withheld)
    pieces = pieces_of(splits, making, work, engine)
    sums, hashes = summed(pieces)
    if not recipe.allow_unlicensed:
        _check_licences(sums)
    previous = read_previous(recipe)
    rows = []
    if key is not None:
        withheld_samples = (
            sample
            for name in withheld
            for problem in splits[name]
            for sample in samples_of(problem)
        )
        rows = private_rows(withheld_samples, key)
    pins = {row["id"]: commitment(row) for row in rows}
    public = list[Correction]()
    secret = list[Correction]()
    for correction in corrections_of(recipe, splits, previous):
        (secret if correction.split in withheld else public).append(correction)
    if public:
        hashes[CORRECTIONS] = sha256(b"".join(map(encode, public))).hexdigest()
    entries = entries_of(recipe, splits, previous)
    facts = facts_of(recipe, list(splits), reports, pins, entries, glance)
    problems: dict[str, Sequence[Problem]] = {**splits}
    for name in withheld:
        problems[name] = Streamed(partial(map, problem_without_answers, splits[name]))
    contents = Contents(keyed(facts, hashes), problems, pieces, sums, public, hashes)
    private: dict[str, bytes] = {}
    if rows:
        private[KEY] = f"{key}\n".encode()
        private["answers.jsonl"] = b"".join(map(encode, rows))
        if secret:
            private[CORRECTIONS] = b"".join(map(encode, secret))
        for name in withheld:
            lines = record_lines(splits[name], contents.canary)
            private[f"problems/{name}.jsonl"] = b"".join(lines)
    return Publication(release, contents, private, recipe.exports)


def _check_licences(sums: Mapping[str, Sums]) -> None:
    """Raises UserError for a source without a known licence."""
    licences: dict[str, str] = {}
    for of_split in sums.values():
        licences |= of_split.licences
    for licence, source in licences.items():
        check_licence(licence, source)


def followed_from(recipe: Recipe, reports: list[Report], key: str | None) -> str:
    """The hash of all that a publication follows from; "" where that is more than these."""
    if recipe.previous is not None:  # and what lies beside it
        return ""
    code = code_hash(publish, *map(writer, recipe.exports))
    inputs = [code, tool(), libraries(), recipe, reports, key]
    return sha256(encode(msgspec.to_builtins(inputs, enc_hook=str))).hexdigest()


def missing(planned: Publication) -> list[str]:
    """Which of the folders are missing or damaged; those that should not be there, too."""
    folders = planned.folders
    whole = {
        "release": release_is_whole(folders["release"]),
        "private": _tree(folders["private"]) == planned.private,
        "exports": _exports_are_whole(planned),
    }
    return [part for part, is_whole in whole.items() if not is_whole]


def publish(
    planned: Publication,
    parts: Sequence[str],
    pictures: Path,
    engine: Engine,
    materials: Mapping[str, str],
) -> None:
    """Write the named parts, with pictures from below `pictures`; they appear together or not.

    The release's statement says from which `materials` it was made (`base/statement.py`).
    """
    work = pictures.absolute()
    with replacing_together(planned.release) as staging, remembering(work):
        if "release" in parts:
            folder = staging / planned.release.name
            write_package(planned.contents, pictures, folder, engine)
            _state(planned, folder, materials)
        if "private" in parts:
            _write_private(planned, staging / planned.folders["private"].name)
        if "exports" in parts:
            staged = as_neighbours(planned.release, staging)
            _write_exports(planned, staged, work, engine)
            if staged.release.is_symlink():
                staged.release.unlink()


def _write_private(planned: Publication, folder: Path) -> None:
    """The private folder: nobody else may read it."""
    folder.mkdir(mode=0o700)
    for name, data in planned.private.items():
        write_bytes(folder / name, data)
        (folder / name).chmod(0o600)


def _state(planned: Publication, folder: Path, materials: Mapping[str, str]) -> None:
    """Write the release's statement; where this very release has one, it stays, and so signed."""
    old = planned.release
    digest = fingerprint(folder)
    is_same = (old / MANIFEST).is_file() and fingerprint(old) == digest
    if signs(old, digest) or is_same:
        for name in ANCHORS:
            if (old / name).is_file() and not (old / name).is_symlink():
                shutil.copyfile(old / name, folder / name)
    if not (folder / STATEMENT).exists():
        facts = planned.contents.facts
        claims = {name: getattr(facts, name) for name in ("name", "version", "seed")}
        hash_name = "hmac-sha256" if facts.answers else "sha256"
        write_statement(
            folder, "build-release", [MANIFEST], claims, materials, hash_name
        )


class Neighbours(NamedTuple):
    """A release and its folder of exports as they will lie: exporters tell one from the other."""

    release: Path
    exports: Path


def as_neighbours(release: Path, folder: Path) -> Neighbours:
    """Both below `folder`, where exports are made; a release that is not there is linked to."""
    staged = Neighbours(folder / release.name, folder / exports_folder(release).name)
    if not staged.release.exists():
        staged.release.symlink_to(release.resolve(), target_is_directory=True)
    staged.exports.mkdir()
    return staged


def exports_folder(release: Path) -> Path:
    """Where a build puts the exports of a release: beside it."""
    return beside(release, "exports")


def release_is_whole(release: Path) -> bool:
    """Is every file that the manifest and SHA256SUMS name there, with its hash?"""
    if not (release / "SHA256SUMS").is_file():
        return False
    sums = {}
    for _, line in read_lines(release / "SHA256SUMS"):
        digest, _, path = line.decode().rstrip("\n").partition("  ")
        sums[path] = digest
    if sums.keys() != {"manifest.json", *read_manifest(release).get("files", {})}:
        return False
    return all(
        isfile(f"{release}/{path}") and sha256_file(f"{release}/{path}") == digest
        for path, digest in sums.items()
    )


def _write_exports(
    planned: Publication, staged: Neighbours, work: Path, engine: Engine
) -> None:
    """Formats that take shards are made one after the other, the rest by a worker each."""
    # Workers may stand elsewhere.
    make = partial(
        _exported_lines, work, staged.release.absolute(), staged.exports.absolute()
    )
    of_shards = {name for name in planned.formats if takes_shards(writer(name))}
    others = [name for name in planned.formats if name not in of_shards]
    lines = {name: make(name, engine) for name in planned.formats if name in of_shards}
    lines |= dict(zip(others, parallel_map(make, others, engine), strict=True))
    for name in planned.formats:
        for line in lines[name]:
            say(f"export {name}: {line}")
    if planned.formats:
        data = _exported(planned, staged.release, staged.exports)
        write_bytes(staged.exports / EXPORTED, pretty(data))


def _exported_lines(
    work: Path,
    release: Path,
    folder: Path,
    name: str,
    engine: Engine = Engine(),  # noqa: B008
) -> list[str]:
    """One export, and what it says of what it left out."""
    with remembering(work):
        return export(name, release, folder / name, engine=engine).lines()


def _exports_are_whole(planned: Publication) -> bool:
    folder = planned.folders["exports"]
    try:
        present = msgspec.json.decode((folder / EXPORTED).read_bytes(), type=Exported)
    except FileNotFoundError:
        return not planned.formats
    except (OSError, *BAD_JSON):
        return False
    return present == _exported(planned, planned.release, folder)


def _exported(planned: Publication, release: Path, folder: Path) -> Exported:
    """What stands in the folder of exports, format by format."""
    formats = {}
    for name in planned.formats:
        paths = all_files(folder / name)
        hashes = {path: sha256_file(folder / name / path) for path in paths}
        formats[name] = Format(code=code_hash(writer(name)), files=hashes)
    return Exported(release=fingerprint(release), formats=formats)


def _tree(folder: Path) -> dict[str, bytes]:
    return {path: (folder / path).read_bytes() for path in all_files(folder)}
