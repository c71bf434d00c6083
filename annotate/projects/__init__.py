"""A labelling project: its folder, its tasks in Label Studio, its answers."""

from __future__ import annotations

from .inputs import tasks_of
from .project import MARK, Project, make_project, open_project
from .pull import append_new, pull_answers
from .push import push_tasks
from .snapshot import AnsweredTask
from .status import pulse, status
