"""The release package: every file that a release folder holds, from its facts and problems.

`write_derived` is the one place that says how files follow from `problems/` and `images/`: a build
writes with it, and `verify` compares with it.
"""

from __future__ import annotations

import hashlib
import os
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
from .hub_eval import write_asked
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
    return {
        split: Making(
            canary(name),
            split in withheld,
            {"split": [split]} if len(splits) > 1 else {},
        )
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
    images = {
        path: one
        for sums in contents.sums.values()
        for path, one in sums.images.items()
    }
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
    for _ in parallel_map(place, chunked(hashes, PICTURES), engine):
        pass
    return {
        path: FileFacts(sha256=one[0], bytes=one[1]) for path, one in images.items()
    }


def _place_some(
    pictures: Path, old: Path, folder: Path, some: Iterable[tuple[str, str]]
) -> None:
    for path, digest in some:
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
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    total = hashlib.sha256()
    with suppress(OSError):
        while some := os.read(number, READ):
            total.update(some)
    os.close(number)
    return total.hexdigest()


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
    facts, sums = contents.facts, contents.sums
    hashes = dict(contents.hashes) if ground else {}
    pages = _passing(contents, folder, ground, hashes)
    write_browse_cards(folder, f"{facts.name}-{facts.version}", pages)
    everything = Sums()
    for one in sums.values():
        some = msgspec.structs.replace(
            one, ids=[], images={}, configs=[], sizes=[]
        )  # not asked for
        together(
            everything, msgspec.msgpack.decode(msgspec.msgpack.encode(some), type=Sums)
        )
    columns = COLUMNS | label_columns(everything.kinds)
    place = folder.absolute()  # workers may stand elsewhere
    configs, made = _write_parquet(
        sums, pictures, place, columns, contents.canary, engine
    )
    asked = write_asked(facts, sums, pictures, place, contents.canary, engine)
    figures = statistics({name: one.tally for name, one in sums.items()})
    if labour := [row for stage in facts.stages for row in stage.labour]:
        figures["labour"] = msgspec.to_builtins(labour)
    manifest = _manifest(
        facts, sums, sorted(n or "unlicensed" for n in everything.licences)
    )
    write_bytes(folder / "statistics.json", pretty(figures))
    write_bytes(folder / "schema.json", pretty(release_schema()))
    write_licences(manifest["licences"], folder / "LICENSES")
    plots = _plots(everything.words, figures["all"]["labels"])
    for name, plot in plots.items():
        write_text(folder / "figures" / f"{name}.svg", plot)
    write_text(
        folder / "README.md", card(manifest, figures, configs, asked, list(plots))
    )
    write_text(folder / "DATASHEET.md", datasheet(manifest, figures))
    write_text(folder / "CHANGELOG.md", changelog(facts.name, facts.changelog))
    counts = {name: one.tally.samples for name, one in sums.items()}
    write_browse_page(folder / "index.html", manifest, everything, counts)
    return Described(manifest, columns, hashes | made)


def _passing(
    contents: Contents, folder: Path, ground: bool, hashes: dict[str, str]
) -> Iterator[Page]:
    """Write the lines of every piece as it passes, note their `hashes`, and hand on its page."""
    for name, pieces in contents.pieces.items():
        digest = hashlib.sha256()
        own = None if name in contents.sums else contents.sums.setdefault(name, Sums())
        with ExitStack() as stack:
            samples = stack.enter_context(replacing(folder / "jsonl" / f"{name}.jsonl"))
            problems = ground and stack.enter_context(
                replacing(folder / "problems" / f"{name}.jsonl")
            )
            for piece in pieces:
                samples.write(piece.samples)
                digest.update(piece.samples)
                if problems:
                    problems.write(piece.problems)
                if own is not None:
                    together(own, piece.sums())
                yield piece.page()
        hashes[f"jsonl/{name}.jsonl"] = digest.hexdigest()


def _plots(words: Mapping[str, list[int]], labels: dict[str, Any]) -> dict[str, str]:
    """What the card shows: lengths of questions, and every label with a few values."""
    plots = {"question-lengths": length_plot(dict(sorted(words.items())))}
    for name, shares in labels.items():
        if 1 < len(shares) <= PLOTTED:
            plots[safe_name(name)] = label_plot(
                name, {value: row["n"] for value, row in shares.items()}
            )
    return plots


def picture_paths(problems: Mapping[str, Sequence[Problem]]) -> list[str]:
    """Every picture that a problem names, once."""
    return sorted(
        {i.path for part in problems.values() for p in part for i in all_images(p)}
    )


def release_schema() -> dict[str, Any]:
    """schema.json: the records of a release carry the canary."""
    schema = json_schema()
    for name in ("Problem", "Sample"):
        schema["$defs"][name]["properties"]["canary"] = {"type": "string"}
    return schema | {
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in ("Problem", "Sample")]
    }


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
    wanted: list[Part] = []
    for split, one in sums.items():
        rows = Records(folder / "jsonl" / f"{split}.jsonl", bytes)
        for config in dict.fromkeys(one.configs):
            own = [k for k, name in enumerate(one.configs) if name == config]
            parts = parts_of(rows, own, one.sizes, folder / "data" / config, split)
            paths = [path.relative_to(folder).as_posix() for path, _ in parts]
            configs["default"].setdefault(split, []).extend(paths)
            if config != "default":
                configs.setdefault(config, {})[split] = paths
            wanted += parts
    write = partial(write_samples, pictures=pictures)
    made = files_of(wanted, write, columns, guid, engine=engine)
    paths = [path for split in configs["default"].values() for path in split]
    return configs, dict(zip(paths, made, strict=True))


