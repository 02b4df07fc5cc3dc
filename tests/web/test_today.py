"""Today's box: the same dice for everyone, one try a device, and a seed published the next day."""

import asyncio
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from typing import Any

import httpx2
import pytest
from sqlalchemy import text

from people import Person
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
from shutbox.web.tries import new_day, store_day

MONDAY = datetime(2026, 11, 23, 9, tzinfo=UTC).timestamp()
DAY = 86_400.0
CLOSES = MONDAY + 15.5 * 3600  # when Monday's seed is published

People = Callable[[], Person]


@pytest.fixture
def clock(server: Server, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the server takes the time to be: the one number in the list.

    The seeds of days are the same in every run: what a test finds, it finds again.
    """

    def known(day: str) -> Day:
        drawn = new_day(day)
        secret = sha256(f"tests {day}".encode()).hexdigest()
        return Day(day, drawn.game, f"{day} {drawn.game} {secret}")

    monkeypatch.setattr("shutbox.web.tries.new_day", known)
    now = [MONDAY]
    server.rooms.now = lambda: now[0]
    return now


def try_today(person: Person) -> tuple[str, dict[str, Any]]:
    """The room of a try, and its table."""
    answer = person.post("/api/today")
    assert answer.status_code == 201, answer.text
    view = answer.json()["view"]
    return view["room"], view["table"]


def play(person: Person, room: str, table: dict[str, Any], pick: int = 0) -> list[str]:
    """Play to the end by one of the offers; the dice of every throw, as a record has them."""
    while table["does"] != "over":
        if table["does"] == "throw":
            answer = person.act(room, table, "throw")
        else:
            offers = table["offers"]
            answer = person.act(room, table, "choose", choice=offers[pick % len(offers)]["text"])
        assert answer.status_code == 200, answer.text
        table = answer.json()["view"]["table"]
    record = person.get(f"/api/rooms/{room}/record").text
    return [line.split()[3] for line in record.splitlines() if ": throws " in line]


def settled(person: Person) -> dict[str, Any]:
    found: dict[str, Any] = person.get("/api/today").json()
    assert found["mine"] is not None
    return found


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


def test_the_seed_checks_out_against_its_hash_the_day_after(
    person: People, server: Server, clock: list[float]
) -> None:
    device = person()
    thrown = play(device, *try_today(device))
    shown = device.get("/api/today").json()["proof"]
    early = device.get("/api/today/2026-11-23")
    assert (early.status_code, early.json()["error"]["code"]) == (403, "not-allowed")
    clock[0] += DAY
    told = device.get("/api/today/2026-11-23").json()
    assert sha256(told["seed"].encode()).hexdigest() == shown == told["proof"]
    for roll, faces in zip(thrown, told["throws"], strict=False):
        fell = faces[: roll.count("+") + 1]  # one die shows the first face
        assert sorted(fell) == [int(face) for face in roll.split("+")]
    assert len(told["throws"]) >= len(thrown)


def test_a_day_without_a_box_is_not_found(ann: Person, clock: list[float]) -> None:
    ann.get("/api/today")
    clock[0] += DAY
    for day in ("2026-11-22", "2026-11-25", "2026-11-31", "yesterday", "0000"):
        assert ann.get(f"/api/today/{day}").status_code == 404
        assert ann.get(f"/today/{day}").status_code == 404


def test_nothing_of_the_dice_is_told_before_the_end_of_ones_own_try(
    person: People, server: Server, clock: list[float]
) -> None:
    device, other = person(), person()
    room, table = try_today(device)
    for answer in (device.get("/api/today"), other.get("/api/today")):
        found = answer.json()
        assert (found["exact"], found["mine"]) == (None, None)
    thrown = play(device, room, table)
    found = settled(device)
    assert None not in (found["exact"], found["mine"])
    untold: dict[str, Any] = {"exact": None, "hardest": None}
    untold |= {"skills": [], "share": "", "spoken": ""}
    assert untold.items() <= other.get("/api/today").json().items()
    shown = other.get("/today").text
    assert not re.search('class="(squares|cal|panel)', shown)
    first = re.findall(r'class="die"[^>]+aria-label="die (\d)"', shown)  # no other dice
    assert sorted(first) == sorted(thrown[0].split("+"))
    keys = [seed.split()[-1] for seed in secrets_of(server)]
    assert len(keys) == 2  # today's and tomorrow's
    pages = ["/today", "/api/today", f"/r/{room}", f"/api/rooms/{room}", "/"]
    pages += [f"/api/rooms/{room}/record", "/today/2026-11-23", "/api/today/2026-11-23"]
    pages += ["/today/2026-11-24", "/api/today/2026-11-24"]
    for page in pages:
        for key in keys:
            assert key not in device.get(page).text, page
    assert keys[0] not in repr(Day("2026-11-23", "classic", f"2026-11-23 classic {keys[0]}"))


def test_a_try_is_judged_by_its_review_and_shared_as_squares_and_as_words(
    person: People, server: Server, clock: list[float]
) -> None:
    seen: set[str] = set()
    for pick in range(-1, 3):
        device = person()
        room, table = try_today(device)
        thrown = play(device, room, table, pick)
        found = settled(device)
        reviewed = review(device.get(f"/api/rooms/{room}/record").content)
        costs = [0.0 for _ in thrown]  # of the choices after each throw
        number = -1
        for event in reviewed.events:
            if isinstance(event, ReviewedThrow):
                number += 1
            else:
                costs[number] += float(event.cost)
        if isinstance(reviewed.events[-1], ReviewedThrow):
            costs.pop()  # stuck: nothing was chosen
        words = ["best" if not cost else "close" if cost < 0.5 else "mistake" for cost in costs]
        assert found["skills"] == words
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


@pytest.mark.parametrize(
    ("played", "marks", "days", "free"),
    [  # days from Monday 2 November 2026, one letter each, to the last, which is today
        ("", "o", 0, False),
        ("x", "x", 1, False),
        ("xx", "xx", 2, False),
        ("xx.", "xxo", 2, False),  # today can still be played
        ("xx..", "xx-o", 0, False),  # no free day before the first Sunday
        ("xxxxxxx x.x", "xxxxxxx xfx", 9, False),
        ("xxxxxxx x...", "xxxxxxx xf-o", 0, False),
        ("xxxxxx. x", "xxxxxxf x", 7, False),  # it comes on Sunday, and Sunday uses it
        ("xxxxxxx xxxxxxx x.x.x", "xxxxxxx xxxxxxx xfx-x", 1, False),  # at most one is held
        ("xxxxxxx .xxxxx. .x", "xxxxxxx fxxxxxf -x", 1, False),
        ("xxxxxxx .xxxxxx .x", "xxxxxxx fxxxxxx fx", 14, False),
        ("xxxxxx. ..x", "xxxxxxf -- x", 1, False),
        ("xxxx..x ..", "xxxx--x fo", 1, False),
        ("x...... ...x", "x------ --- x", 1, True),
        ("..x.... x", "x---- x", 1, True),  # nothing is used up without a streak
    ],
)
def test_a_streak_has_one_free_day_a_week(played: str, marks: str, days: int, free: bool) -> None:
    first = date(2026, 11, 2)
    letters = played.replace(" ", "") or "."
    on = {str(first + timedelta(n)) for n, letter in enumerate(letters) if letter == "x"}
    found = streak_of(on, str(first + timedelta(len(letters) - 1)))
    assert (list(found.marks.values()), found.days) == (marks_of(marks), days)
    assert found.free == free


def test_a_streak_belongs_to_the_device_and_goes_on_day_after_day(
    person: People, server: Server, clock: list[float]
) -> None:
    device, other = person(), person()
    for day in range(3):
        clock[0] = MONDAY + day * DAY
        assert device.get("/api/today").json()["streak"]["days"] == day
        page = device.get("/today").text
        assert ("You have one try" in page) == (day == 0)
        assert ("in a row" in page) == (day > 1)
        play(device, *try_today(device))
        assert settled(device)["streak"]["days"] == day + 1
    found = device.get("/api/today").json()
    assert (found["number"], found["streak"]["free"], found["next_in"]) == (216, False, 15 * 3600)
    assert list(found["streak"]["marks"].values()) == ["played"] * 3
    assert other.get("/api/today").json()["streak"]["days"] == 0
    page = device.get("/today").text
    assert "<b>3</b> days in a row" in page
    assert "15 h 0 min" in page
    score = found["mine"]["score"]
    assert f"25 November, {score} left" in page
    assert 'href="/today/2026-11-24#day"' in page
    assert "The month after" not in page
    before = device.get("/today?month=2026-10").text
    assert ">October</h2>" in before
    assert 'href="/today?month=2026-11#month"' in before
    for odd in ("2026-13", "2027-01", "nonsense", "", "0001-01"):
        assert device.get(f"/today?month={odd}").status_code == 200


def test_yesterdays_hardest_throw_is_told_with_its_answer(
    person: People, server: Server, clock: list[float]
) -> None:
    devices = [person() for _ in range(3)]
    for device in devices:
        play(device, *try_today(device), -1)
        settled(device)
    room = settled(devices[0])["room"]
    reviewed = review(devices[0].get(f"/api/rooms/{room}/record").content)
    clock[0] = CLOSES - 1
    assert person().get("/api/today").json()["hardest"] is None  # it waits for the seed
    clock[0] = CLOSES
    found = person().get("/api/today").json()["hardest"]
    worst = max(
        (one for one in reviewed.choices if "/" in position_text(reviewed.game, one.before)),
        key=lambda one: one.cost,
    )
    assert found["position"] == position_text(reviewed.game, worst.before)
    assert (found["choice"], found["best"]) == (worst.choice, str(worst.best))
    assert (found["share"], found["cost"]) == (100, round(float(worst.cost), 6))
    assert worst.best is not None
    assert found["why"].startswith(worst.best.text.replace(" ", " and "))
    page = devices[0].get("/today").text
    assert f'href="/p/{found["position"]}"' in page
    assert found["why"] in page


@pytest.mark.parametrize(
    ("tries", "hardest"),
    [
        ([], None),
        (["a:5:5:0"], None),
        (["a:5:4 1:2", "a:5:4 1:2"], ("a", "5", 100)),
        (["a:5:4 1:1", "a:5:4 1:1", "a:4 1:4 1:0", "b:9:8 1:6"], ("a", "5", 67)),
        (["a:5:4 1:1", "a:3 2:4 1:3", "a:3 2:4 1:3"], ("a", "3 2", 67)),
        (["a:5:4 1:2", "a:3 2:4 1:1", "a:3 2:4 1:1", "b:9:8 1:6"], ("a", "3 2", 67)),
        (["a:5:4 1:1", "b:9:8 1:6"], ("b", "9", 100)),  # as common, but it cost more
        (["a:5::0", "a:5:5:0.05"], None),  # forced, or too little to be noticed
    ],
)
def test_the_hardest_throw_is_the_mistake_most_players_made(
    tries: list[str], hardest: tuple[str, str, int] | None
) -> None:
    moves = []
    for played in tries:
        position, choice, best, cost = played.split(":")
        moves.append((DayMove(1, position, choice, best, float(cost)),))
    found = commonest_mistake(moves)
    assert (found and (found[0].position, found[0].choice, found[1])) == hardest


def test_a_try_goes_on_after_midnight_with_the_dice_of_its_day(
    person: People, server: Server, clock: list[float]
) -> None:
    device = person()
    clock[0] = MONDAY + 15 * 3600 - 1
    room, table = try_today(device)
    table = device.step(room, table)
    clock[0] += 2
    thrown = play(device, room, table)
    check_thrown(server, thrown)
    assert refused(device.get("/api/today/2026-11-23")) == "not-allowed"
    clock[0] = CLOSES
    told = device.get("/api/today/2026-11-23").json()
    assert told["finished"] == 1
    page = device.get(f"/r/{room}").text
    assert 'href="/today/2026-11-23"' in page
    assert f"<b>{told['mine']['score']}</b> left" in device.get("/today/2026-11-23").text


def refused(answer: httpx2.Response) -> str:
    assert answer.status_code == 403
    return str(answer.json()["error"]["code"])


def test_no_throw_of_a_day_is_made_once_its_seed_is_published(
    person: People, server: Server, clock: list[float]
) -> None:
    late, in_time = person(), person()
    room, table = try_today(late)
    table = late.step(room, table)
    play(in_time, *try_today(in_time))
    assert settled(in_time)["finished"] == 1  # it is judged beside the answer to the last choice
    clock[0] = CLOSES - 1
    assert refused(late.get("/api/today/2026-11-23")) == "not-allowed"
    assert late.get("/today/2026-11-23").status_code == 403
    table = late.step(room, table)
    while table["does"] == "choose":
        table = late.step(room, table)
    clock[0] = CLOSES
    told = late.get("/api/today/2026-11-23").json()
    assert sha256(told["seed"].encode()).hexdigest() == told["proof"]
    answer = late.act(room, table, "throw")
    assert refused(answer) == "not-allowed"
    assert "no more dice are thrown" in answer.json()["error"]["message"]
    assert late.table(room)["version"] == table["version"]
    assert (told["finished"], told["mine"]) == (1, None)


def test_a_try_that_ends_with_a_choice_after_that_does_not_count(
    person: People, server: Server, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The try is not judged at once.
    monkeypatch.setattr(server.days, "begin_judging_if_over", lambda live: None)
    device = person()
    room, table = try_today(device)
    play(device, room, table)
    live = server.rooms.loaded_room(room)
    assert live is not None
    live.room.last_activity = CLOSES  # the time of its last choice
    clock[0] = CLOSES + 1
    told = device.get("/api/today/2026-11-23").json()
    assert (told["finished"], told["mine"]) == (0, None)


def test_the_hash_of_tomorrow_is_shown_today(
    person: People, server: Server, clock: list[float]
) -> None:
    device = person()
    found = device.get("/api/today").json()
    assert found["tomorrow"] not in ("", found["proof"])
    assert found["tomorrow"] in device.get("/today").text
    assert device.get("/api/today/2026-11-24").status_code == 404
    assert 'href="/today/2026-11-24' not in device.get("/today").text
    first, second = secrets_of(server)
    clock[0] += DAY
    again = device.get("/api/today").json()
    assert again["proof"] == found["tomorrow"]
    assert secrets_of(server)[:2] == [first, second]  # what is stored stays as it is
    assert sha256(second.encode()).hexdigest() == again["proof"]


def test_a_try_that_was_not_judged_is_judged_when_somebody_asks(
    person: People, server: Server, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The server died in between.
    monkeypatch.setattr(server.days, "begin_judging_if_over", lambda live: None)
    device = person()
    play(device, *try_today(device))
    assert person().get("/api/today").json()["finished"] == 0
    assert settled(device)["finished"] == 1


def test_deleting_a_room_keeps_what_was_reached_there(
    person: People, server: Server, clock: list[float]
) -> None:
    over, begun = person(), person()
    room, table = try_today(over)
    play(over, room, table)
    mine = settled(over)["mine"]
    other, _ = try_today(begun)
    for each in (room, other):
        admin.carry_out(server.database, "delete", each)
    found = settled(over)
    assert (found["mine"], found["room"], found["finished"]) == (mine, None, 1)
    assert over.post("/api/today").status_code == 403
    again, _ = try_today(begun)
    assert again != other, "links of the deleted try lead to this one"


def test_a_seed_says_its_day_and_its_game_and_is_drawn_anew() -> None:
    seeds = {new_day("2026-11-29").seed for _ in range(20)}
    assert len(seeds) == 20
    assert all(re.fullmatch("2026-11-29 full-house [0-9a-f]{64}", seed) for seed in seeds)


def test_who_is_second_to_make_a_day_takes_the_first(server: Server, clock: list[float]) -> None:
    first, second = (Day("2026-11-23", "classic", f"2026-11-23 classic {n}") for n in range(2))
    with server.database.writer.begin() as connection:
        for day in (first, second):
            store_day(connection, day)
    assert asyncio.run(server.days.find("2026-11-23")) == first
    server.pool.close()
    server.log.close()
    server.release()


def test_every_box_of_the_week_is_solved_and_searched_in_a_moment() -> None:
    for game in map(find, DAILY):
        assert is_quick(game), game.name
        check_known(game)
        assert game.scoring is not None
        assert game.scoring.low_is_good


def test_a_day_of_the_calendar_shows_its_box_and_one_yardstick(
    person: People, clock: list[float]
) -> None:
    device, other = person(), person()
    room, table = try_today(device)
    play(device, room, table)
    settled(device)
    clock[0] += DAY
    told = device.get("/api/today/2026-11-23").json()
    page = device.get("/today/2026-11-23").text
    assert f"<b>{told['mine']['score']}</b> left" in page
    assert f"Perfect play with the same dice: {told['exact']['score']}" in page
    assert f'href="/r/{room}/review">See your try' in page
    assert re.findall('role="img" aria-label="(best|close|mistake)"', page) == told["skills"]
    assert not re.search("Place|% do worse|hindsight|Player", page)
    missed = other.get("/today/2026-11-23").text
    assert "You did not play this day. You still can" in missed
    assert room not in missed


def test_a_missed_day_can_be_played_with_its_dice_and_does_not_count(
    person: People, server: Server, clock: list[float]
) -> None:
    device, first = person(), person()
    first.get("/api/today")
    form = {"action": "a-missed-day"}
    assert first.send_form("/today/2026-11-23", form).status_code == 403, "it is not over"
    clock[0] += DAY
    assert device.send_form("/today/2026-11-22", form).status_code == 404
    answer = device.send_form("/today/2026-11-23", form)
    assert answer.status_code == 303
    room = answer.headers["location"].removeprefix("/r/")
    assert "Box of 23 November" in device.get(f"/r/{room}").text
    check_thrown(server, play(device, room, device.table(room)))
    assert device.post(f"/api/rooms/{room}/rematch", game=1).status_code == 403
    told = device.get("/api/today/2026-11-23").json()
    assert (told["finished"], told["mine"]) == (0, None)
    assert device.get("/api/today").json()["streak"]["days"] == 0
    assert "\ndice day 2026-11-23\n" in device.get(f"/api/rooms/{room}/record").text
