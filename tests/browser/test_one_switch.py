"""Single-switch mode: a ring moves by itself, and one press does what it stands on."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, Visitor

MOST_PRESSES = 4
"""From a throw until the tiles of it are covered."""


def ring(visitor: Visitor) -> str:
    """Return the id, the key of the piece or the text of what the ring stands on."""
    text: str = visitor.run("ring")
    return text


def begin(ann: Visitor, game: str) -> None:
    ann.stub("drivenRing", 2500)
    ann.open(game=game, seats=[ANN])
    ann.until("window.step && document.activeElement.id === 'go'")


def move_to(ann: Visitor, name: str) -> None:
    """Let the ring move until it stands on something."""
    passed = list[str]()
    while (at := ring(ann)) != name:
        assert at not in passed, f"{name} is not in the ring, but {passed}"
        passed.append(at)
        ann.page.evaluate("() => step()")


def act(ann: Visitor, key: str = "Space") -> None:
    """Press the switch, and wait for the reply and for a new round of the ring."""
    replies = ann.page.evaluate("() => table.replies")
    ann.page.keyboard.press(key)
    ann.page.evaluate("replies => table.answered(replies, 'a reply')", replies)
    ann.shown()


def telling(takes: Sequence[str], offers: Sequence[dict[str, Any]]) -> Sequence[str]:
    """Return the fewest of these pieces that no other offer takes together."""
    for count in range(1, len(takes) + 1):
        for some in combinations(takes, count):
            if sum(set(some) <= set(offer["takes"]) for offer in offers) == 1:
                return some
    return takes


def choose(ann: Visitor, offer: dict[str, Any], offers: Sequence[dict[str, Any]]) -> int:
    """Make a choice by the ring, and return the number of presses."""
    presses = 1
    if not offer["takes"]:
        button = ann.page.locator("#offers button", has_text=offer["says"])
        move_to(ann, button.text_content() or "" if button.count() else "go")
    elif len(offers) > 1:
        for number, key in enumerate(some := telling(offer["takes"], offers), 1):
            move_to(ann, key)
            ann.page.keyboard.press("Space")
            picked = offer["takes"] if number == len(some) else some[:number]
            ann.page.evaluate("picked => table.shown(picked)", picked)
            presses += 1
        assert ring(ann) == "go"
    act(ann)
    return presses


def test_a_whole_game_takes_at_most_four_presses_a_throw(ann: Visitor) -> None:
    begin(ann, "classic")
    counted = list[int]()
    while (view := ann.view())["phase"] == "playing":
        assert ring(ann) == "go" or view["table"]["does"] == "choose"
        if view["table"]["does"] == "throw":
            act(ann)
            counted.append(1)
            continue
        offers = view["table"]["offers"]
        presses = choose(ann, offer := offers[len(counted) % len(offers)], offers)
        if offer["kind"] == "dice":
            counted.append(presses)  # it throws them
        else:
            counted[-1] += presses
    assert len(counted) > 3
    assert max(counted) <= MOST_PRESSES, counted


def test_a_hint_and_undo_are_in_the_ring_and_a_picked_tile_is_put_back(ann: Visitor) -> None:
    begin(ann, "classic")
    act(ann)
    while len(offers := (table := ann.view()["table"])["offers"]) < 2 or not offers[0]["takes"]:
        choose(ann, offers[0], offers)
        act(ann)
    move_to(ann, "hint")
    ann.page.keyboard.press("Space")
    ann.page.wait_for_selector("#advice:visible")
    move_to(ann, offers[-1]["takes"][-1])
    ann.page.keyboard.press("Space")
    for key in (picked := ann.run("picked")):
        move_to(ann, key)
        ann.page.keyboard.press("Space")
        picked = [one for one in picked if one != key]
        assert ann.run("picked") == picked
    choose(ann, offers[0], offers)
    move_to(ann, "undo")
    act(ann)
    assert ann.view()["table"]["pieces"] == table["pieces"]
    move_to(ann, "end-scan")
    ann.page.keyboard.press("Space")
    assert not ann.page.evaluate("() => document.querySelector('header').inert")
    assert ann.page.locator("#end-scan:visible").count() == 0


@pytest.mark.parametrize("press", ["Enter", "click", "tap"])
def test_a_press_anywhere_counts_and_the_ring_is_seen(visit: Visit, press: str) -> None:
    ann = visit(has_touch=press == "tap")
    begin(ann, "classic")
    presses: Callable[[], None] = {
        "click": lambda: ann.page.mouse.click(9, 300),
        "tap": lambda: ann.page.touchscreen.tap(9, 300),
        "Enter": lambda: ann.page.keyboard.press("Enter"),
    }[press]
    presses()
    ann.page.evaluate("() => table.answered(0, 'a throw')")
    ann.shown()
    table = ann.view()["table"]
    tile = next(piece["key"] for piece in table["pieces"] if piece["number"] == table["target"])
    style = "() => getComputedStyle(document.activeElement).outlineStyle"
    move_to(ann, tile)
    assert ann.page.evaluate(style) == "solid"
    presses()
    ann.page.evaluate("tile => table.shown([tile])", tile)
    assert (ring(ann), ann.page.evaluate(style)) == ("go", "solid")


def test_a_press_on_a_list_shows_its_next_choice_and_one_that_is_held_runs_on(ann: Visitor) -> None:
    begin(ann, "tray")
    act(ann)
    move_to(ann, "many-choice")
    for _ in range(3):
        ann.page.keyboard.press("Space")
    move_to(ann, "Do it")
    act(ann)
    assert [piece["label"] for piece in ann.view()["table"]["pieces"]] == ["d6", "d6", "d5"]
    move_to(ann, "many-choice")
    index = "document.getElementById('many-choice').selectedIndex"
    before = ann.page.evaluate(index)
    ann.page.keyboard.down("Space")
    ann.until(f"{index} > value + 4", before)
    ann.page.keyboard.up("Space")
    assert ring(ann) == "many-choice"
