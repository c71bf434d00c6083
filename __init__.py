"""benchwright builds multimodal mathematics benchmarks and scores models on them."""

from typing import TYPE_CHECKING, Any

from .errors import UserError
from .problem import Drop, Image, Option, Problem, Sample, Source, Span, Step, Vote

if TYPE_CHECKING:
    from .convert.readers import reader
    from .evaluate.grading import Verdict
    from .evaluate.official import profile
    from .exports import exporter
    from .pipeline.stage import stage

__version__ = "0.1.0"
__all__ = [
    "Drop", "Image", "Option", "Problem", "Sample", "Source", "Span", "Step", "UserError",
    "Verdict", "Vote", "__version__", "exporter", "profile", "reader", "stage",
]  # fmt: skip
_LAZY = {
    "Verdict": "evaluate.grading:Verdict",
    "exporter": "exports:exporter",
    "profile": "evaluate.official:profile",
    "reader": "convert.readers:reader",
    "stage": "pipeline:stage",
}


def __getattr__(name: str) -> Any:
    """Names whose modules are imported when they are asked for."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .lazy import load

    return load(name, _LAZY, "name")
