"""What a report says, as plain sections; `report_markdown` and `report_html` only set them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...pages import Cell, ReportTable, Section, dot_plot, samples_of, stacked_bars
from ...problem import VERSIONS
from ..metrics import (
    Earlier,
    FourDimensional,
    LivingScores,
    OfficialTables,
    OwnVerdicts,
    Rate,
    Result,
    Scores,
    VersionScores,
)
from .judge_sections import judged_sections
from .number_format import ends, interval, p_value, percent, points, short, word

RATE = ["n", "right", "accuracy", "95 %"]
PLOTTED = 40  # a plot of more groups is no picture
COUNTED = {
    "problems": "what the samples are versions or steps of",
    "answered": "samples with a reply: ok and the six below failed",
    "missing": "no prediction; wrong",
    "failed": "asked in vain: no reply came; wrong",
    "unextracted": "no answer found in the reply; wrong",
    "declined": "the reply, or the endpoint, says that it will not answer; wrong",
    "truncated": "the reply was cut, or ends while it thinks, and declares no answer; wrong",
    "timeout": "comparing the answer with the gold took too long; wrong",
    "refused": "the answer was too large or deep to compare; wrong",
    "unparsed": "the answer could not be read; wrong",
    "ok": "decided, right or wrong",
    "by_rule": "of these by rules",
    "by_judge": "of these by a model, where rules left the reply open",
    "by_person": "of these by people, where rules left the reply open",
}
QUICK_MATCH = (
    "MathVerse's published figures rest on a model that extracts and one that compares answers; "
    "its rules, the quick match, compare a reply literally and suit extracted answers only."
)


def sections(scores: Scores, results: Sequence[Result]) -> list[Section]:
    """All sections of a report, in order."""
    parts = [_overall(scores), _asked(scores)]
    if scores.as_of is not None:
        parts.append(_earlier(scores.as_of))
    if scores.versions is not None:
        parts.append(_versions(scores.versions, scores.not_run))
    if scores.four_dimensional is not None:
        parts.append(_four_dimensional(scores.four_dimensional))
    if scores.living is not None:
        parts.append(_living(scores.living))
    parts.append(_labels(scores))
    if scores.people is not None:
        parts.append(_people(scores.people))
    parts += judged_sections(scores)
    if scores.official is not None:
        parts.append(_official(scores.official, results))
    if scores.own is not None:
        parts.append(_own(scores.own, results))
    parts += [_coverage(scores), _reading(scores)]
    return parts


def _earlier(old: Earlier) -> Section:
    """By whose golds the figures are, and what corrections have changed since."""
    rows = [
        [
            c.id,
            word(c.then),
            c.gold_then,
            word(c.now),
            c.gold_now,
            c.version,
            "; ".join(c.reasons),
        ]
        for c in old.changed
    ]
    told = [
        f"All figures are by the golds of version {old.version}. {len(old.corrected)} samples were "
        f"corrected since; that changes {len(old.changed)} verdicts of the rules."
    ]
    if old.added or old.removed:
        told.append(
            f"{len(old.added)} samples were added since and are left out; {len(old.removed)} that "
            "the version had are no longer in the release."
        )
    header = ["sample", "then", "gold then", "now", "gold now", "corrected in", "why"]
    return Section(f"As of version {old.version}", told, [ReportTable(header, rows)])


def rate_cells(rate: Rate) -> list[Any]:
    """The cells under RATE."""
    return [rate.n, rate.correct, percent(rate.value), interval(rate)]


def rated(
    of: str, rates: Mapping[str, Rate], title: str = "", plotted: bool = False
) -> ReportTable:
    """A row a rate."""
    rows = [[name, *rate_cells(rate)] for name, rate in rates.items()]
    return ReportTable([of, *RATE], rows, title, plotted=plotted)


def _overall(scores: Scores) -> Section:
    status = {
        name: samples_of(status=name) for name in scores.counts if name in COUNTED
    }
    status |= {"problems": "", "answered": ""} | {
        f"by_{who}": samples_of(**{"decided by": who})
        for who in ("judge", "person", "rule")
    }
    counts = [
        [k, Cell(f"{v:,}", address=status.get(k, "#")) if v else v, COUNTED.get(k, "")]
        for k, v in scores.counts.items()
    ]
    rows = [["micro (every sample)", *rate_cells(scores.accuracy)]]
    for label in ("subject", "level", "version"):
        if label in scores.macro:
            macro = scores.macro[label]
            rows.append(
                [
                    f"macro over {macro.groups} {label}s",
                    "",
                    "",
                    percent(macro.value),
                    "",
                ]
            )
    if scores.official is not None:
        name = f"official rules ({', '.join(scores.official.profiles)})"
        rows.append([name, *rate_cells(scores.official.accuracy)])
    if (several := scores.repeats) is not None:
        means = {f"mean@{several.k}": several.mean} | {
            f"pass@{j}": mean for j, mean in several.passes.items()
        }
        rows += [
            [
                f"{name} ({several.samples} samples)",
                "",
                "",
                percent(m.value),
                ends(m.low, m.high),
            ]
            for name, m in means.items()
        ]
    whose = ", as the robust rules read" if scores.profile == "official" else ""
    tables = [
        ReportTable(["over", *RATE], rows),
        ReportTable(
            ["counted", "n", "what it is"], counts, f"What was counted{whose}", True
        ),
    ]
    if scores.endings:
        ended = [
            [
                name,
                Cell(f"{e.n:,}", address=samples_of(**{"reply ended": name})),
                e.robust,
                "" if e.official is None else e.official,
            ]
            for name, e in scores.endings.items()
        ]
        header = ["how replies ended", "n", "right, robust", "right, official"]
        tables.append(ReportTable(header, ended, "What is known of replies"))
    return Section(
        "Accuracy",
        [
            "On the same problems benchwright compare tells runs apart that these intervals do not."
        ],
        tables,
    )


def _asked(scores: Scores) -> Section:
    """How the model was asked, as far as anybody has recorded it."""
    known = scores.provenance
    tables, notes = [], [*known.remarks]
    for record in known.runs:
        rows = [[name, value] for name, value in record.rows()]
        tables.append(ReportTable(["how", "what"], rows))
        texts = [[name, text] for p in record.prompts for name, text in p.texts.items()]
        if texts:
            tables.append(
                ReportTable(["prompt", "text"], texts, "Prompts to the letter", True)
            )
        notes += [f"Doubtful: {doubt}." for doubt in record.doubts]
    return Section("How this was asked", notes, tables)


def _own(own: OwnVerdicts, results: Sequence[Result]) -> Section:
    """The file's own verdicts beside ours, and the rows that differ."""
    known = {r.id: r for r in reversed(results)}
    differ = (
        own.official_differs if own.official_differs is not None else own.robust_differs
    )
    rows = [
        [
            _sample(name),
            word(r.own.correct),
            r.gold,
            short(r.own.extracted),
            short(r.extracted),
            word(r.official.correct) if r.official else "",
            word(r.correct),
        ]
        for name in differ
        if (r := known[name]).own
    ]
    told = [("robust", own.robust_differs), ("official", own.official_differs)]
    notes = [
        f"The file's own verdicts (field {own.field}) call {own.right:,} of {own.n:,} right. "
        + "; ".join(
            f"{own.n - len(d):,} of {own.n:,} agree with the {profile} rules"
            for profile, d in told
            if d is not None
        )
        + "."
    ]
    header = [
        "sample",
        "the file",
        "gold",
        "it read",
        "robust read",
        "official",
        "robust",
    ]
    tables = [ReportTable(header, rows, "Rows that differ")] if rows else []
    return Section("The file's own verdicts", notes, tables)


