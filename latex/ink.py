r"""What a formula must show: the characters and strokes that every engine has to draw.

Read off the LaTeX alone, so that a drawing can be compared with it whoever made it. Where a thing
stands does not matter here, only that it is there: `\frac{a}{b}` is a, b and a bar. Characters that
readers take for the same are one (`fold`): minus and hyphen, an italic x and an upright one.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache

from .groups import group_end
from .symbols import FUNCTIONS, SYMBOLS
from .tokens import TOKEN, without_comments

Ink = Counter[str]  # single characters, and the strokes below

BAR = "bar"
HLINE = "hline"
VLINE = "vline"
BOX = "box"
STRIKE = "strike"
RULE = "rule"
CIRCLE = "circle"


class UnreadableError(Exception):
    """A command that nobody knows: what it shows cannot be said."""


_SAME = {
    "-": "−‐–—", "*": "∗⁎", "★": "⋆", "⊙": "ʘ", "▽": "▿", "▼": "▾", "◁": "◃⊲", "▷": "▹⊳", "⋈": "⨝",
    "⊨": "⊧", "·": "⋅∙‧", "'": "′ʹ’‘‵", '"': "“”", "|": "∣❘ǀ", "^": "ˆ\u0302", "~": "∼˜\u0303",
    "°": "∘˚\u030a", "→": "\u20d7⟶", "←": "⟵\u20d6", "⇒": "⟹", "⇐": "⟸", "⇔": "⟺", "↔": "⟷\u20e1",
    "\u0338": "⧸", "/": "∕⁄", "\\": "∖⧵", "△": "▵", "Δ": "∆", "□": "◻☐▢", "◇": "⋄♢◊", "○": "◯⚪",
    "∅": "⌀⦰Ø", ":": "∶", "⌢": "⌒⁀⏜\u0311\u0361", "⊥": "⟂", "⟨": "\u2329\u3008",
    "⟩": "\u232a\u3009", "■": "◼▪", "▲": "▴", "ħ": "ℏ", "\u0301": "´ˊ", "\u0300": "`ˋ",
}  # fmt: skip
_FOLD = {ord(twin): sign for sign, twins in _SAME.items() for twin in twins}
_FOLD |= dict.fromkeys(map(ord, "\u200b\u2061\u2062\u2063\ufeff"), "")  # invisible
_FOLD |= {ord("⋯"): "...", ord("≔"): ":=", ord("ˇ"): "\u030c"}
_FOLD |= dict.fromkeys(map(ord, "∥‖║"), "||")  # two bars, however they are written
_BARS = frozenset("\u0304\u0305\u0332‾¯ˉ―")

# what commands show besides their arguments
_SHOWING = {
    (BAR,): r"\frac \dfrac \tfrac \cfrac \over \overline \underline \bar",
    ("(", ")"): r"\binom \dbinom \tbinom \choose \tag \pod",
    (BOX,): r"\boxed \fbox \framebox",
    (STRIKE,): r"\cancel \bcancel \sout",
    (STRIKE, STRIKE): r"\xcancel",
    (HLINE,): r"\hline \cline \hdashline \toprule \midrule \bottomrule",
    ("→",): r"\vec \overrightarrow \xrightarrow \underrightarrow",
    ("←",): r"\overleftarrow \xleftarrow \underleftarrow",
    ("↔",): r"\overleftrightarrow \xleftrightarrow \underleftrightarrow",
    ("⇒",): r"\Overrightarrow \xRightarrow",
    ("⇐",): r"\xLeftarrow",
    ("⇔",): r"\xLeftrightarrow",
    ("⇌",): r"\xrightleftharpoons",
    ("⇋",): r"\xleftrightharpoons",
    ("↦",): r"\xmapsto",
    ("=",): r"\xlongequal",
    ("⌢",): r"\overarc \overparen \wideparen \arc",
    ("ˆ",): r"\hat \widehat",
    ("˜",): r"\tilde \widetilde",
    ("√", BAR): r"\sqrt",
    (RULE,): r"\rule",
    (CIRCLE,): r"\textcircled",
    ("/",): r"\nicefrac \sfrac",
    ("\u0338",): r"\not",
    ("\u0301",): r"\acute",
    ("\u0300",): r"\grave",
    ("\u0307",): r"\dot",
    ("\u0308",): r"\ddot",
    ("\u030c",): r"\check",
    ("\u0306",): r"\breve",
    ("°",): r"\mathring",
    ("⏞",): r"\overbrace",
    ("⏟",): r"\underbrace",
    tuple("(mod)"): r"\pmod",
    tuple("mod"): r"\bmod \mod",
}
SHOWN = {name: keys for keys, names in _SHOWING.items() for name in names.split()}
# commands whose arguments (so many) show nothing; "=" a size such as 3pt behind them
_DROPPED = {
    r"\hspace": 1, r"\vspace": 1, r"\mspace": 1, r"\phantom": 1, r"\hphantom": 1, r"\vphantom": 1,
    r"\label": 1, r"\color": 1, r"\textcolor": 1, r"\cline": 1, r"\rule": 2, r"\multicolumn": 2,
    r"\end": 1, r"\raisebox": 1, r"\fontsize": 2, r"\multirow": 2,
}  # fmt: skip
_STARRED = frozenset(r"\tag \operatorname \hspace \vspace".split())
_LENGTHS = frozenset(r"\kern \mkern \hskip \mskip".split())
_LENGTH = re.compile(r"\s*-?[\d.]*\s*[a-z]{2}")
_OPTIONAL = frozenset(  # and shown
    r"\sqrt \xrightarrow \xleftarrow \xleftrightarrow \xRightarrow \xLeftarrow \xLeftrightarrow "
    r"\xrightleftharpoons \xleftrightharpoons \xmapsto \xlongequal".split()
)
_NAMED = {
    r"\R": "R", r"\N": "N", r"\Z": "Z", r"\Q": "Q", r"\C": "C", r"\dots": "…", r"\dotsb": "⋯",
    r"\dotsc": "…", r"\lbrack": "[", r"\rbrack": "]", r"\lbrace": "{", r"\rbrace": "}",
    r"\lvert": "|", r"\rvert": "|", r"\vert": "|", r"\lVert": "∥", r"\rVert": "∥", r"\Vert": "∥",
    r"\tg": "tg", r"\ctg": "ctg", r"\arctg": "arctg", r"\cosec": "cosec",
    r"\degree": "°", r"\textdegree": "°", r"\textdollar": "$", r"\textpercent": "%", r"\colon": ":",
    r"\textgreater": ">", r"\textless": "<", r"\textbackslash": "\\", r"\textasciitilde": "~",
    r"\gt": ">", r"\lt": "<", r"\perthousand": "‰", r"\Diamond": "◇", r"\diamond": "◇",
    r"\triangle": "△", r"\bigtriangleup": "△", r"\vartriangle": "△", r"\parallelogram": "▱",
    r"\square": "□", r"\Box": "□", r"\blacksquare": "■", r"\bigstar": "★", r"\star": "★",
    r"\bigcirc": "○", r"\female": "♀", r"\male": "♂", r"\eqslantless": "⩽", r"\centerdot": "·",
    r"\varparallel": "∥", r"\backslash": "\\", r"\iff": "⟺", r"\implies": "⟹", r"\to": "→",
    r"\gets": "←", r"\land": "∧", r"\lor": "∨", r"\lnot": "¬", r"\perp": "⊥", r"\angle": "∠",
    r"\prime": "'", r"\dag": "†", r"\ne": "≠", r"\neq": "≠", r"\intop": "∫",
    r"\smallfrown": "⌢", r"\frown": "⌢", r"\hbar": "ħ",
    r"\le": "≤", r"\ge": "≥", r"\sphericalangle": "∢",
    r"\surd": "√", r"\And": "&", r"\lneq": "⪇", r"\gneq": "⪈", r"\mid": "|",
    r"\nmid": "∤", r"\nparallel": "∦", r"\cdotp": "·", r"\ldotp": ".", r"\projlim": "projlim",
}  # fmt: skip
_SILENT = frozenset(
    r"\left \right \middle \limits \nolimits \displaystyle \textstyle \scriptstyle "
    r"\scriptscriptstyle \nonumber \notag \allowbreak \nobreak \noindent \indent \strut \mathstrut "
    r"\centering \unskip \relax \protect \quad \qquad \space \enspace \thinspace \nobreakspace "
    r"\hfill \hfil \newline \rm \bf \it \sf \tt \cal \medspace \thickspace \negthinspace \small "
    r"\large \Large \normalsize \footnotesize \tiny \linebreak \atop \smash \mathord \mathop "
    r"\mathrel \mathbin \mathopen \mathclose \mathpunct \mathinner \operatorname \substack "
    r"\overset \underset \stackrel \text \textrm \textbf \textit \textsf \texttt \textnormal "
    r"\textup \textsc \textmd \emph \mbox \hbox \mathrm \mathbf \mathit \mathsf \mathtt \mathcal "
    r"\mathbb \mathbbm \mathfrak \mathscr \mathnormal \boldsymbol \bm \pmb \bold \ensuremath "
    r"\big \Big \bigg \Bigg \bigl \Bigl \biggl \Biggl \bigr \Bigr \biggr \Biggr \bigm \Bigm "
    r"\biggm \Biggm \makecell \shortstack \tabularnewline \hskip \mathllap \mathrlap \llap \rlap "
    r"\negmedspace \negthickspace \itshape \bfseries \rmfamily \Bigg \endline \null \cr".split()
)
# what is known, and in no font at hand or no one sign: all 2,977 commands were tried
_NEVER_SET = frozenset(
    r"\backepsilon \doublebarwedge \invdiameter \mbfDigamma \mbfdigamma \ncong \APLcomment "
    r"\APLdownarrowbox \APLinput \APLinv \APLleftarrowbox \APLlog \APLrightarrowbox "
    r"\APLuparrowbox".split()
)
_ONE_COMMAND = re.compile(r"\\\w+")
# What stands in the columns of an array: `*{2}{c|}`; `@{.}`; `p{3cm}`, `X`, `w{c}{2cm}`.
_REPEATED = re.compile(r"\*\{(\d{1,2})\}\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
_INSERT = re.compile(r"[@!><]\{[^{}]*\}")
_WITH_WIDTH = re.compile(r"[pmbXwS](?:\{[^{}]*\})*")
MOST_REPEATS = 8  # within each other: so many are written out
LONGEST_SPEC = 1000  # characters
# Commands behind which a dot stands for no bracket at all.
_BEFORE_DOT = re.compile(r"\\(?:left|right|middle|[bB]igg?[lrm]?)\Z")
FENCES = {"cases": "{", "dcases": "{", "rcases": "}", "pmatrix": "()", "bmatrix": "[]",
           "Bmatrix": "{}", "vmatrix": "||", "Vmatrix": "∥∥"}  # fmt: skip
WITH_COLUMNS = frozenset(
    ("array", "tabular", "tabular*", "subarray", "longtable", "darray")
)
ENVIRONMENTS = (  # whose rows are set
    WITH_COLUMNS
    | FENCES.keys()
    | frozenset(
        "matrix smallmatrix aligned align split alignedat alignat flalign eqnarray gathered gather "
        "multline equation displaymath math".split()
    )
)
_COUNTED = frozenset(("alignat", "alignat*", "alignedat", "alignedat*"))


@lru_cache(4096)
def fold(character: str) -> tuple[str, ...]:
    """What a reader sees in a character: letters without their style, one of each kind of bar.

    >>> fold("−"), fold("𝑥"), fold("≠"), fold("¯"), fold(" ")
    (('-',), ('x',), ('=', '̸'), ('bar',), ())
    """
    circled = 0x2460 <= ord(character) <= 0x2473
    plain = unicodedata.normalize("NFKD", character.translate(_FOLD)).translate(_FOLD)
    keys = [BAR if c in _BARS else c for c in plain if not c.isspace()]
    return (*keys, CIRCLE) if circled else tuple(keys)


@lru_cache(4096)
def is_set(command: str) -> bool:
    r"""Do the project's renderers set this command? One list for formulas and for prose.

    It is theirs: what they draw is compared with what is known here, see `expected_ink`.

    >>> is_set(r"\frac"), is_set(r"\Parallel")
    (True, False)
    """
    return not unset(command)


def unset(tex: str) -> str:
    r"""Why no renderer sets a formula, naming the command that nobody knows; "" when they do.

    >>> unset(r"A\Parallel B"), unset(r"A\parallel B")
    ('unknown command \\Parallel', '')
    """
    try:
        expected_ink(tex)
    except UnreadableError as reason:
        return str(reason)
    return ""


def ink_of(characters: str) -> Ink:
    """The ink of characters as they stand."""
    return Counter(key for c in characters for key in fold(c))


def expected_ink(tex: str) -> Ink:
    r"""Characters and strokes that a drawing of the formula must show, with how often.

    Raises UnreadableError for a command that is not known, naming it.

    >>> sorted(expected_ink(r"\begin{array}{r|r} 12 & x \\ \hline -5 & \end{array}").items())
    [('-', 1), ('1', 1), ('2', 1), ('5', 1), ('hline', 1), ('vline', 1), ('x', 1)]
    """
    ink: Ink = Counter()
    tokens = TOKEN.findall(without_comments(tex))
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if len(token) == 1:
            if token not in "{}&^_$~":
                ink.update(fold(token))
        elif token == r"\begin":
            keys, at = _environment(tokens, at)
            ink.update(keys)
        elif token == r"\\":
            at = _skip_optional(tokens, at)
        elif not token.isspace():
            ink.update(_command(token))
            at = _behind(token, tokens, at, ink)
    return ink


def _behind(command: str, tokens: list[str], at: int, ink: Ink) -> int:
    """Past what stands behind a command and shows nothing, or shows without its brackets."""
    if tokens[at : at + 1] == ["*"] and command in _STARRED:
        at += 1
        if command == r"\tag":
            ink.subtract(["(", ")"])
    if _BEFORE_DOT.match(command):
        at = _skip_blank(tokens, at)
        return at + 1 if tokens[at : at + 1] == ["."] else at
    if command in _LENGTHS:
        size = _LENGTH.match("".join(tokens[at : at + 24]))
        return _past(tokens, at, size.end() if size else 0)
    if command in _OPTIONAL or command in _DROPPED:
        start = _skip_blank(tokens, at)
        end = _skip_optional(tokens, at)
        if command in _OPTIONAL and end > start + 2:
            ink.update(expected_ink("".join(tokens[start + 1 : end - 1])))
        at = end
    for _ in range(_DROPPED.get(command, 0)):
        at = _skip_argument(tokens, at)
    return at


def _command(token: str) -> list[str]:
    """The ink of a command itself. Raises UnreadableError for one that nobody knows."""
    if token in SHOWN:
        keys: list[str] = []
        for key in SHOWN[token]:
            keys += fold(key) if len(key) == 1 else (key,)
        return keys
    if token in _SILENT or token in _DROPPED or token in _LENGTHS:
        return []
    if not token[1:].isalpha():
        sign = token[1]
        if sign not in r"{}%$&#_|":
            return []
        return list(fold(sign)) * (2 if sign == "|" else 1)  # `\|` is two bars
    if token in _NAMED:
        return [key for c in _NAMED[token] for key in fold(c)]
    if token[1:] in FUNCTIONS:
        return list(token[1:])
    character = "" if token in _NEVER_SET else character_of(token)
    if character:
        return list(fold(character))
    raise UnreadableError(f"unknown command {token}")


def said_by(command: str) -> str:
    r"""What a command without arguments prints; "" for any other, and for one that is silent.

    >>> said_by(r"\le"), said_by(r"\tg"), said_by(r"\,")
    ('≤', 'tg', '')
    """
    if command[1:] in FUNCTIONS:
        return command[1:]
    if not command[1:].isalpha() or command in SHOWN or command in _SILENT:
        return ""
    return _NAMED.get(command) or _unicode(command) or character_of(command)


def dropped_by(command: str) -> int | None:
    """How many arguments of a silent command show nothing; None for one that shows something."""
    return 0 if command in _SILENT else _DROPPED.get(command)


def character_of(command: str) -> str:
    r"""The character that a command without arguments stands for; "" for any other.

    >>> character_of(r"\cup"), character_of(r"\frac")
    ('∪', '')
    """
    if command in SHOWN or command in _SILENT:
        return ""
    return _symbols().get(command) or _unicode(command)


@cache
def _symbols() -> dict[str, str]:
    """The project's own table, the other way round."""
    return {
        latex: character
        for character, latex in reversed(SYMBOLS.items())
        if _ONE_COMMAND.fullmatch(latex)
    }


