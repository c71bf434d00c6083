"""Tasks to the server: idempotent by our own ids, resumed after any interruption."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from ...base.files import path_or_none, write_bytes
from ...base.registry import plugged
from ...base.terminal import say
from ...errors import UserError, nearest
from ...problem import Vote
from ...release import read_problem_file, root_of_problems
from ..kinds import Task
from ..server import (
    PICTURES,
    Client,
    connect,
    local_store,
    note_version,
    upload_store,
)
from ..votes import read_votes
from .dealing import deal_open_tasks, leaving, take_off_dealt
from .groups import deal, groups_of, joined, read_groups
from .guidelines import adopt_guidelines, guidelines_html
from .inputs import tasks_of
from .migration import adopt_tree, fit_answers
from .owner import pushing
from .people import read_people
from .project import MARK, Project, interface_hash, make_project, on_server, working
from .pull import GOLD, append_new, pull_answers
from .recipe_stage import before_label
from .reopened_tasks import (
    ask_again,
    note_withdrawn,
    reopen_refused,
    replace_changed,
)
from .tasks import task_data
from .tasks_on_server import server_tasks
from .uploaded_pictures import upload_page

BATCH_BYTES = 16_000_000  # of text per request
PROPOSAL = "proposal"  # the model version under which proposals are kept


class Pushed(msgspec.Struct, kw_only=True):
    """What a push did: `added` tasks, beside those `there` before.

    `skipped` holds the tasks that cannot be shown, `again` those that people are asked once more:
    ids and reasons. `settled` problems are not pushed: the votes that the recipe has decide them.
    """

    project: int
    folder: str  # of the project: what `pull` is given
    url: str  # where people label
    added: int
    there: int
    skipped: list[tuple[str, str]] = []
    again: list[tuple[str, str]] = []
    settled: int = 0
    left: list[str] = []  # tasks on the server whose problems are not in the set
    groups: dict[str, str] = {}  # where the people of each group label
    dealt: dict[str, int] = {}  # tasks that each group took over from others
    kept: list[str] = []  # tasks of people who are away that no other group can take
    more: list[
        str
    ] = []  # tasks that one person more is asked, as an answer does not count


def push(
    problems: str | Path,
    out: str | Path | None = None,
    kind: str | None = None,
    *,
    field: str | None = None,
    build: str | Path = "out",
    tree: str | None = None,
    people: str | int | None = None,
    material: str | Path | None = None,
    advice: Literal["shown", "marked"] | None = None,
    gold: str | Path | None = None,
    guidelines: str | Path | None = None,
    group: Mapping[str, str] | None = None,
    away: Sequence[str] = (),
    again: Sequence[str] = (),
    yes: bool = False,
    server: str | None = None,
    plugins: Sequence[str | Path] = (),
) -> Pushed:
    """Give the problems of a problems.jsonl to the annotators, as tasks of one kind.

    With a recipe instead of problems, and a `field`, the recipe runs up to the stage that labels
    the field: what stands before it is pushed; kind, tree and folder (`labels/<field>` beside the
    recipe) follow, and `pull` puts the votes where the stage looks.

    Args:
        problems: A problems.jsonl, or a recipe.
        out: The project's folder, made if it is new.
        kind: What people shall do: the kind of task.
        field: With a recipe: which label; the rest follows from its stage.
        build: With a recipe: the folder that build-release writes to.
        tree: Built-in tree, or a YAML file.
        people: Answers wanted per task; 2-3: two, and a third where they disagree or are unsure
            [default: 3, or what the project has].
        material: What the kind shows beside the problems: votes of models or authors for a review,
            {id, response} lines for first-error, pairs of `dedup pairs` for duplicates.
        advice: shown: the votes in `material` stand on top of each task; marked: forms for roles
            start with the problems' own spans.
        gold: Votes that are known to be right: `status` compares people with them on these problems
            of the set, where their answers do not count.
        guidelines: The team's own, Markdown: shown before the first task, their hash in the votes.
        group: People who give one answer together, NAME=PERSON,PERSON [default: the groups of
            people.yaml]; with --people below the number of groups, tasks are dealt among them.
        away: Somebody, or a group, who is away or behind: what is open is dealt to other groups.
        again: Somebody who is asked once more, about everything: what was said counts until then.
        yes: Take answers off the server where their people are asked again, and undo what somebody
            edited there by hand.
        server: The address of a Label Studio, whose token is LABEL_STUDIO_API_KEY, or the folder
            that `serve` uses [default: LABEL_STUDIO_URL].
        plugins: Python file that adds kinds of task: it is run.

    Raises UserError for a kind that lacks its tree or file, for damaged files, and for what
    `push_tasks` names.

    Example: `push("problems.jsonl", "labels/subject", "subject", tree="math-v").added`
    """
    with plugged(plugins):
        problems = Path(problems)
        votes = ""  # where a recipe looks for them, relative to the project's folder
        images: Path | None = None
        answers_wanted, doubt = wanted(people)
        settled: set[str] = set()
        client, files = connect(server)
        note_version(client)
        if problems.suffix in (".yaml", ".yml"):
            if field is None:
                raise UserError(
                    f"{problems} is a recipe", "say by --field which label people give"
                )
            waiting = before_label(problems, field, Path(build))
            problems = waiting.problems
            images = waiting.images
            out = out or waiting.folder
            kind = kind or waiting.kind
            tree = tree or waiting.tree
            votes = os.path.relpath(waiting.folder / waiting.votes, out)
            settled = waiting.settled
        if out is None or kind is None:
            raise UserError(
                "tasks need a project's folder and a kind", "give --out and --kind"
            )
        folder = Path(out)
        with working(folder):
            groups, answers = groups_of(
                folder, kind, read_groups(group or {}), answers_wanted
            )
        if groups and doubt:
            raise UserError("groups are not asked in doubt", "--people 2")
        givers = leaving(folder, groups, away)

        def give(
            folder: Path, people: int | None, votes: str, name: str = ""
        ) -> Pushed:
            with working(folder):
                project = make_project(folder, kind, tree, people, doubt)
                project.group = name
                project.members = groups.get(name, [])
                new_tree = tree if project.needs_tree() else None
                adopt_tree(project, client, new_tree)
                project.recipe_votes = votes or project.recipe_votes
                if guidelines is not None:
                    adopt_guidelines(project, client, Path(guidelines))
                task_kind, project_tree, _ = project.load()
                problem_set = read_problem_file(problems)
                tasks = tasks_of(
                    task_kind,
                    project_tree,
                    problem_set,
                    path_or_none(material),
                    advice,
                )
                if not tasks:
                    raise UserError(
                        f"{problems} gives no task of kind {kind!r}",
                        "is a file of yours empty?",
                    )
                if name:
                    ids = [task.id for task in tasks]
                    dealt = deal(folder.parent, ids, groups, answers)
                    tasks = [task for task in tasks if name in dealt[task.id]]
                if gold is not None:
                    _place_gold(project, Path(gold), tasks)
                root = images or root_of_problems(problems, problem_set)
                done = push_tasks(
                    project, tasks, client, root, files, settled, yes, again
                )
                if name:
                    take_off_dealt(folder.parent, name, client)
                return done

        if not groups:
            return give(folder, answers_wanted, votes)
        votes = os.path.join("..", votes or "votes.jsonl")
        with working(folder):
            got, kept = deal_open_tasks(folder, client, groups, givers)
        # whoever gives tasks away comes last: they are with others by then
        order = sorted(groups, key=lambda name: (name in givers, name))
        pushes = {name: give(folder / name, 1, votes, name) for name in order}
        return msgspec.structs.replace(
            joined(pushes.values()),
            project=0,  # each group has its own
            url="",
            folder=str(folder),
            groups={name: pushes[name].url for name in sorted(groups)},
            dealt=got,
            kept=kept,
        )


def wanted(people: int | str | None) -> tuple[int | None, int | None]:
    """How many answers a task wants, and how many where people disagree.

    >>> wanted(3), wanted("2-3"), wanted(None)
    ((3, None), (2, 3), (None, None))
    """
    if people is None:
        return None, None
    least, _, most = str(people).partition("-")
    if not (least.isdigit() and (most.isdigit() or not most) and int(least)):
        raise UserError(f"--people {people!r} is no number of answers", "--people 2-3")
    return int(least), int(most) if most else None


def _place_gold(project: Project, file: Path, tasks: list[Task]) -> None:
    """Keep the known labels beside the project. Raises UserError for a problem that is no task."""
    gold = read_votes(file)
    labels: dict[tuple[str, str], Vote] = {}
    for vote in gold:
        first = labels.setdefault((vote.problem_id, vote.field), vote)
        if first.value != vote.value:
            raise UserError(
                f"{file}: {vote.problem_id} is {first.value!r}, and {vote.value!r}",
                "a known label is one",
            )
    ids = {task.id for task in tasks}
    placed = [vote for vote in gold if vote.problem_id in ids]
    if not project.group:  # of a group's tasks, others may be gold
        for vote in gold:
            if vote.problem_id not in ids:
                raise UserError(
                    f"{file}: no task {vote.problem_id!r}",
                    nearest(vote.problem_id, sorted(ids)),
                )
    append_new(project.folder / GOLD, placed)


def push_tasks(
    project: Project,
    tasks: list[Task],
    client: Client,
    images: Path | None = None,
    files: Path | None = None,
    settled: Collection[str] = (),
    yes: bool = False,
    ask: Collection[str] = (),
) -> Pushed:
    """Bring every task to the server, once; what has changed or was refused is asked again.

    Tasks on the server are known by our ids, so a second push adds nothing and a killed one goes
    on where it stopped. `images` is the folder that picture paths are relative to; `files` is the
    folder the server serves, or None for a server elsewhere, to which pictures are uploaded.
    Tasks in `settled` that are not there are left out; people in `ask` are asked once more.
    Raises UserError when the server stays away, the project is gone or was edited by hand, and,
    without `yes`, when answers would be taken off the server: whose, and why.
    """
    _check_ids(tasks)
    number = _prepare(project, client, files, yes)
    with pushing(project, client, number, yes):
        return _bring(project, tasks, client, images, files, settled, yes, ask)


def _bring(
    project: Project,
    tasks: list[Task],
    client: Client,
    images: Path | None,
    files: Path | None,
    settled: Collection[str],
    yes: bool,
    ask: Collection[str],
) -> Pushed:
    """Replace, reopen and add tasks of a project that is prepared."""
    number = project.number
    pushed = server_tasks(client, number)
    unsettled = [task for task in tasks if task.id not in settled]
    again = replace_changed(project, client, unsettled, pushed, yes)
    left = sorted(pushed.keys() - {task.id for task in tasks})
    for name, _ in again:
        del pushed[name]
    again += reopen_refused(project, client, pushed, yes)
    again += note_withdrawn(project, client, pushed)
    again += ask_again(project, client, ask, yes)
    missing = [task for task in tasks if task.id not in pushed]
    new = [task for task in missing if task.id not in settled]
    store = local_store(files) if files else upload_store(client, project.key)
    data, skipped = task_data(new, images, store)
    _probe(client, data)
    _send(client, number, data, set(pushed))
    if data:
        # what broke off may have been carried out, and another clone may have sent the same
        server_tasks(client, number)
    if any(task.proposal for task in tasks):
        client.update_project(
            number, model_version=PROPOSAL, show_collab_predictions=True
        )
    more: list[str] = []
    if read_people(project.folder).out():
        more = pull_answers(project, client).more
    return Pushed(
        left=[] if project.group else left,  # a group has its part of the set alone
        more=more,
        project=number,
        folder=str(project.folder),
        url=f"{client.url}/projects/{number}/data?labeling=1",
        added=len(data),
        there=len(tasks) - len(missing),
        skipped=skipped,
        again=again,
        settled=len(missing) - len(new),
    )


def _send(
    client: Client, number: int, data: list[dict[str, Any]], existing: set[str]
) -> None:
    """Import `data`; after a broken request, look what arrived and send the rest."""
    arrived: list[set[str]] = [existing]

    def send() -> None:
        ids = arrived.pop() if arrived else set(server_tasks(client, number))
        for batch in _batches(task for task in data if task["id"] not in ids):
            client.import_tasks(number, batch)

    client.persist(send)


def _check_ids(tasks: list[Task]) -> None:
    ids: set[str] = set()
    for task in tasks:
        if task.id in ids:
            raise UserError(f"two tasks have the id {task.id!r}", "ids must be unique")
        ids.add(task.id)


def _batches(tasks: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Tasks in requests of bounded size."""
    batch: list[dict[str, Any]] = []
    size = 0
    for task in tasks:
        length = sum(len(value) for value in task.values() if isinstance(value, str))
        if batch and size + length > BATCH_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(_with_proposal(task))
        size += length
    if batch:
        yield batch


