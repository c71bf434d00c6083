"""Golds that are likely wrong, ranked: `benchwright suspects` and its Python twin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from ..base.display import Rows, Table
from ..base.files import inside, write_jsonl, write_text
from ..dedup import Item, find_pairs
from ..errors import UserError
from ..evaluate.metrics import Run
from ..evaluate.predictions import read_material
from ..evaluate.report import write_cases
from ..evaluate.runs import read_run, require_alike
from ..pages import Rich, formula
from ..problem import Record, Sample
from .gold_evidence import PRIOR, Twins, Weighed, bare, meant, weighed

LOOKED_AT = 2_000  # golds of which twins are put together
SURE = 0.73  # of being one problem by all but the answer, as of an erratum among duplicates


class Suspect(Record, kw_only=True):
    """A gold and what speaks against it; `chance` is that of its being wrong, by the evidence.

    `says` is the answer that the evidence names, `moves` how many points each run's accuracy gains
    if that answer is right.
    """

    id: str
    problem_id: str
    gold: str
    says: str | None
    chance: float
    why: dict[str, list[str]]  # kind of evidence -> what was seen
    moves: dict[str, float]

    def reason(self) -> str:
        """All that was seen, in one line."""
        return "; ".join(chain.from_iterable(self.why.values()))


class Suspects(Rows[Suspect]):
    """Golds to look at, the likeliest wrong first."""

    __slots__ = ()

    def headline(self) -> str:
        return f"{len(self)} suspected golds"

    def table(self) -> Table:
        rows = [
            [s.id, f"{s.chance:.2f}", s.gold, s.says or "", s.reason()] for s in self
        ]
        return ["sample", "chance", "gold", "evidence says", "why"], rows


def suspects(
    release: str | Path,
    runs: Sequence[str | Path],
    out: str | Path | None = None,
    *,
    split: str | None = None,
    answers: str | Path | None = None,
    top: int = 50,
) -> Suspects:
    """Rank the golds of a split that are likely wrong.

    Evidence: a solution that announces another answer; replies of runs that agree against the gold,
    weighed by their strength and independence; chains of thought that go as the solution does and
    end otherwise; twins with another gold; what `check` finds. With `out`: suspects.jsonl, a page
    with every reply, and errata.yaml to be reviewed: nothing is corrected by itself.

    Args:
        release: Folder of the release, an export of it, one split's file, or another table.
        runs: Folders that `score` wrote.
        out: Folder for suspects.{jsonl,html} and errata.yaml.
        split: Split to look at [default: that of the runs].
        answers: Private folder, or its answers.jsonl, of a release that withholds answers.
        top: How many are told.

    Raises UserError where runs are of different splits, and without any evidence to look at.

    Example: `suspects("out/math-v-1.0.0", ["scores/gpt", "scores/qwen"])[0].why`
    """
    scored = [read_run(Path(folder)) for folder in runs]
    if scored:
        require_alike(scored)
        split = split or scored[0].scores.split
    if not split:
        raise UserError("no split to look at", "give scored runs, or --split")
    material = read_material(release, split, answers)
    material.say_lost()
    samples = [sample for sample in material.samples if sample.answer]
    twins = twins_of(samples, material.root)
    candidates = map(_suspect, samples, weighed(samples, scored, twins))
    ranked = sorted(candidates, key=lambda s: -s.chance)[:LOOKED_AT]
    ranked = _one_of_twins(ranked, twins, samples)
    likely = [suspect for suspect in ranked[:top] if suspect.chance > PRIOR]
    result = Suspects(_moved(suspect, scored, len(samples)) for suspect in likely)
    if out is not None:
        _write(Path(out), result, scored, samples, material.root)
    return result


def twins_of(samples: Sequence[Sample], root: Path) -> list[Twins]:
    """Pairs of samples that are one problem in other words, or with another picture.

    Versions of one problem are none. What golds say is left out: they are what is in doubt.
    """
    items = []
    for sample in samples:
        items.append(
            Item(
                id=sample.id,
                question=sample.asked(),
                options=[(option.label, option.text) for option in sample.options],
                pictures=[str(inside(root, image.path)) for image in sample.images],
                language=sample.language,
            )
        )
    origins = {sample.id: sample.origin for sample in samples}
    return [
        Twins(pair.a, pair.b, pair.score)
        for pair in find_pairs(items)
        if pair.linked
        and pair.kind != "contained"
        and origins[pair.a] != origins[pair.b]
    ]


def _one_of_twins(
    ranked: Sequence[Suspect], twins: Sequence[Twins], samples: Sequence[Sample]
) -> list[Suspect]:
    """Of one problem's golds that differ the one that fewest share: whoever looks at it sees the
    others."""
    group = {sample.id: sample.id for sample in samples}
    for a, b, _ in twins:
        joined = {group[a], group[b]}
        group = {
            name: min(joined) if of in joined else of for name, of in group.items()
        }
    shared = Counter((group[s.id], bare(meant(s, s.answer or ""))) for s in samples)
    by_id = {sample.id: sample for sample in samples}

    def like(suspect: Suspect) -> int:
        sample = by_id[suspect.id]
        return shared[group[suspect.id], bare(meant(sample, suspect.gold))]

    def by_twins(suspect: Suspect) -> bool:
        return "twins" in suspect.why

    told: set[str] = set()
    kept = []
    for suspect in ranked:
        name = group[suspect.id]
        if by_twins(suspect):
            if name in told:
                continue
            told.add(name)
            same = [s for s in ranked if group[s.id] == name and by_twins(s)]
            rarest = min(same, key=like)
            rarest.chance = suspect.chance  # that one of these golds is wrong
            suspect = rarest
        kept.append(suspect)
    return kept


def _suspect(sample: Sample, evidence: Weighed) -> Suspect:
    why: dict[str, list[str]] = {}
    for clue in evidence.telling:
        why.setdefault(clue.kind, []).append(clue.words)
    return Suspect(
        id=sample.id,
        problem_id=sample.problem_id,
        gold=sample.answer or "",
        says=next((clue.says for clue in evidence.telling if clue.says), None),
        chance=round(evidence.chance, 6),
        why=why,
        moves={},
    )


def _moved(suspect: Suspect, runs: Sequence[Run], n: int) -> Suspect:
    """What each run would gain or lose if the evidence is right."""
    moves = {}
    for run in runs:
        result = next((r for r in run.results if r.id == suspect.id), None)
        if result is not None and suspect.says is not None:
            now = bare(result.extracted) == bare(suspect.says)
            moves[run.name] = round((now - run.verdict(result)) / n, 6)
    suspect.moves = {name: value for name, value in moves.items() if value}
    return suspect


def _write(
    out: Path,
    ranked: Suspects,
    runs: Sequence[Run],
    samples: Sequence[Sample],
    release: Path,
) -> None:
    write_jsonl(out / "suspects.jsonl", ranked)
    entries: list[dict[str, Any]] = [
        {
            "id": suspect.problem_id,
            "field": "answer",
            "old": suspect.gold,
            "new": suspect.says,
            "reason": suspect.reason(),
        }
        for suspect in ranked
        if suspect.says is not None
    ]
    head = "# Suspected golds, the likeliest first. Keep what you have looked at; then `errata:`.\n"
    body = yaml.safe_dump(entries, allow_unicode=True, sort_keys=False, width=10_000)
    write_text(out / "errata.yaml", head + body)
    counts = Counter(chain.from_iterable(suspect.why for suspect in ranked))
    cases = [(suspect.id, suspect.why) for suspect in ranked]
    facts = {suspect.id: _facts(suspect) for suspect in ranked}
    write_cases(
        out / "suspects.html",
        dict(counts),
        cases,
        runs,
        samples,
        release,
        "Suspected golds",
        facts,
    )


def _facts(suspect: Suspect) -> list[tuple[str, Rich]]:
    """What a card says before its evidence: the chance, the proposal, what it would move."""
    facts: list[tuple[str, Rich]] = [
        ("chance", f"{suspect.chance:.0%} that the gold is wrong")
    ]
    if suspect.says:
        facts.append(("proposal", formula(suspect.says)))
    if suspect.moves:
        moved = [f"{name} {100 * move:+.2f}" for name, move in suspect.moves.items()]
        facts.append(("would move", f"{', '.join(moved)} points"))
    return facts
