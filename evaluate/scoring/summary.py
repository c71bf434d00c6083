"""What `score` and `compare` say in the terminal."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ...base.display import and_more
from ...base.terminal import table
from ...llm import all_planned, priced, usage
from ...llm import planned as planned_text
from ..judges import Judge, Panel
from ..metrics import (
    Comparison,
    Comparisons,
    Dimensions,
    Earlier,
    LabelDifference,
    LeftOut,
    Macro,
    OfficialTables,
    OwnVerdicts,
    Rate,
    Repeats,
    Scores,
)
from ..report import ends, how_ended, interval, p_value, percent, points, word

# Problems: below, an interval is at least .6 wide and a group is no figure.
TELLING = 10
LABELS = ("subject", "level", "version")  # those that a terminal shows


def summary(scores: Scores) -> str:
    """The figures that a terminal should show."""
    lines = [*_accuracy(scores), *_endings(scores)]
    if scores.without is not None:
        lines.append(_without(scores.without))
    if scores.own is not None:
        lines.append(_own(scores.own))
    if (several := scores.several) is not None:
        lines.append(
            f"several letters or sub-answers: strict {percent(several.strict.value, 2)}, "
            f"partial {percent(several.partial, 2)}  95 % {ends(several.low, several.high)}  "
            f"({several.strict.n} samples)"
        )
    if scores.repeats is not None:
        lines.append(_repeats(scores.repeats))
    if (people := scores.people) is not None:
        lines.append(
            f"people decided {people['decided']} open replies ({people['right']} right) and "
            f"contradict rules on {len(people['against_rules'])}; {len(people['tied'])} tied, "
            f"{len(people['stale'])} given for another reply"
        )
    if scores.as_of is not None:
        lines += _earlier(scores.as_of)
    if scores.not_run:
        lines.append(f"not run, counted nowhere: {', '.join(scores.not_run)}")
    if scores.official is not None:
        lines += _official(scores.official, has_own=scores.own is not None)
    for label in LABELS:
        if rates := scores.by.get(label):
            lines += _label(label, rates, scores.macro[label])
    if (four := scores.four_dimensional) is not None:
        lines += ["", _dimensions({"strict": four.strict, "loose": four.loose})]
    return "\n".join([*lines, *_judged(scores)])


def _accuracy(scores: Scores) -> list[str]:
    c, accuracy = scores.counts, scores.accuracy
    failed = f"failed {c['failed']} (wrong), " if c["failed"] else ""
    return [
        f"{scores.release} / {scores.split}, {scores.profile} profile",
        f"accuracy {percent(accuracy.value, 2)}  95 % {interval(accuracy)}  "
        f"({accuracy.correct} of {accuracy.n} {_unit(scores)}, {accuracy.clusters} clusters)",
        *_of_asked(scores),
        f"answered {c['answered']}, missing {c['missing']} (wrong), {failed}"
        f"{_whose(scores)}unextracted {c['unextracted']}, declined {c['declined']}, "
        f"truncated {c['truncated']}, timeout {c['timeout']}, too large {c['refused']}, "
        f"unparsed {c['unparsed']}; decided by rule {c['by_rule']}, by judge {c['by_judge']}, "
        f"by people {c.get('by_person', 0)}",
    ]


def _unit(scores: Scores) -> str:
    return "samples" if scores.repeats is None else "replies"


def _of_asked(scores: Scores) -> list[str]:
    """The figure for the part that was asked, where that is not all."""
    asked = scores.asked
    if asked is None:
        return []
    return [
        f"of those asked {percent(asked.value, 2)}  95 % {interval(asked)}  "
        f"({asked.correct} of {asked.n}; a part need not be like the whole)"
    ]


def _endings(scores: Scores) -> list[str]:
    """Replies of ends that were known when they came: cut, refused, never came."""
    lines = []
    for name, ending in scores.endings.items():
        line = f"{how_ended(name)} {ending.n}: right by robust rules {ending.robust}"
        if ending.official is not None:
            line += f", by official ones {ending.official}"
        lines.append(line)
    return lines


def _without(left: LeftOut) -> str:
    """The figure without the problems of a list, and what leaving them out changes."""
    accuracy, theirs = left.accuracy, left.theirs
    unknown = f"; {left.unknown} names are not in this split" if left.unknown else ""
    return (
        f"without {len(left.problems)} problems ({theirs.n} samples, accuracy "
        f"{percent(theirs.value, 2)}): {percent(accuracy.value, 2)}  95 % {interval(accuracy)}  "
        f"({accuracy.correct} of {accuracy.n}), {points(left.difference)} points  "
        f"95 % {ends(left.low, left.high)}{unknown}"
    )


def _own(own: OwnVerdicts) -> str:
    profiles = {"robust": own.robust_differs, "official": own.official_differs}
    agreement = ", ".join(
        f"{own.n - len(differing)} with the {profile}"
        for profile, differing in profiles.items()
        if differing is not None
    )
    return f"the file's own verdicts ({own.field}): of {own.n}, {agreement} ones agree"


def _repeats(repeats: Repeats) -> str:
    passes = ", ".join(
        f"pass@{j} {percent(mean.value)}" for j, mean in repeats.passes.items()
    )
    mean = repeats.mean
    return (
        f"mean@{repeats.k} {percent(mean.value, 2)}  95 % {ends(mean.low, mean.high)}  "
        f"({repeats.samples} samples); {passes}"
    )


def _earlier(old: Earlier) -> list[str]:
    """By whose golds the figures are, and the first verdicts that corrections have changed."""
    lines = [
        f"by the golds of version {old.version}: {len(old.corrected)} samples were corrected "
        f"since, which changes {len(old.changed)} verdicts"
    ]
    for change in old.changed[:TELLING]:
        reasons = f" ({'; '.join(change.reasons)})" if change.reasons else ""
        lines.append(
            f"  {change.id}: {word(change.then)} by {change.gold_then!r}, "
            f"{word(change.now)} by {change.gold_now!r} of {change.version}{reasons}"
        )
    if more := and_more(len(old.changed), TELLING):
        lines.append(f" {more}")
    return lines


def _official(official: OfficialTables, has_own: bool) -> list[str]:
    accuracy = official.accuracy
    lines = [
        f"official {'+'.join(official.profiles)} {percent(accuracy.value, 2)}  "
        f"({accuracy.correct} of {accuracy.n}); right only by robust rules "
        f"{len(official.robust_only)}, only by official rules {len(official.official_only)}"
    ]
    if "mathverse" in official.profiles and not accuracy.correct and not has_own:
        lines.append(
            "  its rules compare what a model extracted, and these replies hold none"
        )
    return lines


def _whose(scores: Scores) -> str:
    """Whose reading is counted, where the figures above are by the official rules."""
    return "as the robust rules read: " if scores.profile == "official" else ""


def _label(label: str, rates: dict[str, Rate], macro: Macro) -> list[str]:
    """A label's groups that are large enough to be a figure, and the mean over all."""
    rows = [
        [value, rate.n, percent(rate.value), interval(rate)]
        for value, rate in rates.items()
        if rate.clusters >= TELLING
    ]
    mean, reach = percent(macro.value), ends(macro.low, macro.high)
    text = f"{label}: macro {mean}  95 % {reach}"
    if rows:
        text = table([*rows, ["(macro)", "", mean, reach]], [label, "n", "", "95 %"])
    return ["", text, *_small(len(rates) - len(rows))]


