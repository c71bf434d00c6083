"""`benchwright annotate`: each command is imported when it runs."""

from __future__ import annotations

import click

from ..base.command_group import LazyGroup

# name -> (module:command, one line of help)
COMMANDS = {
    "serve": (
        "annotate.server.commands:serve",
        "Start Label Studio here; create accounts.",
    ),
    "push": ("annotate.projects.commands:push", "Give problems to the annotators."),
    "pull": ("annotate.projects.commands:pull", "Fetch their answers into votes.jsonl."),
    "status": ("annotate.projects.commands:status", "How far the annotators are."),
    "advise": ("annotate.advisers.command:advise", "Ask models for their votes."),
    "vote": ("annotate.votes.commands:vote", "Turn votes into labels by a stated policy."),
    "agreement": ("annotate.votes.commands:agreement", "How far annotators agree, with intervals."),
    "adjudicate": (
        "annotate.votes.commands:adjudicate",
        "Send open votes to a third person.",
    ),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def annotate() -> None:
    """Label in Label Studio; count votes.

    \b
    Example:
      benchwright annotate serve --annotator anna --annotator ben --annotator chris
      benchwright annotate push problems.jsonl -o labels/subject --kind subject --tree math-v
      benchwright annotate pull labels/subject
    """
