"""Whole matches of two players with separate browsers, and a spectator."""

from typing import TYPE_CHECKING

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, BOB, CUT_OFF, LINK, Visitor
from serving import Served

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Route

LOST = [CUT_OFF, "WebSocket connection to", "ERR_CONNECTION_REFUSED"]


class Evening:
    """Ann, who opens the table; Bob, who comes by a link; Carol, who watches."""

    def __init__(self, visit: Visit, preset: str) -> None:
        self.ann, self.bob, self.carol = visit(), visit(), visit()
        self.everybody = (self.ann, self.bob, self.carol)
        self.ann.open(game=preset, seats=[ANN, LINK])
        watch = self.ann.page.evaluate("() => table.you.links.watch")
        self.bob.enter(self.ann.page.url, "Bob")
        self.carol.page.goto(watch)
        self.carol.page.wait_for_selector("#go")
        for person in self.everybody:
            person.ready()
            person.page.evaluate("() => { window.neverLeft = true; }")
        self.all_show()

    def all_show(self) -> None:
        """All pages show the same, and what the server tells; nothing is lost, nothing doubled."""
        view = self.ann.view()
        log = self.ann.log()
        # Nobody hears their own answer about another game.
        answers = [" ".join(line["says"]) for line in log if line["kind"] == "answer"]
        told = [" ".join(line["says"]) for line in log if line["kind"] != "answer"]
        for person in self.everybody:
            person.shows(view["number"])
            lines = person.page.locator("#log .says").all_text_contents()
            lines = [line for line in lines if line not in answers]
            length = min(len(told), len(lines))
            assert length >= min(len(told), 3)
            assert "\n".join(lines[-length:]) == "\n".join(told[-length:])

    def due(self) -> Visitor | None:
        view = self.ann.view()
        if view["phase"] != "playing":
            return None
        return (self.ann, self.bob)[view["table"]["seat"]]

    def play(self, steps: int) -> bool:
        """So many throws and choices, by whoever is due; whether the game goes on."""
        for _ in range(steps):
            person = self.due()
            if person is None:
                return False
            person.shows(self.ann.view()["number"])
            person.play(most=1, hears=True, undoes=False)
        return True

    def play_on(self) -> None:
        """To the end, turn by turn."""
        while (person := self.due()) is not None:
            person.shows(self.ann.view()["number"])
            person.play(ends=True, undoes=False)
        self.all_show()

    def stayed(self) -> bool:
        """Whether no page was loaded again."""
        kept = (p.page.evaluate("() => window.neverLeft === true") for p in self.everybody)
        return all(kept)


@pytest.fixture
def evening(visit: Visit) -> Evening:
    evening = Evening(visit, "pub")
    for person in evening.everybody:
        person.allows += LOST
    return evening


def test_a_match_goes_on_whatever_happens_to_the_network(evening: Evening, served: Served) -> None:
    ann, bob, carol = evening.everybody
    ann.page.wait_for_function("() => watching.textContent === '1 watching.'")
    check_only_looks_on(carol)
    evening.play(2)
    evening.all_show()

    # Bob's network is cut, and comes back.
    bob.context.set_offline(True)
    bob.page.evaluate("() => table.socket.close()")
    before = bob.page.evaluate("() => table.view.number")
    bob.says("You are offline.")
    while evening.due() is ann:
        ann.play(most=1, undoes=False)
    assert bob.page.evaluate("() => table.view.number") == before
    bob.context.set_offline(False)
    evening.all_show()
    evening.play(2)

    # Carol closes her tab, and Bob his.
    carol.page.close()
    ann.page.wait_for_function("() => document.getElementById('watching').textContent === ''")
    carol.tab()
    carol.go_to(ann.room)
    bob.page.close()
    bob.tab()
    bob.go_to(ann.room)
    for person in (bob, carol):
        person.page.evaluate("() => { window.neverLeft = true; }")
    evening.all_show()
    evening.play(1)

    served.restart()
    evening.all_show()
    evening.play(3)
    evening.all_show()
    evening.play_on()
    assert evening.stayed()

    # Another game in the same seats: the start is passed on.
    first = ann.view()
    bob.page.click("#go")
    ann.says("Bob wants another.")
    ann.page.click("#go")
    bob.page.wait_for_function("() => table.view.table.game === 2")
    evening.all_show()
    rematch = ann.view()
    assert [seat["name"] for seat in rematch["seats"]] == [s["name"] for s in first["seats"]]
    assert rematch["table"]["seat"] == 1
    evening.play(3)
    evening.all_show()
    check_only_looks_on(carol)
    assert evening.stayed()


