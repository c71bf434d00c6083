r"""The final answer in `\boxed{...}`: read with balanced braces, written once."""

from __future__ import annotations

import re

from ..errors import UserError
from .groups import group_end

_BOX = re.compile(r"\\(?:boxed|fbox)(?![A-Za-z])\s*")
_SENTENCE = re.compile(r"[.。！？!?](?=\s|$|[\u4e00-\u9fff])|\n")


def read_boxed(text: str) -> list[str]:
    r"""The answers of the last sentence with boxes; empty when there is none.

    Raises UserError for a box that does not close.

    >>> read_boxed(r"So $x=\boxed{\frac{1}{2}}$ or $x=\boxed 5$.")
    ['\\frac{1}{2}', '5']
    """
    found: list[tuple[int, int, str]] = []
    position = 0
    while match := _BOX.search(text, position):
        if text.startswith("{", match.end()):
            end = group_end(text, match.end())
            if end < 0:
                raise UserError(
                    f"a box does not close: {text[match.start() : match.start() + 40]!r}",
                    "balance its braces",
                )
            found.append((match.start(), end, text[match.end() + 1 : end - 1].strip()))
        else:
            token = re.match(r"\\[A-Za-z]+|\S", text[match.end() :])
            end = match.end() + (token.end() if token else 0)
            found.append((match.start(), end, token[0] if token else ""))
        position = max(end, match.end())
    if not found:
        return []
    breaks = [
        m.end() for m in _SENTENCE.finditer(text, 0, found[-1][0])
        if not any(start <= m.start() < end for start, end, _ in found)
    ]  # fmt: skip
    since = max(breaks, default=0)
    return [answer for start, _, answer in found if start >= since]


def write_boxed(solution: str, answer: str) -> str:
    r"""The solution with its answer boxed at the end, unless a box is there already.

    >>> write_boxed("Add them.", "5")
    'Add them. $\\boxed{5}$'
    """
    if _BOX.search(solution) or not answer.strip():
        return solution
    plain = answer.strip()
    inner = plain[1:-1] if re.fullmatch(r"\$[^$]+\$", plain) else plain
    if "$" in inner or re.search("[\u4e00-\u9fff]|[A-Za-z]{3,} [A-Za-z]", inner):
        inner = rf"\text{{{inner}}}"
    return f"{solution.rstrip()} $\\boxed{{{inner}}}$".strip()
