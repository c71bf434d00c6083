"""The gold of a problem, however a table spells it: one reading, against the problem's options.

A label in any dress (in brackets, in a box, `②`), several, a label with its text, the value of an
option, marks of right and wrong, an index, or a sentence that names one of them. An index is read
only where the rows of a source allow one way of counting (`counting_of`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, Literal, get_args

import msgspec

from ..errors import UserError, nearest
from ..latex import read_boxed
from ..problem import Option
from ..words import LETTERS, WORDS, ranks
from .choices import Choices, as_text
from .literals import literal
from .runs import covered

Counting = Literal["value", "label", "index-0", "index-1"]
UNCLEAR = (
    "unclear"  # the rows of the source allow several readings that differ, or none
)
LONGEST = 2_000  # characters of a gold that may name an option


class Gold(msgspec.Struct, frozen=True):
    """A gold as read; `wording` is what the row says where that is more than the answer."""

    answer: str
    wording: str = ""
    doubt: str = ""
    several: bool = False  # values, not options
    solution: str = ""  # that a gold was, with its answer in a box


_AND = re.compile(r"[\s,，、;；&/+|]+|\band\b|和|与|и\b", re.I)  # between labels
# A label in front of its option's text, with a word before it or not: `B. 4`, `Option B: 4`.
_FRONT = re.compile(
    r"\W*?(?:[^\W\d_]{2,12}\s+)?(?P<sign>[^\W_]{1,2}|[①-⓿])"
    r"(?P<mark>\s*[)）\].．:：、,，*=-]+\s*|\s+)(?P<rest>\S.*)",
    re.S,
)
_LONE_LETTER = re.compile(r"(?<![^\W_])([^\W\d_])(?![^\W_]|['’])")  # no word, no `I'm`
_LATIN_CAPITAL = re.compile(
    r"(?<![A-Za-z])([A-Z])(?![A-Za-z])"
)  # also in Chinese: 选B项
_ARTICLE = re.compile(r"(?<![^\W_])A\s+[a-z]")


# Dress -------------------------------------------------------------------------------------------

_DRESS = re.compile(  # what may stand around a whole gold, and what it holds
    r"""
      \$\$ (?P<display>.+) \$\$ | \$ (?P<inline>[^$]+) \$
    | \\\( (?P<parens>.+) \\\) | \\\[ (?P<square>.+) \\\]
    | \\(?:boxed|fbox|text|textbf|mathbf|mathrm|textrm|operatorname|mathsf|bold)
      \s* \{ (?P<command>.+) \}
    | \*\* (?P<bold>.+) \*\* | __ (?P<underlined>.+) __
    | [(（\[【〔「<{] (?P<brackets>[^()（）\[\]{}]+) [)）\]】〕」>}]
    | (?P<quote>["'`]) (?P<quoted>.+) (?P=quote)
    | (?P<marked>.+?) \s* [.．。:：;；,，、)）]
    """,
    re.DOTALL | re.VERBOSE,
)
# commands at the end of a text that show nothing (closed: those of TeX's line and page)
_LAYOUT = re.compile(
    r"(?:\s|\\\\|\\(?:noindent|par|quad|qquad|hfill|newline|smallskip|medskip|bigskip)(?![A-Za-z]))+$"
)
_SPACES = re.compile(
    r"\\[,;:! ]|\\q?quad(?![A-Za-z])|\\(?:left|right)(?![A-Za-z])|[\s~$]+"
)
_SAME_LOOK = {"\\dfrac": "\\frac", "\\tfrac": "\\frac", "−": "-", "–": "-"}
_BITS = re.compile(r"0*1[01]*")  # one an option, as R/exams writes golds
MOST_DRESSES = 8  # around each other


def undressed(text: str) -> Iterator[str]:
    r"""A gold, and what is left of it when box, dollars, brackets, marks are taken off, one by one.

    >>> [*undressed(r"$\boxed{\text{B}}$.")][-1]
    'B'
    """
    text = text.strip()
    yield text
    for _ in range(MOST_DRESSES):
        match = _DRESS.fullmatch(text)
        if not match:
            return
        text = match[match.lastgroup or 0].strip()
        yield text


def plain(text: str) -> str:
    """A value without its looks, to be compared: dollars, spaces, widths, `\\dfrac`, a last dot."""
    text = unicodedata.normalize("NFKC", _SPACES.sub("", text))
    for spelling, usual in _SAME_LOOK.items():
        text = text.replace(spelling, usual)
    return text.rstrip(".;,。").casefold() if len(text) > 1 else text.casefold()


# Reading -----------------------------------------------------------------------------------------


def read_gold(value: Any, choices: Choices, counting: str = "") -> Gold:
    """The answer that a row's gold means; one that is understood in no way stays as it is.

    `counting` says what a bare number is: an option's value, its printed label, or an index.

    >>> from .options import read_options
    >>> four = read_options(["30", "40", "50", "70"])
    >>> [read_gold(g, four).answer for g in ("(b)", ["B"], "B. 40", "40", "The answer is D.", "BD")]
    ['B', 'B', 'B', 'B', 'D', 'BD']
    """
    options = choices.options
    if any(choices.right) and value in (None, ""):
        return Gold(_marked(options, choices.right))
    if isinstance(value, str) and (inner := literal(value)) is not None:
        value = inner if _is_list(inner) or _marks(inner, options) else value
    if isinstance(value, str) and len(value) == len(options) > 1:
        is_value = any(option.text == value for option in options)
        if _BITS.fullmatch(value) and not is_value:
            value = [int(bit) for bit in value]
    if marks := _marks(value, options):
        return Gold(_marked(options, marks))
    if isinstance(value, dict) and options:
        value = _of_record(value)
    if isinstance(value, list | tuple):
        return _of_list(list(value), choices, counting)
    return _of_text(as_text(value).strip(), choices, counting)


def _of_text(whole: str, choices: Choices, counting: str) -> Gold:
    """What a text means: its boxed answer, or an option by label, number, value or sentence."""
    options = choices.options
    text = _LAYOUT.sub("", whole)
    if boxed := _boxed(text) or _concluding(whole):
        answer = boxed[0] if len(boxed) == 1 else boxed
        gold = read_gold(answer, choices, counting)
        return msgspec.structs.replace(gold, wording="", solution=whole)
    if not options or not text.strip() or len(text) > LONGEST:
        return Gold(text, whole if text != whole else "")
    if text.isalpha() and any(text == option.label for option in options):
        return Gold(text)
    if number := _number(text):
        return _counted(number, text, choices, counting)
    labels = _labels(choices)
    for bare in undressed(text):
        answer = _label(bare, labels) or _value(bare, options) or several(bare, labels)
        if answer:
            return Gold(answer, "" if _says_no_more(text, answer) else text)
    answer = _labelled_text(text, labels, options) or _in_sentence(
        text, labels, options
    )
    return Gold(answer, text) if answer else Gold(text)


def _boxed(text: str) -> list[str]:
    r"""The boxed answers of a worked solution; nothing where a gold is no more than its box.

    >>> _boxed(r"It is $2 + 2 = \boxed{4}$."), _boxed(r"$\boxed{4}$")
    (['4'], [])
    """
    try:
        boxed = list(dict.fromkeys(read_boxed(text))) if "box" in text else []
    except UserError:  # a box without its end is no answer
        return []
    return [] if boxed and boxed[0] in undressed(text) else boxed


# The last line of a worked solution, as GSM8K writes it; the line in front is no part of it.
_CONCLUDING = re.compile(
    rf"\n(?:{WORDS['hash']['signs']})[ \t]*+(?P<answer>[^\n]+)\s*+\Z"
)


def _concluding(text: str) -> list[str]:
    r"""What the last line of a worked solution concludes behind its mark.

    >>> _concluding("3 and 2 are <<3+2=5>>5.\n#### 5"), _concluding("5")
    (['5'], [])
    """
    return [found["answer"].strip()] if (found := _CONCLUDING.search(text)) else []


def _says_no_more(text: str, answer: str) -> bool:
    """Whether all letters and digits of a text are the answer's."""
    return plain(re.sub(r"\W|\\[a-z]+", "", text)) == answer.casefold()


# Lists and records -------------------------------------------------------------------------------


def _is_list(value: Any) -> bool:
    """Lists of texts or marks; `[2, 6]` may be an interval."""
    if not isinstance(value, list):
        return isinstance(value, dict) and bool(value)
    is_plain = all(isinstance(entry, str | bool) for entry in value)
    return bool(value) and (is_plain or len(value) == 1)


def _marks(value: Any, options: list[Option]) -> list[Any]:
    """Which options are right, where a list or a record marks each of them by 0 or 1."""
    if isinstance(value, dict):
        marks = {plain(str(name)): mark for name, mark in value.items()}
        texts = [plain(option.text) for option in options]
        if len({*texts} & {*marks}) != len(marks):
            return []
        value = [marks.get(text) for text in texts]
    if not isinstance(value, list) or not len(value) == len(options) > 1:
        return []
    return value if all(mark in (0, 1) for mark in value) and any(value) else []


def _marked(options: list[Option], marks: list[Any]) -> str:
    pairs = zip(options, marks, strict=True)
    return _joined(option.label for option, is_right in pairs if is_right)


def _of_record(record: dict[str, Any]) -> Any:
    """`{"label": "B", "text": "4"}`: the sign where one is named, else the only value."""
    for name in ("label", "letter", "key", "option", "answer", "value", "text"):
        if isinstance(record.get(name), str | int | list):
            return record[name]
    if len(record) == 1:
        return next(iter(record.values()))
    return msgspec.json.encode(record).decode()


def _of_list(values: list[Any], choices: Choices, counting: str) -> Gold:
    if len(values) == 1:
        return read_gold(values[0], choices, counting)
    texts = [as_text(value) for value in values]
    if not choices.options or not values:
        return Gold(", ".join(texts), several=len(texts) > 1)
    answers = [read_gold(value, choices, counting).answer for value in values]
    labels = {option.label for option in choices.options}
    if labels.issuperset(answers) and len(set(answers)) == len(answers):
        return Gold(_joined(answers), ", ".join(texts) if answers != texts else "")
    return Gold(msgspec.json.encode(values).decode())


def _joined(labels: Iterable[str]) -> str:
    return "".join(sorted(labels))


# Labels and values -------------------------------------------------------------------------------


def _labels(choices: Choices) -> dict[str, str]:
    """What may name an option -> its label: its letter, its own sign, the same place elsewhere."""
    labels = {option.label.casefold(): option.label for option in choices.options}
    if len(choices.signs) == len(choices.options):
        for sign, option in zip(choices.signs, choices.options, strict=True):
            labels.setdefault(sign.casefold(), option.label)
    for name, option in zip(choices.names, choices.options, strict=False):
        labels.setdefault(name.casefold(), option.label)
    return labels


def _label(text: str, labels: dict[str, str]) -> str:
    """The label that a text is, in its own order or, where it is no Latin letter, in another."""
    sign = unicodedata.normalize("NFKC", text).casefold()
    for spelling in (text.casefold(), sign, sign.rpartition("_")[2]):  # `option_b`
        if spelling in labels:
            return labels[spelling]
    if len(text) == 1 and not text.isascii():
        for _, rank in ranks(text):
            if rank < len(LETTERS) and LETTERS[rank] in labels.values():
                return LETTERS[rank]
    return ""


def _value(text: str, options: list[Option]) -> str:
    """The label of the only option that says this."""
    value = plain(text)
    same = [option.label for option in options if plain(option.text) == value]
    return same[0] if len(same) == 1 and value else ""


def several(text: str, labels: dict[str, str]) -> str:
    """`ABD`, `A, B and D`, `①③`: two labels or more, each once."""
    parts = [bare for part in _AND.split(text) if (bare := part.strip("().（）[]"))]
    are_letters = text.isupper() or not text.isascii()
    if len(parts) == 1 and 1 < len(text) <= len(labels) and are_letters:
        parts = list(text)
    read = [_label(part, labels) for part in parts]
    is_whole = len(read) > 1 and all(read) and len({*read}) == len(read)
    return _joined(read) if is_whole else ""


def _labelled_text(text: str, labels: dict[str, str], options: list[Option]) -> str:
    """`B. 4`: a label whose option says the rest."""
    match = _FRONT.match(text)
    label = _label(match["sign"], labels) if match else ""
    if not match or not label:
        return ""
    value = next(
        (plain(option.text) for option in options if option.label == label), ""
    )
    return label if value and plain(match["rest"]) == value else ""


def _in_sentence(text: str, labels: dict[str, str], options: list[Option]) -> str:
    """The only option that a sentence names: by its label, else by its value."""
    if len(text.split()) < 2 and text.isascii():
        return ""
    hidden = covered(text)
    lone = list(_LONE_LETTER.finditer(hidden))
    if not lone and not text.isascii():
        lone = list(_LATIN_CAPITAL.finditer(hidden))
    signs = [match[1].casefold() for match in lone if _may_name(match, hidden)]
    letters = {labels[sign] for sign in signs if sign in labels}
    values = {o.label for o in options if plain(o.text) and _stands_in(o.text, text)}
    if len(letters) == 1:
        may_be_article = letters == {"A"} and _ARTICLE.search(hidden)
        agrees = letters <= values if values else not may_be_article
        return letters.pop() if agrees else ""
    return values.pop() if not letters and len(values) == 1 else ""


def _may_name(letter: re.Match[str], hidden: str) -> bool:
    """A capital, a letter without cases, or a small one in front of a bracket."""
    sign = letter[1]
    behind = hidden[letter.end() :][:1]
    return sign.isupper() or not sign.isascii() or behind == ")"


def _stands_in(value: str, text: str) -> bool:
    """Whether a value stands in a text, and not in the middle of a word or a number."""
    place = text.find(value)
    if place < 0:
        return False
    before = text[:place][-1:]
    behind = text[place + len(value) :][:2]
    begins = before.isalnum() or before in ".-"
    goes_on = behind[:1].isalnum() or (
        behind[:1] in (".", ",") and behind[1:].isdigit()
    )
    return not begins and not goes_on


# Numbers -----------------------------------------------------------------------------------------


def _number(text: str) -> str:
    """The whole number of one or two digits that a gold is, whatever it wears."""
    bare = (re.fullmatch(r"(\d{1,2})(?:\.0)?", one) for one in undressed(text[:80]))
    return next((match[1] for match in bare if match), "")


def is_number(value: Any) -> bool:
    """Whether a gold is a bare number that may be an index."""
    value = _alone(value)
    return not isinstance(value, list | dict | bool) and bool(_number(as_text(value)))


def _alone(value: Any) -> Any:
    """The only entry of a list, else the value."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def readings(number: str, choices: Choices) -> dict[str, str]:
    """What a bare number may mean, and the label that it names then."""
    options = choices.options
    place = int(number)
    labels = {"value": _value(number, options)}
    if len(choices.signs) == len(options):
        signs = [unicodedata.normalize("NFKC", sign) for sign in choices.signs]
        if number in signs:
            labels["label"] = options[signs.index(number)].label
    for first in () if "label" in labels else (0, 1):  # what is printed counts
        inside = 0 <= place - first < len(options)
        labels[f"index-{first}"] = options[place - first].label if inside else ""
    return {name: label for name, label in labels.items() if label}


def _counted(number: str, text: str, choices: Choices, counting: str) -> Gold:
    """The option that a number names by the way in which the source counts."""
    labels = readings(number, choices)
    if counting in labels:
        return Gold(labels[counting], text)
    if (counting and counting != UNCLEAR) or not labels:
        return Gold(text)
    if not counting and len({*labels.values()}) == 1:
        return Gold(next(iter(labels.values())), text)
    means = ", ".join(f"{label} by {name}" for name, label in labels.items())
    return Gold(
        text, doubt=f"{text} may be {means}: say options: {{gold: ...}} of the source"
    )


def check_counting(name: Any) -> None:
    """Raises UserError for another way of counting."""
    if name not in get_args(Counting):
        raise UserError(f"gold: {name!r}", nearest(str(name), list(get_args(Counting))))


def counting_of(rows: Iterable[tuple[Any, Choices]]) -> str:
    """How the rows of a source count: the only reading of bare numbers that all of them allow.

    Where several do and never differ it is any of them, where they differ it is `UNCLEAR`; "" where
    no gold is a number.

    >>> from .options import read_options
    >>> counting_of((gold, read_options(["x", "y", "z"])) for gold in (0, 1, 2))
    'index-0'
    """
    possible: set[str] = set(get_args(Counting))
    named: dict[str, list[str]] = {name: [] for name in possible}
    for gold, choices in rows:
        value = _alone(gold)
        if not choices.options or isinstance(value, list | dict | bool):
            continue
        if is_number(value):
            labels = readings(_number(as_text(value)), choices)
        elif label := _value(as_text(value), choices.options):
            labels = {"value": label}
        else:
            continue
        possible &= labels.keys()
        for name in possible:
            named[name].append(labels[name])
        if not possible:
            return UNCLEAR
    columns = {tuple(named[name]) for name in possible}
    if len(columns) > 1:
        return UNCLEAR
    return min(possible, key=get_args(Counting).index) if any(columns.pop()) else ""
