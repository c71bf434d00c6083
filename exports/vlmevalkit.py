"""VLMEvalKit's tables: what its own loaders read back is what the release says.

VLMEvalKit takes one class for a whole table, reads cells with pandas and drops rows without
picture. So a split becomes up to four tables: with options and without, with pictures and without.
"""

from __future__ import annotations

import base64
import csv
import io
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from ..base.answer_kinds import asks
from ..base.files import replacing
from ..errors import UserError
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
TABLES = ("choice", "open", "choice_text", "open_text")
GROUPING = {"category": "subject", "l2-category": "subfield", "problem_version": "version"}


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
        tables = {name: _Table(name, split, release) for name in TABLES}
        for sample in samples:
            tables[_table(sample)].see(sample)
        tables = {name: table for name, table in tables.items() if table.ids}
        with ExitStack() as stack:
            for name, table in tables.items():
                path = out / f"{manifest['name']}_{split}_{name}.tsv"
                table.start(stack.enter_context(replacing(path)))
                written.append(path)
            for sample in samples:
                tables[_table(sample)].write(sample)
            for table in tables.values():
                table.text.detach()  # flushes; the file is whose it was
        for table in tables.values():
            table.note(written)
    return written


def _table(sample: Sample) -> str:
    kind = "choice" if _one_letter(sample) else "open"
    return kind if shown_images(sample) else f"{kind}_text"


def _one_letter(sample: Sample) -> bool:
    return sample.answer_kind == "choice" and len(sample.options) > 1


class _Table:
    """One table: every sample is seen first, which says what columns it has, and then written."""

    def __init__(self, name: str, split: str, release: Path) -> None:
        self.split, self.release = split, release
        self.choice, self.pictured = name.startswith("choice"), not name.endswith("_text")
        self.ids: list[str] = []
        self.alike: list[str] = []  # of samples with options that pandas would take for others
        self.empty: list[str] = []  # of samples without a question
        self.letters: set[str] = set()
        self.labels: set[str] = set()
        self.groups: set[str] = set()
        self.columns: dict[str, str] = {}
        self.first: dict[tuple[str, ...], int] = {}  # pictures -> the row that holds them
        self.written = 0

    def see(self, sample: Sample) -> None:
        """Raises UserError for labels of options that cannot be a column: none is left out."""
        self.ids.append(sample.id)
        self.labels.update(sample.labels)
        self.groups.update(name for name, of in GROUPING.items() if _group(sample, of))
        if not sample.asked().strip():
            self.empty.append(sample.id)
        if not self.choice:
            return
        for option in sample.options:
            if len(option.label) != 1 or option.label not in LETTERS:
                raise UserError(
                    f"vlmevalkit: {sample.id} has an option {option.label!r}, and its columns are "
                    "A to Z",
                    "letter the options of this problem, or leave it out by `select`",
                )
            self.letters.add(option.label)
        if any(_mistaken(option.text) for option in sample.options):
            self.alike.append(sample.id)

    def start(self, file: BinaryIO) -> None:
        """Write the names of the columns."""
        # Without A and B a table without pictures has no class; empty, they are no options.
        letters = sorted({"A", "B", *self.letters}) if self.choice else ["A", "B"]
        letters = [] if self.pictured and not self.choice else letters
        for name in sorted(self.labels):
            self.columns[name] = f"label_{name}" if name.lower() in RESERVED else name
        names = [*COLUMNS[:4], *letters, *COLUMNS[4:], "problem_version", *self.columns.values()]
        # It reports by category, and would report an empty one as many times as it has rows.
        left_out = GROUPING.keys() - self.groups | (set() if self.pictured else {"image"})
        self.text = io.TextIOWrapper(file, "utf-8", newline="")
        self.lines = csv.DictWriter(
            self.text,
            [name for name in names if name not in left_out],
            delimiter="\t", lineterminator="\n", restval="", extrasaction="ignore",
        )  # fmt: skip
        self.lines.writeheader()

    def write(self, sample: Sample) -> None:
        row = {self.columns[name]: _plain(value) for name, value in sample.labels.items()}
        row |= {name: _group(sample, of) or "none" for name, of in GROUPING.items()}
        row |= {
            "index": str(self.written),
            "question": guarded(_question(sample, self.choice)),
            "answer": "" if sample.answer is None else guarded(sample.answer),
            "split": self.split,
            "id": guarded(sample.id),
        }
        if self.choice:
            texts = option_texts(sample.options, len(sample.images))
            row |= {o.label: guarded(t) for o, t in zip(sample.options, texts, strict=True)}
        if self.pictured:
            row["image"] = self._picture_cell(sample)
        self.lines.writerow(row)
        self.written += 1

    def _picture_cell(self, sample: Sample) -> str:
        paths = tuple(image.path for image in shown_images(sample))
        if self.first.setdefault(paths, self.written) != self.written:
            return str(self.first[paths])
        pictures = [(self.release / path).read_bytes() for path in paths]
        encoded = [base64.b64encode(picture).decode() for picture in pictures]
        return encoded[0] if len(encoded) == 1 else repr(encoded)

    def note(self, written: Export) -> None:
        """What the table holds otherwise than the release."""
        if not self.choice:
            written.note("asked by VLMEvalKit and judged by `score` alone", self.ids)
        written.note(
            "options that pandas would read as numbers or nothing end with U+00A0", self.alike
        )
        written.note(f"asked {IN_PICTURE!r}, for an empty question", self.empty)


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
    lines += filter(None, [asks(sample.answer_kind)])
    return "\n".join([question, *lines])


def _plain(value: Any) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)
