"""The options of one problem: the last run A, B, C, ... of labels of one shape, in prose."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache

import msgspec

from ...problem import Option
from .labels import ALPHABETS, ASKS, CIRCLED, LETTERS
from .plain_text import blind


class Stem(msgspec.Struct, frozen=True):
    """A problem's text, its options, and what looked doubtful."""

    text: str
    options: list[Option] = []
    flags: list[str] = []


@cache
def _shapes(alphabet: str) -> dict[str, re.Pattern[str]]:
    """Shape -> pattern of its labels, most explicit first; only capitals may stand bare."""
    if alphabet == CIRCLED:
        return {"circled": re.compile(f"([{CIRCLED}])[ \t]*[．、]?")}
    a = f"[{alphabet}]"
    shapes = {
        "brackets": rf"(?<![A-Za-z])[(（\[]\s*({a})\s*[)）\]]",
        "mark": rf"(?:(?<=[\s　\ufdd3)）>;；])|^)({a})"
        r"(?:[ \t]*(?:[．、:：]|\.(?!\.))(?![A-Za-z]*\.[A-Za-z])|\)(?!\)))",
    }
    if alphabet == LETTERS:
        line = rf"(?:(?<=\n)|^)[ \t]*+({a})(?=[ \t\n]|$)"
        shapes["spaced"] = rf"{line}|(?<=[ \t　]{{2}})({a})(?=[ \t\n]|$)"
        shapes["bare"] = rf"{line}|(?<=[ \t\ufdd3])({a})(?=[ \t\n]|$)"
    return {name: re.compile(pattern) for name, pattern in shapes.items()}


_SPACE = r"\s|\\[ ,;:!]|\\q?quad(?![A-Za-z])|\$\s*(?:\\q?quad\s*)+\$"
_LEADING, _RUNS = re.compile(rf"(?:{_SPACE})++"), re.compile(rf"(?:{_SPACE}|\\\\)++")
_PICTURES = re.compile(r"(?:<image\d+>\s*+)++")


def _trimmed(text: str) -> str:
    """The text without white space, `\\quad` and row ends around it."""
    leading = _LEADING.match(text)
    start = leading.end() if leading else 0
    runs = [run.start() for run in _RUNS.finditer(text, start) if run.end() == len(text)]
    return text[start : runs[-1] if runs else len(text)]


def _without_bullet(text: str) -> str:
    """The text without the bullet of the list item that would come next."""
    text = text.rstrip()
    return text[:-1].rstrip() if text.endswith(("-", "*")) else text


class _OptionLabel(msgspec.Struct, frozen=True):
    letter: str
    start: int
    end: int


def _last_bullet(body: str) -> str:
    """An option's text without the bullet of the next one, alone in the last line."""
    head, _, line = body.rpartition("\n")
    return head if line.strip(" \t") in ("-", "*") else body


def split_options(text: str, alphabet: str = LETTERS) -> Stem:
    """Cut the options off a problem's text; they are called A, B, C whatever the alphabet.

    >>> s = split_options("Find $x$. (A) 1 (B) 2 (C) 3")
    >>> s.text, [(o.label, o.text) for o in s.options]
    ('Find $x$.', [('A', '1'), ('B', '2'), ('C', '3')])
    """
    covered = blind(text)
    run, flags = _best_run(text, covered, alphabet)
    if not run:
        return Stem(text.strip(), flags=_left_over(text, covered, alphabet))
    return _cut(text, run, flags)


def _best_run(text: str, covered: str, alphabet: str) -> tuple[list[_OptionLabel], list[str]]:
    """The longest run of labels of one shape, and what is doubtful about it."""
    best: tuple[list[_OptionLabel], list[str]] = [], []
    for shape, pattern in _shapes(alphabet).items():
        run, flags = _last_run(_labels(pattern, covered, alphabet))
        if shape in ("spaced", "bare") and not _plausible(text, run):
            continue
        if len(run) > len(best[0]):
            best = run, flags
    return best


def _labels(pattern: re.Pattern[str], covered: str, alphabet: str) -> list[_OptionLabel]:
    labels = ((next(filter(None, m.groups())), m) for m in pattern.finditer(covered))
    return [_OptionLabel(LETTERS[alphabet.index(c)], m.start(), m.end()) for c, m in labels]


def alphabet_of(texts: list[str]) -> str:
    """The alphabet of an exam's option labels.

    Small and circled ones also count parts of a question, so they are taken only where nothing
    is asked behind them, where they are frequent, and where all runs but few are equally long.
    """
    lengths = {a: [n for t in texts if (n := _options_in(t, a)) >= 4] for a in ALPHABETS}
    best = max(ALPHABETS, key=lambda a: len(lengths[a]))
    counts = lengths[best]
    steady = max(map(counts.count, counts), default=0) >= 0.8 * len(counts)
    return best if steady and len(counts) >= len(texts) / 5 else LETTERS


def _options_in(text: str, alphabet: str) -> int:
    run, flags = _best_run(text, blind(text), alphabet)
    if not run or flags or (alphabet != LETTERS and any(map(ASKS.search, _bodies(text, run)))):
        return 0
    return len(run)


def options_or_parts(text: str) -> bool:
    """Whether `(a) .. (b) .. (c) .. (d) ..` in an exam of capitals might be options."""
    return _options_in(text, ALPHABETS[1]) >= 4


def option_runs(covered: str) -> list[int]:
    """Where complete runs of at least four explicit labels start in a blinded text."""
    starts: list[int] = []
    for alphabet in ALPHABETS:
        shapes = _shapes(alphabet)
        for shape in shapes.keys() - {"spaced", "bare"}:
            labels = _labels(shapes[shape], covered, alphabet)
            letters = "".join(label.letter for label in labels)
            starts += [labels[m.start()].start for m in re.finditer("ABCD", letters)]
    return sorted(starts)


