"""A bug in somebody's stage or reader, reported as what it is."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from typing import Any

from ..errors import BenchwrightError, MachineError, UserError, is_of_machine


def bug(
    what: str, function: Callable[..., Any], error: Exception, on: str = ""
) -> BenchwrightError:
    """The error to raise when `function` of `what` fails with anything but an error of ours.

    A failure of the machine is told as such: nobody need look for a bug.

    >>> try: len(3)
    ... except TypeError as error: print(bug("stage 'mine'", len, error, "problem 'a-1'").message)
    stage 'mine' failed with TypeError: object of type 'int' has no len() on problem 'a-1'; this is a bug in the stage
    """  # noqa: E501
    if is_of_machine(error):
        return MachineError(
            f"{what} was stopped by the machine: {type(error).__name__}: {error}",
            "free space or memory, or check permissions; what is done is kept",
        )
    place = _place(function, error)
    return UserError(
        f"{what}{f' of {place}' if place else ''} failed with {type(error).__name__}: {error}"
        f"{f' on {on}' if on else ''}; this is a bug in the {what.partition(' ')[0]}",
        "repair it or tell its author (--debug shows the traceback)"
        + (
            ", or drop such problems with --keep-going"
            if what.startswith("stage") and on
            else ""
        ),
    )


def _place(function: Callable[..., Any], error: Exception) -> str:
    """The last line of the function's own file that was passed on the way to the error."""
    try:
        own = inspect.getsourcefile(inspect.unwrap(function))
    except TypeError:
        return ""
    lines = [
        f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == own
    ]
    return f"{own}, line {lines[-1]}," if lines else str(own)
