"""The final answer in a free reply, by ordered rules; each names itself."""

from __future__ import annotations

import re

import msgspec

from ...latex import HAN, Box, boxes, maths_spans, replace_maths
from ..answers import FUNCTIONS
from .option_wordings import THINK

SCANNED = 20_000  # characters at the end of a reply that are searched


class FinalAnswer(msgspec.Struct, frozen=True):
    """The final answer, or None, and the rule that found it."""

    answer: str | None
    rule: str


_AFTER = re.compile(r"<\|im_(?:start|end)\|>|I hope (?:it|this) (?:is correct|helps)")
_TAG = re.compile(
    r"<{1,2}answer>{1,2}[\s*`]{0,9}[:：]?[\s*`]{0,9}"
    r"(?:<<(?P<quoted>.*?)>>|<(?P<angled>[^<>/][^<>]*)>"
    r"|(?:<(?!/))*(?P<bare>.*?)(?:</|<[A-Za-z ]{3,}>|$))"
    r"|<\|begin_of_box\|>\s*(?P<box>.*?)(?:<\|end_of_box\|>|$)",
    re.DOTALL | re.IGNORECASE,
)
_DECLARED = re.compile(
    r"(?:\b(?:final|correct|right)?\s*\**\s*(?:answer|result|solution)\b\**\s*"
    r"(?:\([^()\n]{0,40}\)\s*)?"
    r"(?:is|are|should be|must be|would be|will be|equals|comes out (?:to be|as)|[:：=])\s*"
    r"(?:therefore|thus|then|equal to|simply|just|approximately|about)?\s*[:：]?"
    r"|(?:最终|正确)?(?:答案|结果)\s*(?:应该|应当)?\s*(?:为|是|[:：])+\s*|故选\s*[:：]?\s*|####\s*)"
    r"\**\s*(?P<answer>[^\n]*(?:\n\s*(?:\\\[|\$\$)[^\n]*\n?[^\n]*)?)",
    re.IGNORECASE,
)
_CONCLUSION = re.compile(
    r"(?:^|[.\n;,:]\s*)\**(?:so|thus|therefore|hence|consequently|综上(?:所述)?|因此|所以|故)[^\n=]{0,160}?"
    r"(?:=|\bis\b|\bare\b|\bequals\b|为|是|等于)\s*(?P<answer>[^\n]+)",
    re.IGNORECASE,
)
_STATED = re.compile(rf"[{HAN}](?:为|是)\s*(?P<answer>(?=[-+\d(（\[√∠\\$A-Za-z])[^\n。]+)")
_FIELD = re.compile(
    r'"(?:final_)?answer"\s*:\s*(?:"(?P<text>(?:[^"\\]|\\.)*)"|(?P<bare>[^",}\n]+))'
)
_ASIDE = re.compile(  # what follows an answer in its sentence and is not part of it
    r"(?:\s*,\s*(?:as (?:required|desired|claimed|expected)|which|since|because|giving|attained|so|"
    r"i\.e|that is)\b|\s+\(?(?:since|because|see|or (?:about|approximately))\b|"
    r"(?<=[a-z])\s+to\s+(?=[a-z]{3})).*$",
    re.DOTALL,
)
_COMPARES = re.compile(
    r"\b(?:greater|less|more|fewer|larger|smaller|least|most|between|not|no|or|about|cannot|never|"
    r"approximately|around|except|unless|if)\b|n't|[=<>≤≥≠(\[\\不非]|大于|小于|至少|至多",
    re.IGNORECASE,
)
_BOLD = re.compile(r"\*\*\s*([^*\n]{1,200}?)\s*\*\*")
_GOES_ON = re.compile(r"[-+*/=<>^$\\%°]|(?:and|or)\s+[$\\]")
_UNIT = re.compile(
    r"(%|°|(?!and\b|or\b|is\b|as\b|so\b|to\b|if\b|by\b|of\b|for\b|but\b)[a-z]{1,3}\b"
    r"|degrees|percent)"
)
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.])[-−]?\$?\d[\d,]*(?:\.\d+)?(?:/\d+)?(?:\s*(?:%|°|\\%|\^\\circ))?"
)
_SENTENCE_END = re.compile(r"(?<=[^\s.])(?:\.(?=\s|$|\**$)|。)(?!\s*\d)")
_JOINS = re.compile(  # what may stand between two boxes of one answer: "1 and 2"
    r"[\s$\\()\[\]]*|[^.=\n]{0,40}(?:[,;、]|\band\b|\bor\b|和|或|与)[\s$\\()\[\]{}]*"
    r"(?:[A-Za-z](?:_\{?\w\}?)?\s*=\s*)?"
)
_SKIPS = re.compile(r"\\(?:quad|qquad|text|mathrm|[,;])(?![A-Za-z])")
_SUBJECT_VERB = re.compile(
    r"^[^$\\=]{0,80}(?:\$[^$]{1,12}\$)?[^$\\=]{0,20}\b(?:is|are|equals)\s+(?=\S)"
)
_NOT_ANSWERS = frozenset(["", "solution", "answer", "result", "correct", "true", "as follows"])
_LEAD = re.compile(
    r"^\s*(?:option|choice|the|value|of|equal to|about|approximately)\s+", re.IGNORECASE
)


