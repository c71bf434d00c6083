"""A tree or an interface that changes while answers exist: a plan first, then nothing is lost.

Labels that the new tree does not have stop the push, with the answers that give them counted.
`--migrate old=new` says what they are now. Whatever is killed in between: the project remembers the
moves, a pull reads old labels by them, and the next push goes on.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...base.files import write_bytes
from ...errors import UserError, nearest
from ...taxonomy import Tree, load_tree, source_of
from ..kinds import TaskAnswer, controls_of
from ..server import Client
from .project import Project, on_server
from .pull import pull_answers
from .renamed_labels import joined_path, with_new_labels
from .snapshot import AnsweredTask, snapshot

SHOWN = 8  # labels of a plan that the message names


def adopt_tree(
    project: Project, client: Client, tree: str | None, moves: Mapping[str, str]
) -> None:
    """Make `tree` the project's; answers that exist have to fit it, by `moves` where labels moved.

    Raises UserError with the plan: which labels of how many answers the new tree does not have.
    """
    path = project.folder / "tree.yaml"
    source = b"" if tree is None else source_of(tree)
    if tree is None or not path.exists() or source == path.read_bytes():
        if moves:
            raise UserError(
                "--migrate without a changed tree", "give the changed tree by --tree"
            )
        return
    new = load_tree(tree)
    record = on_server(project, client)
    for old, label in moves.items():
        if not new.has(label):
            raise UserError(
                f"--migrate {old}={label}: the new tree has no {label!r}",
                nearest(label, [leaf.name for leaf in new.leaves]),
            )
    if record is not None:
        pull_answers(project, client)
        _, old_tree, _ = project.load()
        rows = snapshot(client, record["id"])
        lost = _lost_labels(rows, old_tree, new, moves)
        if lost:
            raise _plan(project, lost, new)
    project.moves = dict(moves)
    project.moves_for = hashlib.sha256(source).hexdigest()
    project.save()
    write_bytes(path, source)


def _plan(project: Project, lost: Counter[str], new: Tree) -> UserError:
    names = [
        f"{count} answers give {label!r}" for label, count in lost.most_common(SHOWN)
    ]
    more = f", and {len(lost) - SHOWN} labels more" if len(lost) > SHOWN else ""
    [(first, _)] = lost.most_common(1)
    suggestion = nearest(first, [leaf.name for leaf in new.leaves])
    return UserError(
        f"{project.folder}: the tree has changed, and the new one does not have what people gave: "
        f"{', '.join(names)}{more}",
        f"say what each is now, --migrate '{first}=...' ({suggestion}); or push to a "
        "new folder and ask again",
    )


def _lost_labels(
    rows: Iterable[AnsweredTask], old: Tree | None, new: Tree, moves: Mapping[str, str]
) -> Counter[str]:
    """Labels of the old tree in answers, which the new one lacks and nobody has moved."""
    lost: Counter[str] = Counter()
    for _, results in _answers(rows):
        labels = {label for result in results for label in _labels(result, old)}
        lost.update(
            label for label in labels if label not in moves and not new.has(label)
        )
    return lost


def _answers(
    rows: Iterable[AnsweredTask],
) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    for row in rows:
        for annotation in row.annotations:
            yield annotation.id, annotation.result or []


def _labels(result: dict[str, Any], tree: Tree | None) -> Iterator[str]:
    """What a result says in the words of a tree; other choices are not its business."""
    value = result.get("value")
    if tree is None or not isinstance(value, dict):
        return
    for path in map(joined_path, value.get("taxonomy") or []):
        yield tree.label(tree.find(path)) if tree.has(path) else path
    yield from filter(tree.has, map(str, value.get("choices") or []))


def fit_answers(project: Project, client: Client, number: int, interface: str) -> None:
    """Bring stored answers to a new interface, before the server takes it.

    Votes are pulled first, so that an answer stays its author's although we write it anew. Raises
    UserError naming what the new interface has no place for.
    """
    pull_answers(project, client)
    _, tree, _ = project.load()
    moves = project.active_moves()
    controls = controls_of(interface)
    changed = []
    misfits: Counter[str] = Counter()
    for annotation, results in _answers(snapshot(client, number)):
        new = [with_new_labels(result, moves, tree) for result in results]
        if new != results:
            changed.append((annotation, new))
        try:
            TaskAnswer({}, new, tree).check(controls)
        except UserError as error:
            misfits[error.message] += 1
    if misfits:
        most = misfits.most_common(SHOWN)
        reasons = "; ".join(f"{count} answers: {reason}" for reason, count in most)
        raise UserError(
            f"the interface of project {number} has changed, and answers do not fit it: {reasons}",
            "push to a new folder; the votes given so far stay in this one",
        )
    for annotation, results in changed:
        client.update_annotation(annotation, results)
