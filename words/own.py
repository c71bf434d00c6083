"""What a source says of its own words: `roles:`, the layer above the words of `roles.toml`.

```yaml
roles:
  Facit: answer                        # a word in front of a text, or the name of an environment
  "\\\\reponse": solution                # a command
  exercise: {problem: [_, title]}      # an environment, or a command, and its arguments
  .respuesta: answer                   # a class of HTML
  "▶": answer                          # a mark
```
Whoever reads a document reads it inside of `speaking`: patterns made by `layered` then know these
words, too, and `own_word`, `own_name`, `own_class` say what the source means before any table does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from ..errors import UserError, nearest

T = TypeVar("T")
# What something may be; labels.<name> besides.
MEANINGS = (
    "problem", "part", "option", "right", "wrong", "answer", "solution", "hint", "points", "title",
    "section", "instruction", "outside",
)  # fmt: skip
_ALSO = {"question": "problem", "options": "option", "correct": "right", "_": "outside"}
_LABEL = re.compile(r"labels\.\w+")
_NUMBERED = re.compile(r"\s+(?:n|#)$")  # `Hint n`: a number may follow any word


class Meaning(msgspec.Struct, frozen=True):
    """What a name is, and what each of its arguments is where that is told."""

    role: str
    arguments: tuple[str, ...] = ()


class Own(msgspec.Struct, frozen=True):
    """What a source says: of words and marks, of commands and environments, of classes."""

    words: tuple[tuple[str, str], ...] = ()
    names: tuple[tuple[str, Meaning], ...] = ()
    classes: tuple[tuple[str, str], ...] = ()


_NOTHING = Own()
_OWN: ContextVar[Own] = ContextVar("roles of the source that is read", default=_NOTHING)


@contextmanager
def speaking(own: Own) -> Iterator[None]:
    """Inside, the words of a source mean what it says of them."""
    before = _OWN.set(own)
    try:
        yield
    finally:
        _OWN.reset(before)


def layered(make: Callable[[], T]) -> Callable[[], T]:
    """What is made of words, once for each source that has words of its own."""

    @lru_cache(maxsize=16)
    def made(own: Own) -> T:
        return make()

    return lambda: made(_OWN.get())


def own_words(role: str) -> list[str]:
    """The source's words for a role, as patterns that stand whole, the longest first."""
    return [
        rf"\b{re.escape(word)}(?!\w)".replace(r"\ ", r"[ \t]+")
        for word in _said(role)
        if word[0].isalnum()
    ]


def own_marks(role: str) -> list[str]:
    """Its marks for a role, which are no words: `▶`, as patterns."""
    return [re.escape(word) for word in _said(role) if not word[0].isalnum()]


def _said(role: str) -> list[str]:
    said = (word for word, meant in _OWN.get().words if meant == role)
    return sorted(said, key=len, reverse=True)


def own_word(text: str) -> str:
    """What the source says of a word or a mark; "" of what it does not speak of."""
    own = _OWN.get()
    return _words(own).get(_folded(text), "") if own.words else ""


def own_name(name: str) -> Meaning | None:
    """What the source says of a command or an environment."""
    own = _OWN.get()
    if not (own.names or own.words):
        return None
    plain = name.rstrip("*")
    if (meaning := _names(own).get(plain)) is not None:
        return meaning
    role = _words(own).get(_folded(plain))
    return Meaning(role) if role else None


def own_class(classes: str) -> str:
    """What the source says of one of the classes of an element."""
    known = dict(_OWN.get().classes)
    return next((known[name] for name in classes.split() if name in known), "")


def says_classes() -> bool:
    """Whether the source says anything of classes."""
    return bool(_OWN.get().classes)


@lru_cache(maxsize=16)
def _words(own: Own) -> dict[str, str]:
    return {_folded(word): role for word, role in own.words}


@lru_cache(maxsize=16)
def _names(own: Own) -> dict[str, Meaning]:
    return dict(own.names)


def _folded(word: str) -> str:
    return " ".join(word.casefold().split())


def own_roles(said: Mapping[str, Any]) -> Own:
    """What `roles:` of a source says.

    >>> own = own_roles({"Facit": "answer", "exercise": {"problem": ["_", "title"]}})
    >>> with speaking(own): own_word("facit"), own_name("exercise").arguments
    ('answer', ('outside', 'title'))

    Raises RoleError for a word that means two things, and for what is no role.
    """
    words: dict[str, str] = {}
    names: dict[str, Meaning] = {}
    classes: dict[str, str] = {}
    spelt: dict[str, str] = {}
    for key, value in said.items():
        name = str(key)
        meaning = _meaning(name, value)
        word = _NUMBERED.sub("", name.strip())
        folded = _folded(word) if word[:1] not in "\\." else word
        if not word.strip("\\."):
            raise RoleError(name, "names nothing", "write the word that the source has")
        if folded in spelt:
            other = spelt[folded]
            what = f"is the same word as {other!r}, and is {meaning.role}"
            raise RoleError(name, what, "say one of the two")
        spelt[folded] = name
        if word.startswith("\\"):
            names[word[1:].rstrip("*")] = meaning
        elif meaning.arguments:
            names[word.rstrip("*")] = meaning
        elif re.fullmatch(r"\.[\w-]+", word):
            classes[word[1:]] = meaning.role
        else:
            words[word] = meaning.role
    return Own(tuple(words.items()), tuple(names.items()), tuple(classes.items()))


def role_word(name: str) -> str:
    """The word that a key of `roles:` names, as it would stand in a text.

    >>> role_word("Hint n"), role_word(".facit")
    ('hint', 'facit')
    """
    word = _NUMBERED.sub("", name.strip())
    return _folded(word[1:] if re.fullmatch(r"\.[\w-]+", word) else word)


class RoleError(UserError):
    """What `roles:` says and cannot mean; `key` is the word that it says it of."""

    def __init__(self, key: str, what: str, remedy: str) -> None:
        super().__init__(f"{key!r} {what}", remedy)
        self.key = key


def _meaning(name: str, value: Any) -> Meaning:
    if isinstance(value, dict):
        if len(value) != 1:
            told = " and ".join(map(str, value)) or "nothing"
            raise RoleError(name, f"is {told}", "say one role, with its arguments")
        [(role, arguments)] = value.items()
        if not isinstance(arguments, list) or not arguments:
            what = f"has the arguments {arguments!r}"
            raise RoleError(name, what, f"list them: {{{role}: [_, title]}}")
        each = tuple(_role(name, argument) for argument in arguments)
        return Meaning(_role(name, role), each)
    return Meaning(_role(name, value))


def _role(name: str, value: Any) -> str:
    role = _ALSO.get(str(value), str(value))
    if role in MEANINGS or _LABEL.fullmatch(role):
        return role
    raise RoleError(
        name,
        f"is {role!r}, which is no role",
        nearest(role, [*MEANINGS, "labels.<name>"]),
    )
