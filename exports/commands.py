"""Commands on releases: sign, diff, show, statistics, export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..base.commands import Printed
from ..base.terminal import table

FEW = 12  # files that the terminal names


def sign(folder: Path, **options: Any) -> Printed:
    """Sign what a release, or a folder of scores, says of itself: statement.json.

    Example:
      openssl genpkey -algorithm ed25519 -out key.pem
      openssl pkey -in key.pem -pubout -out key.pub
      benchwright sign out/math-v-mini-1.0.0 --key key.pem
    """
    from ..base.statement import ENVELOPE
    from .anchor import sign as write

    name = write(folder, **options)
    data = {"folder": str(folder), "envelope": ENVELOPE, "key": name}
    return Printed(data, f"{folder / ENVELOPE}: signed with the key {name[:16]}")


def diff(old: Path, new: Path, **options: Any) -> Printed:
    """Compare two releases by problem id: added, removed, and what changed.

    Withheld answers are compared where both private folders are given or lie beside the releases.

    Example:
      benchwright diff out/math-v-mini-1.0.0 out/math-v-mini-1.1.0
    """
    from .diff import diff as compare
    from .diff import summary, why

    changes = compare(old, new, **options)
    text = changes.headline()
    if changes:
        rows = [
            [change.id, ", ".join([*change.kinds, *why(change)])] for change in changes
        ]
        text = f"{table(rows, ['id', 'changed'])}\n{text}"
    return Printed({"summary": summary(changes), "changes": changes}, text)


def show(release: Path, problem_id: str, **options: Any) -> Printed:
    """Follow one problem: its raw line, what each stage did to it, where it ended.

    Example:
      benchwright show out/math-v-mini-1.0.0 math-v-742
    """
    from .show import as_text
    from .show import show as follow

    history = follow(release, problem_id, **options)
    return Printed(history, as_text(history))


def export(format: str, release: Path, **options: Any) -> Printed:
    """Write RELEASE in another tool's FORMAT.

    Example:
      benchwright export vlmevalkit out/math-v-mini-1.0.0 -o LMUData
    """
    from .formats import export as write

    written = write(format, release, **options)
    paths = [str(path) for path in written]
    more = [f"... and {len(paths) - FEW:,} more files"] if len(paths) > FEW else []
    return Printed(paths, "\n".join([*paths[:FEW], *more]), notes=written.lines())


def statistics(release: Path, **options: Any) -> Printed:
    """Print the statistics tables of the paper that RELEASE is like, counted as the paper counts.

    Example:
      benchwright statistics out/math-v-mini-1.0.0 --like math-v
    """
    from .paper_tables import paper_tables

    rows = paper_tables(release, **options)
    tables: dict[str, list[list[str]]] = {}
    for row in rows:
        number = f"{row.value:,.4g}" if row.value % 1 else f"{row.value:,.0f}"
        share = "" if row.share is None else f"{row.share:.1%}"
        tables.setdefault(row.table, []).append([row.statistic, number, share])
    texts = [table(cells, [name, "number", "share"]) for name, cells in tables.items()]
    return Printed({"release": str(release), "rows": rows}, "\n\n".join(texts))
