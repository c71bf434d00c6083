"""index.html: one page to browse a release's samples, without a server or a network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..base.display import natural
from ..base.files import write_text
from ..base.terminal import progress
from ..pages import (
    Headline,
    Page,
    ReportTable,
    Section,
    html_page,
    value_plot,
    write_viewer,
)
from .pieces import Sums

KINDS = 24  # of a label that are shown as bars


def write_browse_cards(folder: Path, name: str, pages: Iterable[Page]) -> None:
    """Write the page's data; pictures are the release's own, loaded as they come to view."""
    write_viewer(
        folder / "index.data",
        progress(pages, "browse page", 0, "samples", weight=lambda page: len(page.ids)),
        {"together": False, "noun": "samples"},
        history=f"../{name}-history/",
    )


def write_browse_page(
    path: Path, manifest: dict[str, Any], sums: Sums, samples: Mapping[str, int]
) -> None:
    """Write the page over its data; `samples` counts those of each split."""
    page = html_page(
        f"{manifest['title']} {manifest['version']}",
        [_contents(sums), _provenance(manifest)],
        _headlines(manifest, sums, samples),
        manifest["description"],
        "index.data" if sum(samples.values()) else "",
    )
    write_text(path, page)


def _headlines(
    manifest: dict[str, Any], sums: Sums, samples: Mapping[str, int]
) -> list[Headline]:
    splits = ", ".join(f"{name} {count:,}" for name, count in samples.items())
    problems = sum(entry["problems"] for entry in manifest["splits"].values())
    sources = manifest["stages"][:1]
    read = f"of {sources[0]['taken']:,} that were read" if sources else ""
    return [
        Headline("problems", f"{problems:,}", read),
        Headline("samples", f"{sum(samples.values()):,}", splits),
        Headline("pictures", f"{len(sums.pictures):,}"),
        Headline("licence", ", ".join(manifest["licences"]) or "none stated"),
    ]


def _contents(sums: Sums) -> Section:
    """How many problems there are of each kind, by every label that tells a few kinds apart."""
    plots = [
        _bars(label, counts)
        for label, counts in sorted(sums.shown.items())
        if 1 < len(counts) <= KINDS
    ]
    return Section("What is in it", plots=plots)


def _bars(name: str, counts: Mapping[str, int]) -> str:
    most = max(counts.values())
    values = [
        (kind, counts[kind] / most, f"{counts[kind]:,}")
        for kind in sorted(counts, key=natural)
    ]
    return value_plot(f"Problems by {name.replace('_', ' ')}", values)


def _provenance(manifest: dict[str, Any]) -> Section:
    rows = [
        [
            stage["stage"],
            stage["taken"],
            stage["kept"],
            stage["dropped"],
            _reasons(stage["reasons"]),
        ]
        for stage in manifest["stages"]
    ]
    header = ["stage", "in", "kept", "dropped", "why"]
    table = ReportTable(header, rows, "Stages", folded=True)
    return Section("From source to release", [], [table])


def _reasons(reasons: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in reasons.items())
