"""The four benchmarks' own layouts, so that their published scripts run on a release."""

from __future__ import annotations

import json
import mimetypes
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..base.files import inside, link_or_copy, safe_name, write_bytes, write_jsonl
from ..base.published import picture_name, published, version_folder
from ..errors import UserError
from ..latex import boxes
from ..problem import (
    Image,
    Problem,
    Sample,
    listed_options,
    option_texts,
    samples_of,
    shown_images,
    with_choices,
)
from ..taxonomy import cards_text, in_its_words
from .formats import Export, Splits, contents
from .montage import montage
from .parquet import captions

BOXED = "with the answer boxed behind the solution"
UNMARKED = "with the places of their pictures beside the question, not in it"
WITH_AREAS = "with the areas of their knowledge: the script counts by them"
FOR_EVAL = "question_for_eval"
DESCRIPTION = "knowledge concept description"
HALVED = "in the first half-year of their grade: the script counts by half-years"
WO = {
    True: "Please directly answer the question and provide the correct option letter, "
    "e.g., A, B, C, D.",
    False: "Please directly answer the question and provide the final value, e.g., 1, 2.5, 300.",
}
COT = {
    True: "Please first conduct reasoning, and then answer the question and provide the correct "
    "option letter, e.g., A, B, C, D, at the end.",
    False: "Please first conduct reasoning, and then answer the question and provide the final "
    "value, e.g., 1, 2.5, 300, at the end.",
}
_LEVEL = re.compile(r"\d+")
# The mark of a picture in a question, with all blanks in front of it: looked for from the first
# of them alone, so that a run of blanks is read once.
_PICTURE_MARK = re.compile(r"(?<!\s)\s*<image\d+>")


def math_v(release: Path, out: Path, answers: Path | None = None) -> Export:
    """`<split>.jsonl` and images/, with the fields of MATH-V's test.jsonl."""
    layout = _Layout(release, out, answers)
    _require_levels(layout.splits)
    return layout.write_problems(_math_v_row)


def _math_v_row(problem: Problem, layout: _Layout) -> dict[str, Any]:
    name = layout.names[problem.id]
    options = option_texts(problem.options, len(problem.images))
    row = {
        "id": name,
        "question": published(problem, "question", problem.question),
        "options": published(problem, "options", options),
        "answer": published(problem, "answer", problem.answer),
        "solution": published(problem, "solution", problem.solution),
        "level": int(problem.labels["level"]),
        "subject": problem.labels.get("subject", ""),
        "image": layout.copied(problem, "image", "images", name),
    }
    # A field that MATH-V does not have, where the release has its pictures in words.
    if words := captions(problem):
        row["caption"] = "\n".join(words)
    return row


def _names(splits: Splits) -> dict[str, str]:
    """Problem id -> its name in rows and pictures, one name for one problem of the release.

    It is the id without its source's name, which is the published name where a release has one
    source. Where two sources would share one, all problems keep their whole ids.
    """
    names = {
        problem.id: problem.id.removeprefix(f"{problem.source.name}-")
        for problems, _ in splits.values()
        for problem in problems
    }
    files = {safe_name(name).casefold() for name in names.values()}
    return names if len(files) == len(names) else {name: name for name in names}


def _require_levels(splits: Splits) -> None:
    """MATH-V's layout and its script need a level, and none is invented."""
    without = [
        problem.id
        for problems, _ in splits.values()
        for problem in problems
        if not _LEVEL.fullmatch(str(problem.labels.get("level", "")))
    ]
    if without:
        more = ", ..." if len(without) > 5 else ""
        listed = ", ".join(without[:5]) + more
        raise UserError(
            f"math-v needs a level of every problem; {len(without)} have none: {listed}",
            "say their grade (labels: in the source) before the stage `level`, or label `level`",
        )


def we_math(release: Path, out: Path, answers: Path | None = None) -> Export:
    """`<split>.json`: one row for each step and one `multi` row, keys as We-Math spells them."""
    layout = _Layout(release, out, answers)
    for split, (problems, _) in layout.splits.items():
        stepped = [problem for problem in problems if _has_steps(problem)]
        if problems and not stepped:
            raise UserError(
                f"split {split!r} has no problems with steps",
                "the format holds only such",
            )
        rows = [
            row for problem in stepped for row in _we_math_rows(problem, layout, split)
        ]
        rows.sort(key=lambda row: str(row["key"]))
        for number, row in enumerate(rows, 1):
            row["question number"] = row["question number"] or number
        layout.write_array(f"{split}.json", rows)
        without = [problem.id for problem in problems if not _has_steps(problem)]
        layout.written.leave_out("has no steps", without)
        layout.note_lost(stepped, steps=True)
    return layout.written


def _has_steps(problem: Problem) -> bool:
    return bool(problem.steps) or problem.labels.get("steps") == 1


