"""The options of a problem: the labels that its text ends in, in the signs that count options here.

Capital letters count options. Small and circled ones count parts of a question, too: they are
options only in an exam that prints them so throughout.
"""

from __future__ import annotations

import re
from collections import Counter

import msgspec

from ..problem import Option
from .golds import several
from .options import LETTERS, Choices, covered, options_in_question

CIRCLED = "①②③④⑤⑥⑦⑧"
ALPHABETS = (LETTERS, LETTERS.lower(), CIRCLED)
ASKS = re.compile(  # an option asks nothing; a part of a question does
    r"[?？]|^\s*(?:find|prove|show|calculate|compute|determine|explain|draw|write|state|give|what"
    r"|how|which|why|hence|sketch|verify|solve|evaluate|express|construct|let|if|using|discuss"
    r"|describe|graph|plot|simplify)\b|求|证明|写出|画出|其中|的是",
    re.I,
)


class Stem(msgspec.Struct, frozen=True):
    """A problem's text, its options, and what looked doubtful."""

    text: str
    options: list[Option] = []
    flags: list[str] = []
    right: str = ""  # the label of the option that is marked as right
    marks: str = ""  # what marks it


_LABEL = re.compile(
    r"(?<![A-Za-z])[(（\[][ \t]*([A-Ha-h])[ \t]*[)）\]]|([①-⑧])"
    r"|(?:(?<=[\s\ufdd3)）>;；])|^)([A-Ha-h])(?:[ \t]*(?:[．、:：]|\.(?!\.))(?!\w*\.\w)|\)(?!\)))"
)


def option_runs(covered: str, alphabets: tuple[str, ...] = ALPHABETS) -> list[int]:
    """Where complete runs of at least four labels start in a blinded text."""
    labels = _labels(covered)
    starts: list[int] = []
    for alphabet in alphabets:
        own = [label for label in labels if label[0] in alphabet]
        letters = "".join(sign for sign, _ in own)
        starts += [own[m.start()][1] for m in re.finditer(alphabet[:4], letters)]
    return sorted(starts)


def _labels(covered: str) -> list[tuple[str, int]]:
    """The signs of all labels, with their places."""
    return [
        (next(filter(None, m.groups())), m.start()) for m in _LABEL.finditer(covered)
    ]


def stems(texts: list[str]) -> list[Stem]:
    """The problems of an exam without their options, which one alphabet counts in all of them."""
    found = [_options(text) for text in texts]
    lengths: dict[str, list[int]] = {alphabet: [] for alphabet in ALPHABETS}
    parts = set[
        str
    ]()  # alphabets that count something that is asked, or just two or three
    for text, (_, choices) in zip(texts, found, strict=True):
        signs = "".join(sign for sign, _ in _labels(covered(text)))
        parts |= {a for a in ALPHABETS[1:] if a[:2] in signs and a[:4] not in signs}
        for alphabet in ALPHABETS:
            if len(choices.signs) > 3 and set(choices.signs) <= set(alphabet):
                if alphabet != LETTERS and _asked(choices):
                    parts.add(alphabet)
                else:
                    lengths[alphabet].append(len(choices.options))
    best = max(ALPHABETS, key=lambda alphabet: len(lengths[alphabet]))
    steady = max(Counter(lengths[best]).values(), default=0) >= 0.8 * len(lengths[best])
    if not steady or 5 * len(lengths[best]) < len(texts):
        best = LETTERS
    doubt = {a for a in ALPHABETS[1:] if a not in parts and len({*lengths[a]}) == 1}
    read = [
        _stem(text, *one, best, doubt) for text, one in zip(texts, found, strict=True)
    ]
    for _ in range(3):  # `✓ **CORRECT**` are two
        read = _without_mark(read)
    return _without_title(read)


_TITLE = re.compile(r"\n[ \t]*(?:\*\*)?[^\W\d_]+[:：]?(?:\*\*)?[:：]?\Z")


def _without_title(read: list[Stem]) -> list[Stem]:
    """Stems without the word that stands alone above the options of most: `**Options:**`."""
    ends = [_TITLE.search(stem.text) if stem.options else None for stem in read]
    words = Counter(end[0] for end in ends if end)
    word, times = max(words.items(), key=lambda item: item[1], default=("", 0))
    if times < max(3, len(read) / 2):
        return read
    return [
        msgspec.structs.replace(
            stem, text=stem.text[: end.start()].rstrip(), marks=stem.marks + word
        )
        if end and end[0] == word
        else stem
        for stem, end in zip(read, ends, strict=True)
    ]


def _without_mark(read: list[Stem]) -> list[Stem]:
    """Stems without the mark of right options: what ends exactly one option of nearly every
    problem, and not the same one of all.
    """
    ends = [[_end(option.text) for option in stem.options] for stem in read]
    once = Counter(end for own in ends for end in own if end and own.count(end) == 1)
    mark, times = max(once.items(), key=lambda item: item[1], default=("", 0))
    held = [mark in own for own in ends if own]
    places = {own.index(mark) for own in ends if mark in own}
    if times < max(3, 0.9 * len(held)) or times != sum(held) or len(places) < 2:
        return read
    return [
        _unmarked(stem, own.index(mark), mark) if mark in own else stem
        for stem, own in zip(read, ends, strict=True)
    ]


def _end(text: str) -> str:
    """The last word of an option that has several."""
    return text.rpartition(" ")[2] if " " in text.strip() else ""


