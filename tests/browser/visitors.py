"""Visitors with a browser, each in a separate context; every fault on their pages is recorded."""

import json
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import (
        APIResponse,
        Browser,
        BrowserContext,
        FloatRect,
        Locator,
        Page,
        Playwright,
        Request,
        Route,
    )

HERE = Path(__file__).parent
ANN = {"who": "me", "name": "Ann"}
BOB = {"who": "here", "name": "Bob"}
LINK = {"who": "link"}
MACHINE = {"who": "computer:fewest"}
"""Seats of a new table: of the host, of a second player at this screen, of a friend, and of a
computer player.
"""
_LONG_NAMES = (
    "عبد الرحمن بن يوسف العلي",
    "हरिश्चन्द्र महाराज",
    "🎲🚀🇫🇷🎲🚀🇫🇷🎲🚀",
    "W" * 24,
    "שרה אדמון",
    "Li",
)
TWELVE_NAMES = (*_LONG_NAMES, *(f"{name[:22]} 2" for name in _LONG_NAMES))
"""Names of all scripts, most of them as long as a name can be."""
CUT_OFF = "ERR_(INTERNET_DISCONNECTED|FAILED)"
"""What a browser writes about a request without a network, or one that has lost it."""
_SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP box.local 127.0.0.1",  # an address in a home network, without https
]
_HAS_PLAYED = "if (location.host) localStorage.setItem('shutbox.guide', 'done');"
_LISTENS_FAST = "if (location.host) localStorage.setItem('shutbox.speed', '125');"
_HURRIES = """((later) => {
    window.setTimeout = (does, wait, ...more) =>
        later(does, wait > 200 && wait < 5000 ? wait / 20 : wait, ...more);
})(window.setTimeout);"""
_COMMANDS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def browser_command() -> str | None:
    """Return the command of the system's browser, or None."""
    return next(filter(None, map(shutil.which, _COMMANDS)), None)


@contextmanager
def launched(playwright: "Playwright", command: str) -> "Iterator[Browser]":
    """Yield a browser without windows."""
    browser = playwright.chromium.launch(executable_path=command, args=_SWITCHES)
    try:
        yield browser
    finally:
        browser.close()


