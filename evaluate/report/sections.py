"""What a report says, as plain sections; `report_markdown` and `report_html` only set them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...base.display import and_more
from ...pages import (
    Cell,
    Column,
    ReportTable,
    Section,
    dot_plot,
    samples_of,
    stacked_bars,
)
from ...problem import VERSIONS
from ..metrics import (
    Difference,
    Dimensions,
    Earlier,
    FourDimensional,
    LeftOut,
    LivingScores,
    LookScore,
    OfficialTables,
    OwnVerdicts,
    Rate,
    Repeats,
    Result,
    Scores,
    VersionScores,
    headline,
)
from .html import OVER_REPLIES, RIGHT_REPLIES, in_accuracy
from .judge_sections import judged_sections
from .many_runs import rules_alone
from .number_format import (
    ends,
    how_ended,
    interval,
    p_value,
    percent,
    points,
    short,
    word,
)

RATE = (
    Column("n"),
    Column("right"),
    Column("accuracy", percent),
    Column("95 %", interval),
)
NO_RATE = dict.fromkeys([column.name for column in RATE], "")  # blank cells under RATE
COUNTS = (Column("counted"), Column("n"), Column("what it is", align="left"))
ENDINGS = (
    Column("how replies ended"),
    Column("n"),
    Column("right, robust"),
    Column("right, official"),
)
EARLIER = (
    Column("sample"),
    Column("then", word),
    Column("gold then"),
    Column("now", word),
    Column("gold now"),
    Column("corrected in"),
    Column("why", "; ".join),
)
OWN = (
    Column("sample"),
    Column("the file", word),
    Column("gold"),
    Column("it read"),
    Column("robust read"),
    Column("official", word),
    Column("robust", word),
)
DISAGREEMENTS = (
    Column("sample"),
    Column("right by"),
    Column("gold"),
    Column("robust extracted"),
    Column("rule"),
    Column("official extracted"),
)
DROPS = (
    Column("drop"),
    Column("problems"),
    Column("from", percent),
    Column("to", percent),
    Column("points", points),
    Column("95 %", interval),
)
CLASSES = ("IK", "IG", "CM", "RM")
AREAS = (Column("area"), Column("concepts"), Column("macro accuracy", percent))
LIVING = (Column("over seeds"), Column("accuracy", percent), Column("95 %"))
SEEDS = (
    Column("seed"),
    Column("variants"),
    Column("published", percent),
    Column("average", percent),
    Column("worst", percent),
)
FILTERED = 400  # values of a label past which pages do not filter by it
LOOKS = (
    Column("look"),
    Column("samples"),
    Column("accuracy", percent),
    Column("95 %"),
    Column("minus clean"),
    Column("p"),
)
PLOTTED = 40  # a plot of more groups is no picture
LISTED = 500  # names that a cell of a report lists
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
    parts = [_overall(scores, headline(results)), _asked(scores)]
    if scores.without is not None:
        parts.append(_without(scores.accuracy, scores.without))
    if scores.as_of is not None:
        parts.append(_earlier(scores.as_of))
    if scores.versions is not None:
        parts.append(_versions(scores.versions, scores.not_run, in_accuracy(scores)))
    if scores.four_dimensional is not None:
        parts.append(_four_dimensional(scores.four_dimensional))
    if scores.living is not None:
        parts.append(_living(scores.living))
    if scores.looks:
        parts.append(_looks(scores.looks))
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


def _without(whole: Rate, left: LeftOut) -> Section:
    """The figure with and without the problems of a list."""
    rates = {
        "all samples": whole,
        "without them": left.accuracy,
        "they alone": left.theirs,
    }
    note = (
        f"{len(left.problems)} problems are left out, such as those that stand in training data. "
        f"That changes the accuracy by {points(left.difference)} points, "
        f"95 % {ends(left.low, left.high)}; both figures are of the same replies, and "
        "the interval allows for that."
    )
    return Section("Without some problems", [note], [rated("over", rates)])


def _earlier(old: Earlier) -> Section:
    """By whose golds the figures are, and what corrections have changed since."""
    records = [
        {
            "sample": change.id,
            "then": change.then,
            "gold then": change.gold_then,
            "now": change.now,
            "gold now": change.gold_now,
            "corrected in": change.version,
            "why": change.reasons,
        }
        for change in old.changed
    ]
    notes = [
        f"All figures are by the golds of version {old.version}. {len(old.corrected)} samples were "
        f"corrected since; that changes {len(old.changed)} verdicts of the rules."
    ]
    if old.added or old.removed:
        notes.append(
            f"{len(old.added)} samples were added since and are left out; {len(old.removed)} that "
            "the version had are no longer in the release."
        )
    table = ReportTable.of(EARLIER, records)
    return Section(f"As of version {old.version}", notes, [table])


def rate_record(rate: Rate) -> dict[str, Any]:
    """The values under RATE."""
    return {"n": rate.n, "right": rate.correct, "accuracy": rate.value, "95 %": rate}


def rated(of: str, rates: Mapping[str, Rate], title: str = "") -> ReportTable:
    """A row a rate."""
    records = [{"of": name, **rate_record(rate)} for name, rate in rates.items()]
    return ReportTable.of([Column("of", heading=of), *RATE], records, title)


def _overall(scores: Scores, results: Sequence[Result]) -> Section:
    records = [
        {
            "over": f"micro (every {'sample' if scores.repeats is None else 'reply'})",
            **rate_record(scores.accuracy),
        }
    ]
    if scores.asked is not None:
        records.append({"over": "those asked", **rate_record(scores.asked)})
    for label in ("subject", "level", "version"):
        if label in scores.macro:
            macro = scores.macro[label]
            over = f"macro over {macro.groups} {label}s"
            records.append({"over": over, **NO_RATE, "accuracy": macro.value})
    if scores.official is not None:
        over = f"official rules ({', '.join(scores.official.profiles)})"
        records.append({"over": over, **rate_record(scores.official.accuracy)})
    alone = rules_alone(results)
    if alone is not None:
        records.append({"over": "rules alone, no judge", **rate_record(alone)})
    if scores.guessing is not None:
        over = "guessing: an option at random"
        records.append({"over": over, **NO_RATE, "accuracy": scores.guessing})
    if (repeats := scores.repeats) is not None:
        means = {f"mean@{repeats.k}": repeats.mean}
        means |= {f"pass@{j}": mean for j, mean in repeats.passes.items()}
        means[f"maj@{repeats.k}"] = repeats.majority
        for name, mean in means.items():
            over = f"{name} ({repeats.samples} samples)"
            figures = {"accuracy": mean.value, "95 %": ends(mean.low, mean.high)}
            records.append({"over": over, **NO_RATE, **figures})
    tables = [ReportTable.of([Column("over"), *RATE], records)]
    if scores.repeats is not None:
        tables += _over_replies(scores.repeats, in_accuracy(scores))
    tables.append(_counted(scores))
    if scores.endings:
        tables.append(_endings(scores))
    note = "On the same problems benchwright compare tells runs apart that these intervals do not."
    return Section("Accuracy", [note], tables)


def _over_replies(repeats: Repeats, where: dict[str, str]) -> list[ReportTable]:
    """How often samples are right over their replies, and how far runs of one reply spread."""
    often = {
        name: Cell(f"{n:,}", address=samples_of(**{OVER_REPLIES: name}, **where))
        for name, n in repeats.often.items()
        if n
    }
    by_number = {
        name: Cell(f"{n:,}", address=samples_of(**{RIGHT_REPLIES: name}, **where))
        for name, n in repeats.by_number.items()
        if n
    }
    columns = (Column("replies"), Column("samples"))
    records = [{"replies": k, "samples": n} for k, n in {**often, **by_number}.items()]
    rounds = [
        {
            "reply": number,
            **rate_record(rate),
            "right": Cell(
                f"{rate.correct:,}",
                address=samples_of(verdict="right", reply=number, **where),
            ),
        }
        for number, rate in repeats.rounds.items()
    ]
    spread = {**NO_RATE, "accuracy": repeats.spread, "reply": "standard deviation"}
    return [
        ReportTable.of(
            columns, records, "Samples by how many of their replies are right"
        ),
        ReportTable.of(
            [Column("reply"), *RATE], [*rounds, spread], "From reply to reply"
        ),
    ]


def _counted(scores: Scores) -> ReportTable:
    """How many samples there are of each kind, each a link to them where a facet has them."""
    links = {name: samples_of(status=name) for name in scores.counts if name in COUNTED}
    links |= {"problems": "", "answered": ""}
    links |= {
        f"by_{who}": samples_of(**{"decided by": who})
        for who in ("judge", "person", "rule")
    }
    records = [
        {
            "counted": name,
            "n": Cell(f"{n:,}", address=links.get(name, "#")) if n else n,
            "what it is": COUNTED.get(name, ""),
        }
        for name, n in scores.counts.items()
    ]
    whose = ", as the robust rules read" if scores.profile == "official" else ""
    title = f"What was counted{whose}"
    return ReportTable.of(COUNTS, records, title, folded=True)


def _endings(scores: Scores) -> ReportTable:
    records = [
        {
            "how replies ended": how_ended(name),
            "n": Cell(f"{e.n:,}", address=samples_of(**{"reply ended": name})),
            "right, robust": e.robust,
            "right, official": "" if e.official is None else e.official,
        }
        for name, e in scores.endings.items()
    ]
    return ReportTable.of(ENDINGS, records, "What is known of replies")


def _asked(scores: Scores) -> Section:
    """How the model was asked, as far as anybody has recorded it."""
    material = scores.provenance
    tables = []
    notes = [*material.remarks]
    for run in material.runs:
        settings = [{"how": name, "what": value} for name, value in run.rows()]
        tables.append(ReportTable.of((Column("how"), Column("what")), settings))
        texts = [
            {"prompt": name, "text": text}
            for prompt in run.prompts
            for name, text in prompt.texts.items()
        ]
        if texts:
            columns = (Column("prompt"), Column("text"))
            title = "Prompts to the letter"
            tables.append(ReportTable.of(columns, texts, title, folded=True))
        notes += [f"Doubtful: {doubt}." for doubt in run.doubts]
    return Section("How this was asked", notes, tables)


def _own(own: OwnVerdicts, results: Sequence[Result]) -> Section:
    """The file's own verdicts beside ours, and the rows that differ."""
    by_id = {r.reply_name(): r for r in results}
    differ = own.official_differs
    if differ is None:
        differ = own.robust_differs
    records = [record for name in differ if (record := _own_record(by_id[name]))]
    sides = [("robust", own.robust_differs), ("official", own.official_differs)]
    agreement = "; ".join(
        f"{own.n - len(names):,} of {own.n:,} agree with the {profile} rules"
        for profile, names in sides
        if names is not None
    )
    note = (
        f"The file's own verdicts (field {own.field}) call {own.right:,} of {own.n:,} right. "
        f"{agreement}."
    )
    tables = [ReportTable.of(OWN, records, "Rows that differ")] if records else []
    return Section("The file's own verdicts", [note], tables)


