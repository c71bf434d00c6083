r"""Whether renderers set a formula: its syntax, read as strictly as KaTeX reads it.

Pages of releases, viewers and notebooks draw formulas with KaTeX or MathJax, and show the source in
red where these give up. `katex.json` holds what KaTeX knows of each command: it was written by
asking KaTeX itself (`tests/oracles/katex_table.mjs`), so the list is closed for that version.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path

import msgspec

DEEPEST = 60  # groups within each other
LONGEST = 20_000  # characters
# No command, script, brace or unusual character: nothing in it can be wrong.
_PLAIN = re.compile(r"[A-Za-z0-9 +\-*/=<>()\[\]|.,:;!?`\"@]*")
_TOKEN = re.compile(
    r"""
      (?P<blank>[ \r\n\t]+ | %[^\n]*\n?)
    | (?P<word>\\[A-Za-z@]+)[ \r\n\t]*
    | \\(?P<space>[ \r\n\t]+)
    | (?P<verb>\\verb\*?([^*A-Za-z]).*?\5)
    | (?P<sign>\\[^\ud800-\udfff])
    | (?P<character>[!-\[\]-\u2027\u202a-\ud7ff\uf900-\U0010ffff][\u0300-\u036f]*)
    """,
    re.VERBOSE | re.DOTALL,
)
_ENDS = frozenset(("}", r"\endgroup", r"\end", r"\right", "&", ""))
_HLINES = (r"\hline", r"\hdashline")
_ROW_ENDS = (r"\\", r"\cr", r"\newline")
_SIZE = re.compile(r"\s*+(?:[-+]\s*)?(?:\d++\.?\d*+|\.\d++)\s*+([a-z]{2})\s*")
_UNKNOWN = "unknown environment"
_UNITS = frozenset("pt mm cm in bp pc dd cc nd nc sp px ex em mu".split())
_COLOUR = re.compile(r"#[a-f0-9]{3,4}|#?[a-f0-9]{6}|#[a-f0-9]{8}|[a-z]+", re.I)
# A formula that makes commands of its own: what those take is said there.
_MAKING = re.compile(
    r"\\(?:def|gdef|edef|xdef|let|futurelet|(?:re|provide)?newcommand)\b"
)
# what stands low in Unicode; all other script characters stand high
_SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ"


class _Known(msgspec.Struct):
    """What KaTeX knows.

    A command's flags are m and t for formulas and words, s where it may be a script without braces,
    l where limits may follow, i for `\\over` and its like. Its arguments follow: m and t are a
    formula and words, s a size, c a colour, d a delimiter, p one token, r anything, a rows; `?`
    stands before one in brackets, `*` for a star.
    """

    commands: dict[str, str]
    math: str
    text: str
    delimiters: list[str]
    environments: dict[str, str]
    accents: str
    scripts: str


@cache
def _known() -> _Known:
    data = Path(__file__).with_name("katex.json").read_bytes()
    return msgspec.json.decode(data, type=_Known)


class _FaultError(Exception):
    """What is wrong with a formula."""


@lru_cache(20_000)
def fault_of(tex: str, display: bool = False, names: bool = True) -> str:
    r"""Why renderers do not set a formula, in a few words; "" where they do.

    Without `names` it is asked whether the formula means anything to TeX, whatever the commands and
    environments that it names: scripts, groups, fences and cells.

    >>> fault_of(r"\frac{1}{2}"), fault_of(r"x^2^3"), fault_of(r"A\Parallel B")
    ('', 'two superscripts', 'unknown command \\Parallel')
    """
    if _PLAIN.fullmatch(tex) or _MAKING.search(tex):
        return ""
    if len(tex) > LONGEST:
        return f"{len(tex):,} characters, the limit is {LONGEST:,}"
    try:
        parser = _Parser(list(_tokens(tex)), display, names=names)
        parser.expression()
        parser.expect("")
    except _FaultError as fault:
        is_unread = not names and str(fault).startswith(_UNKNOWN)
        return "" if is_unread else str(fault)
    return ""


def _tokens(tex: str) -> Iterator[str]:
    """Commands, signs, characters with their accents, blanks as one. Raises _FaultError."""
    at = 0
    while at < len(tex):
        match = _TOKEN.match(tex, at)
        if match is None:
            raise _FaultError(f"the character {ascii(tex[at])[1:-1]}")
        at = match.end()
        if match["blank"]:
            if match["blank"][0] != "%":
                yield " "
        elif match["space"]:
            yield "\\ "
        else:
            yield match["word"] or match["verb"] or match["sign"] or match["character"]


class _Parser:
    """A place among the tokens of a formula, in a formula or in its words."""

    def __init__(
        self,
        tokens: Sequence[str],
        display: bool,
        text: bool = False,
        names: bool = True,
    ) -> None:
        self.tokens, self.at = tokens, 0
        self.display, self.text, self.names = display, text, names
        self.depth = self.fences = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def blanks(self) -> None:
        while self.peek() == " ":
            self.at += 1

    def expect(self, token: str) -> None:
        found = self.peek()
        if found != token:
            raise _FaultError(_unexpected(found, token))
        self.at += 1

    def inside(self, tokens: Sequence[str], text: bool) -> _Parser:
        """A parser of an argument."""
        inner = _Parser(tokens, self.display, text, self.names)
        inner.depth, inner.fences = self.depth + 1, self.fences
        if inner.depth > DEEPEST:
            raise _FaultError(f"nested more than {DEEPEST} deep")
        return inner

    def expression(self, *ends: str) -> None:
        """All up to what closes a group, or to one of `ends`, which is left to be read."""
        halves = 0
        while True:
            if not self.text:
                self.blanks()
            token = self.peek()
            if token in _ENDS or token in ends:
                return
            flags = _known().commands.get(token, "").partition(" ")[0]
            halves += "i" in flags
            if halves > 1:
                raise _FaultError(f"a second {token} in one group")
            if not self.atom(*ends):
                return

    def atom(self, *ends: str) -> bool:
        """One atom with its scripts; False where none begins here."""
        start = self.at
        takes_limits = self.group(*ends)
        if self.text:
            return self.at > start
        above = below = False
        while True:
            self.blanks()
            token = self.peek()
            if token in (r"\limits", r"\nolimits"):
                if not takes_limits:
                    raise _FaultError(f"{token} behind no operator")
                self.take()
            elif token == "^" or token == "'":
                if above:
                    raise _FaultError("two superscripts")
                above = True
                self.superscript()
            elif token == "_":
                if below:
                    raise _FaultError("two subscripts")
                below = True
                self.script()
            elif token and token in _known().scripts + _SUBSCRIPTS:
                self.take()
                below |= token in _SUBSCRIPTS
                above |= token not in _SUBSCRIPTS
            else:
                return self.at > start

    def superscript(self) -> None:
        """A script above, or primes and then one."""
        if self.peek() == "^":
            self.script()
            return
        while self.peek() == "'":
            self.take()
        if self.peek() == "^":
            self.script()

    def script(self) -> None:
        sign = self.take()
        self.blanks()
        while self.peek() == r"\relax":
            self.take()
        self.one(f"nothing behind {sign}")

    def one(self, lacking: str) -> None:
        """A group or a single token, as a script. Raises _FaultError where there is none."""
        start = self.at
        token = self.peek()
        entry = _known().commands.get(token)
        is_whole = entry is None or "s" in entry.partition(" ")[0]
        if token == r"\\" or not is_whole:
            raise _FaultError(f"{token} without braces around it")
        self.group()
        if self.at == start:
            raise _FaultError(lacking)

    def group(self, *ends: str) -> bool:
        """One atom without scripts, where one begins; whether it takes limits."""
        token = self.peek()
        if token in ("{", r"\begingroup"):
            self.take()
            self.depth += 1
            if self.depth > DEEPEST:
                raise _FaultError(f"nested more than {DEEPEST} deep")
            self.expression()
            self.depth -= 1
            self.expect("}" if token == "{" else r"\endgroup")
            return False
        if token.startswith("\\") and token not in (r"\limits", r"\nolimits"):
            return self.command(self.take())
        if self.text and token == "$":
            self.formula_in_words(self.take(), "$")
        elif self.is_sign(token):
            self.take()
        return False

    def is_sign(self, token: str) -> bool:
        """Whether a character shows itself. Raises _FaultError for an accent nobody sets."""
        if not token or token in "^_{}&'":
            return self.text and token == "'"
        if unknown := set(token[1:]) - set(_known().accents):
            raise _FaultError(f"the accent {ascii(min(unknown))[1:-1]}")
        signs = _known().text if self.text else _known().math
        return not token[0].isascii() or token == " " or token[0] in signs

    def command(self, name: str) -> bool:
        """What a command takes; whether limits may follow it."""
        if name == r"\begin" and not self.text:
            self.environment()
            return False
        if name in _HLINES:
            raise _FaultError(f"{name} outside of a table")
        if self.text and name == r"\(":
            self.formula_in_words(name, r"\)")
            return False
        if name.startswith(r"\verb"):
            return False
        if name == r"\\":
            self.room_below()
            return False
        if name == r"\char":
            self.take()
            return False
        entry = _known().commands.get(name)
        if entry is None and not self.names:
            return True
        if entry is None:
            raise _FaultError(f"unknown command {name}")
        flags, _, arguments = entry.partition(" ")
        if self.names and ("t" if self.text else "m") not in flags:
            where = "words" if self.text else "a formula"
            raise _FaultError(f"{name} inside of {where}")
        if name == r"\left":
            self.fenced()
            return False
        if name == r"\tag" and not self.display and self.names:
            raise _FaultError(r"\tag in a line of text")
        if name == r"\middle" and not self.fences:
            raise _FaultError(r"\middle without \left")
        self.arguments(name, arguments)
        return "l" in flags

    def arguments(self, name: str, kinds: str) -> None:
        optional = lacks_index = False
        for kind in kinds:
            if kind == "?":
                optional = True
            elif kind == "*":
                self.blanks()
                self.at += self.peek() == "*"
            elif optional:
                optional = False
                lacks_index = not self.in_brackets(name, kind) and name == r"\sqrt"
            elif lacks_index:  # one token then, as TeX reads it
                self.blanks()
                self.one(f"nothing behind {name}")
            else:
                self.argument(name, kind)

    def in_brackets(self, name: str, kind: str) -> bool:
        """An optional argument, where one stands here."""
        self.blanks()
        if self.peek() != "[":
            return False
        start = self.at + 1
        depth = 0
        for end in range(start, len(self.tokens)):
            token = self.tokens[end]
            depth += (token == "{") - (token == "}")
            if token == "]" and depth == 0:
                self.at = end + 1
                self.read(name, kind, self.tokens[start:end])
                return True
        raise _FaultError(f"a bracket of {name} that does not close")

    def argument(self, name: str, kind: str) -> None:
        self.blanks()
        token = self.peek()
        if kind == "d":
            delimiter = self.take()
            if delimiter not in _known().delimiters:
                shown = delimiter or "nothing"
                raise _FaultError(f"{shown} is no delimiter behind {name}")
        elif kind == "p":
            self.one(f"nothing behind {name}")
        elif kind == "s" and token != "{":
            self.size(name)
        elif token == "{":
            start = self.at + 1
            self.at = self.closing()
            self.read(name, kind, self.tokens[start : self.at - 1])
        elif not token or token == "}":
            raise _FaultError(f"an argument of {name} is missing")
        else:
            self.read(name, kind, [self.take()])

    def closing(self) -> int:
        """Behind the brace that closes the one here."""
        depth = 0
        for end in range(self.at, len(self.tokens)):
            depth += (self.tokens[end] == "{") - (self.tokens[end] == "}")
            if depth == 0:
                return end + 1
        raise _FaultError("a brace that does not close")

    def read(self, name: str, kind: str, tokens: Sequence[str]) -> None:
        """An argument by its kind."""
        source = "".join(tokens)
        if kind == "s":
            size = _SIZE.search(source)
            if source and (size is None or size[1] not in _UNITS):
                raise _FaultError(f"{source!r} is no size")
        elif kind == "c" and not _COLOUR.fullmatch(source):
            raise _FaultError(f"{source!r} is no colour")
        elif kind == "a":
            inner = self.inside([*tokens, r"\end"], self.text)
            inner.rows()
            inner.expect(r"\end")
        elif kind in "mtp":
            inner = self.inside(tokens, self.text or kind == "t")
            inner.expression()
            inner.expect("")

    def size(self, name: str) -> None:
        """A size without braces: `\\kern 3pt`."""
        size = _SIZE.match("".join(self.tokens[self.at : self.at + 24]))
        if size is None or size[1] not in _UNITS:
            raise _FaultError(f"no size behind {name}")
        length = size.end()
        while length > 0:
            length -= len(self.take())

    def fenced(self) -> None:
        r"""`\left( ... \right)`."""
        self.argument(r"\left", "d")
        self.fences += 1
        self.expression()
        self.fences -= 1
        if self.peek() != r"\right":
            raise _FaultError(r"\left without \right")
        self.argument(self.take(), "d")

    def formula_in_words(self, opener: str, closer: str) -> None:
        self.text = False
        self.expression(closer)
        self.text = True
        if self.peek() != closer:
            raise _FaultError(f"{opener} without {closer}")
        self.take()

    def environment(self) -> None:
        name = self.name()
        kind = _known().environments.get(name)
        if kind is None:
            raise _FaultError(f"{_UNKNOWN} {name}")
        if "d" in kind and not self.display and self.names:
            raise _FaultError(f"{name} in a line of text")
        if "c" in kind or "n" in kind:
            self.columns(name, "lc" if name == "subarray" else "lcr|:")
        if name.endswith("matrix*"):
            self.in_brackets(name, "r")
        if name == "CD":
            while self.peek() not in ("", r"\end"):
                self.take()
        else:
            self.depth += 1
            if self.depth > DEEPEST:
                raise _FaultError(f"nested more than {DEEPEST} deep")
            self.rows(most=2 if name == "split" else 0)
            self.depth -= 1
        if self.peek() != r"\end":
            raise _FaultError(rf"\begin{{{name}}} without \end")
        self.take()
        if (end := self.name()) != name:
            raise _FaultError(rf"\begin{{{name}}} and \end{{{end}}}")

    def name(self) -> str:
        self.blanks()
        if self.peek() != "{":
            raise _FaultError("an environment without a name")
        start = self.at + 1
        self.at = self.closing()
        return "".join(self.tokens[start : self.at - 1])

    def columns(self, name: str, letters: str) -> None:
        spec = self.name().replace(" ", "")
        allowed = spec.isdigit() if name.startswith("aligned") or "at" in name else None
        wrong = not allowed if allowed is not None else set(spec) - set(letters)
        if wrong:
            raise _FaultError(f"the columns {spec[:20]!r} of {name}")

    def rows(self, most: int = 0) -> None:
        r"""Cells between `&`, rows between `\\`, up to the end of the environment."""
        self.lines()
        cells = 1
        while True:
            self.expression(*_ROW_ENDS)
            token = self.peek()
            if token == "&":
                cells += 1
                if most and cells > most:
                    raise _FaultError("too many & in a row")
            elif token in _ROW_ENDS:
                cells = 1
            else:
                return
            self.take()
            if token == r"\\":
                self.room_below()
            if token != "&":
                self.lines()

    def room_below(self) -> None:
        """The room that is asked for below a row: `[6pt]`."""
        if self.peek() == "[":
            self.in_brackets(r"\\", "s")

    def lines(self) -> None:
        self.blanks()
        while self.peek() in _HLINES:
            self.take()
            self.blanks()


def _unexpected(found: str, wanted: str) -> str:
    """What is wrong where something else stands than was expected."""
    if found == "&":
        return "an & outside of a table"
    if found in (r"\right", r"\end"):
        opener = r"\left" if found == r"\right" else r"\begin"
        return f"{found} without {opener}"
    if wanted in ("}", r"\endgroup"):
        return "a brace that does not close"
    if found == "}":
        return "a brace that nothing opened"
    return f"{found} stands where it means nothing"
