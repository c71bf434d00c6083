"""VLMEvalKit's tables: what its own loaders read back is what the release says.

VLMEvalKit takes one class for a whole table, reads cells with pandas and drops rows without
picture. So a split becomes up to four tables: with options and without, with pictures and without.
"""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import UserError
from ..files import replacing
from ..problem import Sample, option_texts, shown_images
from .formats import Export, contents

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # the columns that it takes for options
COLUMNS = ["index", "image", "question", "answer", "category", "l2-category", "split", "id"]
# Columns of its own with other meanings: a label of such a name becomes `label_<name>`.
RESERVED = {*COLUMNS, *LETTERS.lower(), "problem_version", "image_path", "hint", "prediction",
            "hit", "log", "gt", "g_index", "tmp_flag", "model"}  # fmt: skip
# What pandas takes for a missing value or a truth value; numbers are found by `float`.
WORDS = {"", "na", "n/a", "#na", "#n/a", "#n/a n/a", "<na>", "none", "null", "true", "false",
         "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan", "-nan"}  # fmt: skip
GUARD = "\u00a0"  # a no-break space behind a cell keeps it text, and str.strip takes it away
IN_PICTURE = "The question is in the picture."


def vlmevalkit(release: Path, out: Path, answers: Path | None = None) -> Export:
    """`<name>_<split>_<choice or open>[_text].tsv`: one row a sample, pictures as base64.

    `choice` holds samples with one right letter, which its matcher judges; `open` all others, their
    options in the question: it asks them and leaves the verdicts to `score`. Tables of samples
    without picture end with `_text` and have no column `image`. A picture that an earlier row holds
    is given by that row's index (a cell of up to 64 characters).
    """
    manifest, splits = contents(release, answers)
    written = Export()
    for split, (_, samples) in splits.items():
        for table in ("choice", "open", "choice_text", "open_text"):
            members = [sample for sample in samples if _table(sample) == table]
            if members:
                path = out / f"{manifest['name']}_{split}_{table}.tsv"
                _write(path, members, table, split, release)
                written.files.append(path)
                _note(written, members, table)
    return written


def _table(sample: Sample) -> str:
    kind = "choice" if _one_letter(sample) else "open"
    return kind if shown_images(sample) else f"{kind}_text"


def _one_letter(sample: Sample) -> bool:
    return sample.answer_kind == "choice" and len(sample.options) > 1


def _note(written: Export, samples: Sequence[Sample], table: str) -> None:
    ids = [sample.id for sample in samples]
    if table.startswith("open"):
        written.note("asked by VLMEvalKit and judged by `score` alone", ids)
    texts = {sample.id: [option.text for option in sample.options] for sample in samples}
    alike = [
        name for name in ids if table.startswith("choice") and any(map(_mistaken, texts[name]))
    ]
    written.note("options that pandas would read as numbers or nothing end with U+00A0", alike)
    empty = [sample.id for sample in samples if not sample.asked().strip()]
    written.note(f"asked {IN_PICTURE!r}, for an empty question", empty)


def _write(path: Path, samples: Sequence[Sample], table: str, split: str, release: Path) -> None:
    choice, pictured = table.startswith("choice"), not table.endswith("_text")
    # Without A and B a table without pictures has no class; empty, they are no options.
    letters = _letters(samples) if choice else ([] if pictured else ["A", "B"])
    labels = sorted({name for sample in samples for name in sample.labels})
    columns = {name: f"label_{name}" if name.lower() in RESERVED else name for name in labels}
    # It reports by category, and would report an empty one as many times as it has rows.
    grouping = {"category": "subject", "l2-category": "subfield", "problem_version": "version"}
    left_out = {name for name in grouping if not any(_group(s, grouping[name]) for s in samples)}
    names = [*COLUMNS[:4], *letters, *COLUMNS[4:], "problem_version", *columns.values()]
    names = [n for n in names if n not in left_out and (pictured or n != "image")]
    first: dict[tuple[str, ...], int] = {}
    with replacing(path) as file:
        text = io.TextIOWrapper(file, "utf-8", newline="")
        lines = csv.DictWriter(
            text, names, delimiter="\t", lineterminator="\n", restval="", extrasaction="ignore"
        )
        lines.writeheader()
        for index, sample in enumerate(samples):
            row = {columns[name]: _plain(value) for name, value in sample.labels.items()}
            row |= {name: _group(sample, of) or "none" for name, of in grouping.items()}
            row |= {
                "index": str(index),
                "question": guarded(_question(sample, choice)),
                "answer": "" if sample.answer is None else guarded(sample.answer),
                "split": split,
                "id": guarded(sample.id),
            }
            if choice:
                texts = option_texts(sample.options, len(sample.images))
                row |= {o.label: guarded(t) for o, t in zip(sample.options, texts, strict=True)}
            if pictured:
                row["image"] = _picture_cell(sample, release, index, first)
            lines.writerow(row)
        text.flush()
        text.detach()


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
    lines = [f"({o.label}) {text}" for o, text in zip(sample.options, texts, strict=False)]
    if sample.answer_kind == "parts":
        labels = ", ".join(f"({part.label}) ..." for part in sample.parts)
        lines.append(f"Give the answer of each part as {labels}.")
    if sample.answer_kind == "choices":
        lines.append("More than one option may be right: give the letters of all right options.")
    return "\n".join([question, *lines])


def _letters(samples: Sequence[Sample]) -> list[str]:
    """The columns of options. Raises UserError for labels that cannot be one: none is left out."""
    labels = {option.label: sample.id for sample in samples for option in sample.options}
    for label, name in labels.items():
        if len(label) != 1 or label not in LETTERS:
            raise UserError(
                f"vlmevalkit: {name} has an option {label!r}, and its columns are A to Z",
                "letter the options of this problem, or leave it out by `select`",
            )
    return sorted({"A", "B", *labels})


def _picture_cell(
    sample: Sample, release: Path, index: int, first: dict[tuple[str, ...], int]
) -> str:
    paths = tuple(image.path for image in shown_images(sample))
    if first.setdefault(paths, index) != index:
        return str(first[paths])
    encoded = [base64.b64encode((release / path).read_bytes()).decode() for path in paths]
    return encoded[0] if len(encoded) == 1 else repr(encoded)


def _plain(value: Any) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)
