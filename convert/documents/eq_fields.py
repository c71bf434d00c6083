r"""Fields of old Word documents that draw formulas, `EQ \f(1,2)`, as LaTeX.

https://support.microsoft.com: field codes, EQ. Switches take their arguments in brackets, parted by
commas, or by semicolons where a comma is the decimal sign.
"""

from __future__ import annotations

import re

from ...errors import UserError

MOST = 2_000  # characters of a field
DEEPEST = 20
_TOKEN = re.compile(
    r"\\(?P<switch>[A-Za-z]+)(?P<number>\d*)|(?P<escaped>\\.)|(?P<sign>[(),;])"
)
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">", "|": "|"}


def eq_latex(field: str) -> str:
    r"""The LaTeX of an EQ field. Raises UserError for a switch that it does not know.

    >>> eq_latex(r"EQ \f(\r(2),x\s\up5(3))")
    '\\frac{\\sqrt{2}}{x^{3}}'
    """
    text = re.sub(r"(?i)\A\s*EQ\s", "", field).strip()
    if len(text) > MOST:
        raise UserError(f"a field of {len(text):,} characters", "type it anew")
    return _Reader(text).until(0, "")


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def until(self, depth: int, stops: str) -> str:
        """LaTeX up to one of the signs at which an argument ends."""
        if depth > DEEPEST:
            raise UserError("a field of too many brackets", "type it anew")
        out: list[str] = []
        while self.at < len(self.text):
            match = _TOKEN.search(self.text, self.at)
            start = match.start() if match else len(self.text)
            out.append(_letters(self.text[self.at : start]))
            self.at = start
            if match is None:
                break
            if match["sign"] and match["sign"] in stops:
                break
            self.at = match.end()
            if match["switch"]:
                out.append(self.switch(match["switch"].lower(), depth))
            elif match["sign"] == "(":
                out.append(f"({self.until(depth + 1, ')')})")
                self.at += 1
            else:
                out.append(match["sign"] or (match["escaped"] or "")[1:])
        return "".join(out).strip()

    def options(self) -> list[str]:
        r"""Settings between a switch and its brackets: `\up5`, `\co2`, `\lc\{`."""
        match = re.compile(r"(?:\s*\\[A-Za-z]{2}(?:\d+|\\.)?)*\s*").match(
            self.text, self.at
        )
        self.at = match.end() if match else self.at
        return re.findall(r"\\[A-Za-z]{2}(?:\d+|\\.)?", match[0]) if match else []

    def arguments(self, depth: int) -> list[str]:
        if self.text[self.at : self.at + 1] != "(":
            raise UserError("a field without its brackets", "type it anew")
        stops = ";)" if self._by_semicolons() else ",)"
        found: list[str] = []
        while self.text[self.at : self.at + 1] not in (")", ""):
            self.at += 1
            found.append(self.until(depth + 1, stops))
        self.at += 1
        return found

    def _by_semicolons(self) -> bool:
        """Whether arguments are parted so: one stands before the bracket closes."""
        depth = 0
        for sign in self.text[self.at :]:
            depth += (sign == "(") - (sign == ")")
            if depth == 0:
                return False
            if depth == 1 and sign == ";":
                return True
        return False

    def switch(self, name: str, depth: int) -> str:
        options = self.options()
        given = self.arguments(depth)
        first = given[0] if given else ""
        if name == "f" and len(given) == 2:
            return rf"\frac{{{first}}}{{{given[1]}}}"
        if name == "r" and len(given) == 2 and first:
            return rf"\sqrt[{first}]{{{given[1]}}}"
        if name == "r" and given:
            return rf"\sqrt{{{given[-1]}}}"
        if name == "s" and len(given) == 1:
            return f"{'_' if any(o[1:3] == 'do' for o in options) else '^'}{{{first}}}"
        if name == "s" and len(given) == 2:
            return f"^{{{first}}}_{{{given[1]}}}"
        if name == "b":
            said = {o[1:3]: o[-1] for o in options}
            both = said.get("bc", "" if said else "(")
            left = said.get("lc") or both or "."
            right = said.get("rc") or _BRACKETS.get(both, both) or "."
            return rf"\left{_sign(left)}{first}\right{_sign(right)}"
        if name == "a":
            columns = next((int(o[3:]) for o in options if o[1:3] == "co" and o[3:]), 1)
            rows = [
                given[k : k + columns] for k in range(0, len(given), max(columns, 1))
            ]
            lines = r" \\ ".join(" & ".join(row) for row in rows)
            return rf"\begin{{matrix}}{lines}\end{{matrix}}"
        if name == "i" and len(given) == 3:
            operator = {r"\su": r"\sum", r"\pr": r"\prod"}.get(
                options[0] if options else ""
            )
            return (
                rf"{operator or chr(92) + 'int'}_{{{first}}}^{{{given[1]}}} {given[2]}"
            )
        if name == "x" and len(given) == 1:
            return rf"\boxed{{{first}}}"
        if name == "l":
            return ", ".join(given)
        raise UserError(f"the switch \\{name} of an EQ field", "type it as an equation")


def _sign(sign: str) -> str:
    return f"\\{sign}" if sign in "{}" else sign


def _letters(text: str) -> str:
    """Text of a formula: signs of TeX escaped, words upright."""
    text = re.sub(r"([%#&$_{}])", r"\\\1", text)
    return _LETTERS.sub(lambda word: rf"\text{{{word[0]}}}", text)
