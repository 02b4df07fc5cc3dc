"""Statistics of a folder of records, line by line, compared with known answers."""

import argparse
import json
import time
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import pytest

from records import header
from sealed import Spec, played
from shutbox import Chosen, Corrected, Event, Play, Roll, Rolled, Throw, TookBack
from shutbox.cli.records import stats as command
from shutbox.errors import BadName
from shutbox.game import Game
from shutbox.lookup import game_of, match_of
from shutbox.match import Format, Match, presets
from shutbox.record import Source, written
from shutbox.seats import Seat
from shutbox.stats import as_json, band, gather, named, sentences, stored_games
from shutbox.stats.report import Faces, Games, Matches, PlayerStats, Scores, Stats
from shutbox.store import VARIABLE, Store

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


@pytest.mark.parametrize("sides", [2, 3, 6, 20, 100])
@pytest.mark.parametrize("parts", [10, 100, 128 * 100, 10**9])
def test_bands_are_those_of_the_binomial_distribution(sides: int, parts: int) -> None:
    for dice in [*range(1, 60), 100, 199, 350]:
        assert band(dice, sides, 1 / parts) == exact_band(dice, sides, Fraction(1, parts)), dice


def test_bands_of_coins_are_symmetric() -> None:
    for dice in [*range(1, 200), 1_000, 1_001, 99_999, 1_000_000]:
        low, high = band(dice, 2, 0.001)
        assert low + high == dice


@pytest.mark.parametrize("sides", [2, 6, 20])
def test_bands_grow_with_the_dice_and_with_certainty(sides: int) -> None:
    bands = [band(dice, sides, 0.01) for dice in range(1, 2_000)]
    for (low, high), (next_low, next_high) in pairwise(bands):
        assert 0 <= next_low - low <= 1
        assert 0 <= next_high - high <= 1
    wider = [band(500, sides, 10.0**-digits) for digits in range(1, 16)]
    assert [low for low, _ in wider] == sorted((low for low, _ in wider), reverse=True)
    assert [high for _, high in wider] == sorted(high for _, high in wider)
    assert len(set(wider)) == len(wider)


def test_a_million_dice_take_no_time() -> None:
    start = time.perf_counter()
    assert band(1_000_000, 6, 0.01) == (165_707, 167_627)
    assert band(1_000_000, 2, 0.01) == (498_712, 501_288)
    assert time.perf_counter() - start < 10


def test_few_dice_can_show_anything() -> None:
    assert band(1, 6, 0.01) == (0, 1)
    assert band(0, 6, 0.01) == (0, 0)


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
        data = written(head, game_of(head), play_of(game_of(head), said).log)
        self.put(data)
        return data

    def put(self, data: bytes) -> None:
        self.store.path((self.store.newest() or 0) + 1).write_bytes(data)

    def damage(self, line: int) -> None:
        """Change a letter in a line of the newest record, counted from the end."""
        path = self.store.path(self.store.newest() or 0)
        lines = path.read_bytes().splitlines(keepends=True)
        lines[-line] = lines[-line].replace(b": ", b"; ", 1)
        path.write_bytes(b"".join(lines))

    def stats(self, player: str | None = None) -> Stats:
        return gather(stored_games(self.store), player)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return Folder(tmp_path)


def said_by(capsys: pytest.CaptureFixture[str], **arguments: Any) -> str:
    command(argparse.Namespace(**{"json": False, "player": None, "output": None} | arguments))
    return capsys.readouterr().out


def test_turns_from_a_position_are_practice_and_are_not_counted(folder: Folder) -> None:
    game, head = game_of(header("classic", ANN)), replace(header("classic", ANN), position="9")
    folder.put(
        written(
            head,
            game,
            [Rolled(Roll((4, 5))), Chosen(game.parse_choice(game.position_at("9/4+5"), "9"))],
        )
    )
    found = folder.stats()
    assert (found.games.finished, found.players[0].turns, found.players[0].shut) == (1, 0, 0)
    assert found.dice[0].dice == 2  # they fell all the same


def fill(folder: Folder) -> None:
    """Records of every kind, whose answers can be counted on paper."""
    folder.keep(SEVEN, "3+4 7 1+2", ANN, BOB, format="rounds=1")
    folder.keep(SEVEN, "1+1 1+1", ANN, BOB, format="rounds=1")
    folder.keep(SEVEN, "1+1 3+4 7", ANN, BOB, format="until=shut")
    folder.keep("cargo", "6+5+4+3+2+1 accept", ANN)
    folder.put(b"no record\n")
    folder.keep(SEVEN, "5+5 5+5 5+5 5+5", BOB, ROBO, format="rounds=2")
    folder.damage(1)
    folder.keep("tray(dice=1d6+1d20)", "1+17 throw 1+17", BOB, dice=SEED)
    folder.keep(SEVEN, "r1+2 c3+4 7 back 7", ANN, dice=HAND)
    folder.keep(SEVEN, "3+4", Seat("Cem"))
    folder.put(b"")


