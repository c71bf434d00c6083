"""What words say of a figure, held to it by name and place."""

from __future__ import annotations

from .claim import Contradicted
from .english import P, asks, names_of, plain, run, sentences
from .places import labelled_elsewhere, labelled_otherwise
from .questions import measured_question
from .reading import Reading, has_property, read, read_whole
