"""The commands below `render`; each is imported when it runs."""

from __future__ import annotations

import click

from ..base.command_group import LazyGroup

# name -> (module:command, one line of help)
COMMANDS = {
    "diagram": ("render.diagram.command:diagram", "Draw diagrams from YAML specs or logic forms."),
    "page": (
        "render.versions.page_command:page_command",
        "Put question, options and diagram into one picture.",
    ),
    "versions": ("render.versions.command:versions", "Make the six versions of every problem."),
    "contact": ("render.versions.command:contact", "Show all samples of a release on one page."),
    "legibility": (
        "render.legibility.command:legibility_command",
        "Measure whether pictures can be read.",
    ),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def render() -> None:
    """Draw diagrams, pages and the six versions.

    \b
    Example:
      benchwright render diagram triangle.yaml -o triangle.png
    """
