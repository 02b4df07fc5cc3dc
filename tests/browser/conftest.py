"""Fixtures of the browser tests: one browser and one server a worker, and one context a person.

The browser is closed before other tests of a worker, since its event loop would stop theirs.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from browser.cases import cases
from browser.visitors import HERE, Visitor, browser_command, launched
from nightly import EVERY
from serving import Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Person = TypeVar("Person", bound=Visitor)
Visit = Callable[..., Visitor]
Check = Callable[[Visitor], None]

PLAIN: Any = {"color_scheme": "light", "contrast": "no-preference", "forced_colors": "none"}
LOOKS: Any = (
    {"color_scheme": "dark"},
    {"contrast": "more"},
    {"contrast": "more", "color_scheme": "dark"},
)
MEASURES = (HERE / "measures.js").read_text(encoding="utf-8")
SIZES = cases(
    [(320, 640), (1440, 900)],
    [
        *((390, 844), (844, 390), (568, 320), (768, 1024), (1024, 768), (1280, 800)),
        *((1920, 1080), (640, 512)),
    ],
)
ZOOMED = (320, 256)
"""What 400 % zoom leaves of a window of 1280x1024 (WCAG 1.4.10); 200 % leaves 640x512."""
TAGS = [f"wcag2{part}" for part in ("a", "aa", "aaa", "1a", "1aa", "2aa")]
TAGS += ["best-practice", "experimental"]
"""The tags of all rules of axe-core but those that it no longer uses."""


@pytest.fixture(scope="package")
def browser() -> "Iterator[Browser]":
    """Yield the system's browser. Skip the tests if it or playwright is missing."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    command = browser_command()
    if command is None:
        pytest.skip("this system has no Chromium")
    api.expect.set_options(timeout=30_000)  # the timeout of everything else on a page
    with api.sync_playwright() as playwright, launched(playwright, command) as browser:
        yield browser


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a server whose dice are the same in every run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHUTBOX_CACHE", str(tmp_path_factory.mktemp("cache")))
        folder: Path = tmp_path_factory.mktemp("served")
        with Served(folder, deals="listen") as served:
            yield served


@pytest.fixture
def visit(browser: "Browser", served: Served, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Yield a function that makes visitors. At the end, their pages must have no faults.

    With `pytest.mark.rolls`, each game of the test begins with these rolls.
    """
    rolls = request.node.get_closest_marker("rolls")
    served.deal(rolls.args[0] if rolls else "")
    yield from visiting(Visitor, browser, served.url)


def visiting(kind: type[Person], browser: "Browser", home: str) -> Iterator[Callable[..., Person]]:
    """Yield a function that makes visitors of a kind. At the end, check that nothing went wrong."""
    visitors: list[Person] = []

    def another(url: str = home, **options: object) -> Person:
        visitors.append(kind(browser, url, **options))
        return visitors[-1]

    yield another
    faults = [fault for visitor in visitors for fault in visitor.faults]
    for visitor in visitors:
        visitor.close()
    assert not faults, "\n".join(faults)


@pytest.fixture
def ann(visit: Visit) -> Visitor:
    return visit()


@pytest.fixture(scope="session")
def axe() -> Any:
    """Return the accessibility checker. Skip the tests if it or playwright is missing."""
    pytest.importorskip("playwright", reason="playwright is not installed")
    return pytest.importorskip("axe_playwright_python.sync_playwright").Axe()


@pytest.fixture
def check(axe: Any) -> Check:
    """Return a function that checks a page: all rules once, then colours in another look.

    The other looks take turns; with every case, each page is checked in all of them.
    """
    turns = cycle([look] for look in LOOKS)
    every = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
    colours = {"runOnly": ["color-contrast", "link-in-text-block"], "resultTypes": ["violations"]}

    def check(visitor: Visitor) -> None:
        page = visitor.page
        page.emulate_media(reduced_motion="reduce", **PLAIN)
        violations = {"light": axe.run(page, options=every).response["violations"]}
        for look in LOOKS if EVERY else next(turns):
            page.emulate_media(**{**PLAIN, **look})
            run = "options => window.axe.run(document, options)"
            violations[str(look)] = page.evaluate(run, colours)["violations"]
        page.emulate_media(**PLAIN)
        faults = [
            f"{look}: {violation['id']}: {node['html'][:200]}: {node['failureSummary']}"
            for look, violations in violations.items()
            for violation in violations
            for node in violation["nodes"]
        ]
        assert not faults, f"{page.url}:\n" + "\n".join(faults)

    return check


@pytest.fixture
def walked(check: Check) -> Check:
    """Return a function that checks a page, and then `measured`."""

    def walked(visitor: Visitor) -> None:
        check(visitor)
        measured(visitor)

    return walked


def measured(visitor: Visitor, sizes: Iterable[tuple[int, int]] = (*SIZES, ZOOMED)) -> None:
    """Check how a page looks at each size, wherever it is scrolled.

    Nothing is cut off, covered, or too small to be pressed, and at 400 % zoom all comes to light.
    """
    page, before, faults = visitor.page, visitor.page.viewport_size, list[str]()
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        names = ["hidden" if (width, height) == ZOOMED else "fits", "named", "covered"]
        for part in (0, 0.25, 0.5, 0.75, 1) if EVERY else (0,):
            page.evaluate(f"({MEASURES}).scrolled({part})")
            for name in names if part == 0 else ["covered"]:
                overlaps = page.evaluate(f"({MEASURES}).{name}()")
                faults += [f"{width}x{height} at {part}: {fault}" for fault in overlaps]
        if page.evaluate("document.documentElement.scrollWidth") > width:
            faults.append(f"{width}x{height}: the page is wider")
    page.set_viewport_size(before or {"width": 1280, "height": 720})
    page.evaluate("scrollTo(0, 0)")
    assert not faults, f"{page.url}:\n" + "\n".join(faults)