def _unmarked(stem: Stem, k: int, mark: str) -> Stem:
    """The stem whose k-th option is right, and shows it no more."""
    options = [*stem.options]
    options[k] = Option(
        label=options[k].label, text=options[k].text.removesuffix(mark).rstrip()
    )
    marks = f"{mark} {stem.marks}"
    return msgspec.structs.replace(
        stem, options=options, right=options[k].label, marks=marks
    )


def split_options(text: str) -> Stem:
    """Cut the options A, B, C, ... off a problem's text.

    >>> s = split_options("Find $x$. (A) 1 (B) 2 (C) 3")
    >>> s.text, [(o.label, o.text) for o in s.options]
    ('Find $x$.', [('A', '1'), ('B', '2'), ('C', '3')])
    """
    return _stem(text, *_options(text), LETTERS, set())


_BARE = (  # behind wide spaces, else behind any: `A 3 h  B On A`
    re.compile(r"(?:(?<![^\n])|(?<=[ \t　]{2}))([A-H])(?=\s|\Z)"),
    re.compile(r"(?<![^\s\ufdd3])([A-H])(?=\s|\Z)"),
)


def _options(text: str) -> tuple[str, Choices]:
    """What stands behind the labelled texts that a text ends in, and these."""
    hidden = covered(text)
    start = (option_runs(hidden, ALPHABETS[:1]) or option_runs(hidden) or [0])[-1]
    stem, choices = _labelled(text[start:])
    if choices.signs[:1] not in (["A"], ["a"], ["①"]) and (bare := _bare(hidden)):
        start = bare[0].start()
        for label in reversed(bare):
            text = f"{text[: label.start()]}({label[1]}){text[label.end() :]}"
        stem, choices = _labelled(text[start:])
    behind = stem.removeprefix(choices.before).strip() if choices.options else ""
    choices.before = text[:start] + choices.before
    return behind, choices


def _bare(covered: str) -> list[re.Match[str]]:
    """The letters A, B, C, D, .. without marks that a text ends in, from the start of a line on."""
    for pattern in _BARE:
        found = [*pattern.finditer(covered)]
        letters = "".join(match[1] for match in found)
        found = found[letters.rfind("A") :]
        at_line = found and not covered[: found[0].start()].rpartition("\n")[2].strip(
            " \ufdd3"
        )
        if len(found) > 3 and at_line and LETTERS.startswith(letters[-len(found) :]):
            return found
    return []


def _labelled(text: str) -> tuple[str, Choices]:
    try:
        return options_in_question(text)
    except ValueError:  # more than there are letters
        return text, Choices()


_PICTURES = re.compile(r"(?:<image\d+>\s*+)++\Z")
_SPACE = r"(?:\s|\\(?:[\s,;:!\\]|\Z|q?quad(?![A-Za-z]))|\$\s*(?:\\q?quad\s*)+\$)"
_EDGE = re.compile(rf"\A{_SPACE}++|(?:(?<!\s)|\A){_SPACE}++\Z|\n[ \t]*[-*][ \t]*\Z")


def _stem(
    text: str, behind: str, choices: Choices, alphabet: str, doubt: set[str]
) -> Stem:
    signs = "".join(choices.signs)
    texts = [_EDGE.sub("", option.text) for option in choices.options]
    texts = [""] * len(texts) if texts == choices.signs else texts
    whole = signs == alphabet[: len(signs)] and (
        len(signs) > 3 or all(texts) or not any(texts)
    )
    if len(signs) < 3 or not whole:
        flags = ["options-not-split"] if _left_over(text, choices) else []
        if (
            len(signs) > 3
            and not _asked(choices)
            and any(set(signs) <= set(a) for a in doubt)
        ):
            flags.append("options-or-parts")
        return Stem(text.strip(), flags=flags)
    flags = []
    if not all(sign in mark for sign, mark in zip(signs, choices.marks, strict=False)):
        flags.append("options-out-of-order")
    if behind and not _PICTURES.fullmatch(behind):
        flags.append("text-after-options")
    pictures = _PICTURES.search(texts[-1])
    alone = pictures and not any(map(_PICTURES.search, texts[:-1]))
    if pictures and alone and (pictures.start() or not any(texts[:-1])):
        texts[-1], behind = (
            texts[-1][: pictures.start()].rstrip(),
            f"{pictures[0]}\n{behind}",
        )
    if any(texts) and not all(texts):
        flags.append("empty-option")
    options = [
        Option(label=x, text=t or x) for x, t in zip(LETTERS, texts, strict=False)
    ]
    stem = _EDGE.sub("", choices.before)
    return Stem(f"{stem}\n{behind}".strip(), options, flags)


def _asked(choices: Choices) -> bool:
    return any(ASKS.search(option.text) for option in choices.options)


_ALONE = re.compile(
    r"(?m)(?:^|[\s$>])[^\w\s]{0,3}([A-E])(?:\s*[.．、)）]|\s+\$|[ \t]{2}|[ \t]*$)"
)


def _left_over(text: str, choices: Choices) -> bool:
    """Whether labels that belong to no run hint at options that were not recognised."""
    some = choices.signs[:2] == ["A", "B"] and not _asked(choices)
    bracketed = re.search(r"[(（]\s*[A-E]\s*[)）]", covered(text))
    return bool(some or bracketed or len({*_ALONE.findall(text)}) > 2)


# Answers that name options ------------------------------------------------------------------------


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