def _sample(name: str) -> Cell:
    return Cell(name, address=samples_of(sample=name))


def _versions(table: VersionScores, not_run: Sequence[str]) -> Section:
    rates = {v: r for v in (*VERSIONS, "all") if (r := getattr(table, v)) is not None}
    tables = [rated("version", rates, plotted=not not_run)]
    tables[0].rows += [[name, "", "", "–", "no predictions"] for name in not_run]
    drops = [
        [name, d.n, percent(d.first), percent(d.second), points(d.value), interval(d)]
        for name, d in table.drops.items()
    ]
    tables.append(
        ReportTable(
            ["drop", "problems", "from", "to", "points", "95 %"], drops, "Paired drops"
        )
    )
    for label, values in table.by.items():
        rows = [
            [value, *(percent(cells[n].value) if n in cells else "" for n in rates)]
            for value, cells in values.items()
        ]
        tables.append(ReportTable([label, *rates], rows, f"By {label}"))
    note = "“all” leaves text_only out. A drop is the first version minus the second."
    return Section(
        "Six versions",
        [note],
        tables,
        [
            dot_plot(
                "Accuracy per version, percent", [*rates.items()], link_of("version")
            )
        ],
    )


def _four_dimensional(table: FourDimensional) -> Section:
    names = ["IK", "IG", "CM", "RM"]
    settings = (("strict", table.strict), ("loose", table.loose))
    rows = [
        [
            setting,
            percent(d.score),
            *(f"{percent(getattr(d, n).rate)} ({getattr(d, n).n})" for n in names),
        ]
        for setting, d in settings
    ]
    shares = [
        (setting, [getattr(d, n).n / table.groups for n in names])
        for setting, d in settings
    ]
    steps = {f"{k}-step": rate for k, rate in table.steps.items()}
    tables = [ReportTable(["setting", "score", *names], rows)]
    tables.append(rated("problems", steps, "By number of steps"))
    if table.areas:
        areas = [
            [a, area.concepts, percent(area.value)] for a, area in table.areas.items()
        ]
        tables.append(
            ReportTable(
                ["area", "concepts", "macro accuracy"], areas, "Areas, one-step"
            )
        )
    if table.concepts:
        tables.append(rated("concept", table.concepts, "Concepts, one-step"))
    notes = [
        f"{table.groups} composite problems. IK insufficient knowledge, IG inadequate "
        "generalisation, CM complete mastery, RM rote memorisation; RM's rate is over CM + RM, "
        "while the bars show all four as shares of all problems. Score: (CM + "
        f"{table.weights.beta:g} IG + {table.weights.alpha:g} IK) / problems.",
        *(
            [f"left out as incomplete: {', '.join(table.incomplete)}"]
            if table.incomplete
            else []
        ),
    ]
    plot = stacked_bars("Groups by class, percent", names, shares)
    return Section("Four-dimensional metric", notes, tables, [plot])


