"""Statistics of a folder of records, compared with known answers."""

import json
from dataclasses import asdict, replace
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest

from records import header
from sealed import Spec, played
from shutbox import Roll, Throw
from shutbox.cli.main import main
from shutbox.engine.game import Game
from shutbox.engine.play import Chosen, Corrected, Event, Play, Rolled, TookBack
from shutbox.engine.seats import Seat
from shutbox.output.stats import Faces, Stats, stats, usual_range
from shutbox.record import Source, to_bytes
from shutbox.record.folder import VARIABLE, Store
from shutbox.table.lookup import game_of

ANN, BOB = Seat("Ann"), Seat("Bob")
ROBO = Seat("Robo", "most")
SEVEN = "lucky-seven"
"""One tile, the 7: a turn ends with its first roll of anything else."""
HAND, SEED = Source("hand"), Source("seed", "pub")


# The bands


def exact_band(dice: int, sides: int, beyond: Fraction) -> tuple[int, int]:
    """The same from whole numbers: `sides ** dice` times every probability."""
    ways = [comb(dice, count) * (sides - 1) ** (dice - count) for count in range(dice + 1)]
    assert sum(ways) == sides**dice
    cut = beyond / 2 * sides**dice
    low = max(count for count in range(dice + 1) if sum(ways[:count]) <= cut)
    high = min(count for count in range(dice + 1) if sum(ways[count + 1 :]) <= cut)
    return low, high


@pytest.mark.parametrize("sides", [2, 6, 20])
@pytest.mark.parametrize("parts", [10, 10**9])
def test_bands_are_those_of_the_binomial_distribution(sides: int, parts: int) -> None:
    for dice in [*range(60), 199]:
        wanted = exact_band(dice, sides, Fraction(1, parts))
        assert usual_range(dice, sides, 1 / parts) == wanted, dice
    assert usual_range(1_000_000, 6, 0.01) == (165_707, 167_627)


# Records by hand


def play_of(game: Game[Any, Any], said: str) -> Play[Any, Any]:
    """A play in words: `3+4` falls, `r3+4` is read out, `c3+4` corrects, `back`, or a choice."""
    play = Play(game)
    for word in said.split():
        event: Event[Any]
        dice_of = play.correctable if word[0] == "c" else game.awaits(play.position)
        if word == "back":
            event = TookBack()
        elif isinstance(dice_of, Throw):
            roll = dice_of.dice.read(word.lstrip("rc"))
            event = Corrected(roll) if word[0] == "c" else Rolled(roll, typed=word[0] == "r")
        else:
            event = Chosen(game.parse_choice(play.position, word.replace("_", " ")))
        play.happen(event)
    return play


