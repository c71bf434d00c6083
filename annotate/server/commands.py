"""`benchwright annotate serve`."""

from __future__ import annotations

from pathlib import Path

import click

from .connection import connection_options


@click.command()
@connection_options
@click.option("--port", default=8080, show_default=True, help="On 127.0.0.1.")
@click.option(
    "--annotator",
    "annotators",
    multiple=True,
    metavar="NAME",
    help="Create an account for this name or e-mail address (repeat).",
)
@click.option(
    "--env",
    "environment",
    type=click.Path(path_type=Path),
    help="Where Label Studio is, or will be, installed.",
)
def serve(
    url: str | None,
    token: str | None,
    data: Path | None,
    port: int,
    annotators: tuple[str, ...],
    environment: Path | None,
) -> None:
    """Start Label Studio on this machine and keep it running until Ctrl-C.

    It is installed on first use (a gigabyte, a minute or two), in an environment of its own,
    and keeps everything in one data folder. With --url nothing is started; only the annotators'
    accounts are created there.

    \b
    Example:
      benchwright annotate serve --annotator anna --annotator ben --annotator chris
    """  # fmt: skip
    from .serve import serve as run

    run(
        annotators,
        data=data,
        port=port,
        environment=environment,
        url=url,
        token=token,
        echo=click.echo,
    )
