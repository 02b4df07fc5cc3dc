"""Options of the test run, and rules for skipping tests."""

import os
import signal
import sys
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

from installing import PIG, install
from nightly import part_of
from shutbox.engine import errors, plugins
from shutbox.engine.english import listed
from shutbox.games import catalogue

# Tests must not depend on the speed of the machine: there are no deadlines, and examples are the
# same each time. Runs with many inputs (make nightly) get new examples each time.
settings.register_profile(
    "the same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("the same")

# When the tests run in the background, Ctrl-C is ignored, and the programs they start would ignore
# it, too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Compiled numba code is cached between runs, also for the programs that tests start.
CACHE = Path(__file__).parents[1] / ".pytest_cache"
os.environ.setdefault("NUMBA_CACHE_DIR", str(CACHE / "numba"))

# Compiling the tests takes longer than finding them. Where Python keeps nothing beside the sources,
# what is compiled is kept here, for all workers and runs.
if sys.dont_write_bytecode:
    sys.pycache_prefix, sys.dont_write_bytecode = str(CACHE / "compiled"), False


collect_ignore = ["users"]  # programs of users, which test_users.py runs


NUMBERS = {
    "--fuzz": (60, "inputs for each parser under the fuzzer", 9_000),
    "--forgeries": (1_000, "forged records for each verifier of dice", 1_000_000),
    "--secret-games": (12, "games whose seeds are searched for", 200),
    "--kills": (12, "games to be killed", 200),
    "--server-kills": (3, "how often the server is killed under load", 200),
}
"""Options with a number: the default, what it counts, and the number of `make nightly`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    for name, (few, counts, many) in NUMBERS.items():
        says = f"{counts} (default: {few}; make nightly: {many})"
        parser.addoption(name, type=int, default=few, metavar="N", help=says)
    parser.addoption(
        "--golden", action="store_true", help="write the golden transcripts anew, compare nothing"
    )
    parser.addoption(
        "--nightly",
        default="",
        metavar="PART",
        help="run the tests that `make check` leaves to this part of `make nightly`, and no others",
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> bool:
    """Whether to write transcripts instead of comparing them."""
    return bool(request.config.getoption("--golden"))


def _forget() -> None:
    """Search for plugins again."""
    errors.installed_plugins.cache_clear()
    plugins._load.cache_clear()
    catalogue._has_card.cache_clear()
    for found in plugins._registered.values():
        found.clear()
    for module in ("acme_pig", "broken"):
        sys.modules.pop(module, None)


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder for packages on the path, while no other package is found."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.delenv(plugins.SETTING, raising=False)
    _forget()
    yield site
    _forget()


@pytest.fixture
def pig(empty: Path) -> Path:
    """Return the folder in which the package of the example is installed."""
    return install(PIG, empty)


# What runs, and what is skipped


NEED_NUMPY = (
    "match_value.py",
    "cost.py",
    "fairness.py",
    "odds.md",
    "solver.md",
)
"""Files that can be imported without NumPy, or be read, although their examples need it."""
NEED_RL = ("rl.md", "encoder.py")
"""Files whose examples need the extras `fast` and `gym`."""
LEARNS = ("gymnasium", "numpy", "pettingzoo")
"""The packages of the extras `fast` and `gym`."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip tests whose packages are missing, and leave nightly tests to their part."""
    for item in items:
        if item.path.name in NEED_NUMPY and find_spec("numpy") is None:
            item.add_marker(pytest.mark.skip(reason="NumPy is not installed: make tools"))
        if item.path.name in NEED_RL and not all(map(find_spec, LEARNS)):
            item.add_marker(pytest.mark.skip(reason=f"{listed(LEARNS)} are wanted: make tools"))
    wanted = config.option.nightly
    left_out = [item for item in items if part_of(item) != wanted]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if part_of(item) == wanted]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Print a failure at once, since a run stopped early has no summary."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(f"\nfailed {report.when}: {report.nodeid}\n{report.longreprtext}", flush=True)


# Skipped tests

NOTHING_SKIPPED = "SHUTBOX_NOTHING_SKIPPED"
"""This variable is set where everything that tests need is installed. A skipped test then counts as
failed.
"""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _judged((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _judged((yield))


Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


def _judged(report: Report) -> Report:
    if report.skipped and os.environ.get(NOTHING_SKIPPED) and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, where nothing is to be skipped: {report.longrepr}"
    return report


# The user's files


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of all data folders. pytest itself would search all of them for a free
    number.
    """
    return tmp_path_factory.mktemp("folders")


@pytest.fixture(autouse=True)
def data_folder(folders: Path) -> Iterator[Path]:
    """Give each test its own folders of records and cached values, so that none uses the user's.

    The test's own `monkeypatch` does not undo it.
    """
    number = next(_numbers)
    data, cache = folders / f"data-{number}", folders / f"cache-{number}"
    with pytest.MonkeyPatch.context() as patch:
        for folder, variable in ((data, "SHUTBOX_DATA"), (cache, "SHUTBOX_CACHE")):
            folder.mkdir()
            patch.setenv(variable, str(folder))
        yield data


_numbers = count()
