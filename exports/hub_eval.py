"""What harnesses read of a release as it lies on a hub: `eval.yaml`, and plain tables of prompts.

A hub's page makes a benchmark of a data set by `eval.yaml`, and `inspect eval hf/owner/name` runs
it: https://inspect.aisi.org.uk, `_eval/task/hf.py` of inspect_ai. A task reads columns of plain
text: the prompt as the release's style prints it, one picture as a data URI, the target. Its
scorers are inspect's own; which of them judges a gold is the gold's *way*. Splits without answers
are no tasks.
"""

from __future__ import annotations

import base64
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import yaml

from ..base.answer_kinds import own_kind
from ..base.files import Records, write_text
from ..evaluate.prompts import ask_text, own_style
from ..grading.answers import LimitExceeded, ParseError, read
from ..llm import image_part
from ..pipeline import Engine, by_shard, cut
from ..problem import Sample, shown_images
from ..release import decode
from .facts import Facts
from .made import files_of, work_folder
from .montage import is_too_large, montage
from .parquet import Part, parts_of, write_table
from .pieces import Sums

FOLDER = "asked"
# The letters of the last box, else the last capital that stands alone and begins no sentence.
_FONT = r"(?:\\(?:text|mathrm|textbf|mathbf)\s*\{[\s(]*)?"
_BOXED_LETTERS = rf"\A(?s:.*)\\boxed\s*\{{[\s$({{]*{_FONT}([A-Z]+)\b"
_LAST_CAPITAL = r"\A(?s:.*)(?<![A-Za-z\\])([A-Z])(?![A-Za-z'’]| [a-z])"
_LETTER = f"{_BOXED_LETTERS}|{_LAST_CAPITAL}"
# way -> the scorer of inspect that is nearest to `score` (measured: inspect_distance.yaml)
SCORERS: dict[str, dict[str, Any]] = {
    "letters": {"name": "pattern", "args": {"pattern": _LETTER, "ignore_case": False}},
    "values": {"name": "math"},
    "words": {"name": "match", "args": {"location": "end"}},
}
COLUMNS = ("id", "input", "image", "target", "choices", "answer_kind", "origin")


class Ways(msgspec.Struct):
    """The way of each sample of some lines; "" where it cannot be asked."""

    ways: list[str]


class Task(NamedTuple):
    """A task of eval.yaml: the samples of a split and version whose golds are judged one way."""

    id: str
    config: str
    split: str
    way: str
    samples: int


class HubEval(NamedTuple):
    """What was written: tasks, and the files of each config and split for the card."""

    tasks: list[Task]
    configs: dict[str, dict[str, list[str]]]


def way_of(sample: Sample) -> str:
    """How inspect can judge the sample: letters, values, words.

    "" where its gold is withheld, or its pictures are too large for one. A value is what our
    grammar and inspect's both read: inspect's `math` stops a whole run at a gold that it cannot.
    """
    gold = sample.answer
    kind = sample.answer_kind
    if gold is None or is_too_large(sample):
        return ""
    if kind in ("choice", "choices") and all(c.isascii() and c.isupper() for c in gold):
        return "letters"
    if kind == "parts" or own_kind(kind):
        return "words"
    if not gold.isascii() or gold.endswith("\\"):
        return "words"
    try:
        read(gold)
    except (ParseError, LimitExceeded):
        return "words"
    return "values"


def ways_of_lines(lines: Sequence[bytes]) -> Ways:
    """The ways of samples as a split's file holds them."""
    return Ways([way_of(decode(line, Sample)[0]) for line in lines])