def _own_record(result: Result) -> dict[str, Any] | None:
    if result.own is None:
        return None
    return {
        "sample": _sample(result),
        "the file": result.own.correct,
        "gold": result.gold,
        "it read": short(result.own.extracted),
        "robust read": short(result.extracted),
        "official": result.official.correct if result.official else "",
        "robust": result.correct,
    }


def _sample(result: Result) -> Cell:
    """A link to a sample; to one of its replies, where it is not the first."""
    which = {"reply": str(result.repeat)} if result.repeat > 1 else {}
    return Cell(result.reply_name(), address=samples_of(sample=result.id, **which))


def _versions(
    table: VersionScores, not_run: Sequence[str], every: Mapping[str, str]
) -> Section:
    by_version = {version: getattr(table, version) for version in (*VERSIONS, "all")}
    rates: dict[str, Rate] = {
        v: rate for v, rate in by_version.items() if rate is not None
    }
    records = [{"version": name, **rate_record(rate)} for name, rate in rates.items()]
    blank = {**NO_RATE, "accuracy": "–", "95 %": "no predictions"}
    records += [{"version": name, **blank} for name in not_run]
    # The plot shows what ran alone; so the table stands beside it where something did not.
    columns = [Column("version"), *RATE]
    tables = [
        ReportTable.of(columns, records, plotted=not not_run),
        _drops(table.drops),
    ]
    for label, values in table.by.items():
        cells = {
            value: {v: by_version[v].value if v in by_version else "" for v in rates}
            for value, by_version in values.items()
        }
        title = f"By {label}"
        tables.append(ReportTable.matrix(label, list(rates), cells, percent, title))
    note = "“all” leaves text_only out. A drop is the first version minus the second."
    title = "Accuracy per version, percent"
    plot = dot_plot(title, list(rates.items()), link_of("version", every))
    return Section("Six versions", [note], tables, [plot])


