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
from typing import Any, NamedTuple

from benchwright.templating import fill

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


def shown(example: Example) -> dict[str, Any]:
    """Build, verify and score one example; what the page says of it."""
    out, release = example.out, example.out / example.release
    run("build-release", example.recipe, "-o", out)
    run("verify", release)
    scores = []
    for predictions in sorted(example.predictions.glob("*.jsonl")):
        score = out / "scores" / predictions.stem
        run("score", release, predictions, "--split", example.split, "--lenient", "--out", score)
        accuracy = json.loads((score / "scores.json").read_text("utf-8"))["accuracy"]
        scores.append({"model": predictions.stem, "accuracy": accuracy, "report": score})
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    contact = out / f"{example.release}-contact.html"
    return {
        "manifest": manifest,
        "release": release,
        "recipe": example.recipe,
        "guide": example.guide and example.guide / "README.md",
        "contact": contact if contact.exists() else None,
        "work": out / "work",
        "scores": scores,
    }


def main() -> None:
    shutil.rmtree(OUT, ignore_errors=True)
    examples = [shown(example) for example in DEMO]

    def link(path: Path) -> str:
        return os.path.relpath(path, OUT)

    page = fill(EXAMPLES / "demo.html", examples=examples, link=link)
    (OUT / "index.html").write_text(page, encoding="utf-8")
    print(f"\nEverything on one page: {OUT / 'index.html'}")


if __name__ == "__main__":
    main()
