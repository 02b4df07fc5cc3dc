"""The option for the number of games to kill."""

import pytest

FEW = 12
"""The number in a run of all tests; `make nightly ONLY=kill` kills 200."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--kills", type=int, default=FEW, metavar="N", help=f"games to be killed (default: {FEW})"
    )


@pytest.fixture
def kills(request: pytest.FixtureRequest) -> int:
    """Return the number of games to kill. A few if the option is not defined."""
    return int(request.config.getoption("--kills", default=FEW))