def _unicode(token: str) -> str:
    """The character of a command by the Unicode list of mathematical symbols."""
    from latex2mathml.symbols_parser import convert_symbol

    code = convert_symbol(token)
    return chr(int(code, 16)) if code else ""


def _environment(tokens: list[str], at: int) -> tuple[list[str], int]:
    """Fences and column lines of the environment that begins here, and where its body does."""
    end = _skip_argument(tokens, at)
    name = "".join(tokens[at:end]).strip("{} \n")
    keys = [key for c in FENCES.get(name.rstrip("*"), "") for key in fold(c)]
    end = _skip_optional(tokens, end)
    if name in WITH_COLUMNS:
        start = end
        end = _skip_argument(tokens, end)
        keys += [VLINE] * columns_of("".join(tokens[start:end])).count("|")
    elif name in _COUNTED:
        end = _skip_argument(tokens, end)
    return keys, end


def columns_of(spec: str) -> str:
    r"""Columns of an array as a string of l, c, r and |; widths and inserts are left out.

    >>> columns_of(r"{|l|*{2}{c|}p{3cm}@{.}r}")
    '|l|c|c|lr'
    """
    spec = re.sub(r"\s", "", spec.strip()).removeprefix("{").removesuffix("}")
    for _ in range(MOST_REPEATS):
        repeated = _REPEATED.search(spec)
        if not repeated or len(spec) > LONGEST_SPEC:
            break
        spec = spec.replace(repeated[0], repeated[2] * int(repeated[1]))
    spec = _INSERT.sub("", spec)
    spec = spec.replace(":", "|")  # dashed
    spec = _WITH_WIDTH.sub("l", spec)
    return re.sub(r"[^lcr|]", "", spec)


