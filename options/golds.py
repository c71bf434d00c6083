"""The gold of a problem, however a table spells it: one reading, against the problem's options.

A label in any dress (in brackets, in a box, `②`), several, a label with its text, the value of an
option, marks of right and wrong, an index, or a sentence that names one of them. An index is read
only where the rows of a source allow one way of counting (`counting_of`).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal, get_args

import msgspec

from ..errors import UserError, nearest
from ..latex import read_boxed
from ..problem import Option
from .literals import literal
from .options import LETTERS, Choices, as_text, covered, ranks

Counting = Literal["value", "label", "index-0", "index-1"]
UNCLEAR = (
    "unclear"  # the rows of the source allow several readings that differ, or none
)
LONGEST = 2_000  # characters of a gold that may name an option


class Gold(msgspec.Struct, frozen=True):
    """A gold as read; `said` is what the row says where that is more than the answer."""

    answer: str
    said: str = ""
    doubt: str = ""
    several: bool = False  # values, not options
    worked: str = ""  # the solution that a gold was, with its answer in a box


# Dress -------------------------------------------------------------------------------------------

_DRESS = re.compile(
    r"\$\$(?P<a>.+)\$\$|\$(?P<b>[^$]+)\$|\\\((?P<c>.+)\\\)|\\\[(?P<d>.+)\\\]"
    r"|\\(?:boxed|fbox|text|textbf|mathbf|mathrm|textrm|operatorname|mathsf|bold)\s*\{(?P<e>.+)\}"
    r"|\*\*(?P<f>.+)\*\*|__(?P<g>.+)__|[(（\[【〔「<{](?P<h>[^()（）\[\]{}]+)[)）\]】〕」>}]"
    r"|(?P<quote>[\"'`])(?P<i>.+)(?P=quote)|(?P<j>.+?)\s*[.．。:：;；,，、)）]",
    re.S,
)
# commands at the end of a text that show nothing (closed: those of TeX's line and page)
_LAYOUT = re.compile(
    r"(?:\s|\\\\|\\(?:noindent|par|quad|qquad|hfill|newline|smallskip|medskip|bigskip)(?![A-Za-z]))+$"
)
_SPACES = re.compile(
    r"\\[,;:! ]|\\q?quad(?![A-Za-z])|\\(?:left|right)(?![A-Za-z])|[\s~$]+"
)


def undressed(text: str) -> Iterator[str]:
    r"""A gold, and what is left of it when box, dollars, brackets, marks are taken off, one by one.

    >>> [*undressed(r"$\boxed{\text{B}}$.")][-1]
    'B'
    """
    text = text.strip()
    yield text
    for _ in range(8):
        match = _DRESS.fullmatch(text)
        if not match:
            return
        groups = {
            name: inner for name, inner in match.groupdict().items() if name != "quote"
        }
        text = next(inner for inner in groups.values() if inner is not None).strip()
        yield text


def plain(text: str) -> str:
    """A value without its looks, to be compared: dollars, spaces, widths, `\\dfrac`, a last dot."""
    text = unicodedata.normalize("NFKC", _SPACES.sub("", text))
    for one, other in (
        ("\\dfrac", "\\frac"),
        ("\\tfrac", "\\frac"),
        ("−", "-"),
        ("–", "-"),
    ):
        text = text.replace(one, other)
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
        return Gold(
            _joined(o.label for o, r in zip(options, choices.right, strict=True) if r)
        )
    if isinstance(value, str) and (inner := literal(value)) is not None:
        value = inner if _is_list(inner) or _marks(inner, options) else value
    if marks := _marks(value, options):
        return Gold(
            _joined(o.label for o, right in zip(options, marks, strict=True) if right)
        )
    if isinstance(value, dict) and options:
        value = _of_record(value)
    if isinstance(value, list | tuple):
        return _of_list(list(value), choices, counting)
    whole = as_text(value).strip()
    said = _LAYOUT.sub("", whole)
    if found := _boxed(said):
        gold = read_gold(found[0] if len(found) == 1 else found, choices, counting)
        return msgspec.structs.replace(gold, said="", worked=whole)
    if not options or not said.strip() or len(said) > LONGEST:
        return Gold(said, whole if said != whole else "")
    if any(said == option.label for option in options) and said.isalpha():
        return Gold(said)
    if number := _number(said):
        return _counted(number, said, choices, counting)
    labels = _labels(choices)
    for bare in undressed(said):
        if (label := _label(bare, labels)) or (label := _value(bare, options)):
            return Gold(label, _more(said, label))
        if letters := several(bare, labels):
            return Gold(letters, _more(said, letters))
    if label := _labelled_text(said, labels, options):
        return Gold(label, said)
    if label := _in_sentence(said, labels, options):
        return Gold(label, said)
    return Gold(said)


def _boxed(said: str) -> list[str]:
    r"""The boxed answers of a worked solution; nothing where a gold is no more than its box.

    >>> _boxed(r"It is $2 + 2 = \boxed{4}$."), _boxed(r"$\boxed{4}$")
    (['4'], [])
    """
    try:
        found = list(dict.fromkeys(read_boxed(said))) if "box" in said else []
    except UserError:  # a box without its end is no answer
        return []
    return [] if found and found[0] in undressed(said) else found


def _is_list(value: Any) -> bool:
    """Lists of texts or marks; `[2, 6]` may be an interval."""
    if isinstance(value, dict):
        return bool(value)
    marks = isinstance(value, list) and all(
        isinstance(one, str | bool) for one in value
    )
    return bool(value) and (marks or (isinstance(value, list) and len(value) == 1))


def _marks(value: Any, options: list[Option]) -> list[Any]:
    """Which options are right, where a list or a record marks each of them by 0 or 1."""
    if isinstance(value, dict):
        marks = {plain(str(name)): mark for name, mark in value.items()}
        names = [plain(option.text) for option in options]
        value = (
            [marks.get(name) for name in names]
            if len({*names} & {*marks}) == len(marks)
            else 0
        )
    whole = isinstance(value, list) and len(value) == len(options) > 1
    return (
        value if whole and all(mark in (0, 1) for mark in value) and any(value) else []
    )


def _of_record(record: dict[str, Any]) -> Any:
    """`{"label": "B", "text": "4"}`: the sign where one is named, else the only value."""
    for name in ("label", "letter", "key", "option", "answer", "value", "text"):
        if isinstance(record.get(name), str | int | list):
            return record[name]
    return (
        next(iter(record.values()))
        if len(record) == 1
        else msgspec.json.encode(record).decode()
    )


def _of_list(values: list[Any], choices: Choices, counting: str) -> Gold:
    options = choices.options
    if len(values) == 1:
        return read_gold(values[0], choices, counting)
    texts = [as_text(value) for value in values]
    if options and values:
        read = [read_gold(value, choices, counting).answer for value in values]
        known = {option.label for option in options}
        if known.issuperset(read) and len(set(read)) == len(read):
            return Gold(_joined(read), ", ".join(texts) if read != texts else "")
        return Gold(msgspec.json.encode(values).decode())
    return Gold(", ".join(texts), several=len(texts) > 1)


def _joined(labels: Iterable[str]) -> str:
    return "".join(sorted(labels))


def _more(said: str, answer: str) -> str:
    """What the row says, where letters or digits of it are not the answer's."""
    return "" if plain(re.sub(r"\W|\\[a-z]+", "", said)) == answer.casefold() else said


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
    for one in (text.casefold(), sign, sign.rpartition("_")[2]):  # `option_b`
        if one in labels:
            return labels[one]
    if len(text) == 1 and not text.isascii():
        for _, rank in ranks(text):
            if rank < len(LETTERS) and LETTERS[rank] in labels.values():
                return LETTERS[rank]
    return ""


