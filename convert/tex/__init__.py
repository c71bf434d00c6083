"""LaTeX sources of exams: problems, options, answers and solutions as their structure says."""

from __future__ import annotations

from .macros import expander
from .source import Source, read_source
from .tree import maths
from .walk import BLANK, PICTURE, TexExam, TexItem, TexOption, TexPart, read_exam_source
