"""The options of a problem: the labels that its text ends in, in the signs that count options here.

Capital letters count options. Small and circled ones count parts of a question, too: they are
options only in an exam that prints them so throughout.
"""

from __future__ import annotations

import re
from collections import Counter

import msgspec

from ..problem import Option
from ..words import CIRCLED, LETTERS, OPTION, OPTION_IN_EITHER_CASE
from .choices import Choices
from .golds import several
from .runs import covered
from .texts import options_in_question

ALPHABETS = (LETTERS, LETTERS.lower(), CIRCLED)
ASKS = re.compile(  # an option asks nothing; a part of a question does
    r"[?？]|^\s*(?:find|prove|show|calculate|compute|determine|explain|draw|write|state|give|what"
    r"|how|which|why|hence|sketch|verify|solve|evaluate|express|construct|let|if|using|discuss"
    r"|describe|graph|plot|simplify)\b|求|证明|写出|画出|其中|的是",
    re.I,
)
_FEW = 3  # labels: more are a run, which says by itself that it counts options
_USUAL = 0.8  # the share of problems that must have equally many options
_OFTEN = 5  # one problem in so many must have the options of an alphabet
_MARKED = 0.9  # the share of problems in which exactly one option ends in the mark of right ones

_EITHER = OPTION_IN_EITHER_CASE
_IN_BRACKETS = rf"(?<![A-Za-z])[(（\[][ \t]*([{_EITHER}])[ \t]*[)）\]]"  # no f(a)
_WITH_MARK = (  # `A.`, `A)`, `A：`; no `A..`, no `a.m.`
    rf"(?:(?<=[\s\ufdd3)）>;；])|^)([{_EITHER}])"
    r"(?:[ \t]*(?:[．、:：]|\.(?!\.))(?!\w*\.\w)|\)(?!\)))"
)
_LABEL = re.compile(rf"{_IN_BRACKETS}|([{CIRCLED[0]}-{CIRCLED[-1]}])|{_WITH_MARK}")
_BARE = (  # letters without marks behind wide spaces, else behind any: `A 3 h  B On A`
    re.compile(rf"(?:(?<![^\n])|(?<=[ \t　]{{2}}))([{OPTION}])(?=\s|\Z)"),
    re.compile(rf"(?<![^\s\ufdd3])([{OPTION}])(?=\s|\Z)"),
)
_TITLE = re.compile(r"\n[ \t]*(?:\*\*)?[^\W\d_]+[:：]?(?:\*\*)?[:：]?\Z")
_PICTURES = re.compile(r"(?:<image\d+>\s*+)++\Z")
_SPACE = r"(?:\s|\\(?:[\s,;:!\\]|\Z|q?quad(?![A-Za-z]))|\$\s*(?:\\q?quad\s*)+\$)"
# Spaces around an option, also those of TeX, and the bullet of the next one.
_EDGE = re.compile(rf"\A{_SPACE}++|(?:(?<!\s)|\A){_SPACE}++\Z|\n[ \t]*[-*][ \t]*\Z")
# Letters that may label something: in brackets, or alone with a mark, a formula or a gap behind.
_BRACKETED = re.compile(r"[(（]\s*[A-E]\s*[)）]")
_ALONE = re.compile(
    r"(?m)(?:^|[\s$>])[^\w\s]{0,3}([A-E])(?:\s*[.．、)）]|\s+\$|[ \t]{2}|[ \t]*$)"
)


class Stem(msgspec.Struct, frozen=True):
    """A problem's text, its options, and what looked doubtful."""

    text: str
    options: list[Option] = []
    flags: list[str] = []
    right: str = ""  # the label of the option that is marked as right
    marks: str = ""  # what marks it


class _Reading(msgspec.Struct):
    """The options that a problem's text ends in, and what stands behind them."""

    behind: str
    choices: Choices

    @property
    def signs(self) -> str:
        return "".join(self.choices.signs)

    @property
    def asks(self) -> bool:
        """Whether an option asks something, as parts of a question do."""
        return any(ASKS.search(option.text) for option in self.choices.options)

    def counted_by(self, alphabet: str) -> bool:
        return set(self.choices.signs) <= set(alphabet)


def option_runs(hidden: str, alphabets: tuple[str, ...] = ALPHABETS) -> list[int]:
    """Where complete runs of at least four labels start in a blinded text."""
    labels = _labels(hidden)
    starts: list[int] = []
    for alphabet in alphabets:
        places = [place for sign, place in labels if sign in alphabet]
        signs = "".join(sign for sign, _ in labels if sign in alphabet)
        starts += [places[run.start()] for run in re.finditer(alphabet[:4], signs)]
    return sorted(starts)


