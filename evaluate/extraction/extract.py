"""The option, or options, that a free reply chooses: what `benchwright extract` does."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ...errors import UserError
from ...problem import Option
from .options import Letter, choose, choose_all, options_of


def extract(response: str, options: Sequence[Option | str | None]) -> Letter:
    """The letter of the chosen option.

    Where a reply chooses several, `letter` is None and `letters` holds them.

    Args:
        response: A free reply.
        options: Records, or texts that are labelled A, B, C, ...; they may be empty.

    Raises UserError for a
    reply that is no text and options that are no options.

    >>> extract("I considered (A), but it is wrong. The answer is **D**.", [None] * 4).letter
    'D'
    >>> extract("The angle is 40°, not 30°.", ["30°", "40°"]).letter
    'B'
    >>> extract("The answer is A and C.", [None] * 4).letters
    ('A', 'C')
    """
    if not isinstance(response, str):
        raise UserError(f"the reply is {response!r}", "give a text (str)")
    records = options_of(options)
    labels, texts = [o.label for o in records], [o.text for o in records]
    choice = choose(response, labels, texts)
    if choice.letter is not None:
        return msgspec.structs.replace(choice, letters=(choice.letter,))
    several = choose_all(response, labels, texts)
    letters = several.letters if len(several.letters) > 1 else ()
    return msgspec.structs.replace(choice, letters=letters)
