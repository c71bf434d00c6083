"""LaTeX sources of exams: problems, options, answers and solutions as their commands say."""

from __future__ import annotations

from .source import Source as Source
from .source import read_source as read_source
from .walk import TexExam as TexExam
from .walk import TexItem as TexItem
from .walk import TexOption as TexOption
from .walk import TexPart as TexPart
from .walk import read_exam_source as read_exam_source
