"""Friends at a table: names, phrases, an agreed rematch, tonight's score, and how a turn begins."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from people import Person, path_of
from shutbox.web.rooms.events import Begun
from shutbox.web.rooms.room import replay_room
from shutbox.web.server.services import Server
from shutbox.web.storage.database import Database

Make = Callable[[], Person]
TINY = "classic(tiles=1,dice=1d2)"


def code(answer: Any) -> str:
    return str(answer.json()["error"]["code"])


def at_two(person: Make, **more: Any) -> tuple[Person, Person, str]:
    """Ann, who opened a table, and Bob, who came by her link."""
    ann, bob = person(), person()
    seats = [{"who": "me", "name": "Ann"}, {"who": "link"}]
    opened = ann.open(**{"game": "classic", "seats": seats, **more})
    room = opened["view"]["room"]
    assert bob.enter(room, opened["keys"]["1"], "Bob").status_code == 200
    return ann, bob, room


def played_out(ann: Person, bob: Person, room: str) -> dict[str, Any]:
    table = ann.table(room)
    while table["does"] != "over":
        table = (ann, bob)[table["seat"]].step(room, table)
    return table


def view_of(person: Person, room: str) -> dict[str, Any]:
    view: dict[str, Any] = person.get(path_of(room)).json()["view"]
    return view


def may(person: Person, room: str) -> dict[str, Any]:
    found: dict[str, Any] = person.get(path_of(room)).json()["you"]["may"]
    return found


def newest(person: Person, room: str) -> list[str]:
    says: list[str] = person.get(path_of(room)).json()["log"][-1]["says"]
    return says


# Names


def test_a_cleared_name_is_gone_from_everything_that_is_told(person: Make) -> None:
    ann, bob, room = at_two(person, format="order=seats")
    while (table := ann.table(room))["seat"] == 0:
        ann.step(room, table)
    bob.step(room, table)
    assert "Bob" in ann.get(path_of(room)).text
    assert may(ann, room)["clear_name"] == [0, 1]
    before = ann.table(room)
    assert ann.post(path_of(room, "clear-name"), seat=1).status_code == 200
    after = ann.table(room)
    kept = ("version", "seat", "pieces", "offers", "thrown")
    assert [after[key] for key in kept] == [before[key] for key in kept]
    for text in (ann.get(path_of(room)).text, ann.get(path_of(room, "record")).text):
        assert "Bob" not in text
        assert "Player 2" in text
    assert newest(bob, room) == ["Player 2 is the new name of a player."]
    played_out(ann, bob, room)


def _stored(server: Server, room: str) -> Any:
    """Return the stored events of a room, read as at the start of a server."""
    return asyncio.run(server.log.read(room)).events


# Phrases


def test_the_host_of_a_server_turns_phrases_off(person: Make, server: Server) -> None:
    ann, _, room = at_two(person)
    server.phrases = False
    assert may(ann, room)["say"] == []
    assert code(ann.post(path_of(room, "say"), seat=0, phrase="bravo")) == "not-allowed"
    settings = replace(server.settings, database=f"{server.settings.database}.other", phrases=False)
    other = Server(settings, Database(settings.database))
    assert (other.phrases, Server(server.settings, server.database).phrases) == (False, True)


# A rematch


def test_the_score_of_tonight_counts_games_with_a_winner(person: Make) -> None:
    ann, bob, room = at_two(person, game="classic(tiles=1-2,dice=1d2)")
    wins = [0, 0]
    for game in range(1, 5):
        table = played_out(ann, bob, room)
        for seat in table["winners"]:
            wins[seat] += 1
        assert [seat["wins"] for seat in view_of(ann, room)["seats"]] == wins
        ann.post(path_of(room, "rematch"), game=game)
        bob.post(path_of(room, "rematch"), game=game)
        assert [seat["wins"] for seat in view_of(ann, room)["seats"]] == wins
    assert sum(wins) >= 4


def test_the_score_begins_anew_after_some_hours(person: Make, server: Server) -> None:
    ann, bob, room = at_two(person, game=TINY)
    played_out(ann, bob, room)
    events = _stored(server, room)
    begun = next(event for _, _, event in events if isinstance(event, Begun))
    for pause, kept in ((5 * 3600.0, True), (7 * 3600.0, False)):
        again = replay_room(room, events)
        again.apply(again.event_count + 1, again.last_activity + pause, begun)
        assert any(again.wins) is kept


# How a turn begins


def test_a_turn_begins_with_what_it_has_to_beat(person: Make) -> None:
    ann, bob, room = at_two(person, format="order=seats")
    table = ann.table(room)
    assert table["aim"] == "Set the mark."
    while table["seat"] == 0:
        table = ann.step(room, table)
    points = table["plates"][0]["points"]
    left = f"Ann left {points}. Leave {points - 1} or less to beat it."
    shut = "Ann scored 0. Nothing beats that; the same result ties."
    assert table["aim"] == (left if points else shut)
    assert table["aim"] in bob.get(f"/r/{room}").text
    assert table["aim"] not in ann.get(f"/r/{room}").text.partition("<script")[0]


def test_the_throws_for_the_start_stay_on_the_plates_until_the_first_throw(person: Make) -> None:
    ann, bob, room = at_two(person, format="begins=high-roll")
    table = ann.table(room)
    while not any(plate["state"] == "first" for plate in table["plates"]):
        assert table["does"] == "throw"
        table = (ann, bob)[table["seat"]].step(room, table)
    first = table["seat"]
    plates = table["plates"]
    assert [plate["state"] for plate in plates][first] == "first"
    assert all(sum(plate["dice"]) == plate["points"] for plate in plates if plate["dice"])
    assert plates[first]["points"] == max(plate["points"] or 0 for plate in plates)
    pages = [one.get(f"/r/{room}").text for one in (ann, bob)]
    assert "You go first" in pages[first]
    assert "goes first</span>" in pages[1 - first].replace("\u2069", "")
    table = (ann, bob)[first].step(room, table)
    assert not any(plate["dice"] for plate in table["plates"])