def _drops(drops: Mapping[str, Difference]) -> ReportTable:
    records = [
        {
            "drop": name,
            "problems": drop.n,
            "from": drop.first,
            "to": drop.second,
            "points": drop.value,
            "95 %": drop,
        }
        for name, drop in drops.items()
    ]
    return ReportTable.of(DROPS, records, "Paired drops")


def _four_dimensional(table: FourDimensional) -> Section:
    settings = {"strict": table.strict, "loose": table.loose}
    tables = [_by_class(settings)]
    steps = {f"{k}-step": rate for k, rate in table.steps.items()}
    tables.append(rated("problems", steps, "By number of steps"))
    if table.areas:
        areas = [
            {"area": name, "concepts": area.concepts, "macro accuracy": area.value}
            for name, area in table.areas.items()
        ]
        tables.append(ReportTable.of(AREAS, areas, "Areas, one-step"))
    if table.concepts:
        tables.append(rated("concept", table.concepts, "Concepts, one-step"))
    notes = [
        f"{table.groups} composite problems. IK insufficient knowledge, IG inadequate "
        "generalisation, CM complete mastery, RM rote memorisation; RM's rate is over CM + RM, "
        "while the bars show all four as shares of all problems. Score: (CM + "
        f"{table.weights.beta:g} IG + {table.weights.alpha:g} IK) / problems."
    ]
    if table.incomplete:
        notes.append(f"left out as incomplete: {', '.join(table.incomplete)}")
    shares = [
        (setting, [getattr(d, name).n / table.groups for name in CLASSES])
        for setting, d in settings.items()
    ]
    plot = stacked_bars("Groups by class, percent", list(CLASSES), shares)
    return Section("Four-dimensional metric", notes, tables, [plot])


