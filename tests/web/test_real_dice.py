"""Real dice with a computer player: people throw and type for it, and it chooses by itself."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from people import Person, path_of, refusal
from serving import PATIENCE
from shutbox.engine.dice import Dice
from shutbox.engine.errors import NoDice
from shutbox.web.server.services import Server

MATCH = {"game": "two-dice", "format": "rounds=1,order=seats", "dice": "hand"}
ANN = {"who": "me", "name": "Ann"}
BOB = {"who": "here", "name": "Bob"}
COMPUTER = {"who": "computer:fewest", "name": "Robo"}
NOTHING_GOES = "1+1"
"""With the 2 down already, two ones end a turn."""


def may(person: Person, room: str) -> dict[str, Any]:
    found: dict[str, Any] = person.get(path_of(room)).json()["you"]["may"]
    return found


def throws(person: Person, room: str, seat: int, roll: str) -> dict[str, Any]:
    """What somebody types is thrown for a seat; the table then, once a computer has chosen."""
    table = person.table(room)
    thrown = person.act(room, table, "throw", seat=seat, roll=roll)
    assert thrown.status_code == 200, thrown.text
    return settled(person, room)


def settled(person: Person, room: str) -> dict[str, Any]:
    """The table, once no computer player is to choose."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        view = person.get(path_of(room)).json()["view"]
        table: dict[str, Any] = view["table"]
        if table["does"] != "choose" or not view["seats"][table["seat"]]["computer"]:
            return table
        time.sleep(0.01)
    raise AssertionError("the computer player does not choose")


def says(person: Person, room: str) -> str:
    log = person.get(path_of(room)).json()["log"]
    return "\n".join(" ".join(line["says"]) for line in log)


def robos_turn(person: Person, seats: list[dict[str, str]] | None = None) -> str:
    """A room in which Ann has had her turn, and it is the computer player who is to throw."""
    opened = person.open(**MATCH, seats=seats or [ANN, COMPUTER])
    room: str = opened["view"]["room"]
    table = throws(person, room, 0, "1+1")
    assert person.act(room, table, "choose", choice="2").status_code == 200
    table = throws(person, room, 0, NOTHING_GOES)
    assert (table["seat"], table["does"]) == (1, "throw")
    return room


def test_a_game_of_real_dice_with_a_computer_player_comes_to_its_end(ann: Person) -> None:
    room = ann.open(**MATCH, seats=[COMPUTER, ANN])["view"]["room"]
    dice, thrown_for = random.Random(7), {0: 0, 1: 0}
    table = settled(ann, room)
    while table["does"] != "over":
        seat = table["seat"]
        if table["does"] == "throw":
            roll = f"{dice.randint(1, 6)}+{dice.randint(1, 6)}"
            thrown_for[seat] += 1
            table = throws(ann, room, seat, roll)
        else:
            assert seat == 1, "the computer player chooses by itself"
            choice = table["offers"][0]["text"]
            assert ann.act(room, table, "choose", choice=choice).status_code == 200
            table = settled(ann, room)
    assert min(thrown_for.values()) > 0
    assert len(table["scores"]) == 2
    record = ann.get(path_of(room, "record")).text
    assert record.count(" reads ") == sum(thrown_for.values())


def test_the_computer_player_waits_for_the_dice_and_chooses_by_itself(ann: Person) -> None:
    room = robos_turn(ann)
    before = ann.table(room)["version"]
    table = throws(ann, room, 1, "4+5")
    assert (table["version"], table["seat"], table["does"]) == (before + 2, 1, "throw")
    assert "9" not in {p["face"] for p in table["pieces"] if p["state"] == "up"}


def test_a_form_types_the_dice_of_a_computer_player(ann: Person) -> None:
    room = robos_turn(ann)
    version = ann.table(room)["version"]
    form = {"game": "1", "version": str(version), "seat": "1", "do": "throw", "roll": "4+5"}
    assert 'name="roll"' in ann.get(f"/r/{room}").text
    assert ann.client.post(f"/r/{room}/act", data=form).status_code == 200
    assert settled(ann, room)["version"] == version + 2


