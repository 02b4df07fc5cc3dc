"""The loading time and layout shift of pages on a slow line: `python -m bench.pages`.

The benchmark uses its own server, and Chromium with 150 ms of latency each way and 1.6 Mbit/s. A
page is loaded when its main button is painted and reacts. The baseline is the server's shortest
response on the same line, `/health`. It also times one press of Throw, until the first frame in
which the dice shake, and measures the layout shift of a whole match.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from browser.visitors import Visitor, browser_command, launched
from serving import Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LINE = {"offline": False, "latency": 300, "downloadThroughput": 2e5, "uploadThroughput": 2e5}
"""Latency in milliseconds for a round trip and throughput in bytes a second, for Chromium's
protocol.
"""
BOOT = """() => {
    window.shift = 0;
    new PerformanceObserver((list) => {
        for (const { hadRecentInput, sources, value } of list.getEntries()) {
            // Half as wide beside another choice, it takes all of the rim once it is pressed.
            const isMain = sources.some(({ node }) => node?.id === "go");
            if (!hadRecentInput && !isMain) shift += value;
        }
    }).observe({ type: "layout-shift", buffered: true });
}"""
THERE = """(selector) => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    const main = document.querySelector(selector);
    return paint && main?.getClientRects().length && Math.max(paint.startTime, performance.now());
}"""
PRESSED = """() => new Promise((done) => {
    const go = document.getElementById("go");
    go.addEventListener("click", () => {
        const pressed = performance.now();
        const look = () => document.querySelector(".waiting")
            ? requestAnimationFrame(() => done(performance.now() - pressed))
            : requestAnimationFrame(look);
        requestAnimationFrame(look);
    }, { capture: true, once: true });
    go.click();
})"""
HOME, TABLE = ".begin button", "html.live #go"
ANN = {"who": "me", "name": "Ann"}
BOB = {"who": "here", "name": "Bob"}


def slowed(visitor: Visitor) -> None:
    """Put a visitor's page on the slow line."""
    line = visitor.context.new_cdp_session(visitor.page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)


def there(visitor: Visitor, path: str, selector: str) -> float:
    """Return the milliseconds from requesting a page until its main button is painted."""
    visitor.page.goto(path, wait_until="commit")
    found: float = visitor.page.wait_for_function(THERE, arg=selector).json_value()
    return found


def opened(visitor: Visitor) -> str:
    """Open a new table and return its address."""
    body = {"action": "a" * 12, "game": "classic", "seats": [ANN]}
    reply = visitor.context.request.post(f"{visitor.url}/api/rooms", data=body)
    return f"/r/{reply.json()['view']['room']}"


def arrivals(browser: "Browser", url: str) -> dict[str, float]:
    """Return the milliseconds of the baseline, of both visits to each page, and of a press."""
    visitor = Visitor(browser, url)
    slowed(visitor)
    visitor.page.goto("/health", wait_until="load")
    found = {"baseline /health": visitor.page.evaluate("() => performance.now()")}
    found["home, first"] = there(visitor, "/", HOME)
    visitor.page.wait_for_load_state("networkidle")
    found["home, again"] = there(visitor, "/", HOME)
    visitor.close()
    visitor = Visitor(browser, url)
    table = opened(visitor)
    slowed(visitor)
    found["table, first"] = there(visitor, table, TABLE)
    visitor.page.wait_for_load_state("networkidle")
    found["table, again"] = there(visitor, table, TABLE)
    visitor.ready()
    found["press to the eye"] = visitor.page.evaluate(PRESSED)
    visitor.close()
    return found


def shift_of(visitor: Visitor, **about: Any) -> float:
    """Play a match and return its total layout shift as Chromium measures it.

    No shift is excused by a press, since a script presses here.
    """
    visitor.context.add_init_script(f"({BOOT})()")
    visitor.open(seats=[ANN, BOB], **about)
    visitor.play(undoes=False, tries=False, most=60)
    visitor.page.wait_for_selector("#stage.over:not(.ending)")
    visitor.page.wait_for_selector("#verdict .sums")
    found: float = visitor.page.evaluate("() => shift")
    return found


def main() -> None:
    """Print each page's milliseconds and ratio to the baseline, then the layout shifts."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(prog="python -m bench.pages", description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="of each; the median is told")
    times = parser.parse_args().times
    command = browser_command()
    if command is None:
        print("this system has no Chromium, so nothing is timed")
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        Served(Path(folder), deals=("pages", "")) as served,
        sync_playwright() as playwright,
        launched(playwright, command) as browser,
    ):
        seen = [arrivals(browser, served.url) for _ in range(times)]
        medians = {name: statistics.median(each[name] for each in seen) for name in seen[0]}
        baseline = medians["baseline /health"]
        for name, median in medians.items():
            print(f"{name:<20}{median:>8.0f} ms{median / baseline:>8.2f}")
        for width, height in ((390, 664), (768, 1024), (1440, 900)):
            size: Any = {"width": width, "height": height}
            visitor = Visitor(browser, served.url, viewport=size, reduced_motion="no-preference")
            shift = shift_of(visitor, game="markers-five")
            visitor.close()
            print(f"layout shift of a match at {width}x{height}: {shift:.3f}")


if __name__ == "__main__":
    main()
