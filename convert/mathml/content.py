"""Content MathML -> presentation: the operators of MathML 3, chapter 4, in school notation.

A converted expression is a pair (node, binding strength); an operand that binds less strongly than
its operator is put in parentheses. From top to bottom: the signs; an expression and its operator;
leaves; containers; operators whose notation depends on more than their number of arguments.
"""

from __future__ import annotations

from collections.abc import Callable

from .notation import NOTATION, signs
from .tree import MathNode, Refusal, filled, node

Bound = tuple[MathNode, int]  # a presentation tree and how strongly it binds
Qualifiers = dict[str, list[MathNode]]

# binding strengths, weakest first
IMPLIES, OR, AND, NOT, RELATION, SETS, SUM, NEGATIVE, TIMES, POWER, ATOM = range(1, 12)

RELATIONS, WRAPPED, BIG = signs("relations"), signs("wrapped"), signs("big")
QUANTIFIERS = signs("quantifiers")
FUNCTIONS = {name: name for name in NOTATION["named"].split()} | signs("functions")
CONSTANTS: dict[str, tuple[str, str]] = NOTATION["constants"]  # name -> (token, text)
NARY, PREFIX = (
    {
        name: (sign, globals()[strength])
        for name, (sign, strength) in NOTATION[kind].items()
    }
    for kind in ("nary", "prefix")
)
NOTATIONS: dict[str, tuple[str, str]] = NOTATION["notations"]
NOTED = {name.partition("/")[0] for name in NOTATIONS} - {"cn"}
QUALIFIED = {name: set(allowed) for name, allowed in NOTATION["qualified"].items()}
SINGLE = frozenset({"lowlimit", "uplimit", "degree", "logbase", "momentabout"})
QUALIFIERS = SINGLE | {"bvar", "condition", "domainofapplication"}
SIGNS = (
    RELATIONS | FUNCTIONS | {name: sign for name, (sign, _) in (NARY | PREFIX).items()}
)
SIGNS |= BIG | {"minus": "-", "times": "×", "divide": "÷", "int": "∫"}


# Expressions


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
        return LEAVES[tag](content)
    if tag in CONTAINERS:
        return CONTAINERS[tag](content)
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
    if operator.children and operator.tag in {*SIGNS, *SPECIAL, *NOTED, *QUANTIFIERS}:
        raise Refusal(f"content MathML <{operator.tag}> is not empty")
    arguments, qualifiers = split(rest)
    name = operator.text if operator.tag == "csymbol" else operator.tag
    _check(name, qualifiers)
    if name in SPECIAL:
        return SPECIAL[name](arguments, qualifiers)
    if name in NOTED:
        return _as_noted(name, arguments, qualifiers)
    if name in BIG:
        return large(BIG[name], arguments, qualifiers)
    if name in QUANTIFIERS:
        names = listed([inside(b) for b in qualifiers.get("bvar", [])])
        conditions = [
            p for c in qualifiers.get("condition", []) for p in (mo(","), inside(c))
        ]
        body = [part for a in arguments for part in (mo(":"), convert(a)[0])]
        return row(mo(QUANTIFIERS[name]), names, *conditions, *body), 0
    return _plain(name, operator, arguments)


def _as_noted(name: str, arguments: list[MathNode], qualifiers: Qualifiers) -> Bound:
    """An operator as the tables write it, with these arguments and qualifiers."""
    notation = NOTATIONS.get(
        " ".join([f"{name}/{len(arguments)}", *sorted(qualifiers)])
    )
    if notation is None:
        raise Refusal(f"content MathML <{name}> with {len(arguments)} arguments")

    def put(place: str, strength: str) -> MathNode:
        if not place.isdigit():
            return inside(qualifiers[place][0])
        argument = arguments[int(place)]
        return (
            at_least(argument, globals()[strength])
            if strength
            else convert(argument)[0]
        )

    return noted(notation, put)


def noted(notation: tuple[str, str], put: Callable[[str, str], MathNode]) -> Bound:
    """A notation of the tables with everything in its places, and how strongly it binds."""
    return filled(notation[0], put), globals()[notation[1]]


