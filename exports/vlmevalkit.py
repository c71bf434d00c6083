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
    seen = [
        *by_shard(_seen, shards, dict[str, _Seen], work=work_folder(), engine=engine)
    ]
    begins = [*_begins(seen)]
    tables: dict[str, _Seen] = {}
    for part in seen:
        together(tables, part)
    layouts = {kind: _layout(kind, tables[kind]) for kind in TABLES if kind in tables}
    files = {
        kind: (
            f"{name}_{kind}.tsv",
            "\t".join(column for column, _ in layout).encode() + b"\n",
        )
        for kind, layout in layouts.items()
    }
    write, tasks = (
        partial(_lines, release=release.absolute()),
        zip(shards, begins, strict=True),
    )
    join_files(out, files, tasks, write, layouts, split, engine=engine)
    for kind, (file, _) in files.items():
        written.append(out / file)
        _note(written, kind, tables[kind])


def _table(sample: Sample) -> str:
    kind = "choice" if _one_letter(sample) else "open"
    return kind if shown_images(sample) else f"{kind}_text"


def _one_letter(sample: Sample) -> bool:
    return sample.answer_kind == "choice" and len(sample.options) > 1


class _Seen(msgspec.Struct):
    """What decides on the columns of a table, and what it holds otherwise than the release."""

    ids: list[str] = msgspec.field(default_factory=list)
    pictures: list[str] = msgspec.field(
        default_factory=list
    )  # of each, where there are any
    alike: list[str] = msgspec.field(
        default_factory=list
    )  # with options that pandas takes amiss
    empty: list[str] = msgspec.field(default_factory=list)  # without a question
    letters: set[str] = msgspec.field(default_factory=set)
    labels: set[str] = msgspec.field(default_factory=set)
    groups: set[str] = msgspec.field(default_factory=set)


class _Begins(msgspec.Struct, array_like=True, frozen=True):
    """Where the rows of a shard begin in a table, and the rows before that hold its pictures."""

    number: int
    first: dict[str, int]


def _begins(parts: Iterable[dict[str, _Seen]]) -> Iterator[dict[str, _Begins]]:
    """Of each shard, table by table."""
    counts, known = Counter[str](), defaultdict[str, dict[str, int]](dict)
    for part in parts:
        begins = {}
        for name, some in part.items():
            number, first = counts[name], known[name]
            begins[name] = _Begins(
                number, {p: first[p] for p in some.pictures if p in first}
            )
            for place, pictures in enumerate(some.pictures, number):
                first.setdefault(pictures, place)
            counts[name] += len(some.ids)
        yield begins


def _pictures(sample: Sample) -> str:
    return "\0".join(image.path for image in shown_images(sample))


def _seen(lines: Sequence[bytes]) -> dict[str, _Seen]:
    """Raises UserError for labels of options that cannot be a column: none is left out."""
    tables: dict[str, _Seen] = {}
    for sample in (decode(line, Sample)[0] for line in lines):
        name = _table(sample)
        table = tables.setdefault(name, _Seen())
        table.ids.append(sample.id)
        table.pictures += filter(None, [_pictures(sample)])
        table.labels.update(sample.labels)
        table.groups.update(
            group for group, of in GROUPING.items() if _group(sample, of)
        )
        if not sample.asked().strip():
            table.empty.append(sample.id)
        for option in sample.options if name.startswith("choice") else ():
            if len(option.label) != 1 or option.label not in LETTERS:
                raise UserError(
                    f"vlmevalkit: {sample.id} has an option {option.label!r}, and its columns are "
                    "A to Z",
                    "letter the options of this problem, or leave it out by `select`",
                )
            table.letters.add(option.label)
        if name.startswith("choice") and any(_mistaken(o.text) for o in sample.options):
            table.alike.append(sample.id)
    return tables


