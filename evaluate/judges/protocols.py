"""Which judged protocols a split allows, and running them: what `score --judge` adds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...base.files import read_jsonl
from ...errors import UserError
from ...problem import Sample
from ..metrics import OPEN, VERDICTS, IsCorrect, Result
from . import chain_of_thought, first_error, matched_answers, undecided_answers
from .panel import Decided, Panel, R, decide


class JudgeWord(msgspec.Struct, kw_only=True):
    """What one judge said of one reply: a line of judges.jsonl. `verdict` is None while open."""

    protocol: str
    judge: str
    id: str
    repeat: int = 1
    status: str
    verdict: str | None


class Judged(msgspec.Struct, kw_only=True):
    """What the protocols found: parts of scores.json, lines by file name, notes by sample."""

    parts: dict[str, Any] = {}
    files: dict[str, list[Any]] = {}
    notes: dict[str, list[str]] = {}


def run_protocols(
    names: Sequence[str],
    results: Sequence[Result],
    samples: Sequence[Sample],
    replies: Mapping[str, str],
    release: Path,
    panel: Panel,
    is_right: IsCorrect = VERDICTS["robust"],
) -> Judged:
    """Run the protocols named; `is_right` is the verdict of the profile in hand.

    `answers` lets the judges decide what rules left open and changes `results`, every repeat of
    them; `cot` scores every reply; `process` finds first errors; `wo` is MathVerse's accuracy by
    two models. Raises UserError where one beside `answers` meets several replies a sample.
    """
    if set(names) - {"answers"} and any(result.repeat > 1 for result in results):
        raise UserError(
            "the protocols cot, process and wo read one reply a sample, and there are several",
            "use --protocol answers, or give one repeat in a file of its own",
        )
    found = Judged(parts=_who(panel))
    if "answers" in names:
        _answers(found, results, samples, panel)
    if "cot" in names:
        right = {
            r.id
            for r in results
            if _decided(r) and r.correct and r.decided_by == "rule"
        }
        decided = decide(
            lambda some, said, by: chain_of_thought.evaluate_cot(
                some, said, release, by, panel, right
            ),
            samples[: panel.limit],
            replies,
            panel,
        )
        cot = chain_of_thought.cot_summary(decided.rows, results, panel.alpha)
        _keep(found, "cot", decided, cot, chain_of_thought.notes)
    if "process" in names:
        _process(found, results, samples, replies, release, panel, is_right)
    if "wo" in names:
        matched = decide(
            lambda some, said, by: matched_answers.match_answers(some, said, by, panel),
            samples[: panel.limit],
            replies,
            panel,
        )
        wo = matched_answers.wo_summary(matched.rows, results)
        _keep(found, "wo", matched, wo, matched_answers.notes)
    return found


def _decided(result: Result) -> bool:
    return result.status == "ok"


def judge_words(folder: Path) -> dict[tuple[str, int], dict[str, str]]:
    """What each judge said of the replies that rules had left open, by sample and reply; from a
    score."""
    path = folder / "judges.jsonl"
    words = dict[tuple[str, int], dict[str, str]]()
    for word in read_jsonl(path, JudgeWord) if path.exists() else ():
        if word.protocol == "answers":
            words.setdefault((word.id, word.repeat), {})[word.judge] = (
                word.verdict or f"open: {word.status}"
            )
    return words


def _who(panel: Panel) -> dict[str, Any]:
    names = [judge.model.name for judge in panel.judges]
    parts: dict[str, Any] = {"model": " + ".join(names)}
    if words := next((w.words for w in panel.wording.values() if w.words), ""):
        parts["words"] = words
    for role, one in (("arbiter", panel.arbiter), ("extractor", panel.extractor)):
        if one is not None:
            parts[role] = one.model.name
    return parts


def _answers(
    found: Judged, results: Sequence[Result], samples: Sequence[Sample], panel: Panel
) -> None:
    by_id = {sample.id: sample for sample in samples}
    undecided = [r for r in results if r.status in OPEN]
    open_ = {_key(r): r for r in undecided if (r.response or "").strip()}
    if panel.limit is not None:
        open_ = dict(list(open_.items())[: panel.limit])
    asked = [msgspec.structs.replace(by_id[r.id], id=key) for key, r in open_.items()]
    texts = {key: r.response or "" for key, r in open_.items()}
    wording = panel.wording["answers"]
    decided = decide(
        lambda some, said, by: undecided_answers.judge_answers(some, said, by, wording),
        asked,
        texts,
        panel,
    )
    for row in _every(decided):
        row.id, row.repeat = open_[row.id].id, open_[row.id].repeat
    undecided_answers.settle(list(open_.values()), decided.rows)
    summary = undecided_answers.answers_summary(decided.rows)
    _keep(found, "answers", decided, summary, undecided_answers.notes)


def _every(decided: Decided[R]) -> list[R]:
    """Each row once: those that stand are mostly a judge's own."""
    rows = [*decided.rows, *(row for rows in decided.by_judge.values() for row in rows)]
    return list({id(row): row for row in rows}.values())


def _key(result: Result) -> str:
    """A reply's name in a run: the sample's, with the number of its repeat."""
    return result.id if result.repeat == 1 else f"{result.id}\0{result.repeat}"


def _process(
    found: Judged,
    results: Sequence[Result],
    samples: Sequence[Sample],
    replies: Mapping[str, str],
    release: Path,
    panel: Panel,
    is_right: IsCorrect,
) -> None:
    """First errors of every reply that the profile calls wrong, refusals and unread ones included.

    Where rules read an answer and call it wrong, "no error" is no word that stands.
    """
    wrong = {r.id for r in results if r.id in replies and not is_right(r)}
    by_rules = {
        r.id for r in results if r.id in wrong and _decided(r) and not r.correct
    }
    known = [s for s in samples if first_error.is_classed(s, s.id in wrong)]
    left_out = len(samples) - len(known)
    known = known[: panel.limit]
    wording = panel.wording["process"]
    ours = {s.id for s in known}
    decided = decide(
        lambda some, said, by: (
            first_error.evaluate_process(  # canaries are wrong as they are made
                some,
                said,
                release,
                by,
                wording,
                by_rules | {s.id for s in some if s.id not in ours},
                wrong,
            )
        ),
        known,
        replies,
        panel,
    )
    summary = first_error.process_summary(decided.rows) | {"not_asked": left_out}
    _keep(found, "process", decided, summary, first_error.notes)


def _keep(
    found: Judged,
    protocol: str,
    decided: Decided[R],
    summary: dict[str, Any],
    notes: Callable[[R], list[str]],
) -> None:
    """Note the figures, the lines of the files, the canaries, and how far the judges agree."""
    found.parts[protocol] = summary
    for row in decided.rows:
        found.notes.setdefault(row.id, []).extend(notes(row))
    found.files[f"{protocol}.jsonl"] = decided.rows
    found.files.setdefault("judges.jsonl", []).extend(
        JudgeWord(
            protocol=protocol,
            judge=row.judge,
            id=row.id,
            repeat=getattr(row, "repeat", 1),
            status=row.status,
            verdict=row.word() if row.status == "ok" else None,
        )
        for rows in decided.by_judge.values()
        for row in rows
    )
    found.parts.setdefault("canaries", {})[protocol] = decided.canaries
    if decided.agreement:
        found.parts.setdefault("agreement", {})[protocol] = decided.agreement
        found.parts.setdefault("arbitrated", {})[protocol] = decided.arbitrated
