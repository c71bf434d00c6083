"""Files that evaluation harnesses read: VLMEvalKit, lmms-eval, inspect_ai."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import UserError
from ..files import final_place, replacing, write_text
from ..problem import Option, Sample, option_texts, shown_images
from ..templating import fill
from .formats import contents

TEMPLATES = Path(__file__).parent / "templates"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # the columns that VLMEvalKit takes for options


def vlmevalkit(release: Path, out: Path) -> list[Path]:
    """`<Name>_<split>.tsv`: one row a sample, pictures as base64.

    A picture that an earlier row holds is given by that row's index, as VLMEvalKit allows (a cell
    of up to 64 characters); samples without picture need the data set's `skip_noimg=False`.
    """
    manifest, splits = contents(release)
    written = []
    for split, (_, samples) in splits.items():
        letters = _letters(samples)
        labels = sorted({name for s in samples for name in s.labels})
        names = [
            "index",
            "image",
            "question",
            "answer",
            *letters,
            "category",
            "l2-category",
            "split",
        ]
        names += ["id", "problem_version", *(name for name in labels if name not in names)]
        path = out / f"{manifest['name']}_{split}.tsv"
        with replacing(path) as file:
            text = io.TextIOWrapper(file, "utf-8", newline="")
            rows = csv.DictWriter(text, names, delimiter="\t", lineterminator="\n", restval="")
            rows.writeheader()
            first: dict[tuple[str, ...], int] = {}
            for index, sample in enumerate(samples):
                rows.writerow(_row(sample, split, index, names, release, first))
            text.flush()
            text.detach()
        written.append(path)
    return written


def _row(
    sample: Sample,
    split: str,
    index: int,
    names: list[str],
    release: Path,
    first: dict[tuple[str, ...], int],
) -> dict[str, Any]:
    return (
        {name: _plain(value) for name, value in sample.labels.items() if name in names}
        | {
            "index": index,
            "image": _picture_cell(sample, release, index, first),
            "question": sample.asked(),
            "answer": sample.answer or "",
            "category": _plain(sample.labels.get("subject", "")),
            "l2-category": _plain(sample.labels.get("subfield", "")),
            "split": split,
            "id": sample.id,
            "problem_version": sample.version,
        }
        | {o.label: text for o, text in _options(sample)}
    )


def _letters(samples: Sequence[Sample]) -> list[str]:
    """The columns of options. Raises UserError for labels that cannot be one: none is left out."""
    labels = {option.label: sample.id for sample in samples for option in sample.options}
    for label, name in labels.items():
        if len(label) != 1 or label not in LETTERS:
            raise UserError(
                f"vlmevalkit: {name} has an option {label!r}, and its columns are A to Z",
                "letter the options of this problem, or leave it out by `select`",
            )
    return sorted(labels)


def _options(sample: Sample) -> list[tuple[Option, str]]:
    """Options with their texts; pictures as `<imageN>`, behind those of the question."""
    texts = option_texts(sample.options, len(sample.images))
    return list(zip(sample.options, texts, strict=True))


def _picture_cell(
    sample: Sample, release: Path, index: int, first: dict[tuple[str, ...], int]
) -> str:
    paths = tuple(image.path for image in shown_images(sample))
    if not paths:
        return ""
    if first.setdefault(paths, index) != index:
        return str(first[paths])
    encoded = [base64.b64encode((release / path).read_bytes()).decode() for path in paths]
    return encoded[0] if len(encoded) == 1 else repr(encoded)


def _plain(value: Any) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


def lmms_eval(release: Path, out: Path) -> list[Path]:
    """One task YAML for each split, and the utils.py that they share."""
    manifest, splits = contents(release)
    written = []
    for split in splits:
        task = fill(
            TEMPLATES / "lmms_eval.yaml",
            name=_identifier(manifest["name"]),
            split=split,
            folder=final_place(release),
        )
        written.append(out / f"{_identifier(manifest['name'])}_{split}.yaml")
        write_text(written[-1], task)
    written.append(out / "utils.py")
    write_text(written[-1], (TEMPLATES / "lmms_eval_utils.py.txt").read_text("utf-8"))
    return written


def inspect(release: Path, out: Path) -> list[Path]:
    """A task.py with one inspect_ai task for each split."""
    manifest, splits = contents(release)
    tasks = "\n\n".join(
        fill(
            TEMPLATES / "inspect_task.py.txt",
            name=_identifier(f"{manifest['name']}_{split}"),
            split=split,
        )
        for split in splits
    )
    path = out / "task.py"
    write_text(
        path,
        fill(TEMPLATES / "inspect_head.py.txt", folder=repr(str(final_place(release))))
        + "\n\n"
        + tasks,
    )
    return [path]


def _identifier(name: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in name).lower()