def test_one_whose_server_does_not_answer_is_not_told_to_be_offline(visit: Visit) -> None:
    ann = visit()
    ann.open()
    ann.allows += LOST
    ann.page.route("**/act", lambda route: route.abort())
    ann.page.click("#go")
    ann.says("The server cannot be reached. Your games are safe on the server.")
    assert ann.page.get_by_role("heading", name="The server cannot be reached").is_visible()
    ann.page.unroute("**/act")
    ann.says("The connection is back.")
    assert ann.page.get_by_role("heading", name="You are offline").count() == 0


def test_what_was_missed_can_be_asked_for(evening: Evening, served: Served) -> None:
    """Also where the server, started anew, tells how things stand instead of each event."""
    ann, bob, _ = evening.everybody
    ann.play(ends=True, undoes=False)
    assert evening.due() is bob
    seen = ann.view()["number"]
    ann.shows(seen)
    ann.context.set_offline(True)
    ann.page.evaluate("() => table.socket.close()")
    ann.says("You are offline.")
    bob.play(most=2, undoes=False)
    served.restart()
    ann.context.set_offline(False)
    evening.all_show()
    missed = [line for line in ann.log() if line["number"] > seen]
    assert [line["kind"] for line in missed] == ["throw", "choose"]
    before = ann.page.evaluate("() => table.told.length")
    ann.page.keyboard.press("y")
    ann.page.wait_for_function("before => table.told.length > before", arg=before)
    ann.page.keyboard.press("y")  # after the results, the throws
    ann.says(" ".join(text for line in missed for text in line["says"]))
    ann.page.keyboard.press(".")
    ann.says(" ".join(missed[-1]["says"]))


def check_only_looks_on(carol: Visitor) -> None:
    """Nothing that a spectator can press does anything."""
    page = carol.page
    page.evaluate(
        """() => {
            for (const button of document.querySelectorAll("#board button, #rim button, #undo")) {
                button.click();
            }
            for (const key of ["Enter", "u", "1", "5", "h", "c"]) {
                document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            }
        }"""
    )
    assert not page.is_visible("#undo")
    carol.drawer("questions")
    assert not page.is_visible("#typed")
    shown = page.locator("#rim button:visible").all_inner_texts()
    assert not [
        text
        for text in shown
        if not text.startswith(("Ann to ", "Bob to ", "The game is over", "Share"))
    ]
    assert page.locator("#seats button, #actions form, #seats form").count() == 0
    sent = page.evaluate("() => table.requests.map(([address]) => address)")
    assert sent == []
    carol.shown()


def test_a_spectator_sits_down_by_a_link_in_the_same_tab(visit: Visit) -> None:
    """Who sits there and what to know stands above the field for the name; without one, no seat."""
    ann, bob = visit(), visit()
    seats = [ANN, LINK]
    ann.open(game="pub", seats=seats, leaver="wait")
    play, watch = ann.page.evaluate("() => [table.you.links.seats[1], table.you.links.watch]")
    page = bob.page
    page.goto(watch)
    page.wait_for_selector("#lobby")
    bob.ready()
    page.evaluate("() => { window.neverLeft = true; }")
    page.goto(play)
    page.wait_for_selector("#entering:visible")
    assert "#" not in page.url
    check_asks_for_a_name(bob, "entering-name")
    page.keyboard.type("Bob")
    page.keyboard.press("Enter")
    page.wait_for_selector("#entering", state="hidden")
    page.wait_for_selector("#go:visible")
    assert page.evaluate("() => window.neverLeft")
    assert page.evaluate("() => table.you.seats") == [1]


def test_a_spectator_whose_link_was_renewed_is_told(ann: Visitor, visit: Visit) -> None:
    ann.open(game="classic", seats=[ANN])
    bob = visit()
    bob.allows.append("status of 403")
    bob.page.goto(ann.page.evaluate("() => table.you.links.watch"))
    bob.page.wait_for_selector("#go:visible")
    ann.drawer("seating")
    ann.agrees()
    ann.page.get_by_role("button", name="New watch link").click()
    bob.says("This table is private; you need a play link or a watch link.")


def test_a_name_is_asked_for_at_the_door(ann: Visitor, visit: Visit) -> None:
    ann.open(game="pub", seats=[ANN, LINK], leaver="wait")
    bob = visit()
    bob.allows.append("status of (403|422)")
    bob.page.goto(ann.page.evaluate("() => table.you.links.seats[1]"))
    check_asks_for_a_name(bob, "name")
    bob.page.keyboard.type("Ann")
    bob.page.keyboard.press("Enter")
    bob.page.wait_for_selector("#name[aria-invalid=true]")
    assert not bob.page.is_visible("#key")
    bob.page.fill("#name", "Bob")
    bob.page.keyboard.press("Enter")
    bob.page.wait_for_selector("#go:visible")


