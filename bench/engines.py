"""Two engines on the same formulas: do they give one verdict?

    python bench/engines.py [DATA] [COUNT]

Formulas of a folder of data, drawn as `formulas.py` draws them, and a third of them damaged (a
token is dropped, or a command misspelt), each on a page of its own: by the built-in engine and by
KaTeX in Chromium. A verdict is what a page's issues say of its formula:
printed as written, wrong, a glyph that no font has, or set. Formulas that differ are printed.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchwright.render.page import chromium_page, set_page
from formulas import drawn
from shared_data import needed

# Issues that say how a formula came out; LaTeX that is odd but set is told by both alike.
OF_FORMULAS = {
    "raw-latex",
    "wrong-formula",
    "missing-glyph",
    "bare-latex",
    "misspelt-command",
    "unbalanced-dollar",
    "right-to-left",
}


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if not argument.isdigit()]
    counts = [int(argument) for argument in sys.argv[1:] if argument.isdigit()]
    data = Path(arguments[0]) if arguments else needed("")
    formulas = drawn(data, held_out=False)[: (counts or [300])[0]]
    compare("as written", formulas)
    compare("damaged", [(damaged(tex), display) for tex, display in formulas[::3]])


def compare(name: str, formulas: list[tuple[str, bool]]) -> None:
    verdicts: Counter[tuple[str, str]] = Counter()
    for tex, display in formulas:
        text = f"$${tex}$$" if display else f"${tex}$"
        ours = codes(set_page(text, [], []).issues)
        theirs = codes(chromium_page(text, [], []).issues)
        verdicts[ours, theirs] += 1
        if ours != theirs:
            print(f"  {ours or 'set'} | {theirs or 'set'}: {tex[:120]!r}")
    same = sum(n for (ours, theirs), n in verdicts.items() if ours == theirs)
    print(f"{name}: {same} of {verdicts.total()} formulas have one verdict")
    for (ours, theirs), number in verdicts.most_common():
        print(f"  {ours or 'set'} | {theirs or 'set'}: {number}")


def damaged(tex: str) -> str:
    """The formula without one of its tokens, or with a command misspelt; the same every time."""
    tokens = list(re.finditer(r"\\[A-Za-z]+|[{}^_&]|\\.", tex)) or [
        re.match(".", tex, re.S)
    ]
    place = int(hashlib.sha256(tex.encode()).hexdigest(), 16)
    token = tokens[place % len(tokens)]
    is_command = len(token[0]) > 2
    put = token[0] + "zq" if is_command else ""
    return tex[: token.start()] + put + tex[token.end() :]


def codes(issues: Iterable[Any]) -> str:
    return ", ".join(sorted({issue.code for issue in issues} & OF_FORMULAS))


if __name__ == "__main__":
    main()
