"""What a person must read before a cut text is published; a flagged text is never approved alone.

The rules look for what cutting breaks: a word left hanging, a sentence without a verb, a condition
that went missing or stayed where only the picture should tell it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...latex import is_chinese, replace_maths, stray_dollars
from ...problem import Span
from ...words import HAN_NAMES, NAMES
from ..issues import Issue
from .role_text import KEEPS, text_of

_HANGING = (
    "and|or|with|where|which|that|such that|given|if|is|are|was|were|has|have|of|a|an|the|in|as|"
    "at|on|to|from|by|for|when|between|than|be|into|onto|its|their|whose"
)
# Verbs that need an object, and what leads to one.
HANGING = frozenset(_HANGING.split("|")) | frozenset(
    "equals equal divides divide measures measure cuts cut contains contain touches touch "
    "forms makes passes".split()
)
_TASKS = frozenset("find what how calculate determine which where state".split())
_JOINERS = frozenset("and or is are was were has have of than then equals".split())
_PREDICATES = frozenset("is are was were has have equals measures of than".split())
_ENDING = ("be", "is", "are", "was", "were")  # of these a whole question may end in
_HANGING_CJK = "已知|且|和|与|或|其中|若|如果|当|设|在|的|为|则|把|过"
_VERB_WORDS = (
    r"are|assume|be|become|becomes|been|bisect|bisects|build|built|calculate|can|"
    r"choose|complete|compute|connect|connects|consider|contain|contains|convert|"
    r"costs|could|cut|cuts|decide|decides|decreases|define|defines|denote|denotes|"
    r"describe|determine|did|divide|divides|do|does|draw|drawn|equal|equals|"
    r"estimate|evaluate|explain|express|factorise|factorize|fill|find|fit|fits|"
    r"flew|fold|folded|form|forms|give|given|gives|go|goes|graph|had|has|have|"
    r"hold|holds|identify|increases|intersect|intersects|is|know|known|labeled|"
    r"labelled|labels|leans|leave|leaves|let|lie|lies|make|makes|may|measure|measures|meet|"
    r"meets|might|move|moves|must|name|need|needs|note|pass|passes|prove|races|"
    r"reach|reaches|recall|records|remain|remains|represent|represents|rolls|"
    r"rotate|rotates|round|sailed|sails|satisfies|satisfy|say|says|select|sets|"
    r"shall|should|show|shown|shows|simplify|sketch|solve|stand|stands|start|"
    r"starts|state|suppose|take|takes|took|touch|touches|travels|turns|use|"
    r"walked|walks|want|wants|was|were|will|work|would|write"
)
# A relation, or a word that is a verb of a sentence about mathematics.
_VERBS = re.compile(rf"[=<>≤≥∥⊥⟂≌∽≅]|\b(?:{_VERB_WORDS})\b")
# What ends like a verb and has an object: "models the temperature".
_TAKES = re.compile(
    r"\b[a-z]{3,}(?:s|ed)\s+(?:the|its|their|this|that|each|every|an?\s+[a-z]{2,})\b"
)
# The power of an upright unit, which is no value: cm^2.
_UNIT_POWER = re.compile(
    r"\\(?:mathrm|text|rm)\s*\{[\s~]*[a-z]{1,3}\s*\}\s*\^\s*\{?[23](?!\d)"
    r"|(?<=\d)[\s~]*(?:[cdkm]?m|ft|in)\s*\^\s*\{?[23](?!\d)"
)
_RELATION = re.compile(
    r"[=<>≤≥∥⊥]|\\(?:leq?|geq?|neq?|parallel|perp|cong|sim|in|approx)\b"
)
_VERBS_CJK = re.compile(
    r"[是为求则有等求作取连交过证写填选]|多少|如图|计算|所示|平分|垂直|平行"
)
# words that no sentence has side by side: something between them was cut
_DETERMINERS = "the|its|their"
_LEADING = (
    "of|with|from|at|between|than|into|for|by|to"  # what they lead to must follow
)
_JOINING = "and|or|is|are|was|were|has|of|than|then"
_UNIT = rf"(?:cm|mm|km|ft|kg|gallons?|{NAMES})"
_MEASURES = (
    "radius|radii|diameter|height|length|width|breadth|depth|perimeter|area|circumference|slope|"
    "gradient|volume|base|side|hypotenuse"
)
_COMPARING = (
    "long|tall|high|wide|large|big|far|old|many|much|great|small|short|deep|fast"
)
# Code, pattern, what it means; run on the text with mathematics taken out.
_RULES = [
    (
        "dangling-word",
        rf"\b(?<![\\(])(?:{_HANGING})\s*(?=[.,;?!](?!m\.)|$)",
        "left hanging",
    ),
    ("dangling-word", rf"(?:{_HANGING_CJK})(?=[，。；？！、]|$)", "left hanging"),
    (
        "dangling-word",
        r"[=<≤≥]\s*(?=[,;，。；]|\.(?!\d))",
        "a relation without its right side",
    ),
    (
        "doubled-punctuation",
        r"[,;:?!，。；：？！、]\s*[,;:，。；：、]|\.\s+[,;:]",
        "doubled",
    ),
    ("doubled-punctuation", r"[,;:?!]\s*\.(?!\.)", "doubled"),
    ("lower-case-start", r"^\s*[a-z]{2,}\b", "the text starts with a small letter"),
    (
        "lower-case-start",
        r"[a-z]{2}[.?!]\s+[a-z]{2,}\b",
        "a sentence starts with a small letter",
    ),
    ("repeated-word", r"\b([A-Za-z]{2,})\s+\1\b", "the same word twice"),
    (
        "broken-join",
        r"\b(?:is|are)\s+(?:then|and|is|are)\b|\bthat\s+find\b",
        "words that clash",
    ),
    ("broken-join", r"(?:^|[.?!]\s+)The\s+(?:is|are|of)\b", "a subject was lost"),
    (
        "function-words",
        rf"(?i)\b(?:{_DETERMINERS})\s+(?:{_JOINING}|{_LEADING})\b",
        "no noun",
    ),
    ("function-words", rf"(?i)\b(?:{_LEADING})\s+(?:{_JOINING})\b", "cut between"),
    ("function-words", r"(?i)\b(?:is|are)\s+(?:than|or|has|have|if)\b", "cut between"),
    ("function-words", r"\b(?:and|or)\s+(?:and|or|of|than)\b", "cut between"),
    (
        "bare-unit",
        rf"\b(?:is|are|was|has|by|equals|about|than|be|=)\s+{_UNIT}\b",
        "no number",
    ),
    (
        "bare-unit",
        r"(?<!number )\b(?:of|to|at|from|and)\s+(?:cm|mm|km|degrees)\b",
        "no number",
    ),
    ("bare-unit", r"(?:^|[\s(=])°", "no number"),
    ("bare-unit", rf"(?:[为是于]|=)\s*(?:cm|mm|km|{HAN_NAMES}|°|平方)", "no number"),
    (
        "lost-value",
        rf"(?i)\b(?:has|have|with)\s+(?:an?\s+|the\s+)?(?:{_MEASURES})\s*"
        rf"(?:\band\b(?!\s+(?:the\s+)?(?:{_MEASURES})\b)|[.;?]|$)",
        "no value",
    ),
    (
        "cut-comparison",
        rf"(?i)\b(?:times|twice|half)\s+as\s+(?:{_COMPARING})\b(?![^.?!]*\bas\b)",
        "compared with what?",
    ),
    (
        "cut-comparison",
        r"(?i)\b(?:times|twice)\s+(?:the\s*(?=[.,;?]|of\b)|(?=of\b))",
        "of what?",
    ),
    (
        "cut-comparison",
        r"(?i)\bbetween\s+(?:the\s+)?(?!them\b|\w+s\b)[\w$'△∠]+\s*(?=[.;?]|$)",
        "and what?",
    ),
    ("dangling-pronoun", r"^\W*(?:[A-Za-z]+\s+){1,3}(?:its|their|them)\b", "of what?"),
    ("dangling-pronoun", r"^(?:求|则|问|计算)?(?:它|其)(?![中他余实])", "of what?"),
]
_COMPILED = [(code, re.compile(pattern), meaning) for code, pattern, meaning in _RULES]
_SENTENCES = re.compile(r"(?<=[.?!])\s+(?=[A-Z(])|(?<=[。？！])|\n+")
_OPTION = re.compile(r"\s*\(?[A-J][:.)]|\s*(?:Choices?|Hence)\b")
_PAIRS = {")": "(", "]": "[", "）": "（", "】": "【", "》": "《"}


def lint(text: str) -> list[Issue]:
    """Findings in one text, in reading order of the rules.

    >>> [issue.code for issue in lint("A radius of 3 cm. Find L.")]
    ['no-verb']
    """
    plain = replace_maths(text, lambda tex: "Q = Q" if _RELATION.search(tex) else "Q")
    issues = [
        Issue(code, f"{meaning}: {_around(plain, match)!r}")
        for code, pattern, meaning in _COMPILED
        for match in pattern.finditer(plain)
        if not _ends_question(plain, match)
    ]
    if not text.strip():
        return [Issue("empty-text", "nothing is left of the text")]
    return issues + _sentences(plain) + _balance(plain)


def _ends_question(text: str, match: re.Match[str]) -> bool:
    """Whether a question ends in its verb, as "What must the height be?" does."""
    start, end = match.span()
    if match[0].strip().lower() not in _ENDING or text[end : end + 1] != "?":
        return False
    sentence = re.split(r"[.?!。？！]|\n\n", text[max(0, start - 300) : start])[-1]
    return bool(re.search(r"(?i)\b(?:what|how|where|when|which|who)\b", sentence))


def _around(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - 12) : match.end() + 12].strip()


def _sentences(plain: str) -> list[Issue]:
    """Sentences without a finite verb, as far as a word list can tell."""
    return [
        Issue("no-verb", f"a sentence without a verb: {sentence.strip()!r}")
        for sentence in _SENTENCES.split(plain)
        if _lacks_verb(sentence)
    ]


def _lacks_verb(sentence: str) -> bool:
    if is_chinese(sentence):
        return not _VERBS_CJK.search(sentence)
    words = re.findall(r"[A-Za-z']+", sentence.lower())
    if len(words) <= 2 or _VERBS.search(sentence.lower()):
        return False
    return not (_TAKES.search(sentence) or _OPTION.match(sentence))


def _balance(plain: str) -> list[Issue]:
    issues = []
    if stray_dollars(plain):
        issues.append(Issue("unbalanced-dollar", "a $ without its partner"))
    open_marks: list[str] = []
    for mark in re.findall(r"[()\[\]（）【】《》]", plain):
        if mark in _PAIRS.values():
            open_marks.append(mark)
        elif open_marks and {open_marks[-1], _PAIRS[mark]} & {"(", "["}:
            open_marks.pop()  # half-open intervals [0, 1) are balanced too
        elif open_marks and open_marks[-1] == _PAIRS[mark]:
            open_marks.pop()
        elif not re.search(r"\b[A-Ja-j1-9]\)", plain):  # "a) … b) …" numbers items
            open_marks.append(mark)
            break
    if open_marks:
        issues.append(
            Issue("unbalanced-parentheses", f"{open_marks[-1]!r} without its partner")
        )
    return issues


def lint_cut(question: str, spans: Iterable[Span], version: str) -> list[Issue]:
    """What a version's cuts broke, judged where they were made: by what stood there.

    >>> text = "The graph of y = 2x + 1 is shown. Find a."
    >>> [i.code for i in lint_cut(text, [Span(start=13, end=33, role="EC")], "vision_dominant")]
    ['broken-seam']
    """
    issues = []
    spans = list(spans)
    for span in spans:
        is_cut = span.role not in KEEPS[version] and not span.alt
        inside = any(
            other is not span and other.start <= span.start and span.end <= other.end
            and other.role not in KEEPS[version]
            for other in spans
        )  # fmt: skip
        if is_cut and not inside and (problem := _broken_seam(question, span)):
            issues.append(Issue("broken-seam", problem))
    return issues


def _broken_seam(question: str, span: Span) -> str:
    """Why the words before and behind a cut do not go together; "" where they do."""
    before = question[: span.start].rstrip()
    inside = question[span.start : span.end].strip()
    behind = question[span.end :].lstrip()
    words = re.findall(r"[A-Za-z]+", before[-30:].split("$")[-1])
    last = words[-1].lower() if words and before[-1:].isalpha() else ""
    match = re.match(r"[A-Za-z]+", behind)
    first = match[0] if match else ""
    ends_here = not behind or behind[0] in ".,;:?!。，；："
    starts_anew = not before or before[-1] in ".?!;:。？！"
    hanging = f"without {inside[:40]!r} the words {before[-25:]!r}"
    is_name = len(first) < 2 or first.isupper()
    is_new = bool(first) and first[0].isupper() and not is_name
    is_new |= first in _TASKS
    if last in HANGING and (ends_here or is_new or first.lower() in _JOINERS):
        return f"{hanging} are left hanging"
    if (
        inside[-1:] in ".?!。？！"
        and not starts_anew
        and before[-1:] not in ",，"
        and is_new
    ):
        return f"{hanging} have no end: what follows is another sentence"
    if starts_anew and first in _PREDICATES:
        return f"without {inside[:40]!r} the words {behind[:25]!r} have no subject"
    if starts_anew and inside[:1].isupper() and ends_here and behind[:1] == "=":
        return f"without {inside[:40]!r} a relation has no left side"
    return ""


def values(text: str) -> frozenset[str]:
    """The numbers of a text, written alike: the values of a condition.

    >>> sorted(values("AC = 3.0 and angle B is $50^{\\\\circ}$"))
    ['3', '50']
    >>> sorted(values(r"an area of $5\\mathrm{cm}^2$"))
    ['5']
    """
    numbers = re.findall(r"\d+(?:\.\d+)?", _UNIT_POWER.sub(" ", text))
    return frozenset(map(_plain_number, numbers))


def _plain_number(number: str) -> str:
    """A number without zeros that say nothing."""
    if "." in number:
        return number.rstrip("0").rstrip(".")
    return number.lstrip("0") or "0"


def _hides(outer: Span, condition: Span) -> bool:
    """Whether versions that keep a condition lose it with the span around it (Text Lite loses DI,
    Vision Intensive DI and IP)."""
    inside = outer.start <= condition.start and condition.end <= outer.end
    return inside and outer.role in ("DI", "IP")


def lint_conditions(
    question: str, spans: Iterable[Span], diagram_texts: Iterable[str] | None = None
) -> list[Issue]:
    """Is every essential condition in the picture, and gone from the vision text?

    `diagram_texts` are those of the annotated diagram (None: unknown, nobody described it).
    MathVerse, section 2.2: the two vision versions are solvable only if the picture tells
    what the text no longer does.
    """
    spans = list(spans)
    in_vision_text = values(text_of(question, spans, "vision_dominant"))
    in_picture: frozenset[str] | None = None
    if diagram_texts is not None:
        in_picture = frozenset().union(*map(values, diagram_texts))
    issues = []
    for span in spans:
        if span.role != "EC":
            continue
        text = question[span.start : span.end]
        where = f"EC [{span.start}, {span.end})"
        outer = next((s for s in spans if _hides(s, span)), None)
        if outer is not None:
            span_of = f"{outer.role} [{outer.start}, {outer.end})"
            message = f"{text!r} lies inside {span_of} and goes with it"
            issues.append(Issue("condition-goes-along", message, where))
        numbers = values(text)
        if numbers and numbers <= in_vision_text:
            message = f"still told by words: {text!r}"
            issues.append(Issue("condition-in-vision-text", message, where))
        if in_picture is None:
            message = f"is {text!r} in the picture?"
            issues.append(Issue("condition-unchecked", message, where))
        elif lost := sorted(numbers - in_picture):
            message = f"{', '.join(lost)} of {text!r} is in no diagram label"
            issues.append(Issue("condition-nowhere", message, where))
    return issues