def _small(n: int) -> list[str]:
    """What is said of groups that are no figure here."""
    if n == 0:
        return []
    groups = f"{n} groups of" if n > 1 else "1 group of"
    return [f"{groups} fewer than {TELLING} problems: see the report or --json"]


def _judged(scores: Scores) -> list[str]:
    """What a judge found, one line a protocol."""
    lines = []
    if scores.judge is not None and (asked := scores.judge.get("answers")):
        lines.append(
            f"judge on {asked['asked']} replies left open: right {asked['right']}, "
            f"wrong {asked['wrong']}  (judgements: {_ended(asked['counts'])})"
        )
    if (cot := scores.cot) is not None:
        mean = cot["all"]
        lines.append(
            f"chain of thought {percent(mean['value'], 2)}  "
            f"95 % {ends(mean['low'], mean['high'])}  "
            f"({mean['n']} samples; judgements: {_ended(cot['counts'])})"
        )
        lines += _by_judge(cot.get("by_judge", {}))
    if (process := scores.process) is not None:
        shares = ", ".join(
            f"{k} {percent(c['share'])}" for k, c in process["categories"].items()
        )
        lines.append(
            f"first errors {shares}  (judgements: {_ended(process['counts'])})"
        )
    if (wo := scores.wo) is not None:
        all_, agree = wo["accuracy"], wo["agreement"]
        lines.append(
            f"w/o {percent(all_['value'], 2)}  95 % {ends(all_['low'], all_['high'])}  "
            f"({all_['n']} samples; {agree['same']} of {agree['n']} verdicts as the rules'; "
            f"judgements: {_ended(wo['counts'])})"
        )
    lines += _of_judges(scores.judge or {})
    return ["", *lines] if lines else []


def _by_judge(figures: dict[str, Any]) -> list[str]:
    """The figure of a judge that is trusted, as the paper does, where rules left some open."""
    if not figures.get("refused"):
        return []
    mean = figures["all"]
    return [
        f"  by the judge alone {percent(mean['value'], 2)}  "
        f"95 % {ends(mean['low'], mean['high'])}  ({mean['n']} samples; above, rules leave "
        f"{figures['refused']} of its verdicts open)"
    ]


