"""What a reply says: its final answer, the options it chooses, its sub-answers."""

from __future__ import annotations

from .candidates import declines
from .extract import extract, options_of, read_options
from .final_answer import FinalAnswer, Letter, choose, final_answer
from .parts import read_parts
from .visible import Visible, visible
