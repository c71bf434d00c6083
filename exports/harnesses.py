"""Tasks for evaluation harnesses that run our grader: lmms-eval and inspect_ai.

What they write needs no release beside it: a folder may be sent or moved as it is.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import msgspec

from ..base.files import link_or_copy, write_jsonl, write_text
from ..base.templating import fill
from ..problem import Sample, shown_images
from .formats import Export, contents
from .parquet import COLUMNS, label_columns, label_kinds, parts_of, write_samples

TEMPLATES = Path(__file__).parent / "templates"


def lmms_eval(release: Path, out: Path, answers: Path | None = None) -> Export:
    """One task YAML for each split, the utils.py that they share, and data/ in Parquet."""
    manifest, splits = contents(release, answers)
    written = Export()
    kinds: dict[str, set[str]] = {}
    sizes: dict[str, list[int]] = {}
    for split, (_, samples) in splits.items():
        sizes[split] = []
        for sample in samples:
            for name, value in _counted(sample).labels.items():
                kinds.setdefault(name, set()).add(label_kinds(value))
            shown = (release / image.path for image in shown_images(sample))
            sizes[split].append(sum(path.stat().st_size for path in shown))
    columns = COLUMNS | label_columns(kinds)
    for split, (_, samples) in splits.items():
        folder = out / "data" / split
        shutil.rmtree(folder, ignore_errors=True)
        left = map(_counted, samples)
        for part in parts_of(sizes[split], folder, split):
            some = islice(left, part.count)
            write_samples(part.path, some, release, columns, manifest["canary"])
            written.append(part.path)
        name = f"{_identifier(manifest['name'])}_{split}"
        written.append(out / f"{name}.yaml")
        write_text(written[-1], fill(TEMPLATES / "lmms_eval.yaml", name=name, split=split))
        _note_withheld(written, samples)
    written.append(out / "utils.py")
    write_text(written[-1], fill(TEMPLATES / "lmms_eval_utils.py.txt"))
    return written


def inspect(release: Path, out: Path, answers: Path | None = None) -> Export:
    """A task.py with one inspect_ai task for each split, data/ in JSON lines, and images/."""
    manifest, splits = contents(release, answers)
    written = Export()
    tasks = []
    for split, (_, samples) in splits.items():
        rows = [msgspec.to_builtins(s) | {"canary": manifest["canary"]} for s in samples]
        written.append(out / "data" / f"{split}.jsonl")
        write_jsonl(written[-1], rows)
        for path in sorted({image.path for s in samples for image in shown_images(s)}):
            written.append(out / path)
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            link_or_copy(release / path, out / path)
        name = _identifier(f"{manifest['name']}_{split}")
        tasks.append(fill(TEMPLATES / "inspect_task.py.txt", name=name, split=split))
        _note_withheld(written, samples)
    written[:] = [out / "task.py", *dict.fromkeys(written)]
    head = fill(TEMPLATES / "inspect_head.py.txt")
    write_text(written[0], head + "\n\n" + "\n\n".join(tasks))
    return written


def _counted(sample: Sample) -> Sample:
    """The sample with the number of its question's pictures: lmms-eval takes the column of
    pictures out of the documents that it makes texts from."""
    labels = sample.labels | {"pictures_in_question": len(sample.images)}
    return msgspec.structs.replace(sample, labels=labels)


def _note_withheld(written: Export, samples: Sequence[Sample]) -> None:
    ids = [sample.id for sample in samples if sample.answer is None]
    written.note("without gold, so asked and not judged (`export --answers` adds golds)", ids)


def _identifier(name: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in name).lower()
