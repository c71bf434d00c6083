r"""Simple macros of a LaTeX source, written out with a bound: no TeX is run.

What `\newcommand`, `\def` with plain parameters and `\DeclareMathOperator` define is written out,
from where it is defined; so are the constants and units of exam-zh and siunitx. Definitions of any
other kind are left alone, and named where they are used.
"""

from __future__ import annotations

import re

import msgspec

from ...errors import UserError
from ...latex import group_end

MAX_STEPS, MAX_WRITTEN, DEEPEST = 200_000, 20_000_000, 60  # macros; characters; macros in macros
REACH = 20_000  # characters of an argument
TIMES = r" \times "

_COMMAND = re.compile(r"\\([A-Za-z@]+)(\*?)|\\.", re.S)
_NAME = re.compile(r"\s*(?:\{\s*\\([A-Za-z@]+)\s*\}|\\([A-Za-z@]+))")
_COUNT = re.compile(r"\s*\[\s*(\d)\s*\]")
_PARAMETERS = re.compile(r"((?:#\d)*)\s*(?=\{)")
_DEFINING = {"newcommand", "renewcommand", "providecommand", "DeclareRobustCommand"}


class Macro(msgspec.Struct, frozen=True):
    """`body` with #1, #2 ... for its arguments; the first one may have a default."""

    body: str
    arguments: int = 0
    default: str | None = None


def _units(words: str) -> dict[str, Macro]:
    pairs = (word.split("=") for word in words.split())
    return {name: Macro(symbol) for name, symbol in pairs}


KNOWN = {
    "eu": Macro(r"\mathrm{e}"),
    "iu": Macro(r"\mathrm{i}"),
    "uppi": Macro(r"\pi "),
    "score": Macro("", 1),
    "num": Macro(r"\ensuremath{#1}", 1),
    "ang": Macro(r"\ensuremath{#1^\circ}", 1),
    **{name: Macro(r"\ensuremath{#1\,\mathrm{#2}}", 2) for name in ("qty", "SI")},
    **{name: Macro(r"\ensuremath{\mathrm{#1}}", 1) for name in ("unit", "si")},
} | _units(
    "metre=m meter=m kilo=k centi=c milli=m gram=g kilogram=kg second=s hour=h minute=min"
    r" litre=L liter=L newton=N joule=J watt=W degreeCelsius=^\circ{}C percent=\% per=/ squared=^2"
    " cubed=^3 cm=cm km=km mm=mm kg=kg"
)


def expanded(text: str, known: dict[str, Macro] | None = None) -> str:
    r"""The text with its simple macros written out. Raises UserError where they do not end.

    >>> expanded(r"\newcommand{\abs}[1]{|#1|}$\abs{x}+\eu$").strip()
    '$|x|+\\mathrm{e}$'
    """
    return _Expansion(dict(KNOWN if known is None else known)).written(text, 0)


class _Expansion:
    """The macros that are defined so far, and what may still be written."""

    def __init__(self, macros: dict[str, Macro]) -> None:
        self.macros = macros
        self.steps, self.room = MAX_STEPS, MAX_WRITTEN

    def written(self, text: str, depth: int) -> str:
        out: list[str] = []
        position = 0
        while match := _COMMAND.search(text, position):
            name, end = match[1], match.end()
            out.append(text[position : match.start()])
            if name == "qtyproduct":
                end = self._product(text, end, out)
            elif behind := self._definition(name, text, end, match[2]):
                end = behind
            elif name in self.macros and (used := self._used(text, match.end(1), name)):
                body, end = used
                self._charge(len(body), depth, name)
                out.append(self.written(body, depth + 1))
                if body[-1:].isalpha() and text[end : end + 1].isalpha():
                    out.append(" ")  # \R x, but never \pix
            else:
                out.append(match[0])
            position = end
        return "".join([*out, text[position:]])

    def _definition(self, name: str, text: str, at: int, star: str) -> int:
        """The place behind a definition that was kept, or 0."""
        if name in _DEFINING:
            return self._defined(text, at)
        if name == "def":
            return self._plainly_defined(text, at)
        return self._operator(text, at, star) if name == "DeclareMathOperator" else 0

    def _charge(self, length: int, depth: int, name: str) -> None:
        self.steps -= 1
        self.room -= length
        if self.steps < 0 or self.room < 0 or depth >= DEEPEST:
            raise UserError(rf"\{name} does not end, or grows too long", "mend its definition")

    def _used(self, text: str, at: int, name: str) -> tuple[str, int] | None:
        """The body with its arguments in place, and where the text goes on."""
        macro, arguments = self.macros[name], []
        if macro.default is not None:
            given = re.compile(r"[ \t]*\[([^\[\]]*)\]").match(text, at)
            arguments.append(given[1] if given else macro.default)
            at = given.end() if given else at
        while len(arguments) < macro.arguments:
            argument, at = _argument(text, at)
            if argument is None:
                self._charge(REACH, 0, name)
                return None
            arguments.append(argument)
        if not macro.arguments:
            while text[at : at + 1] == " ":  # TeX skips them
                at += 1
            return macro.body, at
        body = re.sub(
            r"#([1-9])",
            lambda m: arguments[int(m[1]) - 1] if int(m[1]) <= len(arguments) else m[0],
            macro.body,
        )
        return body, at

    def _defined(self, text: str, at: int) -> int:
        name = _NAME.match(text, at)
        if name is None:
            return 0
        at, count, default = name.end(), 0, None
        if many := _COUNT.match(text, at):
            at, count = many.end(), int(many[1])
            if first := re.compile(r"\s*\[([^\[\]]*)\]").match(text, at):
                at, default = first.end(), first[1]
        body, at = _argument(text, at)
        return self._kept(name[1] or name[2], body, count, at, default)

    def _plainly_defined(self, text: str, at: int) -> int:
        name = re.compile(r"\s*\\([A-Za-z@]+)").match(text, at)
        parameters = _PARAMETERS.match(text, name.end()) if name else None
        if name is None or parameters is None:
            return 0
        body, at = _argument(text, parameters.end())
        return self._kept(name[1], body, len(parameters[1]) // 2, at)

    def _operator(self, text: str, at: int, star: str) -> int:
        name = _NAME.match(text, at)
        if name is None:
            return 0
        body, at = _argument(text, name.end())
        body = None if body is None else rf"\operatorname{star}{{{body}}}"
        return self._kept(name[1] or name[2], body, 0, at)

    def _kept(
        self, name: str, body: str | None, count: int, at: int, default: str | None = None
    ) -> int:
        if body is None:
            self._charge(REACH, 0, name)
            return 0
        self.macros[name] = Macro(body, count, default)
        return at

    def _product(self, text: str, at: int, out: list[str]) -> int:
        factors, at = _argument(text, at)
        unit, at = _argument(text, at)
        each = [rf"{f.strip()}\,\mathrm{{{unit or ''}}}" for f in (factors or "").split("x")]
        out.append(rf"\ensuremath{{{TIMES.join(each)}}}")
        return at


def _argument(text: str, at: int) -> tuple[str | None, int]:
    """The group, or the one sign, that stands at `at`, and the place behind it."""
    while text[at : at + 1].isspace():
        at += 1
    if text[at : at + 1] == "{":
        end = group_end(text, at, REACH)
        return (text[at + 1 : end - 1], end) if end > 0 else (None, at)
    if sign := _COMMAND.match(text, at):
        return sign[0], sign.end()
    return (text[at], at + 1) if at < len(text) and text[at] != "}" else (None, at)
