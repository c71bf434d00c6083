"""A row with an id and a gold as a sample: ours, a benchmark's, a harness's, a plain table's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from ...base.files import inside, read_bytes
from ...base.pictures import embedded, names_of, store_picture
from ...errors import UserError
from ...latex import boxes
from ...options import (
    KNOWN_AS,
    LETTERS,
    Choices,
    guess_kind,
    lettered,
    literal,
    options_in_question,
    read_gold,
    read_options,
)
from ...problem import Image, Option, Part, Sample, Source
from .file_formats import Row
from .match import benchmark_name

# Columns of a release's Parquet that are fields of a sample as they stand.
PLAIN = (
    "id", "problem_id", "origin", "version", "question", "answer", "answer_kind", "unit",
    "tolerance", "ordered", "solution", "diagram", "condition", "language",
)  # fmt: skip
APART = ("images", "captions", "options", "parts", "source", "raw_id", "license", "url")
BY_LINE = "line"  # how the id of a row begins that has none
# Where the four benchmarks' rows name their pictures; other names are those of dumps.
PICTURED = ("image", "image_path", "file_name")


class Kept:
    """Puts the pictures of a file's rows into the store below `store`."""

    def __init__(self, file: Path, store: Path) -> None:
        # A layout's pictures lie beside its file, or beside the folder of the file.
        self.folders = (file.absolute().parent, file.absolute().parent.parent)
        self.store = store
        self.by_row: dict[str, list[Image]] = {}

    def of(self, cell: Any, role: str = "figure") -> list[Image]:
        """The stored pictures of a cell: paths, embedded ones, or a list of these.

        Raises UserError for a picture that is not there, or is none.
        """
        if isinstance(cell, str) and cell.startswith("["):
            cell = literal(cell)  # VLMEvalKit writes several as a list of Python's
        cells = cell if isinstance(cell, list) else [cell]
        return [self._image(one, role) for one in cells if one not in (None, "")]

    def of_row(self, number: str, cell: Any) -> list[Image]:
        """The pictures of a numbered row: VLMEvalKit names the row that shows them first."""
        if isinstance(cell, str | int) and str(cell) in self.by_row:
            return self.by_row[str(cell)]
        images = self.of(cell)
        if number and images:
            self.by_row[number] = images
        return images

    def _image(self, cell: Any, role: str) -> Image:
        name, data = embedded(cell)
        if data is None:
            data = self._read(name)
        return store_picture(data, self.store, role, name)

    def _read(self, name: str) -> bytes:
        for folder in self.folders:
            for spelling in names_of(name):
                if (folder / spelling).is_file():
                    return read_bytes(inside(folder, spelling))
        raise UserError(
            f"no picture {name[:80]!r} at {self.folders[0]} or above it",
            "put the pictures where the rows say, or go on with --pictures none",
        )


def sample_of_row(
    row: Row, name: str, place: str, pictures: Kept | None = None
) -> Sample:
    """The sample of a row, by the layout that its fields show."""
    row.pop("canary", None)
    try:
        if isinstance(row.get("source"), dict) and "problem_id" in row:
            return msgspec.convert(row, Sample)
        if {"raw_id", "answer_kind", "problem_id"} <= row.keys():
            return _of_columns(row, pictures)
    except msgspec.ValidationError as error:
        raise UserError(
            f"{place}: {error}", "give the file as it was released"
        ) from error
    return _of_layout(row, name, place, pictures)


def _of_columns(row: Row, pictures: Kept | None) -> Sample:
    """The sample of a row of a release's Parquet; what is no field of ours is a label."""
    fields = {field: row[field] for field in PLAIN if row.get(field) is not None}
    labels = {
        column.removeprefix("label_"): value
        for column, value in row.items()
        if column not in (*PLAIN, *APART) and value is not None
    }
    options = []
    for one in row.get("options") or []:
        option = Option(label=one["label"], text=one["text"] or "")
        if pictures is not None and one.get("image"):
            option.image = next(iter(pictures.of(one["image"], "option")), None)
        options.append(option)
    source = Source(
        name=row["source"],
        raw_id=row["raw_id"],
        url=row.get("url"),
        license=row.get("license"),
    )
    parts = msgspec.convert(row.get("parts") or [], list[Part])
    images = [] if pictures is None else pictures.of(row.get("images"))
    given = fields | {"labels": labels, "options": options, "parts": parts}
    given |= {"source": source, "images": images}
    return msgspec.convert(given, Sample, from_attributes=True)


def _of_layout(row: Row, name: str, place: str, pictures: Kept | None) -> Sample:
    """The sample of a row that others laid out, by the names that dumps give to our fields."""
    benchmark, named = _benchmark(row), benchmark_name(row)
    raw_id, version = named or (_text(_known(row, "id")), "")
    if raw_id.startswith("1steps_") and version == "multi":
        version = ""  # We-Math's problems of one step have no other
    if not raw_id and _text(_known(row, "question")):
        raw_id = f"{BY_LINE}{place.rpartition(':')[2]}"  # as readers call it
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
        images=_images(row, pictures),
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


def _images(row: Row, pictures: Kept | None) -> list[Image]:
    """The pictures of a row, under any name that a benchmark or a dump gives them."""
    if pictures is None:
        return []
    cell = next((row[name] for name in PICTURED if row.get(name)), None)
    if cell is None:
        cell = _known(row, "images")
    return pictures.of_row(_text(row.get("index")), cell)


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
