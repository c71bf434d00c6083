"""Kinds of atoms and the room between them, as TeX has them (The TeXbook, chapter 18).

Which sign is which kind is read off Unicode: signs of mathematics and arrows are relations, but
for the lists below, which are closed as the operations that books of school and college use.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Literal

import msgspec

from .outlines import MathBox, beside

Kind = Literal["ord", "op", "bin", "rel", "open", "close", "punct", "inner", "space"]
KINDS = ("ord", "op", "bin", "rel", "open", "close", "punct", "inner")
ROOM = {  # by the left one's kind: steps of room before one of each kind, in their order
    "ord": "01230001", "op": "11030001", "bin": "22002002", "rel": "33003003",
    "open": "00000000", "close": "01230001", "punct": "11011111", "inner": "11231011",
}  # fmt: skip
STEPS = (0.0, 0.17, 0.22, 0.27)  # em
SUMS, INTEGRALS = "∑∏∐⋀⋁⋂⋃⨀⨁⨂⨄⨆", "∫∬∭∮∯∰"
BINARY = "+−-±∓×÷∗⋅·∘•∪∩∧∨⊕⊖⊗⊘⊙∖⊎⊓⊔⋆†‡≀⋄∔"
ORDINARY = "∀∁∂∃∄∅∆∇∎∏∞∟∠∡∢√∛∜¬⊤°⌀|~^⅋′"
OPEN, CLOSE = "([{⟨⌊⌈⟦", ")]}⟩⌋⌉⟧"


class Atom(msgspec.Struct):
    """A box and its kind; `lean` is how far a slanted letter's top leans to the right."""

    box: MathBox
    kind: Kind = "ord"
    limits: bool = False  # scripts stand over and under it
    sign: bool = False  # one character
    lean: float = 0.0


def kind_of(char: str) -> Kind:
    """The kind of a character in a formula.

    >>> kind_of("x"), kind_of("×"), kind_of("≤"), kind_of("∑")
    ('ord', 'bin', 'rel', 'op')
    """
    if char in SUMS + INTEGRALS:
        return "op"
    if char in BINARY:
        return "bin"
    if char in OPEN + CLOSE:
        return "open" if char in OPEN else "close"
    if char in ",;":
        return "punct"
    if char in "…⋯⋱":
        return "inner"
    if char in ORDINARY:
        return "ord"
    arrow = "←" <= char <= "⇿" or "⟰" <= char <= "⟿"
    return (
        "rel" if char in ":⌢⌣" or arrow or unicodedata.category(char) == "Sm" else "ord"
    )


def in_row(atoms: Sequence[Atom], small: bool) -> MathBox:
    """Atoms side by side; in scripts (`small`) only operators keep their room."""
    boxes, gaps = [], []
    kinds = _as_used([atom.kind for atom in atoms])
    left: str | None = None
    for atom, kind in zip(atoms, kinds, strict=True):
        step = 0
        if kind != "space":
            if left is not None and not (small and "op" not in (left, kind)):
                step = int(ROOM[left][KINDS.index(kind)])
            left = kind
        boxes.append(atom.box)
        gaps.append(STEPS[step])
    return beside(boxes, gaps)


def _as_used(kinds: list[Kind]) -> list[Kind]:
    """A sign between no two operands is none of an operation, as the minus of −1."""
    used = list(kinds)
    shown = [k for k, kind in enumerate(used) if kind != "space"]
    for before, at in zip([None, *shown], shown, strict=False):
        if used[at] == "bin":
            if before is None or used[before] in ("bin", "op", "rel", "open", "punct"):
                used[at] = "ord"
        elif (
            before is not None
            and used[before] == "bin"
            and used[at] in ("rel", "close", "punct")
        ):
            used[before] = "ord"
    if shown and used[shown[-1]] == "bin":
        used[shown[-1]] = "ord"
    return used
