"""What a converter says instead of guessing."""

from __future__ import annotations

from ...errors import UserError


class Refusal(UserError):
    """A formula or document that cannot be converted without losing something, and why.

    >>> str(Refusal("unknown element <foo>"))
    'unknown element <foo>'
    """
