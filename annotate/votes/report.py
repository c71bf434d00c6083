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
LEVEL_HEADER = [
    "level",
    "metric",
    "raw",
    "Fleiss' kappa",
    "Krippendorff's alpha",
    "95 %",
]
VOTER_HEADER = ["voter", "votes", "with the others", "one-coin"]
VOTER_NOTE = (
    "With the others: agreement with the majority of the other voters. One-coin: accuracy that "
    "the Dawid-Skene model estimates; a diagnostic, not a label."
)

Rows = list[list[Any]]


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
        f"{result.votes} votes on {result.items} items; {_left_out(result)}",
        "",
        *_table(LEVEL_HEADER, _level_rows(result)),
        "",
        "## Labels",
        "",
        *_table(["label", "votes", "alpha against the rest"], _label_rows(result)),
        "",
        "## Voters",
        "",
        VOTER_NOTE,
        "",
        *_table(VOTER_HEADER, _voter_rows(result)),
        "",
        f"## Disagreements: {len(result.disagreements)}",
        "",
        *_table(["id", "votes"], _disagreement_rows(result)),
    ]
    return "\n".join(lines) + "\n"


def _left_out(result: Agreement) -> str:
    """The votes that are not compared, and what the intervals are."""
    return (
        f"{result.abstained} abstentions, {result.superseded} superseded answers. "
        "Intervals are 95 %, bootstrapped over items."
    )


def _level_rows(result: Agreement) -> Rows:
    return [
        [
            level.name,
            level.metric,
            _number(level.raw),
            _number(level.fleiss_kappa),
            _number(level.alpha),
            f"{_number(level.alpha_low)} to {_number(level.alpha_high)}",
        ]
        for level in result.levels
    ]


def _label_rows(result: Agreement) -> Rows:
    return [
        [name, row["votes"], _number(row["alpha"])]
        for name, row in result.by_label.items()
    ]


def _voter_rows(result: Agreement) -> Rows:
    return [
        [name, row["votes"], _number(row["with_the_others"]), _number(row["one_coin"])]
        for name, row in result.by_annotator.items()
    ]


def _disagreement_rows(result: Agreement) -> Rows:
    return [
        [row["id"], "; ".join(f"{who}: {value}" for who, value in row["votes"].items())]
        for row in result.disagreements[:MOST_DISAGREEMENTS]
    ]


def _table(header: list[str], rows: Rows) -> list[str]:
    lines = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(map(_cell, line)) + " |" for line in lines]


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
    sections: list[Section] = []
    headlines: list[Headline] = []
    for result in results:
        if len(results) == 1:
            sections += _sections(result)
            headlines += _headlines(result)
            continue
        sections.append(_joined(result.field, _sections(result)))
        figure = _headlines(result)[0]
        figure.of = f"{result.field}: {figure.of}"
        figure.note += f", {result.votes:,} votes on {result.items:,} items"
        headlines.append(figure)
    return html_page(
        "Agreement so far", sections, headlines, f"{len(votes):,} answers have come in."
    )


def _joined(title: str, sections: Sequence[Section]) -> Section:
    """Several sections as one; a table without a title of its own takes its section's."""
    whole = Section(title)
    for section in sections:
        for table in section.tables:
            table.title = table.title or section.title.partition(":")[0]
        whole.notes += section.notes
        whole.tables += section.tables
        whole.plots += section.plots
    return whole


def _headlines(result: Agreement) -> list[Headline]:
    headlines = [
        Headline("votes", f"{result.votes:,}", f"on {result.items:,} items"),
        Headline("disagreements", f"{len(result.disagreements):,}"),
    ]
    if not result.levels:
        return headlines
    whole = result.levels[0]  # the value itself; the levels of a tree follow
    interval = f"95 % {_number(whole.alpha_low)} to {_number(whole.alpha_high)}"
    return [
        Headline("Krippendorff's alpha", _number(whole.alpha), interval),
        Headline("agreement", _number(whole.raw), "raw share"),
        *headlines,
    ]


def _sections(result: Agreement) -> list[Section]:
    label_table = ReportTable(["label", "votes", "alpha"], _label_rows(result))
    label_plot = value_plot("Alpha of each label", _values(result.by_label, "alpha"))
    with_the_others = _values(result.by_annotator, "with_the_others")
    disagreement_table = ReportTable(["id", "votes"], _disagreement_rows(result))
    return [
        Section(
            "Coefficients",
            [_left_out(result)],
            [ReportTable(LEVEL_HEADER, _level_rows(result))],
        ),
        Section(
            "Labels",
            ["Alpha of each label against the rest."],
            [label_table],
            [label_plot],
        ),
        Section(
            "Voters",
            [VOTER_NOTE],
            [ReportTable(VOTER_HEADER, _voter_rows(result))],
            [value_plot("With the others", with_the_others)],
        ),
        *_confusion(result.confusion),
        Section(
            f"Disagreements: {len(result.disagreements)}", [], [disagreement_table]
        ),
    ]


def _values(rows: dict[str, dict[str, Any]], key: str) -> list[tuple[str, float, str]]:
    """Name, value and what to print beside it, of those that have a value."""
    return [
        (name, float(row[key]), _number(row[key]))
        for name, row in rows.items()
        if row[key] is not None
    ]


def _confusion(confusion: dict[str, dict[str, int]]) -> list[Section]:
    """Who said what where another said; no map where it would be too large to read."""
    names = sorted(
        confusion.keys() | {name for row in confusion.values() for name in row}
    )
    if not 1 < len(names) <= MOST_NAMES:
        return []
    rows = [confusion.get(name, {}) for name in names]
    counts = [[row.get(name, 0) for name in names] for row in rows]
    plot = heat_map("Votes", names, counts)
    return [Section("Who said what where another said", plots=[plot])]
