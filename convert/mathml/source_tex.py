"""The TeX that a formula was made from, where its MathML still carries it.

In order: a TeX annotation, MathJax 4's `data-latex`, then `alttext` (LaTeXML, Wikipedia).
"""

from __future__ import annotations

import re

from .tree import MathNode

ENCODINGS = frozenset([
    "application/x-tex", "application/x-latex", "text/x-tex", "text/x-latex", "tex", "latex",
])  # fmt: skip
# defines or reads something: not the text of a formula
_PROGRAM = re.compile(
    r"\\(def|gdef|edef|let|newcommand|renewcommand|providecommand|newenvironment|input|include"
    r"|write|read|openin|openout|catcode|csname|require|special|href|url)(?![A-Za-z])"
)
_DELIMITERS = ((r"\[", r"\]"), (r"\(", r"\)"), ("$$", "$$"), ("$", "$"))


def source_tex(math: MathNode) -> str | None:
    """The formula's own TeX, or None where there is none that can be trusted."""
    for annotation in _annotations(math):
        if annotation.attributes.get("encoding", "").strip().lower() in ENCODINGS:
            return _usable(annotation.text)
    if tex := math.attributes.get("data-latex"):
        return _usable(tex)
    alternative = math.attributes.get("alttext", "")
    if any(c in alternative for c in "\\^_{"):  # otherwise it may be a description in words
        return _usable(alternative)
    return None


def _annotations(math: MathNode) -> list[MathNode]:
    """Annotations of a `semantics` that is the whole formula."""
    node = math
    while node.tag in ("math", "mrow", "mstyle") and len(node.children) == 1:
        node = node.children[0]
    return [c for c in node.children if c.tag == "annotation"] if node.tag == "semantics" else []


def _usable(tex: str) -> str | None:
    """TeX without what surrounds a formula; None when it is unbalanced or a program."""
    tex = tex.strip()
    for left, right in _DELIMITERS:
        if tex.startswith(left) and tex.endswith(right) and len(tex) >= len(left + right):
            tex = tex[len(left) : len(tex) - len(right)].strip()
            break
    inner = re.fullmatch(r"\{\s*\\(?:display|text)style(?![A-Za-z])(.*)\}", tex, re.DOTALL)
    if inner and _balanced(inner[1]):
        tex = inner[1].strip()
    if not tex or _PROGRAM.search(tex) or not _balanced(tex) or "$" in tex.replace(r"\$", ""):
        return None
    return tex


def _balanced(tex: str) -> bool:
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", tex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0
