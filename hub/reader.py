"""A data set on the hub as a source: one configuration and split of one commit, kept in a cache.

```yaml
- name: mathvista
  reader: hub
  path: AI4Math/MathVista             # or a folder that holds a copy
  license: CC-BY-SA-4.0
  options: {split: testmini, revision: <40 digits of a commit>}
  fields: {id: pid, options: choices, images: decoded_image}
```
Tables are read as the readers `table` and `jsonl` do, pictures as features. The columns of a record
in a cell are called `metadata.grade`. What was read once is in the cache of the hub's client, and
needs no network again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ..convert.readers import (
    Pictures,
    Raw,
    Unreadable,
    held,
    json_lines_rows,
    reader,
    settled,
    table,
    table_rows,
)
from ..errors import UserError, nearest
from ..pipeline import SourceSpec
from ..problem import Problem
from .check import front_matter
from .client import hub_client

# A revision that never changes, unlike a branch or a tag.
COMMIT = re.compile(r"[0-9a-f]{40}")
LINES = (".jsonl", ".json")
TABLES = (".parquet", ".csv", ".tsv")


def hub_files(spec: SourceSpec, folder: Path) -> list[Path]:
    """The files of a source's configuration and split; they are fetched where they are not here.

    Raises UserError for a revision that is no commit, naming the one that is there now, and for a
    configuration or split that the data set does not have.
    """
    name = str(spec.path)
    path = folder / name
    if path.is_file():  # one table of a data set that was fetched by hand
        return [path]
    if path.is_dir():
        files = [
            file.relative_to(path).as_posix()
            for file in path.rglob("*")
            if file.is_file()
        ]
        return [path / table for table in _tables(spec, path, files)]
    revision = str(spec.options.get("revision", "main"))
    with hub_client(f"source {spec.name!r}: reading {name}") as api:
        if not COMMIT.fullmatch(revision):
            now = api.dataset_info(name, revision=revision).sha
            raise UserError(
                f"source {spec.name!r}: {name} is not pinned: {revision!r} may be another tomorrow",
                f"the commit that is there now is {now}: write options: {{revision: {now}}}, "
                f"or hub:{name}@{now}",
            )
        place = {"repo_type": "dataset", "revision": revision}
        root = Path(api.hf_hub_download(name, "README.md", **place)).parent
        listing = (
            root / f".files-{revision}"
        )  # of this commit, beside them in the cache
        if not listing.exists():
            files = api.list_repo_files(name, **place)
            listing.write_text("\n".join(files), "utf-8")
        files = listing.read_text("utf-8").split("\n")
        tables = _tables(spec, root, files)
        return [Path(api.hf_hub_download(name, table, **place)) for table in tables]


def _tables(spec: SourceSpec, root: Path, files: Iterable[str]) -> list[str]:
    """The tables that the card names for a split, else those that are named after it."""
    config = str(spec.options.get("config", ""))
    split = str(spec.options.get("split", "test"))
    tables = sorted(path for path in files if path.endswith(LINES + TABLES))
    configs = _configs(root / "README.md")
    defaults = (name for name, entry in configs.items() if entry.get("default"))
    name = config or next(defaults, "default")
    if name in configs:
        patterns = _patterns(configs[name].get("data_files"))
        if split not in patterns:
            raise UserError(
                f"source {spec.name!r}: no split {split!r} in {name!r}",
                nearest(split, list(patterns)),
            )
        chosen = [path for path in tables if _matches(path, patterns[split])]
    elif config and configs:
        what = f"source {spec.name!r}: no configuration {config!r}"
        raise UserError(what, nearest(config, list(configs)))
    else:
        chosen = [path for path in tables if _is_called(path, split, config)]
    if not chosen:
        raise UserError(
            f"source {spec.name!r}: no table of the split {split!r}",
            f"its tables: {', '.join(tables[:6]) or 'none'}",
        )
    return chosen


def _configs(card: Path) -> dict[str, dict[str, Any]]:
    """The configurations that a card declares, by name."""
    front = front_matter(card.read_text("utf-8")) if card.is_file() else {}
    return {
        str(entry.get("config_name", "default")): entry
        for entry in front.get("configs") or []
    }


def _matches(path: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(path, pattern) for pattern in patterns)


def _is_called(path: str, split: str, config: str) -> bool:
    """Is a table named after a split, by a word of its path, and in the configuration's folder?"""
    if config and config not in path.split("/")[:-1]:
        return False
    word = rf"(?:^|[\W_]){re.escape(split)}(?:[\W_]|$)"
    return re.search(word, path) is not None


def _patterns(data_files: Any) -> dict[str, list[str]]:
    """Split -> names with `*`, in each of the forms that a card may have."""
    paths: dict[str, Any] = {"train": data_files or []}
    if isinstance(data_files, list) and all(
        isinstance(entry, dict) for entry in data_files
    ):
        paths = {str(entry["split"]): entry["path"] for entry in data_files}
    return {
        split: [path] if isinstance(path, str) else path
        for split, path in paths.items()
    }


def hub_rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """The rows of each file, records in cells cut into columns, lists of texts joined.

    Golds and solutions stand in lists where a question has several; one is that one.
    """
    separators = {
        spec.fields.get("answer", "answer"): ", ",
        spec.fields.get("solution", "solution"): "\n\n",
    }
    options = {name: value for name, value in spec.options.items() if name == "gold"}
    plain = replace(spec, options=options, fields={})
    for path in paths:
        rows = json_lines_rows if path.suffix in LINES else table_rows
        for raw in rows(plain, [path]):
            if isinstance(raw, Raw) and isinstance(raw.data, dict):
                raw.data = dict(_flat(raw.data))
                for column, separator in separators.items():
                    cell = raw.data.get(column)
                    if isinstance(cell, list):
                        raw.data[column] = separator.join(map(str, cell))
            yield raw


def _flat(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The cells of a row; a record's are called `record.cell`, but for a picture's."""
    for name, cell in row.items():
        if isinstance(cell, dict) and cell.keys() != {"bytes", "path"}:
            for inner, value in cell.items():
                yield f"{name}.{inner}", value
        else:
            yield name, cell


@reader(
    "hub",
    rows=hub_rows,
    fields=True,
    options=("config", "split", "revision", "gold"),
    holds=held,
    settled=settled,
    paths=hub_files,
)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    return table(raw, spec, pictures)
