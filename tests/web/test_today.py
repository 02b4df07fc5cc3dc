"""Today's box: the same dice for everyone, one try a device, and a seed published the next day."""

import asyncio
import re
import tomllib
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from people import Person, refusal
from shutbox import find
from shutbox.engine.cups import SeededCup
from shutbox.engine.dice import Dice
from shutbox.engine.game import position_text
from shutbox.solving.known_dice import check_known
from shutbox.solving.review.report import ReviewedThrow
from shutbox.solving.review.review import review
from shutbox.table.today import DAILY, Day, DayMove, commonest_mistake, skills_of, streak_of
from shutbox.web import admin
from shutbox.web.compute.tasks import is_quick
from shutbox.web.server.services import Server
from shutbox.web.tries import new_day as draw_day
from shutbox.web.tries import store_day

MONDAY = datetime(2026, 11, 23, 9, tzinfo=UTC).timestamp()
DAY = 86_400.0
CLOSES = MONDAY + 15.5 * 3600  # when Monday's seed is published
TABLE: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("today.toml").read_text(encoding="utf-8")
)


@pytest.fixture
def clock(server: Server, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the server takes the time to be: the one number in the list.

    The seeds of days are the same in every run: what a test finds, it finds again.
    """

    def known(day: str) -> Day:
        drawn = draw_day(day)
        secret = sha256(f"tests {day}".encode()).hexdigest()
        return Day(day, drawn.game, f"{day} {drawn.game} {secret}")

    monkeypatch.setattr("shutbox.web.tries.new_day", known)
    now = [MONDAY]
    server.rooms.now = lambda: now[0]
    return now


def today(person: Person, day: str = "") -> dict[str, Any]:
    """What is told of today, or of another day."""
    found: dict[str, Any] = person.get(f"/api/today{day and '/'}{day}").json()
    return found


def try_today(person: Person) -> tuple[str, dict[str, Any]]:
    """The room of a try, and its table."""
    answer = person.post("/api/today")
    assert answer.status_code == 201, answer.text
    view = answer.json()["view"]
    return view["room"], view["table"]


def play(person: Person, room: str, table: dict[str, Any], pick: int = 0) -> list[str]:
    """Play to the end by one of the offers; the dice of every throw, as a record has them."""
    while table["does"] != "over":
        offers, choice = table["offers"], {}
        if table["does"] == "choose":
            choice = {"choice": offers[pick % len(offers)]["text"]}
        answer = person.act(room, table, table["does"], **choice)
        assert answer.status_code == 200, answer.text
        table = answer.json()["view"]["table"]
    record = person.get(f"/api/rooms/{room}/record").text
    return [line.split()[3] for line in record.splitlines() if ": throws " in line]


def test_each_day_has_a_box_whose_hash_is_shown_the_day_before(
    ann: Person, server: Server, clock: list[float]
) -> None:
    thrown = play(ann, *try_today(ann))
    before = today(ann)
    assert before["tomorrow"] not in ("", before["proof"])
    assert before["tomorrow"] in ann.get("/today").text
    for day in ("2026-11-22", "2026-11-24", "2026-11-31", "yesterday", "0000"):
        assert ann.get(f"/api/today/{day}").status_code == 404
        assert ann.get(f"/today/{day}").status_code == 404
        assert f'href="/today/{day}' not in ann.get("/today").text
    assert refusal(ann.get("/api/today/2026-11-23")) == (403, "not-allowed")
    first, second = secrets_of(server)
    clock[0] += DAY
    assert today(ann)["proof"] == before["tomorrow"] == sha256(second.encode()).hexdigest()
    assert secrets_of(server)[:2] == [first, second]  # what is stored stays as it is
    told = today(ann, "2026-11-23")
    assert sha256(told["seed"].encode()).hexdigest() == before["proof"] == told["proof"]
    for roll, faces in zip(thrown, told["throws"], strict=False):
        fell = faces[: roll.count("+") + 1]  # one die shows the first face
        assert sorted(fell) == [int(face) for face in roll.split("+")]
    assert len(told["throws"]) >= len(thrown)


def secrets_of(server: Server) -> list[str]:
    with server.database.reader.connect() as connection:
        return list(connection.scalars(text("SELECT seed FROM days ORDER BY day")))


def check_thrown(server: Server, thrown: list[str]) -> None:
    """Check that a try at Monday's box had the dice of its seed."""
    seed = secrets_of(server)[0]
    assert seed.startswith("2026-11-23 classic ")
    for number, roll in enumerate(thrown, start=1):
        dice = Dice.of(roll.count("+") + 1, 6)
        assert str(SeededCup(f"{seed} {number}").throw(dice)) == roll


def test_nothing_of_the_dice_is_told_before_the_end_of_ones_own_try(
    ann: Person, bob: Person, server: Server, clock: list[float]
) -> None:
    room, table = try_today(ann)
    for found in (today(ann), today(bob)):
        assert (found["exact"], found["mine"]) == (None, None)
    thrown = play(ann, room, table)
    assert None not in (today(ann)["exact"], today(ann)["mine"])
    untold: dict[str, Any] = {"exact": None, "hardest": None}
    untold |= {"skills": [], "share": "", "spoken": ""}
    assert untold.items() <= today(bob).items()
    shown = bob.get("/today").text
    assert not re.search('class="(squares|cal|panel)', shown)
    first = re.findall(r'class="die"[^>]+aria-label="die (\d)"', shown)  # no other dice
    assert sorted(first) == sorted(thrown[0].split("+"))
    keys = [seed.split()[-1] for seed in secrets_of(server)]
    assert len(keys) == 2  # today's and tomorrow's
    pages = ["/", f"/r/{room}", f"/api/rooms/{room}", f"/api/rooms/{room}/record"]
    pages += [f"{way}/today{day}" for way in ("", "/api") for day in ("", *DAYS)]
    for page in pages:
        for key in keys:
            assert key not in ann.get(page).text, page
    assert keys[0] not in repr(Day("2026-11-23", "classic", f"2026-11-23 classic {keys[0]}"))


DAYS = ("/2026-11-23", "/2026-11-24")


def test_a_try_is_judged_by_its_review_and_shared_as_squares_and_as_words(
    person: Callable[[], Person], clock: list[float]
) -> None:
    seen: set[str] = set()
    for pick in (-1, 0, 1):
        device = person()
        room, table = try_today(device)
        thrown = play(device, room, table, pick)
        found = today(device)
        reviewed = review(device.get(f"/api/rooms/{room}/record").content)
        words = found["skills"]
        # Nothing is chosen after a last throw that is stuck.
        assert len(words) == len(thrown) - isinstance(reviewed.events[-1], ReviewedThrow)
        assert (found["mine"]["loss"] > 0) == ({*words} != {"best"})
        assert found["mine"]["loss"] == round(float(reviewed.seats[0].cost), 6)
        assert found["mine"]["score"] == reviewed.seats[0].result
        squares = {"best": "🟩", "close": "🟨", "mistake": "🟥"}
        line = f"Shut the Box #214 · {found['mine']['score']} left"
        assert found["share"] == f"{line}\n{''.join(squares[word] for word in words)}"
        assert found["spoken"] == f"{line.replace(' ·', ',')}: {', '.join(words)}."
        page = device.get("/today").text
        assert re.findall('role="img" aria-label="(best|close|mistake)"', page) == words
        assert found["spoken"] in page
        seen |= {*words}
    assert seen >= {"best", "mistake"}
    costs_of_throws = ((1, 0.0), (1, 0.0), (2, 0.3), (2, 0.1), (3, 0.3), (3, 0.2))
    moves = tuple(DayMove(throw, "", "", "", cost) for throw, cost in costs_of_throws)
    assert skills_of(moves) == ("best", "close", "mistake")


def marks_of(text: str) -> list[str]:
    names = {"x": "played", "f": "free", "-": "missed", "o": "open"}
    return [names[letter] for letter in text.replace(" ", "")]


@pytest.mark.parametrize(("played", "marks", "days", "free"), TABLE["streaks"])
def test_a_streak_has_one_free_day_a_week(played: str, marks: str, days: int, free: bool) -> None:
    first = date(2026, 11, 2)
    letters = played.replace(" ", "") or "."
    on = {str(first + timedelta(n)) for n, letter in enumerate(letters) if letter == "x"}
    found = streak_of(on, str(first + timedelta(len(letters) - 1)))
    assert (list(found.marks.values()), found.days) == (marks_of(marks), days)
    assert found.free == free


def test_a_streak_belongs_to_the_device_and_goes_on_day_after_day(
    ann: Person, bob: Person, clock: list[float]
) -> None:
    for day in range(3):
        clock[0] = MONDAY + day * DAY
        assert today(ann)["streak"]["days"] == day
        page = ann.get("/today").text
        assert ("You have one try" in page, "in a row" in page) == (day == 0, day > 1)
        play(ann, *try_today(ann))
        found = today(ann)  # it is judged
    streak = found["streak"]
    assert (found["number"], streak["days"], streak["free"]) == (216, 3, False)
    assert [*streak["marks"].values()] == ["played"] * 3
    assert today(bob)["streak"]["days"] == 0
    page = ann.get("/today").text
    assert "<b>3</b> days in a row" in page
    assert (found["next_in"], "15 h 0 min" in page) == (15 * 3600, True)
    assert f"25 November, {found['mine']['score']} left" in page
    assert 'href="/today/2026-11-24#day"' in page
    assert "The month after" not in page
    before = ann.get("/today?month=2026-10").text
    assert ">October</h2>" in before
    assert 'href="/today?month=2026-11#month"' in before
    for odd in ("2026-13", "2027-01", "nonsense", "", "0001-01"):
        assert ann.get(f"/today?month={odd}").status_code == 200


def test_yesterdays_hardest_throw_is_told_with_its_answer(
    ann: Person, bob: Person, clock: list[float]
) -> None:
    for device in (ann, bob):
        room, table = try_today(device)
        play(device, room, table, -1)
        today(device)  # it is judged
    reviewed = review(bob.get(f"/api/rooms/{room}/record").content)
    clock[0] = CLOSES - 1
    assert today(ann)["hardest"] is None  # it waits for the seed
    clock[0] = CLOSES
    found = today(ann)["hardest"]
    worst = max(
        (one for one in reviewed.choices if "/" in position_text(reviewed.game, one.before)),
        key=lambda one: one.cost,
    )
    assert worst.best is not None
    assert found["position"] == position_text(reviewed.game, worst.before)
    assert (found["choice"], found["best"]) == (worst.choice, str(worst.best))
    assert (found["share"], found["cost"]) == (100, round(float(worst.cost), 6))
    assert found["why"].startswith(worst.best.text.replace(" ", " and "))
    page = ann.get("/today").text
    assert f'href="/p/{found["position"]}"' in page
    assert found["why"] in page


@pytest.mark.parametrize(("tries", "hardest"), TABLE["hardest"])
def test_the_hardest_throw_is_the_mistake_most_players_made(
    tries: list[str], hardest: list[Any]
) -> None:
    moves = []
    for played in tries:
        position, choice, best, cost = played.split(":")
        moves.append((DayMove(1, position, choice, best, float(cost)),))
    found = commonest_mistake(moves)
    assert ([found[0].position, found[0].choice, found[1]] if found else []) == hardest


def test_a_try_goes_on_after_midnight_and_the_calendar_shows_it_with_one_yardstick(
    ann: Person, bob: Person, server: Server, clock: list[float]
) -> None:
    clock[0] = MONDAY + 15 * 3600 - 1
    room, table = try_today(ann)
    table = ann.step(room, table)
    clock[0] += 2
    check_thrown(server, play(ann, room, table))
    assert refusal(ann.get("/api/today/2026-11-23")) == (403, "not-allowed")
    clock[0] = CLOSES
    told = today(ann, "2026-11-23")
    assert told["finished"] == 1
    assert 'href="/today/2026-11-23"' in ann.get(f"/r/{room}").text
    page = ann.get("/today/2026-11-23").text
    assert f"<b>{told['mine']['score']}</b> left" in page
    assert f"Perfect play with the same dice: {told['exact']['score']}" in page
    assert f'href="/r/{room}/review">See your try' in page
    assert re.findall('role="img" aria-label="(best|close|mistake)"', page) == told["skills"]
    assert not re.search("Place|% do worse|hindsight|Player", page)
    missed = bob.get("/today/2026-11-23").text
    assert "You did not play this day. You still can" in missed
    assert room not in missed


def test_no_throw_of_a_day_is_made_once_its_seed_is_published(
    ann: Person, bob: Person, clock: list[float]
) -> None:
    room, table = try_today(ann)
    table = ann.step(room, table)
    play(bob, *try_today(bob))
    assert today(bob)["finished"] == 1  # it is judged beside the answer to the last choice
    clock[0] = CLOSES - 1
    assert refusal(ann.get("/api/today/2026-11-23")) == (403, "not-allowed")
    assert ann.get("/today/2026-11-23").status_code == 403
    table = ann.step(room, table)
    while table["does"] == "choose":
        table = ann.step(room, table)
    clock[0] = CLOSES
    told = today(ann, "2026-11-23")
    assert sha256(told["seed"].encode()).hexdigest() == told["proof"]
    answer = ann.act(room, table, "throw")
    assert refusal(answer) == (403, "not-allowed")
    assert "no more dice are thrown" in answer.json()["error"]["message"]
    assert ann.table(room)["version"] == table["version"]
    assert (told["finished"], told["mine"]) == (1, None)


@pytest.mark.parametrize("late", [False, True])
def test_a_try_that_was_not_judged_at_once_is_judged_later_if_it_ended_in_time(
    late: bool, ann: Person, server: Server, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The server died in between.
    monkeypatch.setattr(server.days, "begin_judging_if_over", lambda live: None)
    room, table = try_today(ann)
    play(ann, room, table)
    live = server.rooms.loaded_room(room)
    assert live is not None
    if late:
        live.room.last_activity = CLOSES  # the time of its last choice
    clock[0] = CLOSES + 1
    told = today(ann, "2026-11-23")
    assert (told["finished"], told["mine"] is None) == (0, True) if late else (1, False)


def test_deleting_a_room_keeps_what_was_reached_there(
    ann: Person, bob: Person, server: Server, clock: list[float]
) -> None:
    room, table = try_today(ann)
    play(ann, room, table)
    mine = today(ann)["mine"]
    other, _ = try_today(bob)
    for each in (room, other):
        admin.carry_out(server.database, "delete", each)
    found = today(ann)
    assert (found["mine"], found["room"], found["finished"]) == (mine, None, 1)
    assert ann.post("/api/today").status_code == 403
    again, _ = try_today(bob)
    assert again != other, "links of the deleted try lead to this one"


def test_a_seed_says_its_day_and_its_game_and_the_first_one_stands(
    server: Server, clock: list[float]
) -> None:
    days = [draw_day("2026-11-29") for _ in range(20)]
    assert len({day.seed for day in days}) == 20
    assert all(re.fullmatch("2026-11-29 full-house [0-9a-f]{64}", day.seed) for day in days)
    server.database.write(*(partial(store_day, day=day) for day in days[:2]))
    assert asyncio.run(server.days.find("2026-11-29")) == days[0]
    asyncio.run(server.close())


def test_every_box_of_the_week_is_solved_and_searched_in_a_moment() -> None:
    for game in map(find, DAILY):
        assert is_quick(game), game.name
        check_known(game)
        assert game.scoring is not None
        assert game.scoring.low_is_good


def test_a_missed_day_can_be_played_with_its_dice_and_does_not_count(
    ann: Person, bob: Person, server: Server, clock: list[float]
) -> None:
    bob.get("/api/today")
    form = {"action": "a-missed-day"}
    assert bob.send_form("/today/2026-11-23", form).status_code == 403, "it is not over"
    clock[0] += DAY
    assert ann.send_form("/today/2026-11-22", form).status_code == 404
    answer = ann.send_form("/today/2026-11-23", form)
    assert answer.status_code == 303
    room = answer.headers["location"].removeprefix("/r/")
    assert "Box of 23 November" in ann.get(f"/r/{room}").text
    check_thrown(server, play(ann, room, ann.table(room)))
    assert ann.post(f"/api/rooms/{room}/rematch", game=1).status_code == 403
    told = today(ann, "2026-11-23")
    assert (told["finished"], told["mine"]) == (0, None)
    assert today(ann)["streak"]["days"] == 0
    assert "\ndice day 2026-11-23\n" in ann.get(f"/api/rooms/{room}/record").text