def write_hub_eval(
    facts: Facts,
    sums: Mapping[str, Sums],
    pictures: Path,
    folder: Path,
    guid: str,
    engine: Engine,
) -> HubEval:
    """Write `asked/` and `eval.yaml` beside the samples that stand in `folder` already."""
    formats = {
        source.name: source.benchmark or source.reader for source in facts.sources
    }
    hub_eval = HubEval([], {})
    files = list[Part]()
    for split, of_split in sums.items():
        if split in facts.withhold_answers:
            continue
        lines = Records(folder / "jsonl" / f"{split}.jsonl", bytes)
        keys = list(zip(of_split.configs, _ways(lines.path, engine), strict=True))
        for key in dict.fromkeys(keys):
            version, way = key
            if not way:
                continue
            names = [way] if version == "default" else [version, way]
            config = "-".join([FOLDER, *names])
            rows = [row for row, row_key in enumerate(keys) if row_key == key]
            place = folder / FOLDER / config
            parts = parts_of(lines, rows, of_split.sizes, place, split)
            task = Task("-".join([split, *names]), config, split, way, len(rows))
            hub_eval.tasks.append(task)
            hub_eval.configs.setdefault(config, {})[split] = [
                path.relative_to(folder).as_posix() for path, _ in parts
            ]
            files += parts
    write = partial(_write_rows, pictures=pictures)
    deque(files_of(files, write, formats, guid, engine=engine), maxlen=0)
    if hub_eval.tasks:
        write_text(folder / "eval.yaml", eval_yaml(facts, hub_eval.tasks))
    return hub_eval


def _ways(samples: Path, engine: Engine) -> Iterator[str]:
    """The way of each sample of a file."""
    work = work_folder()
    shards = by_shard(ways_of_lines, cut(samples), Ways, work=work, engine=engine)
    return chain.from_iterable(shard.ways for shard in shards)


def eval_yaml(facts: Facts, tasks: Sequence[Task]) -> str:
    """The text of eval.yaml."""
    data = {
        "name": facts.title,
        "description": facts.description or f"{facts.title}, version {facts.version}.",
        "evaluation_framework": "inspect-ai",
        "tasks": [_task_entry(task) for task in tasks],
    }
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=1000)


def _task_entry(task: Task) -> dict[str, Any]:
    columns: dict[str, Any] = {
        "input": "input",
        "input_image": "image",
        "target": "target",
    }
    if task.way == "letters":
        columns["choices"] = "choices"
    columns["metadata"] = ["id", "origin", "answer_kind"]
    return {
        "id": task.id,
        "config": task.config,
        "split": task.split,
        "field_spec": columns,
        "solvers": [{"name": "generate"}],
        # A copy: YAML would point at a scorer that stands there already.
        "scorers": [deepcopy(SCORERS[task.way])],
    }


def _write_rows(
    lines: Iterable[bytes],
    path: Path,
    formats: Mapping[str, str],
    guid: str,
    *,
    pictures: Path,
) -> None:
    import pyarrow as pa

    text = pa.string()
    types = {name: pa.list_(text) if name == "choices" else text for name in COLUMNS}
    schema = pa.schema(list(types.items()), {"canary": guid})
    rows = (_row(decode(line, Sample)[0], pictures, formats) for line in lines)
    # A picture as text is 8 bits for 6: what zstd takes back; no two are alike.
    plain = [name for name in COLUMNS if name not in ("input", "image")]
    write_table(path, schema, rows, use_dictionary=plain)


def _row(sample: Sample, pictures: Path, formats: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": sample.id,
        "input": ask_text(sample, own_style(sample, formats)),
        "image": _picture(sample, pictures),
        "target": sample.answer,
        "choices": [option.text for option in sample.options],
        "answer_kind": sample.answer_kind,
        "origin": sample.origin,
    }


def _picture(sample: Sample, pictures: Path) -> str:
    """The sample's pictures as one data URI; "" where it has none."""
    images = shown_images(sample)
    if not images:
        return ""
    if sample.images == images[:2]:
        return str(image_part(pictures / images[0].path)["image_url"]["url"])
    encoded = base64.b64encode(montage(sample, pictures)).decode()
    return f"data:image/png;base64,{encoded}"


class Distance(msgspec.Struct, frozen=True):
    """Verdicts of inspect's scorer beside those of `score` on the same replies."""

    replies: int
    only_inspect: int  # right by inspect's scorer alone
    only_score: int

    def cells(self) -> list[str]:
        """How many replies, and in percent of them: agreement, and who alone said right."""
        by_inspect = self.only_inspect / self.replies
        by_score = self.only_score / self.replies
        shares = [1 - (by_inspect + by_score), by_inspect, by_score]
        return [f"{self.replies:,}", *(f"{100 * share:.1f} %" for share in shares)]


def distances() -> dict[str, Distance]:
    """Way -> the distance, as `bench/inspect_distance.py` measured it."""
    text = (Path(__file__).parent / "inspect_distance.yaml").read_bytes()
    return msgspec.convert(yaml.safe_load(text), dict[str, Distance])
