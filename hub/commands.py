"""`benchwright publish` and `benchwright site`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..base.commands import Printed
from ..base.terminal import table


def publish(
    release: Path, *, check: bool = False, dry_run: bool = False, **options: Any
) -> Printed:
    """Publish RELEASE on the hub as the data set --to, tagged with its version.

    Proved first, then compared with what is there: nothing is overwritten, and the same command
    goes on where one was cut off. The key is the hub's own affair: `hf auth login`, or HF_TOKEN.

    Example:
      benchwright publish out/math-v-mini-1.0.0 --to me/math-v-mini --check
      benchwright publish out/math-v-mini-1.0.0 --to me/math-v-mini --dry-run
      benchwright publish out/math-v-mini-1.0.0 --to me/math-v-mini --private
    """
    from .publish import publish as run

    plan = run(release, check=check, dry_run=dry_run, **options)
    text = ""
    if plan.findings:
        findings = [
            [finding.where, finding.what, "stops" if finding.stops else ""]
            for finding in plan.findings
        ]
        text += f"{table(findings, ['where', 'what', ''])}\n\n"
    if dry_run:
        header, rows = plan.table()
        text += f"{table(rows, header)}\n\n"
    failed = check and any(finding.stops for finding in plan.findings)
    return Printed(plan, text + plan.headline(), failed=failed)


def site(release: Path, runs: Sequence[Path] = (), *, out: Path) -> Printed:
    """Write RELEASE's browse page and a leaderboard of RUNS as a folder for any web host.

    Example:
      benchwright site out/math-v-mini-1.0.0 scores/gpt scores/qwen --out site
    """
    from .site import site as run

    result = run(release, runs, out=out)
    return Printed(result, result.headline())
