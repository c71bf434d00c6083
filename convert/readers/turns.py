"""Conversations: who asks, what is asked and shown, and what is answered."""

from __future__ import annotations

from typing import Any

import msgspec

# how turns name their speaker and their words (closed: the two forms in which sets are published)
_FORMS = (("role", "content"), ("from", "value"))
_ASKING = frozenset({"user", "human"})


class Exchange(msgspec.Struct, frozen=True):
    """A question with its pictures and its answer; `more` is what is said besides."""

    question: str
    answer: str
    pictures: list[Any]
    more: list[str]


def exchange_of(value: Any) -> Exchange | None:
    """The first exchange of a conversation; None of what is none.

    >>> turns = [{"role": "user", "content": "What is 2+2?"}, {"role": "assistant", "content": "4"}]
    >>> exchange_of(turns).question, exchange_of(turns).answer
    ('What is 2+2?', '4')
    """
    for speaker, words in _FORMS:
        if (
            isinstance(value, list)
            and value
            and all(_is_turn(one, speaker, words) for one in value)
        ):
            said = [(str(one[speaker]), *_read(one[words])) for one in value]
            asked = next((k for k, turn in enumerate(said) if turn[0] in _ASKING), None)
            if asked is None:
                return None
            _, question, pictures = said[asked]
            rest = [turn[1] for turn in said[asked + 1 :]]
            before = [turn[1] for turn in said[:asked]]
            return Exchange(
                question, rest[0] if rest else "", pictures, before + rest[1:]
            )
    return None


def _is_turn(one: Any, speaker: str, words: str) -> bool:
    return isinstance(one, dict) and isinstance(one.get(speaker), str) and words in one


def _read(content: Any) -> tuple[str, list[Any]]:
    """The words and the pictures of a turn, which may be a list of parts."""
    if not isinstance(content, list):
        return str(content), []
    texts, pictures = [], []
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind in ("image", "image_url"):
            shown = part.get(kind) or part.get("path") or part.get("url")
            texts.append("<image>")
            pictures += [
                shown.get("url", shown) if isinstance(shown, dict) else shown
            ] * bool(shown)
        elif isinstance(part, dict):
            texts.append(str(part.get("text", part)))
        else:
            texts.append(str(part))
    return "\n".join(texts), pictures
