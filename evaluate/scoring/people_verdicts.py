"""People's verdicts on replies, as `view` saves them: they decide what the rules left open.

A verdict is bound to the reply and the gold that were shown. It never changes what the rules
decided: where people say otherwise, that is listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...base.files import read_jsonl, sha256_file
from ...errors import UserError
from ...problem import Vote
from ..metrics import OPEN, Result

FIELD = "correct"
VALUES = {"true": True, "false": False, "right": True, "wrong": False}
Verdicts = dict[str, bool]  # person -> verdict


def decide_by_people(results: Sequence[Result], path: Path) -> dict[str, Any]:
    """Let the majority of people decide the open replies of `results`, and say what became of all.

    `decided` replies were open, `against_rules` names those on which people contradict a verdict
    of the rules (which stands), `tied` those on which they are not of one mind, `stale` those whose
    verdicts were given for another reply or gold, `unknown` what is no sample here. Raises
    UserError for a file that holds no verdicts.
    """
    votes = _read(path)
    ids = {result.id for result in results}
    against_rules: list[str] = []
    tied: list[str] = []
    decided: list[bool] = []
    used: set[tuple[str, str]] = set()
    for result in results:
        keys = _keys(result)
        used.update(keys)
        people: Verdicts = {}
        for key in reversed(keys):
            people |= votes.get(key, {})
        verdict = _majority(people)
        if verdict is None:
            if people:
                tied.append(result.id)
        elif result.status in OPEN:
            decided.append(verdict)
            result.status, result.decided_by, result.correct = "ok", "person", verdict
            result.rule, result.how = "person", ", ".join(sorted(people))
        elif verdict != result.correct:
            against_rules.append(result.id)
    return {
        "file": path.name,
        "sha256": sha256_file(path),
        "people": sorted({person for people in votes.values() for person in people}),
        "decided": len(decided),
        "right": sum(decided),
        "unknown": sorted({name for name, _ in votes} - ids),
        "against_rules": against_rules,
        "tied": tied,
        "stale": sorted({name for name, _ in votes.keys() - used if name in ids}),
    }


def _keys(result: Result) -> list[tuple[str, str]]:
    """Under which sample and reply verdicts on a result stand; the more telling one first."""
    keys = [(result.id, result.about())]
    if result.repeat == 1:
        keys.append((result.id, ""))  # verdicts that do not say on which reply
    return keys


def _read(path: Path) -> dict[tuple[str, str], Verdicts]:
    """By sample and reply what each person said last."""
    latest: dict[tuple[str, str, str], Vote] = {}
    for vote in read_jsonl(path, Vote):
        if vote.field == FIELD and vote.kind == "human":
            key = (vote.problem_id, vote.about, vote.annotator)
            if key not in latest or vote.at >= latest[key].at:
                latest[key] = vote
    verdicts: dict[tuple[str, str], Verdicts] = {}
    for (name, about, person), vote in latest.items():
        value = VALUES.get(str(vote.value).lower())
        if value is None:
            raise UserError(
                f"{path}: {person} says {vote.value!r} of {name}", "say true or false"
            )
        if not vote.withdrawn:
            verdicts.setdefault((name, about), {})[person] = value
    if not latest:
        raise UserError(
            f"{path} holds no verdicts of people",
            'lines are votes: {"problem_id": SAMPLE, "field": "correct", "value": "true", ...}',
        )
    return verdicts


def _majority(people: Verdicts) -> bool | None:
    """What more than half of the people say.

    >>> _majority({"ada": True, "bo": True, "cy": False}), _majority({"ada": True, "bo": False})
    (True, None)
    """
    counts = Counter(people.values())
    right, wrong = counts[True], counts[False]
    return None if right == wrong else right > wrong
