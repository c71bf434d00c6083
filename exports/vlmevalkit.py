"""VLMEvalKit's tables: what its own loaders read back is what the release says.

VLMEvalKit takes one class for a whole table, reads cells with pandas and drops rows without
picture. So a split becomes up to four tables: with options and without, with pictures and without.
"""

from __future__ import annotations

import base64
import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ..base.answer_kinds import asks
from ..errors import UserError
from ..pipeline import Engine, by_shard, cut
from ..problem import Sample, option_texts, shown_images
from ..release import decode
from .formats import Export, contents
from .made import join_files, sample_files, work_folder
from .statistics import together

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # the columns that it takes for options
COLUMNS = [
    "index",
    "image",
    "question",
    "answer",
    "category",
    "l2-category",
    "split",
    "id",
]
# Columns of its own with other meanings: a label of such a name becomes `label_<name>`.
RESERVED = {
    *COLUMNS,
    *LETTERS.lower(),
    "problem_version",
    "image_path",
    "hint",
    "prediction",
    "hit",
    "log",
    "gt",
    "g_index",
    "tmp_flag",
    "model",
}
# What pandas takes for a missing value or a truth value; numbers are found by `float`.
WORDS = {"", "na", "n/a", "#na", "#n/a", "#n/a n/a", "<na>", "none", "null", "true", "false",
         "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan", "-nan"}  # fmt: skip
GUARD = "\u00a0"  # a no-break space behind a cell keeps it text, and str.strip takes it away
IN_PICTURE = "The question is in the picture."
TABLES = ("choice", "open", "choice_text", "open_text")
GROUPING = {
    "category": "subject",
    "l2-category": "subfield",
    "problem_version": "version",
}


def vlmevalkit(
    release: Path,
    out: Path,
    answers: Path | None = None,
    engine: Engine = Engine(),  # noqa: B008
) -> Export:
    """`<name>_<split>_<choice or open>[_text].tsv`: one row a sample, pictures as base64.

    `choice` holds samples with one right letter, which its matcher judges; `open` all others, their
    options in the question: it asks them and leaves the verdicts to `score`. Tables of samples
    without picture end with `_text` and have no column `image`. A picture that an earlier row holds
    is given by that row's index (a cell of up to 64 characters).
    """
    manifest, splits = contents(release, answers)
    written = Export()
    with sample_files(release, splits, answers, out) as samples:
        for split, path in samples.items():
            _write_tables(
                written,
                path,
                f"{manifest['name']}_{split}",
                split,
                release,
                out,
                engine,
            )
    return written


def _write_tables(
    written: Export,
    samples: Path,
    name: str,
    split: str,
    release: Path,
    out: Path,
    engine: Engine,
) -> None:
    shards = cut(samples)
    work = work_folder()
    summaries = list(
        by_shard(_summaries, shards, dict[str, _Summary], work=work, engine=engine)
    )
    tables: dict[str, _Summary] = {}
    begins = list(_begins(summaries))
    for of_shard in summaries:
        together(tables, of_shard)
    layouts = {kind: _layout(kind, tables[kind]) for kind in TABLES if kind in tables}
    files = {kind: f"{name}_{kind}.tsv" for kind in layouts}
    headers = {
        kind: "\t".join(column for column, _ in layout).encode() + b"\n"
        for kind, layout in layouts.items()
    }
    join_files(
        out,
        {kind: (files[kind], headers[kind]) for kind in layouts},
        zip(shards, begins, strict=True),
        partial(_lines, release=release.absolute()),
        layouts,
        split,
        engine=engine,
    )
    for kind, file in files.items():
        written.append(out / file)
        _note(written, kind, tables[kind])


def _kind(sample: Sample) -> str:
    """The table that a sample stands in, one of TABLES."""
    one_letter = sample.answer_kind == "choice" and len(sample.options) > 1
    kind = "choice" if one_letter else "open"
    return kind if shown_images(sample) else f"{kind}_text"


