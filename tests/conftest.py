"""Options of the test run."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fuzz",
        type=int,
        default=60,
        metavar="N",
        help="inputs for each parser under the fuzzer (default: 60; make fuzz: 15000)",
    )