def _last_run(labels: list[_OptionLabel]) -> tuple[list[_OptionLabel], list[str]]:
    """The last run from A on in order; failing that, a shuffled set A..D or more, flagged."""
    places = {x: [k for k, label in enumerate(labels) if label.letter == x] for x in LETTERS}
    for start in reversed(places["A"]):
        indices = [start]
        for letter in LETTERS[1:]:
            following = bisect_right(places[letter], indices[-1])
            if following == len(places[letter]):
                break
            indices.append(places[letter][following])
        run = [labels[k] for k in indices]
        skipped = len(labels) - start - len(run)
        if len(run) >= 3 and skipped == 0:
            return run, []
        if len(run) >= 3:
            shuffled = _shuffled(labels[start:])
            return (shuffled, ["options-out-of-order"]) if shuffled else (run, ["option-labels"])
    return [], []


def _shuffled(labels: list[_OptionLabel]) -> list[_OptionLabel]:
    """Columns read before rows (A D B E C): every letter once, but not in order."""
    letters = sorted(label.letter for label in labels)
    return labels if letters == list(LETTERS[: len(letters)]) and len(letters) >= 4 else []


def _plausible(text: str, run: list[_OptionLabel]) -> bool:
    """Bare letters are labels when the run starts a line and no option is empty or a sentence."""
    if len(run) < 4:
        return False
    before = text[: run[0].start].rstrip(" \t")
    if before and not before.endswith("\n") and not before.endswith(">"):
        return False
    bodies = _bodies(text, run)
    return all(bodies) or not any(bodies)


def _bodies(text: str, run: list[_OptionLabel]) -> list[str]:
    ends = [label.start for label in run[1:]] + [len(text)]
    return [_trimmed(text[label.end : end]) for label, end in zip(run, ends, strict=True)]


def _cut(text: str, run: list[_OptionLabel], flags: list[str]) -> Stem:
    stem = _without_bullet(text[: run[0].start])
    bodies = [_last_bullet(body) for body in _bodies(text, run)]
    last, *rest = re.split(r"\n[ \t]*\n", bodies[-1], maxsplit=1)
    tail = rest[0].strip() if rest else ""
    trailing = [run for run in _PICTURES.finditer(last) if run.end() == len(last)]
    if trailing and not any(map(_PICTURES.search, bodies[:-1])):
        last, tail = last[: trailing[0].start()], f"{trailing[0][0].strip()}\n{tail}".strip()
    bodies[-1] = _trimmed(last)
    if len({body[-1:] for body in bodies[:-1]}) == 1 and bodies[0][-1:] in tuple(";；"):
        bodies = [body.rstrip(";； \t") for body in bodies]  # a list of one sentence
    if tail:
        stem = f"{stem}\n{tail}"
        if not _PICTURES.fullmatch(tail):
            flags = [*flags, "text-after-options"]
    letters = [label.letter for label in run]
    options = [Option(label=x, text=b or x) for x, b in zip(letters, bodies, strict=True)]
    options.sort(key=lambda option: option.label)
    if any(bodies) and not all(bodies):
        flags = [*flags, "empty-option"]
    following = LETTERS[len(run) : len(run) + 1]
    if following and re.search(rf"\({following}\)|\b{following}[.．、)]", text[run[-1].end :]):
        flags = [*flags, "option-in-formula"]
    if any(body.startswith("&") for body in bodies):
        flags = [*flags, "option-table"]
    if "\n" in bodies[-1] and not any("\n" in body for body in bodies[:-1]):
        flags = [*flags, "option-lines"]
    if len(run) == 3:
        flags = [*flags, "three-options"]
    return Stem(stem.strip(), options, flags)


_BELOW_PICTURE = re.compile(r"(?m)<image\d+>\s*(?:[(（]?([A-D])[)）.．]?)[ \t]*$")
_MARKS = re.compile(r"\\[A-Za-z]+|[^A-Za-z0-9]|(?<=[A-Za-z])[A-Za-z].*")


def _left_over(text: str, covered: str, alphabet: str) -> list[str]:
    """Labels that belong to no run hint at options that were not recognised."""
    alone = re.search(r"[(（]\s*[A-E]\s*[)）]", covered)
    some = set(re.findall(r"(?:^|[\s$])([A-E])(?:\s*[.．、)]|\s+\$)", text))
    bare = re.search(
        r"(?m)^[ \t]*A(?:.*\bE[ \t]*+$|[ \t]{2,}+.*(?<=[ \t]{2})[B-F](?=[ \t]|$))", covered
    )
    other = alphabet != LETTERS and any(
        len(labels) > 2 and not any(map(ASKS.search, _bodies(text, labels)))
        for pattern in _shapes(alphabet).values()
        for labels in [_labels(pattern, covered, alphabet)]
    )
    starts = "".join(_MARKS.sub("", line[:30])[:1] or " " for line in text.split("\n"))
    hint = alone or len(some) >= 3 or bare or other or "ABC" in starts or _pair(text, covered)
    hint = hint or len({*_BELOW_PICTURE.findall(text)}) >= 3
    return ["options-not-split"] if hint else []


def _pair(text: str, covered: str) -> bool:
    """Two labels only, A at a line start, and nothing asked behind them: true or false."""
    labels = _labels(_shapes(LETTERS)["mark"], covered, LETTERS)
    if [label.letter for label in labels] != ["A", "B"] or any(
        map(ASKS.search, _bodies(text, labels))
    ):
        return False
    return not text[: labels[0].start].rpartition("\n")[2].strip()
