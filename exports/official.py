"""The four benchmarks' own layouts, so that their published scripts run on a release."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..base.files import safe_name, write_bytes, write_jsonl
from ..errors import UserError
from ..latex import boxes
from ..problem import Option, Problem, Sample, option_texts, samples_of, shown_images
from ..taxonomy import half_year, load_tree, read_grade
from ..words import HAN_ORDER
from .formats import Export, Splits, contents
from .montage import montage
from .parquet import captions

BOXED = "with the answer boxed behind the solution"
HALVED = "in the first half-year of their grade: the script counts by half-years"
VERSION_FOLDERS = {"vision_dominant": "images_version_5", "vision_only": "images_version_6"}
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


def math_v(release: Path, out: Path, answers: Path | None = None) -> Export:
    """`<split>.jsonl` and images/, with the fields of MATH-V's test.jsonl."""
    _, splits = contents(release, answers)
    _require_levels(splits)
    names, written = _names(splits), Export()
    for split, (problems, _) in splits.items():
        rows = (
            {
                "id": names[problem.id],
                "question": problem.question,
                "options": option_texts(problem.options, len(problem.images)),
                "answer": problem.answer,
                "solution": problem.solution,
                "level": int(problem.labels["level"]),
                "subject": problem.labels.get("subject", ""),
                "image": _copied(problem, release, out, "images", names[problem.id]),
            }
            | _caption(problem)
            for problem in problems
        )
        write_jsonl(out / f"{split}.jsonl", rows)
        written.append(out / f"{split}.jsonl")
        _note_lost(written, problems)
    return written


def _caption(problem: Problem) -> dict[str, str]:
    """The one picture in words, where the release has them: a field that MATH-V does not have."""
    words = captions(problem)
    return {"caption": "\n".join(words)} if words else {}


def _names(splits: Splits) -> dict[str, str]:
    """Problem id -> its name in rows and pictures, one name for one problem of the release.

    It is the id without its source's name, which is the published name where a release has one
    source. Where two sources would share one, all problems keep their whole ids.
    """
    ids = [(p.id, f"{p.source.name}-") for problems, _ in splits.values() for p in problems]
    names = {name: name.removeprefix(source) for name, source in ids}
    files = {safe_name(name).casefold() for name in names.values()}
    return names if len(files) == len(names) else {name: name for name in names}


def _require_levels(splits: Splits) -> None:
    """MATH-V's layout and its script need a level, and none is invented."""
    without = [
        problem.id
        for problems, _ in splits.values()
        for problem in problems
        if not re.fullmatch(r"\d+", str(problem.labels.get("level", "")))
    ]
    if without:
        named = ", ".join(without[:5]) + (", ..." if len(without) > 5 else "")
        raise UserError(
            f"math-v needs a level of every problem; {len(without)} have none: {named}",
            "say their grade (labels: in the source) before the stage `level`, or label `level`",
        )


def we_math(release: Path, out: Path, answers: Path | None = None) -> Export:
    """`<split>.json`: one row for each step and one `multi` row, keys as We-Math spells them."""
    _, splits = contents(release, answers)
    names, written = _names(splits), Export()
    for split, (problems, _) in splits.items():
        stepped = [p for p in problems if _stepped(p)]
        if problems and not stepped:
            raise UserError(
                f"split {split!r} has no problems with steps", "the format holds only such"
            )
        rows = [
            row
            for problem in stepped
            for row in _we_math_rows(problem, names[problem.id], release, out, split)
        ]
        rows.sort(key=lambda row: str(row["key"]))
        for number, row in enumerate(rows, 1):
            row["question number"] = number
        written.append(_write_array(out / f"{split}.json", rows))
        written.leave_out("has no steps", [p.id for p in problems if not _stepped(p)])
        _note_lost(written, stepped, steps=True)
    return written


def _stepped(problem: Problem) -> bool:
    return bool(problem.steps) or problem.labels.get("steps") == 1