def _by_class(settings: Mapping[str, Dimensions]) -> ReportTable:
    def counted(share: Any) -> str:
        return f"{percent(share.rate)} ({share.n})"

    columns = [Column("setting"), Column("score", percent)]
    columns += [Column(name, counted) for name in CLASSES]
    records = [
        {"setting": setting, "score": d.score}
        | {name: getattr(d, name) for name in CLASSES}
        for setting, d in settings.items()
    ]
    return ReportTable.of(columns, records)


def _living(table: LivingScores) -> Section:
    """New numbers against published ones, over all and by seed."""
    shares = {
        "average": table.average,
        "worst case": table.worst,
        "right in all variants": table.all_right,
    }
    records: list[dict[str, Any]] = [
        {"over seeds": name, "accuracy": s.value, "95 %": ends(s.low, s.high)}
        for name, s in shares.items()
    ]
    spread = {"over seeds": "spread within a seed", "accuracy": table.spread}
    records.append(spread | {"95 %": ""})
    notes = [f"{table.variants} variants of {table.seeds} seeds, with new numbers."]
    if (heart := table.by_heart) is not None:
        notes.append(
            f"Published numbers {percent(heart.first)}, new ones {percent(heart.second)}: "
            f"{points(heart.value)} points {interval(heart)}, p = {p_value(heart.p or 1.0)}. A "
            "positive difference says that published problems are known by heart."
        )
    seeds = [
        {
            "seed": name,
            "variants": seed.variants,
            "published": seed.published,
            "average": seed.average,
            "worst": seed.worst,
        }
        for name, seed in table.by_seed.items()
    ]
    tables = [
        ReportTable.of(LIVING, records),
        ReportTable.of(SEEDS, seeds, "By seed", folded=True),
    ]
    return Section("Living problems", notes, tables)


