r"""Macros of a LaTeX source, written out with a bound: no TeX is run.

What `\newcommand`, `\def`, `\let`, `\DeclareMathOperator`, `\DeclarePairedDelimiter` and xparse's
commands define is written out from where it is defined; so is what `known.tex` defines. A macro
whose name says what its text is (`\sol{...}`, `\ifanswers ... \fi`) becomes an environment of that
name. Definitions of any other kind are left alone, and named where they are used; those of
environments are kept in words, see `Expansion.titles`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import msgspec

from ...errors import UserError
from ...latex import group_end
from ...words import own_name
from .roles import of_name

MAX_STEPS = 200_000  # macros
MAX_WRITTEN = 20_000_000  # characters
DEEPEST = 60  # macros in macros
REACH = 20_000  # characters of an argument
MOST_ARGUMENTS = 9  # of an environment, as TeX has it
STAR = "*"  # in `arguments`: a star that may be there

_COMMAND = re.compile(r"\\([A-Za-z@]+)(\*?)|\\.", re.S)
_NAME = re.compile(r"\s*(?:\{\s*\\?([A-Za-z@]+\*?)\s*\}|\\([A-Za-z@]+))")
_OPTION = re.compile(r"\s*\[((?:[^\[\]{}]|\{[^{}]*\})*)\]")
_ENVIRONMENT = re.compile(
    r"(?:re)?new\w*(?:env|theorem|list|box)\w*|declaretheorem|(?:New|Renew|Declare|Provide)\w*Env\w*"
    r"|setlist|settasks"
)
_KIND = re.compile(r"\+?([mos])|\+?O\{([^{}]*)\}|[dD]..")
_OPENER = re.compile(r"\\(?:begin|end|item|question|part)(?![A-Za-z])")
_FORMULA = re.compile(r"[^$]*(?:[\^_]|\\math|\\operatorname)")  # \pre may be a preimage
_OPENS = re.compile(r"\s*\{")
_COUNTS = re.compile(
    r"\\(?:arabic|the[a-z]+|\w*stepcounter|alph|roman|Roman|Alph)(?![A-Za-z])"
)
_IF = re.compile(r"\\(if[A-Za-z@]*|else|fi)(?![A-Za-z@])")


class MacroError(UserError):
    """A macro that does not end, or grows too long."""


class Macro(msgspec.Struct, frozen=True):
    """`body` with #1, #2 ... for its arguments: None, or the default of one in brackets."""

    body: str
    arguments: tuple[str | None, ...] = ()


# Definitions: what each kind takes, sign by sign (n a name, o an option, g a group, p parameters,
# = and s signs that may be there), and the macro that it makes of these.


def _simple(star: str, many: str | None, first: str | None, body: str) -> Macro:
    count = int(many) if many and many.strip().isdigit() else 0
    return Macro(body, ((first,) if count else ()) + (None,) * (min(count, 9) - 1))


def _by_xparse(star: str, spec: str, body: str) -> Macro | None:
    kinds = {"s": STAR, "m": None}
    arguments = (kinds.get(k[1], k[2] or "") for k in _KIND.finditer(spec))
    return None if _KIND.sub("", spec).strip() else Macro(body, tuple(arguments))


