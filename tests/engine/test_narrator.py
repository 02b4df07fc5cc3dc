"""One narrator: a play has the same sentences live, in a replay, and in a room."""

import random
import tomllib
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Any

import pytest

from coin import Coin, Place
from shutbox import Choose, Roll, Table, Throw
from shutbox.cli.evening import ALONE
from shutbox.engine.cups import ScriptCup
from shutbox.engine.narrator import Length, Narrator, narrate
from shutbox.engine.play import Chosen, Rolled, TookBack, replay_log
from shutbox.engine.seats import read_seats
from shutbox.match.answers import ROWS
from shutbox.record import Source
from shutbox.record.lines import event_text_of
from shutbox.table.lookup import match_of
from shutbox.table.setup import Sitting, game_of_seats
from shutbox.term import Console, Session, Stopped
from shutbox.web.rooms.events import Begun, Opened, Planned, Played, RoomEvent
from shutbox.web.rooms.room import Room

MOST_ANSWERS = 60
PLAYED: dict[str, tuple[str, str | None, str | None]] = {
    "classic": ("classic", None, None),
    "double-shutter": ("double-shutter", None, None),
    "cargo": ("cargo", None, None),
    "tray": ("tray(dice=3d6)", None, None),
    "thai-style": ("thai-style", None, None),
    "pub": ("pub", "Ann,computer:most", None),
    "high-roll": ("lucky-seven", "Ann,Bob", "rounds=2,begins=high-roll,stake=1,purse=1.20"),
    "race": ("race-200", "Ann,Bob,Cy", None),
    "one seat": ("classic", "Ann", "rounds=2"),
    "cargo-night": ("cargo-night", "Ann,computer", None),
}
"""What is played, by whom, under which format: the games of the terminal suite, and more."""
ROWS_HEARD = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "rows.toml").read_text(encoding="utf-8")
)["case"]


class Ear(Console):
    """A console that remembers what is said, and asks somebody in the program."""

    def __init__(self, answers: Callable[[], str]) -> None:
        super().__init__(plain=True)
        self.answers = answers
        self.heard: list[str] = []

    def say(self, *lines: str, aloud: bool = True, own: bool | None = None) -> None:
        self.heard += lines

    def ask(self, prompt: str, at_once: Any = None, *, anew: bool = False) -> str:
        return self.answers()


def sitting(name: str) -> Sitting:
    """A game of the list, about to begin."""
    game, names, format = PLAYED[name]
    seats = ALONE if names is None else read_seats(names)
    source = Source("seed", name)
    return Sitting.begin(
        game_of_seats(game, seats, format),
        seats,
        source,
        program="shutbox 0.1.0",
        begun="2026-11-22 12:00:05 UTC",
    )


def live(of: Sitting) -> tuple[list[str], Table[Any, Any]]:
    """What a terminal says while a game is played, and the table it was played at."""
    chance, answers = random.Random(of.header.game), iter(range(MOST_ANSWERS))
    table = of.table()

    def answer() -> str:
        if next(answers, None) is None:
            raise Stopped
        if table.taker_back is not None and chance.random() < 0.3:
            return "u"
        return chance.choice(table.scene.offers).says if isinstance(table.awaits, Choose) else ""

    ear = Ear(answer)
    players = [seat.name for seat in of.header.players]
    try:
        Session(table, ear, auto_throw=False, players=players).run()
    finally:
        heard = ear.heard
    return heard, table


def told_to(
    of: Sitting, table: Table[Any, Any], own: Collection[int], length: Length = Length.NORMAL
) -> Iterator[tuple[str, ...]]:
    """What a narrator tells of the same events, with these seats as "you"."""
    narrator = Narrator(of.game, [seat.name for seat in of.header.players], length, own)
    yield narrator.begin()
    yield from map(narrator.after, replay_log(of.game, table.log))


