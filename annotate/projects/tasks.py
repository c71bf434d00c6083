"""Problems as tasks: what the labelling page shows, rendered, under our own ids."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ...base.about import about, digest
from ...base.files import encode, inside
from ...base.pictures import encode_png
from ...errors import UserError
from ...latex import htmls_of
from ...problem import Image, Problem, Vote, option_texts, shown_images
from ...taxonomy import Scale, read_grade
from ..kinds import proposal_of
from ..server import PictureStore
from .shown_steps import stacked, step_pictures, told_steps

SHOWN_LABELS = ("subject", "subfield", "knowledge", "grade", "level", "difficulty")
LONGEST = 100_000  # characters of a text that a person can be asked to read


class Task(msgspec.Struct, kw_only=True):
    """One task: `texts` become rendered `<name>_html`, `pictures` addresses, `data` stays."""

    id: str
    texts: dict[str, str] = {}
    pictures: dict[str, list[Image]] = {}
    data: dict[str, Any] = {}
    about: str = ""  # hash of what is shown, see `evidence`; the answers' votes carry it
    proposal: list[dict[str, Any]] = []  # results that the form starts with
    made: dict[str, Callable[[Path | None], bytes]] = {}  # pictures made from those in the folder
    needs_picture: bool = False


def problem_task(problem: Problem, note: str = "", place: str = "") -> Task:
    """A problem with its options below it; its notes and `note` are shown on top of the page."""
    notes = "\n".join([*problem.notes, *([note] if note else [])])
    return Task(
        id=problem.id,
        texts={"question": with_options(problem), "note": notes},
        pictures={"image": shown_images(problem)},
        data={"question": problem.question},
        about=about(problem, place),
    )


def with_options(problem: Problem) -> str:
    """A problem's text; options that are pictures are `<imageN>`, behind the question's.

    >>> from ...problem import Option, Source
    >>> picture = Image(path="a.png", sha256="", width=9, height=9)
    >>> print(with_options(Problem(id="a", origin="a", source=Source(name="a", raw_id="1"),
    ...     question="Which?", options=[Option(label="A", text="", image=picture)])))
    Which?
    (A) <image1>
    """
    texts = option_texts(problem.options, len(problem.images))
    pairs = zip(problem.options, texts, strict=True)
    return "\n".join([problem.question, *(f"({o.label}) {text}" for o, text in pairs)])


def review_task(problem: Problem, label: str, note: str = "") -> Task:
    """A problem with the label a model suggests."""
    task = problem_task(problem, note)
    task.texts["suggestion"] = label
    task.data["suggestion"] = label
    return task


def roles_task(problem: Problem, note: str = "") -> Task:
    """A problem whose spans are marked already, for people to correct."""
    task = problem_task(problem, note, "spans")
    task.proposal = proposal_of(problem.question, problem.spans)
    return task


def placement_task(problem: Problem, note: str = "") -> Task:
    """A problem with its essential conditions listed, and the picture they are to stand on."""
    task = problem_task(problem, note, "placement")
    task.pictures, task.needs_picture = {"image": problem.images[:1]}, True
    conditions = [problem.question[s.start : s.end] for s in problem.spans if s.role == "EC"]
    task.texts["conditions"] = "\n".join(conditions) or "(no essential condition is marked)"
    return task


def steps_task(problem: Problem, note: str = "") -> Task:
    """A problem to be split into steps, with the one picture that conditions are drawn onto."""
    task = problem_task(problem, note, "steps")
    task.pictures["drawing"] = problem.images[:1]
    return task


def level_task(problem: Problem, note: str = "", *, scale: Scale) -> Task:
    """A problem with the level that follows from its source, for people to correct."""
    task = problem_task(problem, note)
    source = problem.labels.get(scale.of)
    value = problem.labels.get(scale.name)
    if value is None and source is not None:
        grade = read_grade(source) if scale.of == "grade" else source
        value = scale.value(float(grade)) if grade is not None else None
    told = f"{scale.name}: {'not known' if value is None else value}"
    task.texts["given"] = told if source is None else f"{told} ({scale.of} {source})"
    return task


def checks_task(problem: Problem, note: str = "") -> Task:
    """A problem with its answer and labels, to be checked as it stands."""
    task = problem_task(problem, note, "checks")
    task.texts["given"] = _as_it_stands(problem)
    return task


def _as_it_stands(problem: Problem) -> str:
    labels = {name: problem.labels[name] for name in SHOWN_LABELS if problem.labels.get(name)}
    unit = f" {problem.unit}" if problem.unit else ""
    lines = [f"Answer: {problem.answer or 'none'}{unit}"]
    lines += [
        f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in labels.items()
    ]
    lines += [f"Solution: {problem.solution}"] if problem.solution else []
    return "\n".join(lines)


def steps_review_task(
    problem: Problem, authored: Vote, pictures: Path | None, note: str = ""
) -> Task:
    """A problem with somebody's steps; `pictures` is the folder of those that have a file.

    The task names the author, whose own review is no vote.
    """
    decomposition = authored.value
    task = problem_task(problem, note, "steps")
    task.texts |= {"given": _as_it_stands(problem), "decomposition": told_steps(decomposition)}
    task.data["proposed"] = encode(decomposition).decode().rstrip("\n")
    task.data["author"] = authored.annotator
    task.pictures["drawn"] = []
    if maker := step_pictures(problem, decomposition, pictures):
        task.made["drawn"] = maker
    return task


def solution_task(problem: Problem, solution: str, note: str = "") -> Task:
    """A problem with a model's solution to be checked."""
    task = problem_task(problem, note)
    task.texts["solution"] = solution
    task.data["solution"] = solution
    task.about = digest([about(problem), solution])
    return task


