"""The contact sheet: every problem's versions side by side on one HTML page, to look at."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

from ...files import path_or_none, read_jsonl, write_text
from ...problem import Sample
from ...release import all_samples
from ...templating import fill
from ..issues import Issue

TEMPLATES = Path(__file__).parent / "templates"


def contact_sheet(
    samples: Iterable[Sample],
    title: str,
    issues: Mapping[str, list[Issue]] | None = None,
    root: str = "",
) -> str:
    """HTML with one row a problem; `root` leads from the page to the folder of the pictures.

    `issues` by problem id stand above the problem. All texts are escaped; nothing is loaded
    from elsewhere.
    """
    rows = [(problem, list(group)) for problem, group in groupby(samples, lambda s: s.problem_id)]
    return fill(TEMPLATES / "contact.html", title=title, rows=rows, issues=issues or {}, root=root)


def write_contact(
    release: str | Path, target: str | Path | None = None, issues: str | Path | None = None
) -> Path:
    """Write `<release>-contact.html` beside a release, or `target`; returns its path.

    `issues` is the table `issues.jsonl` that the stage `versions` wrote.
    Raises UserError when the folder holds no samples.

    Example: `write_contact("out/six-1.0.0")`
    """
    release = Path(release)
    target = Path(target or release.with_name(f"{release.name}-contact.html"))
    root = Path(os.path.relpath(release, target.parent)).as_posix()
    by_problem = read_issues(path_or_none(issues))
    page = contact_sheet(all_samples(release), release.name, by_problem, quote(f"{root}/"))
    write_text(target, page)
    return target


def read_issues(table: Path | None) -> dict[str, list[Issue]]:
    """The rows of a table `issues.jsonl` by problem id; none when there is no table."""
    issues: dict[str, list[Issue]] = {}
    for row in read_jsonl(table, dict) if table and table.exists() else []:
        issue = Issue(row["code"], row["message"], row["where"])
        issues.setdefault(row["id"], []).append(issue)
    return issues
