"""Sealed dice in the browser: envelopes that are kept, the card, and the verifier."""

import json
import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, Visitor
from sealed import verify_dice
from serving import PATIENCE, Served

if TYPE_CHECKING:
    from playwright.sync_api import Route

MOST_TIMES = 7
"""How often the page sends what gets no reply."""
TWO = [ANN, {"who": "link", "name": "Bob"}]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a server with its own dice, which follow from their seals."""
    with Served(tmp_path_factory.mktemp("served")) as served:
        yield served


def dice_of(person: Visitor) -> dict[str, object]:
    seal: dict[str, object] = person.view()["seal"]
    return seal


def until_it_is(person: Visitor, room: str, state: str) -> None:
    end = time.monotonic() + PATIENCE
    while person.get(f"/api/rooms/{room}").json()["view"]["seal"]["state"] != state:
        assert time.monotonic() < end
        person.page.wait_for_timeout(50)


def kept(person: Visitor) -> dict[str, Any]:
    """What the browser keeps of the newest game."""
    envelope: dict[str, Any] = json.loads(
        person.page.evaluate("() => localStorage.getItem('shutbox.dice')")
    )[0]
    return envelope


def record_of(person: Visitor, room: str) -> str:
    return person.get(f"/r/{room}/record").text()


def test_two_browsers_keep_the_envelope_and_give_their_words_before_anybody_throws(
    visit: Visit,
) -> None:
    ann, bob = visit(), visit()
    room = ann.open(game="pub", format="order=seats", seats=TWO)
    envelope = dice_of(ann)["envelope"]
    assert kept(ann)["envelope"] == envelope
    assert "word" not in kept(ann)  # before the game a word can be typed
    bob.allows.append("ERR_INTERNET_DISCONNECTED")
    bob.hurries()
    lost: list[str] = []

    def lose(route: "Route") -> None:
        lost.append(route.request.url)
        route.abort("internetdisconnected")

    bob.page.route("**/word", lose)
    bob.enter(ann.page.evaluate("() => table.you.links.seats[1]"))
    while len(lost) < MOST_TIMES:
        bob.page.wait_for_timeout(50)
    bob.page.wait_for_timeout(100)  # the page gives up
    bob.page.unroute("**/word")
    bob.page.reload()
    bob.page.wait_for_function("() => localStorage['shutbox.dice']?.includes('isGiven')")
    ann.press("#go")
    until_it_is(ann, room, "sealed")
    assert dice_of(ann)["given"] == [True, True]
    assert kept(ann)["envelope"] == kept(bob)["envelope"] == envelope
    assert (kept(ann)["isLate"], kept(ann)["isGiven"], kept(bob)["isGiven"]) == (False, True, True)


def test_the_first_press_of_one_alone_gives_the_word(ann: Visitor) -> None:
    """The card computes each throw again, and a challenge with these dice shows both results."""
    room = ann.open(game="six")
    until_it_is(ann, room, "words")
    ann.press("#go")
    seal = dice_of(ann)
    assert (seal["state"], seal["given"]) == ("sealed", [True])
    ann.play(undoes=False)
    until_it_is(ann, room, "open")
    record = record_of(ann, room)
    assert verify_dice.problems(record, f'{seal["envelope"]} 0 "{kept(ann)["word"]}"') == []
    for _ in range(2):  # the table checks the open envelope by itself, after a reload, too
        ann.page.wait_for_selector("#seal-link > span:text-is('Your word is in these dice.')")
        assert ann.page.locator("#seal-link.wrong").count() == 0
        ann.page.reload()
    ann.page.goto(f"/r/{room}/dice")
    ann.page.get_by_role("button", name="Open it").click()
    ann.page.wait_for_selector("#throws > li")
    verdict = ann.page.inner_text("#found")
    assert "Every throw follows" in verdict
    assert "Your word is in these dice." in verdict
    assert ann.page.locator("#throws > li").count() == record.count(": throws ")
    assert ann.page.locator(".wrong").count() == 0
    ann.page.locator("#throws summary").first.click()
    key = ann.page.locator("#throws code").first.inner_text()
    assert re.fullmatch("[0-9a-f]{64}", key)
    assert "Show words" in ann.page.inner_text("#words")
    ann.page.click("#words summary")
    assert kept(ann)["word"] in ann.page.inner_text("#words")
    ann.page.goto(ann.page.input_value("#link-0"))
    ann.page.get_by_role("button", name="Play", exact=True).click()
    ann.page.wait_for_url("**/r/*")
    ann.ready()
    assert ann.page.get_by_role("link", name="These dice are known.").is_visible()
    ann.play(undoes=False)
    ann.page.wait_for_selector("#verdict .sums")
    assert ann.page.locator("#verdict .duel bdi").all_inner_texts() == ["You", "Challenger"]


def test_a_word_of_ones_own(ann: Visitor) -> None:
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    room = ann.open(game="classic")
    ann.page.click("text=The dice are sealed.")
    ann.page.wait_for_url("**/dice")
    ann.page.wait_for_selector("#mine:has-text('keeps the envelope')")
    ann.page.fill("#word", "café in the rain")
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_selector("#mine:has-text('before it gave your word')")
    assert not ann.page.is_visible("#own-word")
    ann.page.get_by_role("link", name="Back to the table").click()
    ann.ready()
    ann.press("#go")
    assert dice_of(ann)["given"] == [True]
    ann.page.goto(f"/r/{room}/dice")
    ann.page.get_by_role("button", name="Keep the envelope").click()
    ann.page.wait_for_function("() => document.getElementById('kept').textContent === 'Copied'")
    ticket = ann.page.evaluate("() => navigator.clipboard.readText()")
    assert ticket == f'{dice_of(ann)["envelope"]} 0 "caf\\u00e9 in the rain"'
    ann.go_to(room)
    ann.play(undoes=False)
    until_it_is(ann, room, "open")
    assert verify_dice.problems(record_of(ann, room), ticket) == []


@pytest.mark.parametrize("lie", ["throw", "word", "record"])
def test_a_table_whose_record_is_a_lie_says_so_in_red(ann: Visitor, lie: str) -> None:
    def lies(route: "Route") -> None:
        record = route.fetch().text()
        if lie == "throw":
            record = re.sub(r"throws \d", lambda t: f"throws {7 - int(t[0][-1])}", record, count=1)
        elif lie == "word":
            record = record.replace(kept(ann)["word"], "pub")
        else:
            record = re.sub(r"\ndice sealed .*", "\ndice system", record)
        route.fulfill(body=record)

    room = ann.open(game="six")
    ann.page.route("**/record*", lies)
    ann.play(undoes=False)
    until_it_is(ann, room, "open")
    ann.page.wait_for_selector("#seal-link.wrong")
    says = ann.page.inner_text("#seal-link")
    assert says.startswith("✗ ")
    ann.says(says.removeprefix("✗ "))
    ann.page.click("#seal-link")
    ann.page.wait_for_selector("#record")


def test_a_word_that_comes_too_late_is_told(ann: Visitor) -> None:
    room = ann.open(game="classic")

    def held(route: "Route") -> None:
        route.fulfill(status=422, json={"error": {"code": "late", "message": "Late."}})

    ann.allows.append("status of 422")
    ann.page.route("**/word", held)
    ann.press("#go")
    assert dice_of(ann)["given"] == [False]
    ann.page.click("#seal-link")
    ann.page.wait_for_selector("#mine:has-text('Your word came too late.')")
    assert "no word." in ann.page.inner_text("main")
    ann.go_to(room)
    ann.play(undoes=False)
    until_it_is(ann, room, "open")
    ann.page.wait_for_selector("#seal-link > span:text-is('Your word is not in these dice.')")
    assert ann.page.locator("#seal-link.wrong").count() == 0


def test_the_envelope_is_said_when_asked_and_only_then(ann: Visitor) -> None:
    ann.open(game="classic")
    words = dice_of(ann)["words"]
    assert isinstance(words, list)
    said = f"1 {words[0]}, 2 {words[1]}"

    def times() -> int:
        told: list[str] = ann.page.evaluate("() => table.told")
        return sum(said in line for line in told)

    assert times() == 0
    ann.page.keyboard.press("k")
    ann.says(said)
    assert times() == 1
    ann.drawer("questions")
    ann.page.get_by_role("button", name="Envelope of the dice").click()
    ann.page.wait_for_function("() => table.told.filter((one) => one.includes('12 ')).length === 2")
    ann.page.focus("#typed")
    ann.page.keyboard.type("?dice")
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_function("() => table.told.filter((one) => one.includes('12 ')).length === 3")
    assert times() == 3
    assert ann.page.input_value("#typed") == ""


def test_a_step_of_the_dice_is_shown_with_the_event_that_waits(visit: Visit) -> None:
    person = visit()
    person.page.goto(person.url)
    seals = person.page.evaluate(
        """async () => {
            const { Sync } = await import("/static/net/sync.js");
            const view = (version, seal) => ({ seal, table: { game: 1, version } });
            const seen = (...queue) => ({
                page: { view: view(1, "old"), draw() {} }, events: { queue }, quiet: 0,
            });
            const [idle, waiting, later] = [seen(), seen({ view: view(2, "old") }), seen()];
            Sync.prototype.takeQuietly.call(idle, view(1, "new"));
            Sync.prototype.takeQuietly.call(waiting, view(2, "new"));
            Sync.prototype.takeQuietly.call(later, view(2, "new"));
            const shown = [idle, waiting, later].map(({ page }) => page.view.seal);
            return [...shown, waiting.events.queue[0].view.seal];
        }"""
    )
    assert seals == ["new", "old", "old", "new"]
