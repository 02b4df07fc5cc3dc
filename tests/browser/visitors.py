"""People with a browser, each in a context of his own; nothing that goes wrong stays unseen."""

import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, Request

HERE = Path(__file__).parent
DEALING = str(HERE / "dealing.py")
"""A server with dice that are known beforehand: `program=(DEALING, SEED, ROLLS)`."""
_SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_HAS_PLAYED = "if (location.host) localStorage.setItem('shutbox.guide', 'done');"
_COMMANDS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def browser_command() -> str | None:
    """The browser of this system; None if it has none."""
    return next(filter(None, map(shutil.which, _COMMANDS)), None)


@contextmanager
def launched(playwright: "Playwright", command: str) -> "Iterator[Browser]":
    """A browser without a window."""
    browser = playwright.chromium.launch(executable_path=command, args=_SWITCHES)
    try:
        yield browser
    finally:
        browser.close()


class Visitor:
    """One person: a context, and the page that was opened last.

    `faults` is all that went wrong: errors that the page wrote or threw, what was against its
    policy, what was asked of another host. `allows` are patterns of what a test wants to go wrong.
    All but those who are `is_new` have played before, and are not shown how.
    """

    def __init__(self, browser: "Browser", url: str, **options: Any) -> None:
        # A worker would answer where a test looks at what is asked of the network.
        usual = {"reduced_motion": "reduce", "base_url": url, "service_workers": "block"}
        options = {**usual, **options}
        is_new = options.pop("is_new", False)
        self.url = url
        self.context: BrowserContext = browser.new_context(**options)
        self.context.set_default_timeout(20_000)
        self.faults: list[str] = []
        self.allows: list[str] = []
        self.scripted = bool(options.get("java_script_enabled", True))
        if self.scripted:
            self.context.add_init_script(path=HERE / "watch.js")
            if not is_new:
                self.context.add_init_script(_HAS_PLAYED)
        self.context.on("request", self._requested)
        self.context.on("page", self._opened)
        self.page: Page = self.tab()

    def tab(self) -> "Page":
        """One more page; it is the one that is used from now on."""
        self.page = self.context.new_page()
        return self.page

    def _opened(self, page: "Page") -> None:
        page.on("pageerror", lambda error: self._fault(f"thrown: {error}"))
        page.on(
            "console",
            lambda line: self._fault(f"written: {line.text}") if line.type == "error" else None,
        )
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

    # What a person does

    def quick_start(self, game: str) -> None:
        """From the first page, by the card of a game."""
        self.page.goto("/")
        card = self.page.locator(f".gallery form:has(input[value='{game}']) button")
        with self.page.expect_navigation(url="**/r/*"):
            card.evaluate("button => button.click()")
        self.ready()

    def open(self, **body: Any) -> str:
        """Open a table by the interface, as this person, and go there; the id of the room."""
        body = {"action": secrets.token_urlsafe(16), **body}
        reply = self.context.request.post(f"{self.url}/api/rooms", data=body)
        assert reply.status == 201, reply.text()
        room: str = reply.json()["view"]["room"]
        self.go_to(room)
        return room

    def go_to(self, room: str) -> None:
        self.page.goto(f"/r/{room}")
        self.ready()

    def ready(self) -> None:
        """Until the script has taken over."""
        if self.scripted:
            self.page.wait_for_selector("html.live")

    def agrees(self) -> None:
        """Say yes to what is asked back next."""
        self.page.once("dialog", lambda dialog: dialog.accept())

    def drawer(self, tool: str) -> None:
        """Open the drawer of a tool: moves, rules, seating or questions."""
        if self.page.locator(f"details[open] > #show-{tool}").count() == 0:
            self.page.click(f"#show-{tool}")

    @property
    def room(self) -> str:
        return str(urlsplit(self.page.url).path).split("/")[2]

    def play(self, **how: Any) -> dict[str, Any]:
        """Play by clicks, see watch.js."""
        seen: dict[str, Any] = self.page.evaluate("how => table.play(how)", how)
        return seen

    def press(self, button: "str | Locator") -> None:
        """Press it by the mouse, until the page shows all that came of it."""
        replies = self.page.evaluate("() => table.replies")
        (self.page.locator(button) if isinstance(button, str) else button).click()
        self.page.evaluate("replies => table.answered(replies, 'a reply')", replies)
        self.shown()

    def shown(self) -> None:
        """Until the page shows what the server told it last."""
        self.page.evaluate("() => table.shown()")

    def view(self) -> dict[str, Any]:
        """The room as the server tells it now."""
        reply = self.context.request.get(f"{self.url}/api/rooms/{self.room}")
        assert reply.ok, reply.text()
        view: dict[str, Any] = reply.json()["view"]
        return view

    def shows(self, number: int) -> None:
        """Until the page has heard of this event, and shows it."""
        self.page.evaluate(
            "number => table.until(() => table.view.number >= number, `event ${number}`)", number
        )
        self.shown()

    def says(self, words: str) -> None:
        """Until these words have been said, after those that were waited for last."""
        self.page.wait_for_function("words => table.hears(words)", arg=words)

    def focus(self) -> str:
        """What has the focus: its id, or its name; empty if it is nothing but the page."""
        found: str = self.page.evaluate(
            """() => {
                const at = document.activeElement;
                if (!at || at === document.body) return "";
                return at.id || at.getAttribute("aria-label") || at.textContent.trim();
            }"""
        )
        return found
