"""index.html: one page to browse a release's samples, without a server or a network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from ..base.display import natural, texts_of
from ..base.terminal import progress
from ..pages import Card, Headline, ReportTable, Section, card_of, value_plot, write_page
from ..problem import Problem, Sample

KINDS = 24  # of a label that are shown as bars


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
        [_contents(splits), _provenance(manifest)],
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
    problems, read = sum(entry["problems"] for entry in entries), manifest["stages"][:1]
    taken = f"of {read[0]['taken']:,} that were read" if read else ""
    return [
        Headline("problems", f"{problems:,}", taken),
        Headline("samples", f"{count:,}", splits),
        Headline("pictures", f"{len(pictures):,}"),
        Headline("licence", ", ".join(manifest["licences"]) or "none stated"),
    ]


def _contents(splits: Mapping[str, Sequence[Problem]]) -> Section:
    """How many problems there are of each kind, by every label that tells a few kinds apart."""
    counts: dict[str, Counter[str]] = {}
    for problem in chain.from_iterable(splits.values()):
        for name, value in problem.labels.items():
            counts.setdefault(name, Counter()).update(texts_of(value))
        counts.setdefault("answer kind", Counter())[problem.answer_kind] += 1
    plots = [_bars(name, counts[name]) for name in sorted(counts) if 1 < len(counts[name]) <= KINDS]
    return Section("What is in it", plots=plots)


def _bars(name: str, counts: Counter[str]) -> str:
    most = max(counts.values())
    values = [(kind, counts[kind] / most, f"{counts[kind]:,}")
              for kind in sorted(counts, key=natural)]  # fmt: skip
    return value_plot(f"Problems by {name.replace('_', ' ')}", values)


def _provenance(manifest: dict[str, Any]) -> Section:
    stages = [
        [s["stage"], s["taken"], s["kept"], s["dropped"], _reasons(s["reasons"])]
        for s in manifest["stages"]
    ]
    return Section(
        "From source to release",
        [],
        [ReportTable(["stage", "in", "kept", "dropped", "why"], stages, "Stages", folded=True)],
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
