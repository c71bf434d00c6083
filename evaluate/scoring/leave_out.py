"""`score --without`: which problems a file says to leave out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ...base.contamination import read_account
from ...base.files import read_bytes
from ...errors import UserError
from ...problem import Sample


def names_to_leave_out(path: Path, samples: Iterable[Sample]) -> set[str]:
    """The problems that a file names: one id a line, or `leave_out` of a contamination.json.

    An id is that of a problem, of a sample or of the row in the source. What is not in the split
    stays as it is.

    Raises UserError for a file that names none of the samples, and for a damaged one.
    """
    try:
        data = read_bytes(path)
        if data.lstrip().startswith(b"{"):
            names = set(read_account(path).leave_out)
        else:
            lines = data.decode("utf-8-sig").splitlines()
            names = {line.strip() for line in lines} - {""}
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"{path}: {error}",
            "give one id a line, or the contamination.json of `dedup against --out`",
        ) from error
    problem_of: dict[str, str] = {}
    raw: dict[str, str] = {}
    for sample in samples:
        problem_of[sample.id] = problem_of[sample.problem_id] = sample.problem_id
        raw[sample.source.raw_id] = sample.problem_id
    of_any = raw | problem_of
    if names and names.isdisjoint(of_any):
        raise UserError(
            f"{path}: none of its {len(names)} problems is in this split, such as "
            f"{min(names)!r}",
            "give the list of this benchmark, with its ids",
        )
    return {of_any.get(name, name) for name in names}
