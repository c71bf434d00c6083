"""The options that one text holds: labelled, in a formula or a list, or parted by what repeats."""

from __future__ import annotations

import re
from collections import Counter

from ..problem import Option
from ..words import LETTERS
from .choices import Choices, lettered, too_many
from .runs import FILLER, LONGEST, WIDE, Label, best_run, covered, narrow

_TICKED = re.compile(r"\[[xX✓✔]\]|[☑☒■]")
# A line with a word or two and a colon above the options: `**Options:**`.
_HEADING = re.compile(
    r"(?<=\S)\s*\n[ \t]*[*_]{0,2}[^\W\d_]+(?: [^\W\d_]+)?[*_]{0,2}[:：][*_]{0,2}\Z"
)
_SEPARATORS_AT_END = re.compile(r"(?:\s*[;；,，、|/&\\])+$")
_BLOCK = re.compile(r"(?i)</?(?:li|br|p|div|ol|ul)\b[^<>]*>")  # ends a line
_BULLET = re.compile(r"\s*([-*•·▪◦‣])\s+")
# Signs of mathematics and prose, which part nothing by themselves.
_ORDINARY = "\\s\\w.,'\"()\\[\\]{}+*=<>%$°:!?^\\\\/#@~\\-"
_STRONG = re.compile(rf"\|\||//+|##+|@@+|~~+|(?:\\n)|[^{_ORDINARY}{FILLER}]")
_WEAK = (r"\t+", r"\s/\s", r"\s+or\s+", r",\s+", r"[、，]\s*", r",", r"\s{2,}", r"/")
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
# What stands around an option inside a formula and shows nothing (closed: TeX's own).
_EDGE = (
    r"(?:[\s&~$]|\\\\|\\[ ,;:!\[\]()]|\\(?:begin|end)\s*\{[a-z]+\*?\}"
    r"|\\(?:q?quad|noindent|hfill|par)(?![A-Za-z]))+"
)
_FRONT_EDGE = re.compile(rf"^{_EDGE}")
_BACK_EDGE = re.compile(rf"{_EDGE}$")
# What opens the formula that the labels stand in.
_OPENED = re.compile(r"(?:(?:(?:\$\$|\\\[)\s*+)?\\begin\s*\{[a-z]+\*?\}|\$\$|[\s&])+$")
# A LaTeX list at the end of a text, and the command that its first item begins with.
_LIST = re.compile(
    r"\\begin\s*\{(?P<name>[A-Za-z]+\*?)\}(?:\s*(?:\[[^\[\]]*\]|\(\d+\)|\{\d+\}))*\s*"
    r"(?P<item>\\[A-Za-z]+)(?![A-Za-z{])(?P<body>.*)\\end\s*\{(?P=name)\}\s*\Z",
    re.S,
)


def options_in_cell(text: str) -> Choices:
    """The options that one text holds, labelled or parted by a mark that repeats.

    >>> [o.text for o in options_in_cell("(a) 3 cm  (b) 4 cm  (c) 5 cm").options]
    ['3 cm', '4 cm', '5 cm']
    >>> [o.text for o in options_in_cell("90; 80; 95").options]
    ['90', '80', '95']
    """
    if len(text) > LONGEST:
        raise ValueError(f"options of {len(text):,} characters, {LONGEST:,} at most")
    text = text.strip()
    tags: list[str] = []
    if "<" in text and "<td" not in text.lower():
        tags = _BLOCK.findall(text)
        text = _BLOCK.sub("\n", text).strip()
    hidden = covered(text)
    if run := best_run(hidden):
        choices = _labelled(text, run)
        choices.marks += tags
        return choices
    if (choices := _in_formula(text)).options:
        return choices
    values, marks = _parted(text, hidden)
    return Choices(lettered(values), marks=marks + tags)


def options_in_question(question: str) -> tuple[str, Choices]:
    """The stem of a question and the labelled options it ends in; nothing says that they are.

    >>> stem, choices = options_in_question("Which is even? A. 3 B. 4 C. 5")
    >>> stem, [o.text for o in choices.options]
    ('Which is even?', ['3', '4', '5'])
    """
    if len(question) > LONGEST:
        return question, Choices()
    if (choices := _in_list(question)).options:
        return choices.before, choices
    run = best_run(covered(question), last=True)
    if not run and (choices := _in_formula(question)).options:
        return choices.before, choices
    if not run or not _ends_in_options(run):
        return question, Choices()
    choices = _labelled(question, run)
    last = choices.options[-1]
    on_lines = any("\n" in option.text for option in choices.options[:-1])
    cut = r"\n[ \t]*\n" if on_lines else r"\n"  # what goes on below it is of the stem
    value, *below = re.split(cut, last.text, maxsplit=1)
    last.text = value.strip()
    return "\n".join([choices.before, *map(str.strip, below)]).strip(), choices


def _ends_in_options(run: list[Label]) -> bool:
    """Whether a run at the end of a question is one of options, and nothing that it counts."""
    # "bed A, bed B" names no options
    marked = all(any(label.slot[1:]) or label.between in "^\n" for label in run)
    two_in_line = len(run) == 2 and run[1].between != "\n"
    is_text = len(run) > len(LETTERS)  # a list of forty
    return marked and not two_in_line and not is_text


