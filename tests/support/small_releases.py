"""Small releases on disk, as build-release writes them."""

from pathlib import Path
from typing import Any

import msgspec
from benchwright.base.files import encode, pretty
from benchwright.evaluate.metrics import Provenance, Result, headline, scores_of
from benchwright.evaluate.predictions import Coverage
from benchwright.evaluate.runs import Run
from benchwright.problem import Option, Sample, Source


def make_sample(id: str, answer: str | None = "1", **fields: Any) -> Sample:
    """A sample with sound defaults; its raw id is what follows the source's name."""
    problem, _, version = id.partition(".")
    source, _, raw_id = problem.partition("-")
    options = [
        Option(label=label, text=text)
        for label, text in fields.pop("options", {}).items()
    ]
    return Sample(
        **{
            "id": id,
            "problem_id": problem,
            "origin": problem,
            "version": version,
            "source": Source(name=source, raw_id=raw_id),
            "question": "How many?",
            "options": options,
            "answer": answer,
            "answer_kind": "choice" if options else "number",
        }
        | fields
    )


def write_release(
    folder: Path,
    splits: dict[str, list[Sample]],
    readers: dict[str, str] | None = None,
    name: str = "tiny",
) -> Path:
    (folder / "jsonl").mkdir(parents=True)
    for split, samples in splits.items():
        rows = [msgspec.to_builtins(s) | {"canary": "canary"} for s in samples]
        (folder / "jsonl" / f"{split}.jsonl").write_bytes(b"".join(map(encode, rows)))
    manifest = {
        "name": name,
        "canary": "canary",
        "version": "1.0.0",
        "splits": {
            n: {"ids": [s.id for s in samples]} for n, samples in splits.items()
        },
        "sources": [{"name": n, "reader": r} for n, r in (readers or {}).items()],
    }
    (folder / "manifest.json").write_bytes(pretty(manifest))
    return folder


def write_predictions(path: Path, replies: dict[str, str]) -> Path:
    path.write_bytes(
        b"".join(encode({"id": k, "response": v}) for k, v in replies.items())
    )
    return path


def make_result(id: str, correct: bool, **fields: Any) -> Result:
    """A judged sample; the part of the id behind the dot is its version."""
    problem, _, version = id.partition(".")
    return Result(
        **{
            "id": id,
            "problem_id": problem,
            "origin": problem,
            "version": version,
            "source": "a",
            "kind": "choice",
            "labels": {},
            "gold": "A",
            "response": "A",
            "status": "ok",
            "correct": correct,
        }
        | fields
    )


def make_run(name: str, results: list[Result], profile: Any = "robust") -> Run:
    """A run as `score` would have written it."""
    scores = scores_of(
        results,
        release="tiny-1.0.0",
        split="test",
        profile=profile,
        coverage=Coverage(),
        provenance=Provenance(
            benchwright="0", manifest_sha256="", predictions="p", predictions_sha256=""
        ),
    )
    return Run(name, scores, headline(results))


def write_run(folder: Path, run: Run) -> Path:
    folder.mkdir(parents=True)
    (folder / "scores.json").write_bytes(pretty(run.scores))
    (folder / "samples.jsonl").write_bytes(b"".join(map(encode, run.results)))
    return folder