def _living(table: LivingScores) -> Section:
    """New numbers against published ones, over all and by seed."""
    shares = (
        ("average", table.average),
        ("worst case", table.worst),
        ("right in all variants", table.all_right),
    )
    rows = [[name, percent(s.value), ends(s.low, s.high)] for name, s in shares]
    rows.append(["spread within a seed", percent(table.spread), ""])
    told = [f"{table.variants} variants of {table.seeds} seeds, with new numbers."]
    if (heart := table.by_heart) is not None:
        told.append(
            f"Published numbers {percent(heart.first)}, new ones {percent(heart.second)}: "
            f"{points(heart.value)} points {interval(heart)}, p = {p_value(heart.p or 1.0)}. A "
            "positive difference says that published problems are known by heart."
        )
    seeds = [
        [name, s.variants, percent(s.published), percent(s.average), percent(s.worst)]
        for name, s in table.by_seed.items()
    ]
    header = ["seed", "variants", "published", "average", "worst"]
    tables = [
        ReportTable(["over seeds", "accuracy", "95 %"], rows),
        ReportTable(header, seeds, "By seed", True),
    ]
    return Section("Living problems", told, tables)


def _labels(scores: Scores) -> Section:
    tables, plots = [], []
    for label, rates in scores.by.items():
        if len(rates) == 1:
            continue  # says what the overall accuracy says
        name, macro = label.replace("_", " "), percent(scores.macro[label].value)
        link, few = link_of(label), len(rates) <= PLOTTED
        rows = [
            [Cell(value, address=link(value)), *rate_cells(r)]
            for value, r in rates.items()
        ]
        rows.append(["(macro)", "", "", macro, ""])
        tables.append(ReportTable([name, *RATE], rows, f"By {name}", plotted=few))
        if few:
            title = f"Accuracy by {name}, percent; macro {macro}"
            plots.append(dot_plot(title, list(rates.items()), link))
    return Section("By label", [], tables, plots)


