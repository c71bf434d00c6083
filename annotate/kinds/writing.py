"""What people write for a problem or a concept: annotations, descriptions, cards, paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any

from ...base.about import digest
from ...errors import UserError
from ...problem import Vote
from ...taxonomy import Tree
from ..votes import latest, read_votes
from .answers import TaskAnswer
from .interface import (
    UNSURE,
    Element,
    choices,
    comment,
    header,
    page,
    rendered_text,
    text_area,
    when,
)
from .registry import kind
from .tasks import Material, Task, with_options

SHOWN = 5  # questions of a concept that its author sees (We-Math, 4.3: a series of questions)


def _written(answer: TaskAnswer, name: str) -> str:
    text = answer.text(name)
    if not text:
        raise UserError("nothing written", "ask the annotator again")
    return text


def _last_written(votes: Iterable[Vote]) -> dict[str, Vote]:
    """Of several people's texts on a task the one that was written last, by the tasks' ids."""
    by_time = sorted(votes, key=attrgetter("at"))
    return dict(sorted({vote.problem_id: vote for vote in by_time}.items()))


@kind(
    "diagram",
    title="Annotation of a function's diagram",
    instruction="Write down for the judge what the diagram shows and must be read off it: the "
    "function's expression, points it goes through, vertex, asymptotes, what is shaded, colours "
    "(MathVerse, figure 11). Do not solve the question.",
    form=lambda tree: [
        text_area("annotation", "One property a line", rows=6, required=True)
    ],
    field="diagram",
)
def diagram(answer: TaskAnswer) -> dict[str, Any]:
    """{"diagram": text}: what judges are told of the picture, see the stage `label`."""
    return {"diagram": _written(answer, "annotation")}


def overrides_of(
    tasks: dict[str, dict[str, Any]], votes: Iterable[Vote]
) -> list[dict[str, Any]]:
    """The descriptions as lines for `overrides` of the stage `versions`: in front of the question.

    Of several people's, the one that was written last.
    """
    return [
        {
            "id": key,
            "version": "text_dominant",
            "about": vote.about,
            "question": f"{vote.value} {tasks[key]['question']}",
        }
        for key, vote in _last_written(latest(votes)[0]).items()
        if key in tasks
    ]


@kind(
    "description",
    title="Descriptive text",
    instruction="The question says little of what its diagram shows. Describe the diagram in a "
    "sentence or two that stand in front of the question: shapes and how they lie, no measure and "
    "nothing that the solution needs (MathVerse, figure 12).",
    form=lambda tree: [
        text_area("description", "As shown in the figure, ...", required=True)
    ],
    field="description",
    tables={"overrides.jsonl": overrides_of},
)
def description(answer: TaskAnswer) -> dict[str, Any]:
    """{"description": text}; overrides.jsonl has it in front of the question."""
    return {"description": _written(answer, "description")}


SUITABLE = [
    ("suitable", "Take it."),
    ("too simple", "Solved by one look, or by reading a number off."),
    ("too complex", "Beyond a good pupil of the level."),
    ("conditions missing", "It cannot be solved from what is given."),
    ("dubious", "Wrong, contradictory, or with more than one answer."),
    UNSURE,
]


@kind(
    "suitability",
    title="Is it suitable?",
    instruction="Judge whether the problem is worth asking: neither extremely simple nor "
    "excessively complex, not dubious, no condition missing (MathVerse, section 2.1).",
    form=lambda tree: [choices("suitability", SUITABLE)],
    field="suitability",
)
def suitability(answer: TaskAnswer) -> dict[str, Any]:
    """{"suitability": suitable, or why it is not}: for `select: {labels: ...}`."""
    return {"suitability": answer.choice("suitability")}


@kind(
    "paths",
    title="Solution paths",
    instruction="Write down every way of solving the problem. A path is the list of its "
    "intermediate results, a line each, in a form that is the same in all paths ('R = 3'); an "
    "empty line starts the next path. Leave out what is given, and the answer (We-Math, B.5).",
    form=lambda tree: [
        header(
            "Every solution path: its intermediate results, a line each; then an empty line"
        ),
        text_area("paths", "R = 3", rows=8, required=True),
    ],
    field="unique_path",
)
def paths(answer: TaskAnswer) -> dict[str, Any]:
    """{"unique_path": yes | no, "paths": [[result, ...], ...], "required": [result, ...]}.

    The intersection decides: a problem keeps where all of its paths need some result.
    """
    lines = (" ".join(line.split()) for line in answer.text("paths").splitlines())
    paths = [list(path) for is_path, path in groupby(lines, key=bool) if is_path]
    if not paths:
        raise UserError("no path", "ask the annotator again")
    required = required_by_all(paths)
    return {
        "unique_path": "yes" if required else "no",
        "paths": paths,
        "required": required,
    }


def required_by_all(paths: list[list[str]]) -> list[str]:
    """The results that every path has, in the first one's order; blanks and case do not count.

    >>> required_by_all([["R = 3", "h = 4"], ["d = 6", "r=3"]])
    ['R = 3']
    """
    common = set.intersection(*(set(map(_plain, path)) for path in paths))
    return [result for result in paths[0] if _plain(result) in common]


def _plain(result: str) -> str:
    return "".join(result.split()).casefold()


def _cards(material: Material) -> Iterator[Task]:
    """A task for each concept: its definition and card, and some questions that need it."""
    for leaf in material.tree.leaves:
        label = material.tree.label(leaf)
        questions = [
            with_options(problem)
            for problem in material.problems.values()
            if label in (problem.labels.get(material.tree.field) or [])
        ]
        card = f"Its card now: {leaf.card}" if leaf.card else ""
        parts = (leaf.full_name, leaf.definition, card, *questions[:SHOWN])
        yield _concept_task(label, "\n\n".join(filter(None, parts)))


def _concept_task(label: str, text: str) -> Task:
    return Task(
        id=label,
        texts={"question": text, "note": ""},
        pictures={"image": []},
        data={"question": label},
        about=digest(text),
    )


def cards_of(
    tasks: dict[str, dict[str, Any]], votes: Iterable[Vote]
) -> list[dict[str, Any]]:
    """The cards as `predict --set cards=FILE` reads them.

    Every person's last word is a vote for a text: whoever wrote it, and whoever confirmed it. Most
    votes decide; of equally many, what a reviewer wrote in the place of another card, then what was
    written last. `others` are the texts that this passes over, the last one first.
    """
    counting, _ = latest(votes)
    texts = [v for v in counting if v.field == "card" and isinstance(v.value, str)]
    better = {
        (v.problem_id, v.annotator)
        for v in counting
        if v.field == "card.review" and v.value == "no"
    }
    by_concept: dict[str, list[Vote]] = {}
    for vote in sorted(texts, key=attrgetter("at")):
        by_concept.setdefault(vote.problem_id, []).append(vote)
    rows = []
    for name, written in sorted(by_concept.items()):
        card, *others = _by_votes(written, better)
        rows.append(
            {"concept": name, "card": card} | ({"others": others} if others else {})
        )
    return rows


def _by_votes(written: list[Vote], better: set[tuple[str, str]]) -> list[str]:
    """The different texts of a concept, in the order of time, as `cards_of` ranks them."""
    strength: dict[str, tuple[int, bool, int]] = {}
    for place, vote in enumerate(written):
        votes, is_better, _ = strength.get(vote.value, (0, False, 0))
        is_better |= (vote.problem_id, vote.annotator) in better
        strength[vote.value] = (votes + 1, is_better, place)
    return sorted(strength, key=lambda text: strength[text], reverse=True)


@kind(
    "cards",
    title="Knowledge cards",
    instruction="Write the card of this concept: a precise summary from definitions and textbooks, "
    "condensed to what the questions examine (We-Math, section 4.3).",
    form=lambda tree: page(
        [rendered_text()],
        [
            text_area("card", "Definition, formulas, hints", rows=8, required=True),
            comment(),
        ],
    ),
    tasks=_cards,
    field="card",
    needs_tree=True,
    tables={"cards.jsonl": cards_of},
)
def cards(answer: TaskAnswer) -> dict[str, Any]:
    """{"card": text}; cards.jsonl has them as `predict --set cards=FILE` reads them."""
    return {"card": _written(answer, "card")}


def _card_reviews(material: Material) -> Iterator[Task]:
    for row in cards_of({}, read_votes(material.file)):
        task = _concept_task(row["concept"], f"{row['concept']}\n\n{row['card']}")
        task.data["card"] = row["card"]
        yield task


def _card_review(tree: Tree | None) -> str:
    form: list[Element] = [
        header("Is the card right, and of use?"),
        choices("verdict", [("yes", "Take it."), ("no", "Write a better one.")]),
        when(
            "verdict",
            "no",
            text_area("better", "The whole card", rows=8, required=True),
        ),
        comment(),
    ]
    return page([rendered_text()], form)


@kind(
    "cards-review",
    title="Review of knowledge cards",
    instruction="Confirm the accuracy and the utility of the card, or write a better one: votes of "
    "a round are the suggestions of the next (We-Math, section 4.3: several rounds).",
    form=_card_review,
    tasks=_card_reviews,
    needs="suggestions",
    tables={"cards.jsonl": cards_of},
)
def cards_review(answer: TaskAnswer) -> dict[str, Any]:
    """{"card": the card, confirmed or written anew, "card.review": yes | no}."""
    verdict = answer.choice("verdict")
    card = answer.data["card"] if verdict == "yes" else _written(answer, "better")
    return {"card": card, "card.review": verdict}
