"""Scripts, limits, accents, arrows with text: msub ... munderover, mmultiscripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from itertools import takewhile

from ...latex import FUNCTIONS
from .notation import NOTATION, signs
from .tokens import join, scripted
from .tree import TOKENS, MathNode, Refusal

# the renderer of a whole node, given to every element's function
Latex = Callable[[MathNode], str]

GROUPS = frozenset({"math", "mrow", "mstyle", "mpadded", "merror", "semantics", "mtd"})
LARGE = frozenset("∑∏∐⋂⋃⋀⋁⨀⨁⨂⨃⨄⨅⨆")
INTEGRALS = frozenset("∫∬∭⨌∮∯∰")
DEGREES = frozenset("°º˚○∘◦")
PRIMES = signs("primes")
ARROWS = signs("arrows")
# characters over a base -> command for one character, command for several; a dash or a minus
# is no bar and stays what it is: \overset{-}{x}
OVER: dict[str, list[str]] = {
    c: pair for chars, pair in NOTATION["over"].items() for c in chars
}
OVER |= {"...": OVER["\u20db"], "..": OVER["\u0308"]}
UNDER = {c: command for chars, command in NOTATION["under"].items() for c in chars}
PLACES = {
    "msub": "_",
    "munder": "_",
    "msup": "^",
    "mover": "^",
    "msubsup": "_^",
    "munderover": "_^",
}
_SCRIPTED = frozenset({*PLACES, "mmultiscripts"})
# what a script applies to as a whole: a character, a number, a command, perhaps with one argument
_ATOM = re.compile(
    r"""
    \{\} | [^\\{}] | \d+ | \\[A-Za-z]+ | \\[^A-Za-z]
    | \\ (?: text | math[a-z]+ | boldsymbol | operatorname | mathrm | bar | vec | hat | tilde | dot
        | ddot | overline | overrightarrow | widehat | sqrt ) \{ (?: [^{}] | \\[{}] )* \}
    """,
    re.VERBOSE,
)
_OPENS, _CLOSES = "([{|⟨⌊⌈‖", ")]}|⟩⌋⌉‖"


def core(node: MathNode) -> MathNode:
    """The only visible child inside nested rows and styles."""
    while node.tag in GROUPS:
        visible = [c for c in node.children if not blank(c)]
        if len(visible) != 1:
            break
        node = visible[0]
    return node


def blank(node: MathNode) -> bool:
    """Nothing to see: a space, an empty row or token."""
    if node.tag in TOKENS:
        return not node.text.strip()
    if node.tag in GROUPS:
        return all(blank(child) for child in node.children)
    return node.tag in ("mspace", "none", "malignmark") and not node.children


def expect(node: MathNode, count: int) -> list[MathNode]:
    """The children, refused when there are not exactly `count`.

    Spaces and invisible operators that a renderer put among them (Temml does) do not count.
    """
    children = node.children
    if len(children) != count:
        children = [c for c in children if not (blank(c) and c.tag not in GROUPS)]
    if len(children) != count:
        actual = len(node.children)
        raise Refusal(f"<{node.tag}> needs {count} children and has {actual}")
    return children


def with_scripts(node: MathNode, latex: Latex) -> str:
    """msub ... munderover: a base with what stands below it and above it."""
    places = PLACES[node.tag]
    base, *others = expect(node, 1 + len(places))
    scripts = dict(zip(places, others, strict=True))
    under = scripts.get("_")
    over = scripts.get("^")
    if node.tag in ("munder", "mover", "munderover"):
        return over_under(base, under, over, latex)
    below = latex(under) if under else ""
    above = superscript(over, latex) if over else ""
    return attach(base, latex, below, above)


def superscript(node: MathNode, latex: Latex) -> str:
    """A superscript with its leading primes in front: `'^{2}`, `^{\\circ}`, `^{n}`."""
    inner = core(node)
    if inner.tag in TOKENS and inner.text.strip() in DEGREES:
        return r"^{\circ}"
    if primes := _primes(inner):
        return primes
    marks = list(takewhile(bool, map(_primes, map(core, inner.children))))
    if marks and inner.tag in GROUPS:
        primes = "".join(marks)
        node = MathNode("mrow", "", inner.children[len(marks) :], {})
    body = latex(node)
    return f"{primes}^{{{body}}}" if body else primes


def _primes(mark: MathNode) -> str:
    """The primes that a token is; empty for all else."""
    return PRIMES.get(mark.text.strip(), "") if mark.tag in TOKENS else ""


def attach(base: MathNode, latex: Latex, sub: str, sup: str) -> str:
    """`base` with scripts; `sup` comes with its mark (`^{..}` or primes)."""
    nucleus = latex(base)
    below = f"_{{{sub}}}" if sub else ""
    if not below and not sup:
        return nucleus
    inner = core(base)
    if scripted(nucleus):
        other = _open_place(inner)
        has_room = (other == "_" and not sup) or (other == "^" and not below)
        if not has_room or nucleus.endswith("'") or sup.startswith("'"):
            nucleus = f"{{{nucleus}}}"
    elif not is_atom(nucleus) and not _closes(inner):
        nucleus = f"{{{nucleus}}}" if nucleus else "{}"
    return f"{nucleus}{below}{sup}"


def _open_place(inner: MathNode) -> str:
    """'_' or '^' when a base carries just the other script and can take this one."""
    place = PLACES.get(inner.tag, "")
    if len(place) != 1 or core(inner.children[0]).tag in _SCRIPTED:
        return ""
    return "^" if place == "_" else "_"


def is_atom(latex: str) -> bool:
    """Whether a script behind `latex` applies to the whole of it."""
    return len(latex) == 1 or _ATOM.fullmatch(latex) is not None


def _closes(inner: MathNode) -> bool:
    """A bracketed group, whose closing bracket may carry the script."""
    if inner.tag in ("mfenced", "mtable"):
        return True
    if inner.tag in GROUPS and len(inner.children) > 1:
        first = core(inner.children[0])
        last = core(inner.children[-1])
        if first.tag not in ("mo", "#latex") or last.tag not in ("mo", "#latex"):
            return False
        opens = first.text in _OPENS or first.text.startswith(r"\left")
        closes = last.text in _CLOSES or last.text.startswith(r"\right")
        return opens and closes
    return inner.tag == "#latex"


# ---------------------------------------------------------------------------- over and under
def over_under(
    base: MathNode, under: MathNode | None, over: MathNode | None, latex: Latex
) -> str:
    """Limits of operators, text on arrows, accents, or \\overset and \\underset."""
    inner = core(base)
    above = latex(over) if over else ""
    below = latex(under) if under else ""
    if inner.tag in TOKENS and inner.text in ARROWS and (above or below):
        option = f"[{_unbracketed(below)}]" if below else ""
        return f"{ARROWS[inner.text]}{option}{{{above}}}"
    is_accented = _is_accent(over, OVER) or _is_accent(under, UNDER)
    if _takes_limits(inner) and not is_accented:
        limits = r"\limits" if inner.text in INTEGRALS else ""
        sub = f"_{{{below}}}" if below else ""
        sup = f"^{{{above}}}" if above else ""
        return latex(base) + limits + sub + sup
    result = latex(base)
    if over and above:
        command = "" if inner.text == "=" else _over(core(over), inner)
        result = _marked(result, command, above, _is_brace(inner), "^", r"\overset")
    if under and below:
        command = "" if inner.text == "=" else _under(core(under))
        result = _marked(result, command, below, _is_brace(inner), "_", r"\underset")
    return result


def _marked(
    base: str, command: str, script: str, braced: bool, place: str, default: str
) -> str:
    """A base with what stands over or under it: an accent, a brace's label, or set there."""
    if command:
        return f"{command}{{{base}}}"
    if braced:
        return f"{base}{place}{{{script}}}"
    return f"{default}{{{script}}}{{{base}}}"


