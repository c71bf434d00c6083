"""What a reply says: without the tokens that steer models, without thinking, up to its end of turn.

Everything removed is blanked, so a place in the visible text is a place in the reply. One pass of
two patterns, linear in the length of the reply.
"""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

# Thinking, as the families of models write it (closed: these are their control tokens). A block
# that closes without having been opened began before the reply; one that never closes is all that
# the model had time for.
_NAME = r"(?:thinking|think|thought|reasoning|reflection|seed:think)"
_OPENING = (
    rf"<{_NAME}>|◁think▷|\[THINK\]|<\|(?:begin_of_thought|START_THINKING)\|>"
    r"|<\|channel\|>analysis(?:<\|message\|>)?|<unused94>thought"
)
_CLOSING = (
    rf"</{_NAME}>|◁/think▷|\[/THINK\]|<\|(?:end_of_thought|END_THINKING)\|>|<\|end\|>"
    r"|assistantfinal|<unused95>|<\|channel\|>final<\|message\|>"
)
_THOUGHT = re.compile(rf"(?P<opens>{_OPENING})|{_CLOSING}", re.IGNORECASE)
# A token of a chat's template, and who speaks behind it; box tokens hold answers.
_TOKEN = re.compile(
    r"""
    (?:
        < [|｜] (?!(?:begin|end)_of_box) (?P<name>[^<>|｜\s]{1,40}) [|｜] >
      | < (?P<tag>
            /?s | eo[a-z]{1,3} | bos | eos | pad | unk | sop | eop | EOD | gMASK
          | (?:start|end)_of_[a-z]{1,20}
          | (?:reserved|unused|extra_id_?) _? \d{1,4}
          | 0x[0-9A-F]{2}
        ) >
      | \[ \|? (?P<bracket>/?INST|[BE]OS|PAD|gMASK|endofturn|/?SYS(?:TEM_PROMPT)?) \|? \]
      | <</?SYS>>
    )
    (?P<role>
        (?i:user|human|system|tool|observation|assistant|model|gpt|bot|ai) (?=\s|<|$)
    )?
    """,
    re.VERBOSE,
)
LAST_LINES = 12  # of a thought that never closes, in which an answer may be declared
THOUGHT = 2_000  # characters of them
_OTHERS = frozenset("user human system tool observation".split())
# behind an end, what follows answers nobody
_ENDS = re.compile(
    r"(?i:(?:im_)?end(?:[_▁]?of.*)?|eo[asd]|eo[tm]_id)$|/s$|return$|INST$"
)
_OPENS = ("<", "◁", "[", "assistantfinal")  # all of these


class Visible(msgspec.Struct, frozen=True):
    """`text` is the reply with blanks for all that it does not say.

    `truncated`: it never began to speak, and `text` holds the last lines of its thought.
    """

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
    lower = reply.lower()
    if not any(sign in lower for sign in _OPENS):
        return Visible(reply)
    stretches: list[tuple[int, int]] = []
    position = 0
    thinks = False
    for mark in _THOUGHT.finditer(reply):
        if mark["opens"]:
            if not thinks:
                stretches.append((position, mark.start()))
                position = mark.end()
            thinks = True
        elif thinks:
            position = mark.end()
            thinks = False
        elif mark[0] != "<|end|>":  # that one ends answers, too
            stretches = []
            position = mark.end()
    if thinks:
        said = reply.rstrip()
        lines = said[-THOUGHT:].rsplit("\n", LAST_LINES)[-LAST_LINES:]
        place = max(len(said) - len("\n".join(lines)), position)
        return Visible(_without_tokens(_blanked(reply, [(place, len(reply))])), True)
    stretches.append((position, len(reply)))
    return Visible(_without_tokens(_blanked(reply, stretches)))


def _blanked(text: str, stretches: list[tuple[int, int]]) -> str:
    """The text with blanks outside some stretches."""
    parts: list[str] = []
    position = 0
    for start, end in stretches:
        parts += [" " * (start - position), text[start:end]]
        position = end
    return "".join([*parts, " " * (len(text) - position)])


def _without_tokens(text: str) -> str:
    """Up to the token that ends the turn, behind which it is another's."""
    stretches: list[tuple[int, int]] = []
    position = 0
    has_spoken = False
    for token in _TOKEN.finditer(text):
        stretch = (position, token.start())
        stretches.append(stretch)
        has_spoken = has_spoken or bool(text[slice(*stretch)].strip())
        name = token["name"] or token["tag"] or token["bracket"] or ""
        role = (token["role"] or name).lower()
        if has_spoken and (_ENDS.match(name) or role in _OTHERS):
            return _blanked(text, stretches)
        position = token.end()
    if not position:
        return text
    return _blanked(text, [*stretches, (position, len(text))])