def _manifest(
    facts: Facts, sums: Mapping[str, Sums], licences: list[str]
) -> dict[str, Any]:
    """manifest.json but for the hashes of files."""
    said: dict[str, Any] = msgspec.to_builtins(facts)
    return said | {
        "canary": canary(facts.name),
        "licences": licences,
        "findings": findings(facts),
        "splits": {
            name: {
                "problems": len(one.ids),
                "samples": one.tally.samples,
                "withheld": name in facts.withhold_answers,
                "ids": one.ids,
            }
            for name, one in sums.items()
        },
    }


def write_hashes(
    described: Described, folder: Path, ground: Mapping[str, FileFacts] | None = None
) -> None:
    """croissant.json, manifest.json and SHA256SUMS: each names the files written before it.

    `ground` are the files of the release that do not lie in `folder`.
    """
    manifest, columns, known = described
    files = dict(ground or {})
    others = (path for path in all_files(folder) if path not in files)
    files |= {path: file_facts(folder, path, known.get(path)) for path in others}
    data = sorted(path for path in files if path.startswith("data/"))
    hashes = {path: files[path].sha256 for path in data}
    write_bytes(
        folder / "croissant.json", pretty(croissant(manifest, hashes, data, columns))
    )
    files["croissant.json"] = file_facts(folder, "croissant.json")
    write_bytes(folder / "manifest.json", pretty(manifest | {"files": files}))
    files["manifest.json"] = file_facts(folder, "manifest.json")
    sums = (f"{files[path].sha256}  {path}\n" for path in sorted(files))
    write_text(folder / "SHA256SUMS", "".join(sums))


def file_facts(folder: Path, path: str, digest: str | None = None) -> FileFacts:
    """Hash, where it is not known, size and rows of a file of the release."""
    rows = None
    if path.endswith(".jsonl"):
        with (folder / path).open("rb") as file:
            rows = sum(
                block.count(b"\n") for block in iter(partial(file.read, BLOCK), b"")
            )
    elif path.endswith(".parquet"):
        import pyarrow.parquet as pq

        rows = pq.ParquetFile(folder / path).metadata.num_rows
    size = (folder / path).stat().st_size
    return FileFacts(sha256=digest or sha256_file(folder / path), bytes=size, rows=rows)


def all_files(folder: Path) -> list[str]:
    """Every file below the release folder, as sorted relative paths."""
    files = []
    for place, _, names in os.walk(folder):
        inner = os.path.relpath(place, folder).replace(os.sep, "/")
        files += [name if inner == "." else f"{inner}/{name}" for name in names]
    return sorted(files)
