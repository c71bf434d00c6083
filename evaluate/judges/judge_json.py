"""What a judge says as JSON, whatever stands around it: thoughts, a sentence, a fence, more keys.

The last object with the wanted keys counts. Drafts in closed thoughts do not; an object inside
another with these keys is a part of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from .judge import only_json

T = TypeVar("T")
LONGEST = 200_000  # characters at the end of a reply in which an object is looked for
MOST = 60  # places at which one is tried, from the end
THOUGHTS = re.compile(r"(?s)^.*</(?:think|thinking|thought|reasoning)>")
# { and a key, or nothing: braces of LaTeX and of sets begin no object.
OPENING = re.compile(r"""\{(?=\s*(?:["'}]|[A-Za-z_]\w*\s*:))""")
# An escape of JSON, or a backslash that begins none, as in "\\sqrt{2}".
ESCAPES = re.compile(r'(\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))|\\')
# A text in double quotes, or in Python's single ones; one that is not closed goes to the end.
QUOTED = re.compile(
    r"""("(?:[^"\\]|\\.)*"?)|(?<=[{\[,:\s])'((?:[^'\\]|\\.)*)'?""", re.DOTALL
)
# What judges write outside of texts, and what JSON has there.
SPELLED = (
    (re.compile(r"//[^\n]*|/\*[^*]*\*/"), ""),
    (re.compile(r",(?=\s*[}\]])"), ""),
    (re.compile(r"\bTrue\b"), "true"),
    (re.compile(r"\bFalse\b"), "false"),
    (re.compile(r"\bNone\b"), "null"),
    (re.compile(r"([{,]\s*)([A-Za-z_]\w*)(?=\s*:)"), r'\1"\2"'),
)
# "\\frac" is a form feed and "rac" in JSON: what judges write is LaTeX.
CONTROLS = {"\b": "\\b", "\f": "\\f", "\t": "\\t", "\r": "\\r"}
EATEN = re.compile("[\b\f\t\r](?=[A-Za-z])")
WORDS = {"true": True, "yes": True, "false": False, "no": False}


def object_in(text: str, kind: type[T]) -> T:
    """The last object of a judge's reply that has the keys of `kind`, as that.

    Raises ValueError where there is none, or where its values are of other kinds.

    >>> class Word(msgspec.Struct):
    ...     answer: str
    ...     equal: bool
    >>> object_in('It is so: {"answer": 7, "equal": "true", "why": "$\\\\sqrt{49}$"}. Done.', Word)
    Word(answer='7', equal=True)
    """
    wanted = {
        field.encode_name
        for field in msgspec.structs.fields(kind)  # type: ignore[arg-type]
        if field.required
    }
    found = _whole(text, wanted)
    if found is None:
        for value in _objects(THOUGHTS.sub("", text)[-LONGEST:], wanted):
            found = value
    if found is None:
        keys = ", ".join(sorted(wanted))
        raise ValueError(f"no JSON object with the keys {keys}")
    return msgspec.convert(_suited(found, kind), kind, strict=False)


def _whole(text: str, wanted: set[str]) -> dict[str, Any] | None:
    """What a reply that is nothing but JSON says, where it has the keys."""
    try:
        value = only_json(text)
    except (ValueError, RecursionError):
        return None
    return _cleaned(value) if wanted <= value.keys() else None


def _cleaned(value: dict[str, Any]) -> dict[str, Any]:
    """Keys in lower case, commands of LaTeX as they were written."""
    return {str(k).strip().casefold(): _latex(v) for k, v in value.items()}


def _objects(text: str, wanted: set[str]) -> Iterator[dict[str, Any]]:
    """The objects with these keys, in their order, none inside another."""
    end = 0
    for place in [match.start() for match in OPENING.finditer(text)][-MOST:]:
        if place < end:
            continue
        decoded = _decoded(text, place)
        if decoded is None:
            continue
        value, after = decoded
        if wanted <= value.keys():
            end = after
            yield value


def _decoded(text: str, place: int) -> tuple[dict[str, Any], int] | None:
    """The object that begins at a place, and where it ends; mended where judges often err."""
    decoder = json.JSONDecoder(strict=False)
    for mend in (str, _mended, _closed):
        said = mend(text[place:])
        try:
            value, length = decoder.raw_decode(said)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            cut = length + len(text) - place - len(said)  # mending changes lengths
            return _cleaned(value), place + max(1, cut)
    return None


def _mended(text: str) -> str:
    """An object as JSON has it: of Python, with comments, bare keys, commas too many."""
    parts = []
    at = 0
    for match in QUOTED.finditer(text):
        quoted = match[1]
        if quoted is None:
            quoted = match[2].replace("\\'", "'").replace('"', r"\"")
            quoted = f'"{quoted}"'
        parts += [_spelled(text[at : match.start()]), quoted]
        at = match.end()
    parts.append(_spelled(text[at:]))
    return ESCAPES.sub(lambda escape: escape[1] or r"\\", "".join(parts))


def _spelled(text: str) -> str:
    for pattern, ours in SPELLED:
        text = pattern.sub(ours, text)
    return text


def _closed(text: str) -> str:
    """The same of an object that the end of a reply cut before its bracket."""
    return f"{_mended(text).rstrip()}}}"


def _latex(value: Any) -> Any:
    if isinstance(value, str):
        return EATEN.sub(lambda match: CONTROLS[match[0]], value)
    return value


def _suited(value: dict[str, Any], kind: Any) -> dict[str, Any]:
    """The keys that are known, with numbers where texts are wanted and words where truths are."""
    suited = {}
    for field in msgspec.structs.fields(kind):
        if field.encode_name not in value:
            continue
        one = value[field.encode_name]
        if field.type is str and isinstance(one, int | float):
            one = str(one)
        elif field.type is str and one is None:
            one = ""
        elif field.type is bool and isinstance(one, str):
            one = WORDS.get(one.strip().casefold(), one)
        suited[field.encode_name] = one
    return suited
