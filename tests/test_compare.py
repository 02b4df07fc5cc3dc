"""The strength of strategies, compared with the computer players of the same names.

A strategy is evaluated on a graph, in which equivalent rolls are merged and tiles are bits. Here
the computer player itself chooses at every position of the protocol, and its results are computed
in exact fractions. The two share only the rankings.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm
from pathlib import Path
from typing import Any

import pytest
from template_game import ThreeThrows

import shutbox
from coin import AGAIN, KEEP, Coin, Place
from shutbox import Choose, Game, Over, Player, Scoring, Throw, bots
from shutbox import cargoes as cargo_sheet
from shutbox.analysis.solvers.select import turns_of
from shutbox.analysis.strategy.compare import Comparison, Strength, compare
from shutbox.analysis.strategy.fixed import STRATEGIES
from shutbox.analysis.strategy.following import sheet_for
from shutbox.bots import KINDS, bot
from shutbox.boxes import sheet as box_sheet
from shutbox.cli.main import main
from shutbox.english import figure, percent
from shutbox.errors import NotUnderstood, TooLarge
from shutbox.games.box import Box
from shutbox.games.box.rules import BoxPosition, UseDice
from shutbox.games.cargo import Cargo
from shutbox.lookup import find_any
from shutbox.solver import (
    MEAN,
    SHUT,
    WORST_SHUT,
    Aim,
    ExactSolver,
    GraphSolution,
    Unfolded,
    beat,
    compiled,
)
from shutbox.solver.options import Number
from slow import one_in

PAGE = Path(__file__).parents[1] / "docs" / "strength.md"

SMALL = [
    "six",
    "even-stevens",
    "against-all-odds",
    "classic(tiles=1-6)",  # a choice of dice from the start
    "two-dice(tiles=1-5.500,fewer=may-any)",  # dice are chosen where no cover is left
    "two-dice(tiles=1-6,dice=3d3,fewer=may-any)",  # up to three numbers of dice
    "markers(tiles=1-6)",  # both dice or their total
    "pairs(tiles=1-6)",
    "thai-style(tiles=1-6)",
    "two-to-go-pub(tiles=1-6)",
    "three-to-go(tiles=1-6)",
    "unlucky-seven(tiles=1-6)",
    "digital(tiles=1-6)",
    "covered(tiles=1-6)",  # high is good
    "lucky-seven",  # nothing to choose
    "double-shutter(tiles=1-4,behind=4-1,weights=2x4.1x4)",
    "cargo(dice=4d6,rolls=3)",
    "cargo(dice=5d6,rolls=2,hold=each)",
    "cargo(rolls=1)",
]


class SafeCoin(Coin):
    """A coin that wins whatever it shows; to throw once more is the first choice."""

    name = "safe coin"

    def awaits(self, position: Place) -> Throw | Choose[str] | Over:
        match super().awaits(position):
            case Over(scores=scores):
                return Over(scores, shut=True)
            case Choose():
                return Choose((AGAIN, KEEP))
            case throw:
                return throw


OTHERS: list[Game[Any, Any]] = [Coin(), SafeCoin(), ThreeThrows()]
"""Games that are neither boxes nor Cargo."""

BOTS = [name for name in (*STRATEGIES, "sheet") if name != "random"]

MIXED = Aim(
    "mixed",
    lambda over: 7919 * (over.scores[0] + over.shut) % 1009,
    lambda scoring, seat: True,
)
"""An aim without sense: two ways to play that differ anywhere are worth something else."""


def aims(game: Game[Any, Any]) -> list[Aim]:
    scoring = game.scoring
    assert scoring is not None
    middle = (scoring.best + scoring.worst) // 4
    return [MEAN, SHUT, WORST_SHUT, beat(middle, scoring), MIXED]


@cache
def compared(name: str, aim: Aim = MEAN) -> Comparison:
    return compare(shutbox.find(name), aim, sheet=True)


# What comes of a player's choices, by the protocol alone


@dataclass(frozen=True)
class Outcome:
    """The expectations from a position on."""

    value: Number
    shut: Number
    throws: Number
    decisions: Number

    @classmethod
    def mixed(
        cls, parts: list[tuple["Outcome", int]], throws: int = 0, decisions: int = 0
    ) -> "Outcome":
        total = sum(weight for _, weight in parts)

        def mean(name: str) -> Fraction:
            each = [(getattr(o, name), weight) for o, weight in parts]
            under = lcm(*(part.denominator for part, _ in each))
            over = sum(p.numerator * (under // p.denominator) * weight for p, weight in each)
            return Fraction(over, under * total)

        return cls(
            mean("value"), mean("shut"), mean("throws") + throws, mean("decisions") + decisions
        )


class Watched:
    """A player, asked at every position it comes to; None chooses at random."""

    def __init__(self, game: Game[Any, Any], player: Player[Any, Any] | None, aim: Aim) -> None:
        self.game, self.player, self.aim = game, player, aim
        self.known: dict[Any, Outcome] = {}

    def of(self, position: Any) -> Outcome:
        if position not in self.known:
            self.known[position] = self._of(position)
        return self.known[position]

    def _of(self, position: Any) -> Outcome:
        match self.game.awaits(position):
            case Over(shut=shut) as over:
                return Outcome(Fraction(self.aim.payoff(over)), Fraction(shut), *[Fraction(0)] * 2)
            case Throw(dice=dice):
                after = [(self.game.rolled(position, r), w) for r, w in dice.outcomes()]
                return Outcome.mixed([(self.of(place), w) for place, w in after], throws=1)
            case Choose(choices=choices):
                picked = choices
                if self.player is not None:
                    picked = (self.player.pick(self.game, position, choices),)
                places = [self.of(self.game.chosen(position, choice)) for choice in picked]
                return Outcome.mixed([(o, 1) for o in places], decisions=len(choices) > 1)


def outcome(strength: Strength) -> Outcome:
    return Outcome(strength.value, strength.shut, strength.throws, strength.decisions)


@pytest.mark.parametrize("way", BOTS)
@pytest.mark.parametrize("name", one_in(3, SMALL))
def test_a_way_is_what_the_computer_player_of_its_name_does(name: str, way: str) -> None:
    game = shutbox.find(name)
    watched = Watched(game, bot(way), MEAN).of(game.start())
    assert outcome(compared(name).strategy(way)) == watched


@pytest.mark.parametrize("name", one_in(3, SMALL))
def test_a_player_at_random_takes_each_choice_as_often(name: str) -> None:
    game = shutbox.find(name)
    watched = Watched(game, None, MEAN).of(game.start())
    assert outcome(compared(name).strategy("random")) == watched


@pytest.mark.parametrize("game", OTHERS, ids=lambda game: str(game.name))
@pytest.mark.parametrize("way", [*BOTS, "random"])
def test_ways_to_play_games_of_other_people(game: Game[Any, Any], way: str) -> None:
    found = compare(game, MEAN, sheet=True)
    assert found.sheet is None
    with pytest.raises(KeyError, match="sheet"):
        found.strategy("sheet")
    player = None if way == "random" else bot(way)
    watched = Watched(game, player, MEAN).of(game.start())
    if way == "sheet":  # then the first choice is taken
        assert watched == outcome(found.strategy("first"))
    else:
        assert watched == outcome(found.strategy(way))


@pytest.mark.parametrize("way", ["highest", "careful", "sheet"])
@pytest.mark.parametrize("name", one_in(4, [*SMALL, "classic"]))
def test_a_way_and_its_player_agree_wherever_dice_are_due(name: str, way: str) -> None:
    """Also where the player would never come to."""
    game = shutbox.find(name)
    solution = GraphSolution(game, MEAN, turns_of(game, game.start()))
    sheet = sheet_for(game)
    assert sheet is not None
    graph = (
        solution.graph.with_choices(sheet.places(solution))
        if way == "sheet"
        else STRATEGIES[way](solution.graph)
    )
    watched = Watched(game, bot(way), MIXED)
    worths = {n: int(MIXED.payoff(Over((s,), shut))) for n, (s, shut) in graph.ends.items()}
    values = graph.solved(worths, more=True)
    seen = 0
    for position in reachable(name):
        node = solution.place(position)
        if node is not None:
            assert Fraction(values[node], graph.scale) == watched.of(position).value, position
            seen += 1
    assert seen > 0


@cache
def unfolded(name: str) -> Unfolded[Any, Any]:
    game = shutbox.find(name)
    return Unfolded(game, game.start())


@cache
def reachable(name: str) -> tuple[Any, ...]:
    """Every position that can come up."""
    return tuple(_reachable(shutbox.find(name)))


def _reachable(game: Game[Any, Any]) -> Iterator[Any]:
    waiting, seen = [game.start()], {game.start()}
    while waiting:
        position = waiting.pop()
        yield position
        match game.awaits(position):
            case Throw(dice=dice):
                after = [game.rolled(position, roll) for roll, _ in dice.outcomes()]
            case Choose(choices=choices):
                after = [game.chosen(position, choice) for choice in choices]
            case _:
                after = []
        waiting += [place for place in dict.fromkeys(after) if place not in seen]
        seen.update(after)


@pytest.mark.parametrize("way", ["most", "highest", "careful"])
@pytest.mark.parametrize("name", one_in(3, SMALL))
def test_a_way_and_its_player_make_every_choice_alike(name: str, way: str) -> None:
    game = shutbox.find(name)
    turns = unfolded(name)
    followed = STRATEGIES[way](turns.graph)
    player = bot(way)
    for position in reachable(name):
        awaited = game.awaits(position)
        if isinstance(awaited, Choose) and len(awaited.choices) > 1:
            picked = game.chosen(position, player.pick(game, position, awaited.choices))
            node = turns.find(position)
            assert node is not None
            assert followed.children[node] == (turns.find(picked),), position


@pytest.mark.parametrize("name", ["cargo", "cargo(hold=each)", "ship-captain-crew(hold=each)"])
@pytest.mark.parametrize("target", [None, 7, 13])
def test_a_sheet_of_cargo_and_its_player_make_every_choice_alike(
    name: str, target: int | None
) -> None:
    game = shutbox.find(name)
    assert isinstance(game, Cargo)
    aim = MEAN if target is None else beat(target, game.scoring)
    turns = turns_of(game, game.start())
    solution = GraphSolution(game, aim, turns)
    sheet = cargo_sheet.fitted(game, solution)
    places = sheet.places(solution)
    assert {node for node in places if solution.graph.children[node]} == set(
        solution.graph.choices()
    )
    for left in range(1, game.rules.rolls):
        for roll, _ in shutbox.Dice.of(game.rules.cargo, 6).outcomes():
            position = game.position_at(f"6.5.4/{left}/{roll}")
            awaited = game.awaits(position)
            node = turns.find(position)
            assert isinstance(awaited, Choose)
            assert node is not None
            assert awaited.choices[places[node]] == sheet.pick(position, awaited.choices)


# Best play


@pytest.mark.parametrize("name", one_in(3, SMALL))
def test_nothing_is_better_than_best_play(name: str) -> None:
    game = shutbox.find(name)
    assert game.scoring is not None
    for aim in aims(game):
        found = compared(name, aim)
        more = aim.more_is_better(game.scoring, 0)
        assert found.best.value == ExactSolver(game, aim).value()
        assert found.best.loss == found.best.per_decision == 0
        assert {way.name for way in found.strategies} == {*STRATEGIES, "sheet"}
        for way in found.strategies:
            worse = found.best.value - way.value if more else way.value - found.best.value
            assert way.loss == worse >= 0, (aim.name, way.name)
            assert way.per_decision * way.decisions == way.loss
        assert [way.loss for way in found.strategies] == sorted(
            way.loss for way in found.strategies
        )


def test_the_least_chance_to_shut_the_box_is_less_than_any_other() -> None:
    found = compared("classic", WORST_SHUT)
    assert found.best.value < compared("classic", SHUT).strategy("most").value
    assert all(way.value >= found.best.value for way in found.strategies)
    assert found.strategies[-1].value == max(way.value for way in found.strategies)


def test_what_a_player_loses_is_what_its_decisions_lose_together() -> None:
    """The same loss, decision by decision: how much worse what it takes is than the best."""
    game = shutbox.find("classic(tiles=1-7)")
    solver = ExactSolver(game, MEAN)
    for kind in ("fewest", "careful"):
        player = bot(kind)

        @cache
        def lost(position: Any, player: Player[Any, Any] = player) -> Fraction:
            match game.awaits(position):
                case Throw(dice=dice):
                    falls = [(lost(game.rolled(position, r)), w) for r, w in dice.outcomes()]
                    return sum((x * w for x, w in falls), Fraction(0)) / dice.total_weight
                case Choose(choices=choices):
                    after = game.chosen(position, player.pick(game, position, choices))
                    return solver.value(after) - solver.value(position) + lost(after)
            return Fraction(0)

        assert lost(game.start()) == compared(game.name).strategy(kind).loss > 0


# Sheets


@pytest.mark.parametrize("name", [*SMALL, "classic"])
def test_a_sheet_is_at_least_as_good_as_the_rule_of_thumb(name: str) -> None:
    game = shutbox.find(name)
    for aim in aims(game):
        found = compared(name, aim)
        if isinstance(game, Box):
            assert found.strategy("sheet").loss <= found.strategy("fewest").loss
            assert isinstance(found.sheet, box_sheet.BoxSheet)
            assert all(0 <= points <= box_sheet.MOST_POINTS for points in found.sheet.points)


@pytest.mark.parametrize("name", [*SMALL, "classic"])
def test_a_sheet_of_a_box_names_every_tile_in_digits(name: str) -> None:
    game = shutbox.find(name)
    if isinstance(game, Box):
        sheet = sheet_for(game)
        assert isinstance(sheet, box_sheet.BoxSheet)
        assert all(0 <= points <= 9 for points in sheet.points)
        said = " ".join(sheet.lines)
        named = sorted(map(int, re.findall(r"(\d+) has \d", said)))
        start = game.rules.start
        tiles = [tile.number for i, tile in enumerate(game.rules.tiles) if start >> i & 1]
        assert named == sorted(tiles)
        assert ("behind" in said) == bool(game.rules.variant.behind)
        chosen = any(
            isinstance(awaited, Choose) and isinstance(awaited.choices[0], UseDice)
            for awaited in map(game.awaits, reachable(name))
        )
        assert bool(re.search("hrow .* d[i]", said)) == chosen


def test_a_sheet_says_what_it_does() -> None:
    classic = shutbox.find("classic")
    assert isinstance(classic, Box)

    def dice(fewer_up_to: int, box: Box = classic) -> str:
        return box_sheet.BoxSheet(box, (4,) * len(box.rules.tiles), fewer_up_to).lines[-1]

    assert dice(0) == "Always throw two dice."
    assert dice(45) == "Throw one die whenever you may."
    assert dice(6) == (
        "Where you may choose, throw one die once the tiles up total at most 6, and two before."
    )
    three = shutbox.find("two-dice(tiles=1-6,dice=3d3,fewer=may-any)")
    assert isinstance(three, Box)
    assert dice(21, three) == "Throw as few dice as you may."


@pytest.mark.slow
def test_a_sheet_of_cargo_costs_nothing_for_the_score() -> None:
    for name in ("cargo", "ship-captain-crew", "cargo(hold=each)", "cargo(dice=8d6,hold=each)"):
        assert compared(name).strategy("sheet").loss == 0
    for name in ("cargo", "ship-captain-crew"):  # a score to beat needs no more than a threshold
        for target in range(0, 18, 3):
            game = shutbox.find(name)
            assert game.scoring is not None
            assert compare(game, beat(target, game.scoring), sheet=True).strategy("sheet").loss == 0


def test_a_sheet_of_cargo_in_words() -> None:
    game = shutbox.find("cargo(rolls=4)")
    assert isinstance(game, Cargo)
    rows = (cargo_sheet.Row(14, 5), cargo_sheet.Row(None, 1), cargo_sheet.Row(12, 7))
    assert cargo_sheet.CargoSheet(game, rows).lines == (
        "With three throws left, accept 12 or more; if it is less, throw again.",
        "With two throws left, accept.",
        "With one throw left, accept 14 or more. If it is less, throw every die again that shows "
        "less than 5, and accept if there is none.",
    )
    none = shutbox.find("cargo(rolls=1)")
    assert isinstance(none, Cargo)
    assert cargo_sheet.CargoSheet(none, ()).lines == ("There is nothing to choose.",)


def test_a_game_that_nobody_can_wait_for_has_a_plain_sheet() -> None:
    large = shutbox.find("the-300")
    position = large.position_at("1-24/6+6+6+6")
    awaited = large.awaits(position)
    assert isinstance(awaited, Choose)
    assert bot("sheet").pick(large, position, awaited.choices) == awaited.choices[0]
    cargo = shutbox.find("cargo")
    assert isinstance(cargo, Cargo)
    plain = cargo_sheet.plain(cargo)
    assert {line.partition(" left, ")[2] for line in plain.lines} == {"accept."}
    assert sheet_for(Coin()) is None


def test_a_sheet_that_is_not_fitted_is_what_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutbox.analysis.strategy.following.MOST_SECONDS", 0.0)
    game = shutbox.find("classic")
    found = compare(game, MEAN, sheet=True)
    assert found.strategy("sheet").value == found.strategy("fewest").value
    assert isinstance(game, Box)
    assert sheet_for(game) == box_sheet.plain(game)


def test_a_search_for_points_ends_when_its_looks_are_spent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = compared("classic")
    monkeypatch.setattr(box_sheet, "MOST_LOOKS", 1)
    short = compare(shutbox.find("classic"), MEAN, sheet=True)
    assert (
        known.strategy("sheet").loss < short.strategy("sheet").loss < known.strategy("fewest").loss
    )


# Computer players at the table


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["careful", "sheet"])
def test_in_a_match_the_turn_is_played_as_it_is_alone(kind: str) -> None:
    match = find_any("classic[seats=2,rounds=2]")
    game = shutbox.find("classic")
    for at in ("1-9/3+5", "1.3.5.7.9/2+6", "1.2.3.4.5.6", "1.5", "2.3.4.5.6.7/3+6"):
        position = match.position_at(f"1;0;0;0,0;t0;{at}")
        awaited = match.awaits(position)
        assert isinstance(awaited, Choose)
        alone = bot(kind).pick(game, game.position_at(at), awaited.choices)
        assert bot(kind).pick(match, position, awaited.choices) == alone


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"random", "fixed"}))
def test_without_chips_more_are_bought(kind: str) -> None:
    match = find_any("pub[seats=3,rounds=2,purse=20.1.20]")
    awaited = match.awaits(match.start())
    assert isinstance(awaited, Choose)
    assert match.choice_text(bot(kind).pick(match, match.start(), awaited.choices)) == "buy"


@pytest.mark.parametrize("kind", ["careful", "sheet"])
def test_at_the_tray_the_first_thing_is_done(kind: str) -> None:
    tray = shutbox.find("tray")
    position = tray.rolled(tray.start(), shutbox.Roll((3, 5)))
    awaited = tray.awaits(position)
    assert isinstance(awaited, Choose)
    assert bot(kind).pick(tray, position, awaited.choices) == awaited.choices[0]


def test_one_player_on_paper_may_sit_at_tables_of_several_games() -> None:
    player = bot("sheet")
    for name in ("classic(tiles=1-7)", "cargo(dice=4d6,rolls=3)", "six", "classic(tiles=1-7)"):
        game = shutbox.find(name)
        watched = Watched(game, player, MEAN).of(game.start())
        assert watched.value == compared(name).strategy("sheet").value


def test_a_careful_player_does_not_look_at_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    game = shutbox.find("classic")
    position = game.position_at("1.3.5.7.9/3+5")
    awaited = game.awaits(position)
    assert isinstance(awaited, Choose)
    assert bot("careful").pick(game, position, awaited.choices) == awaited.choices[1]
    monkeypatch.setattr(bots, "MOST_LOOKED", 41)  # two dice show 21 different rolls
    assert bot("careful").pick(game, position, awaited.choices) == awaited.choices[0]


def test_a_careful_player_would_rather_win_now_than_be_sure_to() -> None:
    for game, throws in ((SafeCoin(), 1), (Coin(), Fraction(3, 2))):
        assert compare(game, MEAN).strategy("careful").throws == throws
        assert Watched(game, bot("careful"), MEAN).of(game.start()).throws == throws


def test_a_careful_player_throws_the_dice_that_are_safer() -> None:
    game = shutbox.find("classic")
    for at, dice in (("1.2.3.4.5.6", 1), ("2", 1), ("4.5.6", 2)):
        position = game.position_at(at)
        risks = {n: bots.risk(game, BoxPosition(position.up, n)) for n in (1, 2)}
        awaited = game.awaits(position)
        assert isinstance(awaited, Choose)
        assert bot("careful").pick(game, position, awaited.choices) == UseDice(dice)
        assert risks[dice] == min(risks.values())


# The command


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["compare", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_the_command_tells_the_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(capsys, "classic")
    assert (code, err) == (0, "")
    title, *lines = out.splitlines()
    assert title == "Classic, played for the best expected score."
    assert [line.partition(":")[0] for line in lines] == [
        *("best", "careful", "fewest", "first", "highest", "random", "most")
    ]
    assert lines[0] == "best: expected score 11.0092; shuts the box 9.7 %."
    assert lines[2] == (
        "fewest: expected score 12.2170, 1.2078 worse than best play; shuts the box 5.6 %; "
        "loses 0.2742 per decision."
    )


def test_the_command_prints_the_sheet(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told(capsys, "classic", "--sheet", "--aim", "beat:8")
    lines = out.splitlines()
    at = lines.index("The strategy on one sheet of paper:")
    assert lines[at + 1].startswith("Points of the tiles: 1 has ")
    assert re.fullmatch(
        r"It costs [0-9.]+ percentage points of the chance to beat 8, exactly .*\.", lines[-1]
    )
    sheet = compare(shutbox.find("classic"), beat(8, Scoring(0, 45)), sheet=True).strategy("sheet")
    assert lines[-1].endswith(f", exactly {sheet.loss}.")
    _, out, _ = told(capsys, "cargo", "--sheet")
    assert out.splitlines()[-1] == "It costs nothing."
    assert "sheet: expected score 11.1367, as good as best play; completes the crew 90.1 %." in out


def test_the_command_speaks_of_chances(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told(capsys, "classic", "--aim", "shut")
    assert "careful: shuts the box 7.1 %, 2.6 percentage points worse than best play; " in out
    assert out.count(": shuts the box") == 7


def test_the_command_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capsys, "classic(tiles=1-7)", "--json", "--sheet", "--aim", "worst-shut")
    found = json.loads(out)
    expected = compared("classic(tiles=1-7)", WORST_SHUT)
    assert code == 0
    assert (found["game"], found["aim"]) == ("classic(tiles=1-7)", "worst-shut")
    assert [way["way"] for way in found["ways"]] == [way.name for way in expected.strategies]
    assert expected.sheet is not None
    assert found["sheet"] == list(expected.sheet.lines)
    for way in (found["best"], *found["ways"]):
        for key, text in way["exact"].items():
            assert Fraction(text) == getattr(expected.strategy(way["way"]), key)
            assert way[key] == float(Fraction(text))
    assert json.loads(told(capsys, "six", "--json")[1])["sheet"] is None


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("tray",), "tray can go on forever"),
        (("pub",), "classic[seats=2,rounds=1,shut=wins,stake=1] is a match, "),
        (("the-300",), "the-300: 16,777,216 positions in exact fractions take "),
        (("bar",), "there is no game 'bar'"),
        (("classic", "--aim", "win"), "'win' is not an aim; "),
    ],
)
def test_what_cannot_be_compared_is_refused(
    words: tuple[str, ...],
    says: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiled, "installed", lambda: False)
    code, out, err = told(capsys, *words)
    assert (code, out) == (1, "")
    assert err.startswith(f"shutbox: {says}")
    assert err.count("\n") == 1


def test_what_cannot_be_compared_is_refused_to_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "installed", lambda: False)
    with pytest.raises(NotUnderstood, match=r"so name its game: classic "):
        compare(find_any("pub"), MEAN)
    with pytest.raises(TooLarge):
        compare(shutbox.find("tray"), MEAN)
    with pytest.raises(TooLarge):
        compare(shutbox.find("the-300"), MEAN)


# The page


@pytest.mark.parametrize("name", ["classic", "two-dice", "full-house", "cargo"])
def test_the_strengths_in_the_docs_are_so(name: str) -> None:
    found = compared(name)
    page = PAGE.read_text(encoding="utf-8")
    section = page.partition(f"## `{name}`\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert rows == [row(way) for way in (found.best, *found.strategies)]


def row(way: Strength) -> str:
    name = "perfect" if way.name == "best" else way.name
    numbers = (
        figure(way.value),
        percent(way.shut),
        f"{float(way.decisions):.2f}",
        figure(way.loss),
        figure(way.per_decision),
    )
    return f"| `{name}` | {' | '.join(numbers)} |"