def _we_math_rows(
    problem: Problem, name: str, release: Path, out: Path, split: str
) -> list[dict[str, Any]]:
    """A row for each step and the whole; a problem of one step is its `1steps_multi` row alone."""
    kind = f"{max(1, len(problem.steps))}steps"
    group = name.removeprefix(f"{kind}_")
    rows = []
    for sample in samples_of(problem):
        role = sample.version.removeprefix("step") or "multi"
        concepts = sample.labels.get("knowledge") or []
        concepts = concepts if isinstance(concepts, list) else [concepts]
        rows.append(
            {
                "ID": f"{kind}_{group}",
                "split": split,
                "knowledge concept": ";".join(concepts),
                "question": sample.asked(),
                "option": _option_string(sample.options, len(sample.images)),
                "answer": sample.answer or "",
                "image_path": _copied(sample, release, out, f"{kind}/image", f"{group}-{role}"),
                "key": f"{kind}_{role}",
                "knowledge concept description": "\n\n".join(filter(None, map(_told, concepts))),
            }
        )
    return rows


def _told(concept: str) -> str:
    """A concept with its knowledge card, as the published file has it."""
    tree = load_tree("we-math")
    node = tree.find(concept) if tree.has(concept) else None
    told = (node.card or node.definition) if node else ""
    return f"{concept}:\n{told}" if told else ""


def _option_string(options: list[Option], images: int) -> str:
    texts = option_texts(options, images)
    return ";".join(f"{o.label}. {text}" for o, text in zip(options, texts, strict=True))


def mathverse(release: Path, out: Path, answers: Path | None = None) -> Export:
    """`<split>.json` with five versions and `<split>_text_only.json`, as MathVerse parts them."""
    _, splits = contents(release, answers)
    names, written = _names(splits), Export()
    for split, (problems, samples) in splits.items():
        versioned = [sample for sample in samples if sample.version]
        if samples and not versioned:
            raise UserError(f"split {split!r} has no versions", "add the stage `versions`")
        for text_only, name in ((False, f"{split}.json"), (True, f"{split}_text_only.json")):
            part = [s for s in versioned if (s.version == "text_only") == text_only]
            rows = [
                _mathverse_row(n, s, names[s.problem_id], release, out, split)
                for n, s in enumerate(part, 1)
            ]
            if rows:
                written.append(_write_array(out / name, rows))
        written.leave_out("has no version", [sample.id for sample in samples if not sample.version])
        _note_lost(written, [p for p in problems if p.samples], versions=True)
    return written


def _mathverse_row(
    number: int, sample: Sample, name: str, release: Path, out: Path, split: str
) -> dict[str, Any]:
    choice = bool(sample.options)
    question = sample.question
    if choice and question:
        texts = option_texts(sample.options, len(sample.images))
        listed = (f"{o.label}:{text}" for o, text in zip(sample.options, texts, strict=True))
        question += "\nChoices:\n" + "\n".join(listed)
    folder = VERSION_FOLDERS.get(sample.version, "images_version_1-4")
    image = _copied(sample, release, out, folder, f"image_{name}")
    query = f"\nQuestion: {question}"
    if sample.version == "vision_only":
        query = ""
    return {
        "sample_index": str(number),
        "problem_index": name,
        "problem_version": sample.version.replace("_", " ").title(),
        "question": question,
        "image": image,
        "answer": sample.answer or "",
        "question_type": "multi-choice" if choice else "free-form",
        "metadata": {
            "split": split,
            "source": sample.labels.get("collection", sample.source.name),
            "subject": sample.labels.get("subject", ""),
            "subfield": sample.labels.get("subfield", ""),
        },
        "query_wo": _vision(WO[choice], sample) + query,
        "query_cot": _vision(COT[choice], sample) + query,
    }


def _vision(prompt: str, sample: Sample) -> str:
    """Vision-only prompts point at the picture (MathVerse's own wording)."""
    if sample.version != "vision_only":
        return prompt
    return "According to the question shown in the image, please " + prompt.removeprefix("Please ")


def mm_math(release: Path, out: Path, answers: Path | None = None) -> Export:
    """`<split>.jsonl`: question, file_name, solution (answer boxed), year, difficult, knowledge.

    MM-MATH's rows have no `id`; ours have, so that rows and pictures keep their names when they are
    read back, and a `grade` where no half-year is known.
    """
    _, splits = contents(release, answers)
    names, written = _names(splits), Export()
    _require_no_options(splits)
    for split, (problems, _) in splits.items():
        changed: dict[str, list[str]] = {BOXED: [], HALVED: []}
        rows = (_mm_math_row(p, names[p.id], release, out, changed) for p in problems)
        write_jsonl(out / f"{split}.jsonl", rows)
        written.append(out / f"{split}.jsonl")
        for how, ids in changed.items():
            written.note(how, ids)
        _note_lost(written, problems)
    return written