def _value(text: str, options: list[Option]) -> str:
    """The label of the only option that says this."""
    wanted = plain(text)
    same = [option.label for option in options if plain(option.text) == wanted]
    return same[0] if len(same) == 1 and wanted else ""


_AND = re.compile(r"[\s,，、;；&/+|]+|\band\b|和|与|и\b", re.I)


def several(text: str, labels: dict[str, str]) -> str:
    """`ABD`, `A, B and D`, `①③`: two labels or more, each once."""
    parts = [
        part.strip("().（）[]") for part in _AND.split(text) if part.strip("().（）[]")
    ]
    if (
        len(parts) == 1
        and 1 < len(text) <= len(labels)
        and (text.isupper() or not text.isascii())
    ):
        parts = list(text)
    found = [_label(part, labels) for part in parts]
    return (
        _joined(found)
        if len(found) > 1 and all(found) and len({*found}) == len(found)
        else ""
    )


_FRONT = re.compile(
    r"\W*?(?:[^\W\d_]{2,12}\s+)?(?P<sign>[^\W_]{1,2}|[①-⓿])(?P<mark>\s*[)）\].．:：、,，*=-]+\s*|\s+)(?P<rest>\S.*)",
    re.S,
)


def _labelled_text(text: str, labels: dict[str, str], options: list[Option]) -> str:
    """`B. 4`: a label whose option says the rest."""
    match = _FRONT.match(text)
    label = _label(match["sign"], labels) if match else ""
    if not match or not label:
        return ""
    own = next((plain(option.text) for option in options if option.label == label), "")
    return label if own and plain(match["rest"]) == own else ""


