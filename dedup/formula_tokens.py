"""What a question says in any language: its numbers and its formulas.

Words change in a translation; numbers, in figures or words, and formulas hardly do. A number is
written here without what its language adds: 1,442 and 1.442, 80 000, 0,5 and 0.5 are one spelling
each, and `half` and `deux` are figures. Of formulas the commands, letters and figures stay.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache

from ..latex import maths_spans
from ..words import numbers_in
from .keys import PICTURE, plain, text_key

# A number in figures: with blanks between thousands, with commas and points, or a fraction's sign.
_figures = re.compile(
    r"(?<![\d.,])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*|[½⅓⅔¼¾]"
)
# A comma or point before three digits and no fourth.
_thousands = re.compile(r"[.,](?=\d{3}(?!\d))")
# A word, or signs of a script without spaces.
_letters = re.compile(r"[^\W\d_]+")
# What is no word of a formula: text and environments in braces, and commands.
_command = re.compile(
    r"\\(?:text|mathrm|operatorname|mbox|begin|end)\s*\{[^{}]*\}|\\[A-Za-z]+"
)
# A decimal comma.
_decimal = re.compile(r"(?<=\d),(?=\d)")
# A name or words that are set upright or slanted in a formula.
_wrapped = re.compile(
    r"\\(?:text|mathrm|operatorname|mbox|textit|mathit)\s*\{([^{}]*)\}"
)
# A word of three letters or more.
_word = re.compile(r"[^\W\d_]{3,}")
OTHERS = 15  # words (or letters) among which one is of a language (or script), at least
FEWEST = 20  # texts whose words tell those of a language
PROSE = 2  # words in a formula that make it none
# The letters that tell languages of one script apart; each alphabet has no others beyond a to z.
LETTERS = {"es": "áíóúñ¿¡", "fr": "éàâçèêëîïôùûœ", "de": "äöüß"}
_TELLING = frozenset("".join(LETTERS.values()))
SCRIPTS = {"CJK": "zh", "CYRILLIC": "ru"}
# Functions that are written otherwise elsewhere, and the names that are set upright everywhere.
_ELSEWHERE = "sen tg ctg cosec arcsen arctg lím mcd mcm".split()
_HERE = "sin tan cot csc arcsin arctan lim gcd lcm".split()
FUNCTIONS = dict(zip([*_ELSEWHERE, *_HERE], [*_HERE, *_HERE], strict=True)) | {
    name: name for name in "cos sec log ln arccos".split()
}


def marks_of(question: str, language: str) -> list[str]:
    """Numbers and formulas of a question in this language.

    >>> marks_of("Ann a deux fois 1 442,50 € de $x^2$.", "fr")
    ['1442.5', '2', 'x ^ 2']
    """
    spans, prose = _parted(PICTURE.sub(" ", question))
    return [*numbers_of(prose, language), *filter(None, map(formula_key, spans))]


def formulas_of(question: str, share: float = 0) -> list[str]:
    """The formulas of a question that are more than a `share` of it and stand beside no picture.

    >>> formulas_of("Expand $(x+2)^4$.", 0.3), formulas_of("What is the root of $x$?", 0.3)
    (['( x + 2 ) ^ 4'], [])
    """
    if "$" not in question and "\\" not in question:
        return []
    if share and PICTURE.search(question):
        return []
    spans, _ = _parted(question)
    if sum(map(len, spans)) < share * len(question):
        return []
    return [*filter(None, map(formula_key, spans))]


def _parted(text: str) -> tuple[list[str], str]:
    """The formulas of a text, and the prose around them."""
    formulas, prose = list[str](), list[str]()
    at = 0
    for span in maths_spans(text):
        words = _word.findall(_command.sub(" ", span.tex))
        if len(words) >= PROSE:
            continue  # what stands between two prices
        formulas.append(span.tex)
        prose.append(text[at : span.start])
        at = span.end
    prose.append(text[at:])
    return formulas, " ".join(prose)


def numbers_of(text: str, language: str) -> list[str]:
    """The numbers of a text, first those in figures, then those in words but one."""
    text = unicodedata.normalize("NFKC", text)
    words = [str(n.value) for n in numbers_in(text, language) if n.value != 1]
    return [*map(unmarked, _figures.findall(text)), *words]


def figures_differ(a: str, b: str) -> bool:
    """Whether each of two texts has a number in figures that the other lacks.

    >>> figures_differ("12 of 1,5", "1.5 von 13"), figures_differ("12 and two", "12")
    (True, False)
    """
    ours, theirs = (
        set(map(unmarked, _figures.findall(PICTURE.sub(" ", text)))) for text in (a, b)
    )
    return bool(ours - theirs and theirs - ours)


def unmarked(figures: str) -> str:
    """A number without the marks of its language.

    >>> unmarked("1,442"), unmarked("1.442"), unmarked("0,50"), unmarked("80 000")
    ('1442', '1442', '0.5', '80000')
    """
    return plain(_thousands.sub("", "".join(figures.split())).replace(",", "."))


@lru_cache(maxsize=1 << 14)
def formula_key(tex: str) -> str:
    """A formula without layout, words and punctuation at its end; figures are plain."""
    key = text_key(_decimal.sub(".", _wrapped.sub(_operator, tex)))
    return _figures.sub(lambda m: unmarked(m[0]), key).strip(" .,;:?")


def _operator(match: re.Match[str]) -> str:
    """A letter, or a function by its English name; other words are no formula."""
    name = match[1].strip()
    if len(name) < 2:
        return name
    return f"\\{FUNCTIONS[name]} " if name in FUNCTIONS else " "


def language_of(text: str, declared: str = "") -> str:
    """The language as declared, or by script and the letters that others lack; else English.

    >>> language_of("Сколько?"), language_of("¿Cuántos años?"), language_of("How many?")
    ('ru', 'es', 'en')
    """
    if declared or text.isascii():
        return declared[:2].lower() or "en"
    words = _letters.findall(_parted(text[:2000])[1].lower())
    # Words with a letter of a language, and letters of a script; a single sign such as π is none.
    counts: Counter[str] = Counter()
    for word in {word for word in words if len(word) > 1 and not word.isascii()}:
        letters = [letter for letter in word if not letter.isascii()]
        counts.update(
            {name for name in LETTERS if set(LETTERS[name]).issuperset(letters)}
        )
        others = [letter for letter in letters if letter not in _TELLING]
        counts.update(unicodedata.name(letter, "").split(" ")[0] for letter in others)
    name = max(counts, key=lambda name: (counts[name], name), default="en")
    total = len(words) if name in LETTERS else sum(map(len, words))
    if OTHERS * counts[name] < total:  # a name, or a sign of mathematics
        return "en"
    return name if name in LETTERS else SCRIPTS.get(name, name.lower())


def languages_of(
    texts: Callable[[], Iterable[str]],
    languages: list[str],
    declared: Iterable[object],
) -> list[str]:
    """The language of every text, first by `language_of` as in `languages`.

    A text that nothing tells is taken for the language in whose texts its words are likeliest
    (naive Bayes), if the set has FEWEST texts of that language. `declared` says who needs none.
    """
    total = Counter(languages)
    frequent = {name for name in LETTERS if total[name] >= FEWEST}
    if not frequent:
        return languages
    counts = {name: Counter[str]() for name in sorted(frequent | {"en"})}
    for name, text in zip(languages, texts(), strict=True):
        if name in counts:
            counts[name].update(_words_of(text))

    def likeliest(text: str) -> str:
        words = _words_of(text)
        if not words:
            return "en"
        chances = {
            name: sum(
                math.log((of_language[word] + 0.1) / (total[name] + 1))
                for word in words
            )
            for name, of_language in counts.items()
        }
        return max(chances, key=chances.__getitem__)

    return [
        likeliest(text) if name == "en" and not is_declared else name
        for name, text, is_declared in zip(languages, texts(), declared, strict=True)
    ]


def _words_of(text: str) -> frozenset[str]:
    return frozenset(_word.findall(_parted(text)[1].lower()))
