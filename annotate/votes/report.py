"""The agreement of voters as Markdown and as one self-contained HTML page with plots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...files import pretty, write_bytes, write_jsonl, write_text
from ...templating import fill
from .agreement import Agreement

TEMPLATES = Path(__file__).parent / "templates"
MOST_DISAGREEMENTS = 200  # on the page; agreement.json and disagreements.jsonl hold all


def write_report(result: Agreement, out: str | Path) -> None:
    """agreement.json, agreement.md, agreement.html and disagreements.jsonl in the folder `out`."""
    out = Path(out)
    write_bytes(out / "agreement.json", pretty(result))
    write_text(out / "agreement.md", markdown(result))
    write_text(out / "agreement.html", html(result))
    write_jsonl(out / "disagreements.jsonl", result.disagreements)


def markdown(result: Agreement) -> str:
    """The report as text: coefficients, labels, people, disagreements."""
    lines = [
        f"# Agreement on {result.field}",
        "",
        f"{result.votes} votes on {result.items} items; {result.abstained} abstentions, "
        f"{result.superseded} superseded answers. Intervals are 95 %, bootstrapped over items.",
        "",
        *_table(
            ["level", "metric", "raw", "Fleiss' kappa", "Krippendorff's alpha", "95 %"],
            [
                [v.name, v.metric, _number(v.raw), _number(v.fleiss_kappa), _number(v.alpha),
                 f"{_number(v.alpha_low)} to {_number(v.alpha_high)}"]
                for v in result.levels
            ],
        ),
        "",
        "## Labels",
        "",
        *_table(
            ["label", "votes", "alpha against the rest"],
            [[name, row["votes"], _number(row["alpha"])] for name, row in result.by_label.items()],
        ),
        "",
        "## Voters",
        "",
        "With the others: agreement with the majority of the other voters. One-coin: accuracy that "
        "the Dawid-Skene model estimates; a diagnostic, not a label.",
        "",
        *_table(
            ["voter", "votes", "with the others", "one-coin"],
            [
                [name, row["votes"], _number(row["with_the_others"]), _number(row["one_coin"])]
                for name, row in result.by_annotator.items()
            ],
        ),
        "",
        f"## Disagreements: {len(result.disagreements)}",
        "",
        *_table(
            ["id", "votes"],
            [
                [row["id"], "; ".join(f"{who}: {value}" for who, value in row["votes"].items())]
                for row in result.disagreements[:MOST_DISAGREEMENTS]
            ],
        ),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _table(header: list[str], rows: list[list[Any]]) -> list[str]:
    lines = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(_cell(c) for c in line) + " |" for line in lines]


def _cell(value: Any) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


def _number(value: float | int | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"


def html(result: Agreement) -> str:
    """The same as a page: bars for labels and voters, a heat map of the confusion."""
    return fill(
        TEMPLATES / "agreement.html",
        result=result,
        number=_number,
        labels=[_bar(name, row["alpha"], row["votes"]) for name, row in result.by_label.items()],
        voters=[
            _bar(name, row["with_the_others"], row["votes"])
            for name, row in result.by_annotator.items()
        ],
        cells=_heat(result.confusion),
        disagreements=result.disagreements[:MOST_DISAGREEMENTS],
    )


def _bar(name: str, value: float | int | None, votes: float | int | None) -> dict[str, Any]:
    width = 0 if value is None else max(0.0, min(1.0, float(value)))
    return {"name": name, "width": round(width * 300, 1), "text": _number(value), "votes": votes}


def _heat(confusion: dict[str, dict[str, int]]) -> dict[str, Any]:
    """Rows and columns of the confusion with a shade for each cell, by share of its row."""
    names = sorted(set(confusion) | {name for row in confusion.values() for name in row})
    rows = []
    for one in names:
        counts = confusion.get(one, {})
        total = sum(counts.values()) or 1
        cells = [(counts.get(other, 0), round(counts.get(other, 0) / total, 3)) for other in names]
        rows.append({"name": one, "cells": cells})
    return {"names": names, "rows": rows}
