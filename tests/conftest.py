"""Options of the test run."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A test holds or does not, however slow the machine is: no deadlines, the same examples each time.
# Whoever asks for many inputs (make fuzz) gets others each time.
settings.register_profile(
    "the same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("the same")

# What numba compiles is kept from one run to the next, and for the programs that tests start.
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "numba"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fuzz",
        type=int,
        default=60,
        metavar="N",
        help="inputs for each parser under the fuzzer (default: 60; make fuzz: 15000)",
    )


@pytest.fixture(autouse=True)
def data_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of records for each test, and one of books: none writes into the user's own."""
    folder = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("SHUTBOX_DATA", str(folder))
    monkeypatch.setenv("SHUTBOX_CACHE", str(tmp_path_factory.mktemp("cache")))
    return folder