def _check(name: str, qualifiers: Qualifiers) -> None:
    """Refuse qualifiers that the operator's notation has no place for."""
    unused = qualifiers.keys() - QUALIFIED.get(name, set())
    unused |= {q for q, nodes in qualifiers.items() if len(nodes) > 1 and q in SINGLE}
    if (
        "lowlimit" in qualifiers
        and {"condition", "domainofapplication"} & qualifiers.keys()
    ):
        unused.add("lowlimit")
    if unused:
        raise Refusal(
            f"content MathML <{name}> with "
            + ", ".join(f"<{q}>" for q in sorted(unused))
        )


def _plain(name: str, operator: MathNode, arguments: list[MathNode]) -> Bound:
    """Operators without qualifiers."""
    if name in RELATIONS:
        sides = [at_least(a, RELATION + 1) for a in arguments]
        return listed(sides, RELATIONS[name]), RELATION
    if name in NARY:
        sign, strength = NARY[name]
        return listed([at_least(a, strength) for a in arguments], sign), strength
    if name in PREFIX and len(arguments) == 1:
        sign, strength = PREFIX[name]
        return row(mo(sign), at_least(arguments[0], strength)), strength
    if name in WRAPPED and len(arguments) == 1:
        return parens(convert(arguments[0])[0], WRAPPED[name]), ATOM
    if name in FUNCTIONS and len(arguments) == 1:
        return row(mi(FUNCTIONS[name]), at_least(arguments[0], ATOM)), TIMES
    called = parens(listed([convert(a)[0] for a in arguments]))
    if name in FUNCTIONS:
        return row(mi(FUNCTIONS[name]), called), ATOM
    if operator.tag not in ELEMENTS or operator.tag in (
        "ci",
        "csymbol",
        "apply",
        "lambda",
        "fn",
    ):
        return row(at_least(operator, ATOM), called), ATOM
    raise Refusal(f"content MathML <{name}> with {len(arguments)} arguments")


# Builders


def mi(text: str) -> MathNode:
    return MathNode("mi", text)


def mo(text: str) -> MathNode:
    return MathNode("mo", text)


def row(*children: MathNode) -> MathNode:
    return node("mrow", *children)


def parens(inner: MathNode, pair: str = "()") -> MathNode:
    return row(mo(pair[0]), inner, mo(pair[1]))


def listed(nodes: list[MathNode], separator: str = ",") -> MathNode:
    parts: list[MathNode] = []
    for k, item in enumerate(nodes):
        parts += [mo(separator), item] if k else [item]
    return row(*parts)


def split(children: list[MathNode]) -> tuple[list[MathNode], Qualifiers]:
    """Arguments, and qualifiers by name."""
    arguments = [c for c in children if c.tag not in QUALIFIERS]
    qualifiers: Qualifiers = {}
    for child in children:
        if child.tag in QUALIFIERS:
            qualifiers.setdefault(child.tag, []).append(child)
    return arguments, qualifiers


def inside(qualifier: MathNode) -> MathNode:
    """What a qualifier says; a `bvar` may hold its degree besides."""
    inner = [c for c in qualifier.children if c.tag not in QUALIFIERS]
    return row(*(convert(c)[0] for c in inner))


def at_least(content: MathNode, strength: int) -> MathNode:
    """The operand, in parentheses when it binds less than `strength`."""
    inner, own = convert(content)
    return inner if own >= strength else parens(inner)


def _exactly(name: str, arguments: list[MathNode], *counts: int) -> None:
    if len(arguments) not in counts:
        raise Refusal(f"content MathML <{name}> with {len(arguments)} arguments")


def _one(qualifiers: Qualifiers, name: str) -> MathNode | None:
    nodes = qualifiers.get(name, [])
    return inside(nodes[0]) if nodes else None


# Leaves
def ci(content: MathNode) -> Bound:
    if content.children:
        return row(*content.children), ATOM
    return MathNode("mi", content.text, [], content.attributes), ATOM


def cn(content: MathNode) -> Bound:
    """Numbers: integer, real, rational, e-notation, complex, in a base."""
    kind = content.attributes.get("type", "")
    parts = [c.text for c in content.children if c.tag == "mtext"]
    if len(parts) == 2 and (notation := NOTATIONS.get(f"cn/{kind}")):
        return noted(notation, lambda k, _: MathNode("mn", parts[int(k)]))
    if content.children:
        raise Refusal(f"<cn type={kind!r}> with {len(parts)} parts")
    base = content.attributes.get("base", "10")
    number = MathNode("mn", content.text)
    if base != "10":
        return node("msub", number, MathNode("mn", base)), ATOM
    return number, NEGATIVE if content.text.startswith(("-", "−")) else ATOM


