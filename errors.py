"""The exceptions that users see: what they can mend, and a machine that failed."""

from __future__ import annotations

import errno


class BenchwrightError(Exception):
    """What went wrong, and what to do about it; shown without a traceback.

    >>> str(BenchwrightError("no such reader 'mathv'", "did you mean 'math-v'?"))
    "no such reader 'mathv': did you mean 'math-v'?"
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}: {self.remedy}" if self.remedy else self.message


class UserError(BenchwrightError):
    """What a person can mend: something that was given, or a file."""


class MachineError(BenchwrightError):
    """The machine failed: no space, permission or memory, a disk or a worker that went away.

    It is never a fact about the data: what turns other errors into findings, notes or drops lets
    this one through, and the build stops.
    """


_OF_MACHINE = {
    code
    for name in (
        "ENOSPC",
        "EDQUOT",
        "EROFS",
        "EIO",
        "EACCES",
        "EPERM",
        "ENOMEM",
        "EMFILE",
        "ENFILE",
        "ESTALE",
        "ENODEV",
        "EFBIG",
        "ENXIO",
        "ENOTCONN",
        "EREMOTEIO",
        "ETIMEDOUT",
        "EHOSTDOWN",
    )
    if (code := getattr(errno, name, None)) is not None
}


def is_of_machine(error: BaseException) -> bool:
    """Whether an error tells of the machine that met it, and not of the data.

    >>> is_of_machine(OSError(errno.ENOSPC, "full")), is_of_machine(OSError("broken data stream"))
    (True, False)
    """
    if isinstance(error, OSError):
        return error.errno in _OF_MACHINE
    return isinstance(error, MachineError | MemoryError)


def nearest(name: str, known: list[str]) -> str:
    """A remedy that names the most similar known name, and all of them or the first 20.

    >>> nearest("mathv", ["math-v", "csv"])
    "did you mean 'math-v'? known: csv, math-v"
    """
    from rapidfuzz import process

    known = sorted(known)
    best = process.extractOne(name, known, score_cutoff=60)
    guess = f"did you mean {best[0]!r}? " if best else ""
    more = f" and {len(known) - 20} more" if len(known) > 20 else ""
    return f"{guess}known: {', '.join(known[:20])}{more}"


def cause(error: Exception) -> str:
    """What went wrong, for a file: a remedy may name a place of this machine, which none may hold.

    >>> cause(UserError("not here", "look in /home/me")), cause(ValueError("odd"))
    ('not here', 'odd')
    """
    return error.message if isinstance(error, BenchwrightError) else str(error)
