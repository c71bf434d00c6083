"""What a reply says: its final answer, the options it chooses, its sub-answers."""

from __future__ import annotations

from .extract import extract
from .final_answer import FinalAnswer, Weighed, final_answer
from .marked import inline_answer
from .options import Letter, Letters, choose, choose_all, options_of, read_options
from .parts import parts_of, read_parts
from .visible import Visible, visible
