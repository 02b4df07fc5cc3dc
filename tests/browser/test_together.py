"""Whole matches of two players with separate browsers, and a spectator."""

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, BOB, CUT_OFF, LINK, Visitor
from serving import Served

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
    ann.until("watching.textContent === '1 watching.'")
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
    ann.until("watching.textContent === ''")
    bob.page.close()
    for person in (bob, carol):
        person.tab()
        person.go_to(ann.room)
        person.page.evaluate("() => { window.neverLeft = true; }")
    evening.all_show()
    evening.play(1)

    served.restart()
    evening.all_show()
    evening.play_on()
    assert evening.stayed()

    # Another game in the same seats: the start is passed on.
    bob.page.click("#go")
    ann.says("Bob wants another.")
    ann.page.click("#go")
    bob.until("table.view.table.game === 2")
    evening.all_show()
    assert ann.view()["table"]["seat"] == 1
    evening.play(3)
    evening.all_show()
    check_only_looks_on(carol)
    assert evening.stayed()


def test_one_whose_server_does_not_answer_is_not_told_to_be_offline(ann: Visitor) -> None:
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
    before = len(ann.told)
    ann.page.keyboard.press("y")
    ann.until("table.told.length > value", before)
    ann.page.keyboard.press("y")  # after the results, the throws
    ann.says(" ".join(text for line in missed for text in line["says"]))
    ann.page.keyboard.press(".")
    ann.says(" ".join(missed[-1]["says"]))


def check_only_looks_on(carol: Visitor) -> None:
    """Check that nothing that a spectator can press does anything."""
    page = carol.page
    carol.run("pressAll")
    assert not page.is_visible("#undo")
    carol.drawer("questions")
    assert not page.is_visible("#typed")
    may = ("Ann to ", "Bob to ", "The game is over", "Share")
    shown = page.locator("#rim button:visible").all_inner_texts()
    assert [text for text in shown if not text.startswith(may)] == []
    assert page.locator("#seats button, #actions form, #seats form").count() == 0
    assert page.evaluate("() => table.requests.map(([address]) => address)") == []
    carol.shown()


def test_a_spectator_sits_down_by_a_link_in_the_same_tab(visit: Visit) -> None:
    """Who invites and the rules stand above the field for the name; without one, no seat."""
    ann, bob = visit(), visit()
    page = bob.page
    ann.open(game="pub", seats=[ANN, LINK], leaver="wait")
    links = ann.page.evaluate("() => table.you.links")
    bob.goto(links["watch"])
    page.wait_for_selector("#stage", state="attached")  # of the table, not of the door
    page.evaluate("() => { window.neverLeft = true; }")
    page.goto(links["seats"]["1"])
    page.wait_for_selector("#entering:visible")
    assert "#" not in page.url
    bob.says("Ann invites you to Shut the Box. What is your name?")
    bob.until("document.activeElement.id === 'entering-name'")
    invites = page.inner_text(".invites")
    rule = "If a player leaves, the others can wait."
    for words in ("Pub Game", "Ann invites you to Shut the Box.", rule):
        assert words in invites
    page.keyboard.press("Enter")
    page.wait_for_selector("#entering-name-told:text('Any name will do.')")
    assert bob.focus() == "entering-name"
    field = page.locator("#entering-name")
    assert field.get_attribute("aria-invalid") == "true"
    assert "entering-name-told" in str(field.get_attribute("aria-describedby"))
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


def test_dice_that_lie_elsewhere_are_waited_for(ann: Visitor, visit: Visit) -> None:
    """Who has one of two seats on another device types no dice, and chooses what goes down."""
    ann.open(game="two-dice", format="rounds=1,order=seats", seats=[BOB, ANN], dice="hand")
    bob = visit()
    bob.page.goto(ann.page.evaluate("() => table.you.links.seats[0]"))
    bob.page.wait_for_selector("#go:visible:has-text('Waiting for the dice')")
    assert not bob.page.is_visible("#hand")
    ann.page.fill("#roll", "4 5")
    ann.page.click("#go")
    bob.until("table.view.table.does === 'choose' && table.isMine()")
    assert not bob.page.is_visible("#correct")
    ann.page.wait_for_selector("#correct:visible")
