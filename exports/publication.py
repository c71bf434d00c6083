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
from ..release import CORRECTIONS, beside, fingerprint, private_folder, read_manifest
from .anchor import ANCHORS, MANIFEST
from .changelog import corrections_of, entries_of, read_previous
from .facts import facts_of, keyed, libraries, tool
from .formats import export, takes_shards, writer
from .licences import check_licence
from .made import remembering
from .package import Contents, all_files, making_of, write_package
from .pieces import pieces_of, record_lines, summed
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
    """What is to stand in the three folders of one release."""

    release: Path
    contents: Contents
    private: dict[
        str, bytes
    ]  # the private folder's files; none where nothing is withheld
    formats: list[str]

    @property
    def folders(self) -> dict[str, Path]:
        return folders_of(self.release)


def folders_of(release: Path) -> dict[str, Path]:
    """Where the parts of a publication lie."""
    private, exports = private_folder(release), exports_folder(release)
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
    pieces = pieces_of(
        splits, making_of(recipe.name, [*splits], withheld), work, engine
    )
    sums, hashes = summed(pieces)
    for licence, source in {
        n: s for one in sums.values() for n, s in one.licences.items()
    }.items():
        if not recipe.allow_unlicensed:
            check_licence(licence, source)
    previous = read_previous(recipe)
    samples = (
        s for name in withheld for problem in splits[name] for s in samples_of(problem)
    )
    rows = private_rows(samples, key) if key is not None else []
    pins = {row["id"]: commitment(row) for row in rows}
    corrections = corrections_of(recipe, splits, previous)
    secret = [c for c in corrections if c.split in withheld]
    public = [c for c in corrections if c.split not in withheld]
    entries = entries_of(recipe, splits, previous)
    if public:
        hashes[CORRECTIONS] = sha256(b"".join(map(encode, public))).hexdigest()
    facts = keyed(
        facts_of(recipe, list(splits), reports, pins, entries, glance), hashes
    )
    problems = {
        name: Streamed(partial(map, problem_without_answers, one))
        if name in withheld
        else one
        for name, one in splits.items()
    }
    contents = Contents(facts, problems, pieces, sums, public, hashes)
    private: dict[str, bytes] = {}
    if rows:
        private = {
            KEY: f"{key}\n".encode(),
            "answers.jsonl": b"".join(map(encode, rows)),
        }
        private |= {CORRECTIONS: b"".join(map(encode, secret))} if secret else {}
        for name in withheld:
            private[f"problems/{name}.jsonl"] = b"".join(
                record_lines(splits[name], contents.canary)
            )
    return Publication(release, contents, private, recipe.exports)


def followed_from(recipe: Recipe, reports: list[Report], key: str | None) -> str:
    """The hash of all that a publication follows from; "" where that is more than these."""
    if recipe.previous is not None:  # and what lies beside it
        return ""
    code = code_hash(publish, *map(writer, recipe.exports))
    said = [code, tool(), libraries(), recipe, reports, key]
    return sha256(encode(msgspec.to_builtins(said, enc_hook=str))).hexdigest()


def missing(planned: Publication) -> list[str]:
    """Which of the folders are missing or damaged; those that should not be there, too."""
    folders = planned.folders
    standing = {
        "release": release_is_whole(folders["release"]),
        "private": _tree(folders["private"]) == planned.private,
        "exports": _exports_are_whole(planned),
    }
    return [part for part, whole in standing.items() if not whole]


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
    folders = planned.folders
    with (
        replacing_together(planned.release) as staging,
        remembering(pictures.absolute()),
    ):
        if "release" in parts:
            folder = staging / planned.release.name
            write_package(planned.contents, pictures, folder, engine)
            _state(planned, folder, materials)
        if "private" in parts:
            private = staging / folders["private"].name
            private.mkdir(mode=0o700)
            for name, data in planned.private.items():
                write_bytes(private / name, data)
                (private / name).chmod(0o600)
        if "exports" in parts:
            staged = as_neighbours(planned.release, staging)
            _write_exports(
                planned, staged.release, staged.exports, pictures.absolute(), engine
            )
            if staged.release.is_symlink():
                staged.release.unlink()


def _state(planned: Publication, folder: Path, materials: Mapping[str, str]) -> None:
    """Write the release's statement; where this very release has one, it stays, and so signed."""
    old, digest = planned.release, fingerprint(folder)
    if signs(old, digest) or (
        (old / MANIFEST).is_file() and fingerprint(old) == digest
    ):
        for name in ANCHORS:
            if (old / name).is_file() and not (old / name).is_symlink():
                shutil.copyfile(old / name, folder / name)
    if not (folder / STATEMENT).exists():
        facts = planned.contents.facts
        said = {name: getattr(facts, name) for name in ("name", "version", "seed")}
        digest = "hmac-sha256" if facts.answers else "sha256"
        write_statement(folder, "build-release", [MANIFEST], said, materials, digest)


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
    lines = (
        line.decode().rstrip("\n") for _, line in read_lines(release / "SHA256SUMS")
    )
    sums = {
        path: digest for digest, _, path in (line.partition("  ") for line in lines)
    }
    named = {"manifest.json", *read_manifest(release).get("files", {})}
    return named == set(sums) and all(
        isfile(path) and sha256_file(path) == digest
        for path, digest in (
            (f"{release}/{name}", digest) for name, digest in sums.items()
        )
    )


def _write_exports(
    planned: Publication, release: Path, folder: Path, work: Path, engine: Engine
) -> None:
    """Formats that take shards are made one after the other, the rest by a worker each."""
    places = release.absolute(), folder.absolute()  # workers may stand elsewhere
    of_shards = {name: takes_shards(writer(name)) for name in planned.formats}
    whole = [name for name in planned.formats if not of_shards[name]]
    made = {
        name: _exported_lines(work, *places, name, engine)
        for name in planned.formats
        if of_shards[name]
    }
    others = parallel_map(partial(_exported_lines, work, *places), whole, engine)
    made |= dict(zip(whole, others, strict=True))
    for name in planned.formats:
        for line in made[name]:
            say(f"export {name}: {line}")
    if planned.formats:
        write_bytes(folder / EXPORTED, pretty(_exported(planned, release, folder)))


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
        made = msgspec.json.decode((folder / EXPORTED).read_bytes(), type=Exported)
    except FileNotFoundError:
        return not planned.formats
    except (OSError, *BAD_JSON):
        return False
    return made == _exported(planned, planned.release, folder)


def _exported(planned: Publication, release: Path, folder: Path) -> Exported:
    """What stands in the folder of exports, format by format."""
    formats = {
        name: Format(
            code=code_hash(writer(name)),
            files={
                path: sha256_file(folder / name / path)
                for path in all_files(folder / name)
            },
        )
        for name in planned.formats
    }
    return Exported(release=fingerprint(release), formats=formats)


def _tree(folder: Path) -> dict[str, bytes]:
    return {path: (folder / path).read_bytes() for path in all_files(folder)}
