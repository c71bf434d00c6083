"""`make demo`: build a small real benchmark and the examples of the four papers, and score each.

It ends with one page that shows some problems with replies and links everything:
out/demo/index.html.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from benchwright.evaluate.metrics import Rate, read_results
from benchwright.evaluate.report import interval, percent
from benchwright.evaluate.report.html import by_sample, runs_of
from benchwright.pages import (
    Card,
    Cell,
    Headline,
    ReportTable,
    Section,
    card_of,
    dot_plot,
    write_page,
)
from benchwright.problem import Sample
from benchwright.release import read_problems, read_samples
from msgspec import convert

EXAMPLES = Path(__file__).parent
OUT = Path("out/demo")


class Example(NamedTuple):
    """A recipe, the folder of its release and its predictions, and the split to score."""

    recipe: Path
    release: str
    predictions: Path
    split: str = "testmini"
    guide: Path | None = None

    @property
    def out(self) -> Path:
        return OUT if self.guide is None else OUT / self.recipe.parent.name


def of_paper(name: str, split: str = "testmini") -> Example:
    folder = EXAMPLES / name
    release = f"{name}-example-1.0.0"
    return Example(
        folder / "recipe.yaml", release, folder / "predictions", split, folder
    )


DEMO = [
    Example(EXAMPLES / "recipe.yaml", "math-v-mini-1.0.0", EXAMPLES / "outputs"),
    of_paper("math-v"),
    of_paper("mathverse"),
    of_paper("we-math"),
    of_paper("mm-math", "test"),
]


def run(*words: object) -> None:
    """Show a command, then run it; stop at the first that fails."""
    command = [
        os.path.relpath(word) if isinstance(word, Path) else str(word) for word in words
    ]
    print(f"\n$ benchwright {shlex.join(command)}", flush=True)
    done = subprocess.run([sys.executable, "-m", "benchwright", *command], check=False)
    if done.returncode:
        sys.exit(done.returncode)


class Shown(NamedTuple):
    """What the last page says of an example."""

    section: Section
    runs: list[tuple[str, Rate]]
    taken: int
    kept: int
    cards: list[Card]


def shown(example: Example) -> Shown:
    """Build, verify, score and compare one example."""
    out, release = example.out, example.out / example.release
    run("build-release", example.recipe, "-o", out)
    run("verify", release)
    scores, runs, rows = list[Path](), list[tuple[str, Rate]](), list[list[Any]]()
    for predictions in sorted(example.predictions.glob("*.jsonl")):
        score = out / "scores" / predictions.stem
        run(
            "score",
            release,
            predictions,
            "--split",
            example.split,
            "--lenient",
            "--out",
            score,
        )
        rate = convert(
            json.loads((score / "scores.json").read_text("utf-8"))["accuracy"], Rate
        )
        report = Cell(predictions.stem, address=relative(score / "report.html"))
        rows.append([report, rate.n, percent(rate.value), interval(rate)])
        runs.append((predictions.stem, rate))
        scores.append(score)
    both = out / "comparison"
    run("compare", release, *scores, "--split", example.split, "--out", both)
    links = {
        "problems": release / "index.html",
        "all versions side by side": out / f"{example.release}-contact.html",
        "replies side by side": both / "comparison.html",
        "what each stage did": out / "work",
        "card": release / "README.md",
        "recipe": example.recipe,
        "guide": example.recipe.with_name("README.md"),
    }
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    stages = [
        [s["stage"], s["taken"], s["kept"], s["dropped"],
         ", ".join(f"{reason} {n}" for reason, n in s["reasons"].items())]
        for s in manifest["stages"]
    ]  # fmt: skip
    section = Section(
        manifest["title"],
        [manifest["description"]],
        [
            ReportTable(["every reply of", "n", "accuracy", "95 %"], rows),
            ReportTable(
                ["stage", "in", "kept", "dropped", "why"], stages, "Stages", folded=True
            ),
        ],
        links=[(text, relative(path)) for text, path in links.items() if path.exists()],
        below=True,
    )
    kept = sum(split["problems"] for split in manifest["splits"].values())
    cards = telling(release, example.split, scores, manifest["title"])
    return Shown(section, runs, manifest["stages"][0]["taken"], kept, cards)


def telling(release: Path, split: str, scores: list[Path], title: str) -> list[Card]:
    """Two problems with their replies, of two kinds: first those with pictures and two verdicts."""
    replies = {score.name: by_sample(read_results(score)) for score in scores}
    problems = {problem.id: problem for problem in read_problems(release, split)}

    def rank(sample: Sample) -> tuple[bool, bool, bool]:
        said = [result for run in replies.values() for result in run.get(sample.id, ())]
        verdicts = {result.correct for result in said}
        return (
            not sample.images,
            not any(result.response for result in said),
            len(verdicts) < 2,
        )

    found: dict[str, Card] = {}
    for sample in sorted(
        read_samples(release, split), key=rank
    ):  # sorting keeps their order
        card = card_of(sample, {"benchmark": [title]}, problems[sample.problem_id])
        card.runs = [
            run
            for name, of_run in replies.items()
            for run in runs_of(
                of_run.get(sample.id, ()), sample, lambda r: r.correct, name
            )
        ]
        place = relative(release)
        card.pictures = [f"{place}/{path}" for path in card.pictures]
        card.options = [
            (a, text, path and f"{place}/{path}") for a, text, path in card.options
        ]
        found.setdefault(sample.answer_kind, card)
    return list(found.values())[:2]


def relative(path: Path) -> str:
    """How the last page leads to a file."""
    return os.path.relpath(path, OUT)


def main() -> None:
    shutil.rmtree(OUT, ignore_errors=True)
    done = [shown(example) for example in DEMO]
    rates = [
        (f"{one.section.title}: {name}", rate)
        for one in done
        for name, rate in one.runs
    ]
    figures = [
        Headline("benchmarks", str(len(done)), "one of real problems, one for each paper"),
        Headline("problems kept", f"{sum(one.kept for one in done)}",
                 f"of {sum(one.taken for one in done)} that were read; every other has a reason"),
        Headline("replies judged", f"{sum(rate.n for _, rate in rates)}", f"{len(rates)} runs"),
    ]  # fmt: skip
    plot = dot_plot("Accuracy with 95 % intervals, percent", rates)
    accuracy = Section("Every run", plots=[plot], below=True)
    write_page(
        OUT / "index.html",
        f"{len(done)} benchmarks, built and scored",
        [accuracy, *(one.section for one in done)],
        headlines=figures,
        about="From raw material to scores: each problem, drop, reply and verdict is a click away.",
        cards=[card for one in done for card in one.cards],
        noun="problems",
    )
    print(f"\nEverything on one page: {OUT / 'index.html'}")


if __name__ == "__main__":
    main()
