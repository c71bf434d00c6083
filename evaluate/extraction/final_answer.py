"""The final answer in a free reply: what it declares, else what it concludes, else what it states.

A reply declares its answer by a box, a tag, a JSON field, a heading or a sentence with a word for
"answer" (`words`). The last declaration counts, so a correction wins over an earlier box.
Behind a marker stands the value, in the middle of a sentence or not: `_Reader.value` cuts it out.
"""

from __future__ import annotations

import re
from bisect import bisect_left

import msgspec

from ...latex import maths_spans
from ...problem import AnswerKind
from ...words import NUMERAL, scale_at, words
from .declining import declines
from .marked import answer_boxes, fields, joined_boxes, tags
from .values import (
    EQUALS,
    JOIN,
    NUMBER,
    OPERATOR,
    UNIT,
    VALUE,
    chain_end,
    is_prose,
    is_valued,
    numeral_end,
    wordy,
)
from .visible import visible

SCANNED = 20_000  # characters at the end of a reply that are searched
SENTENCE = 2_000  # characters of a sentence in which its value is sought
ATTEMPTS = 150  # at cutting out a value, in one reply
NESTED = 3  # sentences within sentences: "the answer is that x is 5"


class FinalAnswer(msgspec.Struct, frozen=True):
    """The final answer, or None; the rule that found it; where it stands: reply[start:end]."""

    answer: str | None
    rule: str
    start: int = -1
    end: int = -1


_ANSWER, _IS, _RIGHT = words("answer"), words("is"), words("right")
_MARKUP = r"[*_`#>\s]"
_DECLARED = re.compile(
    rf"(?:{_ANSWER}(?:\s*{_RIGHT})?"
    r"(?:\s*\([^()\n]{0,40}\))?"
    r"(?P<closed>\s*[】\]」》])?"
    r"(?:\s+(?:to|for|of|in)\s[^.:：\n=$]{1,80}?)?"
    rf"{_MARKUP}{{0,4}}(?:(?:{_IS}|[:：=∶|]|[-–—](?=\s))"
    r"(?:\s*(?:therefore|thus|then|simply|just)\b)?\s*[:：]?"
    r"|(?<=[】\]」》])|(?P<heading>\*{0,2}[ \t]*\n)|(?=[ \t]+[\d$\\(]))"
    rf"|{words('result')}\s+{_IS}\s*[:：]?"
    r"|故选\s*[:：]?|(?:^|\n)####(?!#)|(?:^|\n)答\s*[:：]"
    r"|\b(?:filled with|corrected to)\s*[:：]?)",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    rf"(?:^|(?<=[.\n。!?\s])){words('corrects')}\s*[,:，：—–-]\s*", re.IGNORECASE
)
_PREDICATE = re.compile(  # "15 is the answer"
    r"(?:^|[.\n,:;]\s*)(?P<value>[^\n.,:;]{1,60}?)\s+(?:is|are)\s+(?:the|our|my)\s+"
    r"(?:final\s+|correct\s+|right\s+)?answer\b",
    re.IGNORECASE,
)
_SO = re.compile(rf"(?:^|(?<=[.\n,，。;；:：!])){_MARKUP}{{0,4}}{words('so')}", re.IGNORECASE)
_STATES = re.compile(
    rf"(?:{_IS}|=|≈|{words('gives')})"
    r"\s*(?:(?:exactly|only|a total of|about|approximately|therefore|at|in)\s+)?[*\s:：]*"
    r"(?=[-−+]?\s?(?:[$¥€£]|\\)?[\d(\[]|\$|\\[\[(a-z]|[√π]|[A-Za-z][\w₀-₉]?\s*[=<>≤≥²])",
    re.IGNORECASE,
)
_COUNTS = re.compile(
    rf"\b(?:there(?:'s|\s+(?:is|are|was|were|will be|have been|remain)))\s+"
    rf"(?:(?:only|exactly|a total of|still|about)\s+)?(?=\**(?:{NUMERAL}|no\b|\d))",
    re.IGNORECASE,
)
_LEAD = re.compile(
    rf"[\s*_`#>\"“:：|]+|(?:is|=)\s*[:：]|=\s*|{words('leads')}\s*|,\s*", re.IGNORECASE
)
_NOT_BUT = re.compile(
    r"not\s[^.\n]{1,40}?,?\s+but\s+(?:rather\s+)?|不是[^.。\n]{1,30}?[，,]?\s*而是", re.I
)
_ASIDE = re.compile(  # what follows an answer in its sentence and is not part of it
    r"\s*,\s*(?:as|which|since|because|giving|so|i\.e|that is|where|attained"
    r"|and (?:the|this|it|we))\b"
    r"|\s+\(?(?:since|because|see|as required|where|which|when|if|that (?:is|are|have|has)"
    r"|or about)\b"
    r"|(?<=[a-z])\s+to\s+(?=[a-z]{3})|，(?=[即也这因所故故而])|\s*[✓✔✅]",
)
_REASON = re.compile(
    r"\b(?:since|because|which|where|attained|when|if|as required)\b|，(?=[即也这因所故])",
    re.IGNORECASE,
)
_TAIL = re.compile(rf"\s*{words('ends')}\W*$|[\s*_`\"”.,。，;；！!]+$")
_SENTENCE_END = re.compile(r"(?<=[^\s.])[.!?](?=\s|$|\*)|[。！？．\n]")
_COURTESY = re.compile(rf"[.!?\n。]\s*{words('courtesy')}[^\n]*\s*\Z", re.IGNORECASE)
_COMPARED = re.compile(rf"{words('compared')}\s*$", re.IGNORECASE)
_BOLD = re.compile(r"\*\*\s*([^*\n]{1,200}?)\s*\*\*")
_LAST_NUMBER = re.compile(rf"(?<![A-Za-z0-9_.])(?<![A-Za-z]\(){NUMBER}")
_NOT_ANSWERS = frozenset(
    ["", "solution", "answer", "result", "correct", "true", "as follows", "incorrect", "wrong"]
)
_NEXT_QUESTION = re.compile(
    rf"\n{_MARKUP}{{0,6}}{words('question')}\s*\d{{0,3}}\s*[:：]", re.IGNORECASE
)


