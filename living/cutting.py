"""Whether the spans of a question can be cut for its versions."""

from __future__ import annotations

import re

from ..problem import Span
from ..render.claims import asks, sentences
from ..render.versions import lint, texts_of
from .guarding import refused
from .reading import Seed, Values
from .texts import Filled

STOPS, FULL = ".,;:?!。，；：？！", ".?!。？！"  # where clauses end, and sentences
GIVES = re.compile(r"\b(?:if|when|where|given|with|is \{|are \{)|=")
ASKED = 5  # characters at the end of a question that no span holds


def check_spans_cut(seed: Seed, values: Values, question: Filled) -> None:
    """Spans say what they are: EC has a value, DI and IP have none, and the question is outside."""
    for span in question.spans:
        if problem := _broken_by(span, question):
            raise refused(seed, values, problem, "question")
    if not question.spans:
        return
    asked = _asked_alone(str(seed.data["question"]))
    for roles, value, text in question.told:
        if "EC" not in roles and f"{{{text}}}" not in asked:
            what = f"{{{text}}} = {value:.6g} stands outside every EC span"
            raise refused(seed, values, what, "question")
    last = max(span.end for span in question.spans)
    if last > len(question.text.rstrip()) - ASKED:
        raise refused(seed, values, "a span swallows what is asked", "question")
    versions = texts_of(question.text, question.spans)
    of_question = lint(question.text)
    for version in ("text_lite", "vision_intensive", "vision_dominant"):
        for issue in lint(versions[version]):
            if issue not in of_question:
                what = f"{version}: {issue.message} ({issue.code})"
                raise refused(seed, values, what, "question")


def _asked_alone(question: str) -> str:
    """The sentences that ask and give no condition: their values say what is asked for, as the
    number of a figure in a row does."""
    asking = [sentence for sentence in sentences(question) if asks(sentence)]
    return " ".join(text for text in asking if not GIVES.search(text))


def _broken_by(span: Span, question: Filled) -> str:
    """What is wrong with a span, or with the question when it is cut; "" where nothing is."""
    words = question.text[span.start : span.end]
    if span.role == "EC" and not re.search(r"\d", words):
        return f"the EC span {words!r} holds no value"
    if span.alt is not None or _is_inner(span, question.spans):
        return ""
    before = question.text[: span.start].rstrip()
    behind = question.text[span.end :].lstrip()
    inside = words.rstrip()
    last = inside[-1:]
    hanging = f"without the span {words!r} the words %s it are left hanging"
    if before and before[-1] not in STOPS:
        problem = hanging.replace("%s", "before")
    elif last not in STOPS and behind[:1] not in STOPS:
        problem = hanging.replace("%s", "behind")
    elif last not in FULL and re.search(rf"[{FULL}]\s", inside):
        problem = f"the span {words!r} ends inside a sentence"
    else:
        return ""
    return f"{problem}: begin and end it at a clause, or give ||alt"


def _is_inner(span: Span, spans: list[Span]) -> bool:
    """Whether a span lies in a longer one."""
    return any(
        outer.start <= span.start
        and span.end <= outer.end
        and (outer.start, outer.end) != (span.start, span.end)
        for outer in spans
    )
