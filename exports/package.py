"""The release package: every file that a release folder holds, from its facts and problems.

`write_derived` is the one place that says how files follow from `problems/` and `images/`: a build
writes with it, and `verify` compares with it.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ..base.files import (
    Streamed,
    encode,
    pretty,
    replacing,
    safe_name,
    sha256_file,
    write_bytes,
    write_text,
)
from ..problem import VERSIONS, Problem, Sample, all_images, json_schema, samples_of
from ..release import CORRECTIONS, Correction
from .browse import write_browse_page
from .card import card, datasheet
from .changelog import changelog
from .croissant import croissant
from .facts import Facts, FileFacts, canary, findings, keyed
from .licences import licences_of, write_licences
from .parquet import COLUMNS, label_columns, write_split
from .plots import label_plot, length_plot
from .statistics import statistics
from .withhold import without_answers

PLOTTED = 100  # a label of more values is no category


class Contents(NamedTuple):
    """From what a release follows: its facts, its problems by split, its corrections."""

    facts: Facts
    problems: Mapping[str, Sequence[Problem]]
    corrections: Sequence[Correction] = ()

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

    def ground_hashes(self) -> dict[str, str]:
        """The hashes of these files, which need not be written for it."""
        hashes = {}
        for path, lines in self.ground():
            total = hashlib.sha256()
            for line in lines:
                total.update(line)
            hashes[path] = total.hexdigest()
        return hashes


class Described(NamedTuple):
    """What the files that come last are written from."""

    manifest: dict[str, Any]
    columns: dict[str, str]


def contents_of(
    facts: Facts, problems: Mapping[str, Sequence[Problem]], corrections: Sequence[Correction]
) -> Contents:
    """The contents of a release with their build key."""
    contents = Contents(facts, problems, corrections)
    return contents._replace(facts=keyed(facts, contents.ground_hashes()))


def write_package(contents: Contents, pictures: Path, folder: Path) -> None:
    """Write a whole release into `folder`; the pictures are copied from below `pictures`."""
    for path in picture_paths(contents.problems):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(pictures / path, folder / path)
    for path, lines in contents.ground():
        with replacing(folder / path) as file:
            file.writelines(lines)
    write_hashes(write_derived(contents, folder, folder), folder)


def write_derived(contents: Contents, pictures: Path, folder: Path) -> Described:
    """Write into `folder` the files of a release that follow from its contents and pictures.

    This is what a build writes and what `verify` compares with; `write_hashes` comes last.
    """
    facts, problems = contents.facts, contents.problems
    guid = contents.canary
    samples: dict[str, Sequence[Sample]] = {
        name: Streamed(partial(_samples, members)) for name, members in problems.items()
    }
    for name in facts.withhold_answers:
        samples[name] = Streamed(partial(map, without_answers, samples[name]))
    for name, members in samples.items():
        with replacing(folder / "jsonl" / f"{name}.jsonl") as file:
            file.writelines(record_lines(members, guid))
    columns = COLUMNS | label_columns(s for part in samples.values() for s in part)
    configs = _write_parquet(samples, pictures, folder, columns, guid)
    figures = statistics(samples)
    manifest = _manifest(facts, problems, samples)
    write_bytes(folder / "statistics.json", pretty(figures))
    write_bytes(folder / "schema.json", pretty(release_schema()))
    write_licences(manifest["licences"], folder / "LICENSES")
    plots = _plots(samples, figures["all"]["labels"])
    for name, plot in plots.items():
        write_text(folder / "figures" / f"{name}.svg", plot)
    write_text(folder / "README.md", card(manifest, figures, configs, list(plots)))
    write_text(folder / "DATASHEET.md", datasheet(manifest, figures))
    write_text(folder / "CHANGELOG.md", changelog(facts.name, facts.changelog))
    write_browse_page(folder / "index.html", manifest, problems, samples)
    return Described(manifest, columns)


def _samples(problems: Iterable[Problem]) -> Iterator[Sample]:
    return (sample for problem in problems for sample in samples_of(problem))


def _plots(samples: Mapping[str, Sequence[Sample]], labels: dict[str, Any]) -> dict[str, str]:
    """What the card shows: lengths of questions, and every label with a few values."""
    lengths: dict[str, list[int]] = {}
    for sample in (sample for part in samples.values() for sample in part if sample.question):
        version = sample.version if sample.version in VERSIONS else "questions"
        lengths.setdefault(version, []).append(len(sample.question.split()))
    plots = {"question-lengths": length_plot(dict(sorted(lengths.items())))}
    for name, shares in labels.items():
        if 1 < len(shares) <= PLOTTED:
            plots[safe_name(name)] = label_plot(
                name, {value: row["n"] for value, row in shares.items()}
            )
    return plots


def picture_paths(problems: Mapping[str, Sequence[Problem]]) -> list[str]:
    """Every picture that a problem names, once."""
    return sorted({i.path for part in problems.values() for p in part for i in all_images(p)})


def record_lines(records: Iterable[Any], guid: str) -> Iterator[bytes]:
    """Problems or samples as their files hold them: one JSON line each, with the canary."""
    return (encode(msgspec.to_builtins(record) | {"canary": guid}) for record in records)


def release_schema() -> dict[str, Any]:
    """schema.json: the records of a release carry the canary."""
    schema = json_schema()
    for name in ("Problem", "Sample"):
        schema["$defs"][name]["properties"]["canary"] = {"type": "string"}
    return schema | {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in ("Problem", "Sample")]}


def _write_parquet(
    samples: Mapping[str, Sequence[Sample]],
    pictures: Path,
    folder: Path,
    columns: dict[str, str],
    guid: str,
) -> dict[str, dict[str, list[str]]]:
    """One config for each version, and `default` over all of them, without writing twice."""
    configs: dict[str, dict[str, list[str]]] = {"default": {}}
    for split, split_samples in samples.items():
        for config in dict.fromkeys(map(_config, split_samples)):
            part = Streamed(partial(_of_config, config, split_samples))
            written = write_split(part, folder / "data" / config, split, pictures, columns, guid)
            paths = [path.relative_to(folder).as_posix() for path in written]
            configs["default"].setdefault(split, []).extend(paths)
            if config != "default":
                configs.setdefault(config, {})[split] = paths
    return configs


def _of_config(config: str, samples: Iterable[Sample]) -> Iterator[Sample]:
    return (sample for sample in samples if _config(sample) == config)


def _config(sample: Sample) -> str:
    """MathVerse's versions are configs of their own; steps stay together with the rest."""
    step = sample.version == "multi" or sample.version.startswith("step")
    return "default" if step or not sample.version else sample.version


def _manifest(
    facts: Facts,
    problems: Mapping[str, Sequence[Problem]],
    samples: Mapping[str, Sequence[Sample]],
) -> dict[str, Any]:
    """manifest.json but for the hashes of files."""
    said: dict[str, Any] = msgspec.to_builtins(facts)
    return said | {
        "canary": canary(facts.name),
        "licences": licences_of(problem for part in problems.values() for problem in part),
        "findings": findings(facts),
        "splits": {
            name: {
                "problems": len(members),
                "samples": len(samples[name]),
                "withheld": name in facts.withhold_answers,
                "ids": [problem.id for problem in members],
            }
            for name, members in problems.items()
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
