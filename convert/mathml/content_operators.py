"""Operators of content MathML that have a notation of their own: fractions, roots, integrals."""

from __future__ import annotations

from collections.abc import Callable

from .content_names import ATOM, NEGATIVE, POWER, SUM, TIMES
from .content_parts import QUALIFIERS, Bound, ContentConverter, inside, listed, mi, mo, parens, row
from .refusal import Refusal
from .tree import MathNode, node

Qualifiers = dict[str, list[MathNode]]


def at_least(content: MathNode, strength: int, convert: ContentConverter) -> MathNode:
    """The operand, in parentheses when it binds less than `strength`."""
    inner, own = convert(content)
    return inner if own >= strength else parens(inner)


def _exactly(name: str, arguments: list[MathNode], *counts: int) -> None:
    if len(arguments) not in counts:
        raise Refusal(f"content MathML <{name}> with {len(arguments)} arguments")


def _one(qualifiers: Qualifiers, name: str, convert: ContentConverter) -> MathNode | None:
    given = qualifiers.get(name, [])
    return inside(given[0], convert) if given else None


def minus(arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter) -> Bound:
    _exactly("minus", arguments, 1, 2)
    *first, last = arguments
    subtrahend = at_least(last, NEGATIVE + 1, convert)
    if not first:
        return row(mo("-"), subtrahend), NEGATIVE
    return row(at_least(first[0], SUM, convert), mo("-"), subtrahend), SUM


def times(arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter) -> Bound:
    """Juxtaposed, with × in front of a number."""
    parts: list[MathNode] = []
    for k, argument in enumerate(arguments):
        if k and argument.tag == "cn":
            parts.append(mo("×"))
        parts.append(at_least(argument, TIMES, convert))
    return row(*parts), TIMES


def divide(arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter) -> Bound:
    _exactly("divide", arguments, 2)
    return node("mfrac", *(convert(a)[0] for a in arguments)), TIMES


def power(arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter) -> Bound:
    _exactly("power", arguments, 2)
    base, exponent = arguments
    return node("msup", at_least(base, ATOM, convert), convert(exponent)[0]), POWER


def root(arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter) -> Bound:
    _exactly("root", arguments, 1)
    radicand = convert(arguments[0])[0]
    degree = _one(qualifiers, "degree", convert)
    return (node("mroot", radicand, degree) if degree else node("msqrt", radicand)), ATOM


def factorial(
    arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter
) -> Bound:
    _exactly("factorial", arguments, 1)
    return row(at_least(arguments[0], ATOM, convert), mo("!")), POWER


def conjugate(
    arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter
) -> Bound:
    _exactly("conjugate", arguments, 1)
    return node("mover", convert(arguments[0])[0], mo("‾")), ATOM


def quotient(arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter) -> Bound:
    _exactly("quotient", arguments, 2)
    return parens(divide(arguments, qualifiers, convert)[0], "⌊⌋"), ATOM


def rem(arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter) -> Bound:
    _exactly("rem", arguments, 2)
    left, right = (at_least(a, TIMES + 1, convert) for a in arguments)
    return row(left, mo("mod"), right), TIMES


def _superscript(mark: MathNode) -> Callable[[list[MathNode], Qualifiers, ContentConverter], Bound]:
    """An operator written as a fixed superscript: inverse, transpose."""

    def raised(
        arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter
    ) -> Bound:
        _exactly("superscript", arguments, 1)
        return node("msup", at_least(arguments[0], ATOM, convert), mark), POWER

    return raised


def selector(arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter) -> Bound:
    if not arguments:
        raise Refusal("content MathML <selector> without a collection")
    first, *indices = arguments
    index = listed([convert(a)[0] for a in indices])
    return node("msub", at_least(first, ATOM, convert), index), ATOM


def log(arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter) -> Bound:
    _exactly("log", arguments, 1)
    base = _one(qualifiers, "logbase", convert)
    name = node("msub", mi("log"), base) if base else mi("log")
    return row(name, at_least(arguments[0], ATOM, convert)), TIMES


