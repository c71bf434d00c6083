"""Random trees and damaged bytes: LaTeX or a named refusal, and no leaf is lost in silence."""

from __future__ import annotations

import re
from collections import Counter
from html import escape, unescape
from random import Random

from benchwright.convert.mathml import Refusal, mathml_to_latex
from hypothesis import given, settings
from hypothesis import strategies as st
from shares import often

# sign -> what must be seen of it in LaTeX (independent of the converter's table)
SIGNS = {
    "α": r"\alpha", "△": r"\triangle", "∠": r"\angle", "≤": r"\leq", "∑": r"\sum", "∞": r"\infty",
    "⊙": r"\odot", "≌": r"\cong", "总": "总", "①": "①", "é": "é", "Ж": "Ж", "⪼": "⪼", "%": r"\%",
    "{": r"\{", "&": r"\&", "\\": r"\backslash", "√": r"\surd", "𝔸": "A", "ℝ": "R", "ａ": "a",
    "７": "7", "×": r"\times", "⊥": r"\perp", "“": "“", "$": r"\$", "_": r"\_", "#": r"\#",
}  # fmt: skip
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
CHARACTERS = LETTERS + "".join(SIGNS)
TOKENS = ["mi", "mn", "mo", "mtext", "ms"]
ROWS = [
    "mrow",
    "mstyle",
    "mpadded",
    "msqrt",
    "menclose",
    "mphantom",
    "mfenced",
    "merror",
]
TWO = ["mfrac", "msub", "msup", "munder", "mover", "mroot"]
THREE = ["msubsup", "munderover"]
many = settings(
    max_examples=often(800, 10_000), deadline=None, database=None, derandomize=True
)
seeds = st.integers(0, 2**63)


def tree(random: Random, depth: int = 4) -> str:
    """A random well-formed element, at most `depth` levels deep."""
    kind = random.randrange(6) if depth else 0
    below = depth - 1
    if kind <= 1:
        text = "".join(random.choices(CHARACTERS, k=random.randint(1, 3)))
        return element(random.choice(TOKENS), escape(text))
    if kind == 2:
        return element(
            random.choice(ROWS),
            *(tree(random, below) for _ in range(random.randrange(4))),
        )
    if kind == 3:
        return element(random.choice(TWO), tree(random, below), tree(random, below))
    if kind == 4:
        return element(random.choice(THREE), *(tree(random, below) for _ in range(3)))
    if random.random() < 0.5:
        rows = [[element("mtd", tree(random, below)) for _ in range(random.randint(1, 2))]
                for _ in range(random.randint(1, 2))]  # fmt: skip
        return element("mtable", *(element("mtr", *cells) for cells in rows))
    after, before = (
        [tree(random, below - 1) for _ in range(2)] if below else [] for _ in range(2)
    )
    return element(
        "mmultiscripts", tree(random, below), *after, "<mprescripts/>", *before
    )


def element(tag: str, *children: str) -> str:
    return f"<{tag}>{''.join(children)}</{tag}>"


def leaves(mathml: str) -> str:
    """The characters of all tokens."""
    return unescape("".join(re.findall(r"<(?:mi|mn|mo|mtext|ms)>([^<]*)<", mathml)))


@many
@given(seeds)
def test_no_leaf_of_a_random_tree_is_lost(seed: int) -> None:
    source = tree(Random(seed))
    latex = mathml_to_latex(f"<math>{source}</math>")
    assert balanced(latex), f"{source}: {latex}"
    for leaf, count in Counter(leaves(source)).items():
        sign = SIGNS.get(leaf, leaf)
        found = latex.count(sign) + (latex.count(leaf) if leaf not in sign else 0)
        found += (
            latex.count("line{") if leaf == "_" else 0
        )  # a low line is also an accent
        assert found >= count, f"{count} x {leaf} in {source}: {latex}"


def balanced(latex: str) -> bool:
    depth = 0
    for mark in re.findall(r"\\.|[{}]", latex, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(mark, 0)
        if depth < 0:
            return False
    return depth == 0


def damaged(random: Random) -> str:
    """A formula in UTF-8 with some bytes overwritten, deleted, doubled or put in."""
    data = bytearray(f"<math>{tree(random)}</math>".encode())
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(data) + 1)
        kind = random.randrange(4)
        if kind == 0:
            data[at : at + 1] = bytes([random.randrange(256)])
        elif kind == 1:
            del data[at : at + random.randint(1, 8)]
        elif kind == 2:
            data[at:at] = data[at : at + random.randint(1, 30)]
        else:
            data[at:at] = random.choice(
                [b"<", b"&", b"</", b"<!--", b"]]>", b"&#0;", b"\0", b"{"]
            )
    return data.decode("utf-8", random.choice(["replace", "surrogateescape", "ignore"]))


@many
@given(seeds)
def test_damaged_bytes_give_latex_or_a_named_refusal(seed: int) -> None:
    source = damaged(Random(seed))
    try:
        outcome = mathml_to_latex(source)
    except Refusal as refusal:
        outcome = str(refusal)
        assert outcome
    else:
        assert balanced(outcome), f"{source!r}: {outcome}"
