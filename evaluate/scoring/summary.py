"""What `score` and `compare` say in the terminal."""

from __future__ import annotations

from typing import Any

from ...base.terminal import table
from ...llm import planned as planned_text
from ...llm import priced, usage
from ..judges import Judge, Panel
from ..metrics import Comparison, Comparisons, Dimensions, Macro, Rate, Scores
from ..report import ends, interval, p_value, percent, points, word

PLANNED = (
    "requests",
    "cached",
    "to_ask",
    "characters",
    "pictures",
    "picture_tokens",
    "reply_tokens",
    "cost_in",
    "cost_out",
)
TELLING = (
    10  # problems: below, an interval is at least .6 wide and a group is no figure
)


def summary(scores: Scores) -> str:
    """The figures that a terminal should show."""
    c = scores.counts
    lines = [
        f"{scores.release} / {scores.split}, {scores.profile} profile",
        f"accuracy {percent(scores.accuracy.value, 2)}  95 % {interval(scores.accuracy)}  "
        f"({scores.accuracy.correct} of {scores.accuracy.n} samples, "
        f"{scores.accuracy.clusters} clusters)",
        f"answered {c['answered']}, missing {c['missing']} (wrong), "
        + (f"failed {c['failed']} (wrong), " if c["failed"] else "")
        + f"{_whose(scores)}unextracted {c['unextracted']}, declined {c['declined']}, "
        f"truncated {c['truncated']}, timeout {c['timeout']}, refused {c['refused']}, "
        f"unparsed {c['unparsed']}; decided by rule {c['by_rule']}, by judge {c['by_judge']}, "
        f"by people {c.get('by_person', 0)}",
    ]
    lines += [
        f"{name} {e.n}: right by robust rules {e.robust}"
        + ("" if e.official is None else f", by official ones {e.official}")
        for name, e in scores.endings.items()
    ]
    if (own := scores.own) is not None:
        agree = [("robust", own.robust_differs), ("official", own.official_differs)]
        told = ", ".join(
            f"{own.n - len(d)} with the {p}" for p, d in agree if d is not None
        )
        lines.append(
            f"the file's own verdicts ({own.field}): of {own.n}, {told} ones agree"
        )
    if (both := scores.several) is not None:
        lines.append(
            f"several letters or sub-answers: strict {percent(both.strict.value, 2)}, "
            f"partial {percent(both.partial, 2)}  95 % {ends(both.low, both.high)}  "
            f"({both.strict.n} samples)"
        )
    if (several := scores.repeats) is not None:
        passes = ", ".join(
            f"pass@{j} {percent(m.value)}" for j, m in several.passes.items()
        )
        mean = several.mean
        lines.append(
            f"mean@{several.k} {percent(mean.value, 2)}  95 % {ends(mean.low, mean.high)}  "
            f"({several.samples} samples); {passes}"
        )
    if (people := scores.people) is not None:
        lines.append(
            f"people decided {people['decided']} open replies ({people['right']} right) and "
            f"contradict rules on {len(people['against_rules'])}; {len(people['tied'])} tied, "
            f"{len(people['stale'])} given for another reply"
        )
    if (old := scores.as_of) is not None:
        lines.append(
            f"by the golds of version {old.version}: {len(old.corrected)} samples were corrected "
            f"since, which changes {len(old.changed)} verdicts"
        )
        lines += [
            f"  {c.id}: {word(c.then)} by {c.gold_then!r}, {word(c.now)} by {c.gold_now!r} of "
            f"{c.version}" + (f" ({'; '.join(c.reasons)})" if c.reasons else "")
            for c in old.changed[:TELLING]
        ]
        lines += (
            [f"  and {len(old.changed) - TELLING} more"]
            if len(old.changed) > TELLING
            else []
        )
    if scores.not_run:
        lines.append(f"not run, counted nowhere: {', '.join(scores.not_run)}")
    if scores.official is not None:
        o = scores.official
        lines.append(
            f"official {'+'.join(o.profiles)} {percent(o.accuracy.value, 2)}  "
            f"({o.accuracy.correct} of {o.accuracy.n}); right only by robust rules "
            f"{len(o.robust_only)}, only by official rules {len(o.official_only)}"
        )
        if "mathverse" in o.profiles and not o.accuracy.correct and scores.own is None:
            lines.append(
                "  its rules compare what a model extracted, and these replies hold none"
            )
    for label in ("subject", "level", "version"):
        if rates := scores.by.get(label):
            lines += _label(label, rates, scores.macro[label])
    if (four := scores.four_dimensional) is not None:
        lines += ["", _dimensions({"strict": four.strict, "loose": four.loose})]
    return "\n".join([*lines, *_judged(scores)])


