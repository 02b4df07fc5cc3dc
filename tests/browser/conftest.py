"""One browser for all tests here, one server for each module, a context for each person."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.visitors import DEALING, Visitor, browser_command, launched
from serving import Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """The browser of this system; without one, or without playwright, the tests are skipped."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    command = browser_command()
    if command is None:
        pytest.skip("this system has no Chromium")
    with api.sync_playwright() as playwright, launched(playwright, command) as browser:
        yield browser


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose dice are the same in every run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHUTBOX_CACHE", str(tmp_path_factory.mktemp("cache")))
        folder: Path = tmp_path_factory.mktemp("served")
        with Served(folder, program=(DEALING, "browser", "")) as served:
            yield served


@pytest.fixture
def visit(browser: "Browser", served: Served) -> Iterator[Visit]:
    """Makes people; at the end nothing may have gone wrong in any of their pages."""
    visitors: list[Visitor] = []

    def another(url: str = served.url, **options: object) -> Visitor:
        visitors.append(Visitor(browser, url, **options))
        return visitors[-1]

    yield another
    faults = [fault for visitor in visitors for fault in visitor.faults]
    for visitor in visitors:
        visitor.close()
    assert not faults, "\n".join(faults)


@pytest.fixture
def ann(visit: Visit) -> Visitor:
    return visit()
