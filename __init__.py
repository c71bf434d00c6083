"""benchwright builds multimodal mathematics benchmarks and scores models on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .base.moved import watch
from .front_door import PLACES

__version__ = "0.1.0"
__all__ = ["__version__", *PLACES]
watch()

if TYPE_CHECKING:  # for type checkers and editors: the names of PLACES once more
    from .annotate.advisers.advise import advise as advise
    from .annotate.kinds import Material as Material
    from .annotate.kinds import Task as Task
    from .annotate.kinds import TaskAnswer as TaskAnswer
    from .annotate.kinds import choices as choices
    from .annotate.kinds import header as header
    from .annotate.kinds import kind as kind
    from .annotate.kinds import problem_task as problem_task
    from .annotate.kinds import text_area as text_area
    from .annotate.kinds import tree_picker as tree_picker
    from .annotate.kinds import when as when
    from .annotate.projects.pull import pull as pull
    from .annotate.projects.push import push as push
    from .annotate.server.serve import serve as serve
    from .annotate.votes import Outcome as Outcome
    from .annotate.votes import policy as policy
    from .annotate.votes.adjudication import adjudicate as adjudicate
    from .annotate.votes.agreement import agreement as agreement
    from .annotate.votes.vote import vote as vote
    from .base.answer_kinds import answer_kind as answer_kind
    from .building.build import build_release as build_release
    from .building.catalogue import stages as stages
    from .check.rules import validator as validator
    from .convert.documents.docx import docx_to_text as docx_to_text
    from .convert.documents.markdown import read_mmd as read_mmd
    from .convert.documents.mathpix_api import send_to_mathpix as send_to_mathpix
    from .convert.documents.recognised import read_recognised as read_recognised
    from .convert.mathml.converter import mathml_to_latex as mathml_to_latex
    from .convert.mathml.html import html_to_text as html_to_text
    from .convert.normalise.normalise import normalise as normalise
    from .convert.readers import Raw as Raw
    from .convert.readers import guess_kind as guess_kind
    from .convert.readers import json_array_rows as json_array_rows
    from .convert.readers import json_lines_rows as json_lines_rows
    from .convert.readers import lettered as lettered
    from .convert.readers import reader as reader
    from .convert.readers import table_rows as table_rows
    from .convert.readers.exam import split_exam as split_exam
    from .convert.suggestions.ask import suggest as suggest
    from .convert.suggestions.review import decide_suggestion as decide_suggestion
    from .convert.suggestions.review import review_queue as review_queue
    from .dedup.against import find_contamination as find_contamination
    from .dedup.pairs import find_pairs as find_pairs
    from .dedup.review import review_pairs as review_pairs
    from .errors import UserError as UserError
    from .evaluate.extraction.extract import extract as extract
    from .evaluate.grading import Verdict as Verdict
    from .evaluate.grading.grade import grade as grade
    from .evaluate.grading.grade import grade_response as grade_response
    from .evaluate.inference.ask_model import predict as predict
    from .evaluate.judges import Judge as Judge
    from .evaluate.judges import Panel as Panel
    from .evaluate.judges.human_agreement import judge_agreement as judge_agreement
    from .evaluate.official import profile as profile
    from .evaluate.people.booklets import booklets as booklets
    from .evaluate.people.human_baseline import humans as humans
    from .evaluate.runs.compare import compare as compare
    from .evaluate.runs.errors import rank_errors as rank_errors
    from .evaluate.runs.leaderboard import leaderboard as leaderboard
    from .evaluate.scoring.score import score as score
    from .exports import exporter as exporter
    from .exports.diff import diff as diff
    from .exports.formats import export as export
    from .exports.show import show as show
    from .exports.verify import verify as verify
    from .llm import Model as Model
    from .pipeline import Engine as Engine
    from .pipeline import read_recipe as read_recipe
    from .pipeline.stage import stage as stage
    from .problem import Drop as Drop
    from .problem import Image as Image
    from .problem import Option as Option
    from .problem import Problem as Problem
    from .problem import Sample as Sample
    from .problem import Source as Source
    from .problem import Span as Span
    from .problem import Step as Step
    from .problem import Vote as Vote
    from .problem import asked as asked
    from .problem import samples_of as samples_of
    from .release import read_manifest as read_manifest
    from .release import read_problems as read_problems
    from .release import read_samples as read_samples
    from .release import split_names as split_names
    from .render.diagram.draw import draw as draw
    from .render.diagram.draw_file import draw_file as draw_file
    from .render.legibility.pages import check_legibility as check_legibility
    from .render.versions.contact_sheet import write_contact as write_contact
    from .render.versions.make_versions import versions as versions
    from .render.versions.pages import page as page
    from .serving.server import view as view
    from .taxonomy import load_tree as load_tree
    from .taxonomy.coverage import check_labels as check_labels
    from .taxonomy.coverage import check_tree as check_tree
    from .taxonomy.outline import show_tree as show_tree
else:

    def __getattr__(name: str) -> Any:
        """Each name is imported when it is first asked for."""
        from .base.lazy import imported

        if name not in PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value = imported(PLACES[name])
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