Made = Callable[..., Macro | None]
_DEFINITIONS: tuple[tuple[re.Pattern[str], str, Made], ...] = (
    (
        re.compile(
            r"(?:re)?newcommand|providecommand|(?:Declare|new)Robust\w+|newrobustcmd"
        ),
        "noog",
        _simple,
    ),
    (
        re.compile("[gex]?def"),
        "npg",
        lambda star, signs, body: Macro(body, (None,) * (len(signs) // 2)),
    ),
    (re.compile("let"), "n=n", lambda star, same, other: Macro(rf"\{other}")),
    (
        re.compile(r"(?:New|Renew|Provide|Declare)(?:Expandable)?DocumentCommand"),
        "ngg",
        _by_xparse,
    ),
    (
        re.compile("DeclareMathOperator"),
        "ng",
        lambda star, body: Macro(rf"\operatorname{star}{{{body}}}"),
    ),
    (
        re.compile(r"DeclarePairedDelimiter\w*"),
        "ngg",
        lambda star, left, right: Macro(
            rf"\left{left} #3\right{right}", (STAR, "", None)
        ),
    ),
)
_SIGNS = {
    "p": re.compile(r"((?:#\d)*)\s*(?=\{)"),
    "=": re.compile(r"\s*(=?)"),
    "n": _NAME,
    "s": re.compile(r"\*?"),
}


def _taken(
    text: str, at: int, kinds: Iterable[str]
) -> tuple[list[str | None], int] | None:
    """What stands there of each kind, and the place behind; None where one does not stand."""
    given: list[str | None] = []
    for kind in kinds:
        if kind in _SIGNS:
            if (match := _SIGNS[kind].match(text, at)) is None:
                return None
            given.append(
                next((group for group in match.groups() if group is not None), "")
            )
            at = match.end()
        elif kind == "o":
            option = _OPTION.match(text, at)
            given.append(option[1] if option else None)
            at = option.end() if option else at
        else:
            group, at = _argument(text, at)
            if group is None:
                return None
            given.append(group)
    return given, at


@cache
def known() -> dict[str, Macro]:
    """The macros of packages that sources use without defining them."""
    expansion = Expansion({})
    text = Path(__file__).with_name("known.tex").read_text(encoding="utf-8")
    expansion.written(text.partition("\n")[2])
    return expansion.macros


class Expansion:
    r"""Simple macros written out from where they are defined; `titles` define environments.

    >>> macros = Expansion()
    >>> macros.written(r"\newcommand{\abs}[1]{|#1|}\let\e\eu$\abs{x}+\e$")
    '$|x|+\\mathrm{e}$'
    """

    def __init__(self, macros: dict[str, Macro] | None = None) -> None:
        self.macros = dict(known()) if macros is None else macros
        self.titles: dict[str, str] = {}  # environment -> the words of its definition
        self.counts: dict[str, int] = {}  # environment -> how many arguments it takes
        self.conditions = {"true": True, "false": False}  # and those of \newif
        # what may still be written of a text
        self.steps = MAX_STEPS
        self.room = MAX_WRITTEN

    def written(self, text: str, depth: int = 0) -> str:
        """The text with its macros written out. Raises UserError where they do not end."""
        out: list[str] = []
        position = 0
        if not depth:
            self.steps, self.room = MAX_STEPS, MAX_WRITTEN
        while match := _COMMAND.search(text, position):
            name = match[1]
            end = match.end()
            out.append(text[position : match.start()])
            if not name:
                out.append(match[0])
            elif behind := self._definition(name, text, end, match[2]):
                end = behind
            elif name.startswith("if") and (chosen := self._chosen(text, match)):
                branch, end = chosen
                out.append(self.written(branch, depth + 1))
            elif name in self.macros and (used := self._used(text, match.end(1), name)):
                body, end = used
                self._charge(len(body), depth, name)
                body = self.written(body, depth + 1)
                out.append(body)
                if (
                    re.search(r"\\[A-Za-z]+\Z|[A-Za-z]\Z", body)
                    and text[end : end + 1].isalpha()
                ):
                    out.append(" ")  # \R x, but never \pix
            else:
                out.append(match[0])
            position = end
        return "".join([*out, text[position:]])

    def _charge(self, length: int, depth: int, name: str) -> None:
        self.steps -= 1
        self.room -= length
        if self.steps < 0 or self.room < 0 or depth >= DEEPEST:
            raise MacroError(
                rf"\{name} does not end, or grows too long", "mend its definition"
            )

    def _used(self, text: str, at: int, name: str) -> tuple[str, int] | None:
        """The body with its arguments in place, and where the text goes on.

        None where arguments are missing, and for macros whose name says what follows them.
        """
        macro = self.macros[name]
        kinds = {STAR: "s", None: "g"}
        found = _taken(
            text, at, [kinds.get(default, "o") for default in macro.arguments]
        )
        if found is None:
            self._charge(REACH, 0, name)
            return None
        stood, at = found
        given = [
            (default or "") if one is None else one
            for one, default in zip(stood, macro.arguments, strict=True)
        ]
        body = re.sub(r"(\\[A-Za-z]+)?#([1-9])", lambda m: _put(m, given), macro.body)
        if not given:
            while text[at : at + 1] == " ":  # TeX skips them
                at += 1
        if own_name(name) is not None:  # the walk asks what the source says
            return None
        role = of_name(name) if macro is not known().get(name) else None
        told = role not in (None, "problem") or (role and _COUNTS.search(macro.body))
        if not told or _OPENER.search(body) or _FORMULA.match(body):
            return body, at
        if role == "problem" or not given:
            return None
        shown = body if "#" in macro.body else given[-1]
        return rf"\begin{{{name}}}{shown}\end{{{name}}}", at

    def _chosen(self, text: str, opening: re.Match[str]) -> tuple[str, int] | None:
        r"""The branch that holds of `\ifname ... \else ... \fi`; None for TeX's own tests."""
        condition = opening[1][2:]
        role = of_name(condition) if condition not in ("true", "false") else None
        if condition not in self.conditions and role is None:
            return None
        depth = 1
        middle = -1
        at = opening.end()
        while mark := _IF.search(text, at):
            at = mark.end()
            depth += {"else": 0, "fi": -1}.get(mark[1], 1)
            if mark[1] == "else" and depth == 1:
                middle = mark.start()
            if not depth:
                break
        else:
            return None
        self._charge(0, 0, opening[1])
        first = text[opening.end() : middle if middle >= 0 else mark.start()]
        second = text[middle + len(r"\else") : mark.start()] if middle >= 0 else ""
        if role and not _OPENER.search(first):
            first = (
                rf"\begin{{{condition}}}{first}\end{{{condition}}}"
                if first.strip()
                else ""
            )
            return first + second, at
        return (first if role is not None or self.conditions[condition] else second), at

    def _definition(self, name: str, text: str, at: int, star: str) -> int:
        """The place behind a definition that was kept, or 0."""
        if name == "newif" and (
            named := re.compile(r"\s*\\if([A-Za-z@]+)").match(text, at)
        ):
            self.conditions[named[1]] = False
            return named.end()
        base = re.sub("(?:true|false)$", "", name)
        if base != name and base in self.conditions:
            self.conditions[base] = name.endswith("true")
            return at
        if _ENVIRONMENT.fullmatch(name):
            return self._environment(text, at, name)
        for pattern, kinds, made in _DEFINITIONS:
            if pattern.fullmatch(name):
                if (found := _taken(text, at, kinds)) is None:
                    self._charge(REACH, 0, name)
                    return 0
                (defined, *given), behind = found
                macro = made(star, *given)
                if name == "let" and given[-1] in (defined, *self.macros):
                    macro = self.macros.get(given[-1] or "")
                if macro is not None and defined:
                    self.macros[defined] = macro
                return behind if macro is not None or name == "let" else 0
        return 0

    def _environment(self, text: str, at: int, command: str) -> int:
        """Keep the words of what defines an environment, up to its last argument."""
        groups = list[str]()
        counts = list[int]()
        at += text.startswith("*", at)
        while len(groups) < 8:
            option = _OPTION.match(text, at)
            if option is None and not _OPENS.match(text, at):
                break
            group, at = (option[1], option.end()) if option else _argument(text, at)
            if group is None:
                self._charge(REACH, 0, "newenvironment")
                return 0
            groups.append(group)
            counts += [int(group)] if option and group.strip().isdecimal() else []
        names = [
            g.strip() for g in groups if re.fullmatch(r"\s*[^\W\d_][\w@-]*\*?\s*", g)
        ]
        named = "tasks" if command == "settasks" else names[0] if names else ""
        words = "\n".join(g for g in groups if g.strip() != named)
        self.titles[named] = f"{self.titles.get(named, '')}{words}\n"
        if counts and "theorem" not in command.casefold():
            self.counts[named] = min(counts[0], MOST_ARGUMENTS)
        return at


def _put(place: re.Match[str], given: list[str]) -> str:
    r"""The argument of a place; `\left\lbrack#1` with `u` is no `\lbracku`."""
    command = place[1] or ""
    number = int(place[2])
    argument = given[number - 1] if number <= len(given) else f"#{number}"
    blank = " " if command and argument[:1].isalpha() else ""
    return f"{command}{blank}{argument}"


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
