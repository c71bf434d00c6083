"""`benchwright annotate serve`."""

from __future__ import annotations

from typing import Any

import click


def serve(**options: Any) -> None:
    """Start Label Studio on this machine and keep it running until Ctrl-C.

    It is installed on first use (a gigabyte, a minute or two), in an environment of its own,
    and keeps everything in one data folder. With an address nothing is started; the annotators'
    accounts are created there.

    Example:
      benchwright annotate serve --annotator anna --annotator ben --annotator chris
    """
    from .serve import serve as run

    run(**options, echo=click.echo)