def _looks(looks: Mapping[str, LookScore]) -> Section:
    """Every look's accuracy, and what it costs beside the clean picture."""
    records: list[dict[str, Any]] = []
    for name, score in looks.items():
        record: dict[str, Any] = {
            "look": name,
            "samples": score.samples,
            "accuracy": score.accuracy.value,
            "95 %": ends(score.accuracy.low, score.accuracy.high),
            "minus clean": "",
            "p": "",
        }
        if (cost := score.difference) is not None:
            record["minus clean"] = f"{points(cost.value)} points {interval(cost)}"
            record["p"] = p_value(cost.p or 1.0)
        records.append(record)
    notes = [
        "The same questions with other pictures. Each look is paired with the clean picture of the "
        "same sample; origins are clusters."
    ]
    return Section("Looks of pictures", notes, [ReportTable.of(LOOKS, records)])


def _labels(scores: Scores) -> Section:
    tables, plots = [], []
    for label, rates in scores.by.items():
        if len(rates) == 1:
            continue  # says what the overall accuracy says
        name = label.replace("_", " ")
        macro = percent(scores.macro[label].value)
        where = in_accuracy(scores) if label != "version" else {}
        link = link_of(label, where) if len(rates) <= FILTERED else lambda value: ""
        is_plotted = len(rates) <= PLOTTED
        records = [
            {"of": Cell(value, address=link(value)), **rate_record(rate)}
            for value, rate in rates.items()
        ]
        records.append({"of": "(macro)", **NO_RATE, "accuracy": macro})
        columns = [Column("of", heading=name), *RATE]
        title = f"By {name}"
        tables.append(ReportTable.of(columns, records, title, plotted=is_plotted))
        if is_plotted:
            title = f"Accuracy by {name}, percent; macro {macro}"
            plots.append(dot_plot(title, list(rates.items()), link))
    return Section("By label", [], tables, plots)


def link_of(label: str, where: Mapping[str, str] | None = None) -> Callable[[str], str]:
    """From a value of a label to the samples that have it, of those that `where` has."""
    shared = dict(where or {})
    if label == "version":  # it says itself what is counted; all of them do not
        return lambda value: samples_of(
            **(shared if value == "all" else {label: value})
        )
    return lambda value: samples_of(**({label: value} | shared))


