"""The command line: one group whose commands live beside the parts they call.

Each command parses, calls its Python twin and prints; modules are imported when their command runs.
"""

from __future__ import annotations

import gc
import os
import sys
from io import TextIOWrapper
from typing import TextIO

import click

from .base.command_tree import Commands
from .errors import BenchwrightError

HELP = """Build multimodal mathematics benchmarks, and score models on them.

\b
Example:
  benchwright build-release examples/recipe.yaml -o out
  benchwright score out/math-v-mini-1.0.0 predictions.jsonl --split testmini --out scores
"""

cli = Commands(
    "",
    help=HELP,
    params=[
        click.Option(
            ["--debug"],
            is_flag=True,
            expose_value=False,
            help="Show tracebacks (anywhere on the line).",
        ),
    ],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
click.version_option(package_name="benchwright")(cli)


def main(args: list[str] | None = None) -> None:
    """Run the command line: exit 0 good, 1 findings or user error, 2 wrong usage."""
    # Small matrix products: threads of BLAS would wait for each other; workers use the other cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(50_000, 20, 50)  # a million records: few looks at them for cycles
    for stream in (sys.stdout, sys.stderr):
        _speak_utf8(stream)
    argv = sys.argv[1:] if args is None else args
    args = [arg for arg in argv if arg != "--debug"]
    try:
        cli.main(args, prog_name="benchwright", standalone_mode=True)
    except BenchwrightError as error:
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
