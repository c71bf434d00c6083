"""The worker behind `cas_pool`: latex2sympy2-extended and sympy, one forked child a task.

`serve()` imports sympy once and then answers lines `{"gold", "said", "seconds"}` with one word a
line: true, false, timeout, refused or unparsed.
Each task runs in a child of this warm process (a fork takes milliseconds) under hard limits of
memory and processor time, and is killed when its time is over; the worker itself never computes.
"""

from __future__ import annotations

import os
import re
import resource
import select
import signal
import sys
from typing import Any

import msgspec

SECONDS = 1.5
MEMORY = 2 * 2**30  # bytes of address space
ANSWERS = ("true", "false", "unparsed", "refused")


def serve() -> None:
    """Answer tasks until standard input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a library prints goes elsewhere
    import latex2sympy2_extended
    import sympy  # noqa: F401

    latex2sympy2_extended.latex2sympy(r"\sum_{k=1}^{2} k")  # builds the parser's tables once
    print("ready", file=answers, flush=True)
    for line in sys.stdin.buffer:
        task = msgspec.json.decode(line)
        print(run(task["gold"], task["said"], task["seconds"]), file=answers, flush=True)


def run(gold: str, said: str, seconds: float = SECONDS) -> str:
    """One verdict from a child with hard limits."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _child(gold, said, seconds, writing)
    os.close(writing)
    try:
        ready, _, _ = select.select([reading], [], [], seconds)
        answer = os.read(reading, 1) if ready else b"t"
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if answer == b"t":
        return "timeout"
    return ANSWERS[int(answer)] if answer else "refused"  # it died: out of memory


def _child(gold: str, said: str, seconds: float, writing: int) -> None:
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        verdict = equal(gold, said)
        os.write(writing, b"2" if verdict is None else b"0" if verdict else b"1")
    except (MemoryError, RecursionError):
        os.write(writing, b"3")
    except Exception:
        os.write(writing, b"2")
    finally:
        os._exit(0)


def equal(gold: str, said: str) -> bool | None:
    """Equality by structure, then by numbers, then by simplification; None: undecided."""
    from latex2sympy2_extended import latex2sympy

    a, b = latex2sympy(_braced(gold)), latex2sympy(_braced(said))
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