def pair_task(a: Problem, b: Problem, evidence: Mapping[str, Any]) -> Task:
    """Two problems that may be one, with what a program found out about them."""
    hashes = {name: str(evidence.get(name, "")) for name in ("a_hash", "b_hash")}
    facts = {
        key: value for key, value in evidence.items() if key not in (*hashes, "a", "b", "keep")
    }
    evidence_text = ", ".join(f"{k}: {v}" for k, v in facts.items() if isinstance(v, str | float))
    return Task(
        id=f"{a.id}|{b.id}",
        texts={"a": with_options(a), "b": with_options(b), "evidence": evidence_text, "note": ""},
        pictures={"a_image": shown_images(a), "b_image": shown_images(b)},
        data={"a": a.id, "b": b.id, **hashes},
        about=digest([about(a), about(b)]),
    )


def task_data(
    tasks: Iterable[Task], images: Path | None, store: PictureStore
) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """Task data for the server, and the tasks that cannot be shown: id and reason.

    `images` is the folder that picture paths are relative to; the pictures go to `store`.
    """
    ready: list[tuple[Task, dict[str, str]]] = []
    files: dict[str, Callable[[], bytes]] = {}
    skipped: list[tuple[str, str]] = []
    for task in tasks:
        try:
            _check(task)
            pictures = {name: _file(images, figures) for name, figures in task.pictures.items()}
            pictures |= {name: _made(make(images)) for name, make in task.made.items()}
        except UserError as error:
            skipped.append((task.id, str(error)))
            continue
        files |= dict(pictures.values())
        ready.append((task, {name: file for name, (file, _) in pictures.items()}))
    addresses = store(files)
    good: list[dict[str, Any]] = []
    texts: list[dict[str, str]] = []
    for task, names in ready:
        urls = {name: addresses[file] for name, file in names.items()}
        failed = next((a for a in urls.values() if isinstance(a, UserError)), None)
        if failed is not None:
            skipped.append((task.id, str(failed)))
            continue
        good.append({"id": task.id, "about": task.about, **task.data, **urls} | _proposed(task))
        texts.append(task.texts)
    pages = iter(htmls_of([text for named in texts for text in named.values()]))
    for data, named in zip(good, texts, strict=True):
        data.update({f"{name}_html": next(pages) for name in named})
    return good, skipped


def _made(data: bytes) -> tuple[str, Callable[[], bytes]]:
    return f"{hashlib.sha256(data).hexdigest()[:20]}.png", partial(bytes, data)


def _check(task: Task) -> None:
    longest = max(map(len, task.texts.values()))
    if longest > LONGEST:
        raise UserError(f"{longest:,} characters are too long to read", f"up to {LONGEST:,}")
    if task.needs_picture and not all(task.pictures.values()):
        raise UserError("the problem has no picture", "leave it out")


def _proposed(task: Task) -> dict[str, Any]:
    return {"proposal": task.proposal} if task.proposal else {}


def _file(root: Path | None, images: list[Image]) -> tuple[str, Callable[[], bytes]]:
    """The file that shows a task's pictures: several are put below each other, none is a dot."""
    if not images:
        return "none.png", _white_dot
    if root is None:
        raise UserError("the problem has pictures", "say by --images where their folder is")
    paths = [inside(root, image.path) for image in images]
    for path in paths:
        if not path.is_file():
            raise UserError(f"no picture {path}", "say by --images where pictures are")
    if len(paths) == 1:
        return f"{images[0].sha256[:20]}{paths[0].suffix}", paths[0].read_bytes
    return f"{'.'.join(i.sha256[:8] for i in images)}.png", partial(_sheet, paths)


def _sheet(paths: list[Path]) -> bytes:
    return stacked([(path.read_bytes(), str(path)) for path in paths])


def _white_dot() -> bytes:
    """The page's picture tag wants something."""
    from PIL import Image as Pillow

    return encode_png(Pillow.new("RGB", (8, 8), "white"))