def _labels(hidden: str) -> list[tuple[str, int]]:
    """The signs of all labels, with their places."""
    return [
        (match[match.lastindex or 0], match.start())
        for match in _LABEL.finditer(hidden)
    ]


def split_options(text: str) -> Stem:
    """Cut the options A, B, C, ... off a problem's text.

    >>> s = split_options("Find $x$. (A) 1 (B) 2 (C) 3")
    >>> s.text, [(o.label, o.text) for o in s.options]
    ('Find $x$.', [('A', '1'), ('B', '2'), ('C', '3')])
    """
    return _stem(text, _read(text), LETTERS, set())


def stems(texts: list[str]) -> list[Stem]:
    """The problems of an exam without their options, which one alphabet counts in all of them."""
    readings = [_read(text) for text in texts]
    alphabet, doubtful = _alphabet(texts, readings)
    pairs = zip(texts, readings, strict=True)
    exam = [_stem(text, reading, alphabet, doubtful) for text, reading in pairs]
    for _ in range(3):  # `✓ **CORRECT**` are two
        exam = _without_mark(exam)
    return _without_title(exam)


def _alphabet(texts: list[str], readings: list[_Reading]) -> tuple[str, set[str]]:
    """What counts the options of an exam, and what may count them or parts as well."""
    counts: dict[str, list[int]] = {alphabet: [] for alphabet in ALPHABETS}
    of_parts = set[str]()  # alphabets that count what is asked, or just two or three
    for text, reading in zip(texts, readings, strict=True):
        signs = "".join(sign for sign, _ in _labels(covered(text)))
        of_parts |= {a for a in ALPHABETS[1:] if a[:2] in signs and a[:4] not in signs}
        for alphabet in ALPHABETS:
            if len(reading.signs) > _FEW and reading.counted_by(alphabet):
                if alphabet != LETTERS and reading.asks:
                    of_parts.add(alphabet)
                else:
                    counts[alphabet].append(len(reading.choices.options))
    best = max(ALPHABETS, key=lambda alphabet: len(counts[alphabet]))
    problems = len(counts[best])
    usual = max(Counter(counts[best]).values(), default=0)
    if usual < _USUAL * problems or _OFTEN * problems < len(texts):
        best = LETTERS
    steady = {a for a in ALPHABETS[1:] if len({*counts[a]}) == 1}
    return best, steady - of_parts


# One problem -------------------------------------------------------------------------------------


def _read(text: str) -> _Reading:
    """What stands behind the labelled texts that a text ends in, and these."""
    hidden = covered(text)
    start = (option_runs(hidden, ALPHABETS[:1]) or option_runs(hidden) or [0])[-1]
    stem, choices = _labelled(text[start:])
    starts = choices.signs[:1]
    if starts not in [[a[0]] for a in ALPHABETS] and (bare := _bare(hidden)):
        start = bare[0].start()
        for label in reversed(bare):
            text = f"{text[: label.start()]}({label[1]}){text[label.end() :]}"
        stem, choices = _labelled(text[start:])
    behind = stem.removeprefix(choices.before).strip() if choices.options else ""
    choices.before = text[:start] + choices.before
    return _Reading(behind, choices)


def _bare(hidden: str) -> list[re.Match[str]]:
    """The letters A, B, C, D, .. without marks that a text ends in, from the start of a line on."""
    for pattern in _BARE:
        letters = [*pattern.finditer(hidden)]
        signs = "".join(letter[1] for letter in letters)
        run = letters[signs.rfind("A") :]
        if len(run) > _FEW and LETTERS.startswith(signs[-len(run) :]):
            line = hidden[: run[0].start()].rpartition("\n")[2]
            if not line.strip(" \ufdd3"):
                return run
    return []


def _labelled(text: str) -> tuple[str, Choices]:
    try:
        return options_in_question(text)
    except ValueError:  # more than there are letters
        return text, Choices()


