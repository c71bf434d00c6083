"""benchwright builds multimodal mathematics benchmarks and scores models on them."""

from __future__ import annotations

from typing import Any

from .front_door import PLACES

__version__ = "0.2.0"
__all__ = ["__version__", *PLACES]


def __getattr__(name: str) -> Any:
    """Each name is imported when it is first asked for."""
    from .base.lazy import imported

    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value = imported(PLACES[name])
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
