"""`make demo`: build a small real benchmark and the examples of the four papers, and score each.

It ends with one page that links everything: out/demo/index.html.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from benchwright.evaluate.metrics import Rate
from benchwright.evaluate.report import interval, percent
from benchwright.pages import Headline, ReportTable, Section, write_page
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
    return Example(folder / "recipe.yaml", release, folder / "predictions", split, folder)


DEMO = [
    Example(EXAMPLES / "recipe.yaml", "math-v-mini-1.0.0", EXAMPLES / "outputs"),
    of_paper("math-v"),
    of_paper("mathverse"),
    of_paper("we-math"),
    of_paper("mm-math", "test"),
]


def run(*words: object) -> None:
    """Show a command, then run it; stop at the first that fails."""
    command = [os.path.relpath(word) if isinstance(word, Path) else str(word) for word in words]
    print(f"\n$ benchwright {shlex.join(command)}", flush=True)
    done = subprocess.run([sys.executable, "-m", "benchwright", *command], check=False)
    if done.returncode:
        sys.exit(done.returncode)


def shown(example: Example) -> Section:
    """Build, verify and score one example; what the page says of it."""
    out, release = example.out, example.out / example.release
    run("build-release", example.recipe, "-o", out)
    run("verify", release)
    links = {
        "problems": release / "index.html",
        "card": release / "README.md",
        "all versions side by side": out / f"{example.release}-contact.html",
        "what each stage did": out / "work",
        "recipe": example.recipe,
        "guide": example.recipe.with_name("README.md"),
    }
    scores = []
    for predictions in sorted(example.predictions.glob("*.jsonl")):
        score = out / "scores" / predictions.stem
        run("score", release, predictions, "--split", example.split, "--lenient", "--out", score)
        accuracy = convert(json.loads((score / "scores.json").read_text("utf-8"))["accuracy"], Rate)
        scores.append([predictions.stem, accuracy.n, percent(accuracy.value), interval(accuracy)])
        links[f"{predictions.stem}: every reply with its verdict"] = score / "report.html"
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    stages = [
        [s["stage"], s["taken"], s["kept"], s["dropped"],
         ", ".join(f"{reason} {n}" for reason, n in s["reasons"].items())]
        for s in manifest["stages"]
    ]  # fmt: skip
    return Section(
        manifest["title"],
        [manifest["description"]],
        [
            ReportTable(["replies", "n", "accuracy", "95 %"], scores),
            ReportTable(["stage", "in", "kept", "dropped", "why"], stages, "Stages", folded=True),
        ],
        links=[(text, os.path.relpath(path, OUT)) for text, path in links.items() if path.exists()],
    )


def main() -> None:
    shutil.rmtree(OUT, ignore_errors=True)
    sections = [shown(example) for example in DEMO]
    title = f"{len(sections)} benchmarks, built and scored"
    about = (
        "A small benchmark of real problems, then the examples of four papers, from raw material "
        "to scores."
    )
    replies = sum(len(section.tables[0].rows) for section in sections)
    figures = [Headline("benchmarks", str(len(sections))), Headline("scored runs", str(replies))]
    write_page(OUT / "index.html", title, sections, headlines=figures, about=about)
    print(f"\nEverything on one page: {OUT / 'index.html'}")


if __name__ == "__main__":
    main()