def _stem(text: str, reading: _Reading, alphabet: str, doubtful: set[str]) -> Stem:
    choices = reading.choices
    signs = reading.signs
    texts = [_EDGE.sub("", option.text) for option in choices.options]
    if texts == choices.signs:
        texts = [""] * len(texts)
    counts = signs == alphabet[: len(signs)]
    is_filled = len(signs) > _FEW or all(texts) or not any(texts)
    if len(signs) < 3 or not (counts and is_filled):
        return Stem(text.strip(), flags=_doubts(text, reading, doubtful))
    flags: list[str] = []
    if not all(sign in mark for sign, mark in zip(signs, choices.marks, strict=False)):
        flags.append("options-out-of-order")
    behind = reading.behind
    if behind and not _PICTURES.fullmatch(behind):
        flags.append("text-after-options")
    if picture := _of_the_stem(texts):
        texts[-1] = texts[-1][: picture.start()].rstrip()
        behind = f"{picture[0]}\n{behind}"
    if any(texts) and not all(texts):
        flags.append("empty-option")
    options = [
        Option(label=label, text=option or label)
        for label, option in zip(LETTERS, texts, strict=False)
    ]
    stem = _EDGE.sub("", choices.before)
    return Stem(f"{stem}\n{behind}".strip(), options, flags)


def _of_the_stem(texts: list[str]) -> re.Match[str] | None:
    """Pictures that end the last option alone: they stand below all, and belong to the stem."""
    pictures = _PICTURES.search(texts[-1])
    if not pictures or any(map(_PICTURES.search, texts[:-1])):
        return None
    is_option = not pictures.start() and any(texts[:-1])
    return None if is_option else pictures


def _doubts(text: str, reading: _Reading, doubtful: set[str]) -> list[str]:
    """What is doubtful where a text is left whole."""
    flags = ["options-not-split"] if _left_over(text, reading) else []
    is_run = len(reading.signs) > _FEW and not reading.asks
    if is_run and any(map(reading.counted_by, doubtful)):
        flags.append("options-or-parts")
    return flags


def _left_over(text: str, reading: _Reading) -> bool:
    """Whether labels that belong to no run hint at options that were not recognised."""
    begins = reading.choices.signs[:2] == ["A", "B"] and not reading.asks
    is_bracketed = _BRACKETED.search(covered(text)) is not None
    return begins or is_bracketed or len({*_ALONE.findall(text)}) > 2


# All problems ------------------------------------------------------------------------------------


def _without_title(exam: list[Stem]) -> list[Stem]:
    """Stems without the word that stands alone above the options of most: `**Options:**`."""
    titles = [_TITLE.search(stem.text) if stem.options else None for stem in exam]
    times = Counter(title[0] for title in titles if title)
    [(usual, count)] = times.most_common(1) or [("", 0)]
    if count < max(3, len(exam) / 2):
        return exam
    return [
        _untitled(stem, title) if title and title[0] == usual else stem
        for stem, title in zip(exam, titles, strict=True)
    ]


def _untitled(stem: Stem, title: re.Match[str]) -> Stem:
    text = stem.text[: title.start()].rstrip()
    return msgspec.structs.replace(stem, text=text, marks=stem.marks + title[0])


def _without_mark(exam: list[Stem]) -> list[Stem]:
    """Stems without the mark of right options: what ends exactly one option of nearly every
    problem, and not the same one of all.
    """
    ends = [[_last_word(option.text) for option in stem.options] for stem in exam]
    times = Counter(
        word for words in ends for word in words if word and words.count(word) == 1
    )
    [(mark, count)] = times.most_common(1) or [("", 0)]
    holders = [words for words in ends if mark in words]
    with_options = sum(map(bool, ends))
    places = {words.index(mark) for words in holders}
    is_steady = count >= max(3, _MARKED * with_options) and count == len(holders)
    if not is_steady or len(places) < 2:
        return exam
    return [
        _unmarked(stem, words.index(mark), mark) if mark in words else stem
        for stem, words in zip(exam, ends, strict=True)
    ]


def _last_word(text: str) -> str:
    """The last word of an option that has several."""
    return text.rpartition(" ")[2] if " " in text.strip() else ""


def _unmarked(stem: Stem, place: int, mark: str) -> Stem:
    """The stem whose option at this place is right, and shows it no more."""
    options = [*stem.options]
    label = options[place].label
    text = options[place].text.removesuffix(mark).rstrip()
    options[place] = Option(label=label, text=text)
    marks = f"{mark} {stem.marks}"
    return msgspec.structs.replace(stem, options=options, right=label, marks=marks)


# Answers that name options -----------------------------------------------------------------------


def several_letters(answer: str, options: list[Option]) -> str:
    """`ABD` for an answer that names several options, as `A, B and D` does; else "".

    >>> options = [Option(label=x, text="") for x in "ABCD"]
    >>> several_letters("B、D", options), several_letters("B", options)
    ('BD', '')
    """
    if "\n" in answer or any(option.text.strip() == answer for option in options):
        return ""  # answers on lines of their own, or the segment AC
    return several(
        answer, {option.label.casefold(): option.label for option in options}
    )
