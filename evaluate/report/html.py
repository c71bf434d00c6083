"""report.html: one file that needs nothing else, neither network nor neighbours.

The samples travel as JSON inside the page and are drawn fifty at a time, so that a page of
thousands of samples opens at once. Nothing from a reply or a problem is ever set as markup.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...problem import Sample
from ...templating import fill
from ..metrics import Result
from .blocks import Section
from .thumbnails import thumbnails

TEMPLATE = Path(__file__).parent / "templates" / "report.html"
TEXTS = 5_000_000  # characters of all replies and questions together
NOTES = 30  # lines of a judge for one sample
FILTERED = 40  # a label with more values is found by the search box


def report_html(
    title: str,
    sections: Sequence[Section],
    results: Sequence[Result],
    samples: Sequence[Sample],
    release: Path,
    jobs: int = 1,
    notes: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """The page: sections with tables and plots, then every sample with its evidence.

    `notes` are a judge's lines by sample.
    """
    pictures = thumbnails(release, [i.path for s in samples for i in s.images], jobs)
    order = {path: k for k, path in enumerate(sorted(pictures))}
    cards = _cards(results, {s.id: s for s in samples}, order)
    for card in cards:
        if lines := (notes or {}).get(card["id"]):
            card["said"] = [_cut(line, 300) for line in lines[:NOTES]]
    data = {
        "pictures": [base64.b64encode(pictures[path]).decode() for path in order],
        "samples": cards,
    }
    return page(title, sections, filters=_filters(results), data=_script_json(data))


def page(title: str, sections: Sequence[Section], **samples: Any) -> str:
    """A page of sections; with `filters` and `data`, the list of samples below them."""
    return fill(TEMPLATE, title=title, sections=sections, **samples)


def _cards(
    results: Sequence[Result], samples: Mapping[str, Sample], order: Mapping[str, int]
) -> list[dict[str, Any]]:
    limit = max(200, min(3000, TEXTS // max(1, 2 * len(results))))
    return [_card(r, samples[r.id], order, limit) for r in results]


def _card(result: Result, sample: Sample, order: Mapping[str, int], limit: int) -> dict[str, Any]:
    """What the page shows of a sample; empty fields are left out to keep the page small."""
    card = {
        "id": result.id,
        "ok": result.correct,
        "status": result.status,
        "question": _cut(sample.asked(), limit),
        "options": [f"{o.label}. {_cut(o.text, 200)}" for o in sample.options],
        "gold": result.gold,
        "reply": _cut(result.response or "", limit),
        "extracted": _cut(result.extracted or "", 200),
        "rule": result.rule,
        "how": result.how,
        "judge": result.decided_by == "judge",
        "pictures": [order[i.path] for i in sample.images if i.path in order],
        "labels": result.group_values(),
    }
    if result.official is not None:
        card["official"] = result.official.correct
        card["read"] = _cut(result.official.extracted or "", 200)
    return {name: value for name, value in card.items() if value not in ("", [], None)}


def _cut(text: str, limit: int) -> str:
    """Start and end of a long text: a reply's answer usually stands at its end."""
    if len(text) <= limit:
        return text
    return (
        f"{text[: limit // 3]}\n[… {len(text) - limit} characters …]\n{text[-(2 * limit // 3) :]}"
    )


def _filters(results: Sequence[Result]) -> dict[str, list[str]]:
    """Labels and values to choose from, each in the order of the tables."""
    from ..metrics import natural

    values_by_label: dict[str, set[str]] = {}
    for result in results:
        for label, values in result.group_values().items():
            values_by_label.setdefault(label, set()).update(values)
    return {
        label: sorted(values_by_label[label], key=natural)
        for label in sorted(values_by_label)
        if 1 < len(values_by_label[label]) <= FILTERED
    }


def _script_json(data: Any) -> str:
    """JSON that cannot end its script element."""
    text = msgspec.json.encode(data, order="sorted").decode()
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
