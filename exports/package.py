"""The release package: every file that a release folder holds, written in one pass."""

from __future__ import annotations

import importlib.metadata
import shutil
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ..files import (
    Streamed,
    encode,
    pretty,
    safe_name,
    sha256_file,
    write_bytes,
    write_jsonl,
    write_text,
)
from ..pipeline import Recipe, Report
from ..problem import VERSIONS, Problem, Sample, all_images, json_schema, samples_of
from .browse import write_browse_page
from .card import card, datasheet
from .changelog import changelog
from .croissant import croissant
from .licences import write_licences
from .parquet import COLUMNS, label_columns, write_split
from .plots import label_plot, length_plot
from .statistics import statistics
from .withhold import answer_hash, private_rows, problem_without_answers, without_answers

PLOTTED = 100  # a label of more values is no category
LIBRARIES = ("matplotlib", "numpy", "pillow", "pyarrow")


def canary(name: str) -> str:
    """The benchmark's GUID, the same in all its versions; it stands in every data file."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"benchwright-canary:{name}"))


def write_package(
    recipe: Recipe,
    splits: Mapping[str, Sequence[Problem]],
    reports: list[Report],
    licences: list[str],
    work: Path,
    folder: Path,
    key: str,
) -> list[dict[str, Any]]:
    """Write the release into the empty `folder`; returns the private answers' rows.

    Pictures are copied from the store below `work`. The manifest names and hashes every file.
    """
    guid = canary(recipe.name)
    _copy_pictures(splits, work, folder)
    private: list[dict[str, Any]] = []
    samples: dict[str, Sequence[Sample]] = {}
    public: dict[str, Sequence[Problem]] = {}
    for name, problems in splits.items():
        split_samples = Streamed(partial(_samples, problems))
        if name in recipe.withhold_answers:
            private += private_rows(split_samples)
            split_samples = Streamed(partial(map, without_answers, split_samples))
            problems = Streamed(partial(map, problem_without_answers, problems))
        samples[name], public[name] = split_samples, problems
        _write_records(folder / "problems" / f"{name}.jsonl", problems, guid)
        _write_records(folder / "jsonl" / f"{name}.jsonl", split_samples, guid)
    columns = COLUMNS | label_columns(s for part in samples.values() for s in part)
    configs = _write_parquet(samples, folder, columns, guid)
    figures = statistics(samples)
    manifest = _manifest(recipe, splits, samples, reports, licences, guid, key)
    manifest["answers"] = {row["id"]: answer_hash(row) for row in private}
    write_bytes(folder / "statistics.json", pretty(figures))
    write_bytes(folder / "schema.json", pretty(json_schema()))
    write_licences(licences, folder / "LICENSES")
    plots = _plots(samples, figures["all"]["labels"])
    for name, plot in plots.items():
        write_text(folder / "figures" / f"{name}.svg", plot)
    write_text(folder / "README.md", card(manifest, figures, configs, list(plots)))
    write_text(folder / "DATASHEET.md", datasheet(manifest, figures))
    write_text(folder / "CHANGELOG.md", changelog(recipe, splits))
    write_browse_page(folder / "index.html", manifest, public, samples)
    _write_hashes(folder, manifest, columns)
    return private


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


def _copy_pictures(splits: Mapping[str, Sequence[Problem]], work: Path, folder: Path) -> None:
    (folder / "images").mkdir(parents=True)
    paths = {i.path for problems in splits.values() for p in problems for i in all_images(p)}
    for path in sorted(paths):
        shutil.copyfile(work / path, folder / path)


def _write_records(path: Path, records: Iterable[Any], guid: str) -> None:
    write_jsonl(path, (msgspec.to_builtins(record) | {"canary": guid} for record in records))


def _write_parquet(
    samples: Mapping[str, Sequence[Sample]], folder: Path, columns: dict[str, str], guid: str
) -> dict[str, dict[str, list[str]]]:
    """One config for each version, and `default` over all of them, without writing twice."""
    configs: dict[str, dict[str, list[str]]] = {"default": {}}
    for split, split_samples in samples.items():
        for config in dict.fromkeys(map(_config, split_samples)):
            part = Streamed(partial(_of_config, config, split_samples))
            written = write_split(part, folder / "data" / config, split, folder, columns, guid)
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
    recipe: Recipe,
    splits: Mapping[str, Sequence[Problem]],
    samples: Mapping[str, Sequence[Sample]],
    reports: list[Report],
    licences: list[str],
    guid: str,
    key: str,
) -> dict[str, Any]:
    return {
        "name": recipe.name,
        "version": recipe.version,
        "title": recipe.title or recipe.name,
        "description": recipe.description,
        "url": recipe.url,
        "date": recipe.date,
        "canary": guid,
        "build_key": key,
        "tool": {"name": "benchwright", "version": importlib.metadata.version("benchwright")},
        "libraries": {name: importlib.metadata.version(name) for name in LIBRARIES},
        "seed": recipe.seed,
        "licences": licences,
        "sources": [
            {
                "name": spec.name,
                "reader": spec.reader,
                "license": spec.license,
                "url": spec.url,
                "benchmark": spec.benchmark,
            }
            for spec in recipe.sources
        ],
        "stages": [report.released() for report in reports],
        "findings": findings(reports),
        "splits": {
            name: {
                "problems": len(problems),
                "samples": len(samples[name]),
                "withheld": name in recipe.withhold_answers,
                "ids": [problem.id for problem in problems],
            }
            for name, problems in splits.items()
        },
    }


def findings(reports: list[Report]) -> dict[str, int]:
    """Findings by code, over all stages that looked."""
    total: dict[str, int] = {}
    for report in reports:
        for code, count in report.findings.items():
            total[code] = total.get(code, 0) + count
    return dict(sorted(total.items()))


def _write_hashes(folder: Path, manifest: dict[str, Any], columns: dict[str, str]) -> None:
    """croissant.json, manifest.json and SHA256SUMS: each names the files written before it."""
    data = sorted(p.relative_to(folder).as_posix() for p in folder.glob("data/*/*.parquet"))
    hashes = {path: sha256_file(folder / path) for path in data}
    description = croissant(manifest, hashes, data, columns)
    write_bytes(folder / "croissant.json", pretty(description))
    manifest["files"] = {path: _file(folder, path) for path in all_files(folder)}
    write_bytes(folder / "manifest.json", pretty(manifest))
    sums = (f"{sha256_file(folder / path)}  {path}\n" for path in all_files(folder))
    write_text(folder / "SHA256SUMS", "".join(sums))


def _file(folder: Path, path: str) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "sha256": sha256_file(folder / path),
        "bytes": (folder / path).stat().st_size,
    }
    if path.endswith(".jsonl"):
        with (folder / path).open("rb") as file:
            entry["rows"] = sum(1 for _ in file)
    elif path.endswith(".parquet"):
        import pyarrow.parquet as pq

        entry["rows"] = pq.ParquetFile(folder / path).metadata.num_rows
    return entry


def all_files(folder: Path) -> list[str]:
    """Every file below the release folder, as sorted relative paths."""
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def private_lines(rows: list[dict[str, Any]]) -> bytes:
    return b"".join(encode(row) for row in rows)
