"""Pages in Chromium: `python -m bench.browser pages`, `throws`, or `site FOLDER`.

`pages` measures loading times and layout shifts at its own server, with 150 ms of latency each way
and 1.6 Mbit/s. A page is loaded when its main button is painted and reacts. The baseline is the
server's shortest response on the same line, `/health`. It also times one press of Throw, until the
first frame in which the dice shake, and measures the layout shift of a whole match.

`throws` measures the work of the main thread while two and six dice fly, on a phone and on a wide
screen: for every frame the time of the script, and from Chromium's own figures the processor time
of all tasks, layout and styles included. A busy machine does not change it.

`site` measures the size and loading time of the static site, at a file server without compression.
The first visit downloads everything. On later visits, without a network, the page of a table is
drawn from the last stored view, and then the engine becomes ready for a throw. From page to page it
goes on.
"""

import argparse
import functools
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
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
HOME, TABLE = "button.begin", "html.live #go"
ANN = {"who": "me", "name": "Ann"}
BOB = {"who": "here", "name": "Bob"}
SIZES = ((390, 844), (1440, 900))
TRAYS = (2, 6)
MEASURED = """() => {
    table.costs = [];
    const request = window.requestAnimationFrame;
    window.requestAnimationFrame = (frame) => request((now) => {
        const begun = performance.now();
        frame(now);
        table.costs.push(performance.now() - begun);
    });
}"""
ONE_THROW = """async () => {
    const { replies } = table;
    table.costs.splice(0);
    document.getElementById("go").click();
    await table.answered(replies, "the throw");
    await table.until(() => !document.querySelector(".box.aloft"), "the rest");
    return table.costs;
}"""
TIMES = 5
LASTS_SECONDS = 40  # that Chromium keeps an engine after its last page
SPENT = """
window.spent = [];
window.SharedWorker = class extends SharedWorker {
    constructor(...about) {
        super(...about);
        const { port } = this, asked = new Map();
        port.addEventListener("message", ({ data: { id } }) => {
            if (asked.has(id)) spent.push(performance.now() - asked.get(id));
        });
        const post = port.postMessage.bind(port);
        port.postMessage = (sent) => {
            if (sent.body?.includes('"do":"throw"')) asked.set(sent.id, performance.now());
            post(sent);
        };
    }
};
new MutationObserver(() => {
    if ("ready" in document.documentElement.dataset) window.ready ??= performance.now();
}).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-ready"] });
"""
DRAWN = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
READY = "() => window.ready"


@contextmanager
def chromium() -> Iterator["Browser"]:
    """Yield a Chromium, or end the program if the system has none."""
    from playwright.sync_api import sync_playwright

    command = browser_command()
    if command is None:
        print("this system has no Chromium, so nothing is timed")
        sys.exit()
    with sync_playwright() as playwright, launched(playwright, command) as browser:
        yield browser


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


def pages(times: int = 5) -> None:
    """Print each page's milliseconds and ratio to the baseline, then the layout shifts."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Served(Path(folder), deals="pages") as served,
        chromium() as browser,
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


def flown(browser: "Browser", url: str, size: tuple[int, int], dice: int, times: int) -> str:
    """Return a line with the cost of a frame in so many throws."""
    viewport: Any = {"width": size[0], "height": size[1]}
    visitor = Visitor(browser, url, viewport=viewport, reduced_motion="no-preference")
    visitor.open(game=f"tray(dice={dice}d6)", seats=[{"who": "me", "name": "Ann"}])
    visitor.page.evaluate(MEASURED)
    line = visitor.context.new_cdp_session(visitor.page)
    line.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> float:
        metrics = line.send("Performance.getMetrics")["metrics"]
        [seconds] = [float(m["value"]) for m in metrics if m["name"] == "TaskDuration"]
        return 1000 * seconds

    costs, tasks = list[float](), list[float]()
    for _ in range(times):
        before = busy()
        frames = visitor.page.evaluate(ONE_THROW)
        costs += frames
        tasks.append((busy() - before) / len(frames))
        visitor.page.wait_for_timeout(300)
    visitor.close()
    costs.sort()
    median, late = statistics.median(costs), costs[int(0.95 * len(costs))]
    return (
        f"{dice} dice at {size[0]}x{size[1]}: {median:.1f} ms of script a frame at the median, "
        f"{late:.1f} at the 95th percentile; "
        f"{statistics.median(tasks):.1f} ms of processor time for all tasks"
    )


def throws(times: int = 10) -> None:
    """Print a line for each number of dice and each size."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Served(Path(folder), deals="throw") as served,
        chromium() as browser,
    ):
        for size in SIZES:
            for dice in TRAYS:
                print(flown(browser, served.url, size, dice, times))


class Counted(SimpleHTTPRequestHandler):
    """A file server that counts the bytes it sends."""

    sent = 0

    def copyfile(self, source: Any, outputfile: Any) -> None:
        content = source.read()
        Counted.sent += len(content)
        outputfile.write(content)

    def log_message(self, format: str, *about: Any) -> None:
        pass


def site(folder: str) -> None:
    """Print the bytes of the first visit, and the milliseconds of later ones."""
    serves = functools.partial(Counted, directory=folder)
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), serves) as server,
        chromium() as browser,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        visitor = Visitor(browser, url, service_workers="allow")
        visitor.context.set_default_timeout(120_000)
        visitor.context.add_init_script(SPENT)
        page = visitor.page
        page.goto("/index.html")
        page.wait_for_function(READY)
        print(f"{'first load':<26}{Counted.sent:>10,} bytes")
        print(f"{'first load, to be ready':<26}{page.evaluate(READY):>10,.0f} ms")
        page.click("button.begin")
        page.wait_for_url("**/table.html?*")
        page.wait_for_function(READY)
        visitor.context.set_offline(True)
        table = page.url
        drawn, ready, goes_on = list[float](), list[float](), list[float]()
        for _ in range(TIMES):
            page.reload()
            page.wait_for_function(READY)
            goes_on.append(page.evaluate(READY))
            page.close()
            time.sleep(LASTS_SECONDS)  # until the engine has ended
            page = visitor.tab()
            page.goto(table)
            page.wait_for_function(READY)
            drawn.append(page.evaluate(DRAWN))
            ready.append(page.evaluate(READY))
        print(f"{'later, page drawn':<26}{statistics.median(drawn):>10,.0f} ms")
        print(f"{'later, engine ready':<26}{statistics.median(ready):>10,.0f} ms")
        print(f"{'next page, engine ready':<26}{statistics.median(goes_on):>10,.0f} ms")
        visitor.play(undoes=False, tries=False)
        spent = page.evaluate("() => spent")
        print(f"{'a throw, answered':<26}{statistics.median(spent):>10,.1f} ms")
        server.shutdown()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.browser", description=__doc__)
    parser.add_argument("what", choices=["pages", "throws", "site"])
    parser.add_argument("folder", nargs="?", default="build/site", help="of the static site")
    asked = parser.parse_args()
    if asked.what == "site":
        site(asked.folder)
    else:
        pages() if asked.what == "pages" else throws()
