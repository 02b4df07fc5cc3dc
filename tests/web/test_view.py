"""What is shown of a table: its plates, its log, and no secret; and what nobody else is told."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from people import Person, path_of, refusal
from sealed_tables import at_two, play_out
from shutbox import Table, find
from shutbox.engine.cups import ScriptCup
from shutbox.engine.errors import NotKept
from shutbox.match import Format, Match
from shutbox.web.rooms.access import hashed
from shutbox.web.rooms.events import Begun
from shutbox.web.rooms.room import replay_room
from shutbox.web.rooms.table_view import TableView, table_view
from shutbox.web.server.services import Server
from shutbox.web.storage.database import Database
from shutbox.web.storage.schema import metadata

TWO = [{"who": "me", "name": "Ann"}, {"who": "link"}]


def test_no_secret_is_kept_as_it_is(person: Callable[[], Person], server: Server) -> None:
    ann, bob = person(), person()
    opened = ann.open(game="pub", format="order=seats", seats=TWO)
    room, keys = opened["view"]["room"], opened["keys"]
    keys["seat"] = bob.enter(room, keys["1"], "Bob").json()["key"]
    keys["link"] = ann.client.post("/games/link", data={}).text.partition("/take#")[2][:24]
    ann.step(room, ann.table(room))
    dump = str([server.database.rows(select(table)) for table in metadata.sorted_tables])
    cookies = [str(who.client.cookies["device"]) for who in (ann, bob)]
    assert room in dump
    assert hashed(keys["link"]) in dump
    for secret in (*keys.values(), *cookies):
        assert secret not in dump


def test_the_line_of_a_computer_player_who_stops_names_no_room(
    ann: Person,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    keep = server.writer.store

    async def of_people(first: Any, *writes: Any, room: str) -> None:
        event = first.keywords["added"][0]
        if event.action is None and '"happen"' in event.entry:
            raise NotKept("the disk is full")
        await keep(first, *writes, room=room)

    seats = [{"who": "me", "name": "Ann"}, {"who": "computer"}]
    room = ann.open(game="lucky-seven[seats=2]", seats=seats)["view"]["room"]
    monkeypatch.setattr(server.log, "write", of_people)
    table = ann.table(room)
    while table["seat"] == 0:
        table = ann.step(room, table)
    for _ in range(20):
        ann.get(path_of(room))
    assert "computer player stopped" in caplog.text
    assert room not in caplog.text


def test_every_turn_has_a_heading_also_the_second_of_two_in_a_row(ann: Person) -> None:
    """Bob plays last in the first round, and first in the second."""
    seats = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
    game, format = "classic(tiles=1-3)", "rounds=2,order=rotate"
    room = ann.open(game=game, format=format, seats=seats)["view"]["room"]
    ann.play_out(room)
    page = ann.get(f"/r/{room}").text
    log = page[page.index('id="log"') : page.index('id="sheet-panel"')]
    assert re.findall(r"<bdi>(\w+)</bdi></h3>", log) == ["Ann", "Bob", "Bob", "Ann"]


def test_the_page_of_a_long_match_is_there(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its log begins in the middle: with a move, and no line before it."""
    monkeypatch.setattr("shutbox.web.rooms.view.LOG_LINES", 9)
    seats = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
    room = ann.open(game="markers-five", seats=seats)["view"]["room"]
    table = ann.table(room)
    while not (log := ann.get(path_of(room)).json()["log"])[8:] or not log[0]["move"]:
        table = ann.step(room, table)
    assert len(log) == 9
    assert ann.get(f"/r/{room}").status_code == 200


TINY = "classic(tiles=1-2,dice=1d2)"


def seen(person: Person, room: str) -> dict[str, Any]:
    found: dict[str, Any] = person.get(path_of(room)).json()
    return found


def test_the_host_of_a_server_turns_phrases_off(ann: Person, bob: Person, server: Server) -> None:
    room = at_two(ann, bob)
    server.phrases = False
    assert seen(ann, room)["you"]["may"]["say"] == []
    said = ann.post(path_of(room, "say"), seat=0, phrase="bravo")
    assert refusal(said) == (403, "not-allowed")
    settings = replace(server.settings, database=f"{server.settings.database}.other", phrases=False)
    other = Server(settings, Database(settings.database))
    assert (other.phrases, Server(server.settings, server.database).phrases) == (False, True)


def test_the_score_of_tonight_counts_wins_and_begins_anew_after_some_hours(
    ann: Person, bob: Person, server: Server
) -> None:
    room, wins = at_two(ann, bob, game=TINY), [0, 0]
    for game in range(1, 5):
        play_out(room, ann, bob)
        for seat in ann.table(room)["winners"]:
            wins[seat] += 1
        assert [seat["wins"] for seat in seen(ann, room)["view"]["seats"]] == wins
        for person in (ann, bob):
            person.post(path_of(room, "rematch"), game=game)
        assert [seat["wins"] for seat in seen(ann, room)["view"]["seats"]] == wins
    events = asyncio.run(server.log.read(room)).events
    begun = next(event for _, _, event in events if isinstance(event, Begun))
    for hours, kept in ((5, True), (7, False)):
        again = replay_room(room, events)
        again.apply(again.event_count + 1, again.last_activity + hours * 3600, begun)
        assert any(again.wins) is kept