def _is_choice(kind: str) -> bool:
    return kind.startswith("choice")


class _Summary(msgspec.Struct):
    """What decides on the columns of a table, and what it holds otherwise than the release.

    `pictures` are those of each sample that has any, `alike` samples with options that pandas takes
    amiss, `empty` those without a question.
    """

    ids: list[str] = msgspec.field(default_factory=list)
    pictures: list[str] = msgspec.field(default_factory=list)
    alike: list[str] = msgspec.field(default_factory=list)
    empty: list[str] = msgspec.field(default_factory=list)
    letters: set[str] = msgspec.field(default_factory=set)
    labels: set[str] = msgspec.field(default_factory=set)
    groups: set[str] = msgspec.field(default_factory=set)


class _Begins(msgspec.Struct, array_like=True, frozen=True):
    """Where the rows of a shard begin in a table, and the rows before that hold its pictures."""

    number: int
    first: dict[str, int]


def _begins(shards: Iterable[dict[str, _Summary]]) -> Iterator[dict[str, _Begins]]:
    """Of each shard, table by table."""
    counts = Counter[str]()
    first_rows = defaultdict[str, dict[str, int]](dict)  # table -> pictures -> row
    for shard in shards:
        begins = {}
        for kind, summary in shard.items():
            number = counts[kind]
            first = first_rows[kind]
            earlier = {p: first[p] for p in summary.pictures if p in first}
            begins[kind] = _Begins(number, earlier)
            for row, pictures in enumerate(summary.pictures, number):
                first.setdefault(pictures, row)
            counts[kind] += len(summary.ids)
        yield begins


def _pictures(sample: Sample) -> str:
    return "\0".join(image.path for image in shown_images(sample))


def _summaries(lines: Sequence[bytes]) -> dict[str, _Summary]:
    """Raises UserError for labels of options that cannot be a column: none is left out."""
    tables: dict[str, _Summary] = {}
    for line in lines:
        sample, _ = decode(line, Sample)
        kind = _kind(sample)
        summary = tables.setdefault(kind, _Summary())
        summary.ids.append(sample.id)
        if pictures := _pictures(sample):
            summary.pictures.append(pictures)
        summary.labels.update(sample.labels)
        summary.groups.update(
            column for column, label in GROUPING.items() if _group(sample, label)
        )
        if not sample.asked().strip():
            summary.empty.append(sample.id)
        if _is_choice(kind):
            summary.letters.update(_letters(sample))
            if any(_is_mistaken(option.text) for option in sample.options):
                summary.alike.append(sample.id)
    return tables


def _letters(sample: Sample) -> list[str]:
    """The labels of a sample's options. Raises UserError for one that is no letter."""
    labels = [option.label for option in sample.options]
    for label in labels:
        if len(label) != 1 or label not in LETTERS:
            raise UserError(
                f"vlmevalkit: {sample.id} has an option {label!r}, and its columns are "
                "A to Z",
                "letter the options of this problem, or leave it out by `select`",
            )
    return labels


def _layout(kind: str, summary: _Summary) -> list[tuple[str, str]]:
    """A table's columns, each with the label that it holds."""
    has_pictures = not kind.endswith("_text")
    if _is_choice(kind):
        letters = sorted({"A", "B", *summary.letters})
    else:
        # Without A and B a table without pictures has no class; empty, they are no options.
        letters = [] if has_pictures else ["A", "B"]
    # It reports by category, and would report an empty one as many times as it has rows.
    left_out = GROUPING.keys() - summary.groups
    if not has_pictures:
        left_out |= {"image"}
    names = [*COLUMNS[:4], *letters, *COLUMNS[4:], "problem_version"]
    layout = [(name, "") for name in names if name not in left_out]
    for label in sorted(summary.labels):
        column = f"label_{label}" if label.lower() in RESERVED else label
        layout.append((column, label))
    return layout


