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
    (f"{a}{name}{b}", f"{a}/{name}{b}")
    for name in ("tex", "latex", "math", "imath")
    for a, b in ("[]", "{}")
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
_NEW_THEOREM = re.compile(r"\\newtheorem\*?\{(\w+)\}")
_MATH_ESCAPE = re.compile(r"\[[^\]\n]*\bmathescape\b(?!\s*=\s*false)")
_REFERENCE = re.compile(r"\s*\\ref\{[^}]*\}\s*")


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
    out: list[str] = []
    for part in parts:
        touching = part.startswith("$") or (part[:1].isdigit() and part[:1].isascii())
        if touching and out and out[-1].endswith("$"):
            out.append(" ")
        if part:
            out.append(part)
    return "".join(out)


def replace_maths(text: str, replacement: Callable[[str], str]) -> str:
    """The text with something else for every formula, which is given with its delimiters.

    >>> replace_maths("Is $x$ more than $5?", lambda source: "Q")
    'Is Q more than $5?'
    """
    parts: list[str] = []
    position = 0
    for span in maths_spans(text):
        parts += [text[position : span.start], replacement(text[span.start : span.end])]
        position = span.end
    return "".join([*parts, text[position:]])


_BLANK_LINE = re.compile(r"\n[ \t]*(?=\n|\Z)")
_FENCE = r"(?<![^\n])[ ]{0,3}(?P<fence>`{3,}|~{3,})|"
_CODE = (
    r"(?P<ticks>`+)|(?P<picture>!\[)"
    r"|\\begin\s*\{(?P<environment>[^{}\n]*)\}|(?P<math><math\b[^<>]*>)"
)
_CODE_STARTS = frozenset("`!\\<")


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
            if opener.startswith(
                "\\"
            ):  # recognisers that escape Markdown double the backslash
                pairs["\\" + opener] = ("\\" + closer, display)
    longest_first = sorted(pairs, key=len, reverse=True)
    openers = "|".join(re.escape(o) for o in longest_first) or r"(?!)"
    signs = _CODE_STARTS.union((o[0] for o in pairs), " ~" if fenced else "")
    starts = re.escape("".join(sorted(signs)))  # rules most out
    found = rf"{_FENCE if fenced else ''}{_CODE}|(?P<opener>{openers})|(?P<escape>\\[^a-zA-Z])"
    return re.compile(rf"(?=[{starts}])(?:{found})"), pairs


class _Scanner:
    """One walk over a text. `found` remembers where each closer was last looked for and seen."""

    def __init__(self, text: str, delimiters: Delimiters) -> None:
        self.text = text
        self.delimiters = delimiters
        self.pattern, self.pairs = _openers(delimiters, "```" in text or "~~~" in text)
        self.found: dict[str, tuple[int, int]] = {}
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
        since, at = self.found.get(closer, (0, -1))
        if not since <= start <= at:
            at = self.text.find(closer, start)
            self.found[closer] = (start, at if at >= 0 else len(self.text))
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
        if fence[0] == "`" and "`" in self.text[match.end() :].split("\n", 1)[0]:
            return None
        close = re.compile(
            rf"\n[ ]{{0,3}}{re.escape(fence)}{re.escape(fence[0])}*[ \t]*(?=\n|\Z)"
        )
        closing = close.search(self.text, match.end())
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
        if (
            name in self.text_environments
            or not name
            or not self.delimiters.environments
        ):
            return None
        end = self._balanced_end(f"\\begin{{{name}}}", closer, match.end())
        if end < 0:
            return None
        return MathSpan(match.start(), end, self.text[match.start() : end], True)

    def _balanced_end(self, opener: str, closer: str, start: int) -> int:
        """End of the outermost environment; the last closer there is when some are missing."""
        bound = self._paragraph_end(start)
        depth, position, end = 1, start, -1
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
        return MathSpan(
            match.start(), end, self.text[match.start() : end], "block" in match[0]
        )

    def _opener(self, match: re.Match[str]) -> MathSpan | int | None:
        opener = match["opener"]
        closer, display = self.pairs[opener]
        start, bound = match.end(), self._paragraph_end(match.end())
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
        text, rule = self.text, self.delimiters.dollars
        strict = mark == "$" and rule == "mathpix"
        if strict and text[start : start + 1] in ("", " ", "\t", "\n"):
            return -1
        close = self._unescaped(mark, start, bound)
        if close <= start - (mark != "$"):
            return -1
        if rule == "weighed":
            return close if is_formula(text, start, close, mark) else -1
        if strict and (
            text[close - 1] in " \t\n" or text[close + 1 : close + 2].isdigit()
        ):
            return -1
        return close

    def _unescaped(self, mark: str, start: int, bound: int) -> int:
        """The first such mark that no backslash stands before."""
        key = f"unescaped {mark}"
        since, at = self.found.get(key, (0, -1))
        if not since <= start <= at:
            at = self.text.find(mark, start)
            while at >= 0 and self._escaped(at, start):
                at = self.text.find(mark, at + 1)
            self.found[key] = (start, at if at >= 0 else len(self.text))
        return at if at >= 0 and at + len(mark) <= bound else -1

    def _escaped(self, position: int, start: int) -> bool:
        """A backslash before the mark; where pairs are weighed, two of them only end a row."""
        first = position
        while first > start and self.text[first - 1] == "\\":
            first -= 1
        slashes = position - first
        return slashes > 0 and (
            slashes % 2 == 1 or self.delimiters.dollars != "weighed"
        )
