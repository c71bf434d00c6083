"""LaTeX sources of exams: problems, options, answers and solutions as their structure says."""

from __future__ import annotations

from .items import BLANK, PICTURE, TexExam, TexItem, TexOption, TexPart
from .macros import Expansion
from .roles import of_label
from .source import Source, read_source, source_of
from .tree import maths
from .walk import read_exam_source
