"""The command line: one group whose commands live beside the parts they call.

Each command parses, calls its Python twin and prints; modules are imported when their command runs.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import TextIO

import click

from .base.command_group import LazyGroup
from .errors import UserError

# name -> (module:command, one line of help)
COMMANDS = {
    "build-release": ("building.command:build_release", "Build a release from a recipe."),
    "init": ("building.start:command", "Start a benchmark from the example of a paper."),
    "verify": ("exports.commands:verify", "Prove that a release is complete and undamaged."),
    "diff": ("exports.commands:diff", "What changed between two releases, by id."),
    "show": ("exports.commands:show", "Follow one problem through a release."),
    "statistics": ("exports.commands:statistics", "Count a release as the papers' tables do."),
    "export": ("exports.commands:export", "Write a release in another tool's format."),
    "stages": ("building.command:stages", "List stages, readers, exporters and profiles."),
    "convert": ("convert.commands:convert", "MathML, Mathpix Markdown and exams to clean LaTeX."),
    "dedup": ("dedup.commands:dedup", "Find, classify and review duplicate problems."),
    "taxonomy": ("taxonomy.commands:taxonomy", "Show and check subject and concept trees."),
    "annotate": ("annotate.commands:annotate", "Label in Label Studio; count votes."),
    "render": ("render.commands:render", "Draw diagrams, pages and the six versions."),
    "predict": ("evaluate.inference.command:predict", "Ask a model about every sample."),
    "score": ("evaluate.commands:score", "Score predictions on a release."),
    "compare": ("evaluate.commands:compare", "Compare two sets of predictions with intervals."),
    "grade": ("evaluate.grading.command:grade", "Judge whether answers are equal (JSONL tool)."),
    "extract": ("evaluate.grading.command:extract", "Find option letters in replies (JSONL tool)."),
    "view": ("serving.command:view", "Serve pages on this machine, live; save decisions."),
    "evaluate": ("evaluate.group_commands:evaluate", "Leaderboards, people as a baseline, judges."),
}  # fmt: skip


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--debug", is_flag=True, expose_value=False, help="Show tracebacks (anywhere on the line)."
)
@click.version_option(package_name="benchwright")
def cli() -> None:
    """Build multimodal mathematics benchmarks, and score models on them.

    \b
    Example:
      benchwright build-release examples/recipe.yaml -o out
      benchwright score out/math-v-mini-1.0.0 predictions.jsonl --split testmini --out scores
    """


def main(args: list[str] | None = None) -> None:
    """Run the command line: exit 0 good, 1 findings or user error, 2 wrong usage."""
    # Small matrix products: threads of BLAS would wait for each other; workers use the other cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        _speak_utf8(stream)
    argv = sys.argv[1:] if args is None else args
    args = [arg for arg in argv if arg != "--debug"]
    try:
        cli.main(args, prog_name="benchwright", standalone_mode=True)
    except UserError as error:
        if "--debug" in argv:
            raise
        click.echo(f"Error: {error}", err=True)
        sys.exit(1)
    except BrokenPipeError:
        sys.exit(0)


def _speak_utf8(stream: TextIO) -> None:
    """Files and pipes get UTF-8 on every platform, a terminal whatever it can show."""
    if isinstance(stream, TextIOWrapper):
        encoding = stream.encoding if stream.isatty() else "utf-8"
        stream.reconfigure(encoding=encoding, errors="backslashreplace")


def build_release_main() -> None:
    """The console script `build-release`."""
    main(["build-release", *sys.argv[1:]])