class Folder:
    """A store, filled record by record."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder)

    def keep(
        self, game: str, said: str, *seats: Seat, format: str = "", dice: Source | None = None
    ) -> bytes:
        head = header(game, *seats, dice=dice or Source())
        if format:
            head = replace(head, format=format)
        data = to_bytes(head, game_of(head), play_of(game_of(head), said).log)
        self.put(data)
        return data

    def put(self, data: bytes) -> None:
        self.store.path((self.store.newest() or 0) + 1).write_bytes(data)

    def stats(self) -> Stats:
        return stats(folder=self.store.folder)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return Folder(tmp_path)


def said_by(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["stats", *options]) == 0
    return capsys.readouterr().out


def fill(folder: Folder) -> None:
    """Records of every kind, whose answers can be counted on paper."""
    folder.keep(SEVEN, "3+4 7 1+2", ANN, BOB, format="rounds=1")
    folder.keep(SEVEN, "1+1 1+1", ANN, BOB, format="rounds=1")
    folder.keep(SEVEN, "1+1 3+4 7", ANN, BOB, format="until=shut")
    folder.keep("cargo", "6+5+4+3+2+1 accept", ANN)
    folder.put(b"no record\n")
    damaged = folder.keep(SEVEN, "5+5 5+5 5+5 5+5", BOB, ROBO, format="rounds=2")
    start, colon, last = damaged.rpartition(b": ")
    folder.store.path(6).write_bytes(start + colon.replace(b":", b";") + last)
    folder.keep("tray(dice=1d6+1d20)", "1+17 throw 1+17", BOB, dice=SEED)
    folder.keep(SEVEN, "r1+2 c3+4 7 back 7", ANN, dice=HAND)
    folder.keep(SEVEN, "3+4", Seat("Cem"))
    folder.put(b"")


ALL = """\
8 games are saved: 5 finished, 3 unfinished.
Game 5 ({folder}/5.shutbox) cannot be read: this file is not a shutbox record: {first}.
Game 10 ({folder}/10.shutbox) cannot be read: the file is empty.
Ann has won 2 of 3 matches.
Ann has shut the box, or completed the crew, in 3 of 5 turns.
Ann averages 3.5 over 4 turns of Lucky Seven; the best is 0.
Ann averages 6.0 over 1 turn of Cargo; the best is 6.
Bob has won 2 of 3 matches.
Bob has shut the box, or completed the crew, in 1 of 5 turns.
Bob averages 5.6 over 5 turns of Lucky Seven; the best is 0.
Dice of the operating system, d6: 26 thrown.
Dice from seeds, d6: 2 thrown.
Dice from seeds, d20: 2 thrown.
Real dice, d6: 2 thrown.
Every face has come up about as often as it should.
"""
"""What is said of the records of `fill`."""
FIRST = "its first line must be 'shutbox record 1'"


def test_everything_is_said_and_json_holds_all_of_it(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(folder)
    assert said_by(capsys) == ALL.format(folder=folder.store.folder, first=FIRST)
    found = folder.stats()
    assert json.loads(said_by(capsys, "--json")) == json.loads(json.dumps(asdict(found)))


def test_nothing_is_kept(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert said_by(capsys) == "No games yet; shutbox play starts one.\n"
    file = folder.store.path(1)
    file.mkdir()
    assert said_by(capsys) == f"Game 1 ({file}) cannot be read: it is no file.\n"


# Persons


def test_wins_are_of_finished_matches_with_others(folder: Folder) -> None:
    folder.keep(SEVEN, "3+4 7 1+2", ANN, format="rounds=2")  # alone
    folder.keep(SEVEN, "1+2", ANN, BOB, format="rounds=1")
    folder.keep(SEVEN, "3+4 7 3+4 7 1+2", ANN, BOB, Seat("Cem"), format="rounds=1")  # shared
    assert [(one.matches, one.won) for one in folder.stats().players] == [(1, 1), (1, 1), (1, 0)]
    folder.keep(SEVEN, "3+4 7", ANN, Seat("Dee"), format="rounds=1,shut=wins")
    dee = folder.stats().players[-1]
    assert (dee.matches, dee.won, dee.turns) == (1, 0, 0)  # without a throw there was no turn


def test_the_best_score_is_the_lowest_or_the_highest(folder: Folder) -> None:
    # What is still up counts in classic, and what is covered in covered.
    for game in ("classic", "covered"):
        folder.keep(game, "1+1 2 1+1", ANN)
        folder.keep(game, "4+5 9 1+1 2 1+1", ANN)
    assert list(folder.stats().rows()) == [
        ("Ann", "classic", 2, 38.5, 34),
        ("Ann", "covered", 2, 6.5, 11),
    ]


def test_turns_from_a_position_are_practice_and_are_not_counted(folder: Folder) -> None:
    game, head = game_of(header("classic", ANN)), replace(header("classic", ANN), position="9")
    nine = game.parse_choice(game.position_at("9/4+5"), "9")
    folder.put(to_bytes(head, game, [Rolled(Roll((4, 5))), Chosen(nine)]))
    found = folder.stats()
    assert (found.finished, found.players[0].turns, found.players[0].shut) == (1, 0, 0)
    assert sum(found.dice[0].counts) == 2  # they fell all the same


# What was taken back


@pytest.mark.parametrize(
    ("said", "turns", "shut", "faces"),
    [
        ("r3+4 7 back", 0, 0, [0, 0, 1, 1, 0, 0]),
        ("r3+4 c1+2 c1+1 c5+6", 1, 0, [0, 0, 0, 0, 1, 1]),
        ("r3+4 7 back c6+6", 1, 0, [0, 0, 0, 0, 0, 2]),
    ],
)
def test_the_line_that_stands_counts(
    folder: Folder, said: str, turns: int, shut: int, faces: list[int]
) -> None:
    folder.keep(SEVEN, said, ANN, BOB, format="rounds=1", dice=HAND)
    stats = folder.stats()
    assert (stats.players[0].turns, stats.players[0].shut) == (turns, shut)
    assert list(stats.dice[0].counts) == faces
    assert stats.players[1].turns == 0


# Dice


def test_dice_of_contests_count_and_mixed_ones_by_their_kind(folder: Folder) -> None:
    # Both throw for the start and are tied, Bob begins; both miss, and Ann wins the throw-off.
    said = "1+1 1+1 1+2 6+6 5+5 4+4 6+4 6+3"
    folder.keep(SEVEN, said, ANN, BOB, format="rounds=1,begins=high-roll,ties=throw-off")
    stats = folder.stats()
    assert stats.dice[0].counts == (5, 1, 1, 3, 2, 4)
    assert [(player.turns, player.won) for player in stats.players] == [(1, 0), (1, 1)]
    folder.keep("tray(dice=2d6+1d20)", "2+5+3 hold_5 throw 1+20", ANN, dice=HAND)
    _, six, twenty = folder.stats().dice
    assert six.counts == (1, 1, 0, 0, 1, 0)  # a held die does not fall again
    assert (twenty.counts[2], twenty.counts[19], sum(twenty.counts)) == (1, 1, 2)


def test_dice_outside_what_chance_gives(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(3):
        folder.keep("tray(dice=20d6)", "+".join("6" * 20), ANN)
    low, high = exact_band(60, 6, Fraction(1, 600))
    assert low > 0
    lines = said_by(capsys).splitlines()
    assert lines[2] == f"Face 1 came up 0 times in 60; with fair dice, {low} to {high} times."
    assert lines[7] == f"Face 6 came up 60 times in 60; with fair dice, {low} to {high} times."
    assert Faces("system", (104, 164, 103, 165), 104, 164).unusual_faces == (3, 4)


def test_dice_after_the_end_of_a_seal_are_those_of_the_system(folder: Folder) -> None:
    record = played(Spec("gone on without its seed", "tray", most=6, sealed_to=3)).record
    assert record.count(": throws ") == 3
    folder.put(record.encode())
    dice = [(one.source, len(one.counts), sum(one.counts)) for one in folder.stats().dice]
    assert dice == [("system", 6, 2), ("system", 52, 1), ("sealed", 6, 4)]
