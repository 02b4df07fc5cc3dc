"""The answers of the library, compared with the protocol."""

import inspect
import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

import shutbox
from coin import Coin
from shutbox import Choose, Dice, Over
from shutbox.engine.cups import SeededCup
from shutbox.engine.dice import Cup
from shutbox.engine.errors import (
    BadName,
    IllegalChoice,
    ImpossiblePosition,
    NotUnderstood,
    NotYourTurn,
    ShutboxError,
    TooLarge,
    UnknownGame,
)
from shutbox.engine.play import Player
from shutbox.solving import MEAN, SHUT, beat
from shutbox.table.lookup import find_any, match_of
from truth import places

SMALL = (
    "six",
    "classic(tiles=1-6)",
    "unlucky-seven(tiles=1-6)",  # the first throw has rules of its own
    "covered(tiles=1-6)",
    "double-shutter(tiles=1-4,behind=4-1,weights=2x4.1x4)",
    "cargo(dice=4d6,rolls=3)",
    "lucky-seven",
)


# shutbox.solve


def test_a_game_and_an_aim_may_be_named() -> None:
    six = shutbox.find("six")
    wanted = shutbox.solve(six, None, SHUT)
    for found in (
        shutbox.solve("six", "shut"),
        shutbox.solve(six, "SHUT"),
        shutbox.solve("six", aim="shut"),
        shutbox.solve("six", six.start(), SHUT),
        shutbox.solve("six", "six:1-6", "shut"),
    ):
        assert found == wanted
    assert wanted.value() == Fraction(145, 1944)
    assert shutbox.solve("six", "beat:8").aim.name == "beat:8"


def test_without_a_position_it_is_where_the_game_was_solved_from() -> None:
    whole, part = shutbox.solve("classic"), shutbox.solve("classic", "1.5.9/2+4")
    assert whole.value() == whole.value(whole.game.start()) != part.value()
    for name in ("value", "best", "options", "distribution", "ends"):
        assert getattr(part, name)() == getattr(whole, name)("1.5.9/2+4")
    assert shutbox.solve("classic", "1.2").ends() == Fraction(1, 2)  # 3 to 6 of one die
    assert next(part.positions()) == part.start == part.game.position_at("1.5.9/2+4")
    assert part != shutbox.solve("classic", "1.5.9")


SOLVE, EQUITY = shutbox.solve, shutbox.equity


