"""What a reply says: without the tokens that steer models, without thinking, up to its end of turn.

Everything removed is blanked, so a place in the visible text is a place in the reply. One pass of
two patterns, linear in the length of the reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from ...words import said

# A mark that opens or closes a block, in the shapes of all families: <think>, </think>,
# <|begin_of_thought|>, <|END_THINKING|>, ◁think▷, [THINK], <seed:think>, <analysis id="1">.
_MARK = re.compile(
    r"""
    (?: < [|｜]? | ◁ | \[ )
    (?P<closes> / | end_ (?:of_)? )?
    (?: (?:begin_of|begin|start_of|start)_ )?
    (?P<name> [a-z][\w:-]{1,30} )
    (?: \s [\w-]{1,20} = [^<>\[\]\n◁▷]{0,60} )?
    (?: [|｜]? > | ▷ | \] )
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Channels and reserved tokens, which come in no pairs (closed: their makers have given them up).
_CHANNEL = re.compile(
    r"<\|channel\|>(?P<channel>[a-z]+)(?:<\|message\|>)?|(?P<final>assistantfinal)"
    r"|<unused\d{1,4}>(?P<glued>thought)?|(?P<ends><\|end\|>)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
_THOUGHTS = said("thought")
# Blocks that speak, whatever stands behind them: names of answers, of boxes, and of HTML.
_SPEAKS = said("answer", "solution", "result", "problem") | frozenset(
    "final box output response div span table ul ol li em strong sub sup br hr p b i s".split()
)
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
_OF_CHANNELS = ("<|", "<unused", "assistantfinal")  # in each mark of a channel
_SIGNS = ("<", "◁", "assistantfinal")  # of these, or of a bracket, each mark has one
_BRACKET = re.compile(r"(?<!\\)\[[/|A-Za-z]")


class Mark(NamedTuple):
    """A thought opens or closes at reply[start:end]; `turn`: the mark ends answers, too."""

    start: int
    end: int
    opens: bool
    turn: bool = False


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
    if not any(sign in lower for sign in _SIGNS) and not _BRACKET.search(reply):
        return Visible(reply)
    stretches: list[tuple[int, int]] = []
    position = 0
    thinks = False
    for mark in _marks(reply):
        if mark.opens:
            if not thinks:
                stretches.append((position, mark.start))
                position = mark.end
            thinks = True
        elif thinks:
            position = mark.end
            thinks = False
        elif not mark.turn:  # the thought began before the reply
            stretches = []
            position = mark.end
    if thinks:
        shown = reply.rstrip()
        lines = shown[-THOUGHT:].rsplit("\n", LAST_LINES)[-LAST_LINES:]
        place = max(len(shown) - len("\n".join(lines)), position)
        return Visible(_without_tokens(_blanked(reply, [(place, len(reply))])), True)
    stretches.append((position, len(reply)))
    return Visible(_without_tokens(_blanked(reply, stretches)))


def _marks(reply: str) -> list[Mark]:
    """Where thoughts open and close: by their names, and the block that a reply opens with."""
    pairs = list(_MARK.finditer(reply))
    thoughts = {id(mark) for mark in pairs if not _THOUGHTS.isdisjoint(_words(mark))}
    thoughts |= {id(mark) for mark in _first_block(reply, pairs)}
    marks = [
        Mark(*mark.span(), opens=not mark["closes"])
        for mark in pairs
        if id(mark) in thoughts
    ]
    return sorted([*marks, *_channels(reply)])


def _words(mark: re.Match[str]) -> list[str]:
    return _WORD.findall(mark["name"].lower())


def _first_block(reply: str, pairs: list[re.Match[str]]) -> Iterator[re.Match[str]]:
    """The marks of a block at the start, whatever its name, behind which the reply speaks."""
    first = pairs[0] if pairs else None
    if not first or first["closes"] or reply[: first.start()].strip():
        return
    name = first["name"].lower()
    if first[0][0] == "[" or not _SPEAKS.isdisjoint(_words(first)):
        return
    for mark in pairs[1:]:
        if mark["closes"] and mark["name"].lower() == name:
            if reply[mark.end() :].strip():
                yield from (first, mark)
            return


def _channels(reply: str) -> Iterator[Mark]:
    """The marks that come in no pairs: all channels but the last, "final", are thoughts."""
    if not any(sign in reply.lower() for sign in _OF_CHANNELS):
        return
    for mark in _CHANNEL.finditer(reply):
        if mark["ends"]:
            yield Mark(*mark.span(), opens=False, turn=True)
        else:
            channel = (mark["channel"] or "").lower()
            opens = bool(mark["glued"]) or channel not in ("", "final")
            yield Mark(*mark.span(), opens=opens)


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