ALL = """\
8 games are saved: 5 finished, 2 unfinished and 1 without an end.
1 game is damaged and counts as far as it is sound: 6.
2 games cannot be read: 5 and 10.
Ann has won 2 of 2 matches of lucky-seven[rounds=1], 1 of them shared.
Ann has won 0 of 1 match of Lucky Seven Night.
Ann has won up to 2 matches in a row, with those shared.
Ann has shut the box, or completed the crew, in 3 of 5 turns, up to 2 in a row.
Ann averages 3.5 over 4 turns of lucky-seven; the best is 0.
Ann averages 6.0 over 1 turn of cargo; the best is 6.
Bob has won 1 of 2 matches of lucky-seven[rounds=1], 1 of them shared.
Bob has won 1 of 1 match of Lucky Seven Night.
Bob has won up to 2 matches in a row, with those shared.
Bob has shut the box, or completed the crew, in 1 of 5 turns, up to 1 in a row.
Bob averages 5.6 over 5 turns of lucky-seven; the best is 0.
Cem has not finished a turn yet.
Dice of the operating system, d6: 26 thrown.
Dice from seeds, d6: 2 thrown.
Dice from seeds, d20: 2 thrown.
Real dice, d6: 2 thrown.
Every face has come up about as often as it should.
"""
"""What is said of the records of `fill`."""