def final_answer(reply: str) -> FinalAnswer:
    """Boxes, declared answers, conclusions, bold text, the last formula, the last number.

    >>> final_answer("We get 3. The answer is $\\\\frac{1}{2}$.")
    FinalAnswer(answer='$\\\\frac{1}{2}$', rule='declared')
    """
    text = _AFTER.split(THINK.sub(" ", reply)[-SCANNED:])[0].strip()
    if not text:
        return FinalAnswer(None, "none")
    if boxed := answer_boxes(text):
        return FinalAnswer(_joined_boxes(text, boxed), "boxed")
    if (answer := tagged(text)) and answer.strip(" .*"):
        return FinalAnswer(answer, "answer tag")
    if fields := list(_FIELD.finditer(text)):
        return FinalAnswer((fields[-1]["text"] or fields[-1]["bare"] or "").strip(), "answer field")
    rules = ((_DECLARED, "declared"), (_CONCLUSION, "conclusion"), (_STATED, "stated"))
    for pattern, rule in rules:
        for match in reversed(list(pattern.finditer(text))):
            answer = _value(match["answer"])
            if answer:
                return FinalAnswer(answer, rule)
    if "\n" not in text and len(text) <= 60:
        answer = _value(text) or text
        return _last_value(text) if _is_prose(answer) else FinalAnswer(answer, "whole reply")
    return _last_value(text)


def _is_prose(text: str) -> bool:
    """A sentence around a number that it plainly states: "so 25% of them"."""
    words = set(re.findall(rf"[A-Za-z]{{2,}}|[{HAN}]{{2,}}", text)) - FUNCTIONS
    spoken = not text[0].isdigit() and (len(words) > 1 or any(not w.isascii() for w in words))
    return bool(spoken and re.search(r"\d", text)) and not _COMPARES.search(text)


def tagged(text: str) -> str | None:
    """What the last answer tag holds.

    >>> tagged("<answer>7</answer>"), tagged("<Thought process>: <<...>> <Answer>: <<C>>")
    ('7', 'C')
    """
    tags = list(_TAG.finditer(text))
    return (tags[-1][tags[-1].lastgroup or 0]).strip() if tags else None


def _last_value(text: str) -> FinalAnswer:
    for rule, values in (
        ("bold", [m[1] for m in _BOLD.finditer(text) if re.search(r"\d", m[1])]),
        ("last formula", [span.tex for span in maths_spans(text) if span.tex]),
        ("last number", [m[0] for m in _NUMBER.finditer(text)]),
    ):
        if values:
            return FinalAnswer(values[-1].strip(), rule)
    return FinalAnswer(None, "none")


def _value(text: str) -> str:
    """What is declared: the formula at the start, or the text up to the sentence's end."""
    text = _SUBJECT_VERB.sub("", text.strip().strip("*").strip())
    spans = maths_spans(text)
    if spans and spans[0].start == 0:
        formula, rest = text[: spans[0].end], text[spans[0].end :].lstrip()
        if not _GOES_ON.match(rest):
            unit = _UNIT.match(rest)
            return formula + (f" {unit[1]}" if unit else "")
    end = _SENTENCE_END.search(text)
    text = text[: end.start()] if end else text
    text = _ASIDE.sub("", text)
    while (shorter := _LEAD.sub("", text)) != text:
        text = shorter
    text = text.replace("**", "").strip().strip("*").strip().rstrip(".。,;；，")
    return "" if text.lower() in _NOT_ANSWERS else text


def answer_boxes(text: str) -> list[Box]:
    """The boxes of a reply; of one that was cut off, what is there counts."""
    return [box for box in boxes(text) if box.closed or box.content.strip()]


def _joined_boxes(text: str, boxed: list[Box]) -> str:
    """The last box, with those before it in the same sentence ("1 and 2")."""
    answers = [boxed[-1].content.strip()]
    for before, after in zip(boxed[-2::-1], boxed[:0:-1], strict=False):
        between = text[before.end : after.start]
        if not _JOINS.fullmatch(_SKIPS.sub(" ", between)):
            break
        answers.insert(0, before.content.strip())
    return ", ".join(dict.fromkeys(answers))


def inline_answer(text: str) -> str:
    """The answer in a short text: its boxes, or its last formula when prose surrounds it."""
    if "boxed" in text or "fbox" in text:
        boxed = answer_boxes(text)
        if boxed:
            return _joined_boxes(text, boxed)
    if "$" not in text and "\\(" not in text and "\\[" not in text:
        return text
    formulas = [span.tex for span in maths_spans(text) if span.tex]
    prose = replace_maths(text, lambda _: " ")
    words = re.findall(r"[A-Za-z]{2,}", re.sub(r"\\[A-Za-z]+", " ", prose))
    if not formulas or len(words) < 2 or all(w.lower() in ("and", "or") for w in words):
        return text
    lead = re.search(r"(?:\bis|\bare|:|=)\s*$", prose.rstrip(" ."))
    return formulas[-1] if lead or len(words) > 6 else text
