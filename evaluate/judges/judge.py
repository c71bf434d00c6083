"""A model as judge: asked for JSON, parsed strictly, repaired once, otherwise counted unparsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from ...llm import Answer, Model, Request, ask
from ..prompts import fill

T = TypeVar("T")
JudgeStatus = Literal["ok", "unparsed", "refused", "error", "missing"]


class Judge(msgspec.Struct, kw_only=True):
    """A model that judges, and where its replies are kept; `offline` uses only kept ones.

    `answers` collects every reply of a run, for `llm.usage`.
    """

    model: Model
    cache: Path
    offline: bool = False
    answers: list[Answer] = []

    def ask(self, requests: list[Request]) -> list[Answer]:
        """Replies in the order of the requests."""
        replies = list(ask(requests, self.model, self.cache, offline=self.offline))
        self.answers += replies
        return replies


class Judgement(msgspec.Struct, Generic[T], kw_only=True):
    """What the judge said of one item: `value` when status is ok, else what went wrong."""

    id: str
    status: JudgeStatus
    value: T | None = None
    repaired: bool = False
    cause: str = ""


def judge(requests: list[Request], by: Judge, read: Callable[[str, str], T]) -> list[Judgement[T]]:
    """Judgements in the order of the requests.

    `read(id, text)` turns a reply into a value or raises ValueError (msgspec's errors are such);
    then the judge is told what was wrong and asked once more. Replies are cached, so that a second
    run costs nothing and gives the same judgements.
    """
    first = by.ask(requests)
    judgements = [_judged(answer, read) for answer in first]
    again = [
        _repair(request, answer, judgement.cause)
        for request, answer, judgement in zip(requests, first, judgements, strict=True)
        if judgement.status == "unparsed"
    ]
    second = {a.id: _judged(a, read) for a in by.ask(again)}
    for k, judgement in enumerate(judgements):
        better = second.get(judgement.id)
        if judgement.status == "unparsed" and better is not None and better.status == "ok":
            better.repaired = True
            judgements[k] = better
    return judgements


def _judged(answer: Answer, read: Callable[[str, str], T]) -> Judgement[T]:
    if answer.status in ("refused", "error", "missing"):
        cause = answer.error or answer.text
        return Judgement(id=answer.id, status=answer.status, cause=cause[:300])  # type: ignore[arg-type]
    try:
        return Judgement(id=answer.id, status="ok", value=read(answer.id, answer.text))
    except (ValueError, msgspec.MsgspecError) as error:
        return Judgement(id=answer.id, status="unparsed", cause=str(error)[:300])


def _repair(request: Request, answer: Answer, problem: str) -> Request:
    correction = [
        {"role": "assistant", "content": answer.text},
        {"role": "user", "content": fill("repair", problem=problem)},
    ]
    return msgspec.structs.replace(request, messages=[*request.messages, *correction])


def only_json(text: str) -> Any:
    """The JSON object of a reply: the whole reply, or its one fenced block; nothing else.

    >>> only_json('```json\\n{"a": 1}\\n```')
    {'a': 1}
    """
    text = text.strip()
    fenced = re.fullmatch(r"```(?:json)?\s*(.*?)\s*```", text, re.S)
    value = msgspec.json.decode(fenced[1] if fenced else text)
    if not isinstance(value, dict):
        raise ValueError("the reply is JSON, but not an object")
    return value


class Ended(Protocol):
    """What `tally` counts: judgements, and results that rest on one."""

    status: JudgeStatus
    repaired: bool


def tally(judgements: Iterable[Ended]) -> dict[str, int]:
    """How many judgements ended how; `repaired` counts among `ok`."""
    counts = dict.fromkeys(("ok", "repaired", "unparsed", "refused", "error", "missing"), 0)
    for judgement in judgements:
        counts[judgement.status] += 1
        counts["repaired"] += judgement.repaired
    return counts
