"""The size and loading time of the static site: `python -m bench.static_site`.

The benchmark uses Chromium and a file server without compression. The first visit downloads
everything. On later visits, without a network, the page of a table is drawn from the last stored
view, and then the engine becomes ready for a throw. From page to page it goes on.
"""

import functools
import statistics
import sys
import threading
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from browser.visitors import Visitor, browser_command, launched

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


class Counted(SimpleHTTPRequestHandler):
    """A file server that counts the bytes it sends."""

    sent = 0

    def copyfile(self, source: Any, outputfile: Any) -> None:
        content = source.read()
        Counted.sent += len(content)
        outputfile.write(content)

    def log_message(self, format: str, *about: Any) -> None:
        pass


def main(folder: str) -> None:
    """Print the bytes of the first visit, and the milliseconds of later ones."""
    from playwright.sync_api import sync_playwright

    command = browser_command()
    if command is None:
        print("this system has no Chromium, so nothing is timed")
        return
    serves = functools.partial(Counted, directory=folder)
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), serves) as server,
        sync_playwright() as playwright,
        launched(playwright, command) as browser,
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
        page.click(".begin button")
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
    main(sys.argv[1])
