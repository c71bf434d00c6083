"""The agreement of voters as Markdown and as one self-contained HTML page with plots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...base.files import pretty, write_bytes, write_jsonl, write_text
from ...pages import Headline, ReportTable, Section, heat_map, html_page, value_plot
from ...problem import Vote

if TYPE_CHECKING:
    from .agreement import Agreement

MOST_DISAGREEMENTS = 200  # on the page; agreement.json and disagreements.jsonl hold all
MOST_NAMES = 40  # a larger map is no picture


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
                [
                    v.name,
                    v.metric,
                    _number(v.raw),
                    _number(v.fleiss_kappa),
                    _number(v.alpha),
                    f"{_number(v.alpha_low)} to {_number(v.alpha_high)}",
                ]
                for v in result.levels
            ],
        ),
        "",
        "## Labels",
        "",
        *_table(
            ["label", "votes", "alpha against the rest"],
            [
                [name, row["votes"], _number(row["alpha"])]
                for name, row in result.by_label.items()
            ],
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
                [
                    name,
                    row["votes"],
                    _number(row["with_the_others"]),
                    _number(row["one_coin"]),
                ]
                for name, row in result.by_annotator.items()
            ],
        ),
        "",
        f"## Disagreements: {len(result.disagreements)}",
        "",
        *_table(
            ["id", "votes"],
            [
                [
                    row["id"],
                    "; ".join(f"{who}: {value}" for who, value in row["votes"].items()),
                ]
                for row in result.disagreements[:MOST_DISAGREEMENTS]
            ],
        ),
    ]
    return "\n".join(lines) + "\n"


def _table(header: list[str], rows: list[list[Any]]) -> list[str]:
    lines = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(_cell(c) for c in line) + " |" for line in lines]


def _cell(value: Any) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


def _number(value: float | int | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"


def html(result: Agreement) -> str:
    """The same as a page: dots for labels and voters, a map of who confused what."""
    return html_page(
        f"Agreement on {result.field}", _sections(result), _headlines(result)
    )


def agreement_page(votes: Sequence[Vote], tree: Path | None = None) -> str:
    """The page of every field that people voted on, for votes that still come in."""
    from .agreement import agreement

    fields = sorted({v.field for v in votes if v.kind == "human" and not v.withdrawn})
    results = [agreement(votes, field, tree) for field in fields]
    sections, headlines = [], []
    for result in results:
        parts, figures = _sections(result), _headlines(result)
        if len(results) > 1:  # one section and one figure a field
            parts, figures = [_together(result.field, parts)], figures[:1]
            figures[0].of = f"{result.field}: {figures[0].of}"
            figures[0].note += f", {result.votes:,} votes on {result.items:,} items"
        sections += parts
        headlines += figures
    return html_page(
        "Agreement so far", sections, headlines, f"{len(votes):,} answers have come in."
    )


def _together(title: str, sections: Sequence[Section]) -> Section:
    whole = Section(title)
    for section in sections:
        for table in section.tables:
            table.title = table.title or section.title.partition(":")[0]
        whole.notes += section.notes
        whole.tables += section.tables
        whole.plots += section.plots
    return whole


def _headlines(result: Agreement) -> list[Headline]:
    worst = result.levels[0] if result.levels else None
    headlines = [
        Headline("votes", f"{result.votes:,}", f"on {result.items:,} items"),
        Headline("disagreements", f"{len(result.disagreements):,}"),
    ]
    if worst is not None:
        reach = f"95 % {_number(worst.alpha_low)} to {_number(worst.alpha_high)}"
        headlines.insert(
            0, Headline("Krippendorff's alpha", _number(worst.alpha), reach)
        )
        headlines.insert(1, Headline("agreement", _number(worst.raw), "raw share"))
    return headlines


def _sections(result: Agreement) -> list[Section]:
    level_rows = [
        [
            v.name,
            v.metric,
            _number(v.raw),
            _number(v.fleiss_kappa),
            _number(v.alpha),
            f"{_number(v.alpha_low)} to {_number(v.alpha_high)}",
        ]
        for v in result.levels
    ]
    labels = [
        [name, row["votes"], _number(row["alpha"])]
        for name, row in result.by_label.items()
    ]
    voters = [
        [name, row["votes"], _number(row["with_the_others"]), _number(row["one_coin"])]
        for name, row in result.by_annotator.items()
    ]
    votes = [
        [row["id"], "; ".join(f"{who}: {value}" for who, value in row["votes"].items())]
        for row in result.disagreements[:MOST_DISAGREEMENTS]
    ]
    coefficients = [
        "level",
        "metric",
        "raw",
        "Fleiss' kappa",
        "Krippendorff's alpha",
        "95 %",
    ]
    note = (
        f"{result.abstained} abstentions, {result.superseded} superseded answers. "
        "Intervals are 95 %, bootstrapped over items."
    )
    return [
        Section("Coefficients", [note], [ReportTable(coefficients, level_rows)]),
        Section(
            "Labels",
            ["Alpha of each label against the rest."],
            [ReportTable(["label", "votes", "alpha"], labels)],
            [value_plot("Alpha of each label", _values(result.by_label, "alpha"))],
        ),
        Section(
            "Voters",
            [
                "With the others: agreement with the majority of the other voters. One-coin: "
                "accuracy that the Dawid-Skene model estimates; a diagnostic, not a label."
            ],
            [ReportTable(["voter", "votes", "with the others", "one-coin"], voters)],
            [
                value_plot(
                    "With the others", _values(result.by_annotator, "with_the_others")
                )
            ],
        ),
        *_confusion(result.confusion),
        Section(
            f"Disagreements: {len(result.disagreements)}",
            [],
            [ReportTable(["id", "votes"], votes)],
        ),
    ]


def _values(rows: dict[str, dict[str, Any]], key: str) -> list[tuple[str, float, str]]:
    """Name, value and what to print beside it, of those that have a value."""
    return [
        (name, float(row[key]), f"{_number(row[key])}")
        for name, row in rows.items()
        if row[key] is not None
    ]


def _confusion(confusion: dict[str, dict[str, int]]) -> list[Section]:
    """Who said what where another said; no map where it would be too large to read."""
    names = sorted(
        set(confusion) | {name for row in confusion.values() for name in row}
    )
    if not 1 < len(names) <= MOST_NAMES:
        return []
    counts = [
        [confusion.get(one, {}).get(other, 0) for other in names] for one in names
    ]
    return [
        Section(
            "Who said what where another said", plots=[heat_map("Votes", names, counts)]
        )
    ]
