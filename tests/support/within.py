"""`--within SECONDS`: the tests that together took no longer in runs before, the shortest first.

Every run keeps what each test took, in pytest's own cache. Tests that were never run are run, too,
until three times the seconds are spent: on a fresh clone the rest is skipped and says so. `make
quick HOUSE=evaluate` is such a run.
"""

from __future__ import annotations

import os

import pytest

KEPT = "benchwright/seconds"
UNKNOWN = 3  # times the seconds that tests without a record may spend


class Within:
    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.cache = getattr(config, "cache", None)  # none under `-p no:cacheprovider`
        self.seconds: dict[str, float] = self.cache.get(KEPT, {}) if self.cache else {}
        self.budget: float | None = config.getoption("--within")
        self.started = spent()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """What a file's fixtures take may be paid by any of its tests: each counts the most."""
        name = report.nodeid
        if "xdist_group" in report.keywords:  # which xdist writes behind the name
            name = name.rpartition("@")[0] or name
        if report.when != "call":
            name = name.partition("::")[0]
        known = 0.0 if report.when == "call" else self.seconds.get(name, 0.0)
        self.seconds[name] = max(known, round(report.duration, 3))

    def cost(self, item: pytest.Item) -> float:
        file = item.nodeid.partition("::")[0]
        return self.seconds.get(item.nodeid, 0.0) + self.seconds.get(file, 0.0)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.budget is None:
            return
        left, chosen = self.budget, set()
        for item in sorted(items, key=self.cost):
            left -= self.cost(item)
            if left < 0:
                break
            chosen.add(item)
        self.config.hook.pytest_deselected(items=[i for i in items if i not in chosen])
        items[:] = [item for item in items if item in chosen]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        if self.budget is not None and spent() - self.started > UNKNOWN * self.budget:
            pytest.skip(
                "nobody knows what this takes: a whole run keeps it (make test)"
            )

    def pytest_sessionfinish(self) -> None:
        if self.cache and not hasattr(self.config, "workerinput"):
            self.cache.set(KEPT, self.seconds)


def spent() -> float:
    """CPU seconds of this process and of the children that it has waited for."""
    return sum(os.times()[:4])
