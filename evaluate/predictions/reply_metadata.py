"""What a row says of its reply beside the text: how it ended, thoughts, tokens, its own verdict.

Whoever asked knows more than the text tells: that the reply was cut, refused or never came, and
what the model thought before it. Nothing of it is dropped on the way to the figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

Ending = Literal[
    "", "truncated", "thought until the limit", "only thoughts", "refused", "failed"
]
# Where harnesses write how a reply ended; closed: one name an interface.
STATUS_FIELDS = ("status", "finish", "finish_reason", "stop_reason", "error")
FINISH_FIELDS = ("finish", "finish_reason", "stop_reason")  # of these why it stopped
THOUGHT_FIELDS = ("thoughts", "reasoning_content", "reasoning", "thinking")
EXTRACTED_FIELDS = (
    "extraction",
    "res",
    "model_answer",
)  # MathVerse, VLMEvalKit, MATH-V
FAILED = "Failed to obtain answer via API"  # VLMEvalKit writes this in place of a reply
_CUT = re.compile(r"length|max_?tokens|truncat|limit", re.IGNORECASE)
_REFUSED = re.compile(
    r"filter|safety|refus|recitation|prohibited|blocklist", re.IGNORECASE
)
_TRUTH = {"true": True, "1": True, "1.0": True, "c": True, "correct": True, "yes": True,
          "right": True, "false": False, "0": False, "0.0": False, "i": False, "incorrect": False,
          "no": False, "wrong": False}  # fmt: skip


class Reply(msgspec.Struct, kw_only=True):
    """One reply to a sample, None where none came, and what is known of it."""

    text: str | None
    ended: Ending = ""
    thoughts: str = ""
    tokens: int | None = None
    prompt_tokens: int | None = None
    thought_tokens: int | None = None
    seconds: float | None = None
    cost: float | None = None
    finish: str = ""
    asked: str = ""
    pictures: int | None = None
    model: str = ""

    @property
    def came(self) -> bool:
        """Whether it has a text."""
        return self.text is not None


def reply_name(sample: str, number: int) -> str:
    """A reply by its sample, from the second on with its number.

    >>> reply_name("a-1", 1), reply_name("a-1", 2)
    ('a-1', 'a-1 reply 2')
    """
    return sample if number == 1 else f"{sample} reply {number}"


def reply_of(text: str | None, row: Mapping[str, Any]) -> Reply:
    """A row's reply with all that the row says of it.

    >>> reply_of("so it is", {"finish_reason": "length"}).ended
    'truncated'
    >>> reply_of("", {"thoughts": "Hm"}).ended
    'only thoughts'
    """
    thoughts = next((row[f] for f in THOUGHT_FIELDS if isinstance(row.get(f), str)), "")
    if text is not None and text.startswith(FAILED):
        text = None
    if not (text or "").strip() and row.get("status") in ("error", "empty"):
        text = None
    return Reply(
        text=text,
        ended=_ending(text, row, thoughts),
        thoughts=thoughts,
        tokens=_number(row.get("completion_tokens"), int),
        prompt_tokens=_number(row.get("prompt_tokens"), int),
        thought_tokens=_number(row.get("thought_tokens"), int),
        seconds=_number(row.get("seconds"), float),
        cost=_number(row.get("cost"), float),
        finish=next((row[f] for f in FINISH_FIELDS if isinstance(row.get(f), str)), ""),
        asked=row["asked"] if isinstance(row.get("asked"), str) else "",
        pictures=_number(row.get("pictures"), int),
        model=str(row.get("model") or ""),
    )


def _ending(text: str | None, row: Mapping[str, Any], thoughts: str) -> Ending:
    """How a reply ended, by what its row says of it and by what there is of it."""
    statuses = {f: row[f] for f in STATUS_FIELDS if isinstance(row.get(f), str)}
    was_cut = _CUT.search(" ".join(statuses.values()))
    is_empty = not (text or "").strip()
    if is_empty:
        statuses.pop("error", None)  # a connection may be refused, too
    if _REFUSED.search(" ".join(statuses.values())):
        return "refused"
    if was_cut and (thoughts or text is not None):
        return "thought until the limit" if is_empty else "truncated"
    if is_empty and thoughts:
        return "only thoughts"
    return "failed" if text is None else ""


def _number(value: Any, kind: type) -> Any:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return kind(value) if is_number and 0 <= value < 1e9 else None


class Column(msgspec.Struct):
    """What one field of a file says of replies, in words of truth: its own verdicts, perhaps.

    Replies are named by `reply_name`.
    """

    name: str
    verdicts: dict[str, bool] = {}
    broken: bool = False  # some row says something else there


def truths(row: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, bool | None]]:
    """Every field of a row, those within its objects too, with its truth; None: it has none.

    >>> dict(truths({"correct": True, "scores": {"match": {"value": "I"}}, "id": "7"}))
    {'correct': True, 'scores.match.value': False, 'id': None}
    """
    for name, value in row.items():
        here = f"{path}{name}"
        while isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, Mapping):
            if here.count(".") < 3:
                yield from truths(value, f"{here}.")
        elif value is not None:
            yield here, _TRUTH.get(str(value).strip().lower())


def own_extraction(row: Mapping[str, Any], reply: str | None) -> str | None:
    """The answer that the file itself read in the reply; None where it does not say."""
    values = [row.get(field) for field in EXTRACTED_FIELDS]
    texts = (value for value in values if isinstance(value, str) and value != reply)
    return next(texts, None)
