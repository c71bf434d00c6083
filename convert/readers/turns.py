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
    if not isinstance(value, list) or not value:
        return None
    for speaker, words in _FORMS:
        if all(_is_turn(turn, speaker, words) for turn in value):
            return _first_exchange(
                [turn[speaker] for turn in value],
                [_read(turn[words]) for turn in value],
            )
    return None


def _first_exchange(
    speakers: list[str], turns: list[tuple[str, list[Any]]]
) -> Exchange | None:
    asking = next((k for k, name in enumerate(speakers) if name in _ASKING), None)
    if asking is None:
        return None
    question, pictures = turns[asking]
    texts = [text for text, _ in turns]
    before = texts[:asking]
    behind = texts[asking + 1 :]
    answer = behind[0] if behind else ""
    return Exchange(question, answer, pictures, before + behind[1:])


def _is_turn(turn: Any, speaker: str, words: str) -> bool:
    names_speaker = isinstance(turn, dict) and isinstance(turn.get(speaker), str)
    return names_speaker and words in turn


def _read(content: Any) -> tuple[str, list[Any]]:
    """The words and the pictures of a turn, which may be a list of parts."""
    if not isinstance(content, list):
        return str(content), []
    texts, pictures = [], []
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind in ("image", "image_url"):
            picture = part.get(kind) or part.get("path") or part.get("url")
            texts.append("<image>")
            if isinstance(picture, dict) and picture:
                pictures.append(picture.get("url", picture))
            elif picture:
                pictures.append(picture)
        elif isinstance(part, dict):
            texts.append(str(part.get("text", part)))
        else:
            texts.append(str(part))
    return "\n".join(texts), pictures
