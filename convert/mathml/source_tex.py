"""The TeX that a formula was made from, where its MathML still carries it.

In order: a TeX annotation, MathJax 4's `data-latex`, then `alttext` (LaTeXML, Wikipedia).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

from ...latex import SYMBOLS
from .tree import MathNode

ENCODINGS = frozenset(
    [
        "application/x-tex",
        "application/x-latex",
        "text/x-tex",
        "text/x-latex",
        "tex",
        "latex",
    ]
)
# defines or reads something: not the text of a formula
_PROGRAM = re.compile(
    r"\\(def|gdef|edef|let|newcommand|renewcommand|providecommand|newenvironment|input|include"
    r"|write|read|openin|openout|catcode|csname|require|special|href|url)(?![A-Za-z])"
)
_DELIMITERS = ((r"\[", r"\]"), (r"\(", r"\)"), ("$$", "$$"), ("$", "$"))
# what stands in TeX and is never seen, or is seen as other letters than it is written with
_UNSEEN = re.compile(
    r"""
    \\(?:begin|end) \s*\{[^{}]*\} (?:\s*\{[^{}]*\})?
    | \\ (?: label | tag\*? | ref | color | textcolor | class | style | cssId | hspace\*? | vspace
        | hskip | kern | mkern | mskip | rule | raisebox | phantom | hphantom | vphantom | unicode
        | mathchoice | genfrac ) (?![A-Za-z])
      (?:\s*\[[^\]]*\])? (?:\s*\{[^{}]*\})*
    | \\\\\[[^\]]*\]
    | \\not\s*=
    | \\[a-zA-Z]+
    | -?[\d.]+(?:em|ex|mu|pt)
    """,
    re.VERBOSE,
)
# letters, figures and signs that any renderer shows as they are
_INK = re.compile(r"[A-Za-z0-9+\-=<>\u0391-\u03c9]")
_SIGNS = {r"\lt": "<", r"\gt": ">"} | {
    latex: character
    for character, latex in SYMBOLS.items()
    if "\u0391" <= character <= "\u03c9" and latex.startswith("\\")
}
_COMMAND = re.compile(r"\\not\s*=|\\[A-Za-z]+")
_BRACE = re.compile(r"(?<!\\)(?:\\\\)*([{}])")
# a style around the whole formula: {\displaystyle ...}
_STYLED = re.compile(r"\{\s*\\(?:display|text)style(?![A-Za-z])(.*)\}", re.DOTALL)


def source_tex(math: MathNode) -> str | None:
    """The formula's own TeX, or None where there is none that says what the tree shows."""
    tex = _stated(math)
    return tex if tex is not None and agrees(tex, math) else None


def disagreement(math: MathNode) -> str:
    """What the formula's annotation says, where its tree shows another formula; else empty.

    A label or a description in `alttext` claims nothing.
    """
    tex = _stated(math)
    if tex is None or tex == _label(math) or agrees(tex, math):
        return ""
    return f"annotation: it says {tex[:80]!r}, which is not what the formula shows"


def _stated(math: MathNode) -> str | None:
    for annotation in _annotations(math):
        if annotation.attributes.get("encoding", "").strip().lower() in ENCODINGS:
            return usable(annotation.text)
    if tex := math.attributes.get("data-latex"):
        return usable(tex)
    alternative = math.attributes.get("alttext", "")
    looks_like_tex = any(c in alternative for c in "\\^_{")
    return usable(alternative) if looks_like_tex else None  # words describe it


def _label(math: MathNode) -> str:
    """An `alttext` without any command: `equation_1` names the formula."""
    alternative = math.attributes.get("alttext", "").strip()
    return alternative if "\\" not in alternative else ""


def agrees(tex: str, math: MathNode) -> bool:
    """Do TeX and tree show the same digits, signs, and letters that do not contradict each other?

    Macros and names of commands write letters that no other side has, so letters only speak where
    each side has one that the other lacks; digits and signs always do.
    """
    of_tree = _ink("".join(_texts(math)))
    signs = _COMMAND.sub(lambda match: _SIGNS.get(match[0], match[0]), tex)
    of_tex = _ink(_UNSEEN.sub(" ", signs))
    lacking = of_tree - of_tex
    extra = of_tex - of_tree
    differs = any(c.isdigit() or c in "+-=<>" for c in (*lacking, *extra))
    if differs and r"\ce" not in tex:
        return False
    only_in_tree = lacking.keys() - of_tex.keys()
    only_in_tex = extra.keys() - of_tree.keys()
    return not (only_in_tree and only_in_tex)


def _ink(text: str) -> Counter[str]:
    flat = unicodedata.normalize("NFKC", text).replace("\u2212", "-")
    return Counter(_INK.findall(flat))


def _texts(node: MathNode) -> Iterator[str]:
    pending = [node]
    while pending:
        current = pending.pop()
        if current.tag.startswith("annotation") or current.tag == "mphantom":
            continue
        yield current.text
        pending += current.children


def _annotations(math: MathNode) -> list[MathNode]:
    """Annotations of a `semantics` that is the whole formula."""
    node = math
    while node.tag in ("math", "mrow", "mstyle") and len(node.children) == 1:
        node = node.children[0]
    if node.tag != "semantics":
        return []
    return [child for child in node.children if child.tag == "annotation"]


def usable(tex: str) -> str | None:
    """TeX without what surrounds a formula; None when it is unbalanced or a program."""
    tex = tex.strip()
    for left, right in _DELIMITERS:
        is_between = tex.startswith(left) and tex.endswith(right)
        if is_between and len(tex) >= len(left + right):
            tex = tex[len(left) : len(tex) - len(right)].strip()
            break
    styled = _STYLED.fullmatch(tex)
    if styled and _balanced(styled[1]):
        tex = styled[1].strip()
    holds_dollar = "$" in tex.replace(r"\$", "")
    if holds_dollar or _PROGRAM.search(tex) or not _balanced(tex):
        return None
    return tex or None


def _balanced(tex: str) -> bool:
    depth = 0
    for brace in _BRACE.findall(tex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0
