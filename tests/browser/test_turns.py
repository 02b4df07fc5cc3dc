"""Visible texts without speech: whose turn begins, who has won, and how many rolls are left."""

import pytest

from browser.conftest import MEASURES, Visit
from browser.visitors import ANN, BOB, LINK, Visitor

GAME = "classic(tiles=7-9)"
WON = {"format": "rounds=1,begins=1"}


dealt = pytest.mark.rolls("4+5 1+1 1+2")
"""The first player covers 9 and is stuck with 15 left, the second at once with 24."""
sailed = pytest.mark.rolls("1+1+2+2+2+6 1+1+2+3+5")


def plain_of(visit: Visit, visitor: Visitor) -> Visitor:
    """Return the same person at the same table, without script."""
    state = visitor.context.storage_state()
    plain = visit(visitor.url, java_script_enabled=False, storage_state=state)
    plain.go_to(visitor.room)
    return plain


def baize(visitor: Visitor) -> str:
    return visitor.text(".begins > span")


def lying(visitor: Visitor) -> list[str]:
    """Return how the tiles and dice lie, and what was thrown last, if it is seen."""
    found: list[str] = visitor.page.eval_on_selector_all(
        "#board [data-state], .faded .die",
        "all => all.map(({ dataset }) => dataset.state ?? 'faded')",
    )
    return found


def joined(visit: Visit, host: Visitor, name: str) -> Visitor:
    """Let a friend in another browser take the free seat."""
    guest = visit()
    guest.enter(host.page.url, name)
    host.page.wait_for_selector("#go:visible")
    return guest


@dealt
def test_a_turn_begins_on_a_fresh_board_that_says_whose_it_is(ann: Visitor, visit: Visit) -> None:
    """Two at one screen are called by name, at the end too; the line goes with the throw."""
    ann.open(game=GAME, seats=[ANN, BOB], **WON)
    fresh = lying(ann)
    assert (baize(ann), set(fresh)) == ("Your turn, Ann", {"up", "in hand"})
    for _ in range(2):  # throws, and covers 9
        ann.press("#go")
        assert baize(ann) == ""
    ann.press("#go")
    for one in (ann, plain_of(visit, ann)):
        assert (baize(one), lying(one)) == ("Your turn, Bob", fresh)
    assert ann.text("#caption") == "Ann is stuck on 2."
    ann.resize(320, 640)
    assert ann.page.evaluate(f"({MEASURES}).fits()") == []  # in one line
    ann.press("#go")
    assert ann.page.title().startswith("Ann wins:")
    assert ann.text("#caption") == ann.text(".standings .wins") + "." == "Ann wins by 9."


@dealt
def test_it_is_your_turn_on_your_own_screen_alone(ann: Visitor, visit: Visit) -> None:
    ann.open(game=GAME, seats=[ANN, LINK], **WON)
    bea = joined(visit, ann, "Bea")
    assert (baize(ann), baize(bea)) == ("Your turn, Ann", "Ann to throw")
    for _ in range(3):
        ann.press("#go")
    bea.page.wait_for_selector(".begins > span:text-is('Your turn, \u2068Bea\u2069')")
    points = ann.view()["table"]["plates"][0]["points"]
    aim = f"Ann left {points}. Leave {points - 1} or less to beat it."
    assert (bea.text(".begins > small"), ann.text(".begins > small")) == (aim, "")
    bea.says(f"Bea needs {points - 1} or less to lead.")
    assert ann.page.locator("#go.rests").inner_text() == "Bea to throw"  # empty wood, for the ear
    assert baize(ann) == baize(plain_of(visit, ann)) == "Bea to throw"
    bea.press("#go")
    ann.page.wait_for_selector("#stage.over")
    assert baize(bea) == baize(ann) == ""


@dealt
def test_who_wins_reads_you_and_the_others_read_the_name(ann: Visitor, visit: Visit) -> None:
    """Also without script; no brass tag tells what the loser has left, whose tiles hold the lid.

    Sharing gives one text, for a reader who has not played.
    """
    ann.stub("shares")
    ann.open(game=GAME, seats=[{"who": "me"}, LINK], **WON)
    bea = joined(visit, ann, "Bea")
    bea.run("shares")
    for one in (ann, ann, ann, bea):
        one.press("#go")
    ann.says("Enter twice plays again, v reviews it.")
    bea.says("Enter twice plays again, v reviews it.")
    for person, won in ((ann, "You win"), (bea, "Player 1 wins")):
        for one in (person, plain_of(visit, person)):
            assert one.page.title().startswith(f"{won}:")
            assert one.text(".standings .wins") == f"{won} by 9"
            assert ("Player 1" in one.text("#outcome").split(".")[0]) == (person is bea)
            assert one.page.locator(".box.caught").count() == 1
            assert not one.page.locator("#left:visible, #tag:visible").count()
        person.page.click("#share")
        person.until("globalThis.shared")
        assert person.page.evaluate("shared.text").endswith("Player 1 wins by 9.")


@sailed
def test_a_caption_names_all_dice_and_the_rolls_left_are_seen(ann: Visitor, visit: Visit) -> None:
    """Also the die that is put aside as soon as it falls."""
    ann.open(game="cargo", seats=[ANN])
    throws = ("1 + 1 + 2 + 2 + 2 + 6", "1 + 1 + 2 + 3 + 5")
    for left, pips in zip((5, 4, 3), (None, *throws), strict=True):
        if pips:
            ann.press("#go")
            assert ann.text("#caption") == f"You threw {pips}."  # and nobody is stuck
        for one in (ann, plain_of(visit, ann)):
            assert one.page.inner_text(".rolls-left") == f"{left} rolls left"
    ann.open(game="classic", seats=[ANN])
    assert ann.page.inner_text(".rolls-left") == ""
