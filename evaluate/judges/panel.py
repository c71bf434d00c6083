"""Several judges of the same replies: canaries, majority, arbitration, and how far they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, Generic, TypeVar

import msgspec

from ...problem import Sample
from .canaries import canaries as canaries_of
from .human_agreement import cohen_kappa
from .judge import Judge, Row
from .wordings import Wording, wordings

ALPHA = 0.7


class Panel(msgspec.Struct, kw_only=True):
    """Who judges, and how.

    Verdicts are those of more than half of the `judges`; where there are none, the `arbiter`
    decides. `extractor` lists the key steps of MathVerse's CoT evaluation for all judges (default:
    each for itself), `alpha` is its weight of the steps; `limit` bounds the replies a protocol
    reads, `last_words` how much of the end of a reply MathVerse's w/o extracts from.

    Example: `Panel(judges=[Judge(model=Model(name="a"), cache=path), ...], alpha=0.5)`
    """

    judges: list[Judge]
    arbiter: Judge | None = None
    extractor: Judge | None = None
    alpha: float = ALPHA
    limit: int | None = None
    last_words: int | None = None
    wording: dict[str, Wording] = msgspec.field(default_factory=wordings)

    def everyone(self) -> list[Judge]:
        """All judges, arbiter and extractor included."""
        helpers = [self.arbiter, self.extractor]
        return [*self.judges, *(judge for judge in helpers if judge is not None)]


R = TypeVar("R", bound=Row)
Ask = Callable[
    [Sequence[Sample], Mapping[str, str], Judge], list[R]
]  # a row for each sample


class Decided(msgspec.Struct, Generic[R], kw_only=True):
    """The rows that stand, those of each judge, and what scores.json says of the judges."""

    rows: list[R]
    by_judge: dict[str, list[R]]
    canaries: dict[str, dict[str, Any]]
    agreement: list[dict[str, Any]]
    arbitrated: int = 0


def decide(
    ask: Ask[R], samples: Sequence[Sample], replies: Mapping[str, str], panel: Panel
) -> Decided[R]:
    """Ask every judge about every sample, and let the panel decide."""
    decided: Decided[R] = Decided(rows=[], by_judge={}, canaries={}, agreement=[])
    for number, judge in enumerate(panel.judges, 1):
        name = judge.model.name
        if name in decided.by_judge:
            name = f"{name} ({number})"
        rows = _judged(ask, samples, replies, judge, name, decided.canaries)
        decided.by_judge[name] = rows
    decided.agreement = pairwise(decided.by_judge)
    by_sample = zip(*decided.by_judge.values(), strict=True)
    decided.rows = [majority(list(rows)) for rows in by_sample]
    if panel.arbiter is not None:
        _arbitrate(ask, samples, replies, panel.arbiter, decided)
    return decided


def _arbitrate(
    ask: Ask[R],
    samples: Sequence[Sample],
    replies: Mapping[str, str],
    arbiter: Judge,
    decided: Decided[R],
) -> None:
    """Let the arbiter decide where the judges do not."""
    places = [k for k, row in enumerate(decided.rows) if row.status == "disagreed"]
    if not places:
        return
    name = f"{arbiter.model.name} (arbiter)"
    open_samples = [samples[k] for k in places]
    rows = _judged(ask, open_samples, replies, arbiter, name, decided.canaries)
    decided.by_judge[name] = rows
    for k, row in zip(places, rows, strict=True):
        if row.status == "ok":
            decided.rows[k] = row
            decided.arbitrated += 1


def _judged(
    ask: Ask[R],
    samples: Sequence[Sample],
    replies: Mapping[str, str],
    by: Judge,
    name: str,
    canaries: dict[str, dict[str, Any]],
) -> list[R]:
    """One judge's rows; of a judge that obeys replies, favourable ones stay open."""
    obeyed: list[str] = []
    if any(replies.get(sample.id, "").strip() for sample in samples):
        traps = canaries_of(samples)
        texts = {sample.id: reply for sample, reply in traps.values()}
        words = ask([sample for sample, _ in traps.values()], texts, by)
        obeyed = [
            plea for plea, row in zip(traps, words, strict=True) if row.favourable()
        ]
        judged = sum(row.status in ("ok", "contradicted") for row in words)
        canaries[name] = {"asked": len(words), "judged": judged, "obeyed": obeyed}
    rows = ask(samples, replies, by)
    if obeyed:
        cause = f"the judge obeys replies: {', '.join(obeyed)}"
        for k, row in enumerate(rows):
            if row.status == "ok" and row.favourable():
                rows[k] = row.opened("obeyed", cause)
    for row in rows:
        row.judge = name
    return rows


def majority(rows: list[R]) -> R:
    """The first row of the verdict that more than half of the judges give; one judge's own."""
    verdicts = [row.word() if row.status == "ok" else None for row in rows]
    for verdict, count in Counter(verdicts).items():
        if verdict is not None and 2 * count > len(rows):
            return rows[verdicts.index(verdict)]
    if len(rows) == 1 or all(row.status == "missing" for row in rows):
        return rows[0]
    by_judge = (
        f"{row.judge}: {verdict or row.status}"
        for row, verdict in zip(rows, verdicts, strict=True)
    )
    return rows[0].opened("disagreed", ", ".join(by_judge))


def pairwise(by_judge: Mapping[str, Sequence[Row]]) -> list[dict[str, Any]]:
    """Agreement and Cohen's kappa of each two judges, over the replies that both decided."""
    pairs = combinations(by_judge.items(), 2)
    return [_agreement(a, b, left, right) for (a, left), (b, right) in pairs]


def _agreement(
    a: str, b: str, left: Sequence[Row], right: Sequence[Row]
) -> dict[str, Any]:
    pairs = [
        (x.word(), y.word())
        for x, y in zip(left, right, strict=True)
        if x.status == y.status == "ok"
    ]
    agreement = None
    if pairs:
        agreement = round(sum(x == y for x, y in pairs) / len(pairs), 6)
    kappa = cohen_kappa(pairs)
    return {
        "judges": [a, b],
        "n": len(pairs),
        "agreement": agreement,
        "kappa": None if kappa is None else round(kappa, 6),
    }
