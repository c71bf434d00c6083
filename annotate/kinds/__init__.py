"""The kinds of task: what annotators see, which answers count, which votes they become."""

from __future__ import annotations

from .answers import Requirement, TaskAnswer, controls_of, missing_of, required_of
from .interface import choices, header, text_area, tree_picker, when
from .registry import KINDS, Kind, kind, kind_for, load_kind
from .step_display import UPLOADED, drawn_spec, stacked, step_picture
from .tasks import Material, Task, problem_task, with_options