def _layout(name: str, seen: _Seen) -> list[tuple[str, str]]:
    """A table's columns, each with the label that it holds."""
    choice, pictured = name.startswith("choice"), not name.endswith("_text")
    # Without A and B a table without pictures has no class; empty, they are no options.
    letters = sorted({"A", "B", *seen.letters}) if choice else ["A", "B"]
    letters = [] if pictured and not choice else letters
    labels = [
        (f"label_{n}" if n.lower() in RESERVED else n, n) for n in sorted(seen.labels)
    ]
    # It reports by category, and would report an empty one as many times as it has rows.
    left_out = GROUPING.keys() - seen.groups | (set() if pictured else {"image"})
    names = [*COLUMNS[:4], *letters, *COLUMNS[4:], "problem_version"]
    return [*((n, "") for n in names if n not in left_out), *labels]


def _lines(
    lines: Sequence[bytes],
    begins: Mapping[str, _Begins],
    layouts: Mapping[str, Sequence[tuple[str, str]]],
    split: str,
    *,
    release: Path,
) -> dict[str, bytes]:
    """On a worker: tables with lines, pictures and all."""
    tables: dict[str, list[str]] = {name: [] for name in begins}
    for sample in (decode(line, Sample)[0] for line in lines):
        name = _table(sample)
        choice, begin = name.startswith("choice"), begins[name]
        number, image = begin.number + len(tables[name]), ""
        if pictures := _pictures(sample):
            first = begin.first.setdefault(pictures, number)
            image = f"{_cell(release, pictures) if first == number else first}\t"
        row = {
            column: _plain(sample.labels[n])
            for column, n in layouts[name]
            if n in sample.labels
        }
        row |= {group: _group(sample, of) or "none" for group, of in GROUPING.items()}
        row |= {
            "question": guarded(_question(sample, choice)),
            "answer": "" if sample.answer is None else guarded(sample.answer),
            "split": split,
            "id": guarded(sample.id),
        }
        if choice:
            texts = option_texts(sample.options, len(sample.images))
            row |= {
                o.label: guarded(t) for o, t in zip(sample.options, texts, strict=True)
            }
        text = io.StringIO()
        columns = [
            column for column, _ in layouts[name] if column not in ("index", "image")
        ]
        csv.writer(text, delimiter="\t", lineterminator="\n").writerow(
            [row.get(column, "") for column in columns]
        )
        tables[name].append(f"{number}\t{image}{text.getvalue()}")
    return {name: "".join(rows).encode() for name, rows in tables.items()}


def _cell(release: Path, pictures: str) -> str:
    encoded = []
    for path in pictures.split("\0"):
        with open(f"{release}/{path}", "rb", buffering=0) as picture:
            encoded.append(base64.b64encode(picture.read()).decode())
    return encoded[0] if len(encoded) == 1 else repr(encoded)


def _note(written: Export, name: str, seen: _Seen) -> None:
    """What a table holds otherwise than the release."""
    if not name.startswith("choice"):
        written.note("asked by VLMEvalKit and judged by `score` alone", seen.ids)
    written.note(
        "options that pandas would read as numbers or nothing end with U+00A0",
        seen.alike,
    )
    written.note(f"asked {IN_PICTURE!r}, for an empty question", seen.empty)


def _group(sample: Sample, name: str) -> str:
    return sample.version if name == "version" else _plain(sample.labels.get(name, ""))


def guarded(text: str) -> str:
    """The text as a cell that pandas reads as this text, and neither as a number nor as nothing.

    >>> guarded("007"), guarded("None"), guarded("seven")
    ('007\\xa0', 'None\\xa0', 'seven')
    """
    return text + GUARD if _mistaken(text) else text


def _mistaken(text: str) -> bool:
    if text.strip().lower() in WORDS:
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True


def _question(sample: Sample, choice: bool) -> str:
    question = sample.asked().strip() or IN_PICTURE
    texts = [] if choice else option_texts(sample.options, len(sample.images))
    lines = [
        f"({o.label}) {text}" for o, text in zip(sample.options, texts, strict=False)
    ]
    if sample.answer_kind == "parts":
        labels = ", ".join(f"({part.label}) ..." for part in sample.parts)
        lines.append(f"Give the answer of each part as {labels}.")
    if sample.answer_kind == "choices":
        lines.append(
            "More than one option may be right: give the letters of all right options."
        )
    lines += filter(None, [asks(sample.answer_kind)])
    return "\n".join([question, *lines])


def _plain(value: Any) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)
