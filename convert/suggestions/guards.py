"""Mechanical guards: a suggestion that changes what a problem says is rejected.

Each guard names what it found; a suggestion passes when there is nothing. Guards look at the text
only, never at the model's own account of what it did. What they look at: formulas, numbers in any
spelling, ratios, names, words whose change changes a problem (`senses.yaml`), who does what to
whom, pictures, markup. How much they let through, and stop in vain, is measured on tables of edits
(`tests/convert/suggestions/edits`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import partial

from ...errors import UserError
from ...latex import CJK, FOLD, HAN, boxes, maths_spans, read_boxed
from ..documents import in_dollars
from ..normalise import tighten
from .agreement import disagreement
from .near_copy import changed_in_copy
from .quantities import changed_list, changed_quantity, turned_ratio
from .wording import changed_places
from .words import words

Guard = Callable[[str, str], str]

_IMAGE = re.compile(r"<image\d+>")
_WIDE = re.compile(rf"[{CJK}]")
_HAN = re.compile(rf"[{HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-z]{3,}")
_OPTION = re.compile(r"(?:^|\n|\s)[(（]?[A-H][)）.．、:：]\s")
_NAME = re.compile(
    r"∠\d|(?<![A-Za-z\\])(?!(?<=\d )[LWVN]\b)"  # no litres, watts, volts, newtons
    r"(?:(?!US dollar|[NSEW] ?\d|(?<=[°\d] )[NSEW]\b|(?<=[°\d])[NSEW]\b)"
    r"(?!(?:I|A|II|III|IV|VI|VII|VIII)(?![A-Za-z\d]))[A-Z]{1,4}'*(?![A-Za-z])"
    r"|A(?![A-Za-z])(?! [a-z])|(?<=[a-z,] )A(?![A-Za-z])|A(?= (?:and|is|to|lies|on|or)\b))"
)
_GIVEN_NAME = re.compile(r"\b[A-Z][a-z]+\b")
_INNER_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+\b")
_BARE_NAME = re.compile(r"[A-Z]{1,4}'*")
_NUMBER_FORMULA = re.compile(
    r"(-?(?:\d+(?:\.\d+)?(?:\\%)?|\\frac(?:\{\d+\}\{\d+\}|\d\d)))"
    rf"(?:(°)|(?:\\text\{{)?~?((?<=[{{~\d}}])(?:[cdkm]?m|[km]?g|mL|[{HAN}]{{1,2}}))\}}?(\^\{{?[23]\}}?)?)?"
)
_NUMBERED_ANGLE = re.compile(r"(?:∠\s?|\b[Aa]ngle |角)(\d)(?![\d°])")
_LISTED = re.compile(r"\d+(?:\.\d+)?(?:[:,]\d+(?:\.\d+)?)+")  # ratios and lists
_UNIT = re.compile(r"\\text\{~?([cdkm]?m|[km]?g|mL)\}((?:\^\{?[23]\}?)?)")
_VARIABLE = re.compile(
    r"\\?\{?[a-zA-Z](?:_\w|\([a-z]\))?\\?\}?|\\(?:vec|overrightarrow)\{?\w{1,2}\}?|\\(?:alpha|beta|theta)"
)
_UNBRACED = str.maketrans("", "", "{}")
_FUNCTION = re.compile(r"[a-z]\([a-z]\)")
_PI = re.compile(r"\\pi(?:(?:=|\\approx)(\d+\.\d+))?")
# What is said of names by signs, which a translator may say in words.
_SIGNS = {
    r"\text{Rt}": "Rt",
    r"\perp": "⊥",
    r"\parallel": "∥",
    r"\triangle": "△",
    r"\odot": "⊙",
    r"\angle": "∠",
}
_SIGN = re.compile("|".join(map(re.escape, _SIGNS)))
_OF_NAMES = re.compile(r"(?:Rt)?[⊥∥△⊙∠]?(?:[A-Z]'*){0,6}(?:-(?:[A-Z]'*)+)*|[a-z]")
_PROVISO = re.compile(r"(.+?[^(\\])\(([^()]*(?:[<>]|\\[lg]eq|\\neq|\\in)[^()]*)\)$")
_MARKUP = re.compile(
    r"<\s*[/!]?\s*[A-Za-z][^<>\n]{0,400}>?|&(?:#\w+|[a-z]{2,8});|```|`|\*\*|(?<!_)__(?=[^\W_])|\]\s*\(|!\["
    r"|(?i:https?:|javascript:|data:|\bon[a-z]{3,12}\s*=)"
    r"|\\(?:href|url|input|include|write|def|newcommand|html|class|style|color|textcolor)(?![A-Za-z])"
)
_ACTIVE = re.compile(
    r"(?i)<\s*/?\s*(?:script|iframe|object|embed|style|svg|link|meta)\b|javascript:"
)
_SPELLINGS = (
    (re.compile(r"\\[dt]frac(?![A-Za-z])"), r"\\frac"),
    (re.compile(r"\\(le|ge)(?:qslant|qq|q)?(?![A-Za-z])"), r"\\\1q"),
    (re.compile(r"\\neq?(?![A-Za-z])"), r"\\neq"),
    (re.compile(r"\\(?:left|right)(?![A-Za-z])|\\[,;:! ]|\\q?quad(?![A-Za-z])"), ""),
    (re.compile(r"\\degree(?![A-Za-z])|\^\s*\{?\s*\\circ\s*\}?|°"), "°"),
    (re.compile(r"\\(?:mathrm|mbox|text|textrm)\{"), r"\\text{"),
    (re.compile("[−－﹣–]"), "-"),
    (re.compile("×"), r"\\times "),
    (re.compile("÷"), r"\\div "),
    (re.compile("[≤⩽]"), r"\\leq "),
    (re.compile("[≥⩾]"), r"\\geq "),
    (re.compile("≠"), r"\\neq "),
)


def same_formulas(before: str, after: str) -> str:
    """Formulas are the same, blanks apart, in any order; one may be said again."""
    return _exchanged("formula", *_unnamed(_formulas(before), _formulas(after)))


def _formulas(text: str) -> Counter[str]:
    spans = maths_spans(in_dollars(text))
    spelt = (_one_spelling(span.tex) for span in spans if not _said(span.tex))
    return Counter(part for tex in spelt if tex for part in _parted(tex))


def _parted(tex: str) -> tuple[str, ...]:
    """An equation and the condition in brackets behind it, which may stand apart."""
    match = _PROVISO.match(tex)
    if match:
        return match[1], match[2]
    return (tex[1:-1],) if re.fullmatch(r"\([^()]*(?:[<>]|\\[lg]eq)[^()]*\)", tex) else (tex,)


def _unnamed(old: Counter[str], new: Counter[str]) -> tuple[Counter[str], Counter[str]]:
    """Without a variable that one side alone names beside its formulas: "an equation in $x$"."""
    lost, extra = old.keys() - new.keys(), new.keys() - old.keys()
    if bool(lost) == bool(extra):
        return old, new
    kept = " ".join(old.keys() & new.keys())
    idle = {f for f in lost | extra if _VARIABLE.fullmatch(f) and f in kept}
    return tuple(Counter({f: n for f, n in c.items() if f not in idle}) for c in (old, new))  # type: ignore[return-value]


def _one_spelling(tex: str) -> str:
    r"""A formula without blanks, in the commonest of its spellings, words in `\text` left out."""
    tex = tex.translate(FOLD)
    for pattern, spelling in _SPELLINGS:
        tex = pattern.sub(spelling, tex)
    tex = "".join(tex.split()).rstrip(",.;，。；、:：")
    tex = _unworded(re.sub(r"([_^])\{(\w)\}", r"\1\2", tex))
    return tex[0] if _FUNCTION.fullmatch(tex) else tex


def _said(tex: str) -> str:
    r"""A number, with its unit, or a name as prose says it: `\frac{2}{3}` as 2/3; else empty.

    >>> _said(r"90^\circ"), _said(r"5\mathrm{~cm}"), _said("-3"), _said("x+1")
    ('90°', '5 cm', '-3', '')
    """
    tex = "".join(tex.translate(FOLD).split()).replace("{:}", ":")
    for pattern, spelling in _SPELLINGS:
        tex = pattern.sub(spelling, tex)
    if _BARE_NAME.fullmatch(tex) or _LISTED.fullmatch(tex):
        return tex.replace(",", ", ")
    if alone := _UNIT.fullmatch(tex):
        return alone[1] + alone[2].translate(_UNBRACED)
    if pi := _PI.fullmatch(tex):
        return f"π {pi[1] or ''}".strip()
    if signed := _of_names(tex):
        return signed
    match = _NUMBER_FORMULA.fullmatch(tex)
    if not match:
        return ""
    number = re.sub(r"\\frac\{?(\d+)\}?\{?(\d+)\}?", r"\1/\2", match[1])
    unit = match[2] or (match[3] or "") + (match[4] or "").translate(_UNBRACED)
    return number.replace("\\", "") + (" " * unit[:1].isalpha() + unit)


def _of_names(tex: str) -> str:
    r"""What signs say of names, `\triangle ABC`, `AB\perp CD`, `|AB|`; empty for all else."""
    if tex[:1] == tex[-1:] == "|" and _BARE_NAME.fullmatch(tex[1:-1]):
        return tex[1:-1]
    said = _SIGN.sub(lambda m: _SIGNS[m[0]], tex)
    parts = re.split("([⊥∥])", said)
    if said == tex or not all(_OF_NAMES.fullmatch(part) for part in parts[::2]):
        return ""
    return said


def _unworded(tex: str) -> str:
    r"""Chinese words inside `\text{...}` may be translated."""
    return re.sub(rf"\\text\{{[^{{}}]*[{CJK}][^{{}}]*\}}|\\text\{{[^{{}}]*\}}", r"\\text{}", tex)


def same_numbers(before: str, after: str) -> str:
    """Numbers of the prose, with their signs and in any spelling, are the same."""
    old, new = _uncounted(_prose(before)), _uncounted(_prose(after))
    return changed_quantity(old, new) or turned_ratio(old, new) or changed_list(old, new)


def _uncounted(prose: str) -> str:
    """Without the number of names that are listed: "points" for "four points B, E, C and F"."""
    return _LIST_COUNTED.sub(_without_count, prose)


def _without_count(match: re.Match[str]) -> str:
    names = len(_LISTED_NAME.findall(match["list"] or match["men"]))
    said = match["before"] or match["lead"] or match["behind"]
    if _COUNTS[said.lower()] != names:
        return match[0]
    return match[0].removesuffix(said) if match["behind"] else match[0].replace(said, "", 1)


_COUNTS = dict(zip("两二三四五六七八2345678", (2, *range(2, 9), *range(2, 9)), strict=True))
_COUNTS |= {"two": 2, "three": 3, "four": 4, "five": 5}
_LISTED_NAME = re.compile(r"[A-Z甲乙丙丁戊]|\d+")
_LETTER = r"[A-Z甲乙丙丁戊](?![A-Za-z])"
_ITEMS, _LETTERS = (
    rf"(?:{item})(?:(?:[ ,，、]{{1,3}}| ?(?:, )?(?:and|和|与) ?)(?:{item}))+"
    for item in (rf"{_LETTER}|\d+", _LETTER)
)
_LIST_COUNTED = re.compile(
    r"(?:\b(?P<before>[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[2-5]) (?:[a-z]+,? ){1,4}"
    r"|(?P<lead>[两二三四五六七八2-8])[个名位条点人种张][^，。；\d]{0,5}?)"
    rf"(?P<list>{_LETTERS}|(?:(?<=numbers )|(?<=digits )|(?<=数)|(?<=数字)){_ITEMS})|(?P<men>{_ITEMS})"
    r" ?这?(?P<behind>[两二三四五六七八2-8])(?=[点人名位个地数支队站张种])"
)


def _prose(text: str) -> str:
    """The text without pictures and formulas; one that is a number or a name stays."""
    out, position = [], 0
    for span in maths_spans(text):
        said = _said(span.tex)
        out += [text[position : span.start], f" {said} " if said else " "]
        position = span.end
    prose = _IMAGE.sub(" ", "".join([*out, text[position:]])).translate(_DIGITS)
    return _NUMBERED_ANGLE.sub(r"∠\1", _SPACES.sub(" ", prose))


_SPACES = re.compile(" {2,}")
_DIGITS = {code: folded for code, folded in FOLD.items() if chr(folded).isalnum()}


def same_pictures(before: str, after: str) -> str:
    """Placeholders of pictures are the same."""
    return _difference("picture", Counter(_IMAGE.findall(before)), Counter(_IMAGE.findall(after)))


def no_markup(before: str, after: str) -> str:
    """No tag, link, code or emphasis that was not there; nothing active in any case."""
    if active := _ACTIVE.search(after):
        return f"markup: {active[0]!r}"
    old, new = (
        Counter(m[0].strip() for m in _MARKUP.finditer(_IMAGE.sub(" ", _outside(text))))
        for text in (before, after)
    )
    return f"markup: {min(extra)!r} is new" if (extra := new - old) else ""


def _outside(text: str) -> str:
    """Prose, and of formulas only their commands, since `a<b` is no tag there."""
    out, position = [], 0
    for span in maths_spans(text):
        out += [
            text[position : span.start],
            " ",
            " ".join(re.findall(r"\\[A-Za-z]+", span.tex)),
            " ",
        ]
        position = span.end
    return "".join([*out, text[position:]])


def same_sense(before: str, after: str) -> str:
    """Relations, kinds, units, negation and names of points are the same, in either language."""
    defined = set(_DEFINED.findall(before)) & set(_DEFINED.findall(after))
    points = set(_POINT.findall(before)) & set(_POINT.findall(after))
    before, after = _implied(*_masked(before, after))
    if changed := disagreement(_uncounted(before), _uncounted(after)):
        return changed
    names = [Counter(_NAME.findall(text)) for text in (before, after)]
    names = _unpointed(names[0], names[1], points)
    names = [Counter({n: k for n, k in c.items() if n not in defined}) for c in names]
    if any(_LEADING_A.search(text) for text in (before, after)):
        names = [Counter({n: k for n, k in c.items() if n != "A"}) for c in names]
    return _exchanged("name", *names) or _other_person(before, after)


_LEADING_A = re.compile(r"(?:^|[.?!:]\s+)A [a-z\d\ue000-\uf8ff]")  # a name or an article


def _masked(before: str, after: str) -> tuple[str, str]:
    """Both texts without pictures, each formula as one character of its own."""
    known: dict[str, str] = {}
    one, two = (_mask(text, known) for text in (before, after))
    return _lettered(one, two), _lettered(two, one)


def _mask(text: str, known: dict[str, str]) -> str:
    out, position = [], 0
    for span in maths_spans(text):
        tex = _one_spelling(span.tex)
        mask = _said(span.tex) or known.setdefault(tex, chr(0xE000 + len(known) % 6000))
        out += [text[position : span.start], f" {mask} " if len(mask) > 1 else mask]
        position = span.end
    prose = _IMAGE.sub(" ", "".join([*out, text[position:]])).translate(_DIGITS)
    return _NUMBERED_ANGLE.sub(r"∠\1", _SPACES.sub(" ", prose))


def _implied(old: str, new: str) -> tuple[str, str]:
    """Without "right triangle" and "⊥ at D" where both sides say 90°, too."""
    if _RIGHT_ANGLE.search(old) and _RIGHT_ANGLE.search(new):
        old, new = _RIGHT_WORDS.sub(" ", old), _RIGHT_WORDS.sub(" ", new)
    if _EQUAL_SIDES.search(old) and _EQUAL_SIDES.search(new):
        old, new = (re.sub("等腰|(?i:\\bisosceles\\b)", " ", text) for text in (old, new))
    return old, new


_EQUAL_SIDES = re.compile(r"(?<![A-Z])([A-Z])[A-Z]\s*=\s*(?:\1[A-Z]|[A-Z]\1)(?![A-Z])")
_RIGHT_ANGLE = re.compile(r"90 ?(?:°|degrees|度)")
_RIGHT_WORDS = re.compile(
    r"(?i)\bright(?:-angled)?(?= triangle)|Rt(?=\s*△)|直角(?=三角形)|(?<=是)直角|\bright angle\b"
    r"|(?<=[A-Z])\s*⊥\s*(?=[A-Z]{2}(?:于|[ ,，]*垂足))"
)


def _unpointed(old: Counter[str], new: Counter[str], points: set[str]) -> list[Counter[str]]:
    """Without what one side alone names where both sides name all its points.

    "The bisector of $\\angle BEF$ meets $CD$ at $G$" speaks of $EG$.
    """
    lost, extra = old.keys() - new.keys(), new.keys() - old.keys()
    if lost and extra:
        return [old, new]
    idle = {name for name in lost | extra if set(_POINT.findall(name)) <= points}
    return [Counter({n: k for n, k in c.items() if n not in idle}) for c in (old, new)]


_POINT = re.compile(r"[A-Z]'*|∠\d")
_DEFINED = re.compile(r"\$\s*([A-Z])\s*=")  # `$A=\{1,2\}$` names A whether the prose does or not


def _other_person(old: str, new: str) -> str:
    """`Tom` said less often where `Jerry` is said more often."""
    counted = [Counter(_GIVEN_NAME.findall(text)) for text in (old, new)]
    known = {name for text in (old, new) for name in _INNER_NAME.findall(text)}
    known = {name for name in known if not words(name)}
    less, more = (
        sorted(n for n in (one - two) if n in known and two[n] + one[n])
        for one, two in (counted, counted[::-1])
    )
    return f"name: {less[0]!r} was replaced" if less and more else ""


def same_roles(before: str, after: str) -> str:
    """In one language: nothing changed places with something else."""
    if _chinese(before) != _chinese(after):
        return ""
    return changed_places(_IMAGE.sub(" ", before), _IMAGE.sub(" ", after)) or changed_in_copy(
        *_masked(before, after)
    )


def _lettered(text: str, other: str) -> str:
    """甲 and 乙 as A and B where the other side calls them so."""
    called = "乙" in text and "乙" not in other and not re.search(r"(?i)\byi\b", other)
    return text.translate(_PEOPLE) if called and re.search(r"\bB\b", other) else text


_PEOPLE = str.maketrans({"甲": " A ", "乙": " B ", "丙": " C ", "丁": " D "})


def _chinese(text: str) -> bool:
    return bool(_HAN.search(_prose(text)))


def same_language(before: str, after: str) -> str:
    """Chinese stays Chinese, English stays English."""
    if _chinese(before) == _chinese(after) or not _LATIN_WORD.search(_prose(before + after)):
        return ""
    return "language: the text was translated"


def translated(before: str, after: str) -> str:
    """No Chinese word is left."""
    left = _WIDE.findall(_prose(after))
    return f"language: {''.join(left)[:20]!r} is left" if left else ""


def similar_length(before: str, after: str) -> str:
    """Between half and three times as long (Chinese characters count as two)."""
    old, new = (len(text) + len(_WIDE.findall(text)) for text in (before, after))
    return "" if 0.4 * old - 20 <= new <= 3 * old + 40 else f"length: {new} instead of {old}"


# What punctuation may not touch: words, numbers, formulas, signs; brackets around figures.
_MARKED = re.compile(
    r"(?P<image><image\d+>)|(?P<number>\d+(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)"
    rf"|(?P<word>[A-Za-z]+|[{CJK}])|(?P<dots>\.{{3,}}|…+|⋯+)|(?P<blank>_+|[(（]\s*[)）])"
    r"|(?P<bracket>[(（]\s*(?=[^()（）]*[)）]))|(?P<range>[-−－﹣–—]+)|(?P<between>[,，、;；])"
    r"|(?P<sign>[^\s\w.?!\"'“”‘’`´。！？：:()（）])|(?P<mark>[:：∶'’′!！])"
)


def same_letters(before: str, after: str) -> str:
    """Words, numbers, formulas, signs are the same and in the same order; only marks may differ."""
    old, new = _marked(before), _marked(after)
    if old == new:
        return ""
    at = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), None)
    return (
        f"letters: {' '.join((old if at is not None else old + new)[at or 0 :][:3])!r} was changed"
    )


def _marked(text: str) -> list[str]:
    """What has to stay, token by token."""
    out: list[str] = []
    position = 0
    for span in [*maths_spans(text), None]:
        prose = text[position : span.start if span else len(text)]
        out += _signs(prose.translate(_ASCII))
        if span:
            out.append("$" + _one_spelling(span.tex))
            position = span.end
    return [token for k, token in enumerate(out) if token != "," or _separates(out, k)]


_ASCII = {code: folded for code, folded in FOLD.items() if chr(folded) not in ",;:?!()."}
_ASCII |= {ord("．"): ord(".")}


def _separates(out: list[str], k: int) -> bool:
    """A comma counts between two numbers or names, which would run together without it."""
    return 0 < k < len(out) - 1 and all(
        t[:1].isdigit() or t[:1] == "$" or (t.isascii() and len(t) <= 2 and t.isalpha())
        for t in (out[k - 1], out[k + 1])
    )


def _signs(prose: str) -> list[str]:
    out: list[str] = []
    for match in _MARKED.finditer(prose):
        kind, token = match.lastgroup, match[0]
        left, right = prose[: match.start()][-1:], prose[match.end() : match.end() + 1]
        if kind == "number":
            token = token.replace(",", "")
        elif kind == "dots":
            token = "…"
        elif kind == "blank":
            token = "_"
        elif kind == "between":
            token = ","
        elif kind == "bracket":
            inner = re.split("[)）]", prose[match.end() :], maxsplit=1)[0]
            if not re.fullmatch(r"[-−\s\d.,，a-zA-Z+*/=]{1,24}", inner) or re.search(
                "[A-Za-z]{3}", inner
            ):
                continue
            token = f"({len(inner.replace(' ', ''))}"
        elif kind == "range":
            word = re.compile(r"[A-Za-z]{2}")
            if word.search(prose[: match.start()][-2:]) or word.match(prose, match.end()):
                continue  # a hyphen
            if len(token) > 1 and not (left.isdigit() and right.isdigit()):
                continue  # a dash
            if token in "–—" and not right.isdigit():
                continue
            token = "-"
        elif kind == "mark":
            if token in ":：∶":
                if not (left.isdigit() and right.isdigit()):
                    continue
                token = ":"
            elif token in "!！":
                if not left.isdigit():
                    continue
                token = "!"
            elif not re.match(r"[A-Z]", left) or (right and right in "st"):
                continue
            else:
                token = "'"
        out.append(token)
    return out


def only_boxed(before: str, after: str, answer: str = "") -> str:
    """Nothing but a box around, or behind, what was there; `answer` is what it may hold anyway."""
    try:
        inside = read_boxed(after)
    except UserError as error:
        return f"box: {error.message}"
    if not inside or not all(_value(content) for content in inside):
        return "box: there is none"
    old, new = _flat(before), _flat(_unboxed(after))
    if new == old:
        return _last_word(after)
    if new[: len(old)] != old:
        return "box: the text was changed"
    return _added(before, after, answer, new[len(old) :], inside)


def _added(before: str, after: str, answer: str, added: list[str], inside: list[str]) -> str:
    """What was appended is one sentence that states, in a box, what the solution found."""
    if len(added) > 40:
        return "box: more than a sentence was added"
    said = _flat(before)
    for content in inside:
        if not _stands(_flat(content), said) and _flat(content) != _flat(answer):
            return f"box: {content!r} is not in the solution"
    rest = _flat(re.sub(r"\s", " ", _outside_boxes(after)))[len(said) :]
    known = set(said)
    if strange := [t for t in rest if t[:1].isdigit() and t not in known]:
        return f"box: {strange[0]!r} is not in the solution"
    return changed_words(before, rest)


def _stands(value: list[str], said: list[str]) -> bool:
    """Does the value stand in a solution as a whole, not as a part of a larger one?"""
    for k in range(len(said) - len(value) + 1):
        left, right = said[k - 1 : k], said[k + len(value) : k + len(value) + 1]
        if said[k : k + len(value)] == value and all(
            not side or _APART.fullmatch(side[0]) for side in (left, right)
        ):
            return True
    return False


_APART = re.compile(
    rf"[A-Za-z]+|[{CJK}]|[=<>:：]|\\(?:leq|geq|neq|text|approx|therefore|Rightarrow|to)"
)


def changed_words(before: str, added: list[str]) -> str:
    """A negation in the appended sentence takes back what the solution says."""
    return (
        "box: a negation was added"
        if {"not", "no", "不", "非"} & {t.lower() for t in added}
        else ""
    )


def _outside_boxes(text: str) -> str:
    out, position = [], 0
    for box in boxes(text):
        out.append(text[position : box.start])
        position = box.end
    return "".join([*out, text[position:]])


_CONCLUDES = re.compile(
    r"(?i)\b(?:so|therefore|hence|thus|answer)\b|∴|\\therefore|所以|故|因此|答案"
)


def _last_word(after: str) -> str:
    """The box is around the conclusion: nothing behind it concludes anything else."""
    last = list(boxes(after))[-1]
    tail = after[last.end :]
    match = _CONCLUDES.search(tail)
    if match and (rest := _flat(tail[match.end() :])):
        value = _flat(last.content)
        figures = [t for t in rest if t[:1].isdigit()]
        if figures and not any(rest[k : k + len(value)] == value for k in range(len(rest))):
            return f"box: {last.content!r} is not the conclusion"
    return ""


def _unboxed(text: str) -> str:
    r"""The text with the contents of its boxes; `\text{...}` around one goes with it."""
    out, position = [], 0
    for box in boxes(text):
        out += [text[position : box.start], _value(box.content)]
        position = box.end
    return "".join([*out, text[position:]])


def _value(content: str) -> str:
    whole = re.fullmatch(r"\s*\\(?:text|mathrm|textbf|mathbf)\{([^{}]*)\}\s*", content)
    return whole[1] if whole else content.strip()


_TEX_TOKEN = re.compile(rf"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|[A-Za-z]+|[{CJK}]|[^\s$]")


def _flat(text: str) -> list[str]:
    """The tokens of a text without dollars, blanks, marks between clauses and wrappers."""
    text = re.sub(r"\\([%])", r"\1", text.translate(FOLD))
    for pattern, spelling in _SPELLINGS:
        text = pattern.sub(spelling, text)
    text = re.sub(r"\\text\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"[。，；]|[.,;:!?](?!\d)|\\[()\[\]]", " ", text)
    return _TEX_TOKEN.findall(text)


def no_options(before: str, after: str) -> str:
    """An open-ended question lists no options and no blanks."""
    if len(_OPTION.findall(after)) >= 2:
        return "options: they are still there"
    return "blank: it is still there" if re.search(r"_{2,}|[(（]\s*[)）]", after) else ""


def same_conditions(before: str, after: str) -> str:
    """Every formula and number is there, and none is new; `$x=$` may go with its blank."""
    old = Counter({f: n for f, n in _formulas(before).items() if f[-1] not in "=<>"})
    new = Counter({f: n for f, n in _formulas(after).items() if f in old or f[-1] not in "=<>"})
    asked = {f[:-1] for f in _formulas(before) if f[-1] in "=<>"}
    new = Counter({f: n for f, n in new.items() if f in old or f not in asked})
    return _exchanged("formula", *_unnamed(old, new)) or same_numbers(before, after)


def _exchanged(what: str, old: Counter[str], new: Counter[str]) -> str:
    """What is lost or new, or said less often where another is said more often."""
    if lost := old.keys() - new.keys():
        return f"{what}: {min(lost)!r} is lost"
    if extra := new.keys() - old.keys():
        return f"{what}: {min(extra)!r} is new"
    if (less := old - new) and new - old:
        return f"{what}: {min(less)!r} was replaced"
    return ""


def _difference(what: str, old: Counter[str], new: Counter[str]) -> str:
    if lost := old - new:
        return f"{what}: {min(lost)!r} is lost"
    if extra := new - old:
        return f"{what}: {min(extra)!r} is new"
    return ""


KEEPING: tuple[Guard, ...] = (same_formulas, same_numbers, same_pictures, similar_length)
GUARDS: dict[str, tuple[Guard, ...]] = {
    "punctuation": (no_markup, same_letters, same_pictures),
    "translate": (no_markup, translated, *KEEPING, same_sense, same_roles),
    "rephrase": (no_markup, same_language, *KEEPING, same_sense, same_roles),
    "box": (no_markup, only_boxed, same_pictures),
    "open-ended": (
        no_markup, same_language, no_options, same_conditions, same_sense, same_roles,
        same_pictures,
    ),
}  # fmt: skip


def findings(task: str, before: str, after: str, answer: str = "") -> list[str]:
    """What the guards of `task` object to; `answer` is the known answer of what is to be boxed.

    >>> findings("rephrase", "Add $x$ and 3.", "Add 3 to $y$.")
    ["formula: 'x' is lost"]
    """
    before, after = tighten(before), tighten(after)
    if not after.strip():
        return ["empty: there is no text"]
    guards = [partial(only_boxed, answer=answer) if g is only_boxed else g for g in GUARDS[task]]
    return [objection for guard in guards if (objection := guard(before, after))]
