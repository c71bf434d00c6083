"""What a judge found, as sections of the report: chains of thought, first errors, open replies."""

from __future__ import annotations

from typing import Any

from ...pages import ReportTable, Section, stacked_bars
from ...problem import VERSIONS
from ...taxonomy import NO_ERROR
from ..metrics import Scores
from .number_format import ends, percent


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
    notes, tables = [f"Judge: {judge.get('model')}."], []
    if answers := judge.get("answers"):
        notes.append(
            f"The rules left {answers['asked']} replies open, on which it was asked."
        )
        if "right" in answers:  # scores of earlier versions do not say
            right, wrong = answers["right"], answers["wrong"]
            notes.append(
                f"It decided {right} right and {wrong} wrong; the others stay open."
            )
        tables = [_counts(answers["counts"])] if answers["asked"] else []
    rows = [
        [
            protocol,
            " and ".join(pair["judges"]),
            pair["n"],
            percent(pair["agreement"]),
            "" if pair["kappa"] is None else f"{pair['kappa']:.3f}",
        ]
        for protocol, pairs in judge.get("agreement", {}).items()
        for pair in pairs
    ]
    if rows:
        header = ["protocol", "judges", "replies", "agreement", "kappa"]
        tables.append(ReportTable(header, rows, "Agreement of judges"))
    for protocol, judges in judge.get("canaries", {}).items():
        notes += [
            f"{name} obeys what it judges ({protocol}: {', '.join(canary['obeyed'])}); its "
            "favourable verdicts stay open."
            for name, canary in judges.items()
            if canary["obeyed"]
        ]
    return Section("Judge", notes, tables)


def _cot(cot: dict[str, Any]) -> Section:
    """MathVerse, section 3: scores by version and subject, and what went wrong where."""
    versions = {"all but text_only": cot["all"]} | cot["versions"]
    parts = versions if cot["versions"] else {"all": cot["all"]}
    tables = [_scores("version", parts)]
    tables += [
        _scores(label, groups, f"By {label}") for label, groups in cot["by"].items()
    ]
    tables += [_across("categories", parts, "Answer by reasoning, replies")]
    tables += [_across("errors", parts, "Kind of a reply's first wrong step, replies")]
    tables.append(_counts(cot["counts"]))
    note = (
        f"A score is {cot['alpha']} x the mean of the key steps, of which the last is the answer, "
        f"+ {round(1 - cot['alpha'], 6):g} x the answer."
    )
    plots = [
        _shares(title, name, parts)
        for title, name in (
            ("Answer by reasoning", "categories"),
            ("First wrong steps", "errors"),
        )
    ]
    return Section("Chain of thought", [note], tables, [plot for plot in plots if plot])


def _scores(label: str, parts: dict[str, Any], title: str = "") -> ReportTable:
    rows = [
        [
            name,
            p["n"],
            percent(p["value"]),
            ends(p["low"], p["high"]),
            percent(p["answer"]),
        ]
        for name, p in parts.items()
    ]
    return ReportTable([label, "n", "CoT score", "95 %", "answers right"], rows, title)


def _across(what: str, parts: dict[str, Any], title: str) -> ReportTable:
    """One row a kind, one column a version."""
    kinds = next(iter(parts.values()))[what]
    rows = [[kind, *(part[what][kind] for part in parts.values())] for kind in kinds]
    return ReportTable(["", *parts], rows, title)


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
    rows = [
        [
            name,
            c["n"],
            percent(c["share"]),
            ends(c["low"], c["high"]),
            percent(c["of_errors"]) if name != NO_ERROR else "",
        ]
        for name, c in categories.items()
    ]
    errors = {name: c["n"] for name, c in categories.items() if name != NO_ERROR}
    plot = _shares("First errors", "errors", {"share": {"errors": errors}})
    note = f"{process['n']} replies judged; the first error was located in {process['located']}."
    if left := process.get("not_asked"):
        note += (
            f" {left} were not asked about: right, or of no class that the paper has."
        )
    tables = [
        ReportTable(["first error", "replies", "share", "95 %", "of the errors"], rows)
    ]
    if concepts := process.get("concepts"):
        header = ["concept", *errors]
        lines = [
            [name, *(c.get(kind, 0) for kind in errors)] for name, c in concepts.items()
        ]
        tables.append(ReportTable(header, lines, "First errors by concept"))
    tables.append(_counts(process["counts"]))
    return Section("First errors", [note], tables, [plot] if plot else [])


def _wo(wo: dict[str, Any]) -> Section:
    """MathVerse, section 3.1: accuracy by two models, beside the rules'."""
    agree, versions = wo["agreement"], wo["versions"] or {}
    names = [name for name in (*VERSIONS, "all") if versions.get(name)]
    rates = {name: versions[name] for name in names} or {"all": wo["accuracy"]}
    rows = [
        [name, r["n"], r["correct"], percent(r["value"]), ends(r["low"], r["high"])]
        for name, r in rates.items()
    ]
    kappa = "none" if agree["kappa"] is None else f"{agree['kappa']:.3f}"
    notes = [
        "One model extracts each reply's answer, and one matches it with the gold. "
        f"{agree['same']} of {agree['n']} verdicts are the rules', kappa {kappa}; "
        f"{len(agree['only_models'])} are right by the models alone, {len(agree['only_rules'])} by "
        f"the rules alone. {wo['null']} replies have no answer for the model (null)."
    ]
    tables = [
        ReportTable(["version", "n", "right", "w/o", "95 %"], rows),
        _counts(wo["counts"]),
    ]
    return Section("Accuracy by two models (w/o)", notes, tables)


def _counts(counts: dict[str, Any]) -> ReportTable:
    return ReportTable(
        ["judgements", "n"], [[k, v] for k, v in counts.items()], "Judge replies"
    )