def final_answer(reply: str, kind: AnswerKind | None = None) -> FinalAnswer:
    """The answer that a reply ends with; `kind` is the gold's: words are cut otherwise than values.

    >>> final_answer("We get 3. The answer is $\\\\frac{1}{2}$.").answer
    '$\\\\frac{1}{2}$'
    >>> final_answer("\\\\boxed{12}. Wait, 3 are missing. The answer is 15.").answer
    '15'
    """
    said = visible(reply)
    if said.truncated:
        return FinalAnswer(None, "truncated")
    text = said.text.rstrip()
    offset = max(0, len(text) - SCANNED)
    found = _Reader(text[offset:], kind).answer()
    if found.start < 0:
        return found
    return msgspec.structs.replace(found, start=found.start + offset, end=found.end + offset)


class _Reader:
    """One reply and the formulas in it."""

    def __init__(self, text: str, kind: AnswerKind | None = None) -> None:
        self.phrase, self.kind = kind == "text", kind
        while courtesy := _COURTESY.search(text):
            text = text[: courtesy.start() + 1]
        self.text = text
        self.spans = maths_spans(text)
        if own := before_next_question(text):
            before = _Reader(own, kind)
            if before.answer().rule in (*_EXPLICIT, "stated"):
                self.text, self.spans = before.text, before.spans
        self.at = {span.start: span for span in self.spans}
        self.inside = [(span.start, span.end) for span in self.spans]
        self.attempts = self.nested = 0

    def answer(self) -> FinalAnswer:
        if not self.text.strip():
            return FinalAnswer(None, "none")
        found = self.declared() or self.concluded() or self.short() or self.stated()
        if found is None:
            return FinalAnswer(None, "declined" if declines(self.text) else "none")
        if found.rule not in _EXPLICIT and declines(self.text):
            return FinalAnswer(None, "declined")
        if declines(found.answer or "") and not self.phrase:
            return FinalAnswer(None, "declined")
        return found

    def declared(self) -> FinalAnswer | None:
        """The last of all declarations."""
        text = self.text
        found: list[FinalAnswer] = []
        boxed = answer_boxes(text)
        if boxed:
            content = joined_boxes(text, boxed)
            found.append(FinalAnswer(content, "boxed", boxed[-1].start, boxed[-1].end))
        for content, start, end in tags(text)[-1:]:
            if content.strip(" .*\n"):
                found.append(FinalAnswer(content, "answer tag", start, end))
        for content, start, end in fields(text)[-1:]:
            found.append(FinalAnswer(content, "answer field", start, end))
        known = max((f.end for f in found), default=0)
        for match in reversed([*_DECLARED.finditer(text)]):
            if match.end() <= known:
                break
            value = self.value(match.end(), labelled=True)
            if value and value[1] > known and not (found and _comments(text[value[0] : value[1]])):
                found.append(self.cut(value, "declared"))
                break
        if not found:
            for match in reversed([*_PREDICATE.finditer(text)]):
                if re.search(r"[\d$\\]", match["value"]):
                    value = self.value(match.start("value"))
                    return self.cut(value, "declared") if value else None
        return self.corrected(max(found, key=lambda f: f.end)) if found else None

    def corrected(self, declared: FinalAnswer) -> FinalAnswer:
        """What a correction behind the declaration says instead."""
        for match in reversed([*_CORRECTS.finditer(self.text, declared.end)]):
            end = self.sentence_end(match.end())
            if _SO.search(self.text, match.end(), end):
                continue
            value = self.stated_in(match.end(), end)
            if value and is_valued(self.text[slice(*value)]) and self.text[slice(*value)] != "no":
                return self.cut(value, "correction")
        return declared

    def concluded(self) -> FinalAnswer | None:
        """What stands behind the last so, therefore, 因此; or a last line that says what it is."""
        text = self.text
        last_line = text.rstrip().rfind("\n") + 1
        for match in reversed([*_SO.finditer(text)]):
            end = self.sentence_end(match.end())
            if value := self.stated_in(match.end(), end):
                last = self.stated_in(last_line, len(text)) if end < last_line else None
                if last and _STATES.search(text, last_line) and not text[last[1] :].strip(" .*\n"):
                    value = last
                return self.cut(value, "conclusion")
        return None

    def short(self) -> FinalAnswer | None:
        """A reply of one line that is nothing but an answer."""
        line = self.text.strip()
        if "\n" in line or len(line) > 60 or is_prose(line):
            return None
        start = self.text.index(line)
        if value := self.value(start):
            return self.cut(value, "whole reply")
        return FinalAnswer(line, "whole reply", start, start + len(line))

    def stated(self) -> FinalAnswer | None:
        """The statement that a reply without a conclusion opens with, or else its last value."""
        text = self.text
        start = len(text) - len(text.lstrip())
        first = self.sentence_end(start)
        if (bold := _BOLD.search(text, start, first)) and re.search(r"\d", bold[1]):
            return self.cut(self.value(bold.start(1)) or bold.span(1), "stated")
        one_paragraph = "\n" not in text.strip()
        value = self.closing_value(first) or self.stated_in(start, first) if one_paragraph else None
        if value:
            return self.cut(value, "stated")
        last_line = text.rstrip().rfind("\n") + 1
        end = self.sentence_end(last_line)
        if value := self.stated_in(last_line, max(end, last_line)):
            return self.cut(value, "stated")
        values = [m.span(1) for m in _BOLD.finditer(text) if re.search(r"\d", m[1])]
        if values:
            return self.cut(self.value(values[-1][0]) or values[-1], "bold")
        for span in reversed(self.spans):
            if span.tex:
                return FinalAnswer(chain_end(span.tex), "last formula", span.start, span.end)
        numbers = [
            m.span() for m in _LAST_NUMBER.finditer(text)
            if not _COMPARED.search(text[max(0, m.start() - 20) : m.start()])
        ]  # fmt: skip
        return self.cut(numbers[-1], "last number") if numbers else None

    def closing_value(self, start: int) -> tuple[int, int] | None:
        """Of the sentences behind `start` the last that counts something or ends with a value."""
        found = None
        while start < len(self.text):
            end = self.sentence_end(start + 1)
            if value := self.stated_in(start, end):
                ends = not self.text[value[1] : end].strip(" .*")
                if ends or _COUNTS.search(self.text, start, end):
                    found = value
            start = end
        return found

    def cut(self, value: tuple[int, int], rule: str) -> FinalAnswer:
        start, end = value
        answer = self.text[start:end]
        if not self.phrase:
            answer = chain_end(answer, keep=self.kind in (None, "equation"))
        if answer.lower() == "no" and not self.phrase:
            answer = "0"
        return FinalAnswer(answer.replace("**", "").strip(), rule, start, end)

    def stated_in(self, start: int, end: int) -> tuple[int, int] | None:
        """The value that the sentence text[start:end] comes to."""
        text = self.text
        if self.phrase:
            verbs = list(re.finditer(_IS, text[start:end], re.IGNORECASE))
            return self.value(start + verbs[-1].end()) if verbs else None
        counts_first = "=" not in text[start:end]
        for pattern in (_COUNTS, _STATES) if counts_first else (_STATES, _COUNTS):
            places = [
                m.end() for m in pattern.finditer(text, start, end) if not self.within(m.start())
            ]
            if pattern is _STATES and places:
                aside = _REASON.search(text, places[0], end)
                places = [p for p in places if not aside or p <= aside.start()][-8:]
            values = [value for place in places if (value := self.value(place))]
            if values:
                last = values[0 if pattern is _COUNTS else -1]
                return min(v for v in values if v[0] <= last[0] and v[1] >= last[1])
        formulas = [s for s in self.spans if start <= s.start and s.end <= end and s.tex]
        if formulas:
            return formulas[-1].start, formulas[-1].end
        lead = self.lead(start)
        if lead < end and (value := self.leading_value(lead)):
            return value
        return None

    def within(self, place: int) -> int:
        """The end of the formula around this place; 0 where there is none."""
        k = bisect_left(self.inside, (place, 0)) - 1
        return self.inside[k][1] if k >= 0 and place < self.inside[k][1] else 0

    def sentence_end(self, start: int) -> int:
        """The end of the sentence, outside formulas."""
        while match := _SENTENCE_END.search(self.text, start):
            formula_end = self.within(match.start())
            if not formula_end:
                return match.start()
            start = formula_end
        return len(self.text)

    def lead(self, place: int) -> int:
        """Behind words and marks that only lead to a value."""
        while match := _LEAD.match(self.text, place) or _NOT_BUT.match(self.text, place):
            if match.end() == place:
                break
            place = match.end()
        return place

    def leading_value(self, start: int) -> tuple[int, int] | None:
        """Formulas, numbers and numerals at this place, joined by "and", with units."""
        end = self._item(start)
        while end is not None and (join := JOIN.match(self.text, end)):
            following = self._item(join.end())
            if following is None:
                break
            end = following
        return (start, end) if end is not None else None

    def _item(self, start: int) -> int | None:
        text = self.text
        span = self.at.get(start)
        if span is not None:
            unit = UNIT.match(text, span.end)
            return unit.end() if unit else span.end
        worded = numeral_end(text, start)
        if figures := VALUE.match(text, start):
            end = worded or scale_at(text, figures.end())[1]
            if OPERATOR.match(text, end) and not re.match(r"\s?[a-zA-Z]", text[end : end + 2]):
                return None
            if unit := UNIT.match(text, end):
                return unit.end()
            return end if not re.match(r"[A-Za-z]", text[end : end + 1]) else None
        return worded

    def value(self, start: int, labelled: bool = False) -> tuple[int, int] | None:
        """The value at this place, or in the sentence that begins here; None where none is."""
        text = self.text
        start = self.lead(start)
        self.attempts += 1
        if start >= len(text) or self.attempts > ATTEMPTS:
            return None
        end = min(self.sentence_end(start), start + SENTENCE)
        if not self.phrase and (value := self.leading_value(start)):
            rest = text[value[1] : end]
            chain = EQUALS.match(rest.lstrip(" *"))
            if not chain and not OPERATOR.match(rest) and not _SUBJECT_FOLLOWS.match(rest):
                return value
        sentence = text[start:end]
        if sentence.rstrip(" *").endswith((":", "：")):
            work = text[end:].strip().count("\n") > 3  # the label opens a solution
            return self.value(end, labelled) if labelled and not work else None
        if aside := _ASIDE.search(sentence):
            sentence = sentence[: aside.start()] or sentence
        while tail := _TAIL.search(sentence):
            if not tail[0]:
                break
            sentence = sentence[: tail.start()]
        end = start + len(sentence)
        if not sentence or sentence.lower() in _NOT_ANSWERS:
            return None
        if self.phrase:
            return start, end
        if wordy(sentence):
            if not is_valued(sentence):
                return None
            self.nested += 1
            inner = self.stated_in(start, end) if self.nested <= NESTED else None
            self.nested -= 1
            return inner or ((start, end) if len(sentence) <= 60 else None)
        return start, end


_EXPLICIT = frozenset(
    ["boxed", "answer tag", "answer field", "declared", "correction", "conclusion"]
)
_SUBJECT_FOLLOWS = re.compile(rf"[^\n.。,，]{{0,60}}?{words('is')}\s*[-\d$\\(]", re.IGNORECASE)


def before_next_question(text: str) -> str:
    """What stands before a question that the reply asks itself; empty where there is none."""
    asked = _NEXT_QUESTION.search(text)
    return text[: asked.start()].rstrip() if asked and text[: asked.start()].strip() else ""


def _comments(value: str) -> bool:
    """Does a sentence behind a box only speak about its answer?"""
    return not re.search(r"[\d$\\]", value) and len(value) > 1