def _of_judges(judge: dict[str, Any]) -> list[str]:
    """How far judges agree with each other, and which of them obey what they read."""
    lines = []
    for protocol, pairs in judge.get("agreement", {}).items():
        for pair in pairs:
            a, b = pair["judges"]
            kappa = "none" if pair["kappa"] is None else f"{pair['kappa']:.3f}"
            lines.append(
                f"{protocol}: {a} and {b} agree on {percent(pair['agreement'])} of {pair['n']} "
                f"replies, kappa {kappa}"
            )
        lines.append(
            f"{protocol}: {judge['arbitrated'][protocol]} decided by the arbiter"
        )
    for protocol, judges in judge.get("canaries", {}).items():
        for name, canary in judges.items():
            if obeyed := canary["obeyed"]:
                lines.append(
                    f"WARNING {protocol}: {name} obeys what it judges ({len(obeyed)} of "
                    f"{canary['asked']} made replies); its favourable verdicts stay open"
                )
    return lines


def _ended(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {n}" for name, n in counts.items() if n or name == "ok")


def _dimensions(settings: dict[str, Dimensions]) -> str:
    rows = [
        [name, percent(d.score), *(percent(s.rate) for s in (d.IK, d.IG, d.CM, d.RM))]
        for name, d in settings.items()
    ]
    return table(rows, ["four-dimensional", "score", "IK", "IG", "CM", "RM"])


def is_unfinished(judge: Judge) -> bool:
    """Whether some of what a judge was asked has no reply, for want of budget or of luck."""
    return any(answer.status in ("error", "missing") for answer in judge.answers)


def spent(judge: Judge) -> str:
    """What this run asked the judge and what it cost; replies from the cache cost nothing."""
    total = usage(judge.answers, judge.model)
    text = (
        f"judge {judge.model.name}: {total['answers']} of {total['requests']} replies, "
        f"{total['cached']} from the cache; "
        f"{total['prompt_tokens']} prompt and {total['completion_tokens']} reply tokens, "
        f"cost {priced(total['cost'])}"
    )
    before = (total["cost_all"] or 0) - (total["cost"] or 0)
    if before > 0:
        text += f" (kept replies {before:g} before)"
    if failed := total.get("error", 0) + total.get("missing", 0):
        causes = Counter(a.error for a in judge.answers if a.error).most_common(1)
        why = f" ({causes[0][0][:160]})" if causes else ""
        text += f"; {failed} failed, the same command asks these again{why}"
    return text


def planned(panel: Panel) -> tuple[str, dict[str, Any]]:
    """What a panel would ask, in words and in figures, by model."""
    lines, figures = [], {}
    for judge in panel.everyone():
        total = all_planned(judge.planned)
        figures[judge.model.name] = total
        lines.append(f"judge {judge.model.name}: {planned_text(total)}")
    lines.append(
        "calls that rest on these replies (scores of steps, repairs, arbitration) come on top"
    )
    return "\n".join(lines), figures


def _several(comparisons: Comparisons) -> str:
    """A against each of the others, then every comparison."""
    pairs = comparisons.pairs
    rows = [
        [c.b, points(c.difference.value), interval(c.difference), p_value(p)]
        for c, p in zip(pairs, comparisons.p_adjusted, strict=True)
    ]
    header = ["against", f"{pairs[0].a} minus it", "95 %", "p (corrected)"]
    return "\n\n".join([table(rows, header), *map(comparison_text, pairs)])


def comparison_text(comparison: Comparison | Comparisons) -> str:
    """A comparison as a terminal should show it; several one after the other."""
    if isinstance(comparison, Comparisons):
        return _several(comparison)
    lines = _whole(comparison)
    for label in LABELS:
        if groups := comparison.by.get(label):
            lines += _label_differences(label, groups)
    if comparison.four_dimensional:
        lines += ["", _dimensions(comparison.four_dimensional)]
    if comparison.transitions:
        rows = [[move, n] for move, n in comparison.transitions.items()]
        lines += ["", table(rows, ["four-dimensional class, A -> B", "groups"])]
    return "\n".join([*lines, "", *(f"note: {note}" for note in comparison.notes)])


def _whole(c: Comparison) -> list[str]:
    d, counts = c.difference, c.outcomes
    lines = [
        f"A {c.a}: {percent(c.accuracy_a.value, 2)}   B {c.b}: {percent(c.accuracy_b.value, 2)}",
        f"A - B {points(d.value)} points, 95 % {interval(d)}, exact p {p_value(d.p or 1.0)}",
        f"only A right {counts.only_first}, only B right {counts.only_second}, "
        f"both {counts.both}, neither {counts.neither}",
    ]
    if d.detectable is not None:
        detectable = points(d.detectable).lstrip("+")
        lines.append(f"true difference found with 80 % power: {detectable} points")
    lines.append(f"verdict: {c.verdict}")
    lines += [f"they differ in {what}: {a} and {b}" for what, (a, b) in c.asked.items()]
    return lines


def _label_differences(label: str, groups: dict[str, LabelDifference]) -> list[str]:
    rows = [
        [
            value,
            group.difference.n,
            points(group.difference.value),
            interval(group.difference),
            p_value(group.p_adjusted),
        ]
        for value, group in groups.items()
        if group.difference.clusters >= TELLING
    ]
    header = [label, "n", "A - B", "95 %", "p (corrected)"]
    text = table(rows, header) if rows else f"{label}:"
    return ["", text, *_small(len(groups) - len(rows))]