def in_a_room(of: Sitting, table: Table[Any, Any]) -> tuple[list[str], list[str], list[str]]:
    """What a room logs of the same events, logs for those who want least, and tells to seat 0."""
    room, header = Room("room"), of.header
    seats = tuple(Planned(seat.name, seat.computer) for seat in header.players)
    opened = Opened(of.game.name, header.format or None, seats, "system", "off", False, "any")
    events: list[RoomEvent] = [
        opened,
        Begun(bytes(header).decode()),
        *(
            Played(one.seat, str(event_text_of(of.game, one.event)))
            for one in replay_log(of.game, table.log)
        ),
    ]
    for number, event in enumerate(events, start=1):
        room.apply(number, 0.0, event)
    briefly = [line.says if line.brief is None else line.brief for line in room.log.lines]
    owned = (line.own.says if line.own and line.seat == 0 else line.says for line in room.log.lines)
    return (
        list(chain(*(line.says for line in room.log.lines))),
        list(chain(*briefly)),
        list(chain(*owned)),
    )


@pytest.mark.parametrize("name", PLAYED)
def test_a_play_is_told_alike_live_by_replay_and_in_a_room(name: str) -> None:
    of = sitting(name)
    heard, table = live(of)
    people = {seat for seat, one in enumerate(of.header.players) if not one.computer}
    told = list(chain(*told_to(of, table, people if len(people) == 1 else ())))
    assert len(table.log) > 4
    # Live, the title of a match has its goal. Who stops is told so, and how it stands.
    assert heard[0].startswith(told[0].removesuffix("."))
    assert heard[1 : len(told)] == told[1:]
    assert len(heard) <= len(told) + 2
    _, *briefly = told_to(of, table, (), Length.BRIEF)
    begun = next(told_to(of, table, ()))  # of the beginning all is told
    others, alone = list(chain(*told_to(of, table, ()))), list(chain(*told_to(of, table, {0})))
    assert in_a_room(of, table) == (others, [*begun, *chain(*briefly)], alone)
    # A record also tells the choices that the next throw tells.
    names = [seat.name for seat in of.header.players]
    for live_one, late in zip(
        told_to(of, table, ()), narrate(of.game, table.log, names), strict=True
    ):
        assert live_one in (late, late[1:])


@pytest.mark.parametrize("case", ROWS_HEARD, ids=lambda case: case["format"])
def test_others_hear_one_throw_each_in_one_line(case: dict[str, Any]) -> None:
    names, told = ["Ann", "Bea", "Cid"], list[str]()
    table = Table(match_of("two-dice(tiles=1-4)", names, case["format"]), ScriptCup(case["dice"]))
    narrator = Narrator(table.game, names, own={0}, late={1, 2}, unannounced={1, 2})
    choices = iter(case["choices"])
    while len(told) < len(case["heard"]):
        awaits: Any = table.awaits
        if isinstance(awaits, Throw):
            act = table.prepare_throw(seat=awaits.seat)
        else:
            act = table.prepare_choice(next(choices), seat=awaits.seat)
        told.append(" ".join(narrator.after(table.apply(act))))
    assert told == case["heard"]
    assert {answer.key: answer.says for answer in table.scene.answers}[ROWS] == case["rows"]


def test_in_a_room_a_throw_is_told_to_the_others_with_its_cover_and_then_who_is_due() -> None:
    table = Table(match_of("two-dice(tiles=1-4)", "Ann, Bea", "turns=throw"), ScriptCup(["1+2"]))
    narrator = Narrator(table.game, ["Ann", "Bea"], own=(), late={0, 1})
    ears = [(Length.NORMAL, False), (Length.NORMAL, True)]

    def told(prepared: Any) -> list[str]:
        applied = table.apply(prepared)
        return [" ".join(says) for says in narrator.after_at(applied, table.scene, ears)]

    assert told(table.prepare_throw()) == ["", "You threw 1 and 2, 3."]
    assert told(table.prepare_choice("3")) == [
        "Ann: 1 and 2. 3 goes down. Bea to play.",
        "3 goes down. Bea to play.",
    ]


def test_a_game_whose_choice_leads_elsewhere_the_second_time_is_refused() -> None:
    class Fickle(Coin):
        def chosen(self, position: Place, choice: str) -> Place:
            return replace(super().chosen(position, choice), throws=next(throws))

    throws, log = count(1), (Rolled(Roll((1,))), Chosen("again"), TookBack())
    with pytest.raises(ValueError, match="not in list"):
        list(narrate(Fickle(), log, ["Ann"]))
