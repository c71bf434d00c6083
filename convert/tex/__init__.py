"""LaTeX sources of exams: problems, options, answers and solutions as their commands say."""

from __future__ import annotations

from .source import Source, read_source
from .walk import TexExam, TexItem, TexOption, TexPart, read_exam_source
