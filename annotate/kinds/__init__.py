"""The kinds of task: what annotators see, which answers count, which votes they become."""

from __future__ import annotations

from .answers import Requirement, TaskAnswer, controls_of, missing_of, required_of
from .aspects import checks_task, steps_review_task
from .checks import pair_task, solution_task
from .interface import choices, header, text_area, tree_picker, when
from .labels import level_task, review_task
from .placement import placement_task
from .registry import BUILT_IN, KINDS, Kind, kind, kind_for, load_kind
from .step_display import UPLOADED, drawn_spec, stacked, step_picture
from .steps import steps_task
from .tasks import Material, Task, problem_task, with_options
from .text_roles import roles_task
