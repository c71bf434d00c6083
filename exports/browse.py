"""index.html: one page to browse a release's samples, without a server or a network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..display import texts_of
from ..pages import Card, Headline, ReportTable, Section, card_of, write_page
from ..problem import Problem, Sample
from ..terminal import progress


def write_browse_page(
    path: Path,
    manifest: dict[str, Any],
    splits: Mapping[str, Sequence[Problem]],
    samples: Mapping[str, Sequence[Sample]],
) -> None:
    """Write the page and its data; pictures are the release's own, loaded as they come to view."""
    total = sum(map(len, samples.values()))
    write_page(
        path,
        f"{manifest['title']} {manifest['version']}",
        [_provenance(manifest)],
        headlines=_headlines(manifest, samples),
        about=manifest["description"],
        cards=progress(_cards(splits, samples), "browse page", total, "samples"),
        history=f"../{manifest['name']}-{manifest['version']}-history/",
    )


def _headlines(manifest: dict[str, Any], samples: Mapping[str, Sequence[Sample]]) -> list[Headline]:
    entries = manifest["splits"].values()
    every = (sample for part in samples.values() for sample in part)
    pictures = {image.path for sample in every for image in sample.images}
    count = sum(map(len, samples.values()))
    splits = ", ".join(f"{name} {len(part):,}" for name, part in samples.items())
    return [
        Headline("problems", f"{sum(entry['problems'] for entry in entries):,}"),
        Headline("samples", f"{count:,}", splits),
        Headline("pictures", f"{len(pictures):,}"),
        Headline("licence", ", ".join(manifest["licences"]) or "none stated"),
    ]


def _provenance(manifest: dict[str, Any]) -> Section:
    stages = [
        [s["stage"], s["taken"], s["kept"], s["dropped"], _reasons(s["reasons"])]
        for s in manifest["stages"]
    ]
    return Section(
        "From source to release",
        [],
        [ReportTable(["stage", "in", "kept", "dropped", "why"], stages, "Stages")],
    )


def _reasons(reasons: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in reasons.items())


def _cards(
    splits: Mapping[str, Sequence[Problem]], samples: Mapping[str, Sequence[Sample]]
) -> Iterator[Card]:
    for split, rows in samples.items():
        problems = iter(splits[split])
        problem = None
        for sample in rows:  # they follow their problems
            while problem is None or problem.id != sample.problem_id:
                problem = next(problems)
            facets = {"split": [split]} if len(samples) > 1 else {}
            if sample.version:
                facets["version"] = [sample.version]
            facets |= {name: texts_of(value) for name, value in sorted(sample.labels.items())}
            facets["answer kind"] = [sample.answer_kind]
            yield card_of(sample, facets, problem)
