"""What the numbered lines of an exam number: problems, their key, notes to the candidates, advice.

Numbers that stand again are their key under an unknown heading, or a section. No word decides, for
headings have many languages. Answers are short values, letters of options, or about the problem of
the same number; a section asks, or its title goes on from the one before. Where both can be, both
are said, and nothing is published.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

import msgspec

from ...options import ASKS, option_runs
from ...words import SCHOOL, layered, words
from ..documents import FILLER, blanked, blind
from .answer_keys import KeyText, Reading, named_keys
from .headings import NUMBER_TITLE, Heading, headings
from .inline_answers import is_answered
from .instructions import asks, asks_nothing, is_bare
from .numbering import Numbering, best_numbering, with_word
from .templates import Candidate, alike, candidates


class Structure(msgspec.Struct):
    """An exam's text without its keys, its headings and the numbers of its problems; its keys.

    `twofold` are stretches that can be read as answers or as problems, `unnamed` keys that no
    heading names.
    """

    rest: str
    heads: list[Heading]
    numbering: Numbering
    options: list[int]  # where sets of options start
    keys: list[KeyText] = []
    unnamed: list[KeyText] = []
    twofold: list[KeyText] = []

    def one_run(self, start: int, end: int) -> bool:
        """Whether exactly one set of options starts in a stretch."""
        return bisect_left(self.options, end) - bisect_left(self.options, start) == 1


def structure(text: str, sections: frozenset[int] = frozenset()) -> Structure:
    """Look for the numbers of an exam until all that stand for something else are known.

    What starts at `sections` is no key, whatever its title says.
    """
    named = named_keys(text, sections=sections)
    unnamed: list[KeyText] = []
    aside: list[Candidate] = []
    for _ in range(8):
        keys = sorted([*named, *unnamed], key=lambda key: key.start)
        rest = blanked(text, [(key.start, key.end) for key in keys])
        looked = _look(rest, aside)
        looked.keys = keys
        looked.unnamed = unnamed
        template = looked.numbering.template
        if template and template.script in ("han", "I") and not unnamed + aside:
            # what numbers problems could number sections, too
            again = named_keys(text, template, sections)
            if again != named:
                named = again
                continue
        runs = _runs(rest, looked.numbering.run, looked.heads)
        if more := _asides(runs):
            aside += more
            continue
        more_keys = _keys(rest, runs, looked)
        looked.twofold = [key for key in more_keys if key.reading == "both"]
        if not more_keys or looked.twofold:
            break
        unnamed += more_keys
    return looked


_WIDE = re.compile("[ \t]{3,}|　{2,}|\t+")


def _look(text: str, aside: list[Candidate]) -> Structure:
    """The numbers of a text without those `aside`, and what they are told by."""
    covered = blind(text)
    heads = headings(text)
    numbered = [head for head in heads if NUMBER_TITLE.match(head.title)]
    blanks = [(head.start, head.end) for head in numbered]
    blanks = sorted([*blanks, *((number.start, number.end) for number in aside)])
    looked = Structure(text, heads, Numbering(), option_runs(covered))

    def ended(start: int, end: int) -> bool:
        return looked.one_run(start, end) or is_answered(text[start:end])

    def best(scanned: str) -> Numbering:
        starts = [head.start for head in heads if not head.weak]
        return best_numbering(blanked(scanned, blanks), starts, ended)

    looked.numbering = best(covered)
    if len(looked.numbering.run) < 2:  # all problems in one line, wide spaces between
        spread = best(_WIDE.sub(lambda gap: "\n" * len(gap[0]), covered))
        if len(spread.run) > 2:
            looked.numbering = spread
    numbers = {number.start for number in looked.numbering.run}
    looked.heads = [head for head in heads if head.start not in numbers]
    return looked


class _Run(msgspec.Struct):
    """Numbers of which none stands twice, the texts behind them, and the title above."""

    numbers: list[Candidate]
    texts: list[str]
    title: Heading
    above: str  # what else stands between the title and the first number
    end: int


def _runs(text: str, numbers: Sequence[Candidate], heads: list[Heading]) -> list[_Run]:
    """The numbers parted where one stands again."""
    runs: list[list[Candidate]] = []
    labels = set[str]()  # of the run
    for number in numbers:
        last = runs[-1][-1] if runs else number
        goes_back = number.chapter == last.chapter and number.number < last.number
        if not runs or number.label in labels or goes_back:
            runs.append([])
            labels.clear()
        runs[-1].append(number)
        labels.add(number.label)
    titles = []
    start = 0
    for run in runs:
        titles.append(_title(text, start, run[0].start, heads))
        start = run[-1].end
    stops = [*(title.start for title in titles[1:]), len(text)]
    return [_run(text, *parts) for parts in zip(runs, titles, stops, strict=False)]


_HEADING = re.compile(r"\n[ \t]*#{1,6}[ \t]")
_LINE = re.compile(r"\n[ \t]*([^\n]{1,80})$")


def _run(text: str, numbers: list[Candidate], title: Heading, stop: int) -> _Run:
    ends = [*(number.start for number in numbers[1:]), stop]
    texts = []
    for number, end in zip(numbers, ends, strict=True):
        before_heading = _HEADING.split(text[number.end : end], maxsplit=1)[0]
        texts.append(before_heading.strip())
    above = text[title.end : numbers[0].start].strip()
    return _Run(numbers, texts, title, above, stop)


def _title(text: str, start: int, end: int, heads: list[Heading]) -> Heading:
    """The heading above a number: one that is marked, or a short line that is no sentence."""
    last = bisect_left(heads, end, key=lambda head: head.start) - 1
    if last >= 0 and heads[last].start >= start:
        return heads[last]
    line = _LINE.search(text[start:end].rstrip())
    if line and not re.search(r"[.?!。？！]\W*$", line[1]):
        return Heading(line[1], start + line.start(1), start + line.end(1))
    return Heading("", end, end)


# Notes and advice -------------------------------------------------------------------------------

_ADVICE = re.compile(r"[^\d?？\ufdd3<|_]{20,}[.!。！]\s*")


def _asides(runs: list[_Run]) -> list[Candidate]:
    """The numbers of notes to the candidates and of advice, which ask nothing.

    Notes stand at the front, and the numbers start again behind them for some that ask and are no
    key to them; of two sections with titles alike, such as Part A and B, the first is none. Advice
    is whole sentences without a formula, a digit or an answer, wherever it stands.
    """
    advice = [c for run in runs if _is_advice(run.texts) for c in run.numbers]
    if advice or len(runs) < 2:
        return advice
    notes, behind = runs[:2]
    if alike(notes.title.title, behind.title.title):
        return []
    may_be_key = len(behind.texts) <= len(notes.texts)  # formulas do not ask there
    before = _asking(notes.texts)
    after = _asking(behind.texts, formulas=not may_be_key)
    return notes.numbers if before < 0.5 < after else []


def _asking(texts: list[str], formulas: bool = True) -> float:
    """The share of texts that ask something."""
    asking = [asks(text) or (formulas and FILLER in blind(text)) for text in texts]
    return sum(asking) / len(asking)


def _is_advice(texts: list[str]) -> bool:
    if len(texts) < 3 or any(map(asks, texts)):
        return False
    are_sentences = all(_ADVICE.fullmatch(blind(text)) for text in texts)
    return are_sentences and not any(map(is_answered, texts))


# Keys that no heading names ---------------------------------------------------------------------


@layered
def _named() -> re.Pattern[str]:
    return re.compile(
        rf"(?i){words('answer')}|{words('answer', 'solution', languages=SCHOOL)}"
    )


_LETTERS = re.compile(r"[^\W_]+")
_LETTER = re.compile(r"\\[A-Za-z]+|([^\W\d_])")


def _keys(text: str, runs: list[_Run], looked: Structure) -> list[KeyText]:
    """The stretches behind problems that have their numbers again, in order."""
    half = len(runs) // 2
    if half > 1 and 2 * half == len(runs):  # sections of a key behind those of problems
        pairs = zip(runs[:half], runs[half:], strict=True)
        readings = [_reading(before, after, paired=True) for before, after in pairs]
        if "section" not in readings:
            reading = min(readings, key=["both", "worked", "key"].index)
            title = runs[half].title
            return [KeyText(title.start, title.end, len(text), reading, title.title)]
    keys: list[KeyText] = []
    other = _other_template(text, runs[-1], looked.heads) if runs else None
    for before, after in pairwise([*runs, *filter(None, [other])]):
        title = after.title
        answered_below_each = _most([*map(is_answered, before.texts)])
        is_of_a_key = bool(keys) and keys[-1].start == before.title.start
        if answered_below_each or is_of_a_key:
            continue
        reading = _reading(before, after)
        if reading == "section" and after is not other and _named().search(title.title):
            reading = "both"  # answers of some other problems than those before
        if reading != "section":
            key = KeyText(title.start, title.end, after.end, reading, title.title)
            keys.append(key)
    return keys


def _other_template(text: str, last: _Run, heads: list[Heading]) -> _Run | None:
    """The longest numbers of another template behind the last problem's, below a title.

    Where there are some, the text of the last problem ends there.
    """
    behind = last.numbers[-1].end
    best: list[Candidate] = []
    stop = len(text)
    hidden = blind("\n" * behind + text[behind:])
    for template, lines in candidates(hidden).items():
        if template.of_parts or not (template.word or template.marks):
            continue
        backward = (b.start for a, b in pairwise(lines) if a.number >= b.number)
        end = next(backward, len(text))
        lines = [line for line in lines if line.start < end]
        if len(lines) > len(best):
            best = with_word(lines, text)
            stop = end
    title = _title(text, behind, best[0].start, heads) if best else None
    if not title or not title.title:
        return None
    last.texts[-1] = text[behind : title.start].strip()
    if stop < len(text):  # it starts again, for something else
        stop = _title(text, best[-1].end, stop, heads).start
    return _run(text, best, title, stop)


def _reading(before: _Run, after: _Run, paired: bool = False) -> Reading:
    """What the numbers of `after` are when most numbers of `before` stand in them again.

    `paired`: other sections stand between the two, and those of a key are titled like them.
    """
    texts = after.texts
    titles = (before.title.title, after.title.title)
    pairs = zip(before.numbers, before.texts, strict=True)
    questions = {number.number: text for number, text in pairs}
    again = [number.number for number in after.numbers]
    stand_again = questions.keys() >= {*again} and 2 * len({*again}) >= len(questions)
    if len(texts) < 2 or not stand_again:
        return "section"
    paired = paired and not _are_values(before.texts)
    same_title = _plain(titles[0]) == _plain(titles[1]) != ""
    goes_on = alike(*titles) and not paired and not same_title
    if goes_on or 5 * sum(map(asks, texts)) > len(texts):
        return "section"
    usual = median(map(len, before.texts))
    short = median(map(len, texts)) <= max(6, usual / 2)
    instructed = bool(after.above) or bool(ASKS.search(titles[1]))
    if short and not instructed and _are_values(texts):
        return "key"
    if len(texts) >= 3 and _about([questions[number] for number in again], texts):
        return "worked"
    plain = short or _most([is_bare(blind(text)) for text in texts])
    asked_before = not _most([*map(asks_nothing, before.texts)])
    may_answer = _most([*map(asks_nothing, texts)]) and asked_before
    return "both" if (plain or same_title) and may_answer else "section"


def _plain(title: str) -> str:
    return " ".join(_LETTERS.findall(title)).casefold()


def _are_values(texts: list[str]) -> bool:
    """Whether most texts hold no more than a unit, a name or a letter beside numbers."""
    return _most([sum(map(bool, _LETTER.findall(text))) <= 3 for text in texts])


def _most(flags: list[bool]) -> bool:
    return 3 * sum(flags) >= 2 * len(flags) > 0


MOST_COMPARED = 60  # questions with their answers
_TOKEN = re.compile(r"\d+|\\[A-Za-z]+|[^\W\d_]{4,}|[\u3400-\u9fff]{2}")


def _about(questions: list[str], answers: list[str]) -> bool:
    """Whether most answers have more in common with their own question than with the others.

    Rare tokens count; what most questions have in common says nothing.
    """
    compared = questions[:MOST_COMPARED]
    sets = [set(_TOKEN.findall(question)) for question in compared]
    times = Counter(token for tokens in sets for token in tokens)
    fitting = 0
    for k, answer in enumerate(answers[: len(sets)]):
        tokens = {*_TOKEN.findall(answer)}
        rare = {token for token in tokens if 0 < 2 * times[token] <= len(sets)}
        shares = [_share(rare & question, times) for question in sets]
        fitting += shares.count(shares[k]) == 1 and shares[k] == max(shares)
    return 3 * fitting >= 2 * len(sets)


def _share(tokens: set[str], times: Counter[str]) -> float:
    """What tokens weigh that two texts have in common: the rarer, the more."""
    return sum(1 / times[token] for token in tokens)