def _skip_blank(tokens: list[str], at: int) -> int:
    while at < len(tokens) and tokens[at].isspace():
        at += 1
    return at


def _skip_argument(tokens: list[str], at: int) -> int:
    """Past one argument: a group or a single token."""
    at = _skip_blank(tokens, at)
    if tokens[at : at + 1] != ["{"]:
        return min(at + 1, len(tokens))
    rest = "".join(tokens[at:])
    return _past(tokens, at, max(group_end(rest, 0), 1))


def _skip_optional(tokens: list[str], at: int) -> int:
    """Past `[...]` where it stands next, of at most 200 tokens."""
    start = _skip_blank(tokens, at)
    if tokens[start : start + 1] != ["["]:
        return at
    depth = 0
    for k in range(start, min(start + 200, len(tokens))):
        depth += (tokens[k] == "{") - (tokens[k] == "}")
        if tokens[k] == "]" and depth == 0:
            return k + 1
    return at


def _past(tokens: list[str], at: int, length: int) -> int:
    """The index of the token behind so many characters."""
    while at < len(tokens) and length > 0:
        length -= len(tokens[at])
        at += 1
    return at


def unlike(expected: Ink, shown: Ink) -> str:
    """What a drawing lacks and what it shows unasked, in words; "" when they agree.

    >>> unlike(expected_ink("x+1"), ink_of("x1")), unlike(expected_ink("x"), ink_of("x"))
    ("it lacks '+'", '')
    """
    lacks = expected - shown
    has = shown - expected
    differences = [("it lacks ", lacks), ("it shows, unasked, ", has)]
    return "; ".join(words + _listed(ink) for words, ink in differences if ink)


def _listed(ink: Ink) -> str:
    names = [f"{key!r}" if len(key) == 1 else key for key in sorted(ink.elements())]
    return ", ".join(names[:8]) + (" ..." if len(names) > 8 else "")
