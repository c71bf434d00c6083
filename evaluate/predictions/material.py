"""The samples of a split, from a release or from what people have of one.

| given                                | read                                                    |
|---|---|
| a release                            | all of it                                               |
| an export (math-v, inspect, ...)     | its files of the split                                  |
| a file of our samples, or of Parquet | every field but the pictures                            |
| a file in a benchmark's own layout   | id, version, options and gold                           |
| a table with ids and golds           | these, and options, subject and level where it has them |

What a file cannot say is said on the terminal: no origin means that every problem is a cluster of
its own, no label that there is no table by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ...base.files import Streamed, sha256_file
from ...base.terminal import say
from ...errors import UserError
from ...latex import boxes
from ...options import (
    KNOWN_AS,
    LETTERS,
    Choices,
    guess_kind,
    lettered,
    options_in_question,
    read_gold,
    read_options,
)
from ...problem import Option, Part, Sample, Source
from ...release import answered_by, fingerprint, read_manifest, stream_samples
from .file_formats import Row, read_rows
from .match import benchmark_name

EXPORTED = ".export.json"  # what `export` says of the files that it writes
SUFFIXES = (".jsonl", ".json", ".csv", ".tsv", ".xlsx", ".parquet")
_SHARD = re.compile(r"-\d{5}-of-\d{5}")
# Behind a split's name in the files of one format: MathVerse's and VLMEvalKit's parts.
_PART = re.compile(r"_(?:text_only|choice|open|choice_text|open_text)")
# Columns of a release's Parquet that are fields of a sample as they stand.
PLAIN = (
    "id", "problem_id", "origin", "version", "question", "answer", "answer_kind", "unit",
    "tolerance", "ordered", "solution", "diagram", "condition", "language",
)  # fmt: skip
APART = ("images", "captions", "options", "parts", "source", "raw_id", "license", "url")


class Material(NamedTuple):
    """A split of a release, or of what somebody has of one; `others` are its other splits.

    `fingerprint` pins all that was read, `manifest` has name, version and sources.
    """

    manifest: dict[str, Any]
    fingerprint: str
    samples: Sequence[Sample]
    others: Sequence[Sample]

    @property
    def name(self) -> str:
        return f"{self.manifest['name']}-{self.manifest['version']}"


def read_material(
    path: str | Path, split: str, answers: str | Path | None = None
) -> Material:
    """The samples of a split of a release, of an export of one, or of one file.

    `answers` is the private folder of a release that withholds them, or its answers.jsonl. One file
    is one split, whatever it is called. Raises UserError for what is none of these, and for rows
    without id, without gold's column, or of one id.

    Example: `read_material("math-v-1.0.0-exports/inspect", "testmini").samples[0].id`
    """
    path = Path(path)
    if _is_release(path):
        manifest = read_manifest(path)
        chosen = split.split("+")
        others = [
            stream_samples(path, name)
            for name in manifest["splits"]
            if name not in chosen
        ]
        return Material(
            manifest,
            fingerprint(path),
            stream_samples(path, split, answers),
            Streamed(lambda: chain(*others)),
        )
    name, files = (path.name, [path]) if path.is_file() else _exported(path, split)
    samples = list(_samples(files, Path(name).stem))
    digest = sha256("".join(map(sha256_file, files)).encode()).hexdigest()
    manifest = {"name": Path(name).stem, "version": digest[:12], "splits": {split: {}}}
    _say_lost(path, samples)
    if answers is not None:
        samples = list(answered_by(samples, answers))
    return Material(manifest | {"sources": []}, digest, samples, [])


def _is_release(path: Path) -> bool:
    """Whether to read it as a release: what is neither file nor folder of tables is refused so."""
    if path.is_file():
        return False
    return (path / "manifest.json").exists() or not any(_tables(path))


def _tables(folder: Path) -> Iterator[Path]:
    return (
        file
        for file in sorted(folder.rglob("*"))
        if file.suffix in SUFFIXES and not file.name.endswith(EXPORTED)
    )


def _exported(folder: Path, split: str) -> tuple[str, list[Path]]:
    """The name of the release that was exported into a folder, and its files of a split."""
    exports = sorted(folder.rglob(f"*{EXPORTED}"))
    if len(exports) > 1:
        formats = ", ".join(str(export.parent) for export in exports)
        raise UserError(f"{folder} holds several exports", f"give one of {formats}")
    name = folder.absolute().name
    if exports:
        name = exports[0].name.removesuffix(EXPORTED)
    by_split: dict[str, list[Path]] = {}
    for file in _tables(folder):
        core = _SHARD.sub("", file.stem).removeprefix(f"{name}_")
        by_split.setdefault(core, []).append(file)
        if part := _PART.search(core):
            by_split.setdefault(core[: part.start()], []).append(file)
    wanted = [file for part in split.split("+") for file in by_split.get(part, [])]
    if not wanted:
        known = ", ".join(sorted(by_split))
        raise UserError(
            f"{folder} has no files of the split {split!r}", f"known: {known}"
        )
    return name, wanted


def _samples(files: Sequence[Path], name: str) -> Iterator[Sample]:
    places: dict[str, str] = {}
    for file in files:
        for number, row in read_rows(file):
            place = f"{file}:{number}"
            if isinstance(row, str):
                raise UserError(row, "mend the row: every gold counts")
            sample = _sample(row, name, place)
            if sample.id in places:
                raise UserError(
                    f"{place}: {sample.id} stands in {places[sample.id]}, too",
                    "give every sample one id",
                )
            places[sample.id] = place
            yield sample


def _sample(row: Row, name: str, place: str) -> Sample:
    """The sample of a row, by the layout that its fields show."""
    row.pop("canary", None)
    try:
        if isinstance(row.get("source"), dict) and "problem_id" in row:
            return msgspec.convert(row, Sample)
        if {"raw_id", "answer_kind", "problem_id"} <= row.keys():
            return _of_columns(row)
    except msgspec.ValidationError as error:
        raise UserError(
            f"{place}: {error}", "give the file as it was released"
        ) from error
    return _of_layout(row, name, place)


def _of_columns(row: Row) -> Sample:
    """The sample of a row of a release's Parquet; what is no field of ours is a label."""
    fields = {field: row[field] for field in PLAIN if row.get(field) is not None}
    labels = {
        column.removeprefix("label_"): value
        for column, value in row.items()
        if column not in (*PLAIN, *APART) and value is not None
    }
    options = [
        Option(label=one["label"], text=one["text"] or "")
        for one in row.get("options") or []
    ]
    source = Source(
        name=row["source"],
        raw_id=row["raw_id"],
        url=row.get("url"),
        license=row.get("license"),
    )
    parts = msgspec.convert(row.get("parts") or [], list[Part])
    given = fields | {"labels": labels, "options": options, "parts": parts}
    return msgspec.convert(given | {"source": source}, Sample, from_attributes=True)


