"""System notifications of the player's turn while the page is hidden."""

from typing import TYPE_CHECKING, Any

import pytest

from browser.conftest import Check, Visit
from browser.visitors import ANN, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

SEATS = [{"who": "link", "name": "Bob"}, ANN]
BOX = "Tell me when it is my turn"


class Evening:
    """Ann at a table, and Bob, who is due first and plays by the interface."""

    def __init__(self, ann: Visitor, bob: Visitor) -> None:
        self.ann, self.bob = ann, bob
        self.room = ann.open(game="classic", seats=SEATS, format="rounds=1,order=seats")
        link = ann.page.locator("#lobby .link").input_value()
        bob.post(f"/{self.room}/enter", key=link.partition("#")[2], name="Bob")
        ann.until("table.view.phase === 'playing'")

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
        self.ann.run("away", True)
        self.play(self.bob, 0)
        self.ann.until("notes.length")
        note: dict[str, Any]
        [note] = self.ann.run("notes")
        return note


def wants_it(page: "Page") -> None:
    page.click("#menu > summary")
    page.get_by_label(BOX).check()
    page.wait_for_function("() => asked === 1")


@pytest.fixture
def evening(ann: Visitor, visit: Visit) -> Evening:
    ann.stub("notifications", "granted")
    return Evening(ann, visit())


def test_it_is_shown_once_a_turn_and_goes_when_the_player_is_back(evening: Evening) -> None:
    ann = evening.ann
    assert ann.page.evaluate("asked") == 0  # nobody is asked before they want it
    wants_it(ann.page)
    note = evening.missed()
    assert (note["title"], note["body"], note["open"]) == ("Your turn", "Classic", True)
    assert note["tag"].endswith(evening.room)
    ann.run("away", False)
    ann.until("!notes[0].open")
    assert len(ann.run("notes")) == 1


@pytest.mark.parametrize("away", [True, False])
def test_nobody_is_told_who_looks_or_does_not_want_it(evening: Evening, *, away: bool) -> None:
    if not away:
        wants_it(evening.ann.page)
    evening.ann.run("away", away)
    evening.play(evening.bob, 0)
    evening.ann.until("table.isMine()")
    assert evening.ann.run("notes") == []


def test_it_stays_off_where_the_browser_does_not_allow_it(check: Check, visit: Visit) -> None:
    """It says why. Leave that is taken back later turns it off, too."""
    for answer in ("denied", "granted"):
        ann = visit()
        ann.stub("notifications", answer)
        ann.page.goto("/help")
        if answer == "granted":
            wants_it(ann.page)
            ann.until("JSON.parse(localStorage.getItem('shutbox')).notes")
            ann.page.reload()  # the browser has forgotten it by then
            ann.menu()
        else:
            ann.menu()
            ann.page.get_by_label(BOX).click()
            ann.page.get_by_text("Your browser does not allow it", exact=False).wait_for()
            check(ann)
        assert not ann.page.get_by_label(BOX).is_checked()


def test_the_worker_shows_it_where_there_is_one(visit: Visit) -> None:
    ann = visit(service_workers="allow")
    ann.stub("notifications", "granted")
    ann.stub("notesOfWorker")
    ann.page.goto("/help")
    ann.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    evening = Evening(ann, visit())
    wants_it(ann.page)
    note = evening.missed()
    assert (note["title"], note["data"]["path"]) == ("Your turn", f"/r/{evening.room}")
    evening.play(evening.ann, 1)  # on another device
    ann.until("!notes[0].open")


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
    evening.ann.run("push")
    offer = page.get_by_role("region", name="Shall we tell you when it's your turn?")
    offer.wait_for()  # Bob is due
    check(evening.ann)
    with page.expect_response(lambda reply: reply.request.method == "POST") as answer:
        offer.get_by_role("button", name="Tell me").click()
    assert (answer.value.status, answer.value.url) == (200, f"{evening.ann.url}/api/push")
    evening.ann.until("localStorage.getItem('shutbox-push')")
    assert len(page.evaluate("pushed")[0]) == 87  # the key of the server: 65 bytes
    assert page.evaluate("asked") == 1
    assert not offer.is_visible()
    evening.ann.menu()
    with page.expect_response("**/api/push/stop") as answer:
        page.get_by_label(BOX).uncheck()
    assert answer.value.ok
    assert page.evaluate("pushed").pop() == "ends"
