"""`benchwright annotate push`, `pull` and `status`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...base.commands import Printed
from ...base.display import and_more
from ...base.terminal import table

if TYPE_CHECKING:
    from .hand_exports import HandExport


def push(problems: Path, **options: Any) -> Printed:
    """Give PROBLEMS (problems.jsonl, or a recipe) to the annotators, as tasks of one kind.

    A recipe with --field runs up to the stage that labels the field, what stands there is pushed,
    and pull puts the votes where the stage looks. Run it again after an interruption, or with more
    problems: tasks that are there stay as they are; problems that have changed since, and answers
    that pull refused, are asked again. Exit 1 when a problem cannot be shown; it is named.

    Example:
      benchwright annotate push recipe.yaml --field subject
      benchwright annotate push problems.jsonl -o labels/subject --kind subject --tree math-v
    """
    from .push import push as give

    pushed = give(problems, **options)
    lines = [f"{name}: not pushed: {reason}" for name, reason in pushed.skipped]
    lines += [f"{name}: {reason}" for name, reason in pushed.again]
    counts = f"{pushed.added} tasks added, {pushed.there} there already"
    if pushed.settled:
        counts += f", {pushed.settled} decided by the votes on file"
    if pushed.more:
        counts += f", {len(pushed.more)} opened for one person more"
    if not pushed.groups:
        counts += f"; label at {pushed.url}"
    lines.append(counts)
    if pushed.left:
        names = ", ".join(pushed.left[:5]) + and_more(len(pushed.left), 5)
        lines.append(f"not in this set, and left as they are on the server: {names}")
    if pushed.dealt:
        got = ", ".join(f"{count} to {name}" for name, count in pushed.dealt.items())
        lines.append(f"dealt again: {got}")
    if pushed.kept:
        names = ", ".join(pushed.kept[:5]) + and_more(len(pushed.kept), 5)
        lines.append(
            f"all other groups have {names}: put somebody else into the group, in people.yaml"
        )
    lines += [f"group {name} labels at {url}" for name, url in pushed.groups.items()]
    lines.append(f"then: {_pull_of(pushed.folder, options)}")
    return Printed(pushed, "\n".join(lines), bool(pushed.skipped))


def _pull_of(folder: str, options: dict[str, Any]) -> str:
    """The command that fetches what a push asked for: with its server and its plugins."""
    words = ["benchwright", "annotate", "pull", folder]
    if options.get("server"):
        words += ["--server", str(options["server"])]
    for plugin in options.get("plugins") or ():
        words += ["--plugin", str(plugin)]
    return shlex.join(words)


def pull(folder: Path, **options: Any) -> Printed:
    """Fetch the answers of the project in FOLDER into its votes.jsonl, and where its recipe looks.

    Votes are only ever added; a later answer of the same person supersedes the earlier one, and
    both stay on file. Answers that cannot be votes go to refused.jsonl, and the exit code is 1.

    Example:
      benchwright annotate pull labels/subject
    """
    from .pull import pull as fetch

    pulled = fetch(folder, **options)
    lines = [
        *pulled.remarks,
        *(
            f"{r.problem_id}, {r.annotator}: refused: {r.reason}"
            for r in pulled.refused
        ),
        table(list(pulled.people.items()), ["annotator", "answers"]),
        f"{pulled.tasks} tasks, {pulled.answers} answers, {pulled.passed} passed on; "
        f"{pulled.new_votes} new votes, {pulled.votes} on file ({pulled.superseded} superseded, "
        f"{pulled.withdrawn} withdrawn on the server, {len(pulled.refused)} answers refused)",
    ]
    if pulled.more:
        lines.append(
            f"{len(pulled.more)} tasks wait for one person more: they are in doubt, have an answer "
            "that does not count, or their person is asked again"
        )
    if pulled.new_remarks or pulled.corrections:
        lines.append(
            f"{pulled.new_remarks} new remarks in remarks.jsonl, "
            f"{pulled.corrections} errata to take in corrections.yaml"
        )
    return Printed(pulled, "\n".join(lines), bool(pulled.refused))


def take(export: Path, problems: Path, **options: Any) -> Printed:
    """Add the votes in EXPORT (JSON, JSON_MIN or CSV of Label Studio) to a votes.jsonl.

    Also of a project that benchwright did not make: --map says which field of votes a control of
    its form gives, and --check proposes it. What names the problems (ids, ids of their source,
    texts, files of pictures) is seen from PROBLEMS. Votes that are in the file already are not
    added again.

    Example:
      benchwright annotate take export.json problems.jsonl -o subject.jsonl --check
      benchwright annotate take export.json problems.jsonl -o subject.jsonl --map topic=subject
    """
    from .hand_exports import take as read

    taken = read(export, problems, **options)
    text = f"{taken.answers} answers, {taken.skipped} passed on; {taken.new_votes} new votes"
    if taken.new_remarks:
        text += f", {taken.new_remarks} new remarks"
    if taken.command:
        text = _proposal(taken)
    if taken.unknown:
        names = ", ".join(taken.unknown[:5]) + and_more(len(taken.unknown), 5)
        text += f"; no problem {names}"
    return Printed(taken, text, bool(taken.unknown))


def _proposal(taken: HandExport) -> str:
    """What --check prints: who answered what, and the command that takes it."""
    people = [f"{name} ({count})" for name, count in taken.people.items()]
    rows = [
        [
            row.control,
            row.answers,
            ", ".join(" ".join(v.split())[:30] for v in list(row.values)[:4])
            + and_more(len(row.values), 4),
            row.field or "-",
            row.why,
        ]
        for row in taken.controls
    ]
    header = ["control", "answers", "values", "field", "why"]
    lines = [
        f"{taken.answers} answers, {taken.skipped} passed on; {taken.key!r} names the problems",
        table(rows, header),
        f"people: {', '.join(people)}; name them by --person NUMBER=NAME",
        taken.command,
    ]
    return "\n".join(lines)


def status(folder: Path, **options: Any) -> Printed:
    """How far the project in FOLDER is: tasks, people, gold tasks, agreement so far.

    Done tasks have all the answers that are wanted, started ones some. Gold tasks are those with an
    answer that a lead marked as ground truth (the star in Label Studio): the table says how
    often each person answers them alike. Nothing is pulled.

    Example:
      benchwright annotate status labels/subject -o status.html
    """
    from .status import status as count

    result = count(folder, **options)
    header, rows = result.table()
    lines = [
        f"{result.headline()}; {result.skipped} skipped, {result.refused} to be asked again, "
        f"{result.gold_tasks} gold, {result.foreign} not ours",
        table(rows, header),
    ]
    if result.deals:
        deals = [[d.group, d.tasks, d.open] for d in result.deals]
        lines.append(table(deals, ["group", "tasks", "open"]))
    if result.agreement:
        lines.append(table(result.alpha_rows(), ["field", "alpha so far"]))
    return Printed(result, "\n".join(lines))
