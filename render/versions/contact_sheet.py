"""The contact sheet: every problem's versions side by side on one HTML page, to look at."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

from ...display import texts_of
from ...files import path_or_none, read_jsonl
from ...pages import Card, card_of, history_address, write_page
from ...problem import Sample
from ...release import all_samples
from ..issues import Issue


def contact_sheet(
    path: Path,
    samples: Iterable[Sample],
    title: str,
    issues: Mapping[str, list[Issue]] | None = None,
    root: str = "",
    history: str = "",
) -> None:
    """Write the page `path` with one row a problem, its versions and steps side by side.

    `root` leads from the page to the folder of the pictures, `history` to the problems' histories;
    `issues` by problem id stand in the problem's first sample and can be filtered by.
    """
    cards = _cards(samples, issues or {})
    write_page(path, title, cards=cards, root=root, together=True, history=history)


def _cards(samples: Iterable[Sample], issues: Mapping[str, list[Issue]]) -> Iterator[Card]:
    for problem, group in groupby(samples, lambda sample: sample.problem_id):
        found = issues.get(problem, [])
        codes = sorted({issue.code for issue in found}) or ["none"]
        for k, sample in enumerate(group):
            version = [sample.version] if sample.version else []
            labels = {name: texts_of(value) for name, value in sorted(sample.labels.items())}
            card = card_of(sample, {"issue": codes, "version": version} | labels)
            if k == 0:
                card.warnings = [
                    " ".join(filter(None, (i.code, i.message, i.where))) for i in found
                ]
            yield card


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
    samples = all_samples(release)
    history = history_address(release, target)
    contact_sheet(target, samples, release.name, by_problem, quote(f"{root}/"), history)
    return target


def read_issues(table: Path | None) -> dict[str, list[Issue]]:
    """The rows of a table `issues.jsonl` by problem id; none when there is no table."""
    issues: dict[str, list[Issue]] = {}
    for row in read_jsonl(table, dict) if table and table.exists() else []:
        issue = Issue(row["code"], row["message"], row["where"])
        issues.setdefault(row["id"], []).append(issue)
    return issues
