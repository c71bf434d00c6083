"""The release package: every file that a release folder holds, from its facts and problems.

`write_derived` is the one place that says how files follow from `problems/` and `images/`: a build
writes with it, and `verify` compares with it.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from ..base.files import (
    Streamed,
    encode,
    pretty,
    read_lines,
    replacing,
    safe_name,
    sha256_file,
    write_bytes,
    write_text,
)
from ..pages import Encoded
from ..pipeline import Engine, chunked, parallel_map
from ..problem import Problem, Sample, all_images, json_schema
from ..release import CORRECTIONS, Correction, decode
from .browse import write_browse_cards, write_browse_page
from .card import card, datasheet
from .changelog import changelog
from .croissant import croissant
from .facts import Facts, FileFacts, canary, findings, keyed
from .licences import write_licences
from .parquet import COLUMNS, Part, config_of, label_columns, parts_of, write_samples
from .pieces import EACH, Making, Piece, Sums, piece_of, record_lines
from .plots import label_plot, length_plot
from .statistics import statistics, together

PLOTTED = 100  # a label of more values is no category


class Contents(NamedTuple):
    """From what a release follows: its facts, its problems by split, its corrections.

    `pieces` are what the problems come to; `hashes` those of the files that hold the ground.
    """

    facts: Facts
    problems: Mapping[str, Sequence[Problem]]
    pieces: Mapping[str, Iterable[Piece]]
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


def contents_of(
    facts: Facts,
    problems: Mapping[str, Sequence[Problem]],
    pieces: Mapping[str, Iterable[Piece]],
    corrections: Sequence[Correction],
) -> Contents:
    """The contents of a release with their build key, which needs no file to be written."""
    hashes = {}
    for name, made in pieces.items():
        total = hashlib.sha256()
        for piece in made:
            total.update(piece.problems)
        hashes[f"problems/{name}.jsonl"] = total.hexdigest()
    if corrections:
        hashes[CORRECTIONS] = hashlib.sha256(b"".join(map(encode, corrections))).hexdigest()
    return Contents(keyed(facts, hashes), problems, pieces, corrections, hashes)


def making_of(facts: Facts, split: str) -> Making:
    """What the pieces of a split are made with."""
    facets = {"split": [split]} if len(facts.split_order) > 1 else {}
    return Making(canary(facts.name), split in facts.withhold_answers, facets)


def pieces_in_memory(
    facts: Facts, problems: Mapping[str, Sequence[Problem]], pictures: Path
) -> dict[str, Iterable[Piece]]:
    """The pieces of problems that are in memory already."""

    def made(name: str) -> Iterator[Piece]:
        making = making_of(facts, name)
        return (piece_of(some, making, pictures) for some in chunked(problems[name], EACH))

    return {name: Streamed(partial(made, name)) for name in problems}


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
    write_hashes(described, folder)


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
    sums = {name: Sums() for name in contents.pieces}
    cards = _passing(contents, folder, sums, ground)
    write_browse_cards(folder, f"{facts.name}-{facts.version}", cards, 0)
    everything = Sums()
    for one in sums.values():
        together(everything, msgspec.msgpack.decode(msgspec.msgpack.encode(one), type=Sums))
    if ground:
        for path in sorted(everything.images):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(pictures / path, folder / path)
    columns = COLUMNS | label_columns(everything.kinds)
    configs = _write_parquet(sums, pictures, folder, columns, contents.canary, engine)
    figures = statistics({name: one.tally for name, one in sums.items()})
    manifest = _manifest(facts, sums, sorted(everything.licences))
    write_bytes(folder / "statistics.json", pretty(figures))
    write_bytes(folder / "schema.json", pretty(release_schema()))
    write_licences(manifest["licences"], folder / "LICENSES")
    plots = _plots(everything.words, figures["all"]["labels"])
    for name, plot in plots.items():
        write_text(folder / "figures" / f"{name}.svg", plot)
    write_text(folder / "README.md", card(manifest, figures, configs, list(plots)))
    write_text(folder / "DATASHEET.md", datasheet(manifest, figures))
    write_text(folder / "CHANGELOG.md", changelog(facts.name, facts.changelog))
    counts = {name: one.tally.samples for name, one in sums.items()}
    write_browse_page(folder / "index.html", manifest, everything, counts)
    return Described(manifest, columns)


def _passing(
    contents: Contents, folder: Path, sums: dict[str, Sums], ground: bool
) -> Iterator[Encoded]:
    """Write the lines of every piece as it passes, add up its sums, and hand on its cards."""
    for name, pieces in contents.pieces.items():
        with ExitStack() as stack:
            samples = stack.enter_context(replacing(folder / "jsonl" / f"{name}.jsonl"))
            problems = ground and stack.enter_context(
                replacing(folder / "problems" / f"{name}.jsonl")
            )
            for piece in pieces:
                samples.write(piece.samples)
                if problems:
                    problems.write(piece.problems)
                together(sums[name], piece.sums)
                yield from piece.cards


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
    return sorted({i.path for part in problems.values() for p in part for i in all_images(p)})


def release_schema() -> dict[str, Any]:
    """schema.json: the records of a release carry the canary."""
    schema = json_schema()
    for name in ("Problem", "Sample"):
        schema["$defs"][name]["properties"]["canary"] = {"type": "string"}
    return schema | {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in ("Problem", "Sample")]}


def _write_parquet(
    sums: Mapping[str, Sums],
    pictures: Path,
    folder: Path,
    columns: dict[str, str],
    guid: str,
    engine: Engine,
) -> dict[str, dict[str, list[str]]]:
    """One config for each version, and `default` over all of them, without writing twice."""
    folder = folder.absolute()  # workers may stand elsewhere
    configs: dict[str, dict[str, list[str]]] = {"default": {}}
    tasks: list[_Table] = []
    for split, one in sums.items():
        rows = folder / "jsonl" / f"{split}.jsonl"
        for config, sizes in one.configs.items():
            parts = parts_of(sizes, folder / "data" / config, split)
            paths = [part.path.relative_to(folder).as_posix() for part in parts]
            configs["default"].setdefault(split, []).extend(paths)
            if config != "default":
                configs.setdefault(config, {})[split] = paths
            tasks += [_Table(part, rows, config) for part in parts]
    for _ in parallel_map(partial(_write_table, pictures, columns, guid), tasks, engine):
        pass
    return configs


class _Table(NamedTuple):
    """A Parquet file of the samples of one config, which stand among others in `rows`."""

    part: Part
    rows: Path
    config: str


def _write_table(pictures: Path, columns: dict[str, str], guid: str, table: _Table) -> None:
    part = table.part
    found = (decode(line, Sample)[0] for _, line in read_lines(table.rows))
    own = (sample for sample in found if config_of(sample) == table.config)
    some = islice(own, part.first, part.first + part.count)
    write_samples(part.path, some, pictures, columns, guid)


def _manifest(facts: Facts, sums: Mapping[str, Sums], licences: list[str]) -> dict[str, Any]:
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
    manifest, columns = described
    files = {**(ground or {}), **{path: file_facts(folder, path) for path in all_files(folder)}}
    data = sorted(path for path in files if path.endswith(".parquet"))
    hashes = {path: files[path].sha256 for path in data}
    write_bytes(folder / "croissant.json", pretty(croissant(manifest, hashes, data, columns)))
    files["croissant.json"] = file_facts(folder, "croissant.json")
    write_bytes(folder / "manifest.json", pretty(manifest | {"files": files}))
    files["manifest.json"] = file_facts(folder, "manifest.json")
    sums = (f"{files[path].sha256}  {path}\n" for path in sorted(files))
    write_text(folder / "SHA256SUMS", "".join(sums))


def file_facts(folder: Path, path: str) -> FileFacts:
    """Hash, size and rows of a file of the release."""
    rows = None
    if path.endswith(".jsonl"):
        with (folder / path).open("rb") as file:
            rows = sum(1 for _ in file)
    elif path.endswith(".parquet"):
        import pyarrow.parquet as pq

        rows = pq.ParquetFile(folder / path).metadata.num_rows
    size = (folder / path).stat().st_size
    return FileFacts(sha256=sha256_file(folder / path), bytes=size, rows=rows)


def all_files(folder: Path) -> list[str]:
    """Every file below the release folder, as sorted relative paths."""
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
