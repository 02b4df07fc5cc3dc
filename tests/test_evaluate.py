"""Values of players, compared to the last digit with the same strategies on the graph."""

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import shutbox
from coin import Coin
from shutbox import Game
from shutbox.analysis.solvers import select
from shutbox.analysis.solvers.select import turns_of
from shutbox.analysis.strategy.compare import ASKING
from shutbox.analysis.strategy.fixed import STRATEGIES
from shutbox.analysis.strategy.following import NAMES
from shutbox.bots import bot
from shutbox.cli.main import main
from shutbox.errors import IllegalChoice, NotDeterministic, NotUnderstood, TooLarge
from shutbox.solver import MEAN, GraphSolution
from shutbox.solver.solution import chances
from slow import one_in

SMALL = (
    "six",
    "classic(tiles=1-6)",
    "unlucky-seven(tiles=1-6)",
    "covered(tiles=1-6)",
    "cargo(dice=4d6,rolls=3)",
    "lucky-seven",
    "double-shutter(tiles=1-4,behind=4-1,weights=2x4.1x4)",
)
ASKED = ("fewest", "most", "highest", "first", "careful", "sheet", "perfect")


def last(game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
    """Take the last choice that is listed."""
    return choices[-1]


@pytest.mark.parametrize("way", ASKED)
@pytest.mark.parametrize("name", one_in(3, SMALL))
def test_a_player_is_worth_what_the_way_of_its_name_is(name: str, way: str) -> None:
    """The one is asked position by position, the other followed on the graph."""
    asked, named = shutbox.evaluate(name, bot(way)), shutbox.evaluate(name, way)
    for what in ("value", "loss", "shut", "throws", "decisions", "per_decision", "distribution"):
        assert getattr(asked, what) == getattr(named, what), what
    assert isinstance(asked.value, Fraction)


@pytest.mark.parametrize("way", sorted(STRATEGIES))
@pytest.mark.parametrize("name", one_in(3, [*SMALL, "classic"]))
def test_a_way_is_worth_what_its_graph_says(name: str, way: str) -> None:
    game = shutbox.find(name)
    solution = GraphSolution(game, MEAN, turns_of(game, game.start()))
    root = solution.place(game.start())
    assert root is not None
    played = STRATEGIES[way](solution.graph)
    ends, throws = chances(played, played.reached(root))
    found = shutbox.evaluate(name, way)
    assert found.chances == ends
    assert found.value == sum(score * chance for (score, _), chance in ends.items())
    if way != "random":  # whose choices are throws of the graph, too
        assert found.throws == throws


def test_best_play_loses_nothing() -> None:
    for name in SMALL:
        solution = shutbox.solve(name)
        found = shutbox.evaluate(name, "perfect")
        assert (found.loss, found.per_decision) == (0, 0)
        assert found.value == solution.value()
        assert found.distribution == solution.distribution()
        assert found.throws == solution.chances()[1]


def test_random_is_worked_out_by_its_even_choices() -> None:
    anew, named = shutbox.evaluate("classic", bot("random")), shutbox.evaluate("classic", "random")
    assert round(float(named.value), 4) == 20.4304
    assert (anew.value, anew.throws) == (named.value, named.throws)


def test_a_fixed_player_is_one_like_any_other() -> None:
    one, other = (shutbox.evaluate("six", bot(f"fixed:{seed}")).value for seed in ("pub", "inn"))
    assert one != other


def test_a_function_plays_and_another_aim_counts() -> None:
    worst = shutbox.evaluate("six", last, "shut")
    assert worst.name == "last"
    assert worst.value == worst.shut < shutbox.solve("six", "shut").value()
    assert worst.loss == shutbox.solve("six", "shut").value() - worst.value


def test_what_lies_there_is_not_hidden_from_a_player() -> None:
    """Rolls of one total are one in the graph, and not to a player."""

    def by_roll(game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
        return choices[-1 if position.roll and position.roll.pips[0] == 3 else 0]

    game = shutbox.find("two-dice(tiles=1-7)")
    found = shutbox.evaluate(game, by_roll)
    first, most = shutbox.evaluate(game, "first"), shutbox.evaluate(game, "most")
    assert first.value < found.value < most.value


def test_games_of_other_people_are_evaluated() -> None:
    assert shutbox.evaluate(Coin(), "first").value == Fraction(3, 2)
    assert shutbox.evaluate(Coin(), last).value == Fraction(3, 2)


# What is refused


def test_who_takes_what_is_not_offered_is_named_with_the_position() -> None:
    def cheat(game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
        return game.parse_choice(game.position_at("1-6/6"), "6") if len(choices) == 1 else "7"

    with pytest.raises(IllegalChoice) as caught:
        shutbox.evaluate("six", cheat)
    assert str(caught.value) == (
        "cheat took 'Cover(tiles=32)' at six:1.2.3.4.5.6/1, where the choices are 1"
    )
    assert shutbox.find("six").position_id(caught.value.position) == "1.2.3.4.5.6/1"


def test_who_does_not_always_choose_the_same_is_refused() -> None:
    turn = [0]

    def fickle(game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
        turn[0] += 1
        return choices[turn[0] % len(choices)]

    with pytest.raises(NotDeterministic, match=r"^fickle took 2 4 at six:2\.4\.6/6, and 6 when"):
        shutbox.evaluate("six", fickle)

    class Moody:
        deterministic = False

        def pick(self, game: Any, position: Any, choices: tuple[Any, ...]) -> Any:
            pytest.fail("it said so, and was asked")

    with pytest.raises(NotDeterministic, match=r"^Moody says that it does not always"):
        shutbox.evaluate("six", Moody())


@pytest.mark.parametrize(
    ("player", "says"),
    [
        ("clever", "'clever' is not a way to play; they are perfect, fewest,"),
        (7, "'7' is not a player"),
    ],
)
def test_what_is_no_player_is_refused(player: Any, says: str) -> None:
    with pytest.raises(NotUnderstood, match=says):
        shutbox.evaluate("six", player)


def test_what_a_player_raises_comes_through() -> None:
    def broken(game: Any, position: Any, choices: Any) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        shutbox.evaluate("six", broken)


def test_what_takes_too_long_is_refused_before_anybody_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = shutbox.find("classic")
    limit = 10 * select.cost_of(game, game.start()).seconds
    monkeypatch.setattr(select, "MOST_SECONDS", limit)
    assert ASKING > 10
    assert shutbox.evaluate(game, "first").value == shutbox.evaluate(game, "fewest").value
    with pytest.raises(TooLarge, match="classic: 512 positions"):
        shutbox.evaluate(game, lambda *asked: pytest.fail("it was asked"))
    with pytest.raises(NotUnderstood, match="is a match"):
        shutbox.evaluate("pub", "first")
    with pytest.raises(TooLarge, match="can go on forever"):
        shutbox.evaluate("tray", "first")


def test_every_name_is_one_of_a_computer_player() -> None:
    assert set(NAMES) < set(shutbox.bots.KINDS)


# The command


MINE = """
class BothDice:
    def pick(self, game, position, choices):
        return choices[-1 if "die" in game.choice_text(choices[0]) else 0]

def cheat(game, position, choices):
    return 5

def broken(game, position, choices):
    return 1 // 0

def short(game):
    return 0

class Never:
    def __init__(self):
        raise ValueError("not today")

number = 7
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with players of the user's own, in which the command is run."""
    (tmp_path / "my_players.py").write_text(MINE)
    (tmp_path / "no_python.py").write_text("def (")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "my_players", raising=False)
    return tmp_path


@pytest.mark.parametrize("text", ["my_players:BothDice", "./my_players.py:BothDice"])
def test_a_player_of_ones_own_is_compared(
    text: str, mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["compare", "classic(tiles=1-6)", "--json", "--player", text, "--player", "most"]) == 0
    )
    report = json.loads(capsys.readouterr().out)
    assert [way["way"] for way in report["ways"]] == [text, "most"]
    both = shutbox.evaluate("two-dice(tiles=1-6)", "first").value
    assert report["ways"][0]["exact"]["value"] == str(both)
    assert str(mine) not in sys.path


def test_a_kind_may_be_written_as_in_a_list_of_players(capsys: pytest.CaptureFixture[str]) -> None:
    kinds = ["fewest", "fixed:pub"]
    reports = []
    for prefix in ("", "computer:"):
        players = [f"--player={prefix}{kind}" for kind in kinds]
        assert main(["compare", "six", "--json", *players]) == 0
        reports.append(json.loads(capsys.readouterr().out))
    assert reports[0] == reports[1]
    assert {way["way"] for way in reports[1]["ways"]} == set(kinds)


def test_the_aim_is_called_so_wherever_it_is_given() -> None:
    asked = shutbox.evaluate("six", "perfect", aim="shut").value
    assert asked == shutbox.solve("six", aim="shut").value() == Fraction(145, 1944)
    assert asked == shutbox.compare("six", aim="shut").best.value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "my_players:cheat",
            "my_players:cheat took '5' at six:1.2.3.4.5.6/1, where the choices are 1",
        ),
        (
            "my_players:broken",
            "my_players:broken is broken: ZeroDivisionError: integer division or modulo by zero "
            "(line 10 of my_players.py)",
        ),
        (
            "my_players:short",
            "my_players:short is broken: TypeError: short() takes 1 positional argument but 3 were "
            "given",
        ),
        (
            "my_players:Never",
            "my_players:Never is broken: ValueError: not today (line 17 of my_players.py)",
        ),
        ("my_players:number", "'7' is not a player; it has no method pick, and is no function"),
        ("my_players:nobody", "--player: there is no 'nobody' in 'my_players'"),
        (
            "nothing:here",
            "--player: 'nothing:here' cannot be imported: ModuleNotFoundError: No module named "
            "'nothing'",
        ),
        ("no_python:here", "--player: 'no_python:here' cannot be imported: SyntaxError: "),
        ("clever", "'clever' is not a kind of computer player; they are perfect"),
        ("computer:clever", "'clever' is not a kind of computer player; they are perfect"),
    ],
)
def test_a_player_who_cannot_play_is_told_in_one_sentence(
    text: str, says: str, mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", "six", "--player", text]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"shutbox: {says}")
    assert err.count("\n") == 1
