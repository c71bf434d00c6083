"""RUN.json: how replies were asked for, kept beside them by file name, and read by who scores them.

A record is about one file of replies, which it names by its hash. What is missing, cannot be read
or contradicts the replies is said as a doubt and stays as it is: nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from ...base.files import encode, locked, pretty, sha256_file, write_bytes

FILE = "RUN.json"


class Prompt(msgspec.Struct, kw_only=True):
    """The words that asked: a style or a file of one's own, its texts with `$names`, a hash."""

    style: str
    sha256: str
    texts: dict[str, str]


class RunRecord(msgspec.Struct, kw_only=True, omit_defaults=True):
    """How a file of replies came about; what nobody recorded is left out.

    `served` are the endpoint's own strings for the model, `refused` the parameters that it did not
    take, `words` whose wording file was used, `finish` its reasons to stop, `seed` that of a
    baseline.
    """

    harness: str = ""
    model: str = ""
    served: list[str] = []
    endpoint: str = ""
    prompts: list[Prompt] = []
    system: str = ""
    parameters: dict[str, Any] = {}
    refused: list[str] = []
    samples: int = 1
    limit: int | None = None
    asked_samples: int = 0
    pictured: int | None = (
        None  # samples that were asked with pictures; None: not recorded
    )
    pictures: int = 0  # that went out with one reply to each
    reduced: int = 0  # of these past the bound of what is sent
    lacking: int = 0  # samples asked without a picture that they name
    blind: bool = False
    in_words: bool = False
    captions_sha256: str = ""
    cards_sha256: str = ""
    words: str = ""
    seed: int | None = None
    started: str = ""
    ended: str = ""
    answers: int | None = None
    statuses: dict[str, int] = {}
    finish: dict[str, int] = {}
    prompt_tokens: int = 0
    completion_tokens: int = 0
    thought_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None  # None: no prices were given
    release: str = ""
    split: str = ""
    replies_sha256: str = ""
    doubts: list[str] = []  # filled by who reads it

    def asked(self) -> dict[str, str]:
        """What may change replies, each under the name by which runs are said to differ."""
        return {
            "model": self.model,
            "endpoint's model": ", ".join(self.served),
            "prompt": ", ".join(f"{p.style} ({p.sha256[:8]})" for p in self.prompts),
            "system prompt": self.system,
            "sampling": _listed(self.parameters),
            "refused parameters": ", ".join(self.refused),
            "replies a sample": str(self.samples),
            "pictures": self._pictures(),
            "captions": self.captions_sha256[:12],
            "knowledge cards": self.cards_sha256[:12],
            "words": self.words,
            "seed": "" if self.seed is None else str(self.seed),
            "harness": self.harness,
        }

    def _pictures(self) -> str:
        """What pictures went out, as far as it is known."""
        if self.in_words:
            return "captions"
        if self.blind:
            return "none"
        if self.pictured is None:
            return "not recorded" if self.harness.startswith("benchwright") else "sent"
        sent = f"with {self.pictured:,} of {self.asked_samples:,} samples"
        small = f", {self.reduced:,} made smaller" * bool(self.reduced)
        without = f"; {self.lacking:,} lack one that they name" * bool(self.lacking)
        return f"{sent}{small}{without}"

    def rows(self) -> list[tuple[str, str]]:
        """All that is known, for people."""
        count = f"{self.answers:,}" if self.answers is not None else ""
        moments = dict.fromkeys(filter(None, (self.started, self.ended)))
        replies = filter(None, (count, _listed(self.statuses)))
        values = self.asked() | {
            "endpoint": self.endpoint,
            "first samples only": "" if self.limit is None else str(self.limit),
            "asked": " to ".join(moments),
            "replies": " · ".join(replies),
            "finished": _listed(self.finish),
            "tokens": self._tokens(),
            "cost": "no prices given" if self.cost is None else f"{self.cost:g}",
        }
        return [(name, value) for name, value in values.items() if value]

    def _tokens(self) -> str:
        if not (self.prompt_tokens or self.completion_tokens):
            return ""
        thoughts = f" ({self.thought_tokens:,} of thoughts)" * bool(self.thought_tokens)
        return (
            f"{self.prompt_tokens:,} of prompts, {self.completion_tokens:,} of replies"
            f"{thoughts}"
        )


