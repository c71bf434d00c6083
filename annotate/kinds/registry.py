"""The kinds of task: what people are given and see, and which votes their answers are.

A kind is a function that turns one answer into {field: value}, the values that votes hold, and
raises UserError for an answer that cannot be one. `@kind` says what belongs to it: the form that
people fill in, and the tasks that are made of problems.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Literal, TypeVar

import msgspec

from ...base.registry import Registry, mark
from ...errors import UserError
from ...pipeline import bug
from ...problem import Vote
from ...taxonomy import BUILT_IN as BUILT_IN_TREES
from ...taxonomy import Tree
from .answers import TaskAnswer, controls_of
from .interface import Element, comment, page, problem_card
from .tasks import Material, Task, problem_task

F = TypeVar("F", bound=Callable[..., Any])
# Takes the project's tree, None where it has none.
Form = Callable[[Any], str | list[Element]]
TasksOf = Callable[[Material], Iterable[Task]]
TableOf = Callable[[dict[str, dict[str, Any]], Iterable[Vote]], list[dict[str, Any]]]
Needs = Literal["", "suggestions", "responses", "pairs"]

BUILT_IN = {
    "subject": "annotate.kinds.labels:subject",
    "concepts": "annotate.kinds.labels:concepts",
    "review": "annotate.kinds.labels:review",
    "roles": "annotate.kinds.text_roles:roles",
    "placement": "annotate.kinds.placement:placement",
    "level": "annotate.kinds.labels:level",
    "steps": "annotate.kinds.steps:steps",
    "steps-review": "annotate.kinds.aspects:steps_review",
    "mathverse-checks": "annotate.kinds.aspects:mathverse_checks",
    "we-math-checks": "annotate.kinds.aspects:we_math_checks",
    "alignment": "annotate.kinds.checks:alignment",
    "duplicates": "annotate.kinds.checks:duplicates",
    "first-error": "annotate.kinds.checks:first_error",
    "suitability": "annotate.kinds.writing:suitability",
    "diagram": "annotate.kinds.writing:diagram",
    "description": "annotate.kinds.writing:description",
    "paths": "annotate.kinds.writing:paths",
    "cards": "annotate.kinds.writing:cards",
    "cards-review": "annotate.kinds.writing:cards_review",
}
KINDS = Registry("kind", BUILT_IN, called="kind of task")
# What asks for a field that no kind names: it is a label of a tree.
OF_A_TREE = "subject"


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of task: the function of its votes, and what `@kind` says of it."""

    name: str
    votes: Callable[[TaskAnswer], dict[str, Any]]
    title: str
    instruction: str
    form: Form
    tasks: TasksOf | None = None  # one a problem, as it reads
    field: str = ""  # of the label stage whose votes it gives
    benchmark: str = ""  # whose recipes it is for, where several kinds give one field
    needs_tree: bool = False
    needs: Needs = ""  # the further file
    uploads: bool = False  # steps may name pictures that people upload
    tables: dict[str, TableOf] = {}  # further files, of the tasks' data and the votes

    def interface(self, tree: Tree | None) -> str:
        """The XML that Label Studio shows: whole, or a form beside the problem."""
        try:
            form = self.form(tree)
            if isinstance(form, str):
                xml = form
                controls = len(controls_of(xml))
            else:
                xml = page(problem_card(), [*form, comment()])
                controls = len(controls_of(xml)) - 1  # the comment asks nothing
        except UserError:
            raise
        except ET.ParseError as error:
            raise self._useless(
                f"is no XML: {error}", "Label Studio shows XML"
            ) from error
        except Exception as error:
            raise bug(f"kind {self.name!r}", self.form, error) from error
        if controls < 1:
            raise self._useless("asks nothing", "give it choices, or a text to write")
        return xml

    def _useless(self, why: str, remedy: str) -> UserError:
        code = self.form.__code__
        at = f"{code.co_filename}:{code.co_firstlineno}"
        return UserError(f"{at}: the form of kind {self.name!r} {why}", remedy)

    def want_tree(self, there: bool) -> None:
        """Raises UserError where the kind needs a tree and none is there."""
        if self.needs_tree and not there:
            raise UserError(
                f"tasks of kind {self.name!r} need a tree",
                f"--tree {' | '.join(BUILT_IN_TREES)}",
            )

    def tasks_of(self, material: Material) -> list[Task]:
        """The tasks of problems. Raises UserError for what `material` lacks, and for a bug."""
        if self.tasks is None:
            return material.each(partial(problem_task, field=self.field))
        try:
            return list(self.tasks(material))
        except UserError:
            raise
        except Exception as error:
            raise bug(f"kind {self.name!r}", self.tasks, error) from error

    def read(self, answer: TaskAnswer) -> dict[str, Any]:
        """The votes of an answer. Raises UserError where it leaves one open."""
        votes = self.votes(answer)
        if not isinstance(votes, dict):
            wrong = TypeError(
                f"it returned {type(votes).__name__}, not {{field: value}}"
            )
            raise bug(f"kind {self.name!r}", self.votes, wrong)
        if missing := [field for field, value in votes.items() if value is None]:
            raise UserError(
                f"nothing given for {', '.join(missing)}", "ask the annotator again"
            )
        return votes


def kind(
    name: str,
    *,
    title: str,
    instruction: str,
    form: Form,
    tasks: TasksOf | None = None,
    field: str = "",
    benchmark: str = "",
    needs_tree: bool = False,
    needs: Needs = "",
    uploads: bool = False,
    tables: dict[str, TableOf] = {},  # noqa: B006 (never changed)
) -> Callable[[F], F]:
    """Mark a function `answer -> {field: value}` as a kind of labelling task.

    `form(tree)` gives what people fill in beside the problem, as elements (`choices`, `header`,
    ...), or a whole page as XML. `tasks(material)` gives the tasks; without it, there is one a
    problem. `field` is the label that a recipe's stage takes from its votes, so that
    `annotate push RECIPE --field ...` finds the kind. Raises UserError for what no kind can be.
    """
    facts = dict(locals())
    for what, function in (("form", form), ("tasks", tasks or form)):
        if not callable(function):
            raise UserError(
                f"kind {name!r}: {what} is {function!r:.60}", "give a function"
            )
    try:
        msgspec.convert(needs, Needs)
    except msgspec.ValidationError as error:
        raise UserError(
            f"kind {name!r}: needs: {error}", "leave it out, or name a file"
        ) from error
    return mark("kind", **facts)


def load_kind(name: str) -> Kind:
    """The kind called `name`. Raises UserError naming the nearest known one."""
    votes = KINDS.load(name)
    return Kind(votes=votes, **votes.__kind__)


def kind_for(field: str, benchmark: str | None) -> str:
    """The name of the kind that asks for a field, in recipes of a benchmark."""
    kinds = [load_kind(entry.name) for entry in KINDS]
    asking = [kind for kind in kinds if kind.field == field]
    asking.sort(key=lambda kind: kind.benchmark != benchmark)  # the benchmark's first
    return asking[0].name if asking else OF_A_TREE
