r"""References of a LaTeX source: `\ref`, `\eqref`, `\cref` become the numbers that TeX prints."""

from __future__ import annotations

import re
from collections import Counter

from .roles import of_name

_SEEN = re.compile(
    r"\\(?P<how>begin|end)\s*\{(?P<name>[^{}\n]*)\}|\\label\s*\{(?P<label>[^{}\n]*)\}"
    r"|\\(?P<counted>item|question|section|subsection|chapter|task|part)(?![A-Za-z*])"
)
_REFERENCE = re.compile(
    r"(\$?)\\(?P<how>ref|eqref|[cC]ref|autoref|nameref|pageref)\*?\s*\{(?P<to>[^{}\n]*)\}(\$?)"
)
_KINDS = {"figure": "figure", "wrapfigure": "figure", "table": "table"}
_FORMULAS = re.compile(r"(?:equation|align|gather|multline|eqnarray|flalign|alignat)")


def resolved(text: str) -> str:
    r"""References as `\@refers{label}{what TeX prints}`; a label that stands nowhere is `??`.

    >>> resolved(r"\begin{equation}\label{e}x\end{equation} by \eqref{e}").split("by ")[1]
    '\\@refers{e}{(1)}'
    """
    if "ref" not in text:
        return text
    places = _numbered(text)

    def printed(match: re.Match[str]) -> str:
        labels = [label.strip() for label in match["to"].split(",")]
        names = [_printed(*places.get(x, ("", "??")), match["how"]) for x in labels]
        shown = " and ".join(names).strip()
        alone = match[1] == match[4]
        before, after = ("", "") if alone else (match[1], match[4])
        return rf"{before}\@refers{{{match['to']}}}{{{shown}}}{after}"

    return _REFERENCE.sub(printed, text)


def _printed(kind: str, number: str, command: str) -> str:
    """What a command prints of a label's place: `\\Cref` of an equation `Equation (1)`."""
    if kind == "equation" and command not in ("ref", "pageref", "nameref"):
        number = f"({number})"
    if command in ("cref", "autoref"):
        return f"{kind} {number}"
    return f"{kind} ".title() + number if command == "Cref" else number


def _numbered(text: str) -> dict[str, tuple[str, str]]:
    """What each label names: its kind, and its number."""
    counts = Counter[str]()
    places = dict[str, tuple[str, str]]()
    stack = list[tuple[str, tuple[str, str]]]()
    now = ("", "??")
    for seen in _SEEN.finditer(text):
        name = (seen["name"] or "").strip().rstrip("*")
        if seen["label"]:
            places.setdefault(seen["label"].strip(), now)
        elif seen["how"] == "end":
            while stack and stack[-1][0] != name:
                stack.pop()
            now = stack.pop()[1] if stack else now
        elif seen["how"]:
            stack.append((name, now))
            counts["item" + str(len(stack))] = 0
            kind = "equation" if _FORMULAS.match(name) else _KINDS.get(name, "")
            kind = kind or (name if of_name(name) == "problem" else "")
            if kind:
                counts[kind] += 1
                now = (kind, str(counts[kind]))
        else:
            kind = seen["counted"]
            counter = f"item{len(stack)}" if kind in ("item", "task") else kind
            counts[counter] += 1
            now = (kind, str(counts[counter]))
    return places
