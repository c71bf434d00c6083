"""LaTeX as people write it -> the dialect that Matplotlib's mathtext understands.

What mathtext draws wrongly without a word (`needs_ziamath`) goes to the other engine.
"""

from __future__ import annotations

import re

from ...latex import EM, group_end

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|.", re.DOTALL)
# mathtext puts a tiny arrow, a slash beside, no box: silently wrong
_DENIED = re.compile(
    r"\\begin\b|\\(?:over|under)(?:left|right|leftright)arrow\b|\\vec\s*\{\s*\w\s*\w|\\not(?![A-Za-z])(?!\s*(?:[=<>]|\\in(?![A-Za-z])))|"
    r"\\x(?:left|right)arrow|\\parallelogram|\\overbrace|\\underbrace|\\substack"
)
_RENAME = {
    r"\le": r"\leq", r"\ge": r"\geq", r"\ne": r"\neq", r"\lt": "<", r"\gt": ">",
    r"\lvert": "|", r"\rvert": "|", r"\lVert": r"\|", r"\rVert": r"\|",
    r"\square": "□", r"\Box": "□", r"\Diamond": "◇", r"\blacksquare": "■", r"\bigstar": "★",
    r"\mbox": r"\text", r"\hbox": r"\text", r"\textrm": r"\text", r"\textnormal": r"\text",
    r"\textup": r"\text", r"\textsc": r"\text", r"\textsf": r"\text", r"\emph": r"\mathit",
    r"\textit": r"\mathit", r"\textbf": r"\mathbf", r"\bold": r"\mathbf",
    r"\coloneqq": ":=",
    r"\pmb": r"\boldsymbol", r"\bm": r"\boldsymbol", r"\stackrel": r"\overset",
    r"\tg": r"\tan", r"\ctg": r"\cot", r"\arctg": r"\arctan", r"\textdollar": r"\$",
    r"\textdegree": r"^{\circ}", r"\degree": r"^{\circ}", r"\textgreater": ">",
    r"\textless": "<", r"\dots": r"\ldots", r"\dotsc": r"\ldots", r"\dotsb": r"\cdots",
    r"\eqslantless": r"\leqslant", r"\centerdot": r"\cdot", r"\space": r"\ ", r"\enspace": r"\ ",
    r"\thinspace": r"\,", r"\hfill": r"\quad", r"\operatorname*": r"\operatorname",
    r"\tfrac": r"\frac", r"\cfrac": r"\frac", r"\dbinom": r"\binom", r"\tbinom": r"\binom",
    r"\lbrack": "[", r"\rbrack": "]", r"\lbrace": r"\{", r"\rbrace": r"\}", r"\colon": ":",
    r"\implies": r"\Longrightarrow", r"\iff": r"\Longleftrightarrow", r"\land": r"\wedge",
    r"\lor": r"\vee", r"\gets": r"\leftarrow", r"\perthousand": "‰", r"\textpercent": r"\%",
    r"\overarc": r"\frownover", r"\wideparen": r"\frownover", r"\mathbbm": r"\mathbb",
    r"\dag": r"\dagger", "~": r"\ ", r"\R": r"\mathbb{R}", r"\N": r"\mathbb{N}",
    r"\Z": r"\mathbb{Z}", r"\Q": r"\mathbb{Q}", r"\C": r"\mathbb{C}", r"\cosec": r"\mathrm{cosec}",
    r"\bigcirc": "○", r"\textasciitilde": r"\sim", r"\textbackslash": r"\backslash",
    r"\varparallel": r"\parallel", r"\nobreakspace": r"\ ", r"\female": "♀", r"\male": "♂",
    r"\bullet": "•",
}  # fmt: skip
_DROP = re.compile(
    r"\\(?:(?:display|text|script)style|(?:no)?limits|allowbreak|nobreak|(?:no)?indent|hline|"
    r"[bB]igg?[lr]?|nonumber|notag|mathstrut|strut|centering|unskip|/|relax|protect|"
    r"math(?:rel|bin|op|ord|open|close|punct|inner))"
)
_ARGUMENTS = {
    r"\frac": 2, r"\dfrac": 2, r"\nicefrac": 2, r"\sfrac": 2, r"\binom": 2,
    r"\overset": 2, r"\underset": 2, r"\sqrt": 1,
    r"\overline": 1, r"\underline": 1, r"\text": 1, r"\mathcal": 1, r"\mathbb": 1, r"\mathrm": 1,
    r"\mathbf": 1, r"\mathit": 1, r"\mathsf": 1, r"\mathscr": 1, r"\mathfrak": 1,
    r"\operatorname": 1, r"\boldsymbol": 1, r"\textcircled": 1, r"\frownover": 1,
    r"\widehat": 1, r"\hat": 1, r"\bar": 1, r"\vec": 1, r"\tilde": 1, r"\dot": 1, r"\ddot": 1,
}  # fmt: skip
_SWITCHES = {r"\rm": r"\mathrm", r"\bf": r"\mathbf", r"\it": r"\mathit", r"\sf": r"\mathsf"}
_ROOMS = (r"\hspace", r"\mspace")
# behind these a sign is a sign, not an operation
_BEFORE_SIGN = re.compile(
    r"[=<>,;:(\[]|\\(?:leq|geq|neq|approx|equiv|in|to|times|cdot|sim|Rightarrow|Longrightarrow|pm"
    r"|div|leqslant|geqslant|[({]|lbrack|left|mid|therefore|because|ll|gg|langle|infty,)"
)
_HALVES = {r"\choose": r"\binom", r"\over": r"\frac"}  # all of a group before and behind them
_TEXT = (r"\text", r"\operatorname")  # their argument is words, not mathematics
_CIRCLED = {str(n): chr(0x245F + n) for n in range(1, 21)}


