"""Ask a model every sample of a split and write its replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from ...base.display import Display, Table
from ...base.files import sole, write_jsonl
from ...base.registry import plugged
from ...base.terminal import progress, say
from ...errors import UserError
from ...llm import FIRST, Answer, Model, Request, ask, cost, priced, projected, usage
from ...problem import Sample, shown_images
from ..predictions import begin_record, read_material, write_record
from ..prompts import CAPTION, Caption
from .asking import Asking, is_blind, requests_for
from .named_pictures import lacking_pictures
from .run_notes import note_outcomes, note_pictures, record_of, require_own

ANSWERED = ("ok", "refused", "truncated")
# What is written beside a reply where there is something to write.
DETAILS = (
    "thoughts",
    "finish",
    "prompt_tokens",
    "completion_tokens",
    "thought_tokens",
    "seconds",
    "error",
)


class Predicted(Display, msgspec.Struct, kw_only=True):
    """What came back. `cost` is what this run paid, `cost_all` with earlier runs.

    Both are None where no prices are given. `unfinished` says why requests have no reply; it is
    empty where all have.
    """

    requests: int
    answers: int  # of the requests
    cached: int  # of the answers; tokens are those of the others
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    cost_all: float | None
    statuses: dict[str, int]  # answers by status
    # parameters that the endpoint refused and was asked without
    left_out: list[str] = []
    unfinished: str = ""

    def headline(self) -> str:
        cost = "" if self.cost is None else "cost "
        asked = "" if self.answers == self.requests else f" of {self.requests}"
        return (
            f"{self.answers}{asked} answers, {self.cached} from the cache, "
            f"{cost}{priced(self.cost)}"
        )

    def table(self) -> Table:
        return ["what", "number"], list(self.counts().items())

    def counts(self) -> dict[str, Any]:
        """All figures by name."""
        row = msgspec.to_builtins(self)
        row |= row.pop("statuses")
        return {
            k: v for k, v in row.items() if k not in ("left_out", "unfinished") or v
        }


def predict(
    release: str | Path,
    split: str,
    model: Model | str,
    out: str | Path,
    *,
    cache: str | Path | None = None,
    how: Asking | None = None,
    limit: Annotated[int, msgspec.Meta(ge=0)] | None = None,
    plugins: Sequence[str | Path] = (),
) -> Predicted:
    """Ask and write `out`: one {"id", "response", "status"} a line, in the split's order.

    What is known of a reply stands beside it: a reasoning model's `thoughts`, why it stopped
    (`finish`), tokens and seconds. RUN.json in the same folder says how the model was asked.
    A picture of more than 2,048 pixels a side or 5,000,000 bytes is sent smaller; the record counts
    them. Replies are cached, so a run that is stopped goes on where it was. Failed and empty
    replies are written with a null response and asked again next time. With several samples a
    question, rows are numbered by `repeat`. Captions are a `Caption` a line, one for each picture,
    as the stage `captions` reads them.

    Args:
        release: Folder of the release, or what `score` takes in its place: pictures that other
            layouts hold are stored beside OUT.
        split: Which split to ask; testmini+test are both together.
        model: The model's name.
        out: The predictions to write.
        cache: Replies already paid for [default: beside OUT].
        how: How samples are asked.
        limit: Ask only the first samples.
        plugins: Python file that adds kinds of answers: it is run.

    Raises UserError where `out` holds another run's replies, for an
    unknown split, a damaged release, missing pictures, a missing key, a second run that would write
    the same file at the same time, and where nothing came back.

    Example: `predict("out/math-v-1.0.0", "testmini", "gpt-4o", "gpt-4o.jsonl").answers`
    """
    model = Model(name=model) if isinstance(model, str) else model
    how = how or Asking()
    material = read_material(release, split, store=pictures_beside(out))
    material.say_lost()
    samples = list(material.samples)[:limit]
    sources = material.manifest["sources"]
    record = record_of(material, split, samples, model, how, limit)
    require_own(Path(out), record, is_caption=how.style == CAPTION)
    if how.samples > 1 and how.temperature == 0:
        say("several replies at temperature 0 are mostly one: give --temperature")
    with plugged(plugins):
        requests = list(requests_for(material.root, samples, how, sources))
    answers = ask(requests, model, Path(cache) if cache else cache_beside(out))
    outcomes: list[Answer] = []  # the answers without their texts
    fresh: list[Answer] = []
    problems = _problems_by_picture(samples) if how.style == CAPTION else {}

    def rows() -> Iterator[dict[str, Any] | Caption]:
        watched = progress(answers, f"ask {model.name}", len(requests), "replies")
        for request, answer in zip(requests, watched, strict=True):
            outcome = msgspec.structs.replace(answer, text="", thoughts="")
            outcomes.append(outcome)
            if not answer.cached and answer.status in ANSWERED and len(fresh) < FIRST:
                fresh.append(outcome)
                if len(fresh) == FIRST < len(requests) - len(outcomes):
                    say(projected(fresh, len(requests), model))
            if how.style == CAPTION:
                yield _caption_row(answer, model, problems[answer.id])
            else:
                yield _row(request, answer, model, how.samples)

    with sole(Path(out)):
        if how.style != CAPTION:
            begin_record(Path(out), record)
        write_jsonl(Path(out), rows())
    counts = usage(outcomes, model)
    if how.style != CAPTION:
        note_outcomes(record, outcomes, counts)
        note_pictures(record, requests)
        if how.pictures == "held" and not is_blind(how):
            record.lacking = len(lacking_pictures(material.root, samples))
        write_record(Path(out), record)
    if outcomes and not any(answer.status in ANSWERED for answer in outcomes):
        raise UserError(
            f"{model.name} answered none of {len(outcomes)} requests; the first ended so: "
            f"{outcomes[0].status} {outcomes[0].error}",
            "mend what it says and run the same command again",
        )
    fields = {
        name: counts.pop(name) for name in Predicted.__struct_fields__ if name in counts
    }
    return Predicted(**fields, statuses=counts, unfinished=_unfinished(outcomes))


def _unfinished(outcomes: Sequence[Answer]) -> str:
    """Why requests have no reply, the most frequent cause first; "" where all have one."""
    causes = Counter(
        _cause(answer) for answer in outcomes if answer.status not in ANSWERED
    )
    if not causes:
        return ""
    told = ", ".join(f"{n} {cause}" for cause, n in causes.most_common(3))
    more = "" if len(causes) <= 3 else f" and {len(causes) - 3} causes more"
    lacking = sum(causes.values())
    return (
        f"{lacking} of {len(outcomes)} requests have no reply: {told}{more}; "
        "the same command asks these again"
    )


def _cause(answer: Answer) -> str:
    """Why no reply came, in the endpoint's words: alike for requests that ended alike."""
    words = " ".join(answer.error.split())[:160]
    return f"{answer.status} ({words})" if words else answer.status


