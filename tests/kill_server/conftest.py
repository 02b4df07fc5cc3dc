"""The option for the number of times to kill the server."""

import pytest

FEW = 3
"""The number in a run of all tests."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--server-kills",
        type=int,
        default=FEW,
        metavar="N",
        help=f"how often the server is killed under load (default: {FEW})",
    )


@pytest.fixture
def server_kills(request: pytest.FixtureRequest) -> int:
    """Return how often to kill the server. A few times if the option is not defined."""
    return int(request.config.getoption("--server-kills", default=FEW))
