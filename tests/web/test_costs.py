"""Requests that cost the server work, time or memory, and their limits."""

from collections.abc import Callable
from typing import Any

import pytest

from people import Person, path_of
from records import header, random_play
from shutbox.engine.dice import Roll
from shutbox.engine.errors import TooLarge
from shutbox.engine.lru import LruCache
from shutbox.games.catalogue import find
from shutbox.record import read, to_bytes
from shutbox.table.bots import Perfect
from shutbox.web import limits
from shutbox.web.actions import replays, reviews
from shutbox.web.compute import tasks
from shutbox.web.server.services import Server

FORM = {"content-type": "application/x-www-form-urlencoded"}


# Bodies


def test_fields_of_a_form(ann: Person) -> None:
    for number, status in ((limits.MOST_FIELDS, 422), (limits.MOST_FIELDS + 1, 400)):
        content = "&".join(f"game{i}=x" for i in range(number - 1)) + "&game=nothing"
        assert ann.client.post("/play", content=content, headers=FORM).status_code == status


@pytest.mark.parametrize("charset", ["undefined", "punycode", "utf-16", "nothing"])
def test_a_form_in_a_strange_character_set(ann: Person, charset: str) -> None:
    body = b'--B\r\nContent-Disposition: form-data; name="\xc3"\r\n\r\nx\r\n--B--\r\n'
    kind = f"multipart/form-data; boundary=B; charset={charset}"
    response = ann.client.post("/review", content=body, headers={"content-type": kind})
    assert response.status_code in (400, 422)


def test_keys_of_a_request(person: Callable[[], Person]) -> None:
    ann, other = person(), person()
    opened = ann.open(game="classic")
    path = path_of(opened["view"]["room"])
    for number, status in ((limits.MOST_KEYS - 1, 200), (limits.MOST_KEYS, 403)):
        keys = ",".join([*("x" * number), opened["keys"]["0"]])
        answer = other.get(path, headers={"Authorization": f"Bearer {keys}"})
        assert answer.status_code == status


# Records


def test_a_record_that_takes_long_is_shown_as_far_as_it_came(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = ann.get(path_of(ann.played(2), "record")).content
    assert limits.REPLAY_SECONDS > 0
    monkeypatch.setattr(limits, "REPLAY_SECONDS", -1.0)
    shown = replays.replay_record(record)
    assert shown.fault == "Only the first 0 events are shown."
    assert len(shown.steps) == 1


LARGE = "classic(tiles=1-24,dice=3d8)"


def test_what_was_refused_once_is_refused_again_without_work(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = ann.open(game=LARGE)
    room = opened["view"]["room"]
    ann.step(room, opened["view"]["table"])
    asked = []

    async def do(who: str, work: Callable[..., Any], *about: Any, **lane: bool) -> Any:
        asked.append(work)
        return work(*about)

    monkeypatch.setattr(server.pool, "do", do)
    said = ann.get(path_of(room, "hint")).json()
    assert "would take too long" in str(said)
    monkeypatch.setattr(tasks, "whole_cost", None)
    assert ann.get(path_of(room, "hint")).json() == said
    assert asked == [tasks.hint, tasks.hint]
    assert tasks.cost_of.cache_parameters()["maxsize"] == limits.MOST_ESTIMATES
    seats = [{"who": "computer:perfect"}, {"who": "me"}]
    refused = ann.post("/api/rooms", game=LARGE, seats=seats)
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "too-large")


def test_a_record_of_many_events_is_not_quick(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, quick = ann.played(2), []
    do = server.pool.do

    async def seen(*about: Any, **options: Any) -> Any:
        quick.append(options["quick"])
        return await do(*about, **options)

    monkeypatch.setattr(server.pool, "do", seen)
    for most in (limits.SHORT_RECORD, 2):
        monkeypatch.setattr(limits, "SHORT_RECORD", most)
        assert ann.get(path_of(room, "record")).status_code == 200
    assert quick == [True, False]


def test_a_review_is_bounded_before_it_begins(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    record = ann.get(path_of(ann.played(2), "record")).content
    assert limits.MOST_REVIEWED > 2
    assert reviews.review_record(record).steps
    monkeypatch.setattr(limits, "MOST_REVIEWED", 1)
    with pytest.raises(TooLarge, match="more than 1 events"):
        reviews.review_record(record)
    monkeypatch.setattr(limits, "MOST_REVIEWED", 1_000)
    monkeypatch.setattr(reviews, "can_advise", lambda game: False)
    monkeypatch.setattr(reviews, "can_solve_from", lambda game, start: False)
    with pytest.raises(TooLarge, match="takes too long to review here"):
        reviews.review_record(record)


def test_of_too_many_events_few_are_played_to_refuse_them(monkeypatch: pytest.MonkeyPatch) -> None:
    tray, seen = find("tray"), []
    record = to_bytes(header("tray"), tray, random_play(tray, 1, 200).log)

    def reading(*about: Any) -> Any:
        found = read(*about)
        seen.append(len(found.play.log))
        return found

    monkeypatch.setattr(limits, "MOST_REVIEWED", 100)
    monkeypatch.setattr(replays, "read", reading)
    with pytest.raises(TooLarge, match="more than 100 events"):
        reviews.review_record(record)
    assert 100 < seen[0] < 130


def test_a_review_is_worked_out_once(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = ann.open(game="six")["view"]["room"]
    ann.play_out(room)
    first = ann.get(f"/r/{room}/review")
    assert first.status_code == 200
    monkeypatch.setattr(server.pool, "do", None)  # nobody is asked any more
    assert ann.get(f"/r/{room}/review").text == first.text
    assert server.reviews.most == limits.CACHED_REVIEWS
    assert server.turns.most == limits.CACHED_TURNS


# What was solved


def test_what_would_take_much_memory_is_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tasks.can_advise(find("full-house"))
    assert not tasks.can_advise(find("classic(tiles=1-15,dice=3d6)"))
    monkeypatch.setattr(limits, "HINT_MEMORY", 1 << 20)
    assert not tasks.can_advise(find("full-house"))


def test_who_was_not_asked_for_long_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tasks._seconds_of.cache_info().maxsize == limits.MOST_ESTIMATES
    assert tasks._solved.room == limits.SOLVED_MEMORY
    games = [find(name) for name in ("classic", "full-house", "classic(tiles=1-8)")]
    costs = [cost.memory for game in games if (cost := tasks.cost_of(game.name))]
    monkeypatch.setattr(tasks, "_solved", LruCache(3, costs[1] + costs[2]))
    hints = []
    for game in games:
        position = game.rolled(game.start(), Roll((1, 2)))
        hints.append(tasks.hint(game, position, "ranked"))
    assert [game for game, _ in tasks._solved] == games[1:]
    here = games[0].rolled(games[0].start(), Roll((1, 2)))
    assert tasks.hint(games[0], here, "ranked") == hints[0]
    player = tasks._player(games[0], "perfect")
    assert isinstance(player, Perfect)
    assert player.seconds == limits.HINT_SECONDS
    assert not player.every_round


def test_a_hint_tells_the_best_of_many_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    full_house = find("full-house")
    position = full_house.position_at("1-12/6+6")
    everything = tasks.hint(full_house, position, "ranked").figures
    monkeypatch.setattr(limits, "HINT_CHOICES", 3)
    some = tasks.hint(full_house, position, "ranked").figures
    assert everything is not None
    assert some is not None
    assert everything.more == 0
    assert some.choices == everything.choices[:3]
    assert some.more == len(everything.choices) - 3 > 0
