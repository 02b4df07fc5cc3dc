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
    bob.until("localStorage['shutbox.dice']?.includes('isGiven')")
    ann.press("#go")
    until_it_is(ann, room, "sealed")
    assert dice_of(ann)["given"] == [True, True]
    assert kept(ann)["envelope"] == kept(bob)["envelope"] == envelope
    assert (kept(ann)["isLate"], kept(ann)["isGiven"], kept(bob)["isGiven"]) == (False, True, True)


def test_the_first_press_of_one_alone_gives_the_word(ann: Visitor) -> None:
    """The card computes each throw again, and a challenge with these dice shows both results."""
    page, room = ann.page, ann.open(game="six")
    until_it_is(ann, room, "words")
    ann.press("#go")
    seal = dice_of(ann)
    assert (seal["state"], seal["given"]) == ("sealed", [True])
    ann.play(undoes=False)
    until_it_is(ann, room, "open")
    record = record_of(ann, room)
    assert verify_dice.problems(record, f'{seal["envelope"]} 0 "{kept(ann)["word"]}"') == []
    for _ in range(2):  # the table checks the open envelope by itself, after a reload, too
        page.wait_for_selector("#seal-link > span:text-is('Your word is in these dice.')")
        assert page.locator("#seal-link.wrong").count() == 0
        page.reload()
    page.goto(f"/r/{room}/dice")
    page.get_by_role("button", name="Open it").click()
    page.wait_for_selector("#throws > li")
    verdict = page.inner_text("#found")
    assert "Every throw follows" in verdict
    assert "Your word is in these dice." in verdict
    assert page.locator("#throws > li:not(.wrong)").count() == record.count(": throws ")
    page.click("#words summary")
    assert kept(ann)["word"] in page.inner_text("#words")
    page.goto(page.input_value("#link-0"))
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/r/*")
    ann.ready()
    assert page.get_by_role("link", name="These dice are known.").is_visible()
    ann.judged()
    assert page.locator("#verdict .duel bdi").all_inner_texts() == ["You", "Challenger"]


def test_a_word_of_ones_own(ann: Visitor) -> None:
    page, room = ann.page, ann.open(game="classic")
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("text=The dice are sealed.")
    page.wait_for_selector("#mine:has-text('keeps the envelope')")
    page.fill("#word", "café in the rain")
    page.keyboard.press("Enter")
    page.wait_for_selector("#mine:has-text('before it gave your word')")
    assert not page.is_visible("#own-word")
    page.get_by_role("link", name="Back to the table").click()
    ann.ready()
    ann.press("#go")
    assert dice_of(ann)["given"] == [True]
    page.goto(f"/r/{room}/dice")
    page.get_by_role("button", name="Keep the envelope").click()
    page.wait_for_selector("#kept:text-is('Copied')")
    ticket = page.evaluate("() => navigator.clipboard.readText()")
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


def test_a_word_that_comes_too_late_is_told(ann: Visitor) -> None:
    room = ann.open(game="classic")
    late = {"error": {"code": "late", "message": "Late."}}
    ann.allows.append("status of 422")
    ann.page.route("**/word", lambda route: route.fulfill(status=422, json=late))
    ann.press("#go")
    assert dice_of(ann)["given"] == [False]
    ann.page.click("#seal-link")
    ann.page.wait_for_selector("#mine:has-text('Your word came too late.')")
    assert "no word." in ann.page.inner_text("main")
    ann.go_to(room)
    ann.play(undoes=False)
    ann.page.wait_for_selector("#seal-link > span:text-is('Your word is not in these dice.')")
    assert ann.page.locator("#seal-link.wrong").count() == 0


def test_the_envelope_is_said_when_asked_and_only_then(ann: Visitor) -> None:
    """By a key, by a button, and by what is typed."""
    ann.open(game="classic")
    words: Any = dice_of(ann)["words"]
    said = f"1 {words[0]}, 2 {words[1]}"
    times = "table.told.filter((line) => line.includes(value)).length"
    assert said not in " ".join(ann.told)
    ann.page.keyboard.press("k")
    ann.until(f"{times} === 1", said)
    ann.drawer("questions")
    ann.page.get_by_role("button", name="Envelope of the dice").click()
    ann.until(f"{times} === 2", said)
    ann.page.fill("#typed", "?dice")
    ann.page.press("#typed", "Enter")
    ann.until(f"{times} === 3", said)
    assert ann.page.input_value("#typed") == ""
