"""The lead's page: people, who disagrees with whom on what, what they write, what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...pages import Cell, Headline, ReportTable, Section, write_page
from .progress import Progress, Status
from .team import Pair

MOST_SAID = 4  # answers of a person that the page names
SHOWN = 20  # rows of a table; `status --json` has all


def write_status(status: Status, out: Path) -> None:
    """The status as one page."""
    pairs = [
        [p.field, p.one, p.other, p.items, p.differ, _values(p)]
        for p in status.pairs
        if p.differ
    ]
    remarks = [
        [r.at[:16], r.annotator, r.id, r.control, r.text] for r in status.written
    ]
    waiting = [[Cell(t.id, address=t.url), t.answers, t.why] for t in status.next]
    sections = [
        _people(status),
        _section(
            "What each did",
            ["annotator", "first", "last", "agrees with the others", "said most"],
            [_done_by(name, p) for name, p in status.people.items()],
            "Agreement with the majority of the others, by field.",
        ),
        *_deals(status),
        _seconds(status),
        _section(
            "Agreement so far",
            ["field", "alpha"],
            status.alpha_rows(),
            "Krippendorff's alpha of each field.",
        ),
        _section(
            "Who disagrees with whom, on what",
            ["field", "one", "other", "items of both", "differ", "most often"],
            pairs,
        ),
        _section(
            "What people wrote, the newest first",
            ["when", "who", "problem", "about", "text"],
            remarks,
        ),
        _section("What comes next", ["task", "answers", "why"], waiting),
    ]
    hours = "n/a" if status.hours_left is None else f"{status.hours_left:,}"
    headlines = [
        Headline("done", f"{status.done:,}", f"of {status.tasks:,} tasks"),
        Headline("started", f"{status.started:,}"),
        Headline("open", f"{status.open:,}"),
        Headline("skipped", f"{status.skipped:,}"),
        Headline("hours left", hours),
        Headline(
            "to be asked again", f"{status.refused:,}", "refused and half answers"
        ),
    ]
    write_page(out, f"Labelling: {status.kind}", sections, headlines=headlines)


def _people(status: Status) -> Section:
    header, rows = status.table()
    texts = [
        f"{status.wanted} answers are wanted per task. {status.gold_tasks} gold (control) tasks: "
        "those of push --gold, and those with an answer that a lead marked as ground truth."
    ]
    fast = [name for name, progress in status.people.items() if progress.fast]
    if fast:
        names = ", ".join(fast)
        texts.append(f"Less than a third of the others' time for a task: {names}.")
    return _section("People", header, rows, *texts)


def _done_by(name: str, progress: Progress) -> list[str]:
    """One person's row: when, how far with the others, and what most."""
    agrees = [f"{field} {share:.2f}" for field, share in progress.agrees.items()]
    said = [
        f"{value} ({count})"
        for value, count in list(progress.given.items())[:MOST_SAID]
    ]
    first, last = progress.first[:16], progress.last[:16]
    return [name, first, last, "; ".join(agrees), "; ".join(said)]


def _deals(status: Status) -> list[Section]:
    """Whose part is how far; none in a project without groups."""
    if not status.deals:
        return []
    rows = [[d.group, ", ".join(d.people), d.tasks, d.open] for d in status.deals]
    text = "What is open of a group that is away goes to others by push --away."
    header = ["group", "people", "tasks", "open"]
    return [_section("Deals", header, rows, text)]


def _seconds(status: Status) -> Section:
    medians = {kind: by_name for kind, by_name in status.seconds.items() if by_name}
    names = sorted({name for by_name in medians.values() for name in by_name})
    rows = [
        [name, *(round(by_name.get(name, 0)) or "" for by_name in medians.values())]
        for name in names
    ]
    title = "Seconds a task, by person and kind"
    return _section(title, ["annotator", *medians], rows)


def _section(
    title: str, header: Sequence[str], rows: Sequence[Sequence[object]], *texts: str
) -> Section:
    """A table, or the words that there is nothing; a long one is cut, and says so."""
    if not rows:
        return Section(title, [*texts, "Nothing so far."])
    notes = list(texts)
    if len(rows) > SHOWN:
        notes.append(
            f"The first {SHOWN} of {len(rows):,}; annotate status --json has all."
        )
    table = ReportTable(list(header), [list(row) for row in rows[:SHOWN]])
    return Section(title, notes, [table])


def _values(pair: Pair) -> str:
    return "; ".join(f"{a} / {b} ({count})" for a, b, count in pair.most)
