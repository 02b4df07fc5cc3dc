"""The option that says how often the server is killed."""

import pytest

FEW = 3
"""As often as a run of all tests can wait for."""


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
    """How often the server is killed. A few times too where the option is not known."""
    return int(request.config.getoption("--server-kills", default=FEW))
