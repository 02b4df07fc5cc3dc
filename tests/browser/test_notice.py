"""System notifications of the player's turn while the page is hidden."""

from typing import TYPE_CHECKING, Any

import pytest

from browser.conftest import Check, Visit
from browser.visitors import ANN, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

SEATS = [{"who": "link", "name": "Bob"}, ANN]
BOX = "Tell me when it is my turn"
_STUB = """answer => {
    globalThis.notes = [];
    globalThis.asked = 0;
    globalThis.Notification = class {
        static permission = "default";
        static async requestPermission() {
            asked += 1;
            return (this.permission = answer);
        }
        constructor(title, { body, tag }) {
            this.note = { title, body, tag, open: true };
            notes.push(this.note);
        }
        close() { this.note.open = false; }
    };
}"""
_AWAY = """is => {
    Object.defineProperty(document, "hidden", { get: () => is, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""

_WORKER = """() => {
    // A browser without a window has a worker, shows no notes, and subscribes to no push service.
    const it = ServiceWorkerRegistration.prototype;
    Object.defineProperty(it, "pushManager", { get: () => undefined });
    it.showNotification = async function (title, { body, tag, data }) {
        const note = { title, body, tag, data, open: true, close: () => { note.open = false; } };
        notes.push(note);
    };
    it.getNotifications = async ({ tag }) => notes.filter((one) => one.open && one.tag === tag);
}"""


class Evening:
    """Ann at a table, and Bob, who is due first and plays by the interface."""

    def __init__(self, ann: Visitor, bob: Visitor) -> None:
        self.ann, self.bob = ann, bob
        self.room = ann.open(game="classic", seats=SEATS, format="rounds=1,order=seats")
        link = ann.page.locator("#lobby .link").input_value()
        bob.post(f"/{self.room}/enter", key=link.partition("#")[2], name="Bob")
        ann.page.wait_for_function("() => table.view.phase === 'playing'")

    def play(self, player: Visitor, seat: int) -> None:
        """Play the turn of a seat to its end, past the page."""
        table = self.ann.view()["table"]
        while table["seat"] == seat and table["does"] != "over":
            position = {"game": table["game"], "version": table["version"], "seat": seat}
            choice = {"choice": table["offers"][0]["text"]} if table["does"] == "choose" else {}
            done = player.post(f"/{self.room}/act", **position, do=table["does"], **choice)
            table = done["view"]["table"]
        self.ann.shows(self.ann.view()["number"])

    def missed(self) -> dict[str, Any]:
        """Let Bob play while Ann is away. Return the only note that her page shows."""
        self.ann.page.evaluate(_AWAY, True)
        self.play(self.bob, 0)
        self.ann.page.wait_for_function("() => notes.length")
        [note] = notes(self.ann.page)
        return note


def wants_it(page: "Page") -> None:
    page.locator("#menu > summary").click()
    page.get_by_label(BOX).check()
    page.wait_for_function("() => asked === 1")


_PUSH = """() => {
    const key = new Uint8Array(65).fill(4);
    globalThis.pushed = [];
    const made = {
        endpoint: "https://fcm.googleapis.com/send/abc",
        getKey: (name) => (name === "auth" ? key.slice(0, 16) : key).buffer,
        unsubscribe: async () => { pushed.push("ends"); current = null; },
    };
    let current = null;
    const pushManager = {
        getSubscription: async () => current,
        subscribe: async ({ applicationServerKey }) => {
            pushed.push(applicationServerKey);
            current = made;
            return made;
        },
    };
    navigator.serviceWorker.getRegistration = async () => ({
        pushManager, showNotification: async () => {}, getNotifications: async () => [],
    });
}"""


def notes(page: "Page") -> list[dict[str, Any]]:
    told = "notes.map(({ title, body, tag, data, open }) => ({ title, body, tag, data, open }))"
    rows: list[dict[str, Any]] = page.evaluate(told)
    return rows


@pytest.fixture
def evening(ann: Visitor, visit: Visit) -> Evening:
    ann.page.add_init_script(f"({_STUB})('granted')")
    return Evening(ann, visit())


def test_it_is_shown_once_a_turn_and_goes_when_the_player_is_back(evening: Evening) -> None:
    page = evening.ann.page
    assert page.evaluate("asked") == 0  # nobody is asked before they want it
    wants_it(page)
    note = evening.missed()
    assert (note["title"], note["body"], note["open"]) == ("Your turn", "Classic", True)
    assert note["tag"].endswith(evening.room)
    page.evaluate(_AWAY, False)
    page.wait_for_function("() => !notes[0].open")
    assert len(notes(page)) == 1


@pytest.mark.parametrize("away", [True, False])
def test_nobody_is_told_who_looks_or_does_not_want_it(evening: Evening, *, away: bool) -> None:
    page = evening.ann.page
    if not away:
        wants_it(page)
    page.evaluate(_AWAY, away)
    evening.play(evening.bob, 0)
    page.wait_for_function("() => table.isMine()")
    assert notes(page) == []


def test_who_does_not_allow_it_is_told_why_it_stays_off(check: Check, ann: Visitor) -> None:
    page = ann.page
    page.add_init_script(f"({_STUB})('denied')")
    page.goto("/help")
    page.locator("#menu > summary").click()
    page.get_by_label(BOX).click()
    page.get_by_text("Your browser does not allow it", exact=False).wait_for()
    assert not page.get_by_label(BOX).is_checked()
    check(ann)
    page.reload()
    page.locator("#menu > summary").click()
    assert not page.get_by_label(BOX).is_checked()


def test_leave_that_is_taken_back_turns_it_off(ann: Visitor) -> None:
    page = ann.page
    page.add_init_script(f"({_STUB})('granted')")
    page.goto("/help")
    wants_it(page)
    page.wait_for_function("() => JSON.parse(localStorage.getItem('shutbox')).notes")
    page.reload()  # the browser has forgotten it by then
    page.locator("#menu > summary").click()
    assert not page.get_by_label(BOX).is_checked()


def test_the_worker_shows_it_where_there_is_one(visit: Visit) -> None:
    ann = visit(service_workers="allow")
    page = ann.page
    page.add_init_script(f"({_STUB})('granted')")
    page.add_init_script(f"({_WORKER})()")
    page.goto("/help")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    evening = Evening(ann, visit())
    wants_it(page)
    note = evening.missed()
    assert (note["title"], note["data"]["path"]) == ("Your turn", f"/r/{evening.room}")
    evening.play(evening.ann, 1)  # on another device
    page.wait_for_function("() => !notes[0].open")


def test_a_press_on_the_note_leads_to_the_table(visit: Visit) -> None:
    ann = visit(service_workers="allow")
    ann.page.goto("/help")
    ann.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    [worker] = ann.context.service_workers
    pressed = worker.evaluate(
        """async () => {
            const seen = [];
            const open = { url: `${origin}/r/open`, focus: async () => seen.push("looked at") };
            self.clients.matchAll = async () => [open];
            self.clients.openWindow = async (path) => seen.push(path);
            for (const path of ["/r/open", "/r/shut"]) {
                const close = () => seen.push("closed");
                const waitUntil = (done) => (self.waits = done);
                const press = new Event("notificationclick");
                Object.assign(press, { notification: { data: { path }, close }, waitUntil });
                self.dispatchEvent(press);
                await self.waits;
            }
            return seen;
        }"""
    )
    assert pressed == ["closed", "looked at", "closed", "/r/shut"]


def test_a_long_wait_offers_to_tell_of_the_turn_once(evening: Evening, check: Check) -> None:
    page = evening.ann.page
    page.evaluate(f"({_PUSH})()")
    offer = page.get_by_role("region", name="Shall we tell you when it's your turn?")
    offer.wait_for()  # Bob is due
    check(evening.ann)
    with page.expect_response(lambda reply: reply.request.method == "POST") as answer:
        offer.get_by_role("button", name="Tell me").click()
    assert (answer.value.status, answer.value.url) == (200, f"{evening.ann.url}/api/push")
    page.wait_for_function("() => localStorage.getItem('shutbox-push')")
    assert len(page.evaluate("pushed")[0]) == 87  # the key of the server: 65 bytes
    assert page.evaluate("asked") == 1
    assert not offer.is_visible()
    page.locator("#menu > summary").click()
    with page.expect_response("**/api/push/stop") as answer:
        page.get_by_label(BOX).uncheck()
    assert answer.value.ok
    assert page.evaluate("pushed").pop() == "ends"
