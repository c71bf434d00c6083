"""What `score` and `compare` say in the terminal."""

from __future__ import annotations

from ..llm import usage
from ..terminal import table
from .compare import Comparison
from .judges import Judge
from .metrics import Dimensions, Scores
from .report import ends, interval, percent, points


def summary(scores: Scores) -> str:
    """The figures that a terminal should show."""
    c = scores.counts
    lines = [
        f"{scores.release} / {scores.split}, {scores.profile} profile",
        f"accuracy {percent(scores.accuracy.value, 2)}  95 % {interval(scores.accuracy)}  "
        f"({scores.accuracy.correct} of {scores.accuracy.n} samples, "
        f"{scores.accuracy.clusters} clusters)",
        f"answered {c['answered']}, missing {c['missing']} (wrong), "
        f"unextracted {c['unextracted']}, declined {c['declined']}, truncated {c['truncated']}, "
        f"timeout {c['timeout']}, refused {c['refused']}, "
        f"unparsed {c['unparsed']}; decided by rule {c['by_rule']}, by judge {c['by_judge']}",
    ]
    if scores.official is not None:
        o = scores.official
        lines.append(
            f"official {'+'.join(o.profiles)} {percent(o.accuracy.value, 2)}  "
            f"({o.accuracy.correct} of {o.accuracy.n}); right only by robust rules "
            f"{len(o.robust_only)}, only by official rules {len(o.official_only)}"
        )
    for label in ("subject", "level", "version"):
        if rates := scores.by.get(label):
            rows = [[v, r.n, percent(r.value), interval(r)] for v, r in rates.items()]
            macro = percent(scores.macro[label].value)
            lines += ["", table([*rows, ["(macro)", "", macro, ""]], [label, "n", "", "95 %"])]
    if (four := scores.four_dimensional) is not None:
        lines += ["", _dimensions({"strict": four.strict, "loose": four.loose})]
    return "\n".join([*lines, *_judged(scores)])


def _judged(scores: Scores) -> list[str]:
    """What a judge found, one line a protocol."""
    lines = []
    if scores.judge is not None and (asked := scores.judge.get("answers")):
        lines.append(f"judge on {asked['asked']} replies left open: {_ended(asked['counts'])}")
    if (cot := scores.cot) is not None:
        mean = cot["all"]
        lines.append(
            f"chain of thought {percent(mean['value'], 2)}  "
            f"95 % {ends(mean['low'], mean['high'])}  "
            f"({mean['n']} samples; judgements: {_ended(cot['counts'])})"
        )
    if (process := scores.process) is not None:
        shares = ", ".join(f"{k} {percent(c['share'])}" for k, c in process["categories"].items())
        lines.append(f"first errors {shares}  (judgements: {_ended(process['counts'])})")
    return ["", *lines] if lines else []


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
    return (
        f"judge {judge.model.name}: {total['answers']} replies, {total['cached']} from the cache; "
        f"{total['prompt_tokens']} prompt and {total['completion_tokens']} reply tokens, "
        f"cost {total['cost']:g}"
        + (f"; {failed} failed, the same command asks these again" if failed else "")
    )


def comparison_text(comparison: Comparison) -> str:
    """A comparison as a terminal should show it."""
    d, m = comparison.difference, comparison.mcnemar
    low, high = comparison.bootstrap
    lines = [
        f"A {comparison.a}: {percent(comparison.accuracy_a.value, 2)}   "
        f"B {comparison.b}: {percent(comparison.accuracy_b.value, 2)}",
        f"A - B {points(d.value)} points, 95 % {interval(d)}, p = {d.p:.3g} (clustered); "
        f"bootstrap [{100 * low:.1f}, {100 * high:.1f}]",
        f"McNemar exact p = {m.p:.3g}: only A right {m.only_first}, only B right {m.only_second}, "
        f"both {m.both}, neither {m.neither}",
        f"smallest difference this comparison finds with 80 % power: "
        f"{points(comparison.minimum_detectable_difference)} points",
        f"verdict: {comparison.verdict}",
    ]
    for label in ("subject", "level", "version"):
        if values := comparison.by.get(label):
            rows = [
                [value, x.difference.n, points(x.difference.value), interval(x.difference),
                 f"{x.p_holm:.3g}"]
                for value, x in values.items()
            ]  # fmt: skip
            lines += ["", table(rows, [label, "n", "A - B", "95 %", "p (Holm)"])]
    if comparison.four_dimensional:
        lines += ["", _dimensions(comparison.four_dimensional)]
    if comparison.transitions:
        rows = [[move, n] for move, n in comparison.transitions.items()]
        lines += ["", table(rows, ["four-dimensional class, A -> B", "groups"])]
    return "\n".join([*lines, "", *(f"note: {note}" for note in comparison.notes)])