def _in_sentence(text: str, labels: dict[str, str], options: list[Option]) -> str:
    """The only option that a sentence names: by its label, else by its value."""
    if len(text.split()) < 2 and text.isascii():
        return ""
    blind = covered(text)
    named = list(re.finditer(r"(?<![^\W_])([^\W\d_])(?![^\W_]|['’])", blind))
    if not named and not text.isascii():
        named = list(re.finditer(r"(?<![A-Za-z])([A-Z])(?![A-Za-z])", blind))
    signs = [
        m
        for m in named
        if m[1].isupper() or not m[1].isascii() or blind[m.end() :][:1] == ")"
    ]
    letters = {labels[m[1].casefold()] for m in signs if m[1].casefold() in labels}
    article = re.search(r"(?<![^\W_])A\s+[a-z]", blind) is not None
    values = {o.label for o in options if plain(o.text) and _stands_in(o.text, text)}
    if len(letters) == 1 and (
        letters <= values or not (values or (article and letters == {"A"}))
    ):
        return letters.pop()
    return values.pop() if not letters and len(values) == 1 else ""


def _stands_in(value: str, text: str) -> bool:
    place = text.find(value)
    if place < 0:
        return False
    before, behind = text[:place][-1:], text[place + len(value) :][:2]
    return not (before.isalnum() or before in ".-") and not (
        behind[:1].isalnum() or (behind[:1] in (".", ",") and behind[1:].isdigit())
    )


# Numbers -----------------------------------------------------------------------------------------


def _number(said: str) -> str:
    """The whole number of one or two digits that a gold is, whatever it wears."""
    bare = (re.fullmatch(r"(\d{1,2})(?:\.0)?", one) for one in undressed(said[:80]))
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
    options, place = choices.options, int(number)
    found = {"value": _value(number, options)}
    if len(choices.signs) == len(options):
        signs = [unicodedata.normalize("NFKC", sign) for sign in choices.signs]
        found |= (
            {"label": options[signs.index(number)].label} if number in signs else {}
        )
    for first in () if "label" in found else (0, 1):  # what is printed counts
        inside = 0 <= place - first < len(options)
        found[f"index-{first}"] = options[place - first].label if inside else ""
    return {name: label for name, label in found.items() if label}


def _counted(number: str, said: str, choices: Choices, counting: str) -> Gold:
    found = readings(number, choices)
    if counting in found:
        return Gold(found[counting], said)
    if (counting and counting != UNCLEAR) or not found:
        return Gold(said)
    if not counting and len({*found.values()}) == 1:
        return Gold(next(iter(found.values())), said)
    means = ", ".join(f"{label} by {name}" for name, label in found.items())
    return Gold(
        said, doubt=f"{said} may be {means}: say options: {{gold: ...}} of the source"
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
    for given, choices in rows:
        value = _alone(given)
        if not choices.options or isinstance(value, list | dict | bool):
            continue
        if is_number(value):
            found = readings(_number(as_text(value)), choices)
        elif label := _value(as_text(value), choices.options):
            found = {"value": label}
        else:
            continue
        possible &= found.keys()
        for name in possible:
            named[name].append(found[name])
        if not possible:
            return UNCLEAR
    said = Counter(tuple(named[name]) for name in possible)
    if len(said) > 1 or not any(next(iter(said))):
        return UNCLEAR if len(said) > 1 else ""
    return min(possible, key=get_args(Counting).index)
