"""What a text keeps whose punctuation is repaired: words, numbers, formulas, signs."""

from __future__ import annotations

import re

from ...latex import CJK, FOLD, maths_spans
from .formulas import one_spelling

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


_ASCII = {code: folded for code, folded in FOLD.items() if chr(folded) not in ",;:?!()."}


def _marked(text: str) -> list[str]:
    """What has to stay, token by token."""
    out: list[str] = []
    position = 0
    for span in [*maths_spans(text), None]:
        prose = text[position : span.start if span else len(text)]
        out += _signs(prose.translate(_ASCII))
        if span:
            out.append("$" + one_spelling(span.tex))
            position = span.end
    return [token for k, token in enumerate(out) if token != "," or _separates(out, k)]


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
