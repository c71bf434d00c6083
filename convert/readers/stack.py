"""STACK questions of Moodle, as far as the file itself determines them: nothing is computed.

A question whose text asks the computer algebra for nothing but names that stand for literals
(`a:3; b:-1/2;`) is what it says. Anything else, random numbers above all, is dropped by that name;
the seeds that are deployed are told, since the quiz can be exported with those written out.
https://docs.stack-assessment.org/en/Authoring/CASText/
"""

from __future__ import annotations

import re
from typing import Any

from ...errors import UserError

BLANK = "____"
_ASSIGNED = re.compile(r"([A-Za-z]\w*)\s*:\s*([^:;$]+?)\s*[;$]")
_LITERAL = re.compile(r'-?\d+(?:\.\d+)?(?:/\d+)?|"[^"\\]*"')
_INSERTED = re.compile(r"\{([@#])(.*?)\1\}", re.S)
_INPUT = re.compile(r"\[\[input:(\w+)\]\]")
_SHOWN_LATER = re.compile(r"\[\[(?:validation|feedback):\w+\]\]")
_PLAIN = re.compile(
    r"[\dA-Za-z\s+\-*/^().,=<>]*"
)  # an expression without a function's name
_NAME = re.compile(r"[A-Za-z]\w+")
_COMMENT = re.compile(r"/\*.*?\*/", re.S)


def stack_fields(question: Any) -> dict[str, Any]:
    """What a `<question type="stack">` holds, as plain data."""
    return {
        "variables": question.findtext("questionvariables/text") or "",
        "seeds": [seed.text or "" for seed in question.iterfind("deployedseed")],
        "inputs": {
            (one.findtext("name") or ""): (
                one.findtext("tans") or "",
                one.findtext("type") or "",
            )
            for one in question.iterfind("input")
        },
    }


def determined(item: dict[str, Any]) -> tuple[str, str, list[str]]:
    """Question, solution and answers of a STACK question, in the order of its blanks.

    Raises UserError, with the seeds that are deployed, where only the computer algebra knows.
    """
    stack = item["stack"]
    known = _literals(_COMMENT.sub("", stack["variables"]))
    try:
        question = _written(item["text"], known)
        answers = [
            _answer(said, kind, known)
            for name in _INPUT.findall(question)
            for said, kind in [stack["inputs"].get(name, ("", ""))]
        ]
    except UserError as error:
        seeds = ", ".join(stack["seeds"][:8]) or "none"
        raise UserError(
            f"{error.message}; deployed seeds: {seeds}", error.remedy
        ) from None
    try:
        solution = _written(item["solution"], known)
    except UserError:
        solution = ""
    return _SHOWN_LATER.sub("", _INPUT.sub(BLANK, question)), solution, answers


def _literals(variables: str) -> dict[str, str]:
    """Names that stand for one literal, and for nothing else later."""
    found: dict[str, str] = {}
    for name, value in _ASSIGNED.findall(variables):
        twice = name in found
        found[name] = "" if twice or not _LITERAL.fullmatch(value) else value.strip('"')
    return found


def _written(text: str, known: dict[str, str]) -> str:
    if "[[" in _SHOWN_LATER.sub("", _INPUT.sub("", text)):
        raise UserError(
            "a block of STACK's own ([[if]], [[jsxgraph]], ...)", "write it out"
        )

    def value(match: re.Match[str]) -> str:
        name = match[2].strip()
        said = known.get(name, "") or (name if _LITERAL.fullmatch(name) else "")
        if not said:
            raise UserError(
                f"{match[0][:60]} asks the computer algebra", "write the values out"
            )
        return re.sub(r"(-?)(\d+)/(\d+)", r"\1\\frac{\2}{\3}", said)

    return _INSERTED.sub(value, text)


def _answer(said: str, kind: str, known: dict[str, str]) -> str:
    """The teacher's answer where it is a literal or an expression without names of variables."""
    said = known.get(said.strip(), "") or said.strip().rstrip(";")
    names = _NAME.findall(said)
    letters = set(re.findall(r"[A-Za-z]", said)) & known.keys()
    if (
        kind not in ("algebraic", "numerical", "units", "string", "textarea", "")
        or not said
    ):
        raise UserError(f"an input of type {kind!r}", "write it out")
    if names or letters or not _PLAIN.fullmatch(said):
        raise UserError(
            f"the answer {said[:60]!r} asks the computer algebra", "write it out"
        )
    return said
