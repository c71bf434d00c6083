r"""LaTeX outside dollars: about a fifth of MathVerse's texts write `\angle ABC` bare.

The one rule of what a bare formula is, for stages that put dollars around it and for pages that
set it. From every maths command, power or subscript the formula is grown over neighbouring tokens
that can only be maths; words, sentence punctuation and line ends stop it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .delimiters import MathSpan
from .groups import group_end
from .symbols import FUNCTIONS, SYMBOLS
from .tokens import NAME, NAME_ENDS

# Commands that make a stretch of prose a formula when it stands outside dollars.
_STRUCTURE = (
    "frac sqrt left right overline vec bar hat tilde dot ddot overrightarrow widehat overset"
    " underset stackrel mathrm mathbf mathit mathcal mathbb boxed binom cdots ldots dots vdots"
    " ddots limits mid sum int prod circ angle boldsymbol operatorname big Big bigg Bigg cancel"
    " pmod bmod mod not square degree celsius parallelogram ge le ne gets land lor lnot iff implies"
    " dfrac tfrac cfrac dbinom tbinom overbrace underbrace overleftarrow xrightarrow xleftarrow"
    " mathsf mathtt mathfrak mathscr lvert rvert lVert rVert phantom substack"
)
_OF_TEXT = "text quad qquad underline textasciicircum dag ddag S P pounds yen"
MATHS_COMMANDS = (
    frozenset(re.findall(r"\\([A-Za-z]+)", " ".join(SYMBOLS.values())))
    .union(FUNCTIONS, _STRUCTURE.split())
    .difference(_OF_TEXT.split())
)
# Stands for a LaTeX environment outside dollars, which is maths.
BARE_ENVIRONMENT = "\ufdd2"
# What a bare formula is grown around: a blank to be filled in, a command, a letter with a
# subscript, what is raised to a power, a root of something.
_SEED = re.compile(
    rf"""
    (?P<blank>\\qquad(?=\s*(?:[.,;。，；)）]|$))|(?<=[(（])\\quad(?=[)）]))
    | \\(?P<command>{NAME})
    | (?<![A-Za-z])[A-Za-z](?=_(?:[A-Za-z0-9]{NAME_ENDS}|\{{))
    | [A-Za-z0-9)\]](?=\^(?:[A-Za-z0-9]{NAME_ENDS}|[{{\\(+-]))
    | √(?=[\d({{A-Za-z])
    """,
    re.VERBOSE,
)


def _is_bare_sign(character: str) -> bool:
    """A sign of mathematics that stands in texts as it is."""
    is_of_text = SYMBOLS[character].startswith(r"\text")
    is_sign = len(character) == 1 and not character.isascii()
    return is_sign and not character.isspace() and not is_of_text


_SIGNS = "".join(map(re.escape, filter(_is_bare_sign, SYMBOLS)))
_FUNCTION = rf"(?:{'|'.join(sorted(FUNCTIONS, key=len, reverse=True))}){NAME_ENDS}"
_UNIT = r"(?:[mcdk]m|kg)(?![A-Za-z\d])"
# What can only be maths beside a seed; words and the marks of sentences are none of it.
_TOKEN = re.compile(
    rf"""
    \\(?P<side>left|right){NAME_ENDS}\s*(?:\\[{{}}|]|[^\sA-Za-z0-9\\])
    | \\(?P<command>{NAME})
    | \\[,;:!{{}}|]
    | (?P<group>\{{)
    | \d+(?:\.\d+)?
    | {_FUNCTION} | {_UNIT}
    | (?P<name>[A-Z]{{1,4}}|[a-z]){NAME_ENDS}'*
    | [-+*/=<>|^_()\[\],'－＋＝＜＞]
    | [{_SIGNS}{BARE_ENVIRONMENT}]
    | [ ]+
    """,
    re.VERBOSE,
)
_BARE_UNIT = re.compile(rf"(?<![\\A-Za-z{{~]){_UNIT}")
_SIDE = re.compile(r"\\(?:left|right)\s*.")
# Where a formula may start, seen from behind: after a blank, a mark, a bracket, a Chinese sign.
_START = re.compile(r"[^\S\n]|[.,;:?!](?=\s)|[(\[]|[^\x00-\x7f]")
# What a formula is glued to, so that it is the end of a word, a path or a name.
_GLUED = re.compile(r"[A-Za-z0-9](?=[A-Za-z0-9])")
_BRACED = re.compile(r"[\^_]\{")
_IN_A_WORD = re.compile(r"[A-Za-z0-9_@\\]")
_GOES_ON = re.compile(r"[A-Za-z0-9=+*/<>^_@\\:.&-]")
_IDENTIFIER = re.compile(r"[A-Za-z]+(?:_[A-Za-z0-9]+){2,}")
# Characters looked at for one of the text: only texts made to be slow need more.
WORK = 20
REACH = 200  # characters that a formula is grown backwards; longer ones are not written bare
# An article or "I" before a formula; `A B` is a segment, `a + b` a sum.
_ARTICLE = re.compile(r"[aIA] (?![A-Z]\b|[-+=<>^_*/])")
_LAST_ARTICLE = re.compile(r" [aI]$")
# The label of an option, when a stop stands behind it.
_LABEL = re.compile(r"(?<=[\d})]) [A-H]$")
_OPEN, _CLOSE = "([", ")]"


def bare_formulas(text: str) -> Iterator[MathSpan]:
    r"""The formulas of a text without dollars, in reading order; their units are set as such.

    >>> [span.tex for span in bare_formulas(r"Find m \angle A D C, if AB \perp 3cm.")]
    ['m \\angle A D C', 'AB \\perp 3\\mathrm{cm}']
    """
    if not set("\\^_√") & set(text):
        return
    done = position = 0
    budget = [WORK * len(text) + 10_000]
    while budget[0] > 0 and (seed := _SEED.search(text, position)):
        position = seed.end()
        if seed["blank"]:
            yield MathSpan(seed.start(), position, seed[0], display=False)
            done = position
        if seed["command"] and seed["command"] not in MATHS_COMMANDS:
            continue
        run = None if seed["blank"] else _run(text, seed.start(), done, budget)
        if run is None:
            continue
        start, position = run
        if _whole(text, start, position):  # else what it holds is no more a formula
            tex = _BARE_UNIT.sub(r"\\mathrm{\g<0>}", text[start:position])
            yield MathSpan(start, position, tex, display=False)
            done = position


def _run(text: str, seed: int, floor: int, budget: list[int]) -> tuple[int, int] | None:
    """The stretch of maths around `seed`, not before `floor`."""
    line = max(text.rfind("\n", floor, seed) + 1, floor, seed - REACH)
    for start in _starts(text, line, seed):
        end = _grow(text, start)
        budget[0] -= end - start
        if end > seed:
            return _trim(text, start, end, seed, budget)
    return None


def _whole(text: str, start: int, end: int) -> bool:
    """Is it a formula from its first sign on, rather than the end of one, a path or a name?

    What is glued to a Chinese word is one for certain only with a command or a braced script.
    """
    run = text[start:end]
    before = text[start - 1 : start]
    if "\\" in run or (_BRACED.search(run) and not before.isascii()):
        return not _IN_A_WORD.match(before)
    cut_off = _GOES_ON.match(before) or before.isalpha() or _balance(run)
    return not cut_off and not _IDENTIFIER.fullmatch(run)


def _starts(text: str, line: int, seed: int) -> list[int]:
    """Places where a formula that reaches `seed` may start: the earliest first."""
    before = text[line:seed]
    places = {line + match.end() for match in _START.finditer(before)}
    return sorted(places | {line, seed})


def _grow(text: str, start: int) -> int:
    """End of the longest run of maths tokens from `start`; a comma outside brackets ends it."""
    position, depth = start, 0
    if start and _GLUED.match(text, start - 1):
        return start
    while position < start + 4 * REACH and (match := _TOKEN.match(text, position)):
        token = match[0]
        if match["command"]:
            if match["command"] not in MATHS_COMMANDS and match["command"] != "text":
                break
        elif match["group"]:
            end = group_end(text, position, REACH)
            if end < 0 or "\n" in text[position:end]:
                break
            position = end
            continue
        elif token == "," and depth == 0:
            break
        depth += token in _OPEN or match["side"] == "left"
        depth -= token in _CLOSE or match["side"] == "right"
        depth = max(depth, 0)
        position = match.end()
    return position


def _trim(
    text: str, start: int, end: int, seed: int, budget: list[int]
) -> tuple[int, int] | None:
    """Without blanks, articles, commas, option labels and unbalanced brackets at the edges."""
    while start <= seed < end and budget[0] > 0:
        run = text[start:end]
        budget[0] -= len(run)
        balance = _balance(run)
        article = _ARTICLE.match(run)
        label = _LABEL.search(run) if text[end : end + 1] in ".．、:：" else None
        if run[0] in " ,')]|" or (balance > 0 and run[0] in _OPEN):
            start += 1
        elif article:
            start += article.end()
        elif run[-1] in " ,/<([" or (balance < 0 and run[-1] in _CLOSE):
            end -= 1
        elif label or (label := _LAST_ARTICLE.search(run)):
            end = start + label.start()
        else:
            return start, end
    return None


def _balance(run: str) -> int:
    """How many brackets are open at the end of a run; negative where more are closed."""
    plain = _SIDE.sub("", run)
    opened = sum(map(plain.count, _OPEN))
    return opened - sum(map(plain.count, _CLOSE))
