"""The worker behind `cas_pool`: judges with latex2sympy2-extended and sympy, in its own process.

`python -m benchwright.evaluate.equivalence.cas_worker` imports sympy once, says `ready`, and then
answers each line `{"gold", "prediction", "work", "seconds", "memory"}` with one word a line (true,
false, refused, unparsed or timeout) and the work that it took. Every task starts from the same
state: whatever sympy imports late is there, caches are empty, random numbers the same. Work is
counted in calls of functions, so that a verdict is the same on a slow machine and on a busy one;
processor time only ends what hangs between two calls. The pool watches from outside; where the
platform knows hard limits, this process sets them itself, so that it dies of them even when nobody
watches.
"""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import suppress
from typing import Any

import msgspec


class ComparisonTask(msgspec.Struct):
    """Two answers and the limits of one verdict."""

    gold: str
    prediction: str
    work: int  # calls of functions
    seconds: float  # of processor time
    memory: int  # bytes


class OutOfWork(BaseException):
    """No library's `except Exception` keeps it from ending the task."""


WARMING = (r"\int_0^1 x^2 dx", r"\sum_{n=0}^{\infty}\frac{1}{n!}")  # late imports and tables


def serve() -> None:
    """Answer tasks until standard input ends, or memory or a task's work does."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    import latex2sympy2_extended  # noqa: F401
    import sympy  # noqa: F401

    for text in WARMING:
        with suppress(Exception):
            equal(text, "1")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # whatever a library prints of untrusted text is nobody's business
    os.dup2(nowhere, 2)
    answers.write(b"ready\n")
    for line in sys.stdin.buffer:
        task = msgspec.json.decode(line, type=ComparisonTask)
        try:
            answer, calls = judge(task)
        except MemoryError:
            answers.write(b"refused\n")
            return  # nobody knows what an allocation that failed has left half done
        answers.write(f"{answer} {calls}\n".encode())
        if answer == "timeout":
            return  # stopped anywhere: nobody knows what is left half done


def judge(task: ComparisonTask) -> tuple[str, int]:
    """One verdict, from the state that every verdict starts from, and the calls it took."""
    from sympy.core import cache, random

    cache.clear_cache()
    random.seed(0)
    _limit(task)
    calls = 0

    def count(*_: object) -> None:
        """A trace that sees every call and no line."""
        nonlocal calls
        calls += 1
        if calls > task.work:
            raise OutOfWork

    try:
        sys.settrace(count)
        verdict = equal(task.gold, task.prediction)
    except OutOfWork:
        return "timeout", calls
    except MemoryError:
        raise
    except RecursionError:
        return "refused", calls
    except Exception:
        return "unparsed", calls
    finally:
        sys.settrace(None)
    return "unparsed" if verdict is None else "true" if verdict else "false", calls


def _limit(task: ComparisonTask) -> None:
    """The kernel's own limits, as far as there are any: Windows has none, macOS no memory limit."""
    try:
        import resource
    except ImportError:
        return
    until = int(time.process_time() + task.seconds) + 2  # beyond the pool's own limit
    for kind, limit in (
        (resource.RLIMIT_AS, task.memory),
        (resource.RLIMIT_CPU, until),
        (resource.RLIMIT_CORE, 0),
    ):
        try:
            resource.setrlimit(kind, (limit, resource.getrlimit(kind)[1]))
        except (OSError, ValueError):
            continue  # refused: the pool watches memory and time, too


def equal(gold: str, prediction: str) -> bool | None:
    """Equality by structure, then by numbers, then by simplification; None: undecided."""
    from latex2sympy2_extended import latex2sympy

    a, b = latex2sympy(_braced(gold)), latex2sympy(_braced(prediction))
    if a == b:
        return True
    if _sides(a) and _sides(b):
        a, b = a.lhs - a.rhs, b.lhs - b.rhs
        return bool(_vanishes(a - b) or _vanishes(a + b))
    if _sides(a) or _sides(b):
        equation, value = (a, b) if _sides(a) else (b, a)
        a, b = equation.rhs, value
    return _vanishes(a - b)


def _braced(text: str) -> str:
    """\\frac12 and \\sqrt2 with the braces that the grammar wants."""
    text = re.sub(r"\\[dt]?frac\s*(\w)\s*(\w)", r"\\frac{\1}{\2}", text)
    return re.sub(r"\\sqrt\s*(\w)", r"\\sqrt{\1}", text)


def _sides(expression: Any) -> bool:
    return hasattr(expression, "lhs") and hasattr(expression, "rhs")


def _vanishes(difference: Any) -> bool | None:
    """Is it zero? One point away from zero proves that it is not."""
    import sympy

    free = sorted(difference.free_symbols, key=str)
    values = [sympy.sqrt(prime) / 2 for prime in sympy.primerange(2, 100)][: len(free)]
    number = difference.subs(dict(zip(free, values, strict=False))).evalf(30)
    if number.is_number and number.is_comparable:
        return bool(abs(number) < sympy.Float("1e-20"))
    simplified = sympy.simplify(difference.doit())
    return True if simplified == 0 else None


if __name__ == "__main__":
    serve()
