"""How a run was asked and what came of it, for its RUN.json; and whose replies a file holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ...base.files import sha256_file
from ...errors import UserError
from ...llm import Answer, Model, Request, base_url, request_body
from ...problem import Sample
from ...taxonomy import read_words
from ..predictions import (
    Material,
    Prompt,
    RunRecord,
    hashed,
    otherwise_asked,
    read_record,
    read_rows,
)
from ..prompts import ASKED_NAMES, STYLES, read_template, wordings_of
from .asking import Asking, style_of, styles_of

BASELINE = "baseline"  # begins the names of models that there are none of
HARNESS = f"benchwright {version('benchwright')}"


def require_own(out: Path, record: RunRecord, *, is_caption: bool = False) -> None:
    """Refuse to write over another run's replies: other words, another model, fewer samples.

    Raises UserError for these, and for a file of which nothing says whose it is.
    """
    if not out.exists():
        return
    if is_caption:  # captions have no record; each row names its model
        rows = (row for _, row in read_rows(out) if isinstance(row, dict))
        if next(rows, {}).get("model") == record.model:
            return
    before, remark = read_record(out)
    if before and all(r.model.startswith(BASELINE) for r in (before, record)):
        return  # one is drawn again for nothing
    if before is None:
        cause = remark
    elif other := otherwise_asked(before, record):
        cause = f"it was asked otherwise ({other})"
    elif before.limit != record.limit and record.limit is not None:
        first = "all" if before.limit is None else f"the first {before.limit}"
        if before.limit is not None and before.limit < record.limit:
            return
        cause = f"it has {first} samples, this run the first {record.limit}"
    else:
        return
    raise UserError(
        f"{out} holds another run's replies: {cause}",
        "give another --out, or move that file away",
    )


def record_of(
    material: Material,
    split: str,
    samples: list[Sample],
    model: Model,
    how: Asking,
    limit: int | None,
) -> RunRecord:
    """How the samples are asked."""
    by_source = styles_of(material.manifest["sources"], samples)
    styles = {style_of(sample, how, by_source) for sample in samples}
    texts = {style: wordings_of(style, STYLES) for style in sorted(styles)}
    if how.prompt_file:
        own = Path(how.prompt_file)
        texts = {own.name: {own.name: read_template(own, ASKED_NAMES)}}
    example = Request(id="", temperature=how.temperature, max_tokens=how.max_tokens)
    parameters = request_body(example, model)
    for name in ("model", "messages"):
        parameters.pop(name, None)
    captions = how.captions if isinstance(how.captions, str | Path) else None
    return RunRecord(
        harness=HARNESS,
        model=model.name,
        endpoint=base_url(model),
        prompts=[Prompt(style=k, sha256=hashed(t), texts=t) for k, t in texts.items()],
        system=model.system or "",
        parameters=parameters,
        samples=how.samples,
        limit=limit,
        blind=how.blind,
        in_words=how.words() is not None,
        captions_sha256=sha256_file(Path(captions)) if captions else "",
        cards_sha256=sha256_file(Path(how.cards)) if how.cards else "",
        words=read_words(how.wording).words if how.wording else "",
        release=material.name,
        split=split,
    )


def note_outcomes(
    record: RunRecord, answers: Sequence[Answer], counts: dict[str, Any]
) -> None:
    """Note what the replies say of themselves, earlier runs' included."""
    moments = sorted(answer.at for answer in answers if answer.at)
    if moments:
        record.started = moments[0]
        record.ended = moments[-1]
    record.served = sorted({answer.model for answer in answers if answer.model})
    record.refused = sorted({name for answer in answers for name in answer.left_out})
    record.answers = len(answers)
    record.statuses = _counted(answer.status for answer in answers)
    record.finish = _counted(answer.finish for answer in answers if answer.finish)
    record.prompt_tokens = sum(answer.prompt_tokens for answer in answers)
    record.completion_tokens = sum(answer.completion_tokens for answer in answers)
    record.thought_tokens = sum(answer.thought_tokens for answer in answers)
    record.seconds = round(sum(answer.seconds for answer in answers), 2)
    record.cost = counts["cost_all"]


def note_pictures(record: RunRecord, requests: Sequence[Request]) -> None:
    """Note what pictures went out: with how many samples, how many, and how many made smaller."""
    first = [request for request in requests if request.sample == 1]
    record.asked_samples = len(first)
    record.pictured = sum(bool(request.pictures) for request in first)
    record.pictures = sum(len(request.pictures) for request in first)
    record.reduced = sum(request.reduced for request in first)


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