DICE = ("4+5", "1+1", "3+4", "1+1")
"""Ann covers 9 and leaves 7 and 8. Bob covers 7 and leaves 8 and 9."""


def views(format: str, dice: tuple[str, ...] = DICE, events: int = 6) -> list[TableView]:
    """Play a match of two by the first offer of each choice; return its view after each event."""
    match: Match[Any, Any] = Match(
        find("classic(tiles=7-9,fewer=never)"), Format.parse(format), ("Ann", "Bob")
    )
    table = Table(match, ScriptCup(list(dice)))
    found = [table_view(table, 1, [])]
    for _ in range(events):
        seat = found[-1].seat
        assert seat is not None
        if found[-1].does == "throw":
            table.throw(seat=seat)
        else:
            table.choose(found[-1].offers[0].text, seat=seat)
        found.append(table_view(table, 1, []))
    return found


def test_tiles_of_a_finished_turn_stay_on_the_plate_until_the_round_ends() -> None:
    stand = [[plate.stand for plate in view.plates] for view in views("rounds=2")]
    ann, bob = ("7", "8"), ("8", "9")
    assert stand[:3] == [[(), ()]] * 3
    assert stand[3:6] == [[ann, ()]] * 3  # Bob is due
    assert stand[6] == [(), ()]  # the second round begins with full boxes
    last = views("rounds=1")[-1]
    assert [plate.stand for plate in last.plates] == [ann, bob]
    assert [plate.points for plate in last.plates] == [15, 17]


def test_a_row_is_seen_at_all_times_with_what_was_covered_since_the_last_throw() -> None:
    seen = views("turns=throw", ("4+5", "3+4", "1+1", "4+4"), 5)
    assert [plate.row for plate in views("rounds=1")[0].plates] == [None, None]
    assert [[plate.row for plate in view.plates] for view in seen[1:5]] == [
        [("7", "8", "9"), ("7", "8", "9")],
        [("7", "8"), ("7", "8", "9")],
        [("7", "8"), ("7", "8", "9")],
        [("7", "8"), ("8", "9")],
    ]
    assert [plate.board for plate in seen[4].plates] == ["7 and 8 are up.", "8 and 9 are up."]
    assert [[plate.last for plate in view.plates] for view in seen[2:5]] == [
        [("9",), ()],
        [(), ()],
        [(), ("7",)],
    ]
    assert (seen[5].plates[0].state, seen[5].plates[0].points) == ("out", 15)


def test_who_is_not_yet_due_can_choose_how_to_cover_a_throw_for_all() -> None:
    seen = views("turns=common", ("4+5", "3+4", "4+4"), 6)
    assert all(not plate.offers for view in seen[:5] for plate in view.plates)
    assert [[offer.text for offer in plate.offers] for plate in seen[5].plates] == [[], ["8"]]
    assert not any(plate.offers for plate in seen[6].plates)  # Bob is due


def test_a_match_for_chips_says_what_each_has_won() -> None:
    seen = views("stake=1")
    assert all(plate.chips_won is None for view in seen[:-1] for plate in view.plates)
    assert [plate.chips_won for plate in seen[-1].plates] == [1, -1]
    assert [plate.chips for plate in seen[-1].plates] == [21, 19]
    assert [plate.chips_won for plate in views("rounds=1")[-1].plates] == [None, None]


def test_points_decide_the_only_round_of_a_match_for_chips() -> None:
    assert views("rounds=1")[-1].margin == views("stake=1")[-1].margin == 2


def test_who_is_out_has_no_points_to_lead_by() -> None:
    assert views("limit=16")[-1].winners == (0,)
    assert views("limit=16")[-1].margin is None


def test_a_turn_begins_with_what_it_has_to_beat() -> None:
    aims = [view.aim for view in views("rounds=1")]
    assert aims[0] == "Set the mark."
    assert aims[3] == "Ann left 15. Leave 14 or less to beat it."  # Bob is due
    shut = views("rounds=1", ("4+5", "4+4", "3+4"), 6)[-1]
    assert shut.aim == "Ann scored 0. Nothing beats that; the same result ties."


def test_the_throws_for_the_start_stay_on_the_plates_until_the_first_throw() -> None:
    *_, before, begun = views("begins=high-roll", ("2+1", "3+1", "4+5"), 3)
    plates = [(plate.state, plate.dice, plate.points) for plate in before.plates]
    assert plates == [("threw", (1, 2), 3), ("first", (1, 3), 4)]
    assert not any(plate.dice for plate in begun.plates)
