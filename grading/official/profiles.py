"""The published scoring rules of benchmarks, by name: `(response, gold, options) -> Verdict`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ...base.registry import Registry, mark
from ...errors import BenchwrightError, UserError, nearest
from ...pipeline import bug
from ...problem import Option
from ..verdicts import Verdict

F = TypeVar("F", bound=Callable[..., Any])

BUILT_IN = {
    "math-v": "grading.official.math_v:verdict",
    "mathverse": "grading.official.mathverse:verdict",
    "mm-math": "grading.official.mm_math:verdict",
    "we-math": "grading.official.we_math:verdict",
}
NO_BENCHMARK = "none"  # what a source of an official format says that is to be none
PROFILES = Registry("profile", BUILT_IN, called="official profile")


def profile(name: str) -> Callable[[F], F]:
    """Mark a function `(response, gold, options) -> Verdict` as a benchmark's official rules."""
    return mark("profile", name)


def official(
    profile: str, response: str, gold: str, options: Sequence[Option] = ()
) -> Verdict:
    """The verdict of a benchmark's own published rules, for comparing with published numbers.

    Raises UserError naming the nearest profile, and for a bug in rules that are not built in.
    """
    rules = PROFILES.load(profile)
    if profile in BUILT_IN:
        built_in: Verdict = rules(response, gold, options)
        return built_in
    try:
        verdict = rules(response, gold, options)
        if not isinstance(verdict, Verdict):
            raise TypeError(f"it returned {type(verdict).__name__}, not a Verdict")
        return verdict
    except BenchwrightError:
        raise
    except Exception as error:  # silence would be a score of zero
        on = f"the reply {response[:80]!r}"
        raise bug(f"profile {profile!r}", rules, error, on) from error


def official_profile_of(source: Mapping[str, Any]) -> str | None:
    """The profile of a source in a release's manifest: its benchmark's, else its format's.

    `none` is a benchmark without published rules.

    >>> official_profile_of({"name": "mv", "reader": "math-v"})
    'math-v'
    >>> official_profile_of({"name": "amc8", "reader": "exam", "benchmark": "math-v"})
    'math-v'
    """
    name = source.get("benchmark") or source.get("reader")
    return name if name in PROFILES else None


def check_benchmark(name: str | None, where: str) -> None:
    """Raises UserError for a benchmark that has no rules here, naming the nearest that has."""
    if name not in (None, NO_BENCHMARK) and name not in PROFILES:
        names = [entry.name for entry in PROFILES] + [NO_BENCHMARK]
        raise UserError(
            f"{where}: unknown benchmark {name!r}", nearest(str(name), names)
        )
