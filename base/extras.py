"""What an extra brings: imports that few commands need, and the error where they are missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import UserError


@contextmanager
def extra(name: str, need: str) -> Iterator[None]:
    """Imports of the extra `name` of pyproject.toml, which `need` needs.

    Raises UserError, with the command that installs the extra, where one of them is missing.

    >>> with extra("excel", "an Excel workbook"):
    ...     import no_such_module
    Traceback (most recent call last):
    benchwright.errors.UserError: an Excel workbook needs no_such_module, ...
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise UserError(
            f"{need} needs {error.name}, which is not installed",
            f"pip install 'benchwright[{name}]'",
        ) from error