def symbol(content: MathNode) -> Bound:
    """A `csymbol` of an OpenMath dictionary is the element of the same name, else a name."""
    if content.text in CONSTANTS:
        return MathNode(*CONSTANTS[content.text]), ATOM
    return ci(content)


def string(content: MathNode) -> Bound:
    return MathNode("mtext", content.text), ATOM


LEAVES: dict[str, Callable[[MathNode], Bound]] = {
    "ci": ci,
    "cn": cn,
    "csymbol": symbol,
    "cs": string,
    "cbytes": string,
}


# Containers
def collection(pair: str) -> Callable[[MathNode], Bound]:
    def bracketed(content: MathNode) -> Bound:
        arguments, qualifiers = split(content.children)
        items = listed([convert(c)[0] for c in arguments])
        names = [c for b in qualifiers.get("bvar", []) for c in b.children]
        if not arguments:
            items = listed([inside(b) for b in qualifiers.get("bvar", [])])
        elif any(c.children or c.text not in _names(arguments) for c in names):
            raise Refusal(
                f"content MathML <{content.tag}> with a variable that it does not use"
            )
        conditions = qualifiers.get("condition", []) + qualifiers.get(
            "domainofapplication", []
        )
        if conditions:
            items = row(items, mo("∣"), *(inside(c) for c in conditions))
        return parens(items, pair), ATOM

    return bracketed


def _names(nodes: list[MathNode]) -> set[str]:
    return {n.text for n in nodes}.union(*(_names(n.children) for n in nodes))


def interval(content: MathNode) -> Bound:
    pair = {"open": "()", "open-closed": "(]", "closed-open": "[)"}.get(
        content.attributes.get("closure", "closed"), "[]"
    )
    return parens(listed([convert(c)[0] for c in content.children]), pair), ATOM


def vector(content: MathNode) -> Bound:
    lines = [node("mtr", node("mtd", convert(c)[0])) for c in content.children]
    return parens(node("mtable", *lines)), ATOM


def matrix(content: MathNode) -> Bound:
    if any(c.tag != "matrixrow" for c in content.children):
        raise Refusal("content MathML <matrix> given by a rule")
    lines = [
        node("mtr", *(node("mtd", convert(c)[0]) for c in line.children))
        for line in content.children
    ]
    return parens(node("mtable", *lines)), ATOM


def piecewise(content: MathNode) -> Bound:
    lines = []
    for piece in content.children:
        if len(piece.children) != {"piece": 2, "otherwise": 1}.get(piece.tag):
            raise Refusal(f"content MathML <piecewise> with a damaged <{piece.tag}>")
        parts = [convert(c)[0] for c in piece.children]
        if piece.tag == "otherwise":
            parts.append(MathNode("mtext", "otherwise"))
        lines.append(node("mtr", *(node("mtd", p) for p in parts)))
    return row(mo("{"), node("mtable", *lines, columnalign="left")), ATOM


def lambda_(content: MathNode) -> Bound:
    arguments, qualifiers = split(content.children)
    if qualifiers.keys() - {"bvar"}:
        raise Refusal("content MathML <lambda> with a condition")
    names = listed([inside(b) for b in qualifiers.get("bvar", [])])
    return row(names, mo("↦"), *(convert(a)[0] for a in arguments)), 0


def fn(content: MathNode) -> Bound:
    return row(*(convert(c)[0] for c in content.children)), ATOM


CONTAINERS: dict[str, Callable[[MathNode], Bound]] = {
    "set": collection("{}"),
    "list": collection("()"),
    "interval": interval,
    "vector": vector,
    "matrix": matrix,
    "piecewise": piecewise,
    "lambda": lambda_,
    "fn": fn,
}


# Operators with a notation of their own


def times(arguments: list[MathNode], qualifiers: Qualifiers) -> Bound:
    """Juxtaposed, with × in front of a number."""
    parts: list[MathNode] = []
    for k, argument in enumerate(arguments):
        if k and argument.tag == "cn":
            parts.append(mo("×"))
        parts.append(at_least(argument, TIMES))
    return row(*parts), TIMES