def _we_math_rows(
    problem: Problem, layout: _Layout, split: str
) -> list[dict[str, Any]]:
    """A row for each step and the whole; a problem of one step is its `1steps_multi` row alone."""
    kind = f"{max(1, len(problem.steps))}steps"
    group = layout.names[problem.id].removeprefix(f"{kind}_")
    return [_we_math_row(s, layout, split, kind, group) for s in samples_of(problem)]


def _we_math_row(
    sample: Sample, layout: _Layout, split: str, kind: str, group: str
) -> dict[str, Any]:
    role = sample.version.removeprefix("step") or "multi"
    concepts = sample.labels.get("knowledge") or []
    if not isinstance(concepts, list):
        concepts = [concepts]
    options = listed_options(sample.options, len(sample.images), "{}. {}", ";")
    value = partial(published, sample)
    return {
        "ID": f"{kind}_{group}",
        "split": value("split", split),
        "knowledge concept": value("knowledge concept", ";".join(concepts)),
        "question": sample.asked(),
        "option": value("option", options),
        "answer": sample.answer or "",
        "image_path": layout.copied(
            sample, "image_path", f"{kind}/image", f"{group}-{role}"
        ),
        "key": f"{kind}_{role}",
        "question number": value("question number", 0),
        "knowledge concept description": value(DESCRIPTION, cards_text(concepts)),
    }


def mathverse(release: Path, out: Path, answers: Path | None = None) -> Export:
    """`<split>.json` with five versions and `<split>_text_only.json`, as MathVerse parts them."""
    layout = _Layout(release, out, answers)
    for split, (problems, samples) in layout.splits.items():
        pictured = list[Sample]()
        text_only = list[Sample]()
        without = list[str]()
        for sample in samples:
            if not sample.version:
                without.append(sample.id)
            elif sample.version == "text_only":
                text_only.append(sample)
            else:
                pictured.append(sample)
        if samples and not (pictured or text_only):
            raise UserError(
                f"split {split!r} has no versions", "add the stage `versions`"
            )
        layout.write_versions(f"{split}.json", pictured, split)
        layout.write_versions(f"{split}_text_only.json", text_only, split)
        layout.written.leave_out("has no version", without)
        layout.note_lost([p for p in problems if p.samples], versions=True)
    return layout.written


def _mathverse_row(
    number: int, sample: Sample, layout: _Layout, split: str, for_eval: bool
) -> dict[str, Any]:
    name = layout.names[sample.problem_id]
    choice = bool(sample.options)
    value = partial(published, sample)
    question = value(
        "question", with_choices(sample.question, sample.options, len(sample.images))
    )
    folder = version_folder(sample.version)
    image = layout.copied(sample, "image", folder, f"image_{name}")
    query = f"\nQuestion: {question}"
    if sample.version == "vision_only":
        query = ""
    row = {
        "sample_index": value("sample_index", str(number)),
        "problem_index": name,
        "problem_version": sample.version.replace("_", " ").title(),
        "question": question,
        "image": image,
        "answer": sample.answer or "",
        "question_type": "multi-choice" if choice else "free-form",
        "metadata": {
            "split": value("split", split),
            "source": sample.labels.get("collection", sample.source.name),
            "subject": sample.labels.get("subject", ""),
            "subfield": sample.labels.get("subfield", ""),
        },
        "query_wo": _vision(WO[choice], sample) + query,
        "query_cot": _vision(COT[choice], sample) + query,
    }
    if for_eval:
        row["question_for_eval"] = value(FOR_EVAL, question)
    return row


def _vision(prompt: str, sample: Sample) -> str:
    """Vision-only prompts point at the picture (MathVerse's own wording)."""
    if sample.version != "vision_only":
        return prompt
    return (
        "According to the question shown in the image, please "
        + prompt.removeprefix("Please ")
    )


def mm_math(release: Path, out: Path, answers: Path | None = None) -> Export:
    """`<split>.jsonl`: question, file_name, solution (answer boxed), year, difficult, knowledge.

    MM-MATH's rows have no `id`; ours have, so that rows and pictures keep their names when they are
    read back, a `grade` where no half-year is known, and `placed`, the question with its pictures.
    """
    layout = _Layout(release, out, answers)
    _require_no_options(layout.splits)
    return layout.write_problems(_mm_math_row)


def _mm_math_row(problem: Problem, layout: _Layout) -> dict[str, Any]:
    name = layout.names[problem.id]
    row = {
        "id": name,
        "question": _PICTURE_MARK.sub("", problem.question).lstrip(),
        "placed": problem.question,
        "file_name": layout.copied(problem, "file_name", "images", name),
        "solution": _boxed(problem),
        "year": "",
    } | in_its_words(problem.labels)
    for field in ("difficult", "knowledge", "year"):
        row[field] = published(problem, field, row[field])
    notes = {
        UNMARKED: row["question"] != problem.question,
        BOXED: row["solution"] != (problem.solution or ""),
        HALVED: "grade" in row and "year" not in problem.published,
        WITH_AREAS: row["knowledge"] != problem.labels.get("knowledge", []),
    }
    for note, holds in notes.items():
        if holds:
            layout.written.note(note, [problem.id])
    if row["placed"] == row["question"]:
        del row["placed"]
    # These are ours; beside a published year, or where they were published, they are left out.
    for field in ("id", "grade"):
        if {field, "year"} & problem.published.keys():
            row.pop(field, None)
    return row


