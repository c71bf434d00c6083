"""Stage `check`: validators, a findings file, and a policy for each code."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Literal

from ..base.files import encode, read_jsonl
from ..errors import UserError, nearest
from ..pipeline import Context, stage
from ..problem import Drop, Problem
from .rules import Finding, codes, findings_of
from .whole_set import set_findings

Action = Literal["keep", "drop", "fail"]


def _known(options: dict[str, Any]) -> None:
    for code in options.get("policy", {}):
        if code not in codes():
            raise UserError(f"check: unknown code {code!r}", nearest(code, codes()))


def _whole(folder: Path, options: dict[str, Any]) -> dict[str, list[bytes]]:
    """What the set shows as a set; all findings are known then, and some may have to fail."""
    problems = folder / "problems.jsonl"
    of_set = list(set_findings(lambda: read_jsonl(problems, Problem)))
    table = folder / "findings.jsonl"
    found = [*(read_jsonl(table, Finding) if table.exists() else ()), *of_set]
    _fail([finding for finding in found if _action(finding, options) == "fail"])
    return {"findings": [encode(finding) for finding in of_set]} if of_set else {}


def _fail(failed: list[Finding]) -> None:
    """Raises UserError where the policy says fail."""
    if failed:
        counts = ", ".join(
            f"{n} {code}" for code, n in sorted(Counter(f.code for f in failed).items())
        )
        first = "; ".join(f"{f.id} {f.where}: {f.value[:60]!r}" for f in failed[:5])
        raise UserError(
            f"check failed ({counts}); first: {first}",
            "repair the dump, or set the policy to drop",
        )


def _action(finding: Finding, options: dict[str, Any]) -> Action:
    group: Action = options.get(f"on_{finding.code.split('-')[0]}", "keep")
    # a warning is for a person; only its own policy acts on it
    if finding.level != "error":
        group = "keep"
    action: Action = options.get("policy", {}).get(finding.code, group)
    return action


@stage("check", check=_known, settled=_whole)
def check(
    problem: Problem,
    *,
    context: Context,
    on_gold: Action = "keep",
    on_option: Action = "keep",
    on_text: Action = "keep",
    on_picture: Action = "keep",
    on_steps: Action = "keep",
    on_lost: Action = "keep",
    policy: dict[str, Action] = {},  # noqa: B006 (never changed)
) -> Problem | Drop:
    """Run the validators; write findings.jsonl; keep, drop or fail by group or by code.

    `on_gold: drop` acts on all errors whose code starts with `gold-`; `policy: {gold-spaces: drop}`
    on one code, and goes before the group's. UserError is raised where the policy says fail.
    """
    options = {
        "on_gold": on_gold,
        "on_option": on_option,
        "on_text": on_text,
        "on_picture": on_picture,
        "on_steps": on_steps,
        "on_lost": on_lost,
        "policy": policy,
    }
    findings = list(findings_of(problem, context.work))
    for finding in findings:
        context.record("findings", finding)
    for finding in findings:
        if _action(finding, options) == "drop":
            what = f"{finding.code}: {finding.where}: {finding.value[:200]}"
            return Drop(id=problem.id, reason=what)
    return problem
