"""The option that writes the golden transcripts anew."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden", action="store_true", help="write the golden transcripts anew, compare nothing"
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> bool:
    """Whether transcripts are to be written. False too where the option is not known."""
    return bool(request.config.getoption("--golden", default=False))