# Labelled ----------------------------------------------------------------------------------------


def _labelled(text: str, run: list[Label]) -> Choices:
    """The options of a run, by the order of their signs; an empty one shows its sign alone."""
    ends = [*(label.start for label in run[1:]), len(text)]
    bodies = [
        text[label.end : end].strip() for label, end in zip(run, ends, strict=True)
    ]
    bodies = _without_ends(bodies)
    if not any(bodies):
        bodies = [label.sign for label in run]
    pairs = sorted(zip(run, bodies, strict=True), key=lambda pair: pair[0].rank)
    base = pairs[0][0].rank
    if pairs[-1][0].rank - base >= len(LETTERS):
        raise too_many(len(run))
    choices = Choices()
    for label, body in pairs:
        letter = LETTERS[label.rank - base]
        mark = text[label.start : label.end]
        choices.options.append(Option(label=letter, text=body))
        choices.signs.append(label.sign)
        choices.right.append(bool(_TICKED.search(mark)))
    if not any(choices.right):
        choices.right = []
    choices.marks = [text[label.start : label.end] for label in run]
    before = text[: min(label.start for label in run)].strip()
    if before[-1:] in ":：*_" and (heading := _HEADING.search(before)):
        choices.marks.append(heading[0])
        before = before[: heading.start()]
    choices.before = before
    return choices


def _in_formula(text: str) -> Choices:
    r"""Options whose labels are set by commands: `$\textbf{(A)}\ 1 \qquad \textbf{(B)}\ 2$`."""
    if "\\text" not in text and "\\math" not in text:
        return Choices()
    run = best_run(narrow(text), last=True)
    if len(run) < 3 or not all("\\" in label.slot[1] for label in run):
        return Choices()
    choices = _labelled(text, run)
    stem = _OPENED.sub("", choices.before)
    if stem.count("$") % 2:  # the formula of the labels is open
        stem = stem.rpartition("$")[0]
    choices.before = stem.strip()
    for option in choices.options:
        body = _FRONT_EDGE.sub("", _BACK_EDGE.sub("", option.text[-LONGEST:]))
        option.text = body if not body or body.startswith("\\text{") else f"${body}$"
    return choices


def _in_list(text: str) -> Choices:
    """The items of a LaTeX list that a text ends in: what its first command parts."""
    start = text.rfind(r"\begin")
    match = _LIST.match(text, start) if start >= 0 else None
    if not match:
        return Choices()
    item = re.escape(match["item"]) + r"(?![A-Za-z])\*?(?:\s*\[[^\[\]]*\])?"
    values = [value.strip() for value in re.split(item, match["body"])]
    if len(values) < 2 or not all(values):
        return Choices()
    opening = text[start : match.start("body")]
    ending = rf"\end{{{match['name']}}}"
    items = [match["item"]] * (len(values) - 1)
    before = text[:start].strip()
    return Choices(lettered(values), marks=[opening, ending, *items], before=before)


# Parted ------------------------------------------------------------------------------------------


def _parted(text: str, hidden: str) -> tuple[list[str], list[str]]:
    """The values between separators, and these; the text itself where nothing parts it."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1:
        return _trimmed(_without_bullets(lines)), []
    if text[:1] + text[-1:] in ("[]", "{}"):
        return _parted(text[1:-1].strip(), hidden[1:-1].strip())
    hidden = _BRACKETED.sub(lambda match: FILLER * len(match[0]), hidden)
    if times := Counter(_STRONG.findall(hidden)):
        mark = max(times, key=lambda one: (one in (";", "；", "|"), times[one]))
        return _trimmed(_cut(text, hidden, re.escape(mark))), []
    for pattern in _WEAK:
        values = _cut(text, hidden, pattern)
        least = 2 if all(len(value.split()) < 3 for value in values) else 3
        if all(values) and len(values) >= least:
            return _trimmed(values), re.findall(pattern, hidden)
    return [text], []


def _without_bullets(lines: list[str]) -> list[str]:
    """Lines without the one bullet that all of them begin with."""
    bullets: set[str] = set()
    texts = []
    for line in lines:
        bullet = _BULLET.match(line)
        if not bullet:
            return lines
        bullets.add(bullet[1])
        texts.append(line[bullet.end() :])
    return texts if len(bullets) == 1 else lines


def _cut(text: str, hidden: str, pattern: str) -> list[str]:
    values = []
    position = 0
    for match in re.finditer(pattern, hidden):
        values.append(text[position : match.start()].strip())
        position = match.end()
    return [*values, text[position:].strip()]


def _trimmed(values: list[str]) -> list[str]:
    """Without empty ends, and without a mark that closes every line."""
    values = [value.strip() for value in values]
    while values and not values[-1]:
        values.pop()
    while values and not values[0]:
        values.pop(0)
    return _without_ends(values)


def _without_ends(values: list[str]) -> list[str]:
    """Without the mark that parts each value from the next, where there is one."""
    ends = {value[-1:].translate(WIDE) for value in values[:-1]}
    is_paired = "|" in ends and values[-1].endswith("|")  # |x|
    [usual, *others] = ends or {""}
    is_one = not others and _SEPARATORS_AT_END.match(usual) and not is_paired
    if ";" in ends or is_one:
        return [_SEPARATORS_AT_END.sub("", value) for value in values]
    return values
