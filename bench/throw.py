"""The work of the main thread while dice fly: `python -m bench.throw`.

The benchmark plays on its own server in Chromium, with two and with six dice, on a phone and on a
wide screen. For every frame between the press and the rest of the dice it measures the time of the
script that the frame runs. From Chromium's own figures it takes the processor time of all tasks of
the main thread, layout and styles included, as a mean for a frame: a busy machine does not change
it.
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


def main() -> None:
    """Print a line for each number of dice and each size."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(prog="python -m bench.throw", description=__doc__)
    parser.add_argument("--times", type=int, default=10, help="throws for each line")
    times = parser.parse_args().times
    command = browser_command()
    if command is None:
        print("this system has no Chromium, so nothing is timed")
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        Served(Path(folder), deals=("throw", "")) as served,
        sync_playwright() as playwright,
        launched(playwright, command) as browser,
    ):
        for size in SIZES:
            for dice in TRAYS:
                print(flown(browser, served.url, size, dice, times))


if __name__ == "__main__":
    main()
