"""What a reply says: without the tokens that steer models, without thinking, up to its end of turn.

Everything removed is blanked, so a place in the visible text is a place in the reply. One pass of
two patterns, linear in the length of the reply.
"""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

# Thinking, as the families of models write it. A block that closes without having been opened
# began before the reply; one that never closes is all that the model had time for.
_THINKING = (
    ("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"), ("<reflection>", "</reflection>"),
    ("<seed:think>", "</seed:think>"), ("◁think▷", "◁/think▷"), ("[THINK]", "[/THINK]"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"), ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|channel|>analysis<|message|>", "<|end|>"), ("<|channel|>analysis", "assistantfinal"),
    ("<unused94>thought", "<unused95>"),
)  # fmt: skip
_CLOSERS = ("<|channel|>final<|message|>",)
# Behind these the turn is over: what follows answers nobody.
_TURN_ENDS = (
    "im_end endoftext end_of_text eot_id eom_id end_of_turn eos eoa return END_OF_TURN_TOKEN "
    "end▁of▁sentence /s EOS endofturn EOD"
).split()
_OTHERS = "user human system tool observation".split()  # who speaks in a turn that is not ours
_ROLES = rf"(?:{'|'.join(_OTHERS)}|assistant|model|gpt|bot|ai)"


def _any_of(words: list[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_OPENERS = {opener.lower() for opener, _ in _THINKING}
_THOUGHT = re.compile(
    _any_of([mark for pair in _THINKING for mark in pair] + list(_CLOSERS)), re.IGNORECASE
)
_TOKEN = re.compile(
    r"(?:<[|｜](?!(?:begin|end)_of_box)(?P<name>[^<>|｜\s]{1,40})[|｜]>"
    r"|<(?P<tag>/?s|eo[a-z]{1,3}|bos|eos|pad|unk|sop|eop|EOD|gMASK|(?:start|end)_of_[a-z]{1,20}"
    r"|(?:reserved|unused|extra_id_?)_?\d{1,4}|0x[0-9A-F]{2})>"
    r"|\[\|?(?P<bracket>/?INST|[BE]OS|PAD|gMASK|endofturn|/?SYS(?:TEM_PROMPT)?)\|?\]"
    r"|<</?SYS>>)"
    rf"(?P<role>(?i:{_ROLES})(?=\s|<|$))?"
)


class Visible(msgspec.Struct, frozen=True):
    """`text` is the reply with blanks for all that it does not say; `truncated`: it never began."""

    text: str
    truncated: bool = False


@lru_cache(maxsize=2)  # of one reply the letters, the value and the parts are asked for
def visible(reply: str) -> Visible:
    """The part of a reply that speaks to the reader.

    >>> visible("<think>4? No.</think>It is 5.<|im_end|><|im_start|>user").text.strip()
    'It is 5.'
    >>> visible("<think>Perhaps 7. But let me check").truncated
    True
    """
    text, truncated = _without_thinking(reply)
    return Visible(_without_tokens(text), truncated)


def _without_thinking(reply: str) -> tuple[str, bool]:
    kept: list[tuple[int, int]] = []
    position, thinks = 0, False
    for mark in _THOUGHT.finditer(reply):
        if mark[0].lower() in _OPENERS:
            if not thinks:
                kept.append((position, mark.start()))
            thinks = True
        elif thinks:
            position, thinks = mark.end(), False
        elif mark[0] != "<|end|>":  # that one ends answers, too
            kept, position = [], mark.end()
    if thinks:
        return " " * len(reply), True
    return _blanked(reply, [*kept, (position, len(reply))]), False


def _blanked(text: str, kept: list[tuple[int, int]]) -> str:
    """The text with blanks outside the stretches that are kept."""
    parts: list[str] = []
    position = 0
    for start, end in kept:
        parts += [" " * (start - position), text[start:end]]
        position = end
    return "".join([*parts, " " * (len(text) - position)])


def _without_tokens(text: str) -> str:
    kept: list[tuple[int, int]] = []
    position, said = 0, False
    for token in _TOKEN.finditer(text):
        said = said or bool(text[position : token.start()].strip())
        kept.append((position, token.start()))
        if said and _ends_turn(token):
            return _blanked(text, kept)
        position = token.end()
    return _blanked(text, [*kept, (position, len(text))]) if position else text


def _ends_turn(token: re.Match[str]) -> bool:
    name = token["name"] or token["tag"] or token["bracket"] or ""
    role = (token["role"] or name).lower()
    return name in _TURN_ENDS or role in _OTHERS or name == "INST"
