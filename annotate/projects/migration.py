"""A tree or an interface that changes while answers exist: a plan first, then nothing is lost.

Labels that the new tree does not have stop the push, with the answers that give them counted. The
tree itself says what became of them: `renamed` (or `moved`) is read wherever an answer or a vote
has the old label, whoever gave what was `split` is asked again. A push that is killed goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from ...base.display import and_more
from ...base.files import write_bytes
from ...errors import UserError, nearest
from ...taxonomy import Tree, load_tree, source_of
from ..kinds import TaskAnswer, controls_of
from ..server import Client
from .consent import Loss, require_consent
from .project import Project, on_server, people_of
from .pull import pull_answers
from .renamed_labels import joined_path, with_new_labels
from .reopened_tasks import reopen
from .snapshot import Annotation, AnsweredTask, snapshot

SHOWN = 8  # labels of a plan that the message names


def adopt_tree(project: Project, client: Client, tree: str | None) -> None:
    """Make `tree` the project's; answers that exist have to fit it.

    Raises UserError with the plan: which labels of how many answers the new tree does not have.
    """
    path = project.folder / "tree.yaml"
    source = b"" if tree is None else source_of(tree)
    if tree is None or not path.exists() or source == path.read_bytes():
        return
    new = load_tree(tree)
    record = on_server(project, client)
    if record is not None:
        pull_answers(project, client)
        _, old_tree, _ = project.load()
        rows = snapshot(client, record["id"])
        lost = _lost_labels(rows, old_tree, new)
        if lost:
            raise _plan(project, lost, new)
    write_bytes(path, source)


def _plan(project: Project, lost: Counter[str], new: Tree) -> UserError:
    names = [f"{count} answers give {label!r}" for label, count in lost.most_common()]
    [(first, _)] = lost.most_common(1)
    suggestion = nearest(first, [leaf.name for leaf in new.leaves])
    return UserError(
        f"{project.folder}: the tree has changed, and the new one does not have what people gave: "
        f"{', '.join(names[:SHOWN])}{and_more(len(names), SHOWN)}",
        f"say in the tree what became of each: `renamed: {{{first}: ...}}` ({suggestion}), or "
        f"`split: {{{first}: [..., ...]}}`: whoever gave it is asked again",
    )


def _lost_labels(
    rows: Iterable[AnsweredTask], old: Tree | None, new: Tree
) -> Counter[str]:
    """Labels of the old tree in answers that are no leaves of the new one, which says no more."""
    lost: Counter[str] = Counter()
    for _, annotation in _annotations(rows):
        results = annotation.result or []
        labels = {label for result in results for label in _labels(result, old)}
        explained = new.renamed.keys() | new.split.keys()
        lost.update(
            label
            for label in labels
            if label not in explained and not _is_leaf(new, label)
        )
    return lost


def _is_leaf(tree: Tree, label: str) -> bool:
    return tree.has(label) and not tree.find(label).children


def _annotations(
    rows: Iterable[AnsweredTask],
) -> Iterator[tuple[AnsweredTask, Annotation]]:
    for row in rows:
        for annotation in row.annotations:
            yield row, annotation


def _labels(result: dict[str, Any], tree: Tree | None) -> Iterator[str]:
    """What a result says in the words of a tree; other choices are not its business."""
    value = result.get("value")
    if tree is None or not isinstance(value, dict):
        return
    for path in map(joined_path, value.get("taxonomy") or []):
        if not tree.has(path):
            yield path
        elif _is_leaf(tree, path):  # a branch is refused whatever becomes of it
            yield tree.label(tree.find(path))
    yield from filter(tree.has, map(str, value.get("choices") or []))


def fit_answers(
    project: Project, client: Client, number: int, interface: str, yes: bool
) -> None:
    """Bring stored answers to a new interface, before the server takes it.

    Votes are pulled first, so that an answer stays its author's although we write it anew. Answers
    with a label that was split make way. Raises UserError for these without `yes`, and naming what
    the new interface has no place for.
    """
    pull_answers(project, client)
    _, tree, _ = project.load()
    controls = controls_of(interface)
    people = people_of(project, client)
    renamed: list[tuple[int, list[Any]]] = []
    split: list[tuple[AnsweredTask, Annotation, str]] = []
    misfits: Counter[str] = Counter()
    for row, annotation in _annotations(snapshot(client, number)):
        results = annotation.result or []
        new = [with_new_labels(result, tree) for result in results]
        reason = _split_label(new, tree)
        if reason:
            split.append((row, annotation, reason))
            continue
        if new != results:
            renamed.append((annotation.id, new))
        try:
            TaskAnswer({}, new, tree).check(controls)
        except UserError as error:
            misfits[error.message] += 1
        misfits.update(f"{label!r} is not in the tree" for label in _outside(new, tree))
    if misfits:
        reasons = [
            f"{count} answers: {reason}" for reason, count in misfits.most_common()
        ]
        raise UserError(
            f"the interface of project {number} has changed, and answers do not fit it: "
            f"{'; '.join(reasons[:SHOWN])}{and_more(len(reasons), SHOWN)}",
            "push to a new folder; the votes given so far stay in this one",
        )
    losses = [Loss.of(row, annotation, people, why) for row, annotation, why in split]
    require_consent(yes, losses)
    for row, annotation, reason in split:
        reopen(project, client, row, annotation, people, reason)
    for identifier, results in renamed:
        client.update_annotation(identifier, results)


def _outside(results: list[dict[str, Any]], tree: Tree | None) -> Iterator[str]:
    """Paths of tree pickers that the tree does not have."""
    for result in results:
        value = result.get("value")
        if tree is not None and isinstance(value, dict):
            paths = map(joined_path, value.get("taxonomy") or [])
            yield from (path for path in paths if not tree.has(path))


def _split_label(results: list[dict[str, Any]], tree: Tree | None) -> str:
    """Why an answer is asked again: it gives a label that was split since; "" where it does not."""
    if tree is None:
        return ""
    for result in results:
        value = result.get("value")
        if not isinstance(value, dict):
            continue
        paths = value.get("taxonomy") or []
        given = [str(choice) for choice in value.get("choices") or []]
        given += [joined_path(path) for path in paths]
        given += [str(path[-1]) for path in paths if path]
        for label in given:
            if label in tree.split:
                return f"{label!r} was split since: {', '.join(tree.split[label])}"
    return ""