def _of_layout(row: Row, name: str, place: str) -> Sample:
    """The sample of a row that others laid out, by the names that dumps give to our fields."""
    benchmark, named = _benchmark(row), benchmark_name(row)
    raw_id, version = named or (_text(_known(row, "id")), "")
    if raw_id.startswith("1steps_") and version == "multi":
        version = ""  # We-Math's problems of one step have no other
    if not raw_id:
        raise UserError(
            f"{place}: no id; it has {', '.join(row)[:200]}",
            f"call the column of ids one of {', '.join(('id', *KNOWN_AS['id']))}",
        )
    question, choices = _asked(row)
    gold = _gold(row, choices, place)
    problem_id = raw_id if named or not version else raw_id.removesuffix(f".{version}")
    kind = _text(row.get("answer_kind")) or guess_kind(gold or "", choices.options)
    several = benchmark == "mm-math" and "," in (gold or "")
    return Sample(
        id=f"{raw_id}.{version}" if version else raw_id,
        problem_id=problem_id,
        origin=problem_id,
        version=version,
        source=Source(name=name, raw_id=raw_id, benchmark=benchmark),
        question=question,
        options=choices.options,
        answer=gold,
        answer_kind="set" if several else kind,
        labels=_labels(row, benchmark),
    )


def _benchmark(row: Row) -> str | None:
    """Whose layout a row has, by the fields that no other has."""
    fields = row.keys()
    if {"ID", "key"} <= fields:
        return "we-math"
    if "problem_version" in fields:
        return "mathverse"
    if {"solution", "file_name", "knowledge"} <= fields:
        return "mm-math"
    if {"options", "answer", "level", "subject", "image"} <= fields:
        return "math-v"
    return None


