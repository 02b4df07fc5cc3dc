"""The option that says how many games are killed."""

import pytest

FEW = 12
"""As many as a run of all tests can wait for; `make kill` kills 200."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--kills", type=int, default=FEW, metavar="N", help=f"games to be killed (default: {FEW})"
    )


@pytest.fixture
def kills(request: pytest.FixtureRequest) -> int:
    """How many games are killed. A few too where the option is not known."""
    return int(request.config.getoption("--kills", default=FEW))
