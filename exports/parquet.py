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
SHARD_ROWS = 1_000  # ... and samples: what one that changes costs, and a worker takes

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
    return {_label_column(name): _common(kinds[name]) for name in sorted(kinds)}


def _label_column(name: str) -> str:
    return f"label_{name}" if name in COLUMNS else name


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

    types = _arrow_types()
    fields = [(name, types[kind]) for name, kind in columns.items()]
    features = _features()
    info = {name: features.get(kind) or _value(kind) for name, kind in columns.items()}
    metadata = {
        "huggingface": json.dumps({"info": {"features": info}}),
        "canary": canary,
    }
    return pa.schema(fields, metadata)


def _arrow_types() -> dict[str, Any]:
    """Arrow's types of our kinds of columns."""
    import pyarrow as pa

    text = pa.string()
    picture = pa.struct([("bytes", pa.binary()), ("path", text)])
    option = pa.struct([("label", text), ("text", text), ("image", picture)])
    plain = {
        "string": text,
        "int64": pa.int64(),
        "float64": pa.float64(),
        "bool": pa.bool_(),
    }
    part = pa.struct([(name, plain[kind]) for name, kind in PART.items()])
    return plain | {
        "strings": pa.list_(text),
        "images": pa.list_(picture),
        "options": pa.list_(option),
        "parts": pa.list_(part),
    }


def _features() -> dict[str, Any]:
    """What `datasets` calls the kinds that are no plain values."""
    text = _value("string")
    picture = {"_type": "Image"}
    features = {
        "strings": text,
        "images": picture,
        "options": {"label": text, "text": text, "image": picture},
        "parts": {name: _value(kind) for name, kind in PART.items()},
    }
    return {
        kind: {"feature": feature, "_type": "List"}
        for kind, feature in features.items()
    }


def _value(kind: str) -> dict[str, str]:
    return {"dtype": kind, "_type": "Value"}


Part = tuple[Path, Sequence[bytes]]  # a file, and the lines of its samples


def parts_of(
    lines: Sequence[bytes],
    rows: Sequence[int],
    sizes: Sequence[int],
    folder: Path,
    split: str,
) -> list[Part]:
    """The files `<folder>/<split>-<k>-of-<n>.parquet` of these `rows` of the lines.

    `sizes` are the bytes of each line's pictures.
    """
    starts = [0]
    count = size = 0
    for place, row in enumerate(rows):
        if count and (size + sizes[row] > SHARD_BYTES or count == SHARD_ROWS):
            starts.append(place)
            count = size = 0
        count += 1
        size += sizes[row]
    parts = list[Part]()
    for number, (first, end) in enumerate(pairwise([*starts, len(rows)])):
        path = folder / f"{split}-{number:05d}-of-{len(starts):05d}.parquet"
        parts.append((path, _selected(lines, rows[first:end])))
    return parts


def _selected(lines: Sequence[bytes], rows: Sequence[int]) -> Sequence[bytes]:
    if isinstance(lines, Records):
        return lines.select(rows)
    return [lines[row] for row in rows]


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
    path: Path, layout: Any, rows: Iterable[dict[str, Any]], **options: Any
) -> None:
    """Write one file, a group of rows at a time; `options` are pyarrow's."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.parent.mkdir(parents=True, exist_ok=True)
    rows = iter(rows)
    with pq.ParquetWriter(path, layout, compression="zstd", **options) as writer:
        while group := list(islice(rows, ROWS)):
            writer.write_table(pa.Table.from_pylist(group, schema=layout))


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
            "label": option.label,
            "text": option.text,
            "image": option.image and _picture(option.image, release),
        }
        for option in sample.options
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
        column = _label_column(name)
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
