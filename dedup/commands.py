"""`benchwright dedup`: pairs, evidence, against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from ..base.json_lines import put_line
from ..base.terminal import say, table
from ..pipeline import Engine

if TYPE_CHECKING:
    from .against import Contamination


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
    from .items import report_unreadable
    from .pairs import find_pairs

    if join_only:
        _put_join(problems, **options)
    kinds: Counter[str] = Counter()
    errata = []

    def put(pair: Any) -> None:
        put_line(pair)
        kinds[pair.kind] += 1
        if pair.kind == "erratum":
            ours, theirs = pair.answers
            errata.append([pair.a, ours, pair.b, theirs, f"{pair.score:.2f}"])

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


def _put_join(
    problems: Path,
    *,
    threshold: float = 0.85,
    engine: Engine | None = None,
    **_unused: Any,
) -> None:
    """Print the rows of the exact join alone, and exit."""
    from .items import read_items, report_unreadable
    from .join import whole_percent
    from .pairs import joined_rows

    percent = whole_percent(threshold)
    items, unreadable = read_items(problems)
    report_unreadable(unreadable)
    for row in joined_rows(items, percent, engine or Engine()):
        put_line(row)
    raise SystemExit(1 if unreadable else 0)


def _say_families(families: list[Any], file: Path | None) -> None:
    from ..base.files import write_jsonl

    if file is not None:
        write_jsonl(file, families)
    if not families:
        return
    rows = [
        [
            family.template[:60],
            family.size,
            family.questions,
            family.answers,
            family.diversity,
        ]
        for family in sorted(families, key=lambda family: -family.size)
    ]
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

    count = write_evidence(pairs, problems, out, **options)
    click.echo(f"{count} pairs: {out / 'evidence.html'}")


def against(
    problems: Path,
    others: Sequence[Path],
    *,
    report: Path | None = None,
    json_: bool = False,
    **options: Any,
) -> None:
    """Report questions of PROBLEMS that occur in OTHERS, a benchmark or training set.

    One file of questions, JSONL (.gz too) or Parquet, gives pairs as `dedup pairs` finds them. Of
    documents (several files, folders, patterns, `-` for standard input; also .zst, .bz2, .xz and
    plain text) passages are reported; all texts of a row are read, so that chats need no setting.
    The likeliest come first, with --json as they are found; `linked` are those taken for one
    problem. Exits with 1 when there are any. PROBLEMS may be a release.

    Args:
        report: Write a report to send on, in Markdown.
        json_: Print JSON lines instead of a table.

    Example:
      benchwright dedup against problems.jsonl gsm8k-train.jsonl --json > contamination.jsonl

      benchwright dedup against problems.jsonl corpus/ --jobs 2 --out seen --clean corpus-clean
    """
    from ..base.files import write_text
    from .against import find_contamination
    from .items import report_unreadable

    def put(row: Any) -> None:
        put_line({"id": row.a, "other": row.b} | msgspec.to_builtins(row))

    hands_on = json_ and report is None
    each = put if hands_on else None
    matches = find_contamination(problems, others, each=each, **options)
    report_unreadable(matches.unreadable)
    if report is not None:
        names = ", ".join(other.name for other in others)
        write_text(report, matches.report(f"{problems.name} against {names}"))
    if json_ and not hands_on:
        for row in matches:
            put(row)
    elif matches:
        click.echo(_shown(matches))
    if matches.changes:
        did = Counter(change.did.partition(":")[0] for change in matches.changes)
        said = ", ".join(f"{count} {what}" for what, count in did.items())
        say(f"documents of the clean corpus: {said}; the rest is as it was")
    say(matches.headline())
    raise SystemExit(1 if matches.unreadable or matches.linked else 0)


def _shown(matches: Contamination) -> str:
    if matches.characters:
        header = "id document class score linked numbers answer passage"
        return table([_cells_of_passage(found) for found in matches], header.split())
    header = "id other class score linked similarity numbers answer picture passage"
    return table([_cells(pair) for pair in matches], header.split())


def _cells_of_passage(found: Any) -> list[str]:
    return [
        found.a,
        found.b,
        found.kind,
        f"{found.score:.2f}",
        "yes" if found.linked else "",
        found.numbers,
        "beside it" if found.answer else "",
        " ".join(found.passage.split())[:40],
    ]


def _cells(pair: Any) -> list[str]:
    return [
        pair.a,
        pair.b,
        pair.kind,
        f"{pair.score:.2f}",
        "yes" if pair.linked else "",
        f"{pair.similarity:.2f}",
        pair.numbers,
        pair.answer,
        pair.picture,
        pair.passage[:40],
    ]