def _listed(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in sorted(values.items()))


def differences(records: Sequence[RunRecord | None]) -> dict[str, list[str]]:
    """How two runs were asked otherwise: what -> what each says; nothing where one has no record.

    >>> differences([RunRecord(model="m"), RunRecord(model="m", blind=True)])
    {'pictures': ['sent', 'none']}
    """
    first, second = records
    if first is None or second is None:
        return {}
    a = first.asked()
    b = second.asked()
    return {
        name: [a[name] or "not said", b[name] or "not said"]
        for name in a
        if a[name] != b[name]
    }


# Of what is asked what only the replies tell.
OUTCOMES = ("endpoint's model", "refused parameters", "pictures", "harness")


def otherwise_asked(before: RunRecord, now: RunRecord) -> str:
    """What a run asks otherwise than an earlier one, which may have ended already.

    >>> otherwise_asked(RunRecord(model="m"), RunRecord(model="n"))
    'model m, now n'
    """
    a, b = before.asked(), now.asked()
    a |= {"release": before.release, "split": before.split}
    b |= {"release": now.release, "split": now.split}
    if (before.blind, before.in_words) != (now.blind, now.in_words):
        return "pictures"
    return ", ".join(
        f"{name} {a[name] or 'none'}, now {b[name] or 'none'}"
        for name in a
        if name not in OUTCOMES and a[name] != b[name]
    )


def hashed(texts: Mapping[str, str]) -> str:
    """The hash of a prompt's texts."""
    return sha256(encode(texts)).hexdigest()


def begin_record(replies: Path, record: RunRecord) -> None:
    """Put down whose the replies will be before any stands there: a kill leaves none unnamed."""
    if not replies.exists():
        replies.parent.mkdir(parents=True, exist_ok=True)
        write_record(replies, record)


def write_record(replies: Path, record: RunRecord) -> None:
    """Put the record of `replies` into the RUN.json beside it, among those of other files."""
    path = replies.with_name(FILE)
    record.replies_sha256 = sha256_file(replies) if replies.exists() else ""
    with locked(path.with_name(".RUN.lock")):
        records = _records(path)
        of_other_files = records if isinstance(records, dict) else {}
        write_bytes(path, pretty(of_other_files | {replies.name: record}))


def _records(path: Path) -> dict[str, Any] | str:
    """The records of a RUN.json by file, as they stand, or why there are none."""
    try:
        records = msgspec.json.decode(path.read_bytes())
    except OSError:
        return f"no {FILE} beside it: how the model was asked is not known"
    except (msgspec.DecodeError, RecursionError) as error:
        return f"{FILE} cannot be read: {error}"
    return records if isinstance(records, dict) else f"{FILE} holds no records"


def read_record(replies: Path) -> tuple[RunRecord | None, str]:
    """The record of a file of replies, or why there is none."""
    records = _records(replies.with_name(FILE))
    if isinstance(records, str):
        return None, records
    row = records if "model" in records else records.get(replies.name)
    if row is None:
        return None, f"{FILE} says nothing of {replies.name}"
    try:
        record = msgspec.convert(row, RunRecord)
    except msgspec.ValidationError as error:
        return None, f"{FILE}: the record of {replies.name} is none: {error}"
    record.doubts = []
    if record.replies_sha256 != sha256_file(replies):
        record.doubts.append(
            f"{replies.name} is not the file that {FILE} was written for"
        )
    return record, ""


def held_against(record: RunRecord, replies: int, models: Sequence[str]) -> None:
    """Note where a record contradicts the rows that it is about."""
    if record.answers is not None and record.answers != replies:
        record.doubts.append(
            f"it counts {record.answers:,} replies, the file holds {replies:,}"
        )
    if models and record.model not in models:
        record.doubts.append(
            f"it names {record.model}, the replies {', '.join(models)}"
        )
