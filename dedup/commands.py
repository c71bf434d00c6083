"""`benchwright dedup`: pairs, evidence, against."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click
import msgspec

from ..base.json_lines import put_line
from ..base.terminal import say, table
from ..pipeline import Engine


def pairs(
    problems: Path,
    *,
    join_only: bool = False,
    families: Path | None = None,
    **options: Any,
) -> None:
    """Write all pairs of PROBLEMS that may be duplicates, the likeliest first, as JSON lines.

    More than eight questions that differ only in numbers and names are a family, never pairs.

    Args:
        join_only: Only the exact join: {a, b, distance, similarity}, and {group} for identical
            questions.
        families: Write families of questions that differ only in numbers and names to this JSONL
            file.

    Example:
      benchwright dedup pairs problems.jsonl --threshold 0.85 > pairs.jsonl
    """
    from .items import read_items, report_unreadable
    from .join import whole_percent
    from .pairs import find_pairs, joined_rows

    if join_only:
        percent = whole_percent(options.get("threshold", 0.85))
        items, unreadable = read_items(problems)
        report_unreadable(unreadable)
        for row in joined_rows(items, percent, options.get("engine") or Engine()):
            put_line(row)
        raise SystemExit(1 if unreadable else 0)
    kinds: Counter[str] = Counter()
    errata = []

    def put(pair: Any) -> None:
        put_line(pair)
        kinds[pair.kind] += 1
        if pair.kind == "erratum":
            errata.append(
                [pair.a, pair.answers[0], pair.b, pair.answers[1], f"{pair.score:.2f}"]
            )

    proposed = find_pairs(problems, each=put, **options)
    report_unreadable(proposed.unreadable)
    say(f"{proposed.questions} questions, {kinds.total()} pairs")
    if kinds:
        say(table(kinds.most_common(), ["class", "pairs"]))
    if errata:
        say("\nprobable errata: one problem, two answers")
        say(table(errata, ["a", "answer", "b", "answer", "score"]))
    _say_families(proposed.families, families)
    raise SystemExit(1 if proposed.unreadable else 0)


def _say_families(families: list[Any], file: Path | None) -> None:
    from ..base.files import write_jsonl

    if file is not None:
        write_jsonl(file, families)
    if not families:
        return
    rows = [
        [f.template[:60], f.size, f.questions, f.answers, f.diversity] for f in families
    ]
    rows.sort(key=lambda row: -row[1])
    say(
        f"\n{len(families)} families of questions that differ only in numbers and names"
    )
    say(table(rows[:20], ["template", "members", "questions", "answers", "diversity"]))


def evidence(pairs: Path, problems: Path, *, out: Path, **options: Any) -> None:
    """Write a page about PAIRS of PROBLEMS: texts, pictures, what differs; `view` saves decisions.

    Example:
      benchwright dedup evidence pairs.jsonl problems.jsonl -o evidence
    """
    from .evidence import write_evidence

    number = write_evidence(pairs, problems, out, **options)
    click.echo(f"{number} pairs: {out / 'evidence.html'}")


def against(
    problems: Path,
    others: Path,
    *,
    report: Path | None = None,
    json_: bool = False,
    **options: Any,
) -> None:
    """Report questions of PROBLEMS that occur in OTHERS, a benchmark or training set.

    Both are JSONL (.gz too) or Parquet. Rows are pairs as `dedup pairs` finds them, one side from
    each file, the likeliest first; `linked` are those taken for one problem. Exits with 1 when
    there are any.

    Args:
        report: Write a report to send on, in Markdown.
        json_: Print JSON lines instead of a table.

    Example:
      benchwright dedup against problems.jsonl gsm8k-train.jsonl --json > contamination.jsonl
    """
    from ..base.files import write_text
    from .against import find_contamination
    from .items import report_unreadable

    hits = find_contamination(problems, others, **options)
    report_unreadable(hits.unreadable)
    if report is not None:
        write_text(report, hits.report(f"{problems.name} against {others.name}"))
    if json_:
        for hit in hits:
            put_line({"id": hit.a, "other": hit.b} | msgspec.to_builtins(hit))
    elif hits:
        rows = [
            [
                h.a,
                h.b,
                h.kind,
                f"{h.score:.2f}",
                "yes" if h.linked else "",
                f"{h.similarity:.2f}",
                h.numbers,
                h.answer,
                h.picture,
                h.passage[:40],
            ]
            for h in hits
        ]
        header = "id other class score linked similarity numbers answer picture passage"
        click.echo(table(rows, header.split()))
    say(hits.headline())
    raise SystemExit(1 if hits.unreadable or any(hit.linked for hit in hits) else 0)
