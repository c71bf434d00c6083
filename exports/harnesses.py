"""Tasks for evaluation harnesses that run our grader: lmms-eval and inspect_ai.

What they write needs no release beside it: a folder may be sent or moved as it is.
"""

from __future__ import annotations

import os
import shutil
from collections import deque
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ..base.files import Records, encode, link_or_copy, write_jsonl, write_text
from ..base.templating import fill
from ..pipeline import Engine, by_shard, cut
from ..problem import Sample, shown_images
from ..release import decode
from .formats import Export, contents
from .made import files_of, sample_files, work_folder
from .parquet import COLUMNS, label_columns, label_kinds, parts_of, write_samples
from .statistics import together

TEMPLATES = Path(__file__).parent / "templates"
COUNT = "pictures_in_question"  # a label
WITHHELD = "without gold, so asked and not judged (`export --answers` adds golds)"


def lmms_eval(
    release: Path,
    out: Path,
    answers: Path | None = None,
    engine: Engine = Engine(),  # noqa: B008
) -> Export:
    """One task YAML for each split, the utils.py that they share, and data/ in Parquet."""
    manifest, splits = contents(release, answers)
    written = Export()
    with sample_files(release, splits, answers, out) as samples:
        counts = {
            split: _counted(path, release, engine) for split, path in samples.items()
        }
        kinds = {COUNT: {"int64"}}
        for of_split in counts.values():
            together(kinds, of_split.kinds)
        columns = COLUMNS | label_columns(kinds)
        write = partial(_write_part, pictures=release)
        for split, of_split in counts.items():
            folder = out / "data" / split
            shutil.rmtree(folder, ignore_errors=True)
            lines = Records(samples[split], bytes)
            parts = parts_of(lines, range(len(lines)), of_split.sizes, folder, split)
            files = files_of(parts, write, columns, manifest["canary"], engine=engine)
            deque(files, maxlen=0)
            written += [path for path, _ in parts]
            name = f"{_identifier(manifest['name'])}_{split}"
            task = fill(TEMPLATES / "lmms_eval.yaml", name=name, split=split)
            written.append(out / f"{name}.yaml")
            write_text(written[-1], task)
            written.note(WITHHELD, of_split.withheld)
    written.append(out / "utils.py")
    write_text(written[-1], fill(TEMPLATES / "lmms_eval_utils.py.txt"))
    return written


class _Counts(msgspec.Struct):
    """What is counted of samples before their columns are known."""

    kinds: dict[str, set[str]] = msgspec.field(default_factory=dict)
    sizes: list[int] = msgspec.field(default_factory=list)  # of the pictures of each
    withheld: list[str] = msgspec.field(default_factory=list)


def _counted(samples: Path, release: Path, engine: Engine) -> _Counts:
    """What is counted of a file of samples, by the engine's workers."""
    counts = _Counts()
    count = partial(_counts_of, release=release.absolute())
    shards = cut(samples)
    for part in by_shard(count, shards, _Counts, work=work_folder(), engine=engine):
        together(counts, part)
    return counts


def _counts_of(lines: Sequence[bytes], release: Path) -> _Counts:
    counts = _Counts()
    for line in lines:
        sample, _ = decode(line, Sample)
        for name, value in sample.labels.items():
            counts.kinds.setdefault(name, set()).add(label_kinds(value))
        paths = (f"{release}/{image.path}" for image in shown_images(sample))
        counts.sizes.append(sum(os.stat(path).st_size for path in paths))
        if sample.answer is None:
            counts.withheld.append(sample.id)
    return counts


def _write_part(
    lines: Sequence[bytes],
    path: Path,
    columns: dict[str, str],
    canary: str,
    *,
    pictures: Path,
) -> None:
    """A Parquet file of samples with the number of their question's pictures.

    lmms-eval takes the column of pictures out of the documents that it makes texts from.
    """
    counted = map(_with_count, lines)
    write_samples(counted, path, columns, canary, pictures=pictures)


def _with_count(line: bytes) -> bytes:
    sample, _ = decode(line, Sample)
    labels = sample.labels | {COUNT: len(sample.images)}
    return encode(replace(sample, labels=labels))


def inspect(release: Path, out: Path, answers: Path | None = None) -> Export:
    """A task.py with one inspect_ai task for each split, data/ in JSON lines, and images/."""
    manifest, splits = contents(release, answers)
    canary = {"canary": manifest["canary"]}
    written = Export([out / "task.py"])
    tasks = []
    for split, (_, samples) in splits.items():
        rows = [msgspec.to_builtins(sample) | canary for sample in samples]
        written.append(out / "data" / f"{split}.jsonl")
        write_jsonl(written[-1], rows)
        of_split = {image.path for s in samples for image in shown_images(s)}
        for path in sorted(of_split):
            written.append(out / path)
            written[-1].parent.mkdir(parents=True, exist_ok=True)
            link_or_copy(release / path, written[-1])
        name = _identifier(f"{manifest['name']}_{split}")
        tasks.append(fill(TEMPLATES / "inspect_task.py.txt", name=name, split=split))
        withheld = [sample.id for sample in samples if sample.answer is None]
        written.note(WITHHELD, withheld)
    written[:] = dict.fromkeys(written)  # splits may share pictures
    head = fill(TEMPLATES / "inspect_head.py.txt")
    write_text(written[0], "\n\n".join([head, *tasks]))
    return written


def _identifier(name: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in name).lower()
