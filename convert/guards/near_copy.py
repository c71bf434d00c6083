"""A text that stays word for word but for a place or two: what differs there must be explained.

Whoever rewords a problem changes many places; one content word that became another in wording that
is otherwise the same is a change of meaning, whatever the word. What may differ is in
`near_copy.yaml`, and terms that mean the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files

import msgspec
import yaml

from ...latex import CJK
from .lexicon import settled
from .quantities import Quantity, quantities

_ALIKE, _PLACES, _ALIKE_BUT_PLACES = 0.85, 2, 0.75  # what a near copy shares
_SHORT = 1500  # tokens of both texts whose places are counted
_TOKEN = re.compile(
    rf"[{CJK}]|[A-Za-z]+(?:'[a-z]+)?|[\ue000-\uf8ff]|\d+(?:\.\d+)?|[+*/=<>≤≥≠%°⊥∥△⊙∠]"
)


class _Explained(msgspec.Struct, frozen=True):
    free: frozenset[str]
    same: dict[str, str]  # a word -> the first of those that say the same
    chinese: re.Pattern[str]  # entries of Chinese, the longest first

    def word(self, token: str) -> str:
        """The word that stands for a token; empty for one that says nothing."""
        word = token if len(token) < 2 or token.isupper() else token.lower()
        plural = len(word) > 3 and word.endswith("s") and word[-2] != "s"
        stem = word[:-1] if plural else word
        if {word, stem} & self.free:
            return ""
        return self.same.get(word) or self.same.get(stem) or stem


@cache
def _explained() -> _Explained:
    table = yaml.safe_load(
        files(__package__).joinpath("near_copy.yaml").read_text("utf-8")
    )
    groups = [
        group.split() for text in table["same"].values() for group in text.split(";")
    ]
    same = {word: group[0] for group in groups for word in group}
    free = frozenset(" ".join(table["free"].values()).split())
    han = sorted(
        {w for w in (*free, *same) if not w.isascii()}, key=lambda w: (-len(w), w)
    )
    return _Explained(free, same, re.compile("|".join(map(re.escape, han))))


def changed_in_copy(before: str, after: str) -> str:
    """What a near copy says otherwise than the text; empty for a text in other words.

    >>> changed_in_copy("Find the base angle of the triangle.", "Find the apex of the triangle.")
    "wording: 'base angle' became 'apex'"
    >>> changed_in_copy("Find the area of the field.", "Determine the area of the field.")
    ''
    >>> changed_in_copy("甲从学校走到车站，要几分钟？", "甲从学校跑到车站，要几分钟？")
    "wording: '行驶' became '跑'"
    """
    raw = _TOKEN.findall(before), _TOKEN.findall(after)
    shared = (Counter(raw[0]) & Counter(raw[1])).total()
    alike = 2 * shared / max(1, len(raw[0]) + len(raw[1]))
    short = len(raw[0]) + len(raw[1]) <= _SHORT
    few = short and alike >= _ALIKE_BUT_PLACES and _places(*raw) <= _PLACES
    if alike < _ALIKE and not few:
        return ""
    one, two = Counter(_content(before, after)), Counter(_content(after, before))
    gone = [w for w in one - two if few or not two[w]]
    came = [w for w in two - one if few or not one[w]]
    if gone and came:
        return f"wording: '{gone[0]}' became '{came[0]}'"
    if gone or came:
        return f"wording: '{(gone or came)[0]}' is {'gone' if gone else 'new'}"
    return ""


def _places(old: list[str], new: list[str]) -> int:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return sum(kind != "equal" for kind, *_ in matcher.get_opcodes())


def _content(text: str, other: str) -> Iterator[str]:
    """The words of a text that say something, by what they mean; numbers by their value."""
    explained = _explained()
    spans = [(q.start, -q.end, _figure(q)) for q in quantities(text)]
    spans += [
        (w.start, -w.end, "" if w.kind == "plain" else w.name)
        for w in settled(text, other)
    ]
    spans += [
        (m.start(), -m.end(), explained.word(m[0]))
        for m in explained.chinese.finditer(text)
    ]
    spans += [
        (m.start(), -m.end(), explained.word(m[0])) for m in _TOKEN.finditer(text)
    ]
    position = 0
    for start, end, word in sorted(spans):
        if start >= position:
            position = -end
            if word:
                yield explained.word(word)


def _figure(q: Quantity) -> str:
    """A number; "one" and "both" say nothing."""
    return str(q.value) if q.digits or not (q.dual or q.value == 1) else ""
