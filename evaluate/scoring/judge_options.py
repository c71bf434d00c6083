"""The judges that `score` names in its options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import click
import msgspec

from ...llm import Model
from ...taxonomy import read_words
from ..judges import ALPHA, Judge, Panel, Purse, wordings


class Judging(msgspec.Struct, frozen=True, kw_only=True):
    """How the judges of a score work.

    Args:
        arbiter: A model that decides where several judges do not.
        extractor: A model that lists the key steps for the protocol cot, or extracts for wo.
        cot_alpha: Weight of the key steps in a CoT score.
        judge_prompts: Our prompts, or those that the papers print; verbatim: the same without a
            fence around replies, as the papers sent them.
        prompt_files: A prompt of one's own for a task: answers, cot-extract, cot-score, process,
            wo-extract or wo-match.
        wording: A wording file: a paper's own classes of errors and prompts, in place of ours; or
            MathVerse's evaluation/prompts.py.
        last_words: How many words of a reply's end wo extracts from (the authors advise 30).
        limit: Judge only the first replies.
        again: Ask anew what could not be read of a judge's kept replies.
        offline: Use only judge replies that are kept already.
        dry_run: Say what judges would be asked; ask and score nothing.
    """

    # fields that few runs set: on the command line they are `--set KEY=VALUE`
    RARE: ClassVar[tuple[str, ...]] = (
        "arbiter",
        "extractor",
        "cot_alpha",
        "judge_prompts",
        "wording",
        "last_words",
        "limit",
        "again",
        "offline",
    )

    arbiter: str | None = None
    extractor: str | None = None
    cot_alpha: Annotated[float, msgspec.Meta(ge=0, le=1)] = ALPHA
    judge_prompts: Literal["own", "printed", "verbatim"] = "own"
    prompt_files: Mapping[str, str] = {}
    wording: str | Path | None = None
    last_words: Annotated[int, msgspec.Meta(ge=1)] | None = None
    limit: Annotated[int, msgspec.Meta(ge=0)] | None = None
    again: Literal["unread"] | None = None
    offline: bool = False
    dry_run: bool = False


def panel_of(
    models: Sequence[Model], judging: Judging | None, out: Path, protocols: bool = False
) -> Panel | None:
    """The panel of all models that were named; None when there is no judge.

    All share one budget; MODEL@URL has another endpoint. Raises UsageError for `protocols`, or
    anything of `judging`, without a judge.
    """
    if not models:
        if protocols or judging is not None:
            raise click.UsageError(
                "--protocol and the options of judging: for a --judge, name one"
            )
        return None
    how, purse = judging or Judging(), Purse()

    def judge(name: str) -> Judge:
        return Judge(
            model=_named(models[0], name),
            cache=out / "judge.cache.sqlite",
            offline=how.offline,
            dry_run=how.dry_run,
            again=how.again == "unread",
            purse=purse,
        )

    return Panel(
        judges=[judge(model.name) for model in models],
        arbiter=judge(how.arbiter) if how.arbiter else None,
        extractor=judge(how.extractor) if how.extractor else None,
        alpha=how.cot_alpha,
        limit=how.limit,
        last_words=how.last_words,
        wording=wordings(
            "verbatim"
            if how.judge_prompts == "verbatim"
            else how.judge_prompts == "printed",
            dict(how.prompt_files),
            read_words(how.wording) if how.wording else None,
        ),
    )


def _named(model: Model, name: str) -> Model:
    """A model of another name, and another endpoint where the name says so."""
    plain, at, url = name.partition("@http")
    if not at:
        return msgspec.structs.replace(model, name=name)
    return msgspec.structs.replace(model, name=plain, base_url=f"http{url}")