@pytest.mark.parametrize(
    ("ask", "arguments", "error", "says"),
    [
        (SOLVE, (None,), NotUnderstood, "'None' is not a game"),
        (SOLVE, ("pub",), NotUnderstood, "odds about matches; name its game alone: classic"),
        (shutbox.simulate, ("six[seats=2]",), NotUnderstood, "matches; name its game alone: six"),
        (SOLVE, ("tray",), TooLarge, "tray can go on forever"),
        (shutbox.odds, ("tray",), TooLarge, "tray can go on forever, so its"),
        (SOLVE, ("nonsense",), UnknownGame, "'nonsense'"),
        (SOLVE, ("six", "win"), NotUnderstood, "'win' is neither an aim .* nor a position: 'win'"),
        (SOLVE, ("six", None, "win"), NotUnderstood, "'win' is not an aim"),
        (SOLVE, ("six", "7"), ImpossiblePosition, "7"),
        (EQUITY, ("six",), NotUnderstood, r"six is one turn, .* such as six\[seats=2"),
        (EQUITY, (shutbox.find("cargo"),), NotUnderstood, r"such as cargo\[seats=2,rounds=5\]"),
        (EQUITY, ("nonsense",), UnknownGame, "'nonsense'"),
    ],
)
def test_what_cannot_be_asked_is_said(
    ask: Any, arguments: tuple[Any, ...], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        ask(*arguments)


def test_whatever_is_asked_of_a_position_it_must_be_one_that_was_solved() -> None:
    solution = shutbox.solve("classic", "1.5.9")
    here = solution.game.position_at("1.5.9/2+4")
    for name in ("value", "best", "options", "ranked", "ends", "shut", "chances", "distribution"):
        ask = getattr(solution, name)
        assert ask("1.5.9/2+4") == ask("classic:1.5.9/2+4") == ask(here)
        for text in ("2.3.4/1+4", "2.3.8"):
            for position in (text, solution.game.position_at(text)):
                says = re.escape(f"{text} cannot come up from what was solved")
                with pytest.raises(ValueError, match=says):
                    ask(position)
        with pytest.raises(NotUnderstood):
            ask("nonsense")


# Matches


def test_a_match_may_be_named() -> None:
    pytest.importorskip("numpy", reason="NumPy is not installed: make tools")
    name = "lucky-seven[seats=2,until=shut,shut=wins]"
    assert shutbox.equity(name).shares == shutbox.equity(find_any(name)).shares
    assert shutbox.equity(name).shares == pytest.approx((6 / 11, 5 / 11))
    name = "lucky-seven[seats=3,rounds=1,until=shut,shut=wins]"
    odds = shutbox.odds(match_of(name, 3))
    assert odds.shares == shutbox.equity(name).outlook().shares
    assert repr(shutbox.odds(name)) == repr(odds)
    played_to_win = "the aim is win or chips"
    for aim, says in (
        ("mean", played_to_win), (MEAN, played_to_win), ("chips", "nobody plays for any")
    ):  # fmt: skip
        with pytest.raises(NotUnderstood, match=says):
            shutbox.odds(name, aim=aim)


def test_under_another_format_a_match_has_its_players_and_a_game_those_of_the_purses() -> None:
    for given in (find_any("pub[seats=3]"), "pub[seats=3]"):
        assert "[seats=3," in find_any(given, "stake=2").name
    for game in (shutbox.find("classic"), "classic"):
        assert "[seats=3," in find_any(game, "stake=1,purse=5.6.7").name


# Positions and policies


@pytest.mark.parametrize("name", [*SMALL, "coin"])
def test_a_solution_has_every_position_and_ranks_every_choice(name: str) -> None:
    game: Any = Coin() if name == "coin" else shutbox.find(name)
    solution = shutbox.solve(game)
    found = list(solution.positions())
    assert found[0] == game.start()
    wanted = (here for here in places(game) if not isinstance(game.awaits(here), Over))
    assert Counter(found) == Counter(wanted)


@pytest.mark.parametrize("name", [*SMALL, "coin"])
@pytest.mark.parametrize("aim", ["mean", "shut"])
def test_a_policy_is_what_is_best_everywhere(name: str, aim: str) -> None:
    pytest.importorskip("numpy", reason="NumPy is not installed: make tools")
    game: Any = Coin() if name == "coin" else shutbox.find(name)
    solution = shutbox.solve(game, aim)
    policy = solution.policy()
    due = [here for here in solution.positions() if isinstance(game.awaits(here), Choose)]
    assert policy.positions.tolist() == [game.position_id(here) for here in due]
    for row, here in enumerate(due):
        choices, best = game.awaits(here).choices, solution.best(here).choice
        assert choices[policy.best[row]] == best
        assert policy.choices[row] == game.choice_text(best)
        assert policy.counts[row] == len(choices)
        assert policy.values[row] == pytest.approx(float(solution.value(here)), abs=1e-12)


def test_the_arrays_of_a_policy_are_as_they_are_described() -> None:
    np = pytest.importorskip("numpy", reason="NumPy is not installed: make tools")
    policy = shutbox.solve("classic").policy()
    rows = len(policy)
    assert (policy.game, policy.aim, rows) == ("classic", "mean", 8221)
    assert policy.up.shape == (rows, 9)
    assert policy.up.dtype == np.bool_
    assert policy.rolls.shape == (rows, 2)
    assert policy.rolls.dtype == np.int8
    assert policy.best.dtype == policy.counts.dtype == np.int32
    assert policy.values.dtype == np.float64
    assert policy.positions.dtype.kind == policy.choices.dtype.kind == "U"
    row = policy.positions.tolist().index("1.5.9/2+4")
    assert policy.up[row].tolist() == [n in (1, 5, 9) for n in range(1, 10)]
    assert policy.rolls[row].tolist() == [2, 4]
    assert policy.choices[row] == "1 5"
    dice = policy.positions.tolist().index("1.5")
    assert policy.rolls[dice].tolist() == [0, 0]
    assert policy.counts[dice] == 2


def test_a_policy_becomes_a_frame() -> None:
    for needed in ("numpy", "pandas"):
        pytest.importorskip(needed, reason=f"{needed} is not installed: make tools")
    frame = shutbox.solve("six").policy().to_frame()
    assert list(frame.columns) == ["position", "roll", "count", "best", "choice", "value"]
    assert frame["roll"][4] == "5"


def test_scores_are_drawn_on_axes_of_somebody() -> None:
    figures = pytest.importorskip("matplotlib.figure", reason="matplotlib is not installed")
    axes = figures.Figure().subplots()
    solution = shutbox.solve("six")
    assert solution.plot(axes) is axes
    heights = [bar.get_height() for bar in axes.patches]
    assert sum(heights) == pytest.approx(100)
    assert heights == [pytest.approx(100 * float(p)) for p in solution.distribution().values()]
    assert axes.get_xlabel() == "final score"
    assert axes.get_title() == "Six (mean)"
    assert shutbox.solve("classic").plot(figures.Figure().subplots(), "1.5.9").get_legend()


def test_a_policy_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    policies = pytest.importorskip("shutbox.solving.policy", reason="NumPy is not installed")
    monkeypatch.setattr(policies, "MOST_ROWS", 10_000)
    with pytest.raises(TooLarge, match=r"classic may have 1\d,\d{3} positions with a choice"):
        shutbox.solve("classic").policy()


def test_a_random_player_draws_anew() -> None:
    game = shutbox.find("classic")
    here = game.position_at("1-9/6+6")
    awaited = game.awaits(here)
    assert isinstance(awaited, Choose)
    drawn = [shutbox.bot("random").pick(game, here, awaited.choices) for _ in range(2000)]
    mean = 2000 / len(awaited.choices)
    # To be 100 away is more than six standard errors.
    assert all(abs(drawn.count(choice) - mean) < 100 for choice in awaited.choices)


# What is meant by an argument


@pytest.mark.parametrize("wrong", [None, b"six", [], {}, object(), shutbox.Over, ("six", "1.2")])
def test_a_wrong_kind_in_a_list_is_refused_in_a_sentence(wrong: Any) -> None:
    for ask in (
        lambda: match_of("six", [wrong, "Bob"]),
        lambda: shutbox.solve("six", None, [wrong]),  # type: ignore[call-overload]
        lambda: shutbox.compare("six", players=[wrong]),
        lambda: shutbox.Table("six", [wrong]),  # type: ignore[call-overload]
        lambda: Dice.of(1, 6).read([wrong, wrong]),
    ):
        with pytest.raises(ShutboxError, match=r"."):
            ask()


def test_a_seat_may_be_named_and_a_cup_be_a_seed() -> None:
    match = match_of("six", "Ann, Bob", "rounds=2")
    assert match == shutbox.find("six", ["Ann", "Bob"], "rounds=2")
    table, other = shutbox.Table(match, 7), shutbox.Table(match, SeededCup("7"))
    assert table.throw(seat="Ann") == other.throw(seat=0)
    with pytest.raises(NotYourTurn):
        table.throw(seat="Bob")
    with pytest.raises(BadName, match="or a name: Ann and Bob"):
        shutbox.Table(match, 7).throw(seat="Eve")
    seats = set()
    while not isinstance(awaited := table.awaits, shutbox.Over):  # without a seat, who is due acts
        seats.add(awaited.seat)
        if isinstance(awaited, shutbox.Throw):
            table.throw()
        else:
            table.choose(table.scene.offers[0].text)
    assert seats == {0, 1}


def test_a_choice_may_be_itself_or_an_option() -> None:
    solution = shutbox.solve("classic")
    here = "1-9/3+5"
    tables = [shutbox.Table("classic", start=here) for _ in range(3)]
    option = solution.best(here)
    done = [
        table.choose(choice).text
        for table, choice in zip(tables, ("8", option.choice, option), strict=True)
    ]
    assert done == ["8"] * 3
    with pytest.raises(IllegalChoice):
        shutbox.Table("classic", start="1.2/1").choose(option)


# Signatures


def test_help_shows_defaults_that_can_be_typed() -> None:
    for name in ("solve", "odds", "evaluate", "compare", "simulate", "equity", "review", "fair"):
        said = str(inspect.signature(getattr(shutbox, name)))
        assert "0x" not in said
        assert "progress: " in said
        assert said.partition("progress: ")[2].partition(" = ")[2].startswith("None")
    assert "= MEAN" in str(inspect.signature(shutbox.solve))
    assert repr(beat(8, shutbox.find("six"))) == "Aim(beat:8)"


def test_implementations_may_name_parameters_of_a_protocol_as_they_like() -> None:
    for protocol in (shutbox.Game, Player, Cup):
        for method in vars(protocol).values():
            if inspect.isfunction(method) and not method.__name__.startswith("_"):
                _, *given = inspect.signature(method).parameters.values()
                assert {one.kind for one in given} <= {inspect.Parameter.POSITIONAL_ONLY}, method
