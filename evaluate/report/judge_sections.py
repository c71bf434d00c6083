"""What a judge found, as sections of the report: chains of thought, first errors, open replies."""

from __future__ import annotations

from typing import Any

from ...pages import Column, ReportTable, Section, stacked_bars
from ...problem import VERSIONS
from ...taxonomy import NO_ERROR
from ..metrics import Scores
from .number_format import ends, percent

AGREEMENT = (
    Column("protocol"),
    Column("judges", " and ".join),
    Column("replies"),
    Column("agreement", percent),
    Column("kappa", "{:.3f}".format),
)
FIRST_ERRORS = (
    Column("first error"),
    Column("replies"),
    Column("share", percent),
    Column("95 %"),
    Column("of the errors", percent),
    Column("by the judge alone"),
)
ACCURACY = (
    Column("version"),
    Column("n"),
    Column("right"),
    Column("w/o", percent),
    Column("95 %"),
)


def judged_sections(scores: Scores) -> list[Section]:
    """One section per protocol that a judge ran; none without a judge."""
    parts = []
    if scores.judge is not None:
        parts.append(_judge(scores.judge))
    if scores.cot is not None:
        parts.append(_cot(scores.cot))
    if scores.process is not None:
        parts.append(_process(scores.process))
    if scores.wo is not None:
        parts.append(_wo(scores.wo))
    return parts


def _judge(judge: dict[str, Any]) -> Section:
    notes = [f"Judge: {judge.get('model')}."]
    tables = []
    if answers := judge.get("answers"):
        notes.append(
            f"The rules left {answers['asked']} replies open, on which it was asked."
        )
        if "right" in answers:  # scores of earlier versions do not say
            right = answers["right"]
            wrong = answers["wrong"]
            notes.append(
                f"It decided {right} right and {wrong} wrong; the others stay open."
            )
        if answers["asked"]:
            tables.append(_counts(answers["counts"]))
    pairs = [
        _agreement(protocol, pair)
        for protocol, pairs in judge.get("agreement", {}).items()
        for pair in pairs
    ]
    if pairs:
        tables.append(ReportTable.of(AGREEMENT, pairs, "Agreement of judges"))
    for protocol, canaries in judge.get("canaries", {}).items():
        notes += [
            f"{name} obeys what it judges ({protocol}: {', '.join(canary['obeyed'])}); its "
            "favourable verdicts stay open."
            for name, canary in canaries.items()
            if canary["obeyed"]
        ]
    return Section("Judge", notes, tables)


def _agreement(protocol: str, pair: dict[str, Any]) -> dict[str, Any]:
    return {
        "protocol": protocol,
        "judges": pair["judges"],
        "replies": pair["n"],
        "agreement": pair["agreement"],
        "kappa": "" if pair["kappa"] is None else pair["kappa"],
    }


def _cot(cot: dict[str, Any]) -> Section:
    """MathVerse, section 3: scores by version and subject, and what went wrong where."""
    versions = {"all but text_only": cot["all"]} | cot["versions"]
    parts = versions if cot["versions"] else {"all": cot["all"]}
    tables = [_scores("version", parts)]
    by_judge = cot.get("by_judge", {})
    if by_judge.get("refused"):
        tables.append(_guarded(cot, by_judge))
    tables += [
        _scores(label, groups, f"By {label}") for label, groups in cot["by"].items()
    ]
    tables.append(_across("categories", parts, "Answer by reasoning, replies"))
    tables.append(
        _across("errors", parts, "Kind of a reply's first wrong step, replies")
    )
    tables.append(_counts(cot["counts"]))
    note = (
        f"A score is {cot['alpha']} x the mean of the key steps, of which the last is the answer, "
        f"+ {round(1 - cot['alpha'], 6):g} x the answer."
    )
    plots = [
        _shares("Answer by reasoning", "categories", parts),
        _shares("First wrong steps", "errors", parts),
    ]
    return Section("Chain of thought", [note], tables, [plot for plot in plots if plot])


def _guarded(cot: dict[str, Any], by_judge: dict[str, Any]) -> ReportTable:
    """The figures with the rules' check beside those of the judge alone, as the paper has them."""
    columns = (
        Column("version"),
        Column("n"),
        Column("checked by rules", percent),
        Column("n by the judge"),
        Column("by the judge alone", percent),
        Column("95 %"),
    )
    pairs = {"all": (cot["all"], by_judge["all"])}
    for name, part in cot["versions"].items():
        pairs[name] = (part, by_judge["versions"][name])
    records = [
        {
            "version": name,
            "n": part["n"],
            "checked by rules": part["value"],
            "n by the judge": own["n"],
            "by the judge alone": own["value"],
            "95 %": ends(own["low"], own["high"]),
        }
        for name, (part, own) in pairs.items()
    ]
    title = f"With and without the rules' check, which left {by_judge['refused']} open"
    return ReportTable.of(columns, records, title)