def test_nobody_chooses_for_a_computer_player(ann: Person) -> None:
    room = robos_turn(ann)
    table = ann.table(room)
    for seat in (0, 1):
        refused = ann.act(room, table, "choose", seat=seat, choice="9")
        assert refused.status_code == 403, refused.text
    assert ann.table(room) == table


def no_dice_lie_in(server: Server, room: str) -> None:
    """Nobody has said what the next throw is."""
    live = server.rooms.cached_room(room)
    assert live is not None
    assert live.room.table is not None
    with pytest.raises(NoDice):
        live.room.table.cup.throw(Dice.parse("2d6"))


def test_a_throw_out_of_turn_leaves_no_dice_behind(ann: Person, server: Server) -> None:
    room = robos_turn(ann)
    table = ann.table(room)
    refused = ann.act(room, table, "throw", seat=0, roll="6+6")
    assert refusal(refused) == (403, "not-your-turn")
    no_dice_lie_in(server, room)
    assert ann.act(room, table, "throw", roll="").status_code == 422
    assert settled(ann, room) == table
    # The other way round, too: what is typed for the computer player is nobody else's.
    table = throws(ann, room, 1, "1+1")
    table = throws(ann, room, 1, NOTHING_GOES)
    if table["does"] != "over":
        assert ann.act(room, table, "throw", seat=1 - table["seat"], roll="5+4").status_code == 403
        no_dice_lie_in(server, room)
    assert "6 and 6" not in says(ann, room)
    assert "6+6" not in ann.get(path_of(room, "record")).text


def test_only_people_at_the_table_throw_for_a_computer_player(
    person: Callable[[], Person], server: Server
) -> None:
    ann, spectator, stranger = person(), person(), person()
    opened = ann.open(**MATCH, seats=[ANN, COMPUTER])
    room, keys = opened["view"]["room"], opened["keys"]
    assert opened["you"]["may"]["throw_for"] == [1]
    table = throws(ann, room, 0, "1+1")
    ann.act(room, table, "choose", choice="2")
    table = throws(ann, room, 0, NOTHING_GOES)
    assert spectator.enter(room, keys["watch"]).status_code == 200
    assert may(spectator, room)["throw_for"] == []
    for who in (spectator, stranger):
        assert refusal(who.act(room, table, "throw", roll="6+6")) == (403, "not-allowed")
        form = {"game": "1", "version": "3", "seat": "1", "do": "throw", "roll": "6+6"}
        assert who.client.post(f"/r/{room}/act", data=form).status_code == 403
    assert 'name="roll"' not in spectator.get(f"/r/{room}").text
    assert settled(ann, room) == table
    no_dice_lie_in(server, room)
    # The key of whoever opened the room is enough, wherever it is shown.
    host = {"authorization": f"Bearer {keys['host']}"}
    body = {"game": 1, "version": table["version"], "seat": 1, "do": "throw", "roll": "4+5"}
    path, action = path_of(room, "act"), {"action": "throws-as-the-host"}
    thrown = stranger.client.post(path, json={**body, **action}, headers=host)
    assert thrown.status_code == 200, thrown.text


def test_the_dice_of_a_computer_player_are_corrected_where_its_turn_ended_by_them(
    ann: Person,
) -> None:
    room = robos_turn(ann, [ANN, COMPUTER, BOB])
    throws(ann, room, 1, "1+1")
    table = throws(ann, room, 1, NOTHING_GOES)
    assert (table["seat"], table["correctable"]) == (2, 1)
    corrected = ann.act(room, table, "correct", seat=1, roll="4+5")
    assert corrected.status_code == 200, corrected.text
    table = settled(ann, room)
    # Its turn goes on: it has chosen, and is to throw again.
    assert (table["seat"], table["does"], table["correctable"]) == (1, "throw", None)
    refused = ann.act(room, table, "correct", seat=1, roll="1+1")
    assert refused.status_code == 422


