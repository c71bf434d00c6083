"""`.eval_results/*.yaml`: figures as models' pages on a hub show them, and benchmarks gather.

https://huggingface.co/docs/hub/eval-results. A file is one condition; each entry is a task of the
release's `eval.yaml`. Anybody may write such a file: what is read is what somebody reports.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml

from ...base.files import safe_name, write_text
from ...errors import UserError
from ..metrics import VERDICTS, Result, Scores

FOLDER = ".eval_results"


class _Field(msgspec.Struct):
    """What is read of an entry's `dataset`."""

    id: str
    task_id: str
    revision: str = ""


class Reported(msgspec.Struct):
    """One entry: a figure that somebody reports, on a task of a data set."""

    dataset: _Field
    value: float
    date: str = ""
    source: dict[str, str] = {}
    notes: str = ""
    file: str = ""

    @property
    def share(self) -> float:
        """The value as a fraction of one: percents are those above 1."""
        return self.value / 100 if self.value > 1 else self.value


def write_hub_results(
    out: Path, to: str, release: Path, scores: Scores, results: Sequence[Result]
) -> Path:
    """Write the figures of a run on the data set `to`, `owner/name` or `owner/name@revision`.

    Values are percents, one for each task of the split; of several replies to a sample the mean.
    Raises UserError where the split is no task of the release.
    """
    name, _, revision = to.partition("@")
    revision = revision or f"v{scores.release.rpartition('-')[2]}"
    is_right = VERDICTS[scores.profile]
    record = next(iter(scores.provenance.runs), None)
    notes = [f"benchwright {scores.provenance.benchwright}, {scores.profile} rules"]
    if record:
        notes += [
            f"{what}: {value}"
            for what, value in record.asked().items()
            if value and what != "model"
        ]
    shared: dict[str, Any] = {"notes": "; ".join(notes)}
    if record and (date := record.ended or record.started):
        shared["date"] = date
    shared["source"] = {
        "url": f"https://huggingface.co/datasets/{name}",
        "name": "benchwright score",
    }
    entries = []
    for task, ids in _tasks(release, scores.split):
        right = [is_right(result) for result in results if result.id in ids]
        if right:
            dataset = {"id": name, "task_id": task, "revision": revision}
            value = round(100 * sum(right) / len(right), 2)
            entries.append({"dataset": dataset, "value": value} | shared)
    if not entries:
        raise UserError(
            f"{release} has no task on {scores.split}",
            "withheld splits are none; build it again where it has no eval.yaml",
        )
    condition = f"-{safe_name(scores.name)}" if scores.name else ""
    path = out / FOLDER / f"{name.rpartition('/')[2]}{condition}.yaml"
    write_text(
        path, yaml.safe_dump(entries, sort_keys=False, allow_unicode=True, width=1000)
    )
    return path


def _tasks(release: Path, split: str) -> Iterator[tuple[str, set[str]]]:
    """The tasks of eval.yaml on a split, and the ids of their samples."""
    import pyarrow.parquet as pq

    path = release / "eval.yaml"
    if not path.is_file():
        return
    for task in yaml.safe_load(path.read_bytes())["tasks"]:
        if task["split"] != split:
            continue
        ids: set[str] = set()
        folder = release / "asked" / task["config"]
        for part in folder.glob(f"{split}-?????-of-*.parquet"):
            ids.update(pq.read_table(part, columns=["id"])["id"].to_pylist())
        yield task["id"], ids


def is_reported(folder: Path) -> bool:
    """Whether a folder holds such files, and no run of ours."""
    return not (folder / "scores.json").exists() and bool(_files(folder))


def read_hub_results(folder: Path) -> list[Reported]:
    """The entries of a folder of such files, or of a model's copy with its `.eval_results`.

    Raises UserError for a file that is none.
    """
    found: list[Reported] = []
    for path in _files(folder):
        try:
            entries = msgspec.convert(
                yaml.safe_load(path.read_bytes()), list[Reported], strict=False
            )
        except (yaml.YAMLError, msgspec.ValidationError, ValueError) as error:
            what = " ".join(str(error).replace("`", "").split())[:200]
            raise UserError(
                f"{path}: no results ({what})", "see the hub's eval_results"
            ) from error
        place = folder.name if folder.name != FOLDER else folder.absolute().parent.name
        for entry in entries:
            entry.file = f"{place}/{path.stem}"
        found += entries
    return found


def _files(folder: Path) -> list[Path]:
    inner = folder / FOLDER
    return sorted((inner if inner.is_dir() else folder).glob("*.yaml"))