_NEGATIONS = {"=": r"\neq ", "<": r"\nless ", ">": r"\ngtr ", r"\in": r"\notin "}
_NEGATED = re.compile(r"\\not\s*(=|<|>|\\in(?![A-Za-z]))")  # mathtext strikes what stands before
GLUED = re.compile(r"\\(frac|sqrt)(?=[a-z])(?!sign)")  # a lost blank: no such command exists


def needs_ziamath(tex: str) -> bool:
    """Does mathtext draw this wrongly, or not at all?"""
    return bool(_DENIED.search(tex))


def normalise(tex: str) -> str:
    """One formula without its dollars, in mathtext's dialect.

    >>> normalise(r"\\frac12 \\le \\sqrt2")
    '\\\\frac{1}{2} \\\\leq \\\\sqrt{2}'
    """
    tex = _NEGATED.sub(lambda m: _NEGATIONS[m[1]], GLUED.sub(r"\\\1 ", tex.strip()))
    dialect = _groups(_TOKEN.findall(tex), 0)[0]
    return re.sub(r"(?:\\quad|\\|\s)+$", "", dialect).strip()  # line ends and blanks at the end


def _groups(tokens: list[str], at: int, closing: str = "") -> tuple[str, int]:
    """Normalise tokens from `at` until `closing`; the text and where reading goes on."""
    out: list[str] = []
    while at < len(tokens):
        token = tokens[at]
        if token == closing:
            return "".join(out), at + 1
        if token == "{":
            inner, at = _groups(tokens, at + 1, "}")
            out.append("{" + inner + "}")
            continue
        at += 1
        token = _RENAME.get(token, token)
        if _DROP.fullmatch(token):
            continue
        if token in _SWITCHES:
            rest, at = _groups(tokens, at, closing)
            return f"{''.join(out)}{_SWITCHES[token]}{{{rest or chr(92) + ' '}}}", at
        if token in _HALVES:
            rest, at = _groups(tokens, at, closing)
            return rf"{_HALVES[token]}{{{''.join(out)}}}{{{rest}}}", at
        if token in "+-" and _is_sign(out):
            out.append("{" + token + "}")
        elif token in _ROOMS:
            size, at = _argument(tokens, at, words=True)
            out.append(_room(size))
        elif token in _ARGUMENTS:
            piece, at = _command(token, tokens, at)
            out.append(piece)
        elif token == r"\\":
            out.append(r"\quad ")
        elif token.isspace():
            out.append(" ")
        else:
            if out and token[:1].isalpha() and re.search(r"\\[A-Za-z]+$", out[-1]):
                out.append(" ")
            out.append(token)
    return "".join(out), at