def _text(answer: Answer) -> str | None:
    return answer.text if answer.status in ANSWERED else None


def _caption_row(answer: Answer, model: Model, problems: list[str]) -> Caption:
    return Caption(
        image=answer.id,
        caption=_text(answer),
        problems=problems,
        model=model.name,
        status=answer.status,
        error=answer.error,
    )


def _row(
    request: Request, answer: Answer, model: Model, samples: int
) -> dict[str, Any]:
    """A line of the predictions, with those details that there are.

    The message as it was sent stands with the first of several replies.
    """
    row: dict[str, Any] = {
        "id": answer.id,
        "response": _text(answer),
        "status": answer.status,
    }
    if samples > 1:
        row["repeat"] = request.sample
    row["model"] = model.name
    row["pictures"] = len(request.pictures)
    if request.sample == 1:
        row["asked"] = request.shown
    details = {name: getattr(answer, name) for name in DETAILS}
    if model.priced and answer.status in ANSWERED:
        details["cost"] = round(cost(answer, model), 9)
    return row | {name: value for name, value in details.items() if value}


def _problems_by_picture(samples: list[Sample]) -> dict[str, list[str]]:
    """The problems that show each picture, each once."""
    problems: dict[str, dict[str, None]] = {}
    for sample in samples:
        for image in shown_images(sample):
            problems.setdefault(image.path, {})[sample.problem_id] = None
    return {path: list(ids) for path, ids in problems.items()}


def requests_of(
    release: str | Path,
    split: str,
    how: Asking | None = None,
    limit: int | None = None,
    plugins: Sequence[str | Path] = (),
    store: Path | None = None,
) -> list[Request]:
    """What `predict` asks, for a dry run (`llm.plan`) or a batch file (`llm.write_batch`)."""
    material = read_material(release, split, store=store)
    samples = list(material.samples)[:limit]
    sources = material.manifest["sources"]
    with plugged(plugins):
        return list(requests_for(material.root, samples, how or Asking(), sources))


def pictures_beside(out: str | Path) -> Path:
    """Where pictures are kept that no release or export holds as files."""
    return Path(out).with_suffix(".pictures")


def cache_beside(out: str | Path) -> Path:
    return Path(out).with_suffix(".cache.sqlite")
