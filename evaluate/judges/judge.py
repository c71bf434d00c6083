"""A model as judge: asked for one form, parsed strictly, repaired once, otherwise unparsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Generic, Literal, Self, TypeVar, get_args

import msgspec

from ...base.terminal import progress, say
from ...llm import Answer, Model, Request, ask, forget, plan, planned, usage
from ..prompts import fill, template

T = TypeVar("T")
JudgeStatus = Literal[
    "ok",
    "unparsed",
    "refused",
    "error",
    "missing",
    "contradicted",
    "obeyed",
    "disagreed",
]
ENDED = (
    "ok",
    "repaired",
    *(status for status in get_args(JudgeStatus) if status != "ok"),
)
LONGEST_PROSE = 2000  # characters of an unusable reply that the judge is shown again


class Purse(msgspec.Struct):
    """What the judges of a run have spent together."""

    spent: float = 0.0


class Judge(msgspec.Struct, kw_only=True):
    """A model that judges, and where its replies are kept; `offline` uses only kept ones.

    With `again` what could not be read of kept replies is asked anew. The model's budget is for the
    whole run; judges that share a `purse` share it. With `dry_run`
    nothing is asked, and `planned` holds what would be. `answers` collects every reply of a run,
    without its text, for `llm.usage`.
    """

    model: Model
    cache: Path
    offline: bool = False
    dry_run: bool = False
    again: bool = False
    purse: Purse = msgspec.field(default_factory=Purse)
    answers: list[Answer] = []
    planned: list[dict[str, Any]] = []

    def ask(self, requests: list[Request]) -> list[Answer]:
        """Replies in the order of the requests."""
        if requests and not self.offline:
            self._announce(requests)
        model = self.model
        offline = self.offline or self.dry_run
        if model.budget is not None:
            left = max(0.0, model.budget - self.purse.spent)
            model = msgspec.structs.replace(model, budget=left)
        coming = ask(requests, model, self.cache, offline=offline)
        replies = list(
            progress(coming, f"judge {model.name}", len(requests), "replies")
        )
        told = [msgspec.structs.replace(reply, text="") for reply in replies]
        self.answers += told
        self.purse.spent += usage(told, model)["cost"] or 0.0
        return replies

    def _announce(self, requests: list[Request]) -> None:
        counts = plan(requests, self.model, self.cache)
        self.planned.append(counts)
        if counts["to_ask"] and not self.dry_run:
            say(f"judge {self.model.name}: {planned(counts)}")


class Judgement(msgspec.Struct, Generic[T], kw_only=True):
    """What the judge said of one item: `value` when status is ok, else what went wrong.

    `said` is the text of what could not be read.
    """

    id: str
    status: JudgeStatus
    value: T | None = None
    repaired: bool = False
    cause: str = ""
    said: str = ""


def judge(
    requests: list[Request],
    by: Judge,
    read: Callable[[str, str], T],
    repaired: Callable[[Request, Answer, str], Request] | None = None,
) -> list[Judgement[T]]:
    """Judgements in the order of the requests.

    `read(id, text)` turns a reply into a value or raises ValueError (msgspec's errors are such);
    then the judge is asked once more, as `repaired` says: by default it is told what was wrong.
    Replies are cached, so that a second run costs nothing and gives the same judgements.
    """
    repair = repaired or _repair
    first = by.ask(requests)
    judgements = [_judged(answer, read) for answer in first]
    if by.again and not by.offline:
        forgotten = [
            one
            for request, answer, judgement in zip(
                requests, first, judgements, strict=True
            )
            if judgement.status == "unparsed" and answer.cached
            for one in (request, repair(request, answer, judgement.cause))
        ]
        if forgotten:
            forget(forgotten, by.model, by.cache)
            first = by.ask(requests)
            judgements = [_judged(answer, read) for answer in first]
    again = [
        repair(request, answer, judgement.cause)
        for request, answer, judgement in zip(requests, first, judgements, strict=True)
        if judgement.status == "unparsed"
    ]
    second = {a.id: _judged(a, read) for a in by.ask(again)}
    for k, judgement in enumerate(judgements):
        better = second.get(judgement.id)
        if (
            judgement.status == "unparsed"
            and better is not None
            and better.status == "ok"
        ):
            better.repaired = True
            judgements[k] = better
    return judgements


def _judged(answer: Answer, read: Callable[[str, str], T]) -> Judgement[T]:
    if answer.status in ("refused", "error", "missing"):
        cause = answer.error or answer.text
        return Judgement(id=answer.id, status=answer.status, cause=cause[:300])  # type: ignore[arg-type]
    try:
        return Judgement(id=answer.id, status="ok", value=read(answer.id, answer.text))
    except (ValueError, RecursionError, msgspec.MsgspecError) as error:
        cause, said = str(error)[:300], answer.text[:LONGEST_PROSE]
        return Judgement(id=answer.id, status="unparsed", cause=cause, said=said)


def _repair(request: Request, answer: Answer, problem: str) -> Request:
    correction = [
        {"role": "assistant", "content": answer.text[:LONGEST_PROSE]},
        {"role": "user", "content": fill(template("repair"), problem=problem)},
    ]
    return msgspec.structs.replace(request, messages=[*request.messages, *correction])


def only_json(text: str) -> Any:
    """The JSON object of a reply: the whole reply, or its one fenced block; nothing else.

    >>> only_json('```json\\n{"a": 1}\\n```')
    {'a': 1}
    """
    text = text.strip()
    fence = re.match(r"```(?:json)?\s*", text)
    if fence and text.endswith("```") and len(text) >= fence.end() + 3:
        text = text[fence.end() : -3].strip()
    value = msgspec.json.decode(text)
    if not isinstance(value, dict):
        raise ValueError("the reply is JSON, but not an object")
    return value


class Row(msgspec.Struct, kw_only=True):
    """A judge's word on one reply: a line of its protocol's file. It counts while status is ok.

    `said` is the judge's text where that could not be read.
    """

    id: str
    problem_id: str
    judge: str = ""
    status: JudgeStatus
    repaired: bool = False
    cause: str = ""
    said: str = ""

    def word(self) -> str:
        """The verdict, as far as judges may agree on it."""
        raise NotImplementedError

    def favourable(self) -> bool:
        """Whether the judge said what a hostile reply would ask for."""
        raise NotImplementedError

    def opened(self, status: JudgeStatus, cause: str) -> Self:
        """The row with its verdict left open."""
        return msgspec.structs.replace(self, status=status, cause=cause)


def tally(rows: Iterable[Row]) -> dict[str, int]:
    """How many rows ended how; `repaired` counts among `ok`."""
    counts = dict.fromkeys(ENDED, 0)
    for row in rows:
        counts[row.status] += 1
        counts["repaired"] += row.repaired and row.status == "ok"
    return counts


def unread(row: Row) -> list[str]:
    """What a judge said where that could not be read, for people."""
    return [f"the judge wrote: {row.said}"] if row.said else []
