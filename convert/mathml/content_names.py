"""Names of content MathML and their signs: relations, operators, functions, constants."""

from __future__ import annotations

# binding strengths, weakest first
IMPLIES, OR, AND, NOT, RELATION, SETS, SUM, NEGATIVE, TIMES, POWER, ATOM = range(1, 12)

RELATIONS = {
    "eq": "=", "neq": "≠", "gt": ">", "lt": "<", "geq": "≥", "leq": "≤", "equivalent": "≡",
    "approx": "≈", "factorof": "∣", "in": "∈", "notin": "∉", "subset": "⊆", "prsubset": "⊂",
    "notsubset": "⊈", "notprsubset": "⊄", "tendsto": "→",
}  # fmt: skip
NARY = {
    "plus": ("+", SUM), "and": ("∧", AND), "or": ("∨", OR), "xor": ("⊻", OR),
    "implies": ("⇒", IMPLIES), "union": ("∪", SETS), "intersect": ("∩", SETS),
    "setdiff": ("∖", SETS), "cartesianproduct": ("×", SETS), "compose": ("∘", TIMES),
    "vectorproduct": ("×", TIMES), "scalarproduct": ("·", TIMES), "outerproduct": ("⊗", TIMES),
}  # fmt: skip
PREFIX = {"not": ("¬", NOT), "grad": ("∇", TIMES), "divergence": ("∇·", TIMES),
          "curl": ("∇×", TIMES), "laplacian": ("Δ", TIMES)}  # fmt: skip
WRAPPED = {"abs": "||", "card": "||", "floor": "⌊⌋", "ceiling": "⌈⌉", "mean": "⟨⟩"}
BIG = {"sum": "∑", "product": "∏"}
QUANTIFIERS = {"forall": "∀", "exists": "∃"}
_NAMED = [
    "sin", "cos", "tan", "sec", "csc", "cot", "sinh", "cosh", "tanh", "sech", "csch", "coth",
    "arcsin", "arccos", "arctan", "arccosh", "arccot", "arccoth", "arccsc", "arccsch",
    "arcsec", "arcsech", "arcsinh", "arctanh", "exp", "ln", "max", "min", "gcd", "lcm", "det",
    "arg", "domain", "codomain", "image", "ident", "median", "mode",
]  # fmt: skip
FUNCTIONS = {name: name for name in _NAMED} | {
    "real": "ℜ", "imaginary": "ℑ", "determinant": "det", "sdev": "σ", "variance": "Var",
}  # fmt: skip
CONSTANTS = {  # name -> (token, text)
    "pi": ("mi", "π"), "exponentiale": ("mi", "e"), "imaginaryi": ("mi", "i"),
    "eulergamma": ("mi", "γ"), "infinity": ("mi", "∞"), "emptyset": ("mi", "∅"),
    "true": ("mtext", "true"), "false": ("mtext", "false"), "notanumber": ("mtext", "NaN"),
    "reals": ("mi", "ℝ"), "integers": ("mi", "ℤ"), "naturalnumbers": ("mi", "ℕ"),
    "rationals": ("mi", "ℚ"), "complexes": ("mi", "ℂ"), "primes": ("mi", "ℙ"),
}  # fmt: skip
# which qualifiers an operator may have
QUALIFIED = {
    "root": {"degree"}, "log": {"logbase"}, "moment": {"degree", "momentabout"},
    "diff": {"bvar"}, "partialdiff": {"bvar", "degree"},
    "limit": {"bvar", "lowlimit", "condition"}, "forall": {"bvar", "condition"},
    "exists": {"bvar", "condition"},
} | {
    name: {"bvar", "lowlimit", "uplimit", "condition", "domainofapplication"}
    for name in ("int", "sum", "product")
}  # fmt: skip
