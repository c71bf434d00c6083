"""Parquet with embedded pictures, as `datasets.load_dataset` decodes them offline."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from ..base.files import Records
from ..problem import Image, Problem, Sample, shown_images
from ..release import decode

ROWS = 100  # rows in a row group: the most that is in memory at once
SHARD_BYTES = 400_000_000  # pictures in one file ...
SHARD_ROWS = 4_000  # ... and samples: what one that changes costs, and a worker takes

# column -> Hugging Face type; the labels' columns are added behind
COLUMNS = {
    "id": "string", "problem_id": "string", "origin": "string", "version": "string",
    "question": "string", "images": "images", "captions": "strings", "options": "options",
    "answer": "string", "answer_kind": "string", "parts": "parts", "unit": "string",
    "tolerance": "float64", "ordered": "bool",
    "solution": "string", "diagram": "string", "condition": "string", "language": "string",
    "source": "string", "raw_id": "string", "license": "string", "url": "string",
}  # fmt: skip
PART = {
    "label": "string",
    "answer": "string",
    "answer_kind": "string",
    "unit": "string",
    "tolerance": "float64",
    "ordered": "bool",
}


def label_columns(kinds: Mapping[str, set[str]]) -> dict[str, str]:
    """Column -> type of every label in the release; all splits and configs share them.

    A label named like one of our columns becomes `label_<name>`.
    """
    return {
        f"label_{name}" if name in COLUMNS else name: _common(value_kinds)
        for name, value_kinds in sorted(kinds.items())
    }


def label_kinds(value: Any) -> str:
    """The type of a column that holds this value alone."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, list):
        return "strings"
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return "string"
    return {int: "int64", float: "float64", str: "string"}.get(type(value), "string")


def _common(kinds: set[str]) -> str:
    if len(kinds) == 1:
        return next(iter(kinds))
    return "float64" if kinds == {"int64", "float64"} else "string"


def schema(columns: dict[str, str], canary: str) -> Any:
    """The Arrow schema, with the features that make `datasets` decode the pictures."""
    import pyarrow as pa

    picture = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    plain = {
        "string": pa.string(),
        "int64": pa.int64(),
        "float64": pa.float64(),
        "bool": pa.bool_(),
    }
    types = plain | {
        "strings": pa.list_(pa.string()),
        "images": pa.list_(picture),
        "options": pa.list_(
            pa.struct(
                [("label", pa.string()), ("text", pa.string()), ("image", picture)]
            )
        ),
        "parts": pa.list_(
            pa.struct([(name, plain[kind]) for name, kind in PART.items()])
        ),
    }
    text = {"dtype": "string", "_type": "Value"}
    features = {
        "strings": {"feature": text, "_type": "List"},
        "images": {"feature": {"_type": "Image"}, "_type": "List"},
        "options": {
            "feature": {"label": text, "text": text, "image": {"_type": "Image"}},
            "_type": "List",
        },
        "parts": {
            "feature": {
                name: {"dtype": kind, "_type": "Value"} for name, kind in PART.items()
            },
            "_type": "List",
        },
    }
    info = {
        name: features.get(kind) or {"dtype": kind, "_type": "Value"}
        for name, kind in columns.items()
    }
    metadata = {
        "huggingface": json.dumps({"info": {"features": info}}),
        "canary": canary,
    }
    return pa.schema([(name, types[kind]) for name, kind in columns.items()], metadata)


Part = tuple[Path, Sequence[bytes]]  # a file, and the lines of its samples


def parts_of(
    lines: Sequence[bytes],
    own: Sequence[int],
    sizes: Sequence[int],
    folder: Path,
    split: str,
) -> list[Part]:
    """The files `<folder>/<split>-<k>-of-<n>.parquet` of the lines with the numbers `own`.

    `sizes` are the bytes of each line's pictures.
    """
    starts, count, size = [0], 0, 0
    for place, k in enumerate(own):
        if count and (size + sizes[k] > SHARD_BYTES or count == SHARD_ROWS):
            starts.append(place)
            count = size = 0
        count += 1
        size += sizes[k]
    parts = list[Part]()
    for k, (first, end) in enumerate(pairwise([*starts, len(own)])):
        some = own[first:end]
        selected = (
            lines.select(some)
            if isinstance(lines, Records)
            else [lines[n] for n in some]
        )
        parts.append(
            (folder / f"{split}-{k:05d}-of-{len(starts):05d}.parquet", selected)
        )
    return parts


def write_samples(
    lines: Iterable[bytes],
    path: Path,
    columns: dict[str, str],
    canary: str,
    *,
    pictures: Path,
) -> None:
    """Write one file of samples, given as lines; pictures are read from below `pictures`."""
    samples = (decode(line, Sample)[0] for line in lines)
    rows = (_row(sample, pictures, columns) for sample in samples)
    layout = schema(columns, canary)
    write_table(path, layout, rows, write_page_index=True, write_page_checksum=True)


def write_table(
    path: Path, layout: Any, rows: Iterable[dict[str, Any]], **how: Any
) -> None:
    """Write one file, a group of rows at a time; `how` are pyarrow's options."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.parent.mkdir(parents=True, exist_ok=True)
    left = iter(rows)
    with pq.ParquetWriter(path, layout, compression="zstd", **how) as writer:
        while some := list(islice(left, ROWS)):
            writer.write_table(pa.Table.from_pylist(some, schema=layout))


def config_of(sample: Sample) -> str:
    """MathVerse's versions are configs of their own; steps stay together with the rest."""
    step = sample.version == "multi" or sample.version.startswith("step")
    return "default" if step or not sample.version else sample.version


def _row(sample: Sample, release: Path, columns: dict[str, str]) -> dict[str, Any]:
    row: dict[str, Any] = {name: getattr(sample, name, None) for name in COLUMNS}
    row["images"] = [_picture(image, release) for image in sample.images]
    row["captions"] = captions(sample)
    row["options"] = [
        {
            "label": o.label,
            "text": o.text,
            "image": o.image and _picture(o.image, release),
        }
        for o in sample.options
    ]
    row["parts"] = [
        {name: getattr(part, name) for name in PART} for part in sample.parts
    ]
    row |= {
        "source": sample.source.name,
        "raw_id": sample.source.raw_id,
        "license": sample.source.license,
        "url": sample.source.url,
    }
    for name, value in sample.labels.items():
        column = f"label_{name}" if name in COLUMNS else name
        row[column] = _cell(value, columns[column])
    return row


def captions(record: Problem | Sample) -> list[str]:
    """Its pictures in words, options' pictures behind the question's; [] where none is."""
    words = [image.caption for image in shown_images(record)]
    return words if any(words) else []


def _picture(image: Image, release: Path) -> dict[str, Any]:
    return {"bytes": (release / image.path).read_bytes(), "path": image.path}


def _cell(value: Any, kind: str) -> Any:
    if kind == "strings":
        return [str(entry) for entry in value]
    if kind == "string" and not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return float(value) if kind == "float64" else value