# ------------------------------------------------------------------------------- large operators
def _bounds(
    qualifiers: Qualifiers, convert: ContentConverter
) -> tuple[MathNode | None, MathNode | None]:
    """Lower and upper limit, also where an interval or a condition gives them."""
    low, high = _one(qualifiers, "lowlimit", convert), _one(qualifiers, "uplimit", convert)
    given = qualifiers.get("condition", []) + qualifiers.get("domainofapplication", [])
    for qualifier in given:
        inner = [c for c in qualifier.children if c.tag not in QUALIFIERS]
        if len(given) == len(inner) == 1 and inner[0].tag == "interval":
            ends = inner[0].children
            if len(ends) == 2:
                return convert(ends[0])[0], convert(ends[1])[0]
    if given:
        return listed([inside(q, convert) for q in given]), high
    return low, high


def large(
    sign: str, arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter
) -> Bound:
    """Sums and products: the bound variable stands with the lower limit."""
    names = [inside(b, convert) for b in qualifiers.get("bvar", [])]
    low, high = _bounds(qualifiers, convert)
    if names and low is not None and "condition" not in qualifiers:
        low = row(listed(names), mo("∈" if "domainofapplication" in qualifiers and high is None
                                    else "="), low)  # fmt: skip
    head = node("munderover", mo(sign), low or listed(names), high or row())
    return row(head, *(at_least(a, TIMES, convert) for a in arguments)), TIMES


def integral(arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter) -> Bound:
    names = [inside(b, convert) for b in qualifiers.get("bvar", [])]
    low, high = _bounds(qualifiers, convert)
    head = node("msubsup", mo("∫"), low or row(), high or row())
    ends = [part for name in names for part in (mi("d"), name)]
    return row(head, *(at_least(a, TIMES, convert) for a in arguments), *ends), TIMES


def limit(arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter) -> Bound:
    names = listed([inside(b, convert) for b in qualifiers.get("bvar", [])])
    given = [inside(q, convert) for q in qualifiers.get("condition", [])]
    low = _one(qualifiers, "lowlimit", convert)
    under = listed(given) if given else row(names, mo("→"), low or row())
    body = [at_least(a, TIMES, convert) for a in arguments]
    return row(node("munder", mi("lim"), under), *body), TIMES


def _derivative(sign: str) -> Callable[[list[MathNode], Qualifiers, ContentConverter], Bound]:
    def derived(
        arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter
    ) -> Bound:
        _exactly("diff", arguments, 1)
        body = at_least(arguments[0], TIMES, convert)
        variables, degrees = [], []
        for bvar in qualifiers.get("bvar", []):
            degree = next((c for c in bvar.children if c.tag == "degree"), None)
            power = inside(degree, convert) if degree else None
            degrees.append(power or MathNode("mn", "1"))
            name = inside(bvar, convert)
            variables += [mi(sign), node("msup", name, power) if power else name]
        if not variables:
            return node("msup", at_least(arguments[0], ATOM, convert), mo("′")), POWER
        total = _one(qualifiers, "degree", convert)
        if total is None and (len(degrees) > 1 or degrees[0].text != "1"):
            total = degrees[0] if len(degrees) == 1 else listed(degrees, "+")
        if total and all(d.text == "1" for d in degrees) and len(degrees) > 1:
            total = MathNode("mn", str(len(degrees))) if "degree" not in qualifiers else total
        top = node("msup", mi(sign), total) if total else mi(sign)
        return row(node("mfrac", top, row(*variables)), body), TIMES

    return derived


def moment(arguments: list[MathNode], qualifiers: Qualifiers, convert: ContentConverter) -> Bound:
    _exactly("moment", arguments, 1)
    about = _one(qualifiers, "momentabout", convert)
    inner = convert(arguments[0])[0]
    if about is not None:
        inner = row(at_least(arguments[0], SUM, convert), mo("-"), parens(about))
    degree = _one(qualifiers, "degree", convert) or MathNode("mn", "1")
    return parens(node("msup", parens(inner), degree), "⟨⟩"), ATOM


SPECIAL: dict[str, Callable[[list[MathNode], Qualifiers, ContentConverter], Bound]] = {
    "minus": minus, "times": times, "divide": divide, "power": power, "root": root,
    "factorial": factorial, "conjugate": conjugate, "quotient": quotient, "rem": rem,
    "inverse": _superscript(row(mo("-"), MathNode("mn", "1"))), "transpose": _superscript(mi("T")),
    "selector": selector, "log": log, "int": integral, "limit": limit,
    "diff": _derivative("d"), "partialdiff": _derivative("∂"), "moment": moment,
}  # fmt: skip
