"""What a solution ends on: not the one answer that a reply declares, but all that its end says.

People who write solutions do not say "the answer is": they end on an equation, on a sentence that
holds the answer among other values ("9 days, 18 of them"), or on a remark behind it. So a gold is
held against every value of the last sentence, and against what any sentence ends on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from ..latex import maths_spans
from ..problem import Option
from ..words import in_figures

Closing = Literal["the gold", "another", "nothing"]
Place = Literal["last", "ends a sentence", "nowhere"]
Equal = Callable[[str, str], bool]

REMARK = re.compile(
    r"\s(?:\[|\()?(?:Alternatively|Note|Remark|OR|Comment|It is left as)\b"
)
MOST = 12  # values of a sentence that are looked at, its last ones
LIKE = 0.7  # share of an option's words from which a sentence speaks of it
# A full stop before a capital, a formula or a picture; no decimal point.
_END = re.compile(r"(?<=[.!?。])(?:\$)?\s+(?=[A-Z$\\(\[!（])|\n{2,}|\\n\s*\\n")
_RELATION = re.compile(
    r"=|\\(?:approx|equiv|Longrightarrow|Rightarrow|implies|iff|to|rightarrow)\b|=>|[,;:]"
)
_ASIDE = re.compile(r"\([^()]*=[^()]*\)")  # 5(=1+4)
# A unit with its power, blanks.
_TEXT = re.compile(
    r"\\(?:text|mathrm|mbox|operatorname)\s*\{[^{}]*\}(?:\s*\^\{?\d\}?)?|\\[,;:! ]|~"
)
_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{")
_ENDS = re.compile(r"^[\s.${}]+|[\s.${}]+$")
_VALUE = re.compile(r"-?\d+(?:[.,]\d+)*(?:/\d+)?|(?<![A-Za-z])[A-Z](?![A-Za-z])")
_NAME = re.compile(r"\\[a-zA-Z]+|[A-Za-z]+|\d+(?:\.\d+)?")


class Ending(NamedTuple):
    """The sentences of a solution, each as its values in order, and the last one's text."""

    values: list[list[str]]
    last: str


def ending(solution: str) -> Ending:
    r"""The values of every sentence that says any, without remarks behind the solution.

    >>> ending(r"Adding gives $x=3$. Hence $y = 2x = 6$ cm. Note: 7 is a prime.").values
    [['x', '3'], ['y', '2x', '6']]
    """
    text = solution.replace("\\n", "\n")
    remark = REMARK.search(text, len(text) // 3)
    kept = text[: remark.start()] if remark else text
    sentences = [part for part in _END.split(kept) if part.strip()]
    pairs = [(values_of(sentence), sentence) for sentence in sentences]
    told = [(values, sentence) for values, sentence in pairs if values]
    last = sentences[-1] if sentences else ""
    return Ending([values for values, _ in told], last)


def values_of(sentence: str) -> list[str]:
    """What a sentence says in formulas, figures, numerals and capitals, in order.

    >>> values_of(r"So there are three: $5(=1+4)$, or B.")
    ['3', '5', 'B']
    """
    values: list[tuple[int, str]] = []
    covered = 0
    spans = maths_spans(sentence)
    for span in spans:
        values += _outside(sentence[covered : span.start], covered)
        covered = span.end
        tex = _BOX.sub("{", _TEXT.sub(" ", span.tex))
        for piece in _RELATION.split(_ASIDE.sub("", tex)):
            if bare := _ENDS.sub("", piece):
                values.append((span.start, bare))
    values += _outside(sentence[covered:], covered)
    return [value for _, value in values][-MOST:]


def _outside(text: str, start: int) -> list[tuple[int, str]]:
    return [(start, match[0]) for match in _VALUE.finditer(in_figures(text))]


def place(gold: str, solution: Ending, equal: Equal) -> Place:
    """Whether the last sentence says the gold, or another one ends on it."""
    if not solution.values:
        return "nowhere"
    if any(equal(value, gold) for value in solution.values[-1]):
        return "last"
    ends = dict.fromkeys(values[-1] for values in solution.values[:-1])
    return "ends a sentence" if any(equal(end, gold) for end in ends) else "nowhere"


def chosen(options: Sequence[Option], solution: Ending, equal: Equal) -> list[str]:
    """The labels of the options that the last sentence speaks of most, by value, names or words."""
    values = solution.values[-1] if solution.values else []
    said = names(solution.last)
    shares = {o.label: _share(o, values, said, equal) for o in options}
    best = max(shares.values(), default=0.0)
    return [label for label, share in shares.items() if share == best >= LIKE]


def _share(
    option: Option, values: Sequence[str], said: frozenset[str], equal: Equal
) -> float:
    text = _ENDS.sub("", option.text)
    if any(value in (option.label, text) or equal(value, text) for value in values):
        return 1.0
    own = names(text)
    letters = {name for name in own if name.isupper() or name.isdigit()}
    others = {name for name in said if name.isupper() or name.isdigit()}
    if len(letters) > 1:
        return 1.0 if letters == others else 0.0
    words = {name for name in own if len(name) > 2}
    return 0.9 * len(words & said) / len(words) if words else 0.0


def names(text: str) -> frozenset[str]:
    """Words in lower case, single capitals and numbers."""
    found = _NAME.findall(in_figures(text))
    return frozenset(w if len(w) == 1 else w.lower() for w in found if w[0] != "\\")