def _lines(
    lines: Sequence[bytes],
    begins: Mapping[str, _Begins],
    layouts: Mapping[str, Sequence[tuple[str, str]]],
    split: str,
    *,
    release: Path,
) -> dict[str, bytes]:
    """On a worker: tables with lines, pictures and all."""
    tables: dict[str, list[str]] = {kind: [] for kind in begins}
    for line in lines:
        sample, _ = decode(line, Sample)
        kind = _kind(sample)
        begin = begins[kind]
        number = begin.number + len(tables[kind])
        image = ""
        if pictures := _pictures(sample):
            first = begin.first.setdefault(pictures, number)
            cell = _cell(release, pictures) if first == number else str(first)
            image = f"{cell}\t"
        row = _row(sample, layouts[kind], split, choice=_is_choice(kind))
        cells = [
            row.get(column, "")
            for column, _ in layouts[kind]
            if column not in ("index", "image")
        ]
        text = io.StringIO()
        csv.writer(text, delimiter="\t", lineterminator="\n").writerow(cells)
        tables[kind].append(f"{number}\t{image}{text.getvalue()}")
    return {kind: "".join(rows).encode() for kind, rows in tables.items()}


def _row(
    sample: Sample, layout: Sequence[tuple[str, str]], split: str, *, choice: bool
) -> dict[str, str]:
    """The cells of a sample, but for its number and picture."""
    row = {
        column: _plain(sample.labels[label])
        for column, label in layout
        if label in sample.labels
    }
    for column, label in GROUPING.items():
        row[column] = _group(sample, label) or "none"
    row["question"] = guarded(_question(sample, choice))
    row["answer"] = "" if sample.answer is None else guarded(sample.answer)
    row["split"] = split
    row["id"] = guarded(sample.id)
    if choice:
        texts = option_texts(sample.options, len(sample.images))
        for option, text in zip(sample.options, texts, strict=True):
            row[option.label] = guarded(text)
    return row


def _cell(release: Path, pictures: str) -> str:
    encoded = []
    for path in pictures.split("\0"):
        with open(f"{release}/{path}", "rb", buffering=0) as picture:
            encoded.append(base64.b64encode(picture.read()).decode())
    return encoded[0] if len(encoded) == 1 else repr(encoded)


def _note(written: Export, kind: str, summary: _Summary) -> None:
    """What a table holds otherwise than the release."""
    if not _is_choice(kind):
        written.note("asked by VLMEvalKit and judged by `score` alone", summary.ids)
    written.note(
        "options that pandas would read as numbers or nothing end with U+00A0",
        summary.alike,
    )
    written.note(f"asked {IN_PICTURE!r}, for an empty question", summary.empty)


def _group(sample: Sample, label: str) -> str:
    if label == "version":
        return sample.version
    return _plain(sample.labels.get(label, ""))


def guarded(text: str) -> str:
    """The text as a cell that pandas reads as this text, and neither as a number nor as nothing.

    >>> guarded("007"), guarded("None"), guarded("seven")
    ('007\\xa0', 'None\\xa0', 'seven')
    """
    return text + GUARD if _is_mistaken(text) else text


def _is_mistaken(text: str) -> bool:
    """Does pandas read a cell as a number, as nothing or as a truth value?"""
    if text.strip().lower() in WORDS:
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True


def _question(sample: Sample, choice: bool) -> str:
    lines = [sample.asked().strip() or IN_PICTURE]
    if not choice:
        texts = option_texts(sample.options, len(sample.images))
        lines += [
            f"({option.label}) {text}"
            for option, text in zip(sample.options, texts, strict=False)
        ]
    if sample.answer_kind == "parts":
        labels = ", ".join(f"({part.label}) ..." for part in sample.parts)
        lines.append(f"Give the answer of each part as {labels}.")
    if sample.answer_kind == "choices":
        lines.append(
            "More than one option may be right: give the letters of all right options."
        )
    if form := asks(sample.answer_kind):
        lines.append(form)
    return "\n".join(lines)


def _plain(value: Any) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)
