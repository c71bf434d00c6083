"""What a question asks of a figure, measured there: the answer by its words alone."""

from __future__ import annotations

import re

from ..diagram import Composition, circles
from ..figure import MEASURES, angle, length
from .chart_words import chart_question
from .claim import Scene, Undecided
from .english import LINE, asks, each, plain, run, sentences
from .shape_words import corner

# What is asked for, and the measure that it is.
ASKS: tuple[tuple[str, str], ...] = (
    (rf"(?:area|size) of (?:[a-z]+ )*(?P<of>{run('3,')})", "area"),
    (rf"How (?:large|big) is (?:triangle|square|rectangle|[a-z]+gon) (?P<of>{run('3,')})", "area"),
    (rf"perimeter of (?:[a-z]+ )*(?P<of>{run('3,')})", "perimeter"),
    (rf"(?i:angle) (?P<of>{run('1,3')})", "angle"),
    (rf"(?:[Hh]ow (?:long|high|wide|tall) is|length of|How many [a-z]+ (?:long|high|wide) is)"
     rf" (?:the )?(?:[a-z]+ )*(?P<of>{LINE})", "length"),
    (rf"slope of (?:the )?(?:line )?(?P<of>{LINE})", "slope"),
)  # fmt: skip


def measured_question(question: str, composition: Composition) -> float | None:
    """The answer that the figure gives to the words of a question; None where they ask for more.

    A question for one named length, angle, area, perimeter or slope is answered, and those that a
    chart answers; sums, ratios and differences of named things are not.
    """
    text = plain(question)
    sentence = next(filter(asks, reversed(sentences(text))), text)
    value = chart_question(sentence, composition)
    if value is not None:
        return value
    round_ones = {circle.radius for circle in circles(composition)}
    asked_round = re.search(r"(?<!\w)(radius|diameter) of the circle\b", sentence)
    if asked_round and len(round_ones) == 1:
        return (1 if asked_round[1] == "radius" else 2) * round_ones.pop()
    matches = [
        (match, op) for pattern, op in ASKS for match in re.finditer(pattern, sentence)
    ]
    names = {name for names in re.findall(run("2,"), sentence) for name in each(names)}
    if (
        not matches
        or len(names) > 1
        or re.search(r"\b(?:sum|ratio|difference|times)\b", sentence)
    ):
        return None
    match, op = matches[0]
    scene = Scene(composition, text, text.rfind(sentence))
    try:
        if op == "angle":
            return angle(corner(scene, match["of"], sentence))
        places = scene.points(match["of"])
        if op == "length":
            return length((places[0], places[1]))
        return float(MEASURES[op](places))
    except (Undecided, ValueError):
        return None
