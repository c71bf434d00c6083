"""Lists and records that stand in one text: JSON, or as Python and numpy print them.

Nothing is evaluated. One pattern says which tokens may stand there, Python's parser makes a tree
of them, and only lists, records and plain values are taken out of it. What is no literal is None.
"""

from __future__ import annotations

import ast
import re
from contextlib import suppress
from typing import Any

import msgspec

from ..base.json_lines import decode

DEEPEST = 40
LONGEST = 200_000  # characters of what is no JSON: its tree is hundreds of times larger
# What lists are printed with, and nothing else: no operators, no f-strings, no comments.
_TOKEN = re.compile(
    r"""\s*(?:
      (?P<open>[\[({])
    | (?P<close>[\])}])
    | (?P<mark>[,:])
    | (?P<string>[rbuRBU]{0,2}(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'))
    | (?P<number>[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?=[\s,\]})]|$))
    | (?P<before>[A-Za-z_][\w.]*+(?:\s*\(|=))   # the name of a call, or of an argument in it
    | (?P<word>[A-Za-z_][\w.]*+)
    )""",
    re.VERBOSE | re.DOTALL,
)
_WORDS = {"true": True, "false": False, "null": None, "none": None, "nan": None}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\n": ""} | {c: c for c in "\\'\"/"}
_ESCAPED = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL
)


def literal(text: str) -> Any:
    r"""The list or record that a text is, or None.

    >>> literal("['4', \"it's\", 3]"), literal('{"A": "1"}'), literal("['a' 'b']")
    (['4', "it's", 3], {'A': '1'}, ['a', 'b'])
    >>> literal("array(['x', 'y'], dtype=object)"), literal("[2,6]"), literal("(x, y)")
    (['x', 'y'], [2, 6], None)
    """
    text = text.strip()
    if text[:1] not in ("[", "{", "(") and not text.startswith(("array(", "np.array(")):
        return None
    with suppress(msgspec.DecodeError, UnicodeEncodeError):  # half a surrogate pair
        return decode(text)
    # the parser may also run out of stack or memory
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        [value] = _value(ast.parse(f"[{_source(text)}]", mode="eval").body)
        return value
    return None


def _source(text: str) -> str:
    """The tokens for Python's parser, with the commas that numpy leaves out.

    Raises ValueError for a text that is too long, or has any other token.
    """
    if len(text) > LONGEST:
        raise ValueError("too long")
    source: list[str] = []
    position = 0
    follows_value = False
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise ValueError("no literal")
        position = token.end()
        ends_tuple = token["close"] == ")"  # also one of one value, which a comma makes
        if follows_value and (ends_tuple or not (token["close"] or token["mark"])):
            source.append(",")
        source.append(_quoted(token["string"]) if token["string"] else token[0].strip())
        follows_value = not (token["open"] or token["mark"] or token["before"])
    return " ".join(source)


def _value(node: ast.expr, depth: int = 0) -> Any:
    """The value of a node. Raises ValueError for one that is none, or is nested too deeply."""
    if depth > DEEPEST:
        raise ValueError("nested too deeply")
    match node:
        case ast.Constant(value):
            return value
        case ast.UnaryOp(op=sign, operand=ast.Constant(int() | float() as size)):
            return -size if isinstance(sign, ast.USub) else size
        case ast.Name(name) if name.lower() in _WORDS:
            return _WORDS[name.lower()]
        case ast.List(items) | ast.Tuple(items) | ast.Set(items):
            return [_value(item, depth + 1) for item in items]
        case ast.Dict(keys, values):
            pairs = zip(keys, values, strict=True)
            return {
                str(_value(key, depth + 1)): _value(value, depth + 1)
                for key, value in pairs
                if key is not None
            }
        case ast.Call(args=[first, *_]):  # array([...], dtype=object)
            return _value(first, depth + 1)
    raise ValueError("no value")


def _quoted(token: str) -> str:
    """A string as Python prints what it says."""
    body = token.lstrip("rbuRBU")
    text = body[1:-1]
    if "r" in token[: -len(body)].lower():
        return repr(text)
    is_printed = "\\\\" in text  # a text that Python printed doubles every backslash

    def character(match: re.Match[str]) -> str:
        code = match[1] or match[2] or match[3]
        if code:
            point = int(code, 16)
            return chr(point) if point < 0x110000 else match[0]
        if match[4].isalpha() and not is_printed and text[match.end() :][:1].isalpha():
            return match[0]  # `\t` of `\times`
        return _ESCAPES.get(match[4], match[0])

    return repr(_ESCAPED.sub(character, text))