def _with_proposal(task: dict[str, Any]) -> dict[str, Any]:
    """A task for the import; a proposal becomes what the form starts with."""
    data = {key: value for key, value in task.items() if key != "proposal"}
    if "proposal" not in task:
        return {"data": data}
    return {
        "data": data | {"prefilled": len(task["proposal"])},
        "predictions": [{"model_version": PROPOSAL, "result": task["proposal"]}],
    }


def _prepare(project: Project, client: Client, files: Path | None, yes: bool) -> int:
    """The server's number of the project, created or brought up to date as needed."""
    kind, tree, interface = project.load()
    record = on_server(project, client)
    instruction = kind.instruction
    if tree is not None and tree.instruction:
        instruction = tree.instruction
    if kind.uploads:
        instruction += (
            f" Pictures of steps are uploaded at {upload_page(project, client)}"
        )
    instruction += guidelines_html(project)
    if record is None:
        client.check_interface(interface)
        record = client.create_project(
            title=f"{kind.title} ({project.folder.resolve().name})"[:50],
            description=MARK + project.key,
            label_config=interface,
            maximum_annotations=project.people,
            show_collab_predictions=False,
            expert_instruction=instruction,
            show_instruction=True,
            enable_empty_annotation=False,
        )
    elif record["label_config"] != interface:
        ours = ("", interface_hash(record["label_config"]))
        if project.interface not in ours and not yes:
            raise UserError(
                f"the interface of project {record['id']} was edited by hand",
                "push --yes puts ours back",
            )
        client.check_interface(interface)
        fit_answers(project, client, record["id"], interface, yes)
        client.update_project(record["id"], label_config=interface)
    if record["expert_instruction"] != instruction:
        _keep_edited(project, str(record["expert_instruction"] or ""))
        client.update_project(record["id"], expert_instruction=instruction)
    project.instruction = interface_hash(instruction)
    if record["maximum_annotations"] != project.people:
        client.update_project(record["id"], maximum_annotations=project.people)
    project.number = record["id"]
    project.interface = interface_hash(interface)
    project.save()
    if files is not None:
        _serve_pictures(client, project.number, files)
    return project.number


def _keep_edited(project: Project, shown: str) -> None:
    """Keep instructions that somebody wrote on the server, before ours take their place."""
    if project.instruction not in ("", interface_hash(shown)):
        place = project.folder / "instructions_edited.html"
        write_bytes(place, shown.encode())
        say(
            f"somebody has edited the instructions on the server: {place} has them, and ours are "
            "there again; --guidelines takes what shall stay"
        )


def _serve_pictures(client: Client, number: int, files: Path) -> None:
    """Label Studio serves a folder to a project only when the project names it as a storage."""
    folder = str((files / PICTURES).resolve())
    if folder not in client.storages(number):
        client.add_storage(number, folder, PICTURES)


def _probe(client: Client, data: list[dict[str, Any]]) -> None:
    """Fetch one picture as the page will, before thousands of tasks point to nothing."""
    for task in data:
        for value in task.values():
            if isinstance(value, str) and value.startswith("/data/"):
                client.picture(value)
                return
