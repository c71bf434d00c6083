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

COMMIT = re.compile(r"[0-9a-f]{40}")
LINES, TABLES = (".jsonl", ".json"), (".parquet", ".csv", ".tsv")


def hub_files(spec: SourceSpec, folder: Path) -> list[Path]:
    """The files of a source's configuration and split; they are fetched where they are not here.

    Raises UserError for a revision that is no commit, naming the one that is there now, and for a
    configuration or split that the data set does not have.
    """
    name, options = str(spec.path), spec.options
    config, split = str(options.get("config", "")), str(options.get("split", "test"))
    if (folder / name).is_file():  # one table of a data set that was fetched by hand
        return [folder / name]
    if (folder / name).is_dir():
        root = folder / name
        files = [
            path.relative_to(root).as_posix()
            for path in root.rglob("*")
            if path.is_file()
        ]
        return [root / path for path in _chosen(spec, root, files, config, split)]
    revision = str(options.get("revision", "main"))
    with hub_client(f"source {spec.name!r}: reading {name}") as api:
        if not COMMIT.fullmatch(revision):
            now = api.dataset_info(name, revision=revision).sha
            raise UserError(
                f"source {spec.name!r}: {name} is not pinned: {revision!r} may be another tomorrow",
                f"write options: {{revision: {now}}}, the commit that is there now",
            )
        said = {"repo_type": "dataset", "revision": revision}
        root = Path(api.hf_hub_download(name, "README.md", **said)).parent
        listed = root / f".files-{revision}"  # of this commit, beside them in the cache
        if not listed.exists():
            listed.write_text("\n".join(api.list_repo_files(name, **said)), "utf-8")
        files = listed.read_text("utf-8").split("\n")
        chosen = _chosen(spec, root, files, config, split)
        return [Path(api.hf_hub_download(name, path, **said)) for path in chosen]


def _chosen(
    spec: SourceSpec, root: Path, files: Iterable[str], config: str, split: str
) -> list[str]:
    """The tables that the card names for a split, else those that are named after it."""
    tables = sorted(path for path in files if path.endswith(LINES + TABLES))
    card = root / "README.md"
    front = front_matter(card.read_text("utf-8")) if card.is_file() else {}
    configs = {
        str(one.get("config_name", "default")): one
        for one in front.get("configs") or []
    }
    wanted = config or next(
        (n for n, one in configs.items() if one.get("default")), "default"
    )
    if configs and (config or wanted in configs):
        if wanted not in configs:
            what = f"source {spec.name!r}: no configuration {wanted!r}"
            raise UserError(what, nearest(wanted, list(configs)))
        patterns = _patterns(configs[wanted].get("data_files"))
        if split not in patterns:
            raise UserError(
                f"source {spec.name!r}: no split {split!r} in {wanted!r}",
                nearest(split, list(patterns)),
            )
        found = [
            path
            for path in tables
            if any(fnmatch(path, one) for one in patterns[split])
        ]
    else:
        word = re.compile(rf"(?:^|[\W_]){re.escape(split)}(?:[\W_]|$)")
        below = [
            path for path in tables if not config or config in path.split("/")[:-1]
        ]
        found = [path for path in below if word.search(path)]
    if not found:
        raise UserError(
            f"source {spec.name!r}: no table of the split {split!r}",
            f"its tables: {', '.join(tables[:6]) or 'none'}",
        )
    return found


def _patterns(data_files: Any) -> dict[str, list[str]]:
    """Split -> names with `*`, in each of the forms that a card may have."""
    if isinstance(data_files, list) and all(
        isinstance(one, dict) for one in data_files
    ):
        named = {str(one["split"]): one["path"] for one in data_files}
    else:
        named = {"train": data_files or []}
    return {
        name: [path] if isinstance(path, str) else path for name, path in named.items()
    }


def hub_rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """The rows of each file, records in cells cut into columns, lists of texts joined.

    Golds and solutions stand in lists where a question has several; one is that one.
    """
    joined = {
        spec.fields.get("answer", "answer"): ", ",
        spec.fields.get("solution", "solution"): "\n\n",
    }
    plain = replace(
        spec, options={k: v for k, v in spec.options.items() if k == "gold"}
    )
    for path in paths:
        read = json_lines_rows if path.suffix in LINES else table_rows
        for raw in read(replace(plain, fields={}), [path]):
            if isinstance(raw, Raw) and isinstance(raw.data, dict):
                raw.data = dict(_flat(raw.data))
                for column, between in joined.items():
                    if isinstance(cell := raw.data.get(column), list):
                        raw.data[column] = between.join(map(str, cell))
            yield raw


def _flat(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, cell in row.items():
        if isinstance(cell, dict) and cell.keys() != {"bytes", "path"}:
            yield from ((f"{name}.{inner}", value) for inner, value in cell.items())
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