def _whose(scores: Scores) -> str:
    """Whose reading is counted, where the figures above are by the official rules."""
    return "as the robust rules read: " if scores.profile == "official" else ""


def _label(label: str, rates: dict[str, Rate], macro: Macro) -> list[str]:
    """A label's groups that are large enough to be a figure, and the mean over all."""
    told = [
        [v, r.n, percent(r.value), interval(r)]
        for v, r in rates.items()
        if r.clusters >= TELLING
    ]
    mean, reach = percent(macro.value), ends(macro.low, macro.high)
    shown = f"{label}: macro {mean}  95 % {reach}"
    if told:
        shown = table([*told, ["(macro)", "", mean, reach]], [label, "n", "", "95 %"])
    return ["", shown, *_small(len(rates) - len(told))]


def _small(n: int) -> list[str]:
    """What is said of groups that are no figure here."""
    what = f"{n} groups of" if n > 1 else "1 group of"
    return (
        [f"{what} fewer than {TELLING} problems: see the report or --json"] if n else []
    )


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


def spent(judge: Judge) -> str:
    """What this run asked the judge and what it cost; replies from the cache cost nothing."""
    total = usage(judge.answers, judge.model)
    failed = total.get("error", 0) + total.get("missing", 0)
    before = (total["cost_all"] or 0) - (total["cost"] or 0)
    return (
        f"judge {judge.model.name}: {total['answers']} replies, {total['cached']} from the cache; "
        f"{total['prompt_tokens']} prompt and {total['completion_tokens']} reply tokens, "
        f"cost {priced(total['cost'])}"
        + (f" (kept replies {before:g} before)" if before > 0 else "")
        + (f"; {failed} failed, the same command asks these again" if failed else "")
    )


def planned(panel: Panel) -> tuple[str, dict[str, Any]]:
    """What a panel would ask, in words and in figures, by model."""
    lines, figures = [], {}
    for judge in panel.everyone():
        total = {
            name: None
            if any(part[name] is None for part in judge.planned)
            else sum(part[name] for part in judge.planned)
            for name in PLANNED
        }
        figures[judge.model.name] = total
        lines.append(f"judge {judge.model.name}: {planned_text(total)}")
    lines.append(
        "calls that rest on these replies (scores of steps, repairs, arbitration) come on top"
    )
    return "\n".join(lines), figures


def _several(found: Comparisons) -> str:
    """A against each of the others, then every comparison."""
    rows = [
        [c.b, points(c.difference.value), interval(c.difference), p_value(p)]
        for c, p in zip(found.pairs, found.p_adjusted, strict=True)
    ]
    header = ["against", f"{found.pairs[0].a} minus it", "95 %", "p (corrected)"]
    return "\n\n".join([table(rows, header), *map(comparison_text, found.pairs)])


def comparison_text(comparison: Comparison | Comparisons) -> str:
    """A comparison as a terminal should show it; several one after the other."""
    if isinstance(comparison, Comparisons):
        return _several(comparison)
    d, m = comparison.difference, comparison.outcomes
    lines = [
        f"A {comparison.a}: {percent(comparison.accuracy_a.value, 2)}   "
        f"B {comparison.b}: {percent(comparison.accuracy_b.value, 2)}",
        f"A - B {points(d.value)} points, 95 % {interval(d)}, exact p {p_value(d.p or 1.0)}",
        f"only A right {m.only_first}, only B right {m.only_second}, both {m.both}, "
        f"neither {m.neither}",
        *(
            [
                f"true difference found with 80 % power: {points(d.detectable).lstrip('+')} points"
            ]
            if d.detectable is not None
            else []
        ),
        f"verdict: {comparison.verdict}",
        *(f"they differ in {k}: {x} and {y}" for k, (x, y) in comparison.asked.items()),
    ]
    for label in ("subject", "level", "version"):
        if values := comparison.by.get(label):
            rows = [
                [
                    value,
                    x.difference.n,
                    points(x.difference.value),
                    interval(x.difference),
                    p_value(x.p_adjusted),
                ]
                for value, x in values.items()
                if x.difference.clusters >= TELLING
            ]
            header = [label, "n", "A - B", "95 %", "p (corrected)"]
            shown = table(rows, header) if rows else f"{label}:"
            lines += ["", shown, *_small(len(values) - len(rows))]
    if comparison.four_dimensional:
        lines += ["", _dimensions(comparison.four_dimensional)]
    if comparison.transitions:
        rows = [[move, n] for move, n in comparison.transitions.items()]
        lines += ["", table(rows, ["four-dimensional class, A -> B", "groups"])]
    return "\n".join([*lines, "", *(f"note: {note}" for note in comparison.notes)])