def _official(table: OfficialTables, results: Sequence[Result]) -> Section:
    by_id = {r.reply_name(): r for r in results if r.official is not None}
    sides = {"robust": table.robust_only, "official": table.official_only}
    records = [
        _disagreement(side, by_id[name])
        for side, names in sides.items()
        for name in names
    ]
    unit = "replies" if any(r.repeat > 1 for r in by_id.values()) else "samples"
    notes = [
        f"The published rules ({', '.join(table.profiles)}) give "
        f"{percent(table.accuracy.value, 2)} ({table.accuracy.correct} of {table.accuracy.n}); "
        f"they are for comparing with published figures. "
        f"{len(table.robust_only)} {unit} are right only by the robust rules, "
        f"{len(table.official_only)} only by the official ones."
    ]
    if "mathverse" in table.profiles:
        notes.append(QUICK_MATCH)
    tables = []
    if records:
        title = "Every disagreement"
        folded = len(records) > 10
        tables.append(ReportTable.of(DISAGREEMENTS, records, title, folded=folded))
    links = [
        (
            f"only {side} right {len(names):,}",
            samples_of(**{"official and robust": f"only {side} right"}),
        )
        for side, names in sides.items()
        if names
    ]
    return Section("Official against robust", notes, tables, links=links)


def _disagreement(side: str, result: Result) -> dict[str, Any]:
    return {
        "sample": _sample(result),
        "right by": side,
        "gold": result.gold,
        "robust extracted": short(result.extracted),
        "rule": result.rule,
        "official extracted": short(
            result.official.extracted if result.official else None
        ),
    }


def _people(people: dict[str, Any]) -> Section:
    """What people's verdicts decided, and where they say otherwise than the rules."""
    who = ", ".join(people["people"])
    notes = [
        f"{who} decided {people['decided']} replies that the rules had left open: "
        f"{people['right']} right. What the rules decided stands.",
        f"Verdicts: {people['file']} (sha256 {people['sha256']}).",
    ]
    lists = {
        "people say otherwise than the rules": people["against_rules"],
        "people are not of one mind: as the rules left them": people["tied"],
        "given for another reply or gold: not counted": people["stale"],
        "no sample of this split": people["unknown"],
    }
    return Section("People", notes, [_listed("verdicts", _list_records(lists))])


def _coverage(scores: Scores) -> Section:
    coverage = scores.coverage
    lists = {
        "missing (count as wrong)": coverage.missing,
        "duplicates (the first counts)": coverage.duplicates,
        "no reply (null or failed)": coverage.failed,
        "unknown ids": coverage.unknown,
        "unreadable rows": coverage.unreadable,
    }
    records = _list_records(lists)
    others = {"what": "rows for other splits", "n": coverage.other_splits, "which": ""}
    return Section("Coverage", [], [_listed("what", [*records, others])])


def _listed(of: str, records: Sequence[Mapping[str, Any]]) -> ReportTable:
    """A row a kind: how many there are, and which."""
    columns = (Column("what", heading=of), Column("n"), Column("which"))
    return ReportTable.of(columns, records)


def _list_records(lists: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    return [
        {"what": what, "n": len(names), "which": _listing(names)}
        for what, names in lists.items()
    ]


def _listing(names: Sequence[str]) -> str:
    more = and_more(len(names), LISTED, " in scores.json")
    return ", ".join(names[:LISTED]) + more


def _reading(scores: Scores) -> Section:
    material = scores.provenance
    facts = {
        "release": scores.release,
        "split": scores.split,
        "profile": scores.profile,
        "predictions": f"{material.predictions}, sha256 {material.predictions_sha256[:16]}…",
        "manifest": f"sha256 {material.manifest_sha256[:16]}…",
        "benchwright": material.benchwright,
    }
    notes = [
        "Intervals are 95 %: Clopper and Pearson's, on the effective number of samples, since "
        "versions and steps of one origin succeed and fail together (Korn and Graubard 1998). "
        "Groups of fewer than ten problems say little: read their counts.",
        "Many groups are shown; of twenty true ties one is expected to look like a difference. "
        "benchwright compare corrects for that.",
    ]
    records = [{"what": what, "value": value} for what, value in facts.items()]
    table = ReportTable.of((Column("what"), Column("value")), records)
    return Section("How to read this", notes, [table])