def _known(row: Row, field: str) -> Any:
    """The value of a field by any name that it is known by; None where there is none."""
    by_name = {column.casefold(): value for column, value in row.items()}
    names = (field.removeprefix("labels."), *KNOWN_AS[field])
    values = (by_name.get(name) for name in names)
    return next((value for value in values if value not in (None, "")), None)


def _text(value: Any) -> str:
    """A cell as text; tables for pandas end a number that is text with a no-break space."""
    return "" if value is None else str(value).strip()


def _asked(row: Row) -> tuple[str, Choices]:
    """Question and options: of a column, of one column a letter, or inside the question."""
    question = _text(_known(row, "question"))
    choices = read_options(_known(row, "options"))
    by_letter = [_text(row[c]) for c in LETTERS if row.get(c) not in (None, "")]
    if not choices.options and len(by_letter) > 1:
        choices = Choices(lettered(by_letter))
    if not choices.options:
        question, choices = options_in_question(question)
    return question, choices


def _gold(row: Row, choices: Choices, place: str) -> str | None:
    """The gold; None of one that is withheld. MM-MATH's stand in boxes of the solution."""
    names = {"answer", *KNOWN_AS["answer"]}
    if names & {column.casefold() for column in row}:
        value = _known(row, "answer")
        if isinstance(value, str):
            value = value.strip()
        return None if value is None else read_gold(value, choices).answer
    if "solution" not in row:
        raise UserError(
            f"{place}: no gold; it has {', '.join(row)[:200]}",
            f"call the column of golds one of {', '.join(sorted(names))}",
        )
    contents = [box.content.strip() for box in boxes(_text(row["solution"]))]
    return ",".join(contents) or None


def _labels(row: Row, benchmark: str | None) -> dict[str, Any]:
    labels = {
        field.removeprefix("labels."): value
        for field in KNOWN_AS
        if field.startswith("labels.") and (value := _known(row, field)) is not None
    }
    if benchmark == "mathverse" and isinstance(row.get("metadata"), dict):
        said = row["metadata"]
        labels |= {
            name: said[name] for name in ("subject", "subfield") if said.get(name)
        }
    if benchmark == "we-math":
        concepts = _text(row.get("knowledge concept")).split(";")
        labels["knowledge"] = [name.strip() for name in concepts if name.strip()]
        labels |= {"steps": int(row["ID"][0])} if row["ID"][:1].isdigit() else {}
    return labels


def _say_lost(path: Path, samples: Sequence[Sample]) -> None:
    """What figures cannot be had from the file, which a release would give."""
    lost = ["pictures"]
    if all(sample.origin == sample.problem_id for sample in samples):
        lost.append("clusters (every problem is one of its own)")
    if not any(sample.labels for sample in samples):
        lost.append("labels")
    withheld = sum(sample.answer is None for sample in samples)
    if withheld:
        lost.append(f"golds of {withheld} samples")
    say(f"{path}: {len(samples)} samples; what it does not say: {', '.join(lost)}")
