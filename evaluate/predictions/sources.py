"""Samples of what is no file of ours: a data set of a hub, or a source as a recipe has it.

A source in a YAML file says which reader reads what, and what columns are called:

```yaml
{name: kangaroo, reader: table, path: k.xlsx, fields: {id: nr, answer: key}, benchmark: math-v}
```
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from ...base.lazy import imported
from ...base.terminal import say
from ...base.yaml_lines import read_located
from ...errors import UserError
from ...pipeline import SourceSpec, on_this_machine
from ...problem import Sample, samples_of
from .file_formats import read_rows
from .match import benchmark_name

HUB = "hub:"
YAML = (".yaml", ".yml")
# A data set of a hub and one commit of it: hub:owner/name@0123abcd.
_HUB_NAME = re.compile(r"hub:(?P<name>[^@\s]+)(?:@(?P<revision>\S+))?")
# Readers stand beside this house and above it, and are found by name, as recipes find them.
_GLANCE = "convert.readers:glance"
_PATHS = "convert.readers:source_paths"
ALL = 10**9  # rows


class SourceSamples(NamedTuple):
    """The files of a source, and its samples; none where its rows are in a layout of ours."""

    name: str
    files: Sequence[Path]
    samples: list[Sample]


def is_source(path: Path) -> bool:
    """Whether a source is named, and no file of samples."""
    return str(path).startswith(HUB) or path.suffix.lower() in YAML


def hub_files(path: str | Path, split: str) -> list[Path]:
    """The tables of a split of a data set that is named `hub:owner/name@commit`."""
    return list(imported(_PATHS)(_of_hub(Path(path), split), Path()))


def is_of_hub(path: str | Path) -> bool:
    """Whether a data set of a hub is named.

    >>> is_of_hub("hub:openai/gsm8k@0123abcd"), is_of_hub("gsm8k.jsonl")
    (True, False)
    """
    return str(path).startswith(HUB)


def read_source(path: Path, split: str, store: Path | None) -> SourceSamples:
    """The samples of a data set of a hub, or of the source that a YAML file holds.

    Raises UserError for a file that holds none, and for the first row that cannot be read.
    """
    if str(path).startswith(HUB):
        spec, folder = _of_hub(path, split), Path()
    else:
        spec, folder = _of_file(path, split), path.parent
    files = imported(_PATHS)(spec, folder)
    if spec.reader == "hub" and not spec.fields and _is_known_layout(files[0]):
        return SourceSamples(spec.name, files, [])
    return SourceSamples(spec.name, files, _read(spec, folder, store))


def _of_hub(path: Path, split: str) -> SourceSpec:
    named = _HUB_NAME.fullmatch(str(path))
    if named is None:
        raise UserError(f"{path} is no data set", "write hub:owner/name@commit")
    name = named["name"]
    options = {"split": split}
    if named["revision"]:
        options["revision"] = named["revision"]
    called = name.rpartition("/")[2]
    return SourceSpec(name=called, reader="hub", path=name, options=options)


def _of_file(path: Path, split: str) -> SourceSpec:
    file = read_located(path)
    if isinstance(file.data, dict) and "sources" in file.data:
        raise UserError(
            f"{path} is a recipe", "build it, or give one of its sources in a file"
        )
    try:
        spec = msgspec.convert(file.data, SourceSpec)
    except msgspec.ValidationError as error:
        raise UserError(
            f"{file.at()}: no source ({error})",
            "write {name: ..., reader: table, path: ..., fields: {id: ..., answer: ...}}",
        ) from error
    spec = on_this_machine(spec)
    if spec.reader == "hub":
        spec = replace(spec, options={"split": split} | spec.options)
    return spec


def _is_known_layout(file: Path) -> bool:
    """Whether the first row is a release's, or in a benchmark's own layout."""
    row: Any = next((row for _, row in read_rows(file)), {})
    if not isinstance(row, dict):
        return False
    return {"raw_id", "answer_kind"} <= row.keys() or benchmark_name(row) is not None


def _read(spec: SourceSpec, folder: Path, store: Path | None) -> list[Sample]:
    """The source's samples; of a source that maps no fields, by the map that suits it."""
    with TemporaryDirectory() as scratch:
        work = store or Path(scratch)
        seen = imported(_GLANCE)(spec, folder, work, ALL)
        if seen.takes_fields and not spec.fields and seen.suggested:
            spec = replace(spec, fields=seen.suggested)
            pairs = ", ".join(f"{ours}: {name}" for ours, name in spec.fields.items())
            say(f"{spec.name}: read with fields: {{{pairs}}}")
            seen = imported(_GLANCE)(spec, folder, work, ALL)
    for bad in seen.unreadable:
        raise UserError(
            f"{bad.file}:{bad.line}: {bad.cause}",
            "mend the row, or map its columns in a source file: fields: {id: ..., answer: ...}",
        )
    lacking = [
        problem.id
        for problem in seen.problems
        if any(
            note.startswith(("missing-picture", "broken-picture"))
            for note in problem.notes
        )
    ]
    if lacking and store is not None:
        say(f"{spec.name}: {len(lacking)} problems lack a picture, as {lacking[0]}")
    samples = [sample for problem in seen.problems for sample in samples_of(problem)]
    for sample in samples:
        sample.answer = sample.answer or None
        if store is None:
            sample.images = []
    return samples