def selector(arguments: list[MathNode], qualifiers: Qualifiers) -> Bound:
    if not arguments:
        raise Refusal("content MathML <selector> without a collection")
    first, *indices = arguments
    index = listed([convert(a)[0] for a in indices])
    return node("msub", at_least(first, ATOM), index), ATOM


# ------------------------------------------------------------------------------- large operators
def _bounds(qualifiers: Qualifiers) -> tuple[MathNode | None, MathNode | None]:
    """Lower and upper limit, also where an interval or a condition gives them."""
    low, high = _one(qualifiers, "lowlimit"), _one(qualifiers, "uplimit")
    conditions = qualifiers.get("condition", []) + qualifiers.get(
        "domainofapplication", []
    )
    for qualifier in conditions:
        inner = [c for c in qualifier.children if c.tag not in QUALIFIERS]
        if len(conditions) == len(inner) == 1 and inner[0].tag == "interval":
            ends = inner[0].children
            if len(ends) == 2:
                return convert(ends[0])[0], convert(ends[1])[0]
    if conditions:
        return listed([inside(q) for q in conditions]), high
    return low, high


def large(sign: str, arguments: list[MathNode], qualifiers: Qualifiers) -> Bound:
    """Sums and products: the bound variable stands with the lower limit."""
    names = [inside(b) for b in qualifiers.get("bvar", [])]
    low, high = _bounds(qualifiers)
    if names and low is not None and "condition" not in qualifiers:
        low = row(
            listed(names),
            mo("∈" if "domainofapplication" in qualifiers and high is None else "="),
            low,
        )
    head = node("munderover", mo(sign), low or listed(names), high or row())
    return row(head, *(at_least(a, TIMES) for a in arguments)), TIMES


def integral(arguments: list[MathNode], qualifiers: Qualifiers) -> Bound:
    names = [inside(b) for b in qualifiers.get("bvar", [])]
    low, high = _bounds(qualifiers)
    head = node("msubsup", mo("∫"), low or row(), high or row())
    ends = [part for name in names for part in (mi("d"), name)]
    return row(head, *(at_least(a, TIMES) for a in arguments), *ends), TIMES


def limit(arguments: list[MathNode], qualifiers: Qualifiers) -> Bound:
    names = listed([inside(b) for b in qualifiers.get("bvar", [])])
    conditions = [inside(q) for q in qualifiers.get("condition", [])]
    low = _one(qualifiers, "lowlimit")
    under = listed(conditions) if conditions else row(names, mo("→"), low or row())
    body = [at_least(a, TIMES) for a in arguments]
    return row(node("munder", mi("lim"), under), *body), TIMES


def _derivative(sign: str) -> Callable[[list[MathNode], Qualifiers], Bound]:
    def derived(arguments: list[MathNode], qualifiers: Qualifiers) -> Bound:
        _exactly("diff", arguments, 1)
        body = at_least(arguments[0], TIMES)
        variables, degrees = [], []
        for bvar in qualifiers.get("bvar", []):
            degree = next((c for c in bvar.children if c.tag == "degree"), None)
            power = inside(degree) if degree else None
            degrees.append(power or MathNode("mn", "1"))
            name = inside(bvar)
            variables += [mi(sign), node("msup", name, power) if power else name]
        if not variables:
            return node("msup", at_least(arguments[0], ATOM), mo("′")), POWER
        total = _one(qualifiers, "degree")
        if total is None and (len(degrees) > 1 or degrees[0].text != "1"):
            total = degrees[0] if len(degrees) == 1 else listed(degrees, "+")
        if total and all(d.text == "1" for d in degrees) and len(degrees) > 1:
            total = (
                MathNode("mn", str(len(degrees)))
                if "degree" not in qualifiers
                else total
            )
        top = node("msup", mi(sign), total) if total else mi(sign)
        return row(node("mfrac", top, row(*variables)), body), TIMES

    return derived


SPECIAL: dict[str, Callable[[list[MathNode], Qualifiers], Bound]] = {
    "times": times,
    "selector": selector,
    "int": integral,
    "limit": limit,
    "diff": _derivative("d"),
    "partialdiff": _derivative("∂"),
}

ELEMENTS = frozenset(
    {*CONSTANTS, *LEAVES, *CONTAINERS, *SIGNS, *SPECIAL, *NOTED, *WRAPPED, *QUANTIFIERS}
    | {"apply", "reln", "bind", "declare", "share", "cerror", "tendsto"}
)