def _is_sign(out: list[str]) -> bool:
    """Does what stands before make a plus or minus a sign?"""
    before = next((piece for piece in reversed(out) if not piece.isspace()), "")
    return bool(_BEFORE_SIGN.fullmatch(before.strip()))


def _room(size: str) -> str:
    match = re.fullmatch(r"\s*(-?[\d.]{1,6})\s*([a-z]{2})\s*", size)
    wide = float(match[1]) * EM.get(match[2], 0.0) if match and match[1].strip("-.") else 0.0
    return rf"\hspace{{{min(max(wide, -1.0), 10.0):.2f}}}"


def displayed(dialect: str) -> str:
    """Fractions of a formula on a line of its own are large, but not in scripts or in each other.

    >>> displayed(r"\\frac{1}{\\frac{2}{3}}^{\\frac{1}{2}}")
    '\\\\dfrac{1}{\\\\frac{2}{3}}^{\\\\frac{1}{2}}'
    """
    out, at = [], 0
    for match in re.finditer(r"\\frac(?=\{)|[\^_](?=\{)", dialect):
        if match.start() < at:
            continue
        out += [dialect[at : match.start()], match[0].replace("frac", "dfrac")]
        end = group_end(dialect, match.end())
        if len(match[0]) > 1:
            end = group_end(dialect, end)
        at = max(end, match.end())
        out.append(dialect[match.end() : at])
    return "".join([*out, dialect[at:]])


def _command(name: str, tokens: list[str], at: int) -> tuple[str, int]:
    """A command with its arguments in braces."""
    index = ""
    if name == r"\sqrt":
        at = _skip_blank(tokens, at)
        if at < len(tokens) and tokens[at] == "[":
            index, at = _groups(tokens, at + 1, "]")
            index = f"[{index}]"
    arguments = []
    for _ in range(_ARGUMENTS[name]):
        argument, at = _argument(tokens, at, words=name in _TEXT)
        arguments.append(argument)
    if name == r"\textcircled":
        return _CIRCLED.get(arguments[0].strip(), f"({arguments[0]})"), at
    if name in (r"\nicefrac", r"\sfrac"):
        return "{{}}^{{{}}}\\!/_{{{}}}".format(*(a or r"\ " for a in arguments)), at
    if name == r"\frownover":
        return rf"\overset{{\frown}}{{{arguments[0]}}}", at
    lead = ""
    if name == r"\mathrm" and arguments[0].startswith("\\ "):  # Mathpix writes units as {~cm}
        lead, arguments[0] = r"\,", arguments[0][2:]
    return lead + name + index + "".join("{" + (a or r"\ ") + "}" for a in arguments), at


def _skip_blank(tokens: list[str], at: int) -> int:
    while at < len(tokens) and tokens[at].isspace():
        at += 1
    return at


def _argument(tokens: list[str], at: int, words: bool) -> tuple[str, int]:
    at = _skip_blank(tokens, at)
    if at >= len(tokens):
        return "", at
    if tokens[at] != "{":
        return _groups(tokens[at : at + 1], 0)[0], at + 1
    if not words:
        return _groups(tokens, at + 1, "}")
    depth, end = 1, at + 1
    while end < len(tokens) and depth:
        depth += {"{": 1, "}": -1}.get(tokens[end], 0)
        end += 1
    inner = "".join(tokens[at + 1 : end - (depth == 0)])
    return inner.replace("$", "").replace("~", " "), end