def _require_no_options(splits: Splits) -> None:
    """MM-MATH's layout holds no options, and a question without its options is another one."""
    ids = [p.id for problems, _ in splits.values() for p in problems if p.options]
    if ids:
        raise UserError(
            f"mm-math holds no options, and {len(ids)} problems have some: {', '.join(ids[:5])}",
            "leave them out by `select`, or export in another format",
        )


def _boxed(problem: Problem) -> str:
    """The solution with its answer in boxes, which is all that the script reads of it."""
    solution = problem.solution or ""
    answer_boxes = list(boxes(solution))
    plain = all(solution.startswith("\\boxed{", box.start) for box in answer_boxes)
    contents_of_boxes = ",".join(box.content.strip() for box in answer_boxes)
    if plain and contents_of_boxes == problem.answer:
        return solution
    for box in reversed(answer_boxes):
        solution = solution[: box.start] + box.content + solution[box.end :]
    return f"{solution}\n\\boxed{{{problem.answer}}}".strip()


class _Layout:
    """One export on its way: what the release holds and under which names, and what is written."""

    def __init__(self, release: Path, out: Path, answers: Path | None) -> None:
        _, self.splits = contents(release, answers)
        self.release = release
        self.out = out
        self.written = Export()
        self.names = _names(self.splits)
        self.pictures: dict[str, str] = {}  # name -> hash, of those that are written

    def write_problems(
        self, row_of: Callable[[Problem, _Layout], dict[str, Any]]
    ) -> Export:
        """`<split>.jsonl` with a row a problem."""
        for split, (problems, _) in self.splits.items():
            rows = (row_of(problem, self) for problem in problems)
            self.write_lines(f"{split}.jsonl", rows)
            self.note_lost(problems)
        return self.written

    def write_lines(self, name: str, rows: Iterable[dict[str, Any]]) -> None:
        write_jsonl(self.out / name, rows)
        self.written.append(self.out / name)

    def write_array(self, name: str, rows: Iterable[dict[str, Any]]) -> None:
        text = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        write_bytes(self.out / name, f"[\n{text}\n]\n".encode())
        self.written.append(self.out / name)

    def write_versions(self, name: str, samples: Sequence[Sample], split: str) -> None:
        """MathVerse's rows of some versions; no file where there are none."""
        for_eval = any(FOR_EVAL in sample.published for sample in samples)
        rows = [
            _mathverse_row(number, sample, self, split, for_eval)
            for number, sample in enumerate(samples, 1)
        ]
        if rows:
            self.write_array(name, rows)

    def note_lost(
        self,
        problems: Sequence[Problem],
        *,
        steps: bool = False,
        versions: bool = False,
    ) -> None:
        """What the published layouts have no field for."""
        losses: dict[str, Callable[[Problem], bool]] = {
            "without gold (`export --answers` adds golds)": lambda p: not p.answer,
            "without unit, tolerance and ordered, which the layout does not hold": lambda p: (
                (p.unit, p.tolerance, p.ordered) != (None, None, None)
            ),
            "with several pictures pasted into one": lambda p: len(shown_images(p)) > 1,
            "without their steps": lambda p: not steps and bool(p.steps),
            "without their versions": lambda p: not versions and bool(p.samples),
        }
        ids: dict[str, list[str]] = {loss: [] for loss in losses}
        for problem in problems:  # once: they may be read from files
            for loss, is_lost in losses.items():
                if is_lost(problem):
                    ids[loss].append(problem.id)
        for loss, of_loss in ids.items():
            self.written.note(loss, of_loss)

    def copied(
        self, record: Problem | Sample, field: str, folder: str, stem: str
    ) -> str:
        """The picture as `<folder>/<stem>.<ext>`; its path, or "" without one.

        One picture keeps its bytes, and the name that it has in a published row where no other has
        it; several, and those of options, are pasted into one.
        """
        images = shown_images(record)
        if len(images) > 1 or images != record.images:
            path = f"{folder}/{safe_name(stem)}.png"
            write_bytes(self.out / path, montage(record, self.release))
            return path
        path = picture_name(folder, stem, images)
        published_path = str(published(record, field, path))
        if not images:
            return published_path
        if self._is_free(published_path, images[0]):
            path = published_path
        self.pictures[path] = images[0].sha256
        (self.out / path).parent.mkdir(parents=True, exist_ok=True)
        link_or_copy(self.release / images[0].path, self.out / path)
        return path

    def _is_free(self, name: str, image: Image) -> bool:
        """Whether a name from outside is a picture's, lies in the export and is this picture's."""
        try:
            inside(self.out, name)
        except UserError:
            return False
        kind, _ = mimetypes.guess_type(name)
        if not (kind or "").startswith("image/"):
            return False
        return self.pictures.get(name, image.sha256) == image.sha256