@contextmanager
def stood_in(ann: Person) -> Iterator[str]:
    """A room where a computer player plays for Bob, who comes back at the end."""
    room = robos_turn(ann, [ANN, BOB])
    assert ann.post(path_of(room, "leave"), seat=1).status_code == 200
    stand_in = ann.post(path_of(room, "stand-in"), seat=1, computer="fewest")
    assert stand_in.status_code == 200, stand_in.text
    yield room
    assert ann.post(path_of(room, "come-back"), seat=1).status_code == 200
    assert may(ann, room)["throw_for"] == []


def test_people_throw_for_a_computer_player_that_goes_on_for_somebody(ann: Person) -> None:
    with stood_in(ann) as room:
        assert may(ann, room)["throw_for"] == [1]
        version = ann.table(room)["version"]
        table = throws(ann, room, 1, "4+5")
        assert (table["version"], table["does"]) == (version + 2, "throw")
        # Ann has Bob's seat, too; while the computer player goes on for him, she chooses nothing.
        assert ann.act(room, table, "choose", choice="1").status_code == 403
    # Bob is back, and chooses for himself.
    table = throws(ann, room, 1, "1+2")
    assert (table["seat"], table["does"]) == (1, "choose")
    assert ann.act(room, table, "choose", choice="3").status_code == 200


def test_dice_are_typed_where_they_lie(person: Callable[[], Person], server: Server) -> None:
    ann, elsewhere = person(), person()
    opened = ann.open(**MATCH, seats=[ANN, BOB, COMPUTER])
    room, keys = opened["view"]["room"], opened["keys"]
    assert may(ann, room)["types_dice"]
    assert elsewhere.enter(room, keys["1"]).status_code == 200
    theirs = may(elsewhere, room)
    assert (theirs["types_dice"], theirs["throw_for"]) == (False, [])
    table = throws(ann, room, 0, "1+1")
    ann.act(room, table, "choose", choice="2")
    table = throws(ann, room, 0, NOTHING_GOES)
    assert table["seat"] == 1
    refused = elsewhere.act(room, table, "throw", roll="6+6")
    assert refusal(refused) == (403, "not-allowed")
    no_dice_lie_in(server, room)
    assert 'name="roll"' not in elsewhere.get(f"/r/{room}").text
    assert 'name="roll"' in ann.get(f"/r/{room}").text
    # What was typed is corrected there, too; what goes down is chosen anywhere.
    table = throws(ann, room, 1, "1+1")
    assert elsewhere.act(room, table, "correct", roll="6+6").status_code == 403
    assert 'name="roll"' not in elsewhere.get(f"/r/{room}").text
    table = elsewhere.act(room, table, "choose", choice="2").json()["view"]["table"]
    table = throws(ann, room, 1, NOTHING_GOES)
    assert table["seat"] == 2
    assert elsewhere.act(room, table, "throw", roll="6+6").status_code == 403
    # Whoever has the keys of all people has the table before him, wherever he is.
    both = {"authorization": f"Bearer {keys['0']},{link_of(elsewhere, room, 1)}"}
    body = {"game": 1, "version": table["version"], "seat": 2, "do": "throw", "roll": "4+5"}
    path, action = path_of(room, "act"), {"action": "throws-with-both"}
    assert person().client.post(path, json={**body, **action}, headers=both).status_code == 200


def link_of(person: Person, room: str, seat: int) -> str:
    links = person.get(path_of(room)).json()["you"]["links"]
    found: str = links["seats"][str(seat)].rpartition("#")[2]
    return found


def test_dice_typed_at_the_question_how_many_are_thrown(ann: Person) -> None:
    opened = ann.open(game="classic(fewer=may-any)", dice="hand", seats=[ANN])
    room = opened["view"]["room"]
    chosen = ann.act(room, opened["view"]["table"], "choose", choice="6 5")
    assert chosen.status_code == 200, chosen.text
    assert "Threw 5 and 6, 11 in all." in says(ann, room)
    digital = ann.open(game="classic(fewer=may-any)", seats=[ANN])
    refused = ann.act(digital["view"]["room"], digital["view"]["table"], "choose", choice="6 5")
    assert refused.status_code == 422
