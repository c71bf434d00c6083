"""Golds in the spelling of questions: the same rules for the answer, its parts and the text."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec.structs import replace

from ..grading.answers import is_value
from ..latex import boxes, is_chinese, maths_spans
from ..problem import Problem
from .normalise import TextChange, normalise_latex, normalise_maths
from .readers import guess_kind

Change = tuple[str, TextChange]  # the field, and what became of it


def respelled(
    problem: Problem, spell: Callable[[str], str]
) -> tuple[Problem, list[Change]]:
    """The problem with its golds in another spelling, and what changed; labels of options stay."""
    if problem.answer_kind in ("choice", "choices"):
        return problem, []
    answer = problem.answer if problem.parts else spell(problem.answer)
    parts = [replace(part, answer=spell(part.answer)) for part in problem.parts]
    changes = [
        (field, TextChange("gold", before, after))
        for field, before, after in [
            ("answer", problem.answer, answer),
            *(
                (f"part {old.label}", old.answer, new.answer)
                for old, new in zip(problem.parts, parts, strict=True)
            ),
        ]
        if before != after
    ]
    kind = problem.answer_kind
    if changes and kind in ("text", "expression"):  # it was guessed from the dress
        kind = guess_kind(answer, problem.options)
    return replace(problem, answer=answer, answer_kind=kind, parts=parts), changes


def plain_gold(answer: str) -> str:
    r"""A gold as bare LaTeX, spelled as formulas of questions are.

    >>> plain_gold(r"$\boxed{30°}$"), plain_gold("﹣2"), plain_gold(r"\text{$\frac{24}{5}$cm}")
    ('30^{\\circ}', '-2', '\\frac{24}{5}\\text{cm}')
    """
    bare = bare_gold(answer)
    in_text = normalise_maths(bare, []) if bare.startswith("\\text") else bare
    if "$" in bare and "$" not in in_text:  # dollars inside upright text
        return in_text
    if "$" in bare:
        bare = bare_gold(normalise_latex(bare)[0])
    elif is_value(bare) and not is_chinese(bare):  # 30°或150° stays words and values
        bare = normalise_maths(bare, [])
    return answer if bare == answer.strip() else bare


def bare_gold(answer: str) -> str:
    r"""What a gold says without the dollars and the box around all of it.

    >>> bare_gold(r"$\boxed{\frac{1}{2}}$"), bare_gold("$x$ and $y$")
    ('\\frac{1}{2}', '$x$ and $y$')
    """
    bare = answer.strip()
    while _DRESSED.search(bare):
        inner = _inside(bare)
        if inner is None:
            break
        bare = inner.strip()
    return bare if bare and bare != answer.strip() else answer


# what may stand around a whole gold: delimiters, a box, emphasis or code of Markdown
_DRESSED = re.compile(r"\$|\\boxed|\\[(\[]|\*\*|`")
_EMPHASIS = re.compile(r"(\*\*|`)([^*`]+)\1")


def _inside(text: str) -> str | None:
    """What stands inside dollars, a box or emphasis that hold the whole text."""
    if emphasis := _EMPHASIS.fullmatch(text):
        return emphasis[2]
    spans = maths_spans(text)
    if len(spans) == 1 and (spans[0].start, spans[0].end) == (0, len(text)):
        return spans[0].tex
    found = list(boxes(text)) if text.startswith("\\boxed") else []
    whole = len(found) == 1 and (found[0].start, found[0].end) == (0, len(text))
    return found[0].content if whole else None
