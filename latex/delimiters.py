"""Where the formulas of a text are: every part of the project asks here.

One scanner reads the project's own problem texts (`PROBLEM_TEXT`), Mathpix Markdown (`MATHPIX`, in
agreement with npm mathpix-markdown-it) and Markdown of other recognisers (Marker, MinerU, docling),
which differ only in their delimiters. One pass, linear in the length of the text. Order of the
rules: code, escaped characters, brackets, dollars, environments, <math> elements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Literal

import msgspec

from .prose import is_formula


class Delimiters(msgspec.Struct, frozen=True, cache_hash=True):
    """Pairs that open and close inline and displayed formulas.

    `dollars` says what a pair of `$` must be to stand around a formula:
    "weighed": no prose and no prices, though blanks may stand inside (`prose.is_formula`);
    "mathpix": what npm mathpix-markdown-it takes for one: no blank inside the edges and no digit
    behind. It takes `$5 and a book 8$` for a formula and `$ x $` for none, so a text in which
    prices or scraped formulas may stand is weighed;
    "any": whatever stands between two of them.
    With `environments` a LaTeX environment outside delimiters is a displayed formula, unless it is
    one of text.
    """

    inline: tuple[tuple[str, str], ...] = ((r"\(", r"\)"), ("$", "$"))
    display: tuple[tuple[str, str], ...] = ((r"\[", r"\]"), ("$$", "$$"))
    environments: bool = True
    dollars: Literal["weighed", "mathpix", "any"] = "mathpix"


MATHPIX = Delimiters()
# tags of forums and school sites around TeX (closed: what their software reads)
_TAGS = tuple(
    (f"{left}{name}{right}", f"{left}/{name}{right}")
    for name in ("tex", "latex", "math", "imath")
    for left, right in ("[]", "{}")
)
PROBLEM_TEXT = Delimiters(
    (*MATHPIX.inline, ("$latex ", "$"), *_TAGS), dollars="weighed"
)

# Environments whose body is text; formulas inside them are found one by one.
_OF_TEXT = (
    "tabular figure table itemize enumerate center left right abstract theorem lemma proof"
    " corollary definition remark proposition document quote minipage subfigure example"
)
TEXT_ENVIRONMENTS = frozenset(_OF_TEXT.split())
CODE_ENVIRONMENTS = frozenset({"lstlisting", "verbatim"})
# An environment of text that the text itself defines.
_NEW_THEOREM = re.compile(r"\\newtheorem\*?\{(\w+)\}")
# The option of a listing that lets formulas stand in its code.
_MATH_ESCAPE = re.compile(r"\[[^\]\n]*\bmathescape\b(?!\s*=\s*false)")
# What stands between delimiters and is no formula: a reference alone.
_REFERENCE = re.compile(r"\s*\\ref\{[^}]*\}\s*")
_BLANK_LINE = re.compile(r"\n[ \t]*(?=\n|\Z)")
# Parts of the scanner's pattern, by what they start.
_FENCE = r"(?<![^\n])[ ]{0,3}(?P<fence>`{3,}|~{3,})"
_TICKS = r"(?P<ticks>`+)"
_PICTURE = r"(?P<picture>!\[)"
_ENVIRONMENT = r"\\begin\s*\{(?P<environment>[^{}\n]*)\}"
_MATH = r"(?P<math><math\b[^<>]*>)"
_ESCAPE = r"(?P<escape>\\[^a-zA-Z])"
_STARTS = frozenset("`!\\<")  # of all these but fences


class MathSpan(msgspec.Struct, frozen=True):
    """One formula: text[start:end] with its delimiters; `tex` without them, outer blanks removed.

    `opener` is the opening delimiter, empty for an environment or a <math> element.
    """

    start: int
    end: int
    tex: str
    display: bool
    opener: str = ""


def maths_spans(text: str, delimiters: Delimiters = PROBLEM_TEXT) -> list[MathSpan]:
    r"""The formulas of `text` in reading order.

    >>> [s.tex for s in maths_spans(r"For $5 each, \(x^2\) of $y$ costs \$3")]
    ['x^2', 'y']
    >>> maths_spans("A pen costs $5 and a book costs $8. How much are both?")
    []
    """
    return list(_scanned(text, delimiters)[0])


@lru_cache(maxsize=32)  # rule after rule asks about one text
def _scanned(
    text: str, delimiters: Delimiters
) -> tuple[tuple[MathSpan, ...], tuple[tuple[int, int], ...]]:
    """Formulas and stretches of code, in one walk."""
    scanner = _Scanner(text, delimiters)
    spans = tuple(scanner.spans())
    return spans, tuple(scanner.code)


def code_stretches(text: str) -> list[tuple[int, int]]:
    """Start and end of fenced and inline code and of verbatim environments.

    >>> code_stretches("so `a_b` and $x$")
    [(3, 8)]
    """
    return list(_scanned(text, PROBLEM_TEXT)[1])


def outside(text: str, spans: list[MathSpan]) -> Iterator[tuple[int, int]]:
    """The stretches of prose between the formulas, empty ones included: always len(spans) + 1."""
    position = 0
    for span in spans:
        yield position, span.start
        position = span.end
    yield position, len(text)


def joined(parts: Iterable[str]) -> str:
    """Prose and formulas in a row; a blank where a closing `$` would touch a digit or a `$`.

    >>> joined(["is ", "$x$", "2"])
    'is $x$ 2'
    """
    pieces: list[str] = []
    for part in filter(None, parts):
        touching = part[0] == "$" or (part[0].isdigit() and part[0].isascii())
        if touching and pieces and pieces[-1].endswith("$"):
            pieces.append(" ")
        pieces.append(part)
    return "".join(pieces)


def replace_maths(text: str, replacement: Callable[[str], str]) -> str:
    """The text with something else for every formula, which is given with its delimiters.

    >>> replace_maths("Is $x$ more than $5?", lambda source: "Q")
    'Is Q more than $5?'
    """
    parts: list[str] = []
    position = 0
    for span in maths_spans(text):
        parts.append(text[position : span.start])
        parts.append(replacement(text[span.start : span.end]))
        position = span.end
    return "".join([*parts, text[position:]])


@lru_cache(maxsize=16)
def _openers(
    delimiters: Delimiters, fenced: bool
) -> tuple[re.Pattern[str], dict[str, tuple[str, bool]]]:
    """The pattern of everything that may start a formula, and opener -> (closer, display).

    In a text that may be `fenced` a blank may start code; elsewhere blanks need no look.
    """
    pairs: dict[str, tuple[str, bool]] = {}
    for display, group in ((True, delimiters.display), (False, delimiters.inline)):
        for opener, closer in group:
            pairs[opener] = (closer, display)
            # recognisers that escape Markdown double the backslash
            if opener.startswith("\\"):
                pairs["\\" + opener] = ("\\" + closer, display)
    longest_first = sorted(pairs, key=len, reverse=True)
    openers = "|".join(map(re.escape, longest_first)) or r"(?!)"
    parts = [_TICKS, _PICTURE, _ENVIRONMENT, _MATH, rf"(?P<opener>{openers})", _ESCAPE]
    signs = _STARTS.union(opener[0] for opener in pairs)
    if fenced:
        parts = [_FENCE, *parts]
        signs |= set(" ~")
    starts = re.escape("".join(sorted(signs)))  # a look at one sign rules most out
    return re.compile(rf"(?=[{starts}])(?:{'|'.join(parts)})"), pairs


class _Scanner:
    """One walk over a text.

    `next_at` remembers for each closer from where it was last looked for, and where it is.
    """

    def __init__(self, text: str, delimiters: Delimiters) -> None:
        self.text = text
        self.delimiters = delimiters
        self.pattern, self.pairs = _openers(delimiters, "```" in text or "~~~" in text)
        self.next_at: dict[str, tuple[int, int]] = {}
        self.bound = self.line = -1
        self.code: list[tuple[int, int]] = []

    @cached_property
    def text_environments(self) -> frozenset[str]:
        """Environments of text, the text's own theorems too; few texts have any."""
        return TEXT_ENVIRONMENTS.union(_NEW_THEOREM.findall(self.text))

    def spans(self) -> Iterator[MathSpan]:
        position = 0
        while match := self.pattern.search(self.text, position):
            position = match.end()
            kind = match.lastgroup
            if kind == "escape":
                continue
            result = getattr(self, f"_{kind}")(match)
            if isinstance(result, MathSpan):
                yield result
                position = result.end
            elif result:
                position = result
                if kind in ("fence", "ticks", "environment"):
                    self.code.append((match.start(), position))

    def _find(self, closer: str, start: int, bound: int) -> int:
        """`text.find` that goes over no stretch of the text twice."""
        since, at = self.next_at.get(closer, (0, -1))
        if not since <= start <= at:
            at = self.text.find(closer, start)
            self.next_at[closer] = (start, at if at >= 0 else len(self.text))
        return at if at >= 0 and at + len(closer) <= bound else -1

    def _paragraph_end(self, start: int) -> int:
        if start > self.bound:
            blank = _BLANK_LINE.search(self.text, start)
            self.bound = blank.start() if blank else len(self.text)
        return self.bound

    def _picture(self, match: re.Match[str]) -> int | None:
        """The alternative text and the address of a picture hold no formula."""
        if match.end() > self.line:
            at = self.text.find("\n", match.end())
            self.line = at if at >= 0 else len(self.text)
        middle = self._find("]", match.end(), self.line)
        if middle < 0 or not self.text.startswith("](", middle):
            return None
        end = self._find(")", middle + 2, self.line)
        return end + 1 if end > 0 else None

    def _fence(self, match: re.Match[str]) -> int | None:
        fence = match["fence"]
        rest_of_line = self.text[match.end() :].split("\n", 1)[0]
        if fence[0] == "`" and "`" in rest_of_line:
            return None
        at_least = f"{re.escape(fence)}{re.escape(fence[0])}*"
        closer = re.compile(rf"\n[ ]{{0,3}}{at_least}[ \t]*(?=\n|\Z)")
        closing = closer.search(self.text, match.end())
        return closing.end() if closing else len(self.text)

    def _ticks(self, match: re.Match[str]) -> int | None:
        """Inline code: closed by a run of the same length in the same paragraph."""
        ticks = match["ticks"]
        bound = self._paragraph_end(match.end())
        at = match.end()
        while (at := self._find(ticks, at, bound)) >= 0:
            end = at + len(ticks)
            while self.text.startswith("`", end):
                end += 1
            if end - at == len(ticks):
                return end
            at = end
        return None

    def _environment(self, match: re.Match[str]) -> MathSpan | int | None:
        name = match["environment"].strip()
        closer = f"\\end{{{name}}}"
        if name in CODE_ENVIRONMENTS:
            if _MATH_ESCAPE.match(self.text, match.end()):
                return None
            at = self._find(closer, match.end(), len(self.text))
            return at + len(closer) if at >= 0 else None
        is_of_maths = name and name not in self.text_environments
        if not is_of_maths or not self.delimiters.environments:
            return None
        end = self._balanced_end(f"\\begin{{{name}}}", closer, match.end())
        if end < 0:
            return None
        return MathSpan(match.start(), end, self.text[match.start() : end], True)

    def _balanced_end(self, opener: str, closer: str, start: int) -> int:
        """End of the outermost environment; the last closer there is when some are missing."""
        bound = self._paragraph_end(start)
        depth = 1
        position = start
        end = -1
        while (close := self._find(closer, position, bound)) >= 0:
            depth += self.text.count(opener, position, close) - 1
            position = end = close + len(closer)
            if depth == 0:
                break
        return end

    def _math(self, match: re.Match[str]) -> MathSpan | None:
        at = self._find("</math>", match.end(), len(self.text))
        if at < 0:
            return None
        end = at + len("</math>")
        element = self.text[match.start() : end]
        return MathSpan(match.start(), end, element, "block" in match[0])

    def _opener(self, match: re.Match[str]) -> MathSpan | int | None:
        opener = match["opener"]
        closer, display = self.pairs[opener]
        start = match.end()
        bound = self._paragraph_end(match.end())
        if opener == closer:
            close = self._dollar(opener, start, bound)
        else:
            close = self._find(closer, start, bound)
        if close < 0:
            return None
        if _REFERENCE.fullmatch(self.text, start, close):
            return close + len(closer)
        tex = self.text[start:close].strip()
        return MathSpan(match.start(), close + len(closer), tex, display, opener)

    def _dollar(self, mark: str, start: int, bound: int) -> int:
        """Where a formula opened by `mark` before `start` closes, or -1."""
        text = self.text
        rule = self.delimiters.dollars
        strict = mark == "$" and rule == "mathpix"
        if strict and text[start : start + 1] in ("", " ", "\t", "\n"):
            return -1
        close = self._unescaped(mark, start, bound)
        # between two single dollars something stands; `$$$$` may be empty
        if close < start or (close == start and mark == "$"):
            return -1
        if rule == "weighed":
            return close if is_formula(text, start, close, mark) else -1
        if strict:
            is_loose = text[close - 1] in " \t\n"
            if is_loose or text[close + 1 : close + 2].isdigit():
                return -1
        return close

    def _unescaped(self, mark: str, start: int, bound: int) -> int:
        """The first such mark that no backslash stands before."""
        key = f"unescaped {mark}"
        since, at = self.next_at.get(key, (0, -1))
        if not since <= start <= at:
            at = self.text.find(mark, start)
            while at >= 0 and self._escaped(at, start):
                at = self.text.find(mark, at + 1)
            self.next_at[key] = (start, at if at >= 0 else len(self.text))
        return at if at >= 0 and at + len(mark) <= bound else -1

    def _escaped(self, position: int, start: int) -> bool:
        """A backslash before the mark; where pairs are weighed, two of them only end a row."""
        first = position
        while first > start and self.text[first - 1] == "\\":
            first -= 1
        slashes = position - first
        if self.delimiters.dollars == "weighed":
            return slashes % 2 == 1
        return slashes > 0
