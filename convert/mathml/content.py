"""Content MathML -> presentation: the operators of MathML 3, chapter 4, in school notation.

A converted expression is a pair (node, binding strength); an operand that binds less strongly than
its operator is put in parentheses.
"""

from __future__ import annotations

from .content_names import (
    ATOM,
    BIG,
    CONSTANTS,
    FUNCTIONS,
    NARY,
    PREFIX,
    QUALIFIED,
    QUANTIFIERS,
    RELATION,
    RELATIONS,
    TIMES,
    WRAPPED,
)  # fmt: skip
from .content_operators import SPECIAL, at_least, large
from .content_parts import (
    CONTAINERS,
    LEAVES,
    Bound,
    inside,
    listed,
    mi,
    mo,
    parens,
    row,
    split,
)  # fmt: skip
from .refusal import Refusal
from .tree import MathNode

SIGNS = RELATIONS | FUNCTIONS | {name: sign for name, (sign, _) in (NARY | PREFIX).items()}
SIGNS |= BIG | {"minus": "-", "times": "×", "divide": "÷", "int": "∫"}
SINGLE = frozenset({"lowlimit", "uplimit", "degree", "logbase", "momentabout"})
ELEMENTS = frozenset(
    {*CONSTANTS, *LEAVES, *CONTAINERS, *SIGNS, *SPECIAL, *WRAPPED, *QUANTIFIERS}
    | {"apply", "reln", "bind", "declare", "share", "cerror", "tendsto"}
)


def presentation(content: MathNode) -> MathNode:
    """The presentation tree of a content expression.

    Raises Refusal for an operator that has no written form here.
    """
    return convert(content)[0]


def convert(content: MathNode) -> Bound:
    tag = content.tag
    if tag in CONSTANTS and not content.children:
        return MathNode(*CONSTANTS[tag]), ATOM
    if tag in LEAVES:
        return LEAVES[tag](content, convert)
    if tag in CONTAINERS:
        return CONTAINERS[tag](content, convert)
    if tag in ("apply", "reln", "bind"):
        return _apply(content)
    if tag in SIGNS and not content.children:
        return mo(SIGNS[tag]), ATOM  # an operator as an argument
    if tag not in ELEMENTS:
        return content, ATOM  # presentation inside content
    raise Refusal(f"content MathML <{tag}> has no written form")


def _apply(content: MathNode) -> Bound:
    """An operator, its qualifiers and its arguments."""
    if not content.children:
        raise Refusal(f"<{content.tag}> without an operator")
    operator, *rest = content.children
    if operator.children and operator.tag in SIGNS.keys() | SPECIAL.keys() | QUANTIFIERS.keys():
        raise Refusal(f"content MathML <{operator.tag}> is not empty")
    arguments, qualifiers = split(rest)
    name = operator.text if operator.tag == "csymbol" else operator.tag
    _check(name, qualifiers)
    if name in SPECIAL:
        return SPECIAL[name](arguments, qualifiers, convert)
    if name in BIG:
        return large(BIG[name], arguments, qualifiers, convert)
    if name in QUANTIFIERS:
        names = listed([inside(b, convert) for b in qualifiers.get("bvar", [])])
        given = [p for c in qualifiers.get("condition", []) for p in (mo(","), inside(c, convert))]
        body = [part for a in arguments for part in (mo(":"), convert(a)[0])]
        return row(mo(QUANTIFIERS[name]), names, *given, *body), 0
    return _plain(name, operator, arguments)


def _check(name: str, qualifiers: dict[str, list[MathNode]]) -> None:
    """Refuse qualifiers that the operator's notation has no place for."""
    unused = qualifiers.keys() - QUALIFIED.get(name, set())
    unused |= {q for q, given in qualifiers.items() if len(given) > 1 and q in SINGLE}
    if "lowlimit" in qualifiers and {"condition", "domainofapplication"} & qualifiers.keys():
        unused.add("lowlimit")
    if unused:
        raise Refusal(
            f"content MathML <{name}> with " + ", ".join(f"<{q}>" for q in sorted(unused))
        )


def _plain(name: str, operator: MathNode, arguments: list[MathNode]) -> Bound:
    """Operators without qualifiers."""
    if name in RELATIONS:
        sides = [at_least(a, RELATION + 1, convert) for a in arguments]
        return listed(sides, RELATIONS[name]), RELATION
    if name in NARY:
        sign, strength = NARY[name]
        return listed([at_least(a, strength, convert) for a in arguments], sign), strength
    if name in PREFIX and len(arguments) == 1:
        sign, strength = PREFIX[name]
        return row(mo(sign), at_least(arguments[0], strength, convert)), strength
    if name in WRAPPED and len(arguments) == 1:
        return parens(convert(arguments[0])[0], WRAPPED[name]), ATOM
    if name in FUNCTIONS and len(arguments) == 1:
        return row(mi(FUNCTIONS[name]), at_least(arguments[0], ATOM, convert)), TIMES
    called = parens(listed([convert(a)[0] for a in arguments]))
    if name in FUNCTIONS:
        return row(mi(FUNCTIONS[name]), called), ATOM
    if operator.tag not in ELEMENTS or operator.tag in ("ci", "csymbol", "apply", "lambda", "fn"):
        return row(at_least(operator, ATOM, convert), called), ATOM
    raise Refusal(f"content MathML <{name}> with {len(arguments)} arguments")
