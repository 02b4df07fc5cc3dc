"""The traits that games declare, and the defaults for games that declare none."""

import random
from itertools import groupby
from typing import Any

import pytest

from coin import Coin
from records import positions
from shutbox import catalogue, find
from shutbox.engine.cups import SeededCup
from shutbox.engine.errors import TooLarge
from shutbox.engine.game import Choose
from shutbox.games.box.rules import BoxRules
from shutbox.games.traits import Traits, traits_of
from shutbox.match import Format, Match
from shutbox.solving import MEAN
from shutbox.solving.comparison import compare
from shutbox.solving.equity.last_round_limits import check_last_round
from shutbox.solving.solvers import check_solvable, cost_of, solve, whole_cost
from shutbox.table.bots import Perfect
from shutbox.web.compute.tasks import can_advise, check_work
from variants import random_variant

NAMES = [*(entry.name for entry in catalogue()), "cargo(hold=each)", "cargo(dice=10d6,hold=each)"]


class Silent(Coin):
    """A game that says nothing of itself."""

    name = "silent"
    traits = Traits()


class Older(Coin):
    """A game that has never heard of traits."""

    name = "older"
    traits: Any = property(lambda self: (_ for _ in ()).throw(AttributeError("traits")))


def test_no_position_has_more_choices_than_a_game_says() -> None:
    for name in NAMES:
        game = find(name)
        most = traits_of(game).most_choices
        assert most is not None
        for awaited in map(game.awaits, positions(game, plays=10)):
            assert not isinstance(awaited, Choose) or len(awaited.choices) <= most, name


def test_no_throw_has_more_covers_than_the_rule_says() -> None:
    for seed in range(60):
        variant = random_variant(random.Random(f"covers {seed}"))
        rules, cup = BoxRules(variant), SeededCup(str(seed))
        for dice in rules.dice.values():
            for _ in range(20):
                assert len(rules.covers(cup.throw(dice))) <= rules.most_covers, variant


@pytest.mark.parametrize("game", [Silent(), Older()], ids=["silent", "older"])
def test_what_a_game_does_not_say_is_refused(game: Any) -> None:
    says_nothing = f"^{game.name} does not say what solving it takes"
    for ask in (
        *(solve, check_solvable, Perfect().check, lambda game: cost_of(game, game.start())),
        lambda game: compare(game, MEAN),
        lambda game: check_last_round(Match(game, Format(), ("Ann", "Bob"))),
    ):
        with pytest.raises(TooLarge, match=says_nothing):
            ask(game)
    assert whole_cost(game) is None
    with pytest.raises(TooLarge, match=f"^{game.name} does not say how many choices"):
        check_work(game)
    assert solve(game, anyway=True).value(game.start()) == solve(Coin()).value(Coin().start())


def test_games_of_the_catalogue_say_what_they_cost() -> None:
    for name in NAMES:
        game = find(name)
        if game.longest is not None:
            assert cost_of(game, game.start()).seconds > 0
    assert can_advise(find("classic"))
    assert not can_advise(find("tray"))


def test_the_menu_groups_games_by_what_they_say() -> None:
    groups = [entry.group for entry in catalogue()]
    in_order = list(dict.fromkeys(groups))
    assert in_order[:4] == ["Boxes", "More boxes", "Cargo", "Dice tray"]
    assert in_order == [group for group, _ in groupby(groups)]
    assert groups.count("Boxes") == 11