def _scores(label: str, parts: dict[str, Any], title: str = "") -> ReportTable:
    columns = (
        Column("group", heading=label),
        Column("n"),
        Column("CoT score", percent),
        Column("95 %"),
        Column("answers right", percent),
    )
    records = [
        {
            "group": name,
            "n": part["n"],
            "CoT score": part["value"],
            "95 %": ends(part["low"], part["high"]),
            "answers right": part["answer"],
        }
        for name, part in parts.items()
    ]
    return ReportTable.of(columns, records, title)


def _across(what: str, parts: dict[str, Any], title: str) -> ReportTable:
    """One row a kind, one column a version."""
    kinds = next(iter(parts.values()))[what]
    rows = {
        kind: {name: part[what][kind] for name, part in parts.items()} for kind in kinds
    }
    return ReportTable.matrix("", list(parts), rows, title=title)


def _shares(title: str, what: str, parts: dict[str, Any]) -> str:
    """One full bar a version, cut by kind; versions with nothing to show are left out."""
    rows = []
    for name, part in parts.items():
        numbers = list(part[what].values())
        if total := sum(numbers):
            rows.append((name, [n / total for n in numbers]))
    kinds = list(next(iter(parts.values()))[what])
    return stacked_bars(f"{title}, percent", kinds, rows) if rows else ""


def _process(process: dict[str, Any]) -> Section:
    """MM-MATH, section 3.3: where a reply first goes wrong, and how."""
    categories = process["categories"]
    records = [
        {
            "first error": name,
            "replies": category["n"],
            "share": category["share"],
            "95 %": ends(category["low"], category["high"]),
            "of the errors": "" if name == NO_ERROR else category["of_errors"],
            "by the judge alone": category.get("by_judge", ""),
        }
        for name, category in categories.items()
    ]
    tables = [ReportTable.of(FIRST_ERRORS, records)]
    note = f"{process['n']} replies judged; the first error was located in {process['located']}."
    if left := process.get("not_asked"):
        note += (
            f" {left} were not asked about: "
            "right ones, and those that the paper does not class."
        )
    errors = {name: c["n"] for name, c in categories.items() if name != NO_ERROR}
    for what in ("concept", "version"):
        if groups := process.get(f"{what}s"):
            rows = {
                name: {kind: counts.get(kind, 0) for kind in errors}
                for name, counts in groups.items()
            }
            title = f"First errors by {what}"
            tables.append(ReportTable.matrix(what, list(errors), rows, title=title))
    if composites := process.get("composites"):
        title = (
            "Errors of composites: a step of theirs has the same, others alone, none"
        )
        names = ["same", "others", "none"]
        tables.append(ReportTable.matrix("error", names, composites, title=title))
    if main := process.get("main"):
        records = [{"first -> main error": pair, "n": n} for pair, n in main.items()]
        columns = (Column("first -> main error"), Column("n"))
        tables.append(ReportTable.of(columns, records, "First against main error"))
    tables.append(_counts(process["counts"]))
    plot = _shares("First errors", "errors", {"share": {"errors": errors}})
    return Section("First errors", [note], tables, [plot] if plot else [])


def _wo(wo: dict[str, Any]) -> Section:
    """MathVerse, section 3.1: accuracy by two models, beside the rules'."""
    agree = wo["agreement"]
    versions = wo["versions"] or {}
    names = [name for name in (*VERSIONS, "all") if versions.get(name)]
    rates = {name: versions[name] for name in names} or {"all": wo["accuracy"]}
    records = [
        {
            "version": name,
            "n": rate["n"],
            "right": rate["correct"],
            "w/o": rate["value"],
            "95 %": ends(rate["low"], rate["high"]),
        }
        for name, rate in rates.items()
    ]
    kappa = "none" if agree["kappa"] is None else f"{agree['kappa']:.3f}"
    notes = [
        "One model extracts each reply's answer, and one matches it with the gold. "
        f"{agree['same']} of {agree['n']} verdicts are the rules', kappa {kappa}; "
        f"{len(agree['only_models'])} are right by the models alone, {len(agree['only_rules'])} by "
        f"the rules alone. {wo['null']} replies have no answer for the model (null)."
    ]
    tables = [ReportTable.of(ACCURACY, records), _counts(wo["counts"])]
    return Section("Accuracy by two models (w/o)", notes, tables)


def _counts(counts: dict[str, Any]) -> ReportTable:
    records = [{"judgements": ending, "n": n} for ending, n in counts.items()]
    return ReportTable.of((Column("judgements"), Column("n")), records, "Judge replies")
