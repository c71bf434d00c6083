"""Fixtures that every part uses; helper modules lie in tests/support."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from real_data import RealData, real_data
from within import Within

if TYPE_CHECKING:
    from label_studio import LabelStudio

# The same examples on every machine, however slow or busy it is.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")


class PlainRoot:
    """The checkout's root is our package; to pytest it is a folder like others, whatever its name.

    Otherwise pytest imports its `__init__.py` under a name made from the folder's, and cannot where
    that is no identifier: `benchwright-main`, as archives are unpacked.
    """

    def pytest_collect_directory(
        self, path: Path, parent: pytest.Collector
    ) -> pytest.Dir | None:
        root = Path(__file__).parents[1]
        return pytest.Dir.from_parent(parent, path=path) if path == root else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--within", type=float, metavar="SECONDS", help="as tests/support/within.py"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(PlainRoot())
    config.pluginmanager.register(Within(config))


WEEKLY = (
    "interop",
    "pythons",
    "s3",
    "crash",
    "mutants",
    "fit",
    "thorough",
)  # as the Makefile's `weekly`


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """When last passed what ordinary runs skip: harnesses, other Pythons, kills and mutants."""
    kept = Path(__file__).parents[1] / ".cache/passed"
    said = [
        f"{name} {path.read_text('utf-8').strip() if path.exists() else 'never here'}"
        for name, path in ((name, kept / name) for name in WEEKLY)
    ]
    terminalreporter.write_line(f"make weekly last passed: {', '.join(said)}")


@pytest.fixture(autouse=True)
def _within_cpu(request: pytest.FixtureRequest) -> Iterator[None]:
    """`@pytest.mark.cpu(SECONDS)` bounds the work of a test and its children, not its hours."""
    limit, start = request.node.get_closest_marker("cpu"), sum(os.times()[:4])
    yield
    if limit is not None:
        assert sum(os.times()[:4]) - start < limit.args[0]


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Fixtures say which tests read real data, and which share what is dear to make.

    Tests that share a fixture of their file run on one worker, which makes it once; xdist starts
    large groups first, so that single tests fill what is left.
    """
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "data" in fixtures:
            item.add_marker("real_data")
        if "studio" in fixtures:
            item.add_marker(pytest.mark.xdist_group("label-studio"))
        elif shares_a_fixture(item):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


def shares_a_fixture(item: pytest.Item) -> bool:
    """Does the test use something that is made once for its file?"""
    info = getattr(item, "_fixtureinfo", None)
    made = info.name2fixturedefs.values() if info else ()
    return any(fixture.scope == "module" for several in made for fixture in several)


LONG = 80  # characters of a parameter in a test's name


def pytest_make_parametrize_id(val: object) -> str | None:
    """A long text is named by its beginning: names go from worker to worker, and into the cache."""
    if not isinstance(val, str) or len(val) <= LONG:
        return None
    mark = hashlib.sha256(val.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{ascii(val[:LONG])[1:-1]}...{mark}"


@pytest.fixture(scope="session")
def data() -> RealData:
    return real_data()


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabelStudio]:
    """One real Label Studio for all tests that need it: it takes half a minute to start."""
    from label_studio import LabelStudio

    server = LabelStudio(tmp_path_factory.mktemp("label-studio"))
    yield server
    assert server.close() == 0


@pytest.fixture(autouse=True)
def _own_cache(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture(autouse=True)
def _api_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    for name in (
        "OPENAI_BASE_URL",
        "http_proxy",
        "https_proxy",
        "HTTP_PROXY",
        "HTTPS_PROXY",
    ):
        monkeypatch.delenv(name, raising=False)