class Visitor:
    """A visitor: a context, and the page opened last.

    `faults` lists everything that went wrong: errors of the page, whatever it wrote to the console,
    violations of its security policy, and requests to other hosts. `allows` holds patterns of
    faults that a test expects. Visitors have played before and see no guide, unless they are
    `is_new`. They see no motion, unless they want it (`moves`). `size` is that of the window.
    """

    def __init__(self, browser: "Browser", url: str, **options: Any) -> None:
        # A service worker would answer requests that a test observes on the network.
        usual = {"reduced_motion": "reduce", "base_url": url, "service_workers": "block"}
        options = {**usual, **options}
        is_new = options.pop("is_new", False)
        if options.pop("moves", False):
            options["reduced_motion"] = "no-preference"
        if size := options.pop("size", None):
            options["viewport"] = {"width": size[0], "height": size[1]}
        self.url = url
        self.context: BrowserContext = browser.new_context(**options)
        self.context.set_default_timeout(60_000)  # three tests share two cores
        self.faults: list[str] = []
        self.allows = ["blocked by Playwright"]  # the worker, which most visitors do without
        self.scripted = bool(options.get("java_script_enabled", True))
        if self.scripted:
            self.context.add_init_script(path=HERE / "watch.js")
            self.context.add_init_script(path=HERE / "stubs.js")
            self.context.add_init_script(_LISTENS_FAST)
            if not is_new:
                self.context.add_init_script(_HAS_PLAYED)
        self.context.on("request", self._requested)
        self.context.on("page", self._opened)
        self.page: Page = self.tab()

    def tab(self) -> "Page":
        """Open another page and use it from now on."""
        self.page = self.context.new_page()
        return self.page

    def _opened(self, page: "Page") -> None:
        page.on("pageerror", lambda error: self._fault(f"thrown: {error}"))
        page.on("console", lambda line: self._fault(f"written: {line.text}"))
        page.on("crash", lambda _: self._fault("the page crashed"))

    def _requested(self, request: "Request") -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != urlsplit(self.url).netloc:
            self._fault(f"asked of another host: {request.url}")

    def _fault(self, fault: str) -> None:
        if not any(re.search(pattern, fault) for pattern in self.allows):
            self.faults.append(fault)

    def close(self) -> None:
        self.context.close()

    # Actions

    def goto(self, path: str) -> None:
        """Open a page, and wait until its script runs."""
        self.page.goto(path)
        self.ready()

    def reload(self) -> None:
        """Load the page again, and wait until its script runs."""
        self.page.reload()
        self.ready()

    def resize(self, width: int, height: int) -> None:
        self.page.set_viewport_size({"width": width, "height": height})

    def quick_start(self, game: str) -> None:
        """Start a game from its card on the first page."""
        self.page.goto("/")
        card = self.page.locator(f".gallery button[value='{game}']")
        with self.page.expect_navigation(url="**/r/*"):
            card.evaluate("button => button.click()")
        self.ready()

    def open(self, **body: Any) -> str:
        """Open a table through the API and go to its page. Return the room's id."""
        room: str = self.post("", **body)["view"]["room"]
        self.go_to(room)
        return room

    def go_to(self, room: str) -> None:
        self.goto(f"/r/{room}")

    def enter(self, link: str, name: str = "") -> None:
        """Follow the link of a free seat, type a name at the door, and sit down."""
        self.page.goto(link)
        self.page.wait_for_function("() => document.activeElement.id === 'name'")
        self.page.keyboard.type(name)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("#stage")
        self.ready()

    def ready(self) -> None:
        """Wait until the page's script runs."""
        if self.scripted:
            self.page.wait_for_selector("html.live")

    def hurries(self) -> None:
        """Shorten what pages wait for that open from now on, such as between two attempts."""
        self.context.add_init_script(_HURRIES)

    def holds(self, pattern: str) -> "list[Route]":
        """Hold requests of the page to these addresses. Return the list that they go into."""
        held: list[Route] = []
        self.page.route(pattern, lambda route: held.append(route))
        return held

    def agrees(self) -> None:
        """Confirm the next question of the page."""
        self.page.once("dialog", lambda dialog: dialog.accept())

    def drawer(self, tool: str) -> None:
        """Open the drawer of a tool, or one without a tool: seating by the menu, questions."""
        if self.page.locator(f"details[open] > #show-{tool}").count():
            return
        if tool == "seating":
            self.page.click("#menu > summary")
            self.page.click("[data-opens='tool-seating']")
        elif tool == "questions":
            self.page.evaluate("() => (document.getElementById('questions').open = true)")
            self.page.focus("#questions .drawer")
        else:
            self.page.click(f"#show-{tool}")

    @property
    def room(self) -> str:
        return str(urlsplit(self.page.url).path).split("/")[2]

    def play(self, **how: Any) -> dict[str, Any]:
        """Play by clicks; see watch.js."""
        seen: dict[str, Any] = self.page.evaluate("how => table.play(how)", how)
        return seen

    def finish(self, **how: Any) -> None:
        """Play to the end by clicks, and wait until the page has shown how the game ends."""
        self.play(undoes=False, tries=False, **how)
        self.page.wait_for_selector("#stage.over:not(.ending)")

    def judged(self) -> None:
        """Play to the end, and wait for the figures of the review."""
        self.finish()
        self.page.wait_for_selector("#verdict .sums")

    def menu(self) -> None:
        """Open or close the menu."""
        self.page.click("#menu > summary")

    def sets(self, label: str, value: "str | bool") -> None:
        """Change a setting for the ear in the menu of a table: a choice, or on or off."""
        self.menu()
        self.page.evaluate("() => (document.querySelector('.ears').open = true)")
        setting = self.page.get_by_label(label)
        if isinstance(value, str):
            setting.select_option(value)
        else:
            setting.set_checked(value)
        self.menu()

    def press(self, button: "str | Locator") -> None:
        """Click a button, and wait until the page shows the result."""
        replies = self.page.evaluate("() => table.replies")
        (self.page.locator(button) if isinstance(button, str) else button).click()
        self.page.evaluate("replies => table.answered(replies, 'a reply')", replies)
        self.shown()

    def throw_until_choice(self) -> dict[str, Any]:
        """Throw until a choice is due. Return the table."""
        while (table := self.view()["table"])["does"] == "throw":
            self.press("#go")
        found: dict[str, Any] = table
        return found

    def box(self, selector: str) -> "FloatRect":
        """Return where an element is drawn, as `x`, `y`, `width` and `height`."""
        box = self.page.locator(selector).bounding_box()
        assert box is not None, selector
        return box

    def boxes(self, selector: str) -> "list[FloatRect]":
        """Return where the elements of a selector are drawn, without those that are not."""
        boxes = [one.bounding_box() for one in self.page.locator(selector).all()]
        return [box for box in boxes if box]

    def text(self, selector: str) -> str:
        """Return what stands there, without the signs that keep a name in one piece."""
        text = self.page.text_content(selector) or ""
        return text.translate({0x2068: None, 0x2069: None})

    def shown(self) -> None:
        """Wait until the page shows the server's latest event."""
        self.page.evaluate("() => table.shown()")

    def run(self, name: str, *values: object) -> Any:
        """Run a function of `stubs.js` on the page, and return its result."""
        script = "([name, values]) => stubs[name](...values)"
        return self.page.evaluate(script, [name, [*values]])

    def stub(self, name: str, *values: object) -> None:
        """Run a function of `stubs.js` in each page that opens from now on."""
        self.context.add_init_script(f"if (location.host) stubs.{name}(...{json.dumps(values)})")

    def until(self, condition: str, value: object = None) -> None:
        """Wait until an expression is true on the page, where `value` is this value."""
        self.page.wait_for_function(f"value => {condition}", arg=value)

    def chooses(self) -> None:
        """Wait until the page shows that a choice is due."""
        self.until("table.view.table.does === 'choose'")
        self.shown()

    def get(self, path: str) -> "APIResponse":
        """Return what the server answers to this visitor."""
        # The server closes a connection that was idle, and may do so as it is used again.
        reply = self.context.request.get(f"{self.url}{path}", max_retries=1)
        assert reply.ok, reply.text()
        return reply

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        """Send an action to an address below the rooms, past the page. Return the answer."""
        body = {"action": secrets.token_urlsafe(16), **body}
        reply = self.context.request.post(f"{self.url}/api/rooms{path}", data=body)
        assert reply.ok, reply.text()
        answer: dict[str, Any] = reply.json()
        return answer

    def view(self) -> dict[str, Any]:
        """Return the present view of the room from the server."""
        view: dict[str, Any] = self.get(f"/api/rooms/{self.room}").json()["view"]
        return view

    def log(self) -> list[dict[str, Any]]:
        """Return the lines of the room's log from the server."""
        log: list[dict[str, Any]] = self.get(f"/api/rooms/{self.room}").json()["log"]
        return log

    def shows(self, number: int) -> None:
        """Wait until the page has received this event and shows it."""
        self.page.evaluate(
            "number => table.until(() => table.view.number >= number, `event ${number}`)", number
        )
        self.shown()

    @property
    def told(self) -> list[str]:
        """Return all lines that have been said."""
        lines: list[str] = self.page.evaluate("() => table.told")
        return lines

    def says(self, words: str) -> None:
        """Wait until these words have been said, later than the words of the last call."""
        self.page.wait_for_function("words => table.hears(words)", arg=words)

    def focus(self) -> str:
        """Return the focused element's id or name. Empty if only the page has the focus."""
        text: str = self.page.evaluate(
            """() => {
                const at = document.activeElement;
                if (!at || at === document.body) return "";
                return at.id || at.getAttribute("aria-label") || at.textContent.trim();
            }"""
        )
        return text
