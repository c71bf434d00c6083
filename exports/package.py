"""The release package: every file that a release folder holds, from its facts and problems.

`write_derived` is the one place that says how files follow from `problems/` and `images/`: a build
writes with it, and `verify` compares with it.
"""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from ..base.files import (
    BLOCK,
    Records,
    encode,
    pretty,
    read_bytes,
    replacing,
    safe_name,
    sha256_file,
    write_bytes,
    write_text,
)
from ..errors import MachineError
from ..pages import Page
from ..pipeline import Engine, chunked, parallel_map
from ..problem import Problem, all_images, json_schema
from ..release import CORRECTIONS, Correction
from .browse import write_browse_cards, write_browse_page
from .card import card, datasheet
from .changelog import changelog
from .croissant import croissant
from .facts import Facts, FileFacts, canary, findings
from .hub_eval import write_hub_eval
from .licences import write_licences
from .made import files_of, place_of
from .parquet import COLUMNS, Part, label_columns, parts_of, write_samples
from .pieces import Making, Piece, Sums, record_lines
from .plots import label_plot, length_plot
from .statistics import statistics, together

PICTURES = 1000  # that a worker takes at a time
READ = 1 << 16  # bytes of a picture at once
PLOTTED = 100  # a label of more values is no category


class Contents(NamedTuple):
    """From what a release follows: its facts, its problems by split, its corrections.

    `pieces` are what the problems come to, `sums` what is counted of them (of a split that is not
    there yet it is counted as pieces pass), `hashes` those of the files that hold the ground.
    """

    facts: Facts
    problems: Mapping[str, Sequence[Problem]]
    pieces: Mapping[str, Iterable[Piece]]
    sums: dict[str, Sums]
    corrections: Sequence[Correction] = ()
    hashes: Mapping[str, str] = MappingProxyType({})

    @property
    def canary(self) -> str:
        return canary(self.facts.name)

    def ground(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """The files that hold problems and corrections, line by line."""
        for name, problems in self.problems.items():
            yield f"problems/{name}.jsonl", record_lines(problems, self.canary)
        if self.corrections:
            yield CORRECTIONS, map(encode, self.corrections)

    def ground_files(self) -> list[str]:
        """The paths of these files."""
        return [path for path, _ in self.ground()]


class Described(NamedTuple):
    """What the files that come last are written from."""

    manifest: dict[str, Any]
    columns: dict[str, str]
    hashes: dict[str, str]  # of files whose hash is known


def making_of(
    name: str, splits: Sequence[str], withheld: Collection[str]
) -> dict[str, Making]:
    """What the pieces of each split of the release `name` are made with."""
    guid = canary(name)
    several = len(splits) > 1
    return {
        split: Making(guid, split in withheld, {"split": [split]} if several else {})
        for split in splits
    }


def write_package(
    contents: Contents,
    pictures: Path,
    folder: Path,
    engine: Engine = Engine(),  # noqa: B008
) -> None:
    """Write a whole release into `folder`; the pictures are copied from below `pictures`."""
    if contents.corrections:
        write_bytes(folder / CORRECTIONS, b"".join(map(encode, contents.corrections)))
    described = write_derived(contents, pictures, folder, engine, ground=True)
    images: dict[str, tuple[str, int]] = {}
    for of_split in contents.sums.values():
        images |= of_split.images
    write_hashes(described, folder, _with_pictures(images, pictures, folder, engine))


def _with_pictures(
    images: Mapping[str, tuple[str, int]], pictures: Path, folder: Path, engine: Engine
) -> dict[str, FileFacts]:
    """Put the pictures into the release, each proved as it passes; workers take some each.

    What the release that will be replaced holds is linked, the rest is copied from the store.
    Raises MachineError for one that is damaged there.
    """
    if images:
        (folder / "images").mkdir(parents=True)
    folder = folder.absolute()  # workers may stand elsewhere
    old = place_of(folder / "images").parent
    place = partial(_place_some, pictures.absolute(), old, folder)
    hashes = ((path, digest) for path, (digest, _) in images.items())
    deque(parallel_map(place, chunked(hashes, PICTURES), engine), maxlen=0)
    return {
        path: FileFacts(sha256=digest, bytes=size)
        for path, (digest, size) in images.items()
    }


def _place_some(
    pictures: Path, old: Path, folder: Path, hashes: Iterable[tuple[str, str]]
) -> None:
    for path, digest in hashes:
        if _digest(f"{old}/{path}") == digest:
            with suppress(OSError):
                os.link(f"{old}/{path}", f"{folder}/{path}")
                continue
        data = read_bytes(pictures / path)
        if hashlib.sha256(data).hexdigest() != digest:
            raise MachineError(
                f"{pictures / path} is damaged",
                "remove it; the same command stores it again",
            )
        with open(folder / path, "wb", buffering=0) as file:
            file.write(data)


def _digest(path: str) -> str:
    """The hash of a file; "" where it is a link, or cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    digest = hashlib.sha256()
    with suppress(OSError):
        while block := os.read(descriptor, READ):
            digest.update(block)
    os.close(descriptor)
    return digest.hexdigest()


def write_derived(
    contents: Contents,
    pictures: Path,
    folder: Path,
    engine: Engine = Engine(),  # noqa: B008
    ground: bool = False,
) -> Described:
    """Write into `folder` the files of a release that follow from its contents and pictures.

    This is what a build writes and what `verify` compares with; `write_hashes` comes last. A build
    writes the `ground` itself, too: problems and pictures.
    """
    facts = contents.facts
    sums = contents.sums
    hashes = dict(contents.hashes) if ground else {}
    pages = _passing(contents, folder, ground, hashes)
    write_browse_cards(folder, f"{facts.name}-{facts.version}", pages)
    everything = _total(sums.values())
    columns = COLUMNS | label_columns(everything.kinds)
    place = folder.absolute()  # workers may stand elsewhere
    guid = contents.canary
    configs, parquet = _write_parquet(sums, pictures, place, columns, guid, engine)
    hub_eval = write_hub_eval(facts, sums, pictures, place, guid, engine)
    figures = statistics({name: of_split.tally for name, of_split in sums.items()})
    labour = [row for stage in facts.stages for row in stage.labour]
    if labour:
        figures["labour"] = msgspec.to_builtins(labour)
    licences = sorted(name or "unlicensed" for name in everything.licences)
    manifest = _manifest(facts, sums, licences)
    write_bytes(folder / "statistics.json", pretty(figures))
    write_bytes(folder / "schema.json", pretty(release_schema()))
    write_licences(licences, folder / "LICENSES")
    plots = _plots(everything.words, figures["all"]["labels"])
    for name, plot in plots.items():
        write_text(folder / "figures" / f"{name}.svg", plot)
    text = card(manifest, figures, configs, hub_eval, list(plots))
    write_text(folder / "README.md", text)
    write_text(folder / "DATASHEET.md", datasheet(manifest, figures))
    write_text(folder / "CHANGELOG.md", changelog(facts.name, facts.changelog))
    counts = {name: of_split.tally.samples for name, of_split in sums.items()}
    write_browse_page(folder / "index.html", manifest, everything, counts)
    return Described(manifest, columns, hashes | parquet)


def _total(sums: Iterable[Sums]) -> Sums:
    """The sums of all splits, but for what is only asked of one."""
    total = Sums()
    for of_split in sums:
        some = msgspec.structs.replace(
            of_split, ids=[], images={}, configs=[], sizes=[]
        )
        # A copy: `together` would go on adding to what the first split holds.
        copy = msgspec.msgpack.decode(msgspec.msgpack.encode(some), type=Sums)
        together(total, copy)
    return total


def _passing(
    contents: Contents, folder: Path, ground: bool, hashes: dict[str, str]
) -> Iterator[Page]:
    """Write the lines of every piece as it passes, note their `hashes`, and hand on its page."""
    for name, pieces in contents.pieces.items():
        digest = hashlib.sha256()
        new_sums = None
        if name not in contents.sums:
            new_sums = contents.sums[name] = Sums()
        with ExitStack() as stack:
            samples = stack.enter_context(replacing(folder / "jsonl" / f"{name}.jsonl"))
            problems = None
            if ground:
                path = folder / "problems" / f"{name}.jsonl"
                problems = stack.enter_context(replacing(path))
            for piece in pieces:
                samples.write(piece.samples)
                digest.update(piece.samples)
                if problems is not None:
                    problems.write(piece.problems)
                if new_sums is not None:
                    together(new_sums, piece.sums())
                yield piece.page()
        hashes[f"jsonl/{name}.jsonl"] = digest.hexdigest()


def _plots(words: Mapping[str, list[int]], labels: dict[str, Any]) -> dict[str, str]:
    """What the card shows: lengths of questions, and every label with a few values."""
    plots = {"question-lengths": length_plot(dict(sorted(words.items())))}
    for name, shares in labels.items():
        if 1 < len(shares) <= PLOTTED:
            counts = {value: row["n"] for value, row in shares.items()}
            plots[safe_name(name)] = label_plot(name, counts)
    return plots


def picture_paths(problems: Mapping[str, Sequence[Problem]]) -> list[str]:
    """Every picture that a problem names, once."""
    paths = {
        image.path
        for of_split in problems.values()
        for problem in of_split
        for image in all_images(problem)
    }
    return sorted(paths)


def release_schema() -> dict[str, Any]:
    """schema.json: the records of a release carry the canary."""
    schema = json_schema()
    schema["anyOf"] = []
    for name in ("Problem", "Sample"):
        schema["$defs"][name]["properties"]["canary"] = {"type": "string"}
        schema["anyOf"].append({"$ref": f"#/$defs/{name}"})
    return schema


def _write_parquet(
    sums: Mapping[str, Sums],
    pictures: Path,
    folder: Path,
    columns: dict[str, str],
    guid: str,
    engine: Engine,
) -> tuple[dict[str, dict[str, list[str]]], dict[str, str]]:
    """One config for each version, and `default` over all of them, without writing twice.

    The files of each config and split, and the hash of each file.
    """
    configs: dict[str, dict[str, list[str]]] = {"default": {}}
    files: list[Part] = []
    for split, of_split in sums.items():
        lines = Records(folder / "jsonl" / f"{split}.jsonl", bytes)
        for config in dict.fromkeys(of_split.configs):
            rows = [k for k, name in enumerate(of_split.configs) if name == config]
            place = folder / "data" / config
            parts = parts_of(lines, rows, of_split.sizes, place, split)
            paths = [path.relative_to(folder).as_posix() for path, _ in parts]
            configs["default"].setdefault(split, []).extend(paths)
            if config != "default":
                configs.setdefault(config, {})[split] = paths
            files += parts
    write = partial(write_samples, pictures=pictures)
    hashes = files_of(files, write, columns, guid, engine=engine)
    names = [path.relative_to(folder).as_posix() for path, _ in files]
    return configs, dict(zip(names, hashes, strict=True))


def _manifest(
    facts: Facts, sums: Mapping[str, Sums], licences: list[str]
) -> dict[str, Any]:
    """manifest.json but for the hashes of files."""
    splits = {
        name: {
            "problems": len(of_split.ids),
            "samples": of_split.tally.samples,
            "withheld": name in facts.withhold_answers,
            "ids": of_split.ids,
        }
        for name, of_split in sums.items()
    }
    manifest: dict[str, Any] = msgspec.to_builtins(facts)
    return manifest | {
        "canary": canary(facts.name),
        "licences": licences,
        "findings": findings(facts),
        "splits": splits,
    }


def write_hashes(
    described: Described, folder: Path, ground: Mapping[str, FileFacts] | None = None
) -> None:
    """croissant.json, manifest.json and SHA256SUMS: each names the files written before it.

    `ground` are the files of the release that do not lie in `folder`.
    """
    manifest = described.manifest
    files = dict(ground or {})
    for path in all_files(folder):
        if path not in files:
            files[path] = file_facts(folder, path, described.hashes.get(path))
    parquet = sorted(path for path in files if path.startswith("data/"))
    hashes = {path: files[path].sha256 for path in parquet}
    description = croissant(manifest, hashes, parquet, described.columns)
    write_bytes(folder / "croissant.json", pretty(description))
    files["croissant.json"] = file_facts(folder, "croissant.json")
    write_bytes(folder / "manifest.json", pretty(manifest | {"files": files}))
    files["manifest.json"] = file_facts(folder, "manifest.json")
    lines = (f"{files[path].sha256}  {path}\n" for path in sorted(files))
    write_text(folder / "SHA256SUMS", "".join(lines))


def file_facts(folder: Path, path: str, digest: str | None = None) -> FileFacts:
    """Hash, where it is not known, size and rows of a file of the release."""
    file = folder / path
    rows = None
    if path.endswith(".jsonl"):
        rows = _count_lines(file)
    elif path.endswith(".parquet"):
        import pyarrow.parquet as pq

        rows = pq.ParquetFile(file).metadata.num_rows
    return FileFacts(
        sha256=digest or sha256_file(file), bytes=file.stat().st_size, rows=rows
    )


def _count_lines(path: Path) -> int:
    with path.open("rb") as file:
        blocks = iter(partial(file.read, BLOCK), b"")
        return sum(block.count(b"\n") for block in blocks)


def all_files(folder: Path) -> list[str]:
    """Every file below the release folder, as sorted relative paths."""
    files = []
    for place, _, names in os.walk(folder):
        inner = os.path.relpath(place, folder).replace(os.sep, "/")
        files += [name if inner == "." else f"{inner}/{name}" for name in names]
    return sorted(files)
