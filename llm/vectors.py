"""A vector as an answer's text: the Base64 of its float32 numbers."""

from __future__ import annotations

import base64
import math
from typing import Any


def packed(reply: Any) -> str:
    """The one vector of a reply, as it is kept. Raises ValueError where it holds none.

    >>> packed({"data": [{"embedding": [1, 0.5]}]})
    'AACAPwAAAD8='
    """
    import numpy as np

    rows = reply["data"]
    if not isinstance(rows, list) or len(rows) != 1:
        raise ValueError(f"{len(rows)} vectors for one text")
    numbers = rows[0]["embedding"]
    if not all(map(_is_number, numbers)):
        raise ValueError("a vector holds what is no number")
    if not math.fsum(map(abs, numbers)):
        raise ValueError("an empty vector, or one of zeros")
    return base64.b64encode(np.array(numbers, "<f4").tobytes()).decode()


def _is_number(value: Any) -> bool:
    """Whether a value fits a float32; a NaN does not, and neither does a truth value."""
    return type(value) in (int, float) and abs(value) < 1e30


def unpacked(text: str) -> Any:
    """The numbers that `packed` kept, as a numpy array.

    >>> unpacked("AACAPwAAAD8=").tolist()
    [1.0, 0.5]
    """
    import numpy as np

    return np.frombuffer(base64.b64decode(text), "<f4")
