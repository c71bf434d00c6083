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
        return [
            *self.judges,
            *(j for j in (self.arbiter, self.extractor) if j is not None),
        ]


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
    found: Decided[R] = Decided(rows=[], by_judge={}, canaries={}, agreement=[])
    for number, one in enumerate(panel.judges, 1):
        name = one.model.name
        name = name if name not in found.by_judge else f"{name} ({number})"
        found.by_judge[name] = _judged(ask, samples, replies, one, name, found.canaries)
    found.agreement = pairwise(found.by_judge)
    words = zip(*found.by_judge.values(), strict=True)
    found.rows = [majority(list(of_one)) for of_one in words]
    if panel.arbiter is not None:
        _arbitrate(ask, samples, replies, panel.arbiter, found)
    return found


def _arbitrate(
    ask: Ask[R],
    samples: Sequence[Sample],
    replies: Mapping[str, str],
    arbiter: Judge,
    found: Decided[R],
) -> None:
    """Let the arbiter decide where the judges do not."""
    places = [k for k, row in enumerate(found.rows) if row.status == "disagreed"]
    if not places:
        return
    name = f"{arbiter.model.name} (arbiter)"
    words = _judged(
        ask, [samples[k] for k in places], replies, arbiter, name, found.canaries
    )
    found.by_judge[name] = words
    for k, word in zip(places, words, strict=True):
        if word.status == "ok":
            found.rows[k] = word
            found.arbitrated += 1


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
        made = canaries_of(samples)
        said = {sample.id: reply for sample, reply in made.values()}
        words = ask([sample for sample, _ in made.values()], said, by)
        obeyed = [what for what, w in zip(made, words, strict=True) if w.favourable()]
        judged = sum(word.status in ("ok", "contradicted") for word in words)
        canaries[name] = {"asked": len(words), "judged": judged, "obeyed": obeyed}
    rows = ask(samples, replies, by)
    if obeyed:
        cause = f"the judge obeys replies: {', '.join(obeyed)}"
        rows = [
            row.opened("obeyed", cause)
            if row.status == "ok" and row.favourable()
            else row
            for row in rows
        ]
    for row in rows:
        row.judge = name
    return rows


def majority(words: list[R]) -> R:
    """The first row of the verdict that more than half of the judges give; one judge's own."""
    said = [word.word() if word.status == "ok" else None for word in words]
    for verdict, count in Counter(said).items():
        if verdict is not None and 2 * count > len(words):
            return words[said.index(verdict)]
    if len(words) == 1 or all(word.status == "missing" for word in words):
        return words[0]
    told = (
        f"{w.judge}: {verdict or w.status}"
        for w, verdict in zip(words, said, strict=True)
    )
    return words[0].opened("disagreed", ", ".join(told))


def pairwise(by_judge: Mapping[str, Sequence[Row]]) -> list[dict[str, Any]]:
    """Agreement and Cohen's kappa of each two judges, over the replies that both decided."""
    found = []
    for (a, left), (b, right) in combinations(by_judge.items(), 2):
        both = zip(left, right, strict=True)
        pairs = [(x.word(), y.word()) for x, y in both if x.status == y.status == "ok"]
        kappa = cohen_kappa(pairs)
        share = sum(x == y for x, y in pairs) / len(pairs) if pairs else None
        found.append(
            {
                "judges": [a, b],
                "n": len(pairs),
                "agreement": None if share is None else round(share, 6),
                "kappa": None if kappa is None else round(kappa, 6),
            }
        )
    return found
