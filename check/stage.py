"""Stage `check`: validators, a findings file, and a policy for each code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from ..errors import UserError, nearest
from ..pipeline import Context, stage
from ..problem import Drop, Problem
from .rules import CODES, Finding, findings_of, id_duplicates

Action = Literal["keep", "drop", "fail"]


def check_problems(problems: list[Problem], root: Path | None = None) -> list[Finding]:
    """All findings on a set of problems, in the problems' order; `root` holds their pictures."""
    findings = [finding for problem in problems for finding in findings_of(problem, root)]
    return findings + list(id_duplicates(problems))


@stage("check", whole_set=True)
def check(
    problems: list[Problem],
    *,
    context: Context,
    on_gold: Action = "keep",
    on_option: Action = "keep",
    on_text: Action = "keep",
    on_picture: Action = "keep",
    on_steps: Action = "keep",
    policy: dict[str, Action] = {},  # noqa: B006 (never changed)
) -> Iterator[Problem | Drop]:
    """Run the validators; write findings.jsonl; keep, drop or fail by group or by code.

    `on_gold: drop` acts on all codes that start with `gold-`; `policy: {gold-wrapped: keep}` on
    one code, and goes before the group's. Raises UserError where the policy says fail.
    """
    groups = {
        "gold": on_gold,
        "option": on_option,
        "text": on_text,
        "picture": on_picture,
        "steps": on_steps,
    }
    for code in policy:
        if code not in CODES:
            raise UserError(f"check: unknown code {code!r}", nearest(code, CODES))

    def action(finding: Finding) -> Action:
        return policy.get(finding.code, groups.get(finding.code.split("-")[0], "keep"))

    findings = check_problems(problems, context.work)
    for finding in findings:
        context.record("findings", finding)
    _fail([finding for finding in findings if action(finding) == "fail"])
    dropped = {f.id: f for f in reversed(findings) if action(f) == "drop"}
    for problem in problems:
        cause = dropped.get(problem.id)
        if cause:
            yield Drop(id=problem.id, reason=f"{cause.code}: {cause.where}: {cause.value[:200]}")
        else:
            yield problem


def _fail(findings: list[Finding]) -> None:
    if findings:
        counts = ", ".join(
            f"{n} {code}" for code, n in sorted(Counter(f.code for f in findings).items())
        )
        first = "; ".join(f"{f.id} {f.where}: {f.value[:60]!r}" for f in findings[:5])
        raise UserError(
            f"check failed ({counts}); first: {first}", "repair the dump, or set the policy to drop"
        )