def _mm_math_row(
    problem: Problem, name: str, release: Path, out: Path, changed: dict[str, list[str]]
) -> dict[str, Any]:
    solution, year = _boxed(problem), _year(problem)
    if solution != (problem.solution or ""):
        changed[BOXED].append(problem.id)
    if "grade" in year:
        changed[HALVED].append(problem.id)
    return {
        "id": name,
        "question": problem.question,
        "file_name": _copied(problem, release, out, "images", name),
        "solution": solution,
        "difficult": _difficulty(problem),
        "knowledge": problem.labels.get("knowledge", []),
    } | year


def _require_no_options(splits: Splits) -> None:
    """MM-MATH's layout holds no options, and a question without its options is another one."""
    ids = [p.id for problems, _ in splits.values() for p in problems if p.options]
    if ids:
        raise UserError(
            f"mm-math holds no options, and {len(ids)} problems have some: {', '.join(ids[:5])}",
            "leave them out by `select`, or export in another format",
        )


def _difficulty(problem: Problem) -> str:
    """The difficulty in the words that MM-MATH's script counts by."""
    name = str(problem.labels.get("difficulty", ""))
    words = {"easy": "容易", "medium": "普通", "hard": "困难"}
    return words.get(name, name)


def _year(problem: Problem) -> dict[str, Any]:
    """The half-year in the words that MM-MATH's script counts by, `九年级上学期`.

    Where only the grade is known, it is the first half-year, and the field `grade` says so.
    """
    year = str(problem.labels.get("year", ""))
    grade = read_grade(year) or read_grade(problem.labels.get("grade"))
    if grade is None or grade > 9:
        return {"year": year or str(problem.labels.get("grade", ""))}
    half = half_year(year)
    words = f"{HAN_ORDER[grade - 1]}年级{half or '上'}学期"
    return {"year": words} if half else {"year": words, "grade": grade}


def _boxed(problem: Problem) -> str:
    """The solution with its answer in boxes, which is all that the script reads of it."""
    solution = problem.solution or ""
    found = list(boxes(solution))
    as_it_reads = all(solution.startswith("\\boxed{", box.start) for box in found)
    if as_it_reads and ",".join(box.content.strip() for box in found) == problem.answer:
        return solution
    for box in reversed(found):
        solution = solution[: box.start] + box.content + solution[box.end :]
    return f"{solution}\n\\boxed{{{problem.answer}}}".strip()


def _copied(record: Problem | Sample, release: Path, out: Path, folder: str, stem: str) -> str:
    """The record's one picture as `<folder>/<stem>.<ext>`; its path, or "" without one.

    One picture keeps its bytes; several, and those of options, are pasted into one.
    """
    images = shown_images(record)
    if not images:
        return ""
    alone = len(images) == 1 and images == record.images
    path = f"{folder}/{safe_name(stem)}{Path(images[0].path).suffix if alone else '.png'}"
    if alone:
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(release / images[0].path, out / path)
    else:
        write_bytes(out / path, montage(record, release))
    return path


def _note_lost(
    written: Export, problems: Sequence[Problem], *, steps: bool = False, versions: bool = False
) -> None:
    """What the published layouts have no field for."""
    kinds: dict[str, Callable[[Problem], bool]] = {
        "without gold (`export --answers` adds golds)": lambda p: not p.answer,
        "without unit, tolerance and ordered, which the layout does not hold": lambda p: (
            (p.unit, p.tolerance, p.ordered) != (None, None, None)
        ),
        "with several pictures pasted into one": lambda p: len(shown_images(p)) > 1,
        "without their steps": lambda p: not steps and bool(p.steps),
        "without their versions": lambda p: not versions and bool(p.samples),
    }
    lost: dict[str, list[str]] = {kind: [] for kind in kinds}
    for problem in problems:
        for kind, is_lost in kinds.items():
            if is_lost(problem):
                lost[kind].append(problem.id)
    for kind, ids in lost.items():
        written.note(kind, ids)


def _write_array(path: Path, rows: list[dict[str, Any]]) -> Path:
    text = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    write_bytes(path, f"[\n{text}\n]\n".encode())
    return path
