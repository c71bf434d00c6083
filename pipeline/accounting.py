"""The accounts of one stage: in = kept + dropped, and every id is put out once."""

from __future__ import annotations

from typing import Any

from ..errors import UserError


class Accounts:
    """Follows what a stage takes, drops and puts out; raises UserError when it loses account.

    >>> accounts = Accounts("demo", whole_set=False)
    >>> accounts.take(["a-1"]); accounts.put_out("a-1"); accounts.settle()
    >>> accounts.counts()["kept"]
    1
    """

    def __init__(self, stage: str, whole_set: bool) -> None:
        self.stage = stage
        self.whole_set = whole_set
        self.taken = self.dropped = self.out = 0
        self.reasons: dict[str, int] = {}
        self._seen: set[str] = set()
        self._open: set[str] = set()  # taken, neither put out nor dropped yet
        self._batch: list[str] = []
        self._produced = 0

    def take(self, ids: list[str]) -> None:
        """One problem of a per-problem stage, or the whole set."""
        self.taken += len(ids)
        self._batch, self._open, self._produced = ids, set(ids), 0

    def drop(self, problem_id: str, why: str) -> None:
        if problem_id not in self._open:
            raise self._lost(problem_id, "dropped but not taken, or dropped twice")
        self._open.remove(problem_id)
        self.dropped += 1
        reason = why.split(":")[0]
        self.reasons[reason] = self.reasons.get(reason, 0) + 1

    def put_out(self, problem_id: str) -> None:
        """A per-problem stage may put out several problems for one; a whole set only its own."""
        if problem_id in self._seen:
            raise self._lost(problem_id, "put out twice")
        if self.whole_set:
            if problem_id not in self._open:
                raise self._lost(problem_id, "put out but not taken, or also dropped")
            self._open.remove(problem_id)
        self._seen.add(problem_id)
        self._produced += 1
        self.out += 1

    def settle(self) -> None:
        """What was taken last is accounted for."""
        if not self.whole_set and self._produced:
            if not self._open:
                raise self._lost(self._batch[0], "both kept and dropped")
            self._open.clear()
        if self._open:
            raise self._lost(min(self._open), "neither kept nor dropped")

    def merge(self, taken: int, dropped: int, reasons: dict[str, int], ids: list[str]) -> None:
        """What a shard's own accounts came to; ids are put out once in all shards."""
        self.taken += taken
        self.dropped += dropped
        for reason, count in reasons.items():
            self.reasons[reason] = self.reasons.get(reason, 0) + count
        if not self._seen.isdisjoint(ids):
            raise self._lost(next(name for name in ids if name in self._seen), "put out twice")
        self._seen.update(ids)
        self.out += len(ids)

    def counts(self) -> dict[str, Any]:
        """The numbers of stage.json."""
        return {
            "taken": self.taken,
            "kept": self.taken - self.dropped,
            "dropped": self.dropped,
            "out": self.out,
            "reasons": dict(sorted(self.reasons.items())),
        }

    def _lost(self, problem_id: str, what: str) -> UserError:
        return UserError(
            f"stage {self.stage!r} lost account of problem {problem_id!r}: {what}",
            "every problem taken must be put out or dropped, once",
        )