def test_everything_is_said(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    fill(folder)
    assert said_by(capsys) == ALL


def test_the_bands_are_for_all_faces_together(folder: Folder) -> None:
    fill(folder)
    faces = 6 + 6 + 20 + 6
    for group in folder.stats().dice:
        exact = exact_band(group.dice, group.sides, Fraction(1, 100 * faces))
        assert (group.low, group.high) == exact


def test_one_person(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    fill(folder)
    assert said_by(capsys, player="Bob").splitlines() == [
        "Bob has played 5 games: 3 finished, 1 unfinished and 1 without an end.",
        "1 game is damaged and counts as far as it is sound: 6.",
        "2 games cannot be read: 5 and 10.",
        "Bob has won 1 of 2 matches of lucky-seven[rounds=1], 1 of them shared.",
        "Bob has won 1 of 1 match of Lucky Seven Night.",
        "Bob has won up to 2 matches in a row, with those shared.",
        "Bob has shut the box, or completed the crew, in 1 of 5 turns, up to 1 in a row.",
        "Bob averages 5.6 over 5 turns of lucky-seven; the best is 0.",
        "Dice of the operating system, d6: 10 thrown.",
        "Dice from seeds, d6: 2 thrown.",
        "Dice from seeds, d20: 2 thrown.",
        "Every face has come up about as often as it should.",
    ]
    both, bob = folder.stats(), folder.stats("Bob")
    assert bob.players == both.players[1:2]
    assert [(group.source, group.sides) for group in bob.dice] == [
        ("system", 6),
        ("seed", 6),
        ("seed", 20),
    ]


@pytest.mark.parametrize("name", ["bob", "Robo", "", "Eve"])
def test_an_unknown_person_is_refused(folder: Folder, name: str) -> None:
    fill(folder)
    with pytest.raises(BadName, match=r"those who have played are Ann, Bob and Cem$") as refused:
        folder.stats(name)
    assert str(refused.value).startswith(f"{name!r} has played no game that is kept; ")


def test_nobody_is_known_where_nothing_is_kept(folder: Folder) -> None:
    with pytest.raises(BadName, match=r"'Ann' has played no game .* nobody has played yet$"):
        folder.stats("Ann")


def from_value(value: dict[str, Any]) -> Stats:
    """The statistics that JSON holds."""
    games, dice = value["games"], value["dice"]
    return Stats(
        Games(
            games["finished"],
            games["unfinished"],
            games["endless"],
            tuple(games["damaged"]),
            tuple(games["unreadable"]),
        ),
        value["player"],
        tuple(
            PlayerStats(
                each["name"],
                tuple(
                    Matches(m["match"], m["played"], m["won"], m["shared"]) for m in each["matches"]
                ),
                each["won_in_a_row"],
                each["turns"],
                each["shut"],
                each["shut_in_a_row"],
                tuple(Scores(s["game"], s["turns"], s["total"], s["best"]) for s in each["scores"]),
            )
            for each in value["players"]
        ),
        tuple(Faces(d["from"], tuple(d["faces"]), d["low"], d["high"]) for d in dice),
    )


@pytest.mark.parametrize("player", [None, "Ann", "Cem"])
def test_json_holds_all_that_the_words_say(
    folder: Folder, capsys: pytest.CaptureFixture[str], player: str | None
) -> None:
    fill(folder)
    value = json.loads(said_by(capsys, json=True, player=player))
    assert from_value(value) == folder.stats(player)
    assert "\n".join(sentences(from_value(value))) + "\n" == said_by(capsys, player=player)
    for each, player_of in zip(value["players"], folder.stats(player).players, strict=True):
        assert [s["mean"] for s in each["scores"]] == [float(s.mean) for s in player_of.scores]
    for group, faces in zip(value["dice"], folder.stats(player).dice, strict=True):
        assert group["dice"] == sum(group["faces"])
        assert group["sides"] == len(group["faces"])
        assert group["outside"] == list(faces.outside)


def test_the_keys_of_json_are_for_ever(folder: Folder) -> None:
    folder.keep(SEVEN, "3+4 7 1+2", ANN, BOB, format="rounds=1")
    value = as_json(folder.stats("Ann"))
    assert value == {
        "games": {"finished": 1, "unfinished": 0, "endless": 0, "damaged": [], "unreadable": []},
        "player": "Ann",
        "players": [
            {
                "name": "Ann",
                "matches": [{"match": "lucky-seven[rounds=1]", "played": 1, "won": 1, "shared": 0}],
                "won_in_a_row": 1,
                "turns": 1,
                "shut": 1,
                "shut_in_a_row": 1,
                "scores": [{"game": SEVEN, "turns": 1, "total": 0, "mean": 0.0, "best": 0}],
            }
        ],
        "dice": [
            {
                "from": "system",
                "sides": 6,
                "dice": 2,
                "faces": [0, 0, 1, 1, 0, 0],
                "low": 0,
                "high": 2,
                "outside": [],
            }
        ],
    }
    assert as_json(folder.stats())["player"] is None


# Games


def test_nothing_is_kept(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert said_by(capsys) == "No games yet; shutbox play starts one.\n"
    assert json.loads(said_by(capsys, json=True))["players"] == []


def test_nothing_can_be_read(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(4):
        folder.put(b"\xff")
    folder.store.path(5).mkdir()
    assert said_by(capsys) == "5 games cannot be read: 1 to 5.\n"


def test_a_torn_record_is_unfinished_and_not_damaged(folder: Folder) -> None:
    data = folder.keep(SEVEN, "3+4 7", ANN)
    folder.put(data[:-3])
    folder.put(data.replace(b"2 Ann", b"3 Ann"))
    games = folder.stats().games
    assert (games.finished, games.unfinished, games.damaged) == (1, 2, (3,))


def test_a_record_damaged_behind_its_end_is_finished(folder: Folder) -> None:
    folder.put(folder.keep(SEVEN, "1+2 1+3", ANN, BOB, format="rounds=1") + b"rest\n")
    games, ann = folder.stats().games, folder.stats().players[0]
    assert (games.finished, games.damaged) == (2, (2,))
    assert ann.matches == (Matches("lucky-seven[rounds=1]", 2, 2, 2),)


def test_several_damaged_records(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        folder.keep(SEVEN, "3+4 7", ANN)
        folder.damage(1)
    assert said_by(capsys).splitlines()[:2] == [
        "2 games are saved: 0 finished and 2 unfinished.",
        "2 games are damaged and count as far as they are sound: 1 and 2.",
    ]


def test_all_games_are_finished(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    for says in ("1 game is saved: 1 finished.", "2 games are saved: all finished."):
        folder.keep(SEVEN, "1+2", ANN)
        assert said_by(capsys).splitlines()[0] == says


def test_a_game_just_begun(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    folder.keep(SEVEN, "", ANN)
    assert said_by(capsys).splitlines() == [
        "1 game is saved: 0 finished and 1 unfinished.",
        "Ann has not finished a turn yet.",
    ]


# Persons


def test_computer_players_are_no_persons(folder: Folder) -> None:
    folder.keep(SEVEN, "1+2 3+4 7", ANN, Seat("Bob", "most"), format="rounds=1")
    folder.keep(SEVEN, "3+4 7", BOB)
    ann, bob = folder.stats().players
    assert (ann.name, ann.matches) == ("Ann", (Matches("lucky-seven[rounds=1]", 1, 0, 0),))
    assert (ann.won_in_a_row, ann.turns, ann.shut) == (0, 1, 0)
    assert (bob.name, bob.matches, bob.turns, bob.shut) == ("Bob", (), 1, 1)
    assert folder.stats().dice[0].dice == 6
    assert folder.stats("Bob").dice[0].dice == 2
    assert folder.stats("Bob").games.read == 1


def test_nobody_wins_alone(folder: Folder) -> None:
    folder.keep(SEVEN, "3+4 7 1+2", ANN, format="rounds=2")
    [ann] = folder.stats().players
    assert (ann.matches, ann.won_in_a_row, ann.turns, ann.shut) == ((), 0, 2, 1)


def test_who_has_not_won_has_shared_nothing(folder: Folder) -> None:
    folder.keep(SEVEN, "3+4 7 3+4 7 1+2", ANN, BOB, Seat("Cem"), format="rounds=1")
    ends = [player.matches[0] for player in folder.stats().players]
    assert [(end.won, end.shared) for end in ends] == [(1, 1), (1, 1), (0, 0)]


def test_streaks_pass_over_matches_that_are_not_finished(folder: Folder) -> None:
    won, lost, shared = "3+4 7 1+2", "1+2 3+4 7", "1+2 1+2"
    for said in (won, "1+2", shared, won, lost, won, won):
        folder.keep(SEVEN, said, ANN, BOB, format="rounds=1")
    ann, bob = folder.stats().players
    assert (ann.won_in_a_row, bob.won_in_a_row) == (3, 1)
    assert ann.matches == (Matches("lucky-seven[rounds=1]", 6, 5, 1),)


def test_the_best_score_is_the_lowest_or_the_highest(folder: Folder) -> None:
    # What is still up counts in classic, and what is covered in covered.
    for game in ("classic", "covered"):
        folder.keep(game, "1+1 2 1+1", ANN)
        folder.keep(game, "4+5 9 1+1 2 1+1", ANN)
    classic, covered = folder.stats().players[0].scores
    assert classic == Scores("classic", 2, 43 + 34, 34)
    assert covered == Scores("covered", 2, 2 + 11, 11)


def test_one_who_did_not_throw_had_no_turn(folder: Folder) -> None:
    folder.keep(SEVEN, "3+4 7", ANN, BOB, format="rounds=1,shut=wins")
    ann, bob = folder.stats().players
    assert (ann.turns, bob.turns) == (1, 0)
    assert bob.matches == (Matches("lucky-seven[rounds=1,shut=wins]", 1, 0, 0),)


@pytest.mark.parametrize("name", list(presets()))
def test_matches_of_a_preset_have_its_title(folder: Folder, name: str) -> None:
    preset = presets()[name]
    match = match_of(name, ["Ann", "Bob"])
    assert named(match) == preset.title
    if preset.format.stake:
        again = Format.parse("purse=21.19", preset.format)
        assert named(Match(match.game, again, ["Ann", "Bob"])) == preset.title
    over = match.position_at("1;0;0;0~21,0~19;won;0" if preset.format.stake else "1;0;0;0,0;won;0")
    assert named(match.rematch(over)) == preset.title
    other = Format.parse("ties=throw-off", preset.format)
    for started in (Match(match.game, other), Match(match.game, other).rematch(over)):
        assert named(started) == f"{match.game.name}[{other}]"


def test_means_are_rounded_to_one_decimal() -> None:
    of = {(0, 3): "0.0", (-1, 3): "-0.3", (1, 20): "0.1", (-1, 20): "-0.1", (-1, 21): "0.0"}
    of |= {(10, 4): "2.5", (999, 20): "50.0", (10**240, 1): f"{10**240}.0"}
    for (total, turns), text in of.items():
        assert Scores("any", turns, total, 0).mean == text


# What was taken back


@pytest.mark.parametrize(
    ("said", "turns", "shut", "faces"),
    [
        ("r3+4 7 back", 0, 0, [0, 0, 1, 1, 0, 0]),
        ("r3+4 7 back 7 back 7", 1, 1, [0, 0, 1, 1, 0, 0]),
        ("r1+2 c3+4 7", 1, 1, [0, 0, 1, 1, 0, 0]),
        ("r3+4 c1+2", 1, 0, [1, 1, 0, 0, 0, 0]),
        ("r3+4 c1+2 c1+1 c5+6", 1, 0, [0, 0, 0, 0, 1, 1]),
        ("r3+4 7 back c6+6", 1, 0, [0, 0, 0, 0, 0, 2]),
    ],
)
@pytest.mark.parametrize("format", ["", "rounds=1"])
def test_the_line_that_stands_counts(
    folder: Folder, said: str, turns: int, shut: int, faces: list[int], format: str
) -> None:
    folder.keep(SEVEN, said, ANN, BOB, format=format, dice=HAND)
    stats = folder.stats()
    assert (stats.players[0].turns, stats.players[0].shut) == (turns, shut)
    assert list(stats.dice[0].counts) == faces
    assert stats.players[1].turns == 0


def test_a_turn_is_corrected_while_the_next_player_waits(folder: Folder) -> None:
    folder.keep(SEVEN, "r1+2 c3+4 7 back 7 r1+1 c1+2", ANN, BOB, format="rounds=1", dice=HAND)
    ann, bob = folder.stats().players
    assert (ann.turns, ann.shut, bob.turns, bob.shut) == (1, 1, 1, 0)
    assert (ann.matches[0].won, bob.matches[0].won) == (1, 0)


# Dice


def test_dice_of_contests_count_for_who_throws_them(folder: Folder) -> None:
    # Both throw for the start and are tied, Bob begins; both miss, and Ann wins the throw-off.
    said = "1+1 1+1 1+2 6+6 5+5 4+4 6+4 6+3"
    folder.keep(SEVEN, said, ANN, BOB, format="rounds=1,begins=high-roll,ties=throw-off")
    stats = folder.stats()
    assert stats.dice[0].counts == (5, 1, 1, 3, 2, 4)
    assert [player.turns for player in stats.players] == [1, 1]
    assert folder.stats("Ann").dice[0].counts == (3, 1, 1, 2, 0, 1)
    assert stats.players[1].matches == (
        Matches("lucky-seven[rounds=1,begins=high-roll,ties=throw-off]", 1, 1, 0),
    )


def test_dice_outside_what_chance_gives(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    twenty = "+".join("6" * 20)
    for _ in range(3):
        folder.keep("tray(dice=20d6)", twenty, ANN)
    low, high = exact_band(60, 6, Fraction(1, 600))
    assert low > 0
    lines = said_by(capsys).splitlines()
    assert lines[:2] == [
        "3 games are saved: 0 finished and 3 without an end.",
        "Ann has not finished a turn yet.",
    ]
    assert lines[2] == "Dice of the operating system, d6: 60 thrown."
    assert lines[3] == f"Face 1 came up 0 times in 60; with fair dice, {low} to {high} times."
    assert lines[8] == f"Face 6 came up 60 times in 60; with fair dice, {low} to {high} times."
    assert lines[9].startswith("With fair dice, all counts stay within these bounds")
    assert as_json(folder.stats())["dice"][0]["outside"] == [1, 2, 3, 4, 5, 6]


def test_the_bounds_are_inside() -> None:
    assert Faces("system", (104, 164, 103, 165), 104, 164).outside == (3, 4)


def test_a_die_of_many_sides(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(3):
        folder.keep("tray(dice=20d100)", "+".join(["20"] * 10 + ["99"] * 10), ANN)
    lines = said_by(capsys).splitlines()
    assert lines[2] == "Dice of the operating system, d100: 60 thrown."
    assert [line.partition(";")[0] for line in lines[3:5]] == [
        "Face 20 came up 30 times in 60",
        "Face 99 came up 30 times in 60",
    ]


def test_dice_after_the_end_of_a_seal_are_those_of_the_system(folder: Folder) -> None:
    record = played(Spec("gone on without its seed", "tray", most=6, sealed_to=3)).record
    assert record.count(": throws ") == 3
    folder.put(record.encode())
    dice = [(faces.source, faces.sides, faces.dice) for faces in folder.stats().dice]
    assert dice == [("system", 6, 2), ("system", 52, 1), ("sealed", 6, 4)]


def test_mixed_dice_count_by_their_kind(folder: Folder) -> None:
    folder.keep("tray(dice=2d6+1d20)", "2+5+3 hold_5 throw 1+20", ANN, dice=HAND)
    six, twenty = folder.stats().dice
    assert six.counts == (1, 1, 0, 0, 1, 0)  # a held die does not fall again
    assert (twenty.counts[2], twenty.counts[19], twenty.dice) == (1, 1, 2)
