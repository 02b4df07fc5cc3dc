"""Options of the test run."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fuzz",
        type=int,
        default=60,
        metavar="N",
        help="inputs for each parser under the fuzzer (default: 60; make fuzz: 15000)",
    )


@pytest.fixture(autouse=True)
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of records for each test: none writes into the user's own."""
    folder = tmp_path_factory.mktemp("data")
    kept = os.environ.get("SHUTBOX_DATA")
    os.environ["SHUTBOX_DATA"] = str(folder)
    yield folder
    if kept is None:
        del os.environ["SHUTBOX_DATA"]
    else:
        os.environ["SHUTBOX_DATA"] = kept