def test_dice_that_lie_elsewhere_are_waited_for(ann: Visitor, visit: Visit) -> None:
    """Who has one of two seats on another device types no dice, and chooses what goes down."""
    seats = [BOB, ANN]
    ann.open(game="two-dice", format="rounds=1,order=seats", seats=seats, dice="hand")
    bob = visit()
    bob.page.goto(ann.page.evaluate("() => table.you.links.seats[0]"))
    bob.page.wait_for_selector("#go:visible:has-text('Waiting for the dice')")
    assert not bob.page.is_visible("#hand")
    ann.page.fill("#roll", "4 5")
    ann.page.click("#go")
    bob.page.wait_for_function("() => table.view.table.does === 'choose' && table.isMine()")
    assert not bob.page.is_visible("#correct")
    ann.page.wait_for_selector("#correct:visible")


def check_asks_for_a_name(bob: Visitor, field: str) -> None:
    """It says that a seat is free, and that a name is missing."""
    page = bob.page
    bob.says("Ann invites you to Shut the Box. What is your name?")
    page.wait_for_function("id => document.activeElement.id === id", arg=field)
    table = page.inner_text(".invites")
    assert "Pub Game" in table
    invited = table if field != "name" else page.inner_text("h1") + "."
    assert "Ann invites you to Shut the Box." in invited
    assert "If a player leaves, the others can wait." in table
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#{field}-told:text('Any name will do.')")
    assert bob.focus() == field
    assert page.get_attribute(f"#{field}", "aria-invalid") == "true"
    assert f"{field}-told" in str(page.get_attribute(f"#{field}", "aria-describedby"))


def test_the_newest_number_of_spectators_stands(visit: Visit) -> None:
    """An event that waits to be shown was told while fewer were there."""
    ann = visit(reduced_motion="no-preference")
    ann.open(game="classic")
    ann.page.evaluate(
        """() => {
            const { view, socket } = table;
            const hear = (message) => {
                const data = JSON.stringify(message);
                socket.dispatchEvent(new MessageEvent("message", { data }));
            };
            for (const [more, says] of [[1, "One."], [2, "Two."]]) {
                const number = view.number + more;
                const happened = { kind: "enter", seat: 0, says: [says] };
                const then = { ...view, number, watching: 3 };
                hear({ type: "event", number, happened, view: then, you_changed: false });
            }
            hear({ type: "watching", watching: 5 });
        }"""
    )
    ann.page.wait_for_function("() => document.querySelector('#log').textContent.includes('Two.')")
    assert ann.page.text_content("#watching") == "5 watching."


def test_a_game_by_touch(visit: Visit) -> None:
    ann = visit(has_touch=True, is_mobile=True, viewport={"width": 360, "height": 700})
    page = ann.page
    ann.open(game="classic")
    while (view := ann.view())["phase"] == "playing":
        ann.shows(view["number"])
        table = view["table"]
        if table["does"] == "choose" and (takes := table["offers"][0]["takes"]):
            # A press on the only cover plays it.
            for key in takes if len(table["offers"]) > 1 else ():
                page.locator(f"#board [data-key='{key}'] button").tap()
        if table["does"] == "choose" and not takes:
            page.locator("#offers button").first.tap()
        else:
            # On one side and then on the other: that is no double tap.
            page.locator("#go").tap(position={"x": 30 + 200 * (view["number"] % 2), "y": 20})
        page.evaluate("n => table.until(() => table.view.number > n, 'an answer')", view["number"])
        page.wait_for_function("() => table.underWay === 0")
    ann.shown()
    assert page.is_visible("#result")


def test_a_press_on_what_the_stream_has_shown_is_not_lost(ann: Visitor) -> None:
    """The reply is on its way yet; what is shown is ahead of it, and is played on with."""
    ann.open(game="classic", seats=[ANN])
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: "Route") -> None:
        if held:
            route.continue_()
        else:
            held.append((route, route.fetch()))

    ann.page.route("**/act", hold)
    ann.page.click("#go")
    ann.page.wait_for_function("() => table.view.table.does === 'choose'")
    ann.shown()
    takes = ann.view()["table"]["offers"][0]["takes"]
    for key in takes:
        ann.page.locator(f"#board [data-key='{key}'] button").click()
    ann.page.evaluate("takes => table.shown(takes)", takes)
    ann.page.click("#go")
    assert ann.page.evaluate("() => table.replies") == 0
    [(route, response)] = held
    route.fulfill(response=response)
    ann.page.wait_for_function("() => table.view.table.does === 'throw'")
    ann.shown()