def _is_accent(script: MathNode | None, marks: Collection[str]) -> bool:
    """A bar, brace or hat, which is no limit; an arrow above an operator may well be one."""
    if script is None:
        return False
    mark = core(script)
    return mark.tag in TOKENS and mark.text in marks and mark.text not in ARROWS


def _unbracketed(latex: str) -> str:
    return f"{{{latex}}}" if "]" in latex else latex


def _takes_limits(inner: MathNode) -> bool:
    if inner.tag not in TOKENS:
        return False
    text = inner.text.replace(" ", "")
    return text in LARGE or text in INTEGRALS or (text in FUNCTIONS and len(text) > 1)


def _is_brace(inner: MathNode) -> bool:
    """A base that is itself an overbrace or underbrace: its label is a script."""
    if inner.tag not in ("mover", "munder") or len(inner.children) != 2:
        return False
    return core(inner.children[1]).text in ("⏞", "⏟", "︷", "︸")


def _over(mark: MathNode, inner: MathNode) -> str:
    if mark.tag not in TOKENS or mark.text not in OVER:
        return ""
    narrow, wide = OVER[mark.text]
    is_stretched = mark.attributes.get("stretchy") == "true" and narrow != r"\dot"
    return wide if is_stretched or _letters(inner) > 1 else narrow


def _under(mark: MathNode) -> str:
    return UNDER.get(mark.text, "") if mark.tag in TOKENS else ""


def _letters(node: MathNode) -> int:
    """How many characters stand under an accent; a construct counts as several."""
    if node.tag in TOKENS:
        return len(node.text)
    return sum(_letters(core(c)) for c in node.children) if node.tag in GROUPS else 2


# ------------------------------------------------------------------------------ multiscripts
def mmultiscripts(node: MathNode, latex: Latex) -> str:
    """`{}_{6}^{14}C`: pairs before the base hang on an empty group, further pairs too."""
    if not node.children:
        raise Refusal("<mmultiscripts> has no base")
    base, *scripts = node.children
    tags = [c.tag for c in scripts]
    if any(c.children for c in scripts if c.tag == "mprescripts"):
        raise Refusal("<mprescripts> is not empty")
    at = tags.index("mprescripts") if "mprescripts" in tags else len(scripts)
    before = _pairs(scripts[at + 1 :], latex)
    first, *more = _pairs(scripts[:at], latex) or [("", "")]
    pieces = [*map(_on_nothing, before), attach(base, latex, *first)]
    return join([*pieces, *map(_on_nothing, more)])


def _pairs(nodes: list[MathNode], latex: Latex) -> list[tuple[str, str]]:
    if any(c.tag == "mprescripts" for c in nodes):
        raise Refusal("<mmultiscripts> has two <mprescripts>")
    if len(nodes) % 2:
        raise Refusal("<mmultiscripts> needs its scripts in pairs")
    return [
        (latex(sub), superscript(sup, latex))
        for sub, sup in zip(nodes[::2], nodes[1::2], strict=True)
    ]


def _on_nothing(pair: tuple[str, str]) -> str:
    """A pair of scripts on an empty group; nothing where both are empty."""
    sub, sup = pair
    below = f"_{{{sub}}}" if sub else ""
    return "{}" + below + sup if sub or sup else ""
