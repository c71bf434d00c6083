"""The contact sheet: every problem's versions side by side on one HTML page, to look at."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

from ...base.display import texts_of
from ...base.files import path_or_none, read_jsonl
from ...pages import Card, card_of, history_address, write_page
from ...problem import Sample
from ...release import all_problems, all_samples, beside
from ..issues import Issue
from .six_versions import spec_of


def contact_sheet(
    path: Path,
    samples: Iterable[Sample],
    title: str,
    issues: Mapping[str, list[Issue]] | None = None,
    root: str = "",
    before: Mapping[str, str] | None = None,
    history: str = "",
) -> None:
    """Write the page `path` with one row a problem, its versions and steps side by side.

    `root` leads from the page to the folder of the pictures, `history` to the problems' histories;
    `issues` by problem id stand in the problem's first sample and can be filtered by. `before` is
    by problem id the original picture that something was erased from: it stands before the
    versions.
    """
    cards = _cards(samples, issues or {}, before or {})
    about = "Every problem with its versions and steps side by side."
    if issues:
        about += f" Problems with issues: {len(issues):,}."
    write_page(
        path, title, about=about, cards=cards, root=root, together=True, history=history
    )


def originals(folder: Path) -> dict[str, str]:
    """By problem id the picture, where a spec takes something off it."""
    return {
        problem.id: problem.images[0].path
        for problem in all_problems(folder)
        if problem.images
        and re.search(r"(?m)^erase\s*:", spec_of(problem))
        and (folder / problem.images[0].path).is_file()
    }


def _cards(
    samples: Iterable[Sample],
    issues: Mapping[str, list[Issue]],
    before: Mapping[str, str],
) -> Iterator[Card]:
    for problem, group in groupby(samples, lambda sample: sample.problem_id):
        problem_issues = issues.get(problem, [])
        codes = sorted({issue.code for issue in problem_issues}) or ["none"]
        if problem in before:
            key = f"{problem}-original"
            picture = before[problem]
            facets = {"issue": codes, "version": ["original"]}
            yield Card(key, problem, facets, "original", "", pictures=[picture])
        for k, sample in enumerate(group):
            version = [sample.version] if sample.version else []
            labels = {
                name: texts_of(value) for name, value in sorted(sample.labels.items())
            }
            card = card_of(sample, {"issue": codes, "version": version} | labels)
            if k == 0:
                card.warnings = [_warning(issue) for issue in problem_issues]
            yield card


def _warning(issue: Issue) -> str:
    return " ".join(filter(None, (issue.code, issue.message, issue.where)))


def write_contact(
    release: str | Path, out: str | Path | None = None, issues: str | Path | None = None
) -> Path:
    """Write a page that shows every problem's samples side by side; returns its path.

    Args:
        release: Folder of the release.
        out: Page to write [default: RELEASE-contact.html].
        issues: The issues.jsonl that the stage `versions` wrote.

    Raises UserError when the folder holds no samples.

    Example: `write_contact("out/six-1.0.0")`
    """
    release = Path(release)
    target = Path(out or beside(release, "contact.html"))
    root = Path(os.path.relpath(release, target.parent)).as_posix()
    by_problem = read_issues(path_or_none(issues))
    samples = all_samples(release)
    contact_sheet(
        target,
        samples,
        release.name,
        by_problem,
        quote(f"{root}/"),
        before=originals(release),
        history=history_address(release, target),
    )
    return target


def read_issues(table: Path | None) -> dict[str, list[Issue]]:
    """The rows of a table `issues.jsonl` by problem id; none when there is no table."""
    issues: dict[str, list[Issue]] = {}
    for row in read_jsonl(table, dict) if table and table.exists() else []:
        issue = Issue(row["code"], row["message"], row["where"])
        issues.setdefault(row["id"], []).append(issue)
    return issues