def link_of(label: str) -> Callable[[str], str]:
    """From a value of a label to the samples that have it."""
    return lambda value: "#" if value == "all" else samples_of(**{label: value})


def _official(table: OfficialTables, results: Sequence[Result]) -> Section:
    known = {r.id: r for r in results if r.official is not None}
    rows = []
    for side, ids in (("robust", table.robust_only), ("official", table.official_only)):
        for name in ids:
            r = known[name]
            read = r.official.extracted if r.official else None
            rows.append(
                [_sample(name), side, r.gold, short(r.extracted), r.rule, short(read)]
            )
    notes = [
        f"The published rules ({', '.join(table.profiles)}) give "
        f"{percent(table.accuracy.value, 2)} ({table.accuracy.correct} of {table.accuracy.n}); "
        f"they are for comparing with published figures. "
        f"{len(table.robust_only)} samples are right only by the robust rules, "
        f"{len(table.official_only)} only by the official ones.",
        *([QUICK_MATCH] if "mathverse" in table.profiles else []),
    ]
    header = [
        "sample",
        "right by",
        "gold",
        "robust extracted",
        "rule",
        "official extracted",
    ]
    disagree = ReportTable(header, rows, "Every disagreement", len(rows) > 10)
    links = [
        (
            f"only {side} right {len(ids):,}",
            samples_of(**{"official and robust": f"only {side} right"}),
        )
        for side, ids in (
            ("robust", table.robust_only),
            ("official", table.official_only),
        )
        if ids
    ]
    return Section(
        "Official against robust", notes, [disagree] if rows else [], links=links
    )


def _people(people: dict[str, Any]) -> Section:
    """What people's verdicts decided, and where they say otherwise than the rules."""
    who = ", ".join(people["people"])
    notes = [
        f"{who} decided {people['decided']} replies that the rules had left open: "
        f"{people['right']} right. What the rules decided stands.",
        f"Verdicts: {people['file']} (sha256 {people['sha256']}).",
    ]
    what = {
        "against_rules": "people say otherwise than the rules",
        "tied": "people are not of one mind: as the rules left them",
        "stale": "given for another reply or gold: not counted",
        "unknown": "no sample of this split",
    }
    rows = [
        [said, len(people[key]), _listing(people[key])] for key, said in what.items()
    ]
    return Section("People", notes, [ReportTable(["verdicts", "n", "which"], rows)])


def _coverage(scores: Scores) -> Section:
    coverage = scores.coverage
    lists = {
        "missing (count as wrong)": coverage.missing,
        "duplicates (the first counts)": coverage.duplicates,
        "no reply (null or failed)": coverage.failed,
        "unknown ids": coverage.unknown,
        "unreadable rows": coverage.unreadable,
    }
    rows = [[what, len(items), _listing(items)] for what, items in lists.items()]
    rows.append(["rows for other splits", coverage.other_splits, ""])
    return Section("Coverage", [], [ReportTable(["what", "n", "which"], rows)])


def _listing(items: Sequence[str], most: int = 500) -> str:
    more = f" and {len(items) - most} more in scores.json" if len(items) > most else ""
    return ", ".join(items[:most]) + more


def _reading(scores: Scores) -> Section:
    p = scores.provenance
    rows = [
        ["release", scores.release],
        ["split", scores.split],
        ["profile", scores.profile],
        ["predictions", f"{p.predictions}, sha256 {p.predictions_sha256[:16]}…"],
        ["manifest", f"sha256 {p.manifest_sha256[:16]}…"],
        ["benchwright", p.benchwright],
    ]
    notes = [
        "Intervals are 95 %: Clopper and Pearson's, on the effective number of samples, since "
        "versions and steps of one origin succeed and fail together (Korn and Graubard 1998). "
        "Groups of fewer than ten problems say little: read their counts.",
        "Many groups are shown; of twenty true ties one is expected to look like a difference. "
        "benchwright compare corrects for that.",
    ]
    return Section("How to read this", notes, [ReportTable(["what", "value"], rows)])
