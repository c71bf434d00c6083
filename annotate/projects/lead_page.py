"""The lead's page: people, who disagrees with whom on what, what they write, what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...pages import Cell, Headline, ReportTable, Section, write_page
from .progress import Status
from .team import Pair

SHOWN = 20  # rows of a table; `status --json` has all


def write_status(found: Status, out: Path) -> None:
    """The status as one page."""
    header, rows = found.table()
    fast = [name for name, progress in found.people.items() if progress.fast]
    people = [
        f"{found.wanted} answers are wanted per task. {found.gold_tasks} gold (control) tasks: "
        "those of push --gold, and those with an answer that the curator marked as ground truth.",
        *(
            [f"Less than a third of the others' time for a task: {', '.join(fast)}."]
            if fast
            else []
        ),
    ]
    kinds = [kind for kind, taken in found.seconds.items() if taken]
    names = sorted({name for taken in found.seconds.values() for name in taken})
    seconds = [
        [name, *(round(found.seconds[kind].get(name, 0)) or "" for kind in kinds)]
        for name in names
    ]
    alphas = [
        [field, "n/a" if alpha is None else f"{alpha:.3f}"]
        for field, alpha in found.agreement.items()
    ]
    pairs = [
        [p.field, p.one, p.other, p.items, p.differ, _values(p)]
        for p in found.pairs
        if p.differ
    ]
    remarks = [[r.at[:16], r.annotator, r.id, r.control, r.text] for r in found.written]
    waiting = [[Cell(t.id, address=t.url), t.answers, t.why] for t in found.next]
    sections = [
        _section("People", header, rows, *people),
        _section("Seconds a task, by person and kind", ["annotator", *kinds], seconds),
        _section(
            "Agreement so far",
            ["field", "alpha"],
            alphas,
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
    hours = "n/a" if found.hours_left is None else f"{found.hours_left:,}"
    headlines = [
        Headline("done", f"{found.done:,}", f"of {found.tasks:,} tasks"),
        Headline("started", f"{found.started:,}"),
        Headline("open", f"{found.open:,}"),
        Headline("skipped", f"{found.skipped:,}"),
        Headline("hours left", hours),
        Headline("to be asked again", f"{found.refused:,}", "refused and half answers"),
    ]
    write_page(out, f"Labelling: {found.kind}", sections, headlines=headlines)


def _section(
    title: str, header: Sequence[str], rows: Sequence[Sequence[object]], *texts: str
) -> Section:
    """A table, or the words that there is nothing; a long one is cut, and says so."""
    if not rows:
        return Section(title, [*texts, "Nothing so far."])
    cut = f"The first {SHOWN} of {len(rows):,}; annotate status --json has all."
    more = [cut] if len(rows) > SHOWN else []
    shown = ReportTable(list(header), [list(row) for row in rows[:SHOWN]])
    return Section(title, [*texts, *more], [shown])


def _values(pair: Pair) -> str:
    return "; ".join(f"{one} / {other} ({n})" for one, other, n in pair.most)
