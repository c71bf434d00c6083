"""Equality by computer algebra: derivatives and integrals without bounds, by latex2sympy2-extended.

Everything else is compared by fractions and digits in this process. Untrusted text never reaches
sympy here: `symbolic` starts an interpreter for one question (`python -m` this module). It counts
its work in calls of functions, so that a verdict is the same on a slow machine and on a busy one.
Where the platform knows hard limits of memory and processor time, it sets them itself.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from functools import lru_cache
from typing import Any, Literal

import msgspec

from ...errors import UserError
from .work_budget import budget, spend

CALLS = 8  # calls of functions that algebra has for a unit of the reply's budget
SECONDS = 3  # of processor time, for what hangs between two calls
MEMORY = 2 * 2**30  # bytes
READY = "ready"
PATIENCE = 120.0  # seconds of the clock: a far backstop
_BARE_FRACTION = re.compile(r"\\[dt]?frac\s*(\w)\s*(\w)")
_BARE_ROOT = re.compile(r"\\sqrt\s*(\w)")
Status = Literal["ok", "timeout", "refused", "unparsed"]


class Question(msgspec.Struct):
    """Two answers, and the calls that comparing them may take."""

    gold: str
    prediction: str
    work: int


class OutOfWork(BaseException):
    """No library's `except Exception` keeps it from ending the task."""


def symbolic(gold: str, prediction: str) -> tuple[bool | None, Status]:
    """Equality by computer algebra, in an interpreter of its own.

    >>> symbolic(r"\\frac{d}{dx} x^2", "2x")
    (True, 'ok')

    Raises OutOfBudget when it takes more than the reply has left, UserError when it cannot start.
    """
    with budget() as shared:
        spend(1)  # nothing starts when nothing is left
        question = Question(gold, prediction, shared.left * CALLS)
        word, *calls = _in_interpreter(msgspec.json.encode(question)).split()
        if word == "timeout":
            spend(shared.left + 1)
        else:
            spend((int(calls[0]) if calls else question.work) // CALLS)
    if word in ("true", "false"):
        return word == "true", "ok"
    return None, "refused" if word == "refused" else "unparsed"


@lru_cache(maxsize=4096)
def _in_interpreter(data: bytes) -> str:
    """What `main` writes to a question in JSON: a word, and the calls that it took."""
    path = os.pathsep.join(filter(None, sys.path))
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", __name__],
            input=data,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
            env=os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": "0"},
        )
    except subprocess.TimeoutExpired:
        return "timeout"
    ready, _, word_and_calls = done.stdout.decode().partition("\n")
    if ready != READY:
        why = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise UserError(
            f"computer algebra does not start: {why}", "install benchwright anew"
        )
    return word_and_calls or "refused"  # it died of its limits


def answer(question: Question) -> tuple[str, int]:
    """The verdict in a word, and the calls that it took."""
    calls = 0

    def count(*_: object) -> None:
        """A trace that sees every call and no line."""
        nonlocal calls
        calls += 1
        if calls > question.work:
            raise OutOfWork

    try:
        sys.settrace(count)
        verdict = equal(question.gold, question.prediction)
    except OutOfWork:
        return "timeout", calls
    except (MemoryError, RecursionError):
        return "refused", calls
    except Exception:  # the libraries raise anything on such texts
        return "unparsed", calls
    finally:
        sys.settrace(None)
    word = "unparsed" if verdict is None else str(verdict).lower()
    return word, calls


def equal(gold: str, prediction: str) -> bool | None:
    """Equality by structure, then by numbers, then by simplification; None: undecided."""
    from latex2sympy2_extended import latex2sympy

    a, b = (latex2sympy(_braced(text)).doit() for text in (gold, prediction))
    return True if a == b else _vanishes(a - b)


def _braced(text: str) -> str:
    """\\frac12 and \\sqrt2 with the braces that the grammar wants."""
    text = _BARE_FRACTION.sub(r"\\frac{\1}{\2}", text)
    return _BARE_ROOT.sub(r"\\sqrt{\1}", text)


def _vanishes(difference: Any) -> bool | None:
    """Is it zero? One point away from zero proves that it is not."""
    import sympy

    unknowns = sorted(difference.free_symbols, key=str)
    values = [sympy.sqrt(prime) / 2 for prime in sympy.primerange(2, 100)]
    point = dict(zip(unknowns, values, strict=False))
    number = difference.subs(point).evalf(30)
    if number.is_number and number.is_comparable:
        return bool(abs(number) < sympy.Float("1e-20"))
    return True if sympy.simplify(difference) == 0 else None


def _limit() -> None:
    """The kernel's own limits, as far as there are any: Windows has none, macOS none of memory."""
    try:
        import resource
    except ImportError:
        return
    until = int(time.process_time() + SECONDS) + 1
    for kind, limit in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, until)):
        try:
            _, hard = resource.getrlimit(kind)
            resource.setrlimit(kind, (limit, hard))
        except (OSError, ValueError):
            continue  # refused: the work is counted all the same


def main() -> None:
    """Answer the question on standard input."""
    question = msgspec.json.decode(sys.stdin.buffer.read(), type=Question)
    output = os.fdopen(os.dup(1), "w")
    # what a library prints is nobody's business
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    import latex2sympy2_extended  # noqa: F401
    import sympy  # noqa: F401

    print(READY, file=output, flush=True)
    _limit()
    print(*answer(question), file=output)


if __name__ == "__main__":
    main()
