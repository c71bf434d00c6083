"""Damaging a release so that all its hashes agree again: what `verify` has to find all the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq


def rehash(folder: Path) -> None:
    """Make croissant.json, manifest.json and SHA256SUMS agree with the files that are there.

    The statement speaks of the new manifest, too; what is signed stays as it was.
    """
    paths = sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_symlink())
    paths = [path for path in paths if not path.name.startswith("statement.")]
    digests = {
        p.relative_to(folder).as_posix(): sha256(p.read_bytes()).hexdigest()
        for p in paths
    }
    last = {"croissant.json", "manifest.json", "SHA256SUMS"}
    for name in ("croissant.json", "manifest.json"):
        if name not in digests:
            continue
        try:
            data = json.loads((folder / name).read_text("utf-8"))
        except ValueError:
            continue
        if name == "croissant.json":
            for entry in data.get("distribution", []):
                entry["sha256"] = digests.get(entry["contentUrl"], entry["sha256"])
        else:
            data["files"] = {
                path: _facts(folder / path)
                for path in digests
                if path not in last - {"croissant.json"}
            }
        text = json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
        (folder / name).write_text(text, "utf-8")
        digests[name] = sha256((folder / name).read_bytes()).hexdigest()
    sums = "".join(
        f"{digests[path]}  {path}\n" for path in sorted(digests) if path != "SHA256SUMS"
    )
    if (folder / "SHA256SUMS").is_file():
        (folder / "SHA256SUMS").write_text(sums)
    if (folder / "statement.json").is_file() and "manifest.json" in digests:
        digest = {"sha256": digests["manifest.json"]}
        edit_json(
            folder / "statement.json", lambda s: s["subject"][0].update(digest=digest)
        )


def _facts(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    entry: dict[str, Any] = {"sha256": sha256(data).hexdigest(), "bytes": len(data)}
    if path.suffix == ".jsonl":
        entry["rows"] = data.count(b"\n")
    elif path.suffix == ".parquet":
        try:
            entry["rows"] = pq.ParquetFile(path).metadata.num_rows
        except (pa.ArrowException, OSError):
            entry["rows"] = 0
    return entry


def edit_json(path: Path, change: Callable[[Any], object]) -> None:
    data = json.loads(path.read_text("utf-8"))
    change(data)
    text = json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    path.write_text(text, "utf-8")


def edit_rows(path: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """Change the rows of a JSONL file, which stays as benchwright writes it."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    change(rows)
    lines = (
        json.dumps(r, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        for r in rows
    )
    path.write_text("".join(line + "\n" for line in lines), "utf-8")


def edit_table(path: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """Change the rows of a Parquet file; a column that appears in them is added."""
    table = pq.read_table(path)
    rows = table.to_pylist()
    change(rows)
    schema = table.schema
    for name in dict.fromkeys(name for row in rows for name in row):
        if name not in schema.names:
            schema = schema.append(pa.field(name, pa.string()))
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path, compression="zstd")
