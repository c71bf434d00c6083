"""The four benchmarks' own layouts, so that their published scripts run on a release."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from ..errors import UserError
from ..files import safe_name, write_bytes, write_jsonl
from ..problem import Image, Problem, Sample, samples_of
from ..taxonomy import load_tree
from .formats import contents

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


def math_v(release: Path, out: Path) -> list[Path]:
    """`<split>.jsonl` and images/, with the fields of MATH-V's test.jsonl."""
    _, splits = contents(release)
    written = []
    for split, (problems, _) in splits.items():
        rows = []
        for problem in problems:
            image = _copied(problem.images, release, out, "images", problem.source.raw_id)
            rows.append(
                {
                    "id": problem.source.raw_id,
                    "question": problem.question,
                    "options": [option.text for option in problem.options],
                    "answer": problem.answer,
                    "solution": problem.solution,
                    "level": problem.labels.get("level", 1),
                    "subject": problem.labels.get("subject", ""),
                    "image": image,
                }
            )
        write_jsonl(out / f"{split}.jsonl", rows)
        written.append(out / f"{split}.jsonl")
    return written


def we_math(release: Path, out: Path) -> list[Path]:
    """`<split>.json`: one row for each step and one `multi` row, keys as We-Math spells them."""
    _, splits = contents(release)
    written = []
    for split, (problems, _) in splits.items():
        stepped = [p for p in problems if p.steps or p.labels.get("steps") == 1]
        if problems and not stepped:
            raise UserError(
                f"split {split!r} has no problems with steps", "the format holds only such"
            )
        rows = [row for problem in stepped for row in _we_math_rows(problem, release, out, split)]
        rows.sort(key=lambda row: str(row["key"]))
        for number, row in enumerate(rows, 1):
            row["question number"] = number
        written.append(_write_array(out / f"{split}.json", rows))
    return written


def _we_math_rows(problem: Problem, release: Path, out: Path, split: str) -> list[dict[str, Any]]:
    """A row for each step and the whole; a problem of one step is its `1steps_multi` row alone."""
    kind = f"{max(1, len(problem.steps))}steps"
    group = problem.source.raw_id.removeprefix(f"{kind}_")
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
                "option": ";".join(f"{o.label}. {o.text}" for o in sample.options),
                "answer": sample.answer or "",
                "image_path": _copied(
                    sample.images, release, out, f"{kind}/image", f"{group}-{role}"
                ),
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


def mathverse(release: Path, out: Path) -> list[Path]:
    """`<split>.json` with five versions and `<split>_text_only.json`, as MathVerse parts them."""
    _, splits = contents(release)
    written = []
    for split, (_, samples) in splits.items():
        versioned = [sample for sample in samples if sample.version]
        if samples and not versioned:
            raise UserError(f"split {split!r} has no versions", "add the stage `versions`")
        for text_only, name in ((False, f"{split}.json"), (True, f"{split}_text_only.json")):
            part = [s for s in versioned if (s.version == "text_only") == text_only]
            rows = [_mathverse_row(n, s, release, out, split) for n, s in enumerate(part, 1)]
            if rows:
                written.append(_write_array(out / name, rows))
    return written


def _mathverse_row(
    number: int, sample: Sample, release: Path, out: Path, split: str
) -> dict[str, Any]:
    choice = bool(sample.options)
    question = sample.question
    if choice and question:
        question += "\nChoices:\n" + "\n".join(f"{o.label}:{o.text}" for o in sample.options)
    folder = VERSION_FOLDERS.get(sample.version, "images_version_1-4")
    image = _copied(sample.images, release, out, folder, f"image_{sample.source.raw_id}")
    query = f"\nQuestion: {question}"
    if sample.version == "vision_only":
        query = ""
    return {
        "sample_index": str(number),
        "problem_index": sample.source.raw_id,
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


def mm_math(release: Path, out: Path) -> list[Path]:
    """`<split>.jsonl`: question, file_name, solution (answer boxed), year, difficult, knowledge."""
    _, splits = contents(release)
    written = []
    for split, (problems, _) in splits.items():
        rows = []
        for problem in problems:
            solution = problem.solution or ""
            if "\\boxed{" not in solution:
                solution = f"{solution}\n\\boxed{{{problem.answer}}}".strip()
            rows.append(
                {
                    "question": problem.question,
                    "file_name": _copied(
                        problem.images, release, out, "images", problem.source.raw_id
                    ),
                    "solution": solution,
                    "year": str(problem.labels.get("year", problem.labels.get("grade", ""))),
                    "difficult": str(problem.labels.get("difficulty", "")),
                    "knowledge": problem.labels.get("knowledge", []),
                }
            )
        write_jsonl(out / f"{split}.jsonl", rows)
        written.append(out / f"{split}.jsonl")
    return written


def _copied(images: list[Image], release: Path, out: Path, folder: str, stem: str) -> str:
    """Copy the first picture to `<folder>/<stem>.<ext>`; its path, or "" without one."""
    if not images:
        return ""
    path = f"{folder}/{safe_name(stem)}{Path(images[0].path).suffix}"
    (out / path).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(release / images[0].path, out / path)
    return path


def _write_array(path: Path, rows: list[dict[str, Any]]) -> Path:
    text = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    write_bytes(path, f"[\n{text}\n]\n".encode())
    return path
