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
from collections.abc import Iterable, Mapping, Sequence
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
# the letters of the last box, else the last capital that stands alone and begins no sentence
_LETTER = (
    r"\A(?s:.*)\\boxed\s*\{[\s$({]*(?:\\(?:text|mathrm|textbf|mathbf)\s*\{[\s(]*)?([A-Z]+)\b"
    r"|\A(?s:.*)(?<![A-Za-z\\])([A-Z])(?![A-Za-z'’]| [a-z])"
)
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


class Asked(NamedTuple):
    """What was written: tasks, and the files of each config and split for the card."""

    tasks: list[Task]
    configs: dict[str, dict[str, list[str]]]


def way_of(sample: Sample) -> str:
    """How inspect can judge the sample: letters, values, words.

    "" where its gold is withheld, or its pictures are too large for one. A value is what our
    grammar and inspect's both read: inspect's `math` stops a whole run at a gold that it cannot.
    """
    gold, kind = sample.answer, sample.answer_kind
    if gold is None or is_too_large(sample):
        return ""
    if kind in ("choice", "choices") and all(c.isascii() and c.isupper() for c in gold):
        return "letters"
    if kind == "parts" or own_kind(kind) or not gold.isascii() or gold.endswith("\\"):
        return "words"
    try:
        read(gold)
    except (ParseError, LimitExceeded):
        return "words"
    return "values"


def ways_of_lines(lines: Sequence[bytes]) -> Ways:
    """The ways of samples as a split's file holds them."""
    return Ways([way_of(decode(line, Sample)[0]) for line in lines])


def write_asked(
    facts: Facts,
    sums: Mapping[str, Sums],
    pictures: Path,
    folder: Path,
    guid: str,
    engine: Engine,
) -> Asked:
    """Write `asked/` and `eval.yaml` beside the samples that stand in `folder` already."""
    formats = {
        source.name: source.benchmark or source.reader for source in facts.sources
    }
    asked, files = Asked([], {}), list[Part]()
    for split in (name for name in sums if name not in facts.withhold_answers):
        lines = Records(folder / "jsonl" / f"{split}.jsonl", bytes)
        shards = by_shard(
            ways_of_lines, cut(lines.path), Ways, work=work_folder(), engine=engine
        )
        ways = chain.from_iterable(shard.ways for shard in shards)
        keys = list(zip(sums[split].configs, ways, strict=True))
        for version, way in (key for key in dict.fromkeys(keys) if key[1]):
            own = [k for k, key in enumerate(keys) if key == (version, way)]
            told = [version] * (version != "default") + [way]
            config = "-".join([FOLDER, *told])
            parts = parts_of(
                lines, own, sums[split].sizes, folder / FOLDER / config, split
            )
            asked.tasks.append(
                Task("-".join([split, *told]), config, split, way, len(own))
            )
            asked.configs.setdefault(config, {})[split] = [
                path.relative_to(folder).as_posix() for path, _ in parts
            ]
            files += parts
    write = partial(_write_rows, pictures=pictures)
    deque(files_of(files, write, formats, guid, engine=engine), maxlen=0)
    if asked.tasks:
        write_text(folder / "eval.yaml", eval_yaml(facts, asked.tasks))
    return asked


def eval_yaml(facts: Facts, tasks: Sequence[Task]) -> str:
    """The text of eval.yaml."""
    data = {
        "name": facts.title,
        "description": facts.description or f"{facts.title}, version {facts.version}.",
        "evaluation_framework": "inspect-ai",
        "tasks": [
            {
                "id": task.id,
                "config": task.config,
                "split": task.split,
                "field_spec": {
                    "input": "input",
                    "input_image": "image",
                    "target": "target",
                    **({"choices": "choices"} if task.way == "letters" else {}),
                    "metadata": ["id", "origin", "answer_kind"],
                },
                "solvers": [{"name": "generate"}],
                "scorers": [
                    deepcopy(SCORERS[task.way])
                ],  # YAML would point at one that is the same
            }
            for task in tasks
        ],
    }
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=1000)


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
    rows = (_row(decode(line, Sample)[0], pictures, formats) for line in lines)
    # a picture as text is 8 bits for 6: what zstd takes back; no two are alike
    plain = [name for name in COLUMNS if name not in ("input", "image")]
    write_table(
        path,
        pa.schema(list(types.items()), {"canary": guid}),
        rows,
        use_dictionary=plain,
    )


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
    shown = shown_images(sample)
    if not shown:
        return ""
    if sample.images == shown[:2]:
        return str(image_part(pictures / shown[0].path)["image_url"]["url"])
    return (
        f"data:image/png;base64,{base64.b64encode(montage(sample, pictures)).decode()}"
    )


class Distance(msgspec.Struct, frozen=True):
    """Verdicts of inspect's scorer beside those of `score` on the same replies."""

    replies: int
    only_inspect: int  # right by inspect's scorer alone
    only_score: int

    def told(self) -> list[str]:
        """How many replies, and in percent of them: agreement, and who alone said right."""
        alone = [self.only_inspect / self.replies, self.only_score / self.replies]
        shares = (f"{100 * share:.1f} %" for share in (1 - sum(alone), *alone))
        return [f"{self.replies:,}", *shares]


def distances() -> dict[str, Distance]:
    """Way -> the distance, as `bench/inspect_distance.py` measured it."""
    text = (Path(__file__).parent / "inspect_distance.yaml").read_bytes()
    return msgspec.convert(yaml.safe_load(text), dict[str, Distance])
